"""What every command of a table has."""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "TableCommand",
]


class TableCommand(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """A command that a round alone does not have."""
