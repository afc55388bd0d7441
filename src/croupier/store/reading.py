"""A table as its record has it, for whoever follows it and never writes: read once, and then only what is new."""

from __future__ import annotations

from typing import Final

from croupier.errors import RulesMismatch, Shredded
from croupier.journal import open_entry, read_line
from croupier.rulebook import Archive
from croupier.store.laws import LawShelf
from croupier.store.snapshots import newest_snapshot
from croupier.store.store import Store
from croupier.store.values import StoredLine
from croupier.table import Entry, Table, rebuild

__all__ = ["TableReader", "entry_of"]


async def entry_of(store: Store, stored: StoredLine) -> tuple[Entry, bool]:
    """An entry as it was stored, and whether its cards are open; they stay closed once their key is destroyed."""
    entry = read_line(bytes(stored.line))
    if stored.key is None:
        return entry, True
    try:
        return open_entry(entry, stored.sealed, await store.cipher(stored.key)), True
    except Shredded:
        return entry, False


class TableReader:
    """The record of one table, and the table that it makes; none before the first entry."""

    def __init__(self, store: Store, stream: str, table: Table | None = None) -> None:
        self.stream: Final = stream
        self.table: Table | None = table
        self._store: Final = store
        self._laws: Final = LawShelf()

    async def read_on(self) -> list[Entry]:
        """What was recorded since; the first time, since the newest snapshot."""
        table = self.table
        if table is None:
            await self._laws.read(self._store)
            found = await newest_snapshot(self._store, self.stream, Archive(self._laws))
            table = found[0] if found is not None else None
        lines = await self._store.load(self.stream, after=table.seq if table is not None else 0)
        entries = [(await entry_of(self._store, line))[0] for line in lines]
        if entries:
            try:
                table = rebuild(table, entries, Archive(self._laws))
            except RulesMismatch:  # rules that came with these entries
                await self._laws.read(self._store)
                table = rebuild(table, entries, Archive(self._laws))
        self.table = table
        return entries
