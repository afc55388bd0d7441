"""Counts of all possible hands, by category.

>>> for hand, count in three_card().items():
...     print(f"{hand.name.lower():<16} {count:>6,}")
nothing          16,440
pair              3,744
flush             1,096
straight            720
three_of_a_kind      52
straight_flush       44
mini_royal            4
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from croupier.hands import batch
from croupier.hands.ladder import FiveCard, SixCard, ThreeCard

__all__ = ["Progress", "five_card", "longest_flush", "longest_straight_flush", "six_card", "three_card"]

Progress = Callable[[int], object]
"""Called with the number of hands just counted."""

Category = TypeVar("Category", FiveCard, ThreeCard, SixCard)


def five_card(*, progress: Progress | None = None) -> dict[FiveCard, int]:
    """All 2,598,960 five-card hands by category."""
    return _by_category(FiveCard, batch.five_card_ladder(), _strengths(5, batch.five_card, progress))


def three_card(*, ace_low: bool = True, progress: Progress | None = None) -> dict[ThreeCard, int]:
    """All 22,100 three-card hands by category."""

    def judge(cards: batch.Cards) -> NDArray[Any]:
        return batch.three_card(cards, ace_low=ace_low)

    return _by_category(ThreeCard, batch.three_card_ladder(ace_low=ace_low), _strengths(3, judge, progress))


def six_card(*, progress: Progress | None = None) -> dict[SixCard, int]:
    """All 20,358,520 six-card hands by the best that they are."""
    return _by_category(SixCard, batch.six_card_ladder(), _strengths(6, batch.six_card, progress))


def longest_flush(*, progress: Progress | None = None) -> dict[int, int]:
    """All 133,784,560 seven-card hands by the length of their longest flush."""
    counts = _strengths(7, batch.longest_flush, progress)
    return _by_length(counts, lambda strength: batch.read_flush(strength).length)


def longest_straight_flush(*, ace_low: bool = True, progress: Progress | None = None) -> dict[int, int]:
    """All 133,784,560 seven-card hands by the length of their longest straight flush."""

    def judge(cards: batch.Cards) -> NDArray[Any]:
        return batch.longest_straight_flush(cards, ace_low=ace_low)

    counts = _strengths(7, judge, progress)
    return _by_length(counts, lambda strength: batch.read_straight_flush(strength).length)


def _strengths(size: int, judge: Callable[[batch.Cards], NDArray[Any]], progress: Progress | None) -> NDArray[np.int64]:
    """How many hands of `size` cards have each strength."""
    counts = np.zeros(1 << 16, dtype=np.int64)
    for block in batch.all_hands(size):
        counts += np.bincount(judge(block), minlength=len(counts))
        if progress is not None:
            progress(len(block))
    return counts


def _by_category(categories: type[Category], ladder: Sequence[Any], counts: NDArray[np.int64]) -> dict[Category, int]:
    hands = dict.fromkeys(categories, 0)
    for hand, count in zip(ladder, counts.tolist(), strict=False):
        hands[hand.category] += count
    return hands


def _by_length(counts: NDArray[np.int64], length: Callable[[int], int]) -> dict[int, int]:
    hands: dict[int, int] = {}
    for strength in np.flatnonzero(counts).tolist():
        hands[length(strength)] = hands.get(length(strength), 0) + int(counts[strength])
    return dict(sorted(hands.items()))
