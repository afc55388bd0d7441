"""A player with so much money: how it goes up and down, and how often it is gone before it is time to leave."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.simulation.history import History, largest_stake
from croupier.simulation.hold import check_buy_in
from croupier.simulation.sample import NINETY_NINE, quantiles

__all__ = ["Visits", "visits_of"]

Array: TypeAlias = NDArray[Any]

POINTS: Final = 60
"""At how many times the money is looked at, for pictures."""
SHOWN: Final = 12
"""Paths kept as they were."""


class Visits(Struct, frozen=True, eq=False):
    """Many visits of one player to one seat, each with the same money, in cents."""

    bankroll: int
    need: int
    """The most that a round can ask: with less the player leaves."""
    rounds: int
    """Of a whole visit."""
    left: Array
    """By visit: with what the player left."""
    played: Array
    """By visit: after how many rounds."""
    times: tuple[int, ...]
    """Rounds after which `fan` and `paths` look."""
    fan: tuple[dict[int, int], ...]
    """By time: quantiles of the money, with that of those who have left."""
    paths: Array
    """`[visit, time]`: the first few visits."""

    @property
    def ruined(self) -> int:
        """Visits that ended early, with less than a round can ask."""
        return int((self.played < self.rounds).sum())

    @property
    def ruin(self) -> Fraction:
        """The share of them."""
        return Fraction(self.ruined, len(self.left))

    @property
    def ruin_interval(self) -> tuple[float, float]:
        """Wilson's interval of 99 % for the risk of ruin."""
        count, share, squared = len(self.left), float(self.ruin), NINETY_NINE**2
        middle = (share + squared / (2 * count)) / (1 + squared / count)
        half = NINETY_NINE * sqrt(share * (1 - share) / count + squared / (4 * count**2)) / (1 + squared / count)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    @property
    def ahead(self) -> Fraction:
        """The share of visits that ended with more than they began with."""
        return Fraction(int((self.left > self.bankroll).sum()), len(self.left))


def visits_of(history: History, *, bankroll: int, rounds: int, seat: int = 0) -> Visits:
    """Cut a history into visits of so many rounds of the seat in this place; who is short of a round leaves."""
    check_buy_in(history.plan, bankroll)
    need = largest_stake(history.plan, seat)
    visits = history.rounds // rounds
    if rounds < 1 or visits < 1:
        raise Malformed(f"{history.rounds:,} rounds are no visit of {rounds:,}")
    times = tuple(sorted({round(rounds * point / POINTS) for point in range(POINTS + 1)}))
    left, played = np.full(visits, bankroll, dtype=np.int64), np.full(visits, rounds, dtype=np.int64)
    seen = {0: left.copy()}
    for number, brought in enumerate(history.brought[seat][: visits * rounds].reshape(visits, rounds).T, start=1):
        staying = played == rounds
        left[staying] += brought[staying]
        played[staying & (left < need)] = number
        if number in times:
            seen[number] = left.copy()
    return Visits(
        bankroll=bankroll,
        need=need,
        rounds=rounds,
        left=left,
        played=played,
        times=times,
        fan=tuple(quantiles(seen[time]) for time in times),
        paths=np.stack([seen[time][:SHOWN] for time in times], axis=1),
    )
