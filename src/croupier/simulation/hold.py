"""What a table keeps in a shift, a day and a month, and how far that swings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.money import Cents, print_dollars
from croupier.simulation.history import History, largest_stake
from croupier.simulation.plan import Plan

__all__ = ["DAYS", "Calendar", "Hold", "check_buy_in", "hold_of"]

Array: TypeAlias = NDArray[Any]

DAYS: Final = 30
"""In a month."""


class Calendar(Struct, frozen=True):
    """How many rounds make a shift, a day and a month."""

    rounds_an_hour: int = 60
    hours: int = 24
    """That the table is open a day."""
    shifts: int = 3
    """A day."""

    def __post_init__(self) -> None:
        if self.rounds_an_hour * self.hours % self.shifts:
            day = self.rounds_an_hour * self.hours
            raise Malformed(f"{day:,} rounds a day in {self.shifts} shifts: shifts of whole rounds wanted")

    @property
    def periods(self) -> dict[str, int]:
        """Rounds by name of the period, the shortest first.

        >>> Calendar(rounds_an_hour=50, hours=16, shifts=2).periods
        {'shift': 400, 'day': 800, 'month': 24000}
        """
        day = self.rounds_an_hour * self.hours
        return {"shift": day // self.shifts, "day": day, "month": day * DAYS}


class Hold(Struct, frozen=True, eq=False):
    """What the house won in each period of one length, in cents."""

    period: str
    rounds: int
    """In each."""
    won: Array
    handle: Array
    """What was staked."""
    drop: Array | None
    """What was bought in for, where that was asked."""

    @property
    def mean(self) -> Fraction:
        """Won on average."""
        return Fraction(int(self.won.sum()), len(self.won))

    @property
    def deviation(self) -> float | None:
        """Standard deviation of what is won; None of a single period."""
        return float(self.won.std(ddof=1)) if len(self.won) > 1 else None

    @property
    def losing(self) -> Fraction:
        """The share of periods in which the house lost."""
        return Fraction(int((self.won < 0).sum()), len(self.won))

    def share(self, of: Array) -> tuple[Fraction, float | None]:
        """The hold: won of what was staked or bought in for, in all; and its standard deviation over the periods."""
        shares = self.won / np.maximum(of, 1)
        return Fraction(int(self.won.sum()), int(of.sum())), float(shares.std(ddof=1)) if len(shares) > 1 else None


def check_buy_in(plan: Plan, buy_in: int) -> None:
    """Whether it pays for a round, whatever is decided."""
    if buy_in < (need := max(largest_stake(plan, seat) for seat in range(len(plan.seats)))):
        asked, given = print_dollars(Cents(need)), print_dollars(Cents(buy_in))
        raise Malformed(f"{given} does not cover a round, which can ask {asked}")


def hold_of(history: History, calendar: Calendar, *, buy_in: int | None = None) -> tuple[Hold, ...]:
    """The hold of every whole shift, day and month of a history.

    With `buy_in` cents every box is one player a shift, who buys in for that much at its start, and again whenever what
    is left does not cover the most that a round can ask.
    """
    if buy_in is not None:
        check_buy_in(history.plan, buy_in)
    lengths = calendar.periods
    shift = lengths["shift"]
    if history.rounds < shift:
        raise Malformed(f"{history.rounds:,} rounds are less than a shift of {shift:,}")
    whole = history.rounds // shift * shift
    won, handle = (
        np.sum([_by_period(row[:whole], shift) for row in rows], axis=0) for rows in (history.brought, history.staked)
    )
    drop = None if buy_in is None else _drops(history, shift, buy_in)
    holds = []
    for period, rounds in lengths.items():
        shifts = rounds // shift
        if rounds <= history.rounds:
            dropped = None if drop is None else _by_period(drop, shifts)
            holds.append(Hold(period, rounds, _by_period(-won, shifts), _by_period(handle, shifts), dropped))
    return tuple(holds)


def _by_period(row: Array, length: int) -> Array:
    """The sums of whole periods."""
    return np.asarray(row[: len(row) // length * length].reshape(-1, length).sum(axis=1))


def _drops(history: History, shift: int, buy_in: int) -> Array:
    """What is bought in for in each shift at all boxes."""
    shifts = history.rounds // shift
    dropped = np.zeros(shifts, dtype=np.int64)
    for seat, row in enumerate(history.brought):
        need = largest_stake(history.plan, seat)
        left = np.full(shifts, buy_in, dtype=np.int64)
        dropped += buy_in
        for brought in row[: shifts * shift].reshape(shifts, shift).T[:-1]:  # who is short after the last goes home
            left += brought
            short = left < need
            while short.any():
                left[short] += buy_in
                dropped[short] += buy_in
                short = left < need
    return dropped
