"""Stores under test, one of each engine, and a table with a store behind it that plays by itself."""

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from croupier.driver import FairShuffler, Staff, next_request
from croupier.fairness import Entropy
from croupier.journal import chain_hash
from croupier.money import Cents
from croupier.rulebook import check, load_rulebook, read_submission_text, starting_submission
from croupier.store import Store, StoredTable, open_store, open_table
from croupier.store.values import COLUMNS, Append, Claim, HeadMove
from croupier.table import Entry, Person, Request, Table, chips_of, commands, new_table
from support.postgres_server import PostgresServer
from support.table_harness import START

TABLES: Final = (*COLUMNS, "head", "account", "total", "law", "data_key")
ANN: Final = Person("player", "ann")


class StorePlace:
    """Where a store is: the path of a file, or a database of a server."""

    def __init__(self, url: str, keys: Path, server: PostgresServer | None = None) -> None:
        self.url, self.server, self._keys = url, server, keys

    @property
    def key(self) -> Path:
        """The file with the house's key."""
        (key,) = self._keys.glob("*.key")
        return key

    async def open(self, *, write: bool = True) -> Store:
        return await open_store(self.url, write=write)

    def change(self, sql: str) -> None:
        """Change rows behind the store's back."""
        if self.server is not None:
            self.server.sql(sql, self._schema)
            return
        with closing(sqlite3.connect(self.url)) as connection, connection:
            connection.execute(sql)

    def fingerprint(self) -> str:
        """The same as long as nothing at all has changed."""
        data = self.server.dump(self._schema).encode() if self.server is not None else Path(self.url).read_bytes()
        return hashlib.sha256(data).hexdigest()

    @property
    def _schema(self) -> str:
        return self.url.rpartition("=")[2]


async def everything(store: Store) -> dict[str, list[Any]]:
    """All rows, except accounts that nothing was ever posted to."""
    rows = {table: sorted(map(repr, await store.read(f"select * from {table}"))) for table in TABLES}
    rows["account"] = sorted(map(repr, await store.read("select * from account where amount <> 0")))
    return rows


def appended(
    claim: Claim,
    number: int = 1,
    *,
    after: int | None = None,
    also: Sequence[HeadMove] = (),
    moves: Sequence[tuple[str, int]] = (),
    **more: Any,  # noqa: ANN401 - whatever else an append has
) -> Append:
    """An append of some lines to a stream, and moves of accounts with a floor of nothing; the bank has no floor."""
    after, head, events = claim.seq if after is None else after, claim.hash, []
    for seq in range(after + 1, after + number + 1):
        line = f"line {seq}".encode()
        head = chain_hash(head, line)
        events.append((claim.stream, seq, "tray_filled/1", 1_000_000, 0, line, None, None, head, None))
    rows = {"event": events, **more.pop("rows", {})}
    return Append(
        heads=(HeadMove(claim.stream, claim.epoch, after, after + number, head), *also),
        rows=rows,
        accounts=tuple((name, "cents", None if name == "bank" else 0) for name, _ in moves),
        moves=tuple(moves),
        **more,
    )


def after(claim: Claim, append: Append) -> Claim:
    """A claim after an append to its stream."""
    return claim._replace(seq=append.heads[0].seq, hash=append.heads[0].hash)


# --- tables


@cache
def closed_table() -> Table:
    text = starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True)
    submission = read_submission_text(text, name="a house")
    return new_table(submission, check(submission).rules(), id="1")


def next_move(table: Table) -> Request:
    """What happens next at a table where Ann bets the minimum and always stays in."""
    now, key = START + timedelta(seconds=10 * table.played), f"k{table.seq}"
    if not table.people.seats:
        return Request(ANN, now, commands.Sit(1), key=key)
    if chips_of(table, "ann") == 0 and table.round is None:
        return Request(ANN, now, commands.BuyIn(Cents(10_000_000), brought=True), key=key)
    if table.round is None:
        return Request(ANN, now, commands.PlaceWager(1, "ante", Cents(1_000)), key=key)
    staff = next_request(table, now, close_bets=True)
    if staff is not None:
        return Request(staff.by, now, staff.command, staff.reason, key=key)
    return Request(ANN, now, commands.Decide(1, "1x", None), key=key)


class StoredEvening:
    """A stored table with automatic staff, whose chance follows from the place in its record alone."""

    def __init__(self, place: StorePlace) -> None:
        self.place = place
        self.drawn = 0
        self.given: list[Request] = []

    async def open(self) -> None:
        self.store = await self.place.open()
        self.stored: StoredTable | None = None
        self.stored = await open_table(
            self.store,
            closed_table(),
            lambda _used: FairShuffler(Entropy(self._draw), salts=Entropy(self._draw)),
            by=Person("operator", "the house"),
            at=START,
            automatic=Staff(),
        )

    async def close(self) -> None:
        await self.store.close()

    @property
    def table(self) -> Table:
        assert self.stored is not None
        return self.stored.table

    async def handle(self, request: Request) -> list[Entry]:
        assert self.stored is not None
        self.drawn = 0
        return await self.stored.handle(request)

    async def play(self, commands_: int) -> None:
        """So many commands more."""
        if self.table.status == "closed":
            opening = next_request(self.table, START)
            assert opening is not None
            await self.handle(opening)
        for _ in range(commands_):
            request = next_move(self.table)
            self.given.append(request)
            await self.handle(request)

    def _draw(self, size: int) -> bytes:
        self.drawn += 1
        seq = self.stored.table.seq if self.stored is not None else 0
        return hashlib.shake_256(f"{seq} {self.drawn}".encode()).digest(size)
