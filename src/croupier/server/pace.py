"""The clock of a virtual table: when bets close, when a player's time is over, when the staff look after the cards.

Whatever needs no pause is done by the automatic staff with the command before it. What is left for the clock is the
cards after a round, the end of betting, the end of a player's time to decide (reading 76), and whatever falls due
while nobody plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.driver import Staff, acting_as, next_request, next_return
from croupier.games import awaiting, patron_of, unfinished_box
from croupier.table import Request, Table
from croupier.table.commands import DeclareUndecided

__all__ = ["Due", "Pace", "bets_close", "next_due", "time_ends"]

_LATER: Final = timedelta(seconds=30)
"""How often a table at rest is looked after: decks grow old."""
_LEAST: Final = timedelta(seconds=10)
"""What a player has at least to complete the bets: a table for programs has no beat."""


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
    def completing(self) -> timedelta:
        """From the first bet until bets that are not complete, such as one of three, go back to their players."""
        return max(18 * self.beat, _LEAST)

    @property
    def about(self) -> timedelta:
        """For how long somebody who did something is waited for, even if they did not play the last round."""
        return 30 * self.beat


class Due(NamedTuple):
    """When the table has to be looked at again, and what the staff do then, if anything."""

    at: datetime
    request: Request | None = None


def next_due(
    table: Table,
    now: datetime,
    pace: Pace,
    staff: Staff,
    *,
    heard: Mapping[str, datetime] | None = None,
    since: datetime | None = None,
) -> Due:
    """What the clock brings next at a table where the automatic staff have done everything else.

    `heard` says when each player last gave a command, as far as that is known, and `since` from when on the staff deal.
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
        closes = bets_close(table, now, pace, heard or {})
        at = max(now, closes)
        closing = next_request(table, at, staff=staff, close_bets=True) or next_return(table, at, staff=staff)
        return Due(closes if closing is not None else now + _LATER, closing)
    end = time_ends(table, since)
    if end is not None:
        floor = acting_as(table, staff, "floorperson")
        return Due(end, Request(floor, max(end, now), DeclareUndecided(awaiting(state).seat)))
    return Due(now + _LATER)


def time_ends(table: Table, since: datetime | None = None) -> datetime | None:
    """When the time of the player who is asked is over; None where nobody is asked, or nobody counts.

    Whoever was asked before `since` has all of it again: nobody can answer a house that is down.
    """
    seconds, asked = table.house.options.decision_timeout, table.asked_at
    if table.round is None or asked is None or not seconds or awaiting(table.round).kind != "decision":
        return None
    return (asked if since is None else max(asked, since)) + timedelta(seconds=seconds)


def bets_close(table: Table, now: datetime, pace: Pace, heard: Mapping[str, datetime] | None = None) -> datetime:
    """When bets close: sooner once everybody who plays has bet. Nobody waits for those who are away.

    Bets that are not complete have a little longer; then they go back. Without `heard`, nobody knows who is about.
    """
    begun, last = table.asked_at or now, table.clock or now
    end = begun + pace.betting
    if table.round is not None and unfinished_box(table.round) is not None:
        return begun + pace.completing
    if heard is None:
        return end
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
