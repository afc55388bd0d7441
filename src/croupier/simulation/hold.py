"""What a table wins per shift, day and month, and how far that swings."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.money import Cents, print_dollars
from croupier.simulation.history import History, largest_stake
from croupier.simulation.plan import Plan

__all__ = ["DAYS", "Calendar", "Hold", "HoldShare", "check_buy_in", "hold_of", "ratio_error", "ratio_of"]

Array: TypeAlias = NDArray[Any]

DAYS: Final = 30
"""Days in a month."""
_MOST_SHIFTS: Final = 24
"""Shifts that a day may have."""


class Calendar(Struct, frozen=True):
    """How many rounds make a shift, a day and a month."""

    rounds_per_hour: int
    hours: int = 24
    """Hours open per day."""
    shifts: int = 3
    """Shifts per day."""

    def __post_init__(self) -> None:
        if (day := self.rounds_per_hour * self.hours) % self.shifts:
            whole = ", ".join(str(shifts) for shifts in range(1, _MOST_SHIFTS + 1) if day % shifts == 0)
            raise Malformed(
                f"{day:,} rounds per day do not divide into {self.shifts} shifts of whole rounds; "
                f"numbers of shifts that fit: {whole}"
            )

    @property
    def periods(self) -> dict[str, int]:
        """Rounds by name of the period, the shortest first.

        >>> Calendar(rounds_per_hour=50, hours=16, shifts=2).periods
        {'shift': 400, 'day': 800, 'month': 24000}
        """
        day = self.rounds_per_hour * self.hours
        return {"shift": day // self.shifts, "day": day, "month": day * DAYS}


class HoldShare(NamedTuple):
    """The win as a share of handle or drop.

    Every figure is for the ratio of the sums: a period with little drop gets no extra weight.
    """

    mean: Fraction
    """The ratio over all periods together."""
    deviation: float | None
    """The standard deviation between periods; None for a single period."""
    standard_error: float | None
    """The standard error of the mean, from rounds, or for the drop from shifts (see `MixedTable.holds_of`); None for a
    single one."""


class Hold(Struct, frozen=True, eq=False):
    """What the house won in each period of one length, in cents."""

    period: str
    rounds: int
    """Rounds in each period, on average."""
    won: Array
    handle: Array
    """Money at risk in each period, in cents."""
    drop: Array | None
    """Money bought in during each period, in cents; None without a buy-in."""
    standard_error: float
    """The standard error of the average win: rounds are independent, so every round played counts."""
    hold_of_handle: HoldShare
    hold_of_drop: HoldShare | None

    @property
    def mean(self) -> Fraction:
        """Average win."""
        return Fraction(int(self.won.sum()), len(self.won))

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the win; None for a single period."""
        return float(self.won.std(ddof=1)) if len(self.won) > 1 else None

    @property
    def losses(self) -> int:
        """The number of periods in which the house lost."""
        return int((self.won < 0).sum())


def ratio_of(won: Array, of: Array, error: float | None) -> HoldShare:
    """The win of periods as a share of handle or drop, with its error."""
    return HoldShare(Fraction(int(won.sum()), int(of.sum())), _ratio_deviation(won, of), error)


def ratio_error(won: Array, of: Array) -> float | None:
    """The standard error of a ratio of sums over parts that are independent; None for a single part."""
    by_part = _ratio_deviation(won, of)
    return None if by_part is None else by_part / sqrt(len(won))


def _ratio_deviation(won: Array, of: Array) -> float | None:
    """How far the win deviates from its share of each period's money, relative to the average period's money."""
    if len(won) == 1:
        return None
    strays = won - won.sum() / of.sum() * of
    return sqrt(float((strays**2).sum()) / (len(won) - 1)) / float(of.mean())


def check_buy_in(plan: Plan, buy_in: int) -> None:
    """Refuse a buy-in that does not pay for a round, whatever is decided."""
    if buy_in < (need := max(largest_stake(plan, seat) for seat in range(len(plan.seats)))):
        asked, given = print_dollars(Cents(need)), print_dollars(Cents(buy_in))
        raise Malformed(f"a buy-in of {given} does not cover a round, which can take {asked}")


def hold_of(history: History, calendar: Calendar, *, buy_in: int | None = None) -> tuple[Hold, ...]:
    """The hold of every whole shift, day and month of a history.

    With `buy_in` cents every box is one player per shift, who buys in for that much at its start, and again whenever
    what is left does not cover the maximum cost of a round.
    """
    if buy_in is not None:
        check_buy_in(history.plan, buy_in)
    lengths = calendar.periods
    shift = lengths["shift"]
    if history.rounds < shift:
        raise Malformed(f"{history.rounds:,} rounds do not fill a shift of {shift:,}")
    whole = history.rounds // shift * shift
    won, handle = (
        np.sum([_by_period(row[:whole], shift) for row in rows], axis=0) for rows in (history.brought, history.handle)
    )
    drop = None if buy_in is None else _drops(history, shift, buy_in)
    by_round, at_risk = np.sum(history.brought, axis=0), np.sum(history.handle, axis=0)
    deviation = float(by_round.std())
    error_of_handle = ratio_error(-by_round, at_risk)
    error_of_drop = None if drop is None else ratio_error(-won, drop)
    holds = []
    for period, rounds in lengths.items():
        if rounds <= history.rounds:
            by_period = partial(_by_period, length=rounds // shift)
            kept, dropped = by_period(-won), None if drop is None else by_period(drop)
            holds.append(
                Hold(
                    period=period,
                    rounds=rounds,
                    won=kept,
                    handle=by_period(handle),
                    drop=dropped,
                    standard_error=deviation * sqrt(rounds / len(kept)),
                    hold_of_handle=ratio_of(kept, by_period(handle), error_of_handle),
                    hold_of_drop=None if dropped is None else ratio_of(kept, dropped, error_of_drop),
                )
            )
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
        for brought in row[: shifts * shift].reshape(shifts, shift).T[:-1]:  # after the last round nobody buys in again
            left += brought
            short = left < need
            while short.any():
                left[short] += buy_in
                dropped[short] += buy_in
                short = left < need
    return dropped
