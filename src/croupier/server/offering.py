"""What somebody may do at a table now, in any of their roles, and as the house takes it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec.structs import replace

from croupier.errors import RuleViolation
from croupier.games import Offer
from croupier.server.callers import Caller
from croupier.server.watching import Watched
from croupier.table import Person, Table, allowed

__all__ = ["as_taken", "offers_to", "paused_problem"]


def offers_to(caller: Caller, watched: Watched, at: datetime) -> list[Offer]:
    """Everything that a caller may give at a table now."""
    table = watched.table
    found: dict[Offer, None] = {}
    for person in caller.persons:
        found |= dict.fromkeys(as_taken(allowed(table, person, at), person))
    return [
        offered
        for offered in found
        if caller.may_give(table, offered.do) and paused_problem(table, offered.do, paused=watched.paused) is None
    ]


def as_taken(offers: Iterable[Offer], person: Person) -> tuple[Offer, ...]:
    """Offers of a table as the house takes them: a player's chips come from the cage, whatever they say of them."""
    if person.role != "player":
        return tuple(offers)
    return tuple(
        replace(offered, fields=tuple(field for field in offered.fields if field[0] != "brought"))
        if offered.do == "buy_in"
        else offered
        for offered in offers
    )


def paused_problem(table: Table, do: str, *, paused: bool) -> RuleViolation | None:
    """Why a command has to wait, or None: while a table is paused no round begins."""
    if paused and table.round is None and do == "place_wager":
        return RuleViolation("paused", "this table is paused: no round begins now", clause="")
    return None
