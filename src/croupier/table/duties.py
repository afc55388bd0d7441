"""Who may give each command here, and under which clause."""

from __future__ import annotations

from typing import Any, Final

from croupier.rulebook import HouseRules
from croupier.rulebook.names import Role
from croupier.rulebook.schema import Cited, Duty
from croupier.table.people import givers

__all__ = ["acts_of", "cite", "cited_duty", "duty_of"]

_DUTIES: Final[dict[str, dict[str, Duty]]] = {}
"""The commands of each rulebook by name: every step asks for them."""
_CITED: Final[dict[tuple[str, str, str], Cited]] = {}
_ACTS: Final[dict[tuple[str, Role], tuple[str, ...]]] = {}


def duty_of(house: HouseRules, name: str) -> Duty | None:
    """Who may give a command here, and under which clause; None if the document does not have it."""
    book = house.rulebook
    duties = _DUTIES.get(book.hash)
    if duties is None:
        duties = _DUTIES[book.hash] = {duty.do: duty for duty in book.procedure.duty}
    return duties.get(name)


def acts_of(house: HouseRules, role: Role) -> tuple[str, ...]:
    """The commands that are a role's to give here, in the order of the document's rows."""
    key = (house.rulebook.hash, role)
    acts = _ACTS.get(key)
    if acts is None:
        procedure = house.rulebook.procedure
        acts = _ACTS[key] = tuple(duty.do for duty in procedure.duty if role in givers(procedure.ranks, duty))
    return acts


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
