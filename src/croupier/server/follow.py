"""A table that another process runs, followed through the store: watchers here see it as if it ran here."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.errors import StoreError
from croupier.journal import open_entry, read_line
from croupier.rulebook import Archive
from croupier.server.live import Watched
from croupier.store import LawShelf, Store
from croupier.table import Entry, Table, rebuild

__all__ = ["FollowedTable"]


class FollowedTable(Watched):
    """A table as its record says, read again whenever it has moved on."""

    def __init__(self, store: Store, stream: str) -> None:
        super().__init__()
        self.stream: Final = stream
        self._store, self._table = store, None
        self._laws: Final = LawShelf()
        self._lock: Final = asyncio.Lock()

    _table: Table | None

    @classmethod
    async def open(cls, store: Store, stream: str) -> FollowedTable:
        """The table as it stands."""
        followed = cls(store, stream)
        await followed.catch_up()
        return followed

    @property
    def table(self) -> Table:
        """The table as it was when its record was last read."""
        if self._table is None:
            raise StoreError(f"{self.stream}: nothing is recorded yet")
        return self._table

    async def catch_up(self) -> None:
        """Read what was recorded since, and show it."""
        async with self._lock:
            after = self._table.seq if self._table is not None else 0
            entries = await self._entries(after)
            if not entries:
                return
            await self._laws.read(self._store)
            self._table = rebuild(self._table, entries, Archive(self._laws))
            self.changed(entries)

    async def _entries(self, after: int) -> list[Entry]:
        entries = []
        for line in await self._store.load(self.stream, after=after):
            entry = read_line(bytes(line.line))
            if line.key is not None:
                entry = open_entry(entry, line.sealed, await self._store.cipher(line.key))
            entries.append(entry)
        return entries
