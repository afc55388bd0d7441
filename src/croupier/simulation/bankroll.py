"""A player's bankroll: how it goes up and down, and how often it runs out before the visit ends.

The player leaves when the money no longer covers the opening bets of a round: that is ruin. Money that covers these but
not everything a round can take plays on: a round whose bets come to more than is left is played for what is left, and
wins or loses in proportion.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.money import Cents, print_dollars
from croupier.simulation.history import History, largest_stake, opening_stake
from croupier.simulation.plan import Plan
from croupier.simulation.sample import NINETY_NINE, quantiles

__all__ = ["Visits", "check_bankroll", "visits_of"]

Array: TypeAlias = NDArray[Any]

POINTS: Final = 60
"""The number of points in time sampled for charts."""
SHOWN: Final = 12
"""The number of single visits stored for charts."""


class Visits(Struct, frozen=True, eq=False):
    """Many visits of one player to one seat, each with the same money, in cents."""

    bankroll: int
    opening: int
    """What a round costs before the deal: with less the player leaves, ruined."""
    need: int
    """The maximum a round can cost."""
    rounds: int
    """Rounds in a whole visit."""
    left: Array
    """By visit: the money that the player left with."""
    played: Array
    """By visit: the rounds played."""
    short: Array
    """By visit: whether the money ever failed to cover the maximum cost of a round."""
    times: tuple[int, ...]
    """The numbers of rounds at which `fan` and `paths` are sampled."""
    fan: tuple[dict[int, int], ...]
    """By time: quantiles of the money, including that of players who have left."""
    paths: Array
    """`[visit, time]`: the first few visits."""

    @property
    def ruined(self) -> int:
        """Visits that ended without the money for the opening bets."""
        return int((self.left < self.opening).sum())

    @property
    def ruin(self) -> Fraction:
        """The share of visits that ended in ruin."""
        return Fraction(self.ruined, len(self.left))

    @property
    def ruin_interval(self) -> tuple[float, float]:
        """Wilson's 99% interval for the risk of ruin."""
        return _wilson(self.ruin, len(self.left))

    @property
    def short_of_a_round(self) -> Fraction:
        """The share of visits in which the money at some point did not cover the maximum cost of a round."""
        return Fraction(int(self.short.sum()), len(self.short))

    @property
    def ahead(self) -> Fraction:
        """The share of visits that ended with more than they began with."""
        return Fraction(int((self.left > self.bankroll).sum()), len(self.left))

    @property
    def mean_error(self) -> float | None:
        """The standard error of the average money left; None for a single visit."""
        return float(self.left.std(ddof=1)) / sqrt(len(self.left)) if len(self.left) > 1 else None


def _wilson(share: Fraction, count: int) -> tuple[float, float]:
    part, squared = float(share), NINETY_NINE**2
    middle = (part + squared / (2 * count)) / (1 + squared / count)
    half = NINETY_NINE * sqrt(part * (1 - part) / count + squared / (4 * count**2)) / (1 + squared / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def check_bankroll(plan: Plan, bankroll: int, seat: int = 0) -> None:
    """Refuse money that does not cover the opening bets of a single round."""
    if bankroll < (opening := opening_stake(plan, seat)):
        asked, given = print_dollars(Cents(opening)), print_dollars(Cents(bankroll))
        raise Malformed(f"{given} does not cover a round, which opens with {asked}")


def visits_of(history: History, *, bankroll: int, rounds: int, seat: int = 0) -> Visits:
    """Cut a history into visits of this many rounds to the seat in this place."""
    check_bankroll(history.plan, bankroll, seat)
    opening, need = opening_stake(history.plan, seat), largest_stake(history.plan, seat)
    visits = history.rounds // rounds if rounds > 0 else 0
    if visits < 1:
        raise Malformed(f"{history.rounds:,} rounds do not make a visit of {rounds:,}")
    times = tuple(sorted({round(rounds * point / POINTS) for point in range(POINTS + 1)}))
    left, played = np.full(visits, bankroll, dtype=np.int64), np.zeros(visits, dtype=np.int64)
    short, seen = left < need, {0: left.copy()}
    won, risked = (
        rows[seat][: visits * rounds].reshape(visits, rounds).T for rows in (history.brought, history.handle)
    )
    for number, (brought, handle) in enumerate(zip(won, risked, strict=True), start=1):
        staying = left >= opening
        left += np.where(staying, _affordable(brought, handle, left), 0)
        played += staying
        short |= left < need
        if number in times:
            seen[number] = left.copy()
    return Visits(
        bankroll=bankroll,
        opening=opening,
        need=need,
        rounds=rounds,
        left=left,
        played=played,
        short=short,
        times=times,
        fan=tuple(quantiles(seen[time]) for time in times),
        paths=np.stack([seen[time][:SHOWN] for time in times], axis=1),
    )


def _affordable(brought: Array, handle: Array, left: Array) -> Array:
    """The result of a round; if it costs more than is left, it is played in proportion to what is left."""
    short = handle > left
    return np.where(short, brought * np.where(short, left, 0) // np.maximum(handle, 1), brought)
