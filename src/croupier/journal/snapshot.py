"""A table as it stood before a round, as bytes: a cache, so that a table with a long record opens at once.

It holds no card. Rounds are not in it: the round that was closed last is rebuilt from the entries that follow. Whoever
finds that it does not fit (another version, another hash of its last line) drops it and reads the whole record.
"""

from __future__ import annotations

from typing import Any, Final, get_type_hints

import msgspec

from croupier.errors import BrokenRecord
from croupier.rulebook import Laws, read_submission, submission_text
from croupier.table import Table, new_table
from croupier.wire import decode_json

__all__ = ["SNAPSHOT_VERSION", "read_snapshot", "write_snapshot"]

SNAPSHOT_VERSION: Final = 1
"""Rises when a part of a table changes its form: older snapshots are dropped."""
_APART: Final = {"submission", "house", "proposal", "round", "last_round"}
_FIELDS: Final = tuple(name for name in Table.__struct_fields__ if name not in _APART)
_HINTS: Final = get_type_hints(Table)
_Parts: Final = msgspec.defstruct("_Parts", [(name, _HINTS[name]) for name in _FIELDS], frozen=True)


class _Snapshot(msgspec.Struct, frozen=True):
    rules: str
    submission: str
    parts: msgspec.Raw


def write_snapshot(table: Table) -> bytes | None:
    """The table as bytes; None while rules are proposed, which is seldom and soon over."""
    if table.proposal is not None:
        return None
    parts = _Parts(*[getattr(table, name) for name in _FIELDS])
    raw = msgspec.Raw(msgspec.json.encode(parts))
    return msgspec.json.encode(_Snapshot(table.house.hash, submission_text(table.submission), raw))


def read_snapshot(state: bytes, laws: Laws) -> Table:
    """The table that was written, under the law of its day; `BrokenRecord` if it cannot be read."""
    try:
        snapshot = msgspec.json.decode(state, type=_Snapshot)
        parts: Any = msgspec.json.decode(snapshot.parts, type=_Parts)
        submission = read_submission(decode_json(snapshot.submission))
    except ValueError as error:
        raise BrokenRecord(f"a snapshot cannot be read: {error}") from None
    table = new_table(submission, laws.house(snapshot.rules, submission), id=parts.id)
    return msgspec.structs.replace(table, **{name: getattr(parts, name) for name in _FIELDS})
