"""A table that another process runs, followed through the store: watchers here see it as if it ran here."""

from __future__ import annotations

import asyncio
from typing import Final

from croupier.server.turns import Turns
from croupier.server.watching import Watched
from croupier.store import Store, TableReader
from croupier.table import Table

__all__ = ["FollowedTable"]


class FollowedTable(Watched):
    """A table as its record says, read again whenever it has moved on.

    `new` is the table before it has any record; `table` is where to go on from, if that is known.
    """

    def __init__(
        self, store: Store, stream: str, new: Table, table: Table | None = None, *, turns: Turns | None = None
    ) -> None:
        super().__init__(turns)
        self.stream: Final = stream
        self._new: Final = new
        self._reader: Final = TableReader(store, stream, table)
        self._lock: Final = asyncio.Lock()
        self.told = table.seq if table is not None else 0

    @property
    def table(self) -> Table:
        """The table as it was when its record was last read."""
        return self._reader.table or self._new

    @property
    def seq(self) -> int:
        """The last entry that was read."""
        return self._reader.table.seq if self._reader.table is not None else 0

    async def catch_up(self, seq: int = 0) -> None:
        """Read what was recorded since, and show it; nothing to do if this entry was read before."""
        async with self._lock:
            if seq and seq <= self.seq:
                return
            entries = await self._reader.read_on()
            if entries:
                self.changed(entries)
