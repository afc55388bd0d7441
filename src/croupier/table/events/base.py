"""What every event of a table has."""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "TableEvent",
]


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    """An event outside the round, with the clause behind it."""

    clause: str
    reading: int | None = None
