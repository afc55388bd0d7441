"""Observed numbers, sorted."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["NINETY_NINE", "Sample", "quantiles", "sample_of", "supported_quantiles"]

Array: TypeAlias = NDArray[Any]

NINETY_NINE: Final = 2.5758293035489004
"""Standard errors to either side that hold 99 % of a normal distribution."""
QUANTILES: Final = (1, 5, 25, 50, 75, 95, 99)
"""In percent."""


def quantiles(values: Sequence[int] | Array, percents: Sequence[int] = QUANTILES) -> dict[int, int]:
    """For each percentage, the smallest value that at least this share of the values do not exceed.

    >>> quantiles([4, 1, 3, 2], (25, 50, 99))
    {25: 1, 50: 2, 99: 4}
    """
    ordered = np.sort(np.asarray(values))
    return {percent: int(ordered[max(-(-percent * len(ordered) // 100) - 1, 0)]) for percent in percents}


def supported_quantiles(values: Sequence[int] | Array, percents: Sequence[int] = QUANTILES) -> dict[int, int | None]:
    """The same; None where there are too few values for one to lie beyond.

    >>> supported_quantiles([4, 1, 3, 2], (25, 50, 99))
    {25: 1, 50: 2, 99: None}
    """
    every = quantiles(values, percents)
    return {at: value if len(values) * min(at, 100 - at) >= 100 else None for at, value in every.items()}


class Sample(Struct, frozen=True):
    """Whole numbers that were observed."""

    count: int
    mean: Fraction
    deviation: float | None
    """The standard deviation, estimated from the sample; a single number has none."""
    least: int
    most: int
    quantiles: dict[int, int]


def sample_of(values: Sequence[int]) -> Sample | None:
    """
    >>> sample_of([4, 1, 1, 2]).quantiles[50], sample_of([])
    (1, None)
    """
    if not values:
        return None
    count, total = len(values), sum(values)
    spread = Fraction(count * sum(value * value for value in values) - total**2, count)
    return Sample(
        count=count,
        mean=Fraction(total, count),
        deviation=sqrt(spread / (count - 1)) if count > 1 else None,
        least=min(values),
        most=max(values),
        quantiles=quantiles(values),
    )
