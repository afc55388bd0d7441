"""A table as it was after an entry, read from its record.

For whoever sends a command again long after its answer, and for rounds that are looked at again step by step.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from croupier.errors import BrokenRecord, CroupierError, Shredded
from croupier.journal import open_entry, read_line
from croupier.rulebook import Archive
from croupier.store import LawShelf, RecalledRound, Store, snapshot_before
from croupier.table import Entry, Table, create, evolve, rebuild

__all__ = ["RebuiltRounds", "table_at"]

_MOST: Final = 20_000
"""Entries that are read again for one answer."""
_KEPT: Final = 12
"""Rounds whose tables are kept: somebody is looking at them step by step."""
_AFTER: Final = 20
"""Entries after a round that may belong to it."""


class RebuiltRounds:
    """The tables of rounds that are looked at again, after each of their entries."""

    def __init__(self) -> None:
        self._kept: Final[OrderedDict[tuple[str, int, bytes], Mapping[int, Table]]] = OrderedDict()

    async def tables(self, store: Store, found: RecalledRound, *, ask: Callable[[], None]) -> Mapping[int, Table]:
        """The table after each entry of a round, by its number; empty where it cannot be rebuilt any more.

        `ask` is called before a round is rebuilt that is not at hand: it may refuse that.
        """
        lines = await store.load(found.stream, after=found.first - 1, until=found.last + _AFTER)
        digest = sha256(b"\n".join(bytes(line.line) for line in lines)).digest()  # they may have been altered
        place = (found.stream, found.number, digest)
        if place not in self._kept:
            ask()
            try:
                self._kept[place] = await _tables_through(store, found)
            except (CroupierError, LookupError, ValueError, TypeError):  # shredded, or not as it was written
                return {}
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(place)
        return self._kept[place]


async def _tables_through(store: Store, found: RecalledRound) -> dict[int, Table]:
    shelf = LawShelf()
    await shelf.read(store)
    laws = Archive(shelf)
    table = await snapshot_before(store, found.stream, laws, found.first - 1)
    after = table.seq if table is not None else 0
    if found.last - after > _MOST:
        raise BrokenRecord("too much of the record would have to be read")
    lines = await store.load(found.stream, after=after, until=found.last + _AFTER)
    ciphers = {line.key: await store.cipher(line.key) for line in lines if line.key is not None}

    def followed() -> dict[int, Table]:
        tables, state = dict[int, Table](), table
        for line in lines:
            entry = read_line(bytes(line.line))
            if line.key is not None:
                entry = open_entry(entry, line.sealed, ciphers[line.key])
            state = create(entry, laws) if state is None else evolve(state, entry, laws)
            if entry.seq >= found.first:
                tables[entry.seq] = state
        return tables

    return await asyncio.to_thread(followed)  # live tables go on meanwhile


async def table_at(store: Store, stream: str, seq: int) -> Table | None:
    """The table after this entry; None if too much of its record would have to be read."""
    laws = LawShelf()
    await laws.read(store)
    found = await snapshot_before(store, stream, Archive(laws), seq)
    after = found.seq if found is not None else 0
    if seq - after > _MOST:
        return None
    entries: list[Entry] = []
    for line in await store.load(stream, after=after, until=seq):
        entry = read_line(bytes(line.line))
        if line.key is not None:
            try:
                entry = open_entry(entry, line.sealed, await store.cipher(line.key))
            except Shredded:
                return None
        entries.append(entry)
    return rebuild(found, entries, Archive(laws))
