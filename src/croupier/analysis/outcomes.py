"""The possible results of a wager and their exact frequencies; every mean, spread and frequency comes from here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from math import sqrt

from msgspec import Struct

__all__ = ["Outcomes", "outcomes_of"]


class Outcomes(Struct, frozen=True, dict=True):
    """Net results in stakes, each with the number of equally likely deals that produce it.

    >>> coin = outcomes_of([(Fraction(1), 1), (Fraction(-1), 1)])
    >>> coin.mean, coin.variance, coin.standard_deviation
    (Fraction(0, 1), Fraction(1, 1), 1.0)
    """

    counts: tuple[tuple[Fraction, int], ...]
    """From the largest loss to the largest win."""

    @cached_property
    def total(self) -> int:
        """All deals."""
        return sum(count for _, count in self.counts)

    def moment(self, power: int) -> Fraction:
        """The mean of the net result raised to a power."""
        return sum((net**power * count for net, count in self.counts), Fraction(0)) / self.total

    def share(self, test: Callable[[Fraction], bool]) -> Fraction:
        """How often the net result passes a test."""
        return Fraction(sum(count for net, count in self.counts if test(net)), self.total)

    @cached_property
    def mean(self) -> Fraction:
        """What a stake wins on average; the house edge is its negative."""
        return self.moment(1)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result of one round."""
        return self.moment(2) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation, rounded for display; the variance is exact."""
        return sqrt(self.variance)

    @property
    def skewness(self) -> float:
        """The third standardized moment, rounded for display; zero where nothing varies."""
        if not self.variance:
            return 0.0
        third = self.moment(3) - 3 * self.mean * self.moment(2) + 2 * self.mean**3
        return float(third) / sqrt(self.variance) ** 3


def outcomes_of(pairs: Iterable[tuple[Fraction, int]]) -> Outcomes:
    """Sort results with their counts, merge equal ones and drop those that never happen."""
    counts: dict[Fraction, int] = {}
    for net, count in pairs:
        if count:
            counts[net] = counts.get(net, 0) + count
    return Outcomes(tuple(sorted(counts.items())))
