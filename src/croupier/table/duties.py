"""Who may give each command here, and under which clause."""

from __future__ import annotations

from typing import Any, Final

from croupier.rulebook import HouseRules
from croupier.rulebook.schema import Cited, Duty

__all__ = ["cite", "cited_duty", "duty_of"]

_DUTIES: Final[dict[str, dict[str, Duty]]] = {}
"""The commands of each rulebook by name: every step asks for them."""
_CITED: Final[dict[tuple[str, str, str], Cited]] = {}


def duty_of(house: HouseRules, name: str) -> Duty | None:
    """Who may give a command here, and under which clause; None if the document does not have it."""
    book = house.rulebook
    duties = _DUTIES.get(book.hash)
    if duties is None:
        duties = _DUTIES[book.hash] = {duty.do: duty for duty in book.procedure.duty}
    return duties.get(name)


def cited_duty(house: HouseRules, name: str) -> Cited:
    """The clause of a command in the chapter on this house's dealing method."""
    key = (house.rulebook.hash, house.deal, name)
    cited = _CITED.get(key)
    if cited is None:
        duty = duty_of(house, name)
        if duty is None:
            raise ValueError(f"{name} is unknown to {house.rulebook.id}")
        row = duty.on(house.deal)
        cited = _CITED[key] = Cited(clause=row.clause, reading=row.reading or duty.reading)
    return cited


def cite(cited: Cited) -> dict[str, Any]:
    """The fields by which an event names its clause."""
    return {"clause": cited.clause, "reading": cited.reading}
