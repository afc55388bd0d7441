"""What everything in a regulation file has."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from croupier.rulebook import names

__all__ = ["Cited", "Count", "OnDevice", "PerDevice", "RegulationPart"]

Count: TypeAlias = Annotated[int, Meta(ge=0, le=52)]


class RegulationPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything in a regulation file."""


class Cited(RegulationPart, frozen=True, kw_only=True):
    """A value of the law: its clause, further clauses, and the reading where the document is open."""

    clause: str
    also: tuple[str, ...] = ()
    reading: int | None = None


class OnDevice(Cited, frozen=True, kw_only=True):
    """A rule as the chapter on one dealing method states it."""

    deal: names.Deal


class PerDevice(Cited, frozen=True, kw_only=True):
    """A rule that the chapters on dealing methods repeat; a method without a row follows the clause given here."""

    device: tuple[OnDevice, ...] = ()

    def on(self, deal: names.Deal) -> Cited:
        """The rule as the chapter on this dealing method states it."""
        return next((row for row in self.device if row.deal == deal), self)
