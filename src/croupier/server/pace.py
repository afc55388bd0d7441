"""The clock of a virtual table: when bets close, when a player's time is over, when the staff look after the cards.

Whatever needs no pause is done by the automatic staff with the command before it. What is left for the clock is the
end of betting, the end of a player's time to decide (reading 76), and whatever falls due while nobody plays.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.driver import Staff, next_request
from croupier.games import awaiting
from croupier.table import Person, Request, Table
from croupier.table.commands import DeclareUndecided

__all__ = ["Due", "Pace", "next_due"]

_LATER: Final = timedelta(seconds=30)
"""How often a table at rest is looked after: decks grow old."""


class Pace(Struct, frozen=True):
    """How a virtual table is paced, in seconds."""

    betting: float = 12.0
    """From the first bet until the bets close."""
    all_in: float = 2.0
    """From the last bet until the bets close, once everybody at the table has bet."""


class Due(NamedTuple):
    """When the table has to be looked at again, and what the staff do then, if anything."""

    at: datetime
    request: Request | None = None


def next_due(table: Table, now: datetime, pace: Pace, staff: Staff) -> Due:
    """What the clock brings next at a table where the automatic staff have done everything else."""
    if table.status == "closed" and table.gaming_day is not None:
        return Due(now + _LATER)  # somebody closed it on purpose
    step = next_request(table, now, staff=staff)
    if step is not None:
        return Due(now, step)
    state = table.round
    if state is None:
        return Due(now + _LATER)
    if state.at.kind == "wagers":
        closes = _closes(table, now, pace)
        closing = next_request(table, max(now, closes), staff=staff, close_bets=True)
        return Due(closes if closing is not None else now + _LATER, closing)
    seconds, asked = table.house.options.decision_timeout, awaiting(state)
    if asked.kind == "decision" and seconds and table.asked_at is not None:
        floor = Person("floorperson", table.people.floor[0] if table.people.floor else staff.floorperson)
        end = table.asked_at + timedelta(seconds=seconds)
        return Due(end, Request(floor, max(end, now), DeclareUndecided(asked.seat)))
    return Due(now + _LATER)


def _closes(table: Table, now: datetime, pace: Pace) -> datetime:
    """When bets close: sooner once everybody at the table has bet."""
    begun, last = table.asked_at or now, table.clock or now
    seats = dict(table.people.seats)
    bettors = {seats.get(box.seat) for box in table.round.boxes} if table.round is not None else set()
    end = begun + timedelta(seconds=pace.betting)
    return min(end, last + timedelta(seconds=pace.all_in)) if set(seats.values()) <= bettors else end
