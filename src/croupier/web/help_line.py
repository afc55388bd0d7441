"""Help with gambling, within one tap of every page: the help line of the state, one's own limits, and a way to stop."""

from __future__ import annotations

from typing import Final

from litestar import get
from msgspec import Struct

from croupier.house import PlayedSoFar, played_so_far
from croupier.server import Caller, Desk
from croupier.web.rendering import Page, page

__all__ = ["ROUTES"]


class StateHelp(Struct, frozen=True, kw_only=True):
    """What the operator's papers say for the tables of one state; nothing where they say nothing."""

    state: str
    lines: tuple[str, ...]
    tables: tuple[str, ...]


@get("/help-line")
async def see_help_line(desk: Desk, caller: Caller) -> Page:
    """Where to find help, and what one has set for oneself."""
    person = desk.house.state.people.get(caller.id)
    is_player = person is not None and person.is_player
    played: PlayedSoFar | None = None
    if is_player and caller.is_somebody:
        played = await played_so_far(desk.hall.store, desk.house.state, caller.id, desk.doors.now())
    at = desk.doors.now()
    return page(
        "help_line",
        caller,
        states=states_of(desk),
        played=played,
        minutes=person.limit("minutes_day", at) if person is not None else None,
        loss=person.limit("loss_day", at) if person is not None else None,
        is_player=is_player,
    )


def states_of(desk: Desk) -> list[StateHelp]:
    """The help lines of the states in which this house has tables, as its papers give them."""
    lines: dict[str, dict[str, None]] = {}
    tables: dict[str, list[str]] = {}
    for plan in desk.hall.plans.values():
        state = plan.rules.rulebook.source.jurisdiction
        tables.setdefault(state, []).append(plan.id)
        said = plan.submission.papers.help_line if plan.submission.papers is not None else ""
        lines.setdefault(state, {}).update({said: None} if said else {})
    return [StateHelp(state=state, lines=tuple(lines[state]), tables=tuple(tables[state])) for state in sorted(tables)]


ROUTES: Final = [see_help_line]
