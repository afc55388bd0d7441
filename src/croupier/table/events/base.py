"""What every event of a table has."""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "TableEvent",
]


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    """Anything that happened at a table outside its round, and the clause that has it so."""

    clause: str
    reading: int | None = None
