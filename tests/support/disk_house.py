"""A small house on a disk in memory: it lives until power goes, and whoever opens the disk must find everything."""

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import apsw

from croupier.driver import TableRunner
from croupier.errors import StoreError
from croupier.fairness import Entropy, Sealed
from croupier.games import events as round_events
from croupier.journal import HouseKey
from croupier.rulebook import Archive
from croupier.store import Store
from croupier.store.laws import LawShelf
from croupier.store.sqlite import SqliteEngine
from croupier.table import Entry, Table, rebuild
from croupier.table.events import CardsSealed, CardsShown, SeedRevealed
from support.audit import audit, read_record
from support.disk import Disk
from support.small_house import STAFF, Client, Witness, house_of, next_command

KEY: Final = HouseKey(bytes(range(32)))
_LONGEST: Final = 200
"""Commands until a round must be over."""
MakeStore = Callable[[Disk], Store]


def plain_store(disk: Disk) -> Store:
    return Store(SqliteEngine("house.db", vfs=disk.name, inline=True), KEY)


class DiskHouse:
    """Tables on a disk in memory, and their clients, who remember every answer."""

    def __init__(self, seed: object, *, tables: int, strict: bool = False, make_store: MakeStore = plain_store) -> None:
        self.dice: Final = random.Random(str(seed))
        self.disk = Disk(strict=strict)
        self.clients: Final = house_of(tables, seed)
        self.checked = 0
        self.rounds = 0
        """Rounds that were in play when the house stopped, and went on with the same cards."""
        self._make_store: Final = make_store
        self._entropy: Final = Entropy(self.dice.randbytes)
        self._seen: Final[dict[str, Sealed]] = {}

    # --- living

    async def live(self, steps: int, *, cut_after: int | None = None) -> None:
        """Open the disk, check everything, go on; power goes at a call of the disk, or never."""
        disk = self.disk
        disk.off_at = None if cut_after is None else disk.calls + cut_after
        store: Store | None = None
        try:
            store = self._make_store(disk)
            expected = await self.check(store)
            for client in self.clients:
                await self.open(client, store)
            for client in self.clients:
                await self._go_on(store, client, expected.get(client.stream))
            for result in await asyncio.gather(
                *(self._run(store, client, steps) for client in self.clients), return_exceptions=True
            ):
                if isinstance(result, BaseException):
                    raise result
        except (StoreError, apsw.Error):
            if not disk.off:
                raise
        finally:
            if store is not None:
                with suppress(apsw.Error, StoreError):
                    await store.close()

    def cut(self) -> None:
        """Power goes, and comes back."""
        before, self.disk = self.disk, self.disk.after_cut(self.dice)
        before.remove()

    async def open(self, client: Client, store: Store) -> None:
        await client.open(store, Witness(self._entropy, self._seen))

    async def _run(self, store: Store, client: Client, steps: int) -> None:
        for _ in range(steps):
            await client.step(self.dice)
            if self.dice.random() < 0.05:
                await store.engine.checkpoint()

    # --- checking

    async def check(self, store: Store) -> dict[str, list[Any]]:
        """Everything that was acknowledged is there, once; returns how each round in play must go on."""
        tables = await audit(store)
        expected = {}
        for client in self.clients:
            table, entries = tables.get(client.stream, (None, []))
            await check_client(store, client, table, entries)
            if client.table is not None and client.table.round is not None:
                expected[client.stream] = self._predicted(client)
        self.checked += 1
        return expected

    def _predicted(self, client: Client) -> list[Any]:
        """How the round in play goes on, from what the clients know and the seeds that the witness has seen."""
        assert client.table is not None
        runner = TableRunner(
            client.table, Witness(Entropy(random.Random(1).randbytes), {}), automatic=STAFF, seeds=self._seen
        )
        request, entries = client.asked, list[Entry]()
        for _ in range(_LONGEST):
            entries += runner.handle(request or next_command(runner.table, client.seed))
            request = None
            if (faces := _until_proven(entries)) is not None:
                return faces
        raise AssertionError("the round never ends")

    async def _go_on(self, store: Store, client: Client, expected: list[Any] | None) -> None:
        if expected is None:
            return
        before = len(client.lines)
        for _ in range(_LONGEST):
            await client.step(self.dice)
            if len(client.lines) - before >= expected[-1][0] - expected[0][0] + 1:
                break
        entries = await read_record(store, client.stream)
        assert _until_proven(entries[before:]) == expected, f"{client.stream}: the round went on with other cards"
        self.rounds += 1


async def check_client(store: Store, client: Client, table: Table | None, entries: list[Entry]) -> None:
    """What a client was told, against the record: nothing lost, nothing twice, the same table."""
    told = len(client.lines)
    stored = [bytes(line.line) for line in await store.load(client.stream, until=told)]
    assert stored == client.lines, f"{client.stream}: of {told} acknowledged lines {len(stored)} are there, or differ"
    rows = await store.read("select key, first, last from command where stream = $1", client.stream)
    kept = {key: (first, last) for key, first, last in rows}
    asked = client.asked.key if client.asked is not None else ""
    more = kept.pop(asked, None)
    began = told or min(1, len(entries))  # a table that nobody has seen may have been created
    assert len(entries) == (more[1] if more is not None else began), f"{client.stream}: lines that nobody asked for"
    assert more is None or more[0] == began + 1, f"{client.stream}: a command was stored, but elsewhere"
    assert kept == client.keys, f"{client.stream}: an acknowledged key is gone, or there is one more"
    if client.table is not None:
        if len(entries) > told:
            laws = LawShelf()
            await laws.read(store)
            table = rebuild(None, entries[:told], Archive(laws))
        assert table == client.table, f"{client.stream}: the rebuilt table differs"


def _until_proven(entries: list[Entry]) -> list[Any] | None:
    """Every step of a round with its cards, until its seed is revealed."""
    faces: list[Any] = []
    closed = False
    for entry in entries:
        match entry.event:
            case CardsSealed(place=place, cards=hidden):
                faces.append((entry.seq, entry.name, place, hidden.open()))
            case CardsShown(places=places, cards=cards):
                faces.append((entry.seq, entry.name, places, cards))
            case SeedRevealed(seed=seed, deck=deck):
                faces.append((entry.seq, entry.name, seed, deck))
                if closed:
                    return faces
            case _:
                faces.append((entry.seq, entry.name))
        closed = closed or isinstance(entry.event, round_events.RoundClosed)
    return None
