"""Rounds that are played into a store, and what somebody makes of them who has nothing but the export.

The players remember what they were told: every line, and every cent of every settlement. The auditor gets the export:
the lines go into an empty store, without a key, a posting or an account, and everything is worked out again.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.journal import HouseKey, chain_hash, first_hash, micros, read_line, write_line
from croupier.ledger import account_of
from croupier.rulebook import TODAY, rulebook_ids
from croupier.store import Store, export, replay
from croupier.store.audit import table_entries
from croupier.store.laws import LawShelf
from croupier.store.sqlite import SqliteEngine
from croupier.store.values import COLUMNS, Row
from croupier.table import Entry, Request, Table, commands, create
from support.stored_evening import MANAGER, START, Evening, new_evening

_DAY: Final = 50
"""Rounds of a gaming day."""
_AT_ONCE: Final = 20_000
Settlement = tuple[int, object]
"""The number of an entry, and what it settled."""


class Remembered(NamedTuple):
    """A table, as those who played at it know it, or as the auditor makes it again."""

    table: Table
    """Without its last round: the auditor has no key to the cards of it that nobody has shown."""
    head: tuple[int, bytes]
    rounds: int
    settled: list[Settlement]
    accounts: dict[str, int]
    """What is in each account of the table."""


class RememberedEvening(Evening):
    """An evening whose players remember what they were told."""

    def __init__(self, *arguments: Any, **more: Any) -> None:  # noqa: ANN401 - as it is inherited
        super().__init__(*arguments, **more)
        self.head = first_hash(self.stored.stream)
        self.told, self.rounds, self.settled = 0, 0, list[Settlement]()

    async def handle(self, request: Request) -> list[Entry]:
        if not self.told:
            (line,) = await self.stored.store.load(self.stored.stream)
            self.told, self.head = 1, chain_hash(self.head, bytes(line.line))
        entries = await super().handle(request)
        for entry in entries:
            self.head, self.told = chain_hash(self.head, write_line(entry)), self.told + 1
            assert entry.seq == self.told
            self.rounds += isinstance(entry.event, round_events.RoundClosed)
            self.settled += settlement_of(entry)
        return entries

    async def play_days(self, rounds: int) -> None:
        """At least so many rounds, some on each day."""
        while self.rounds < rounds:
            await self.play(min(_DAY, rounds - self.rounds))
            await self.staff()
            self.now = START + timedelta(days=(self.now - START).days + 1)
            day = date(2026, 1, 1) + (self.now - START)
            await self.give(MANAGER, commands.ChangeDay(day))


def settlement_of(entry: Entry) -> list[Settlement]:
    match entry.event:
        case round_events.HandSettled(seat=seat, wagers=wagers, coupon=coupon):
            return [(entry.seq, (seat, wagers, coupon))]
        case round_events.EnvySettled(paid=paid):
            return [(entry.seq, paid)]
    return []


def _quick_store(path: Path) -> Store:
    """A store on one thread that need not survive a power cut."""
    engine = SqliteEngine(path, inline=True)
    engine._main.pragma("synchronous", "off")  # noqa: SLF001 - nobody else may
    return Store(engine, HouseKey(bytes(32)))


async def play_rounds(folder: Path, rounds: int, *, seed: int) -> dict[str, Remembered]:
    """Play so many rounds at four tables, one of each rulebook, and write the export of the store."""
    store, books, played = _quick_store(folder / "house.db"), rulebook_ids(), dict[str, Remembered]()
    await store.identity()
    for number, book in enumerate(books):
        evening = await new_evening(
            store, book, 4 * seed + number + 1, ordered=(seed + number) % 2 == 0, kind=RememberedEvening
        )
        await evening.play_days(-(-rounds // len(books)))
        stream = evening.stored.stream
        accounts = await store.read("select name, amount from account where amount <> 0")
        held = {str(name): int(amount) for name, amount in accounts if name.startswith(f"{stream}/")}
        played[stream] = Remembered(
            _without_cards(evening.stored.table), (evening.told, evening.head), evening.rounds, evening.settled, held
        )
    with (folder / "export.jsonl").open("wb") as file:
        async for line in export(store):
            file.write(line)
    await store.close()
    return played


def _without_cards(table: Table) -> Table:
    assert table.round is None
    return replace(table, last_round=None)


# --- the auditor


async def auditors_store(folder: Path, lines: Iterator[bytes]) -> Store:
    """A store with the lines of an export, and the law that is installed here; nothing else."""
    store, heads, laws, rows = _quick_store(folder / "auditor.db"), dict[str, Row](), LawShelf(), list[Row]()
    for line in lines:
        if not line.startswith(b'{"stream":"table/'):
            continue
        name = json.loads(line[10 : line.index(b'"', 11) + 1])
        _, seq, before = heads.get(name, (name, 0, first_hash(name)))
        head = chain_hash(before, line)
        heads[name] = name, seq + 1, head
        if seq == 0:
            table = create(read_line(line), TODAY)
            laws.put_house(table.submission, table.house)
        rows.append((name, seq + 1, "", micros(START), 0, line, None, None, head, None))
        if len(rows) == _AT_ONCE:
            await store.engine.insert("event", tuple(COLUMNS["event"]), rows)
            rows.clear()
    await store.engine.insert("event", tuple(COLUMNS["event"]), rows)
    await store.engine.insert(
        "head", ("stream", "seq", "hash", "epoch", "owner", "until"), [(*head, 1, "", 0) for head in heads.values()]
    )
    await store.engine.insert("law", ("name", "text"), list(laws.new))
    return store


async def replayed(store: Store, stream: str) -> tuple[Remembered, list[int]]:
    """A table from its lines alone, and the entries whose settlement comes out otherwise today."""
    settled, differing = list[Settlement](), list[int]()
    async for entry, agrees in replay(store, stream):
        settled += settlement_of(entry)
        if not agrees:
            differing.append(entry.seq)
    accounts, rounds = Counter[str](), 0
    table: Table | None = None
    async for _, entry, table, moves in table_entries(store, stream):  # noqa: B007 - the last one is wanted
        rounds += isinstance(entry.event, round_events.RoundClosed)
        for account, amount in moves:
            accounts[account_of(stream, account).name] += amount
    assert table is not None
    ((seq, head),) = await store.read("select seq, hash from head where stream = $1", stream)
    held = {name: amount for name, amount in accounts.items() if amount and name.startswith(f"{stream}/")}
    return Remembered(_without_cards(table), (int(seq), bytes(head)), rounds, settled, held), differing
