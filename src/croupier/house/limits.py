"""Protection of players: whether a player may sit down, buy in or bet now, by limits and exclusions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.days import period_start
from croupier.errors import RuleViolation
from croupier.house.refusals import refuse
from croupier.house.state import HouseState, PersonState, PlayExclusion
from croupier.journal import micros
from croupier.ledger import LimitKind
from croupier.money import Cents, print_dollars
from croupier.store import Store

__all__ = ["PlayedSoFar", "PlayerAct", "exclusion_words", "minutes_played", "play_problem", "played_so_far"]

PlayerAct: TypeAlias = Literal["sit", "buy_in", "place_wager", "decide"]
NOTHING: Final = Cents(0)
PAUSE: Final = timedelta(minutes=15)
"""Two rounds with a longer time between them are two visits to a table."""
_LOSSES: Final[tuple[tuple[LimitKind, str], ...]] = (
    ("loss_day", "today"),
    ("loss_week", "this week"),
    ("loss_month", "this month"),
)


class PlayedSoFar(Struct, frozen=True, kw_only=True):
    """What a player has lost in the gaming day, week and month (less than nothing: won), and how long they played."""

    loss_day: Cents = NOTHING
    loss_week: Cents = NOTHING
    loss_month: Cents = NOTHING
    minutes_day: int = 0


def play_problem(
    person: PersonState, act: PlayerAct, played: PlayedSoFar, at: datetime, *, amount: Cents = NOTHING
) -> RuleViolation | None:
    """Why a player may not do this now; None if they may.

    For a bet, `amount` is what would be at risk with it: the new bet, and everything that this player has on the
    layouts already. A round that has begun may be finished, with the lowest bets: `decide` asks about a higher one.
    """
    if act != "decide":
        if person.suspended:
            return refuse("suspended", "this account is suspended")
        if (held := person.exclusion) is not None:
            return refuse("excluded", exclusion_words(held, at))
        minutes = person.limit("minutes_day", at)
        if minutes is not None and played.minutes_day >= minutes:
            words = f"you have played {played.minutes_day} minutes today: your limit is {minutes}"
            return refuse("limit_reached", words)
    risk = amount if act in {"place_wager", "decide"} else Cents(1)
    for kind, when in _LOSSES:
        limit = person.limit(kind, at)
        lost: Cents = getattr(played, kind)
        if limit is not None and lost + risk > limit:
            left = print_dollars(Cents(max(0, limit - lost)))
            words = f"your loss limit {when} is {print_dollars(Cents(limit))}, of which {left} is left"
            open_still = "; the lowest bet can still be made" if act == "decide" else ""
            return refuse("limit_reached", words + open_still)
    return None


def exclusion_words(held: PlayExclusion, at: datetime) -> str:
    """Say that a player is kept away from play, and until when."""
    if held.until is None:
        return "you are excluded from play for good"
    if at < held.until:
        return f"you are excluded from play until {held.until:%Y-%m-%d %H:%M} UTC"
    return "the time of your exclusion is over: say on your account page, or at the cage, that you want to play again"


async def played_so_far(store: Store, state: HouseState, patron: str, at: datetime) -> PlayedSoFar:
    """What a player has lost and how long they have played, by the rounds that are closed."""
    day, week, month = (
        micros(period_start(at, period, state.time_zone, state.day_start)) for period in ("day", "week", "month")
    )
    # One walk over the player's rounds of a month; a week may begin in the month before.
    rows = await store.read(
        "select coalesce(sum(case when closed >= $1 then staked - paid else 0 end), 0),"
        " coalesce(sum(case when closed >= $2 then staked - paid else 0 end), 0),"
        " coalesce(sum(case when closed >= $3 then staked - paid else 0 end), 0)"
        " from played where patron = $4 and closed >= $5",
        day,
        week,
        month,
        patron,
        min(week, month),
    )
    spans = await store.read(
        "select distinct round.opened, round.closed from played join round"
        " on round.stream = played.stream and round.number = played.number"
        " where played.patron = $1 and played.closed >= $2",
        patron,
        day,
    )
    return PlayedSoFar(
        loss_day=Cents(rows[0][0]),
        loss_week=Cents(rows[0][1]),
        loss_month=Cents(rows[0][2]),
        minutes_day=minutes_played([(_time(opened), _time(closed)) for opened, closed in spans], at),
    )


def minutes_played(rounds: Iterable[tuple[datetime, datetime]], at: datetime) -> int:
    """Whole minutes at the tables: from the first bet of a visit to the end of its last round, or to now.

    >>> start = datetime(2026, 1, 1, 20)
    >>> times = [(start, start + timedelta(minutes=2)), (start + timedelta(minutes=9), start + timedelta(minutes=11))]
    >>> minutes_played(times, start + timedelta(hours=2)), minutes_played(times, start + timedelta(minutes=20))
    (11, 20)
    """
    total, begun, until = timedelta(0), None, None
    for opened, closed in sorted(rounds):
        if begun is None or until is None or opened - until > PAUSE:
            if begun is not None and until is not None:
                total += until - begun
            begun, until = opened, closed
        else:
            until = max(until, closed)
    if begun is not None and until is not None:
        if timedelta(0) <= at - until <= PAUSE:
            until = at
        total += until - begun
    return total // timedelta(minutes=1)


def _time(value: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=int(value))
