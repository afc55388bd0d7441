"""What everything in a regulation file has."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

__all__ = ["Cited", "Count", "Part"]

Count: TypeAlias = Annotated[int, Meta(ge=0, le=52)]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything in a regulation file."""


class Cited(Part, frozen=True, kw_only=True):
    """A value of the law: the clause that says it, further clauses, and the reading taken where it is open."""

    clause: str
    also: tuple[str, ...] = ()
    reading: int | None = None
