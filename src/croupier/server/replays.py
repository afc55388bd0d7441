"""A table as it was after an entry, read from its record: for whoever sends a command again long after its answer."""

from __future__ import annotations

from typing import Final

from croupier.errors import Shredded
from croupier.journal import open_entry, read_line
from croupier.rulebook import Archive
from croupier.store import LawShelf, Store, snapshot_before
from croupier.table import Entry, Table, rebuild

__all__ = ["table_at"]

_MOST: Final = 20_000
"""Entries that are read again for one answer."""


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
