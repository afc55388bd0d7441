"""Snapshots in a store, sealed: not for secrecy, but so that a table whose books somebody has changed does not open."""

from __future__ import annotations

from typing import Final

from croupier.errors import BrokenRecord, RulesMismatch
from croupier.journal import SNAPSHOT_VERSION, DataKey, read_snapshot, write_snapshot
from croupier.rulebook import Laws
from croupier.store.store import Store
from croupier.store.values import Row
from croupier.table import Table, stream_of

__all__ = ["newest_snapshot", "snapshot_before", "snapshot_row"]

_ANY: Final = 2**62

_KEY_NUMBER: Final = 8
"""Bytes of the number of its key, before the sealed snapshot."""


def snapshot_row(table: Table, head: bytes, key: int, cipher: DataKey) -> Row | None:
    """A table between two rounds, after the line with this hash; None if it cannot be written now."""
    state, stream = write_snapshot(table), stream_of(table)
    if state is None:
        return None
    box = key.to_bytes(_KEY_NUMBER, "big") + cipher.encrypt(state, _context(stream, table.seq, head))
    return stream, table.seq, SNAPSHOT_VERSION, head, box


async def snapshot_before(store: Store, stream: str, laws: Laws, seq: int) -> Table | None:
    """The newest snapshot of a table that does not go beyond an entry."""
    found = await newest_snapshot(store, stream, laws, until=seq)
    return found[0] if found is not None else None


async def newest_snapshot(
    store: Store, stream: str, laws: Laws, *, until: int | None = None
) -> tuple[Table, bytes] | None:
    """The newest snapshot that fits the record, with the hash of its last line."""
    rows = await store.read(
        "select seq, state, hash from snapshot where stream = $1 and version = $2 and seq <= $3 order by seq desc",
        stream,
        SNAPSHOT_VERSION,
        until if until is not None else _ANY,
    )
    for seq, state, head in rows:
        line = await store.load(stream, after=seq - 1, until=seq)
        if not line or line[0].hash != head:
            continue
        key, sealed = int.from_bytes(state[:_KEY_NUMBER], "big"), state[_KEY_NUMBER:]
        try:
            opened = (await store.cipher(key)).decrypt(sealed, _context(stream, seq, head))
            return read_snapshot(opened, laws), head
        except (BrokenRecord, RulesMismatch):  # also if a byte of it was changed, or its key destroyed
            continue
    return None


def _context(stream: str, seq: int, head: bytes) -> bytes:
    return b"croupier-snapshot-1\n%s/%d\n%s" % (stream.encode(), seq, head)
