"""How far results stray: the volatility index, and intervals for what the house wins over many rounds."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from croupier.analysis import Outcomes

__all__ = [
    "COCHRAN",
    "FEWEST",
    "LEVELS",
    "ROUNDS",
    "WinRange",
    "deviations",
    "normal_from",
    "volatility_index",
    "win_ranges",
]

LEVELS: Final = (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100))
"""The confidence of the intervals; the volatility index uses the first."""
ROUNDS: Final = (10**4, 10**5, 10**6, 10**7)
COCHRAN: Final = 25
"""Cochran's rule (Sampling Techniques, 1977, 2.15): from 25 times the squared skewness on, a 95% interval by the normal
distribution misses no more than about 6% of the time."""
FEWEST: Final = 30
"""The rounds below which no interval by the normal distribution is called reasonable, however small the skewness."""


class WinRange(Struct, frozen=True):
    """What the house wins over so many rounds, in units: on average, and within which limits at this confidence."""

    rounds: int
    level: Fraction
    expected: Fraction
    low: float
    high: float


def deviations(level: Fraction) -> float:
    """The standard deviations to either side of the mean that hold this share of a normal distribution.

    >>> [round(deviations(level), 6) for level in LEVELS]
    [1.644854, 1.959964, 2.575829]
    """
    return NormalDist().inv_cdf(float(1 + level) / 2)


def volatility_index(outcomes: Outcomes) -> float:
    """The standard deviation of one round times the deviations that hold 90% of a normal distribution."""
    return deviations(LEVELS[0]) * outcomes.standard_deviation


def normal_from(outcomes: Outcomes) -> int:
    """From how many rounds on intervals by the normal distribution are reasonable, by Cochran's rule.

    >>> from croupier.analysis import outcomes_of
    >>> coin, long_shot = [(Fraction(1), 1), (Fraction(-1), 1)], [(Fraction(9), 1), (Fraction(-1), 9)]
    >>> normal_from(outcomes_of(coin)), normal_from(outcomes_of(long_shot))
    (30, 178)
    """
    mean, variance = outcomes.mean, outcomes.variance
    if not variance:
        return FEWEST
    third = outcomes.moment(3) - 3 * mean * outcomes.moment(2) + 2 * mean**3
    return max(FEWEST, ceil(COCHRAN * third**2 / variance**3))


def win_ranges(outcomes: Outcomes) -> tuple[WinRange, ...]:
    """The house's win in units over each number of rounds, at each level of confidence."""
    ranges = []
    for rounds in ROUNDS:
        expected, spread = -outcomes.mean * rounds, sqrt(outcomes.variance * rounds)
        for level in LEVELS:
            error = deviations(level) * spread
            ranges.append(WinRange(rounds, level, expected, float(expected) - error, float(expected) + error))
    return tuple(ranges)
