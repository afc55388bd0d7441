"""The clock of a virtual table: when bets close, when a player's time is over, when the staff look after the cards.

Whatever needs no pause is done by the automatic staff with the command before it. What is left for the clock is the
end of betting, the end of a player's time to decide (reading 76), and whatever falls due while nobody plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.driver import Staff, next_request
from croupier.games import awaiting, patron_of
from croupier.table import Person, Request, Table
from croupier.table.commands import DeclareUndecided

__all__ = ["Due", "Pace", "next_due"]

_LATER: Final = timedelta(seconds=30)
"""How often a table at rest is looked after: decks grow old."""


class Pace(Struct, frozen=True):
    """How a virtual table is paced, in beats; the house sets the length of a beat for each table.

    With no beat at all bets close as soon as one is complete: for programs, who need no time.
    """

    beat: timedelta = timedelta(seconds=1)

    @property
    def betting(self) -> timedelta:
        """From the first bet until the bets close."""
        return 12 * self.beat

    @property
    def all_in(self) -> timedelta:
        """From the last bet until the bets close, once everybody who plays has bet."""
        return 2 * self.beat

    @property
    def about(self) -> timedelta:
        """For how long somebody who did something is waited for, even if they did not play the last round."""
        return 30 * self.beat


class Due(NamedTuple):
    """When the table has to be looked at again, and what the staff do then, if anything."""

    at: datetime
    request: Request | None = None


def next_due(table: Table, now: datetime, pace: Pace, staff: Staff, heard: Mapping[str, datetime] | None = None) -> Due:
    """What the clock brings next at a table where the automatic staff have done everything else.

    `heard` says when each player last gave a command, as far as that is known.
    """
    if table.status == "closed" and table.gaming_day is not None:
        return Due(now + _LATER)  # somebody closed it on purpose
    step = next_request(table, now, staff=staff)
    if step is not None:
        return Due(now, step)
    state = table.round
    if state is None:
        return Due(now + _LATER)
    if state.at.kind == "wagers":
        closes = _closes(table, now, pace, heard or {})
        closing = next_request(table, max(now, closes), staff=staff, close_bets=True)
        return Due(closes if closing is not None else now + _LATER, closing)
    seconds, asked = table.house.options.decision_timeout, awaiting(state)
    if asked.kind == "decision" and seconds and table.asked_at is not None:
        floor = Person("floorperson", table.people.floor[0] if table.people.floor else staff.floorperson)
        end = table.asked_at + timedelta(seconds=seconds)
        return Due(end, Request(floor, max(end, now), DeclareUndecided(asked.seat)))
    return Due(now + _LATER)


def _closes(table: Table, now: datetime, pace: Pace, heard: Mapping[str, datetime]) -> datetime:
    """When bets close: sooner once everybody who plays has bet. Nobody waits for those who are away."""
    begun, last = table.asked_at or now, table.clock or now
    end = begun + pace.betting
    bettors = _bettors(table)
    since = now - pace.about
    played = {patron_of(table.last_round, box) for box in table.last_round.boxes} if table.last_round else set()
    waited = {
        patron
        for _, patron in table.people.seats
        if patron in played or ((at := heard.get(patron)) is not None and at >= since)
    }
    return min(end, last + pace.all_in) if waited <= bettors else end


def _bettors(table: Table) -> set[str]:
    state = table.round
    return {patron_of(state, box) for box in state.boxes} if state is not None else set()
