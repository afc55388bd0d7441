"""Strategies for High Card Flush that people can remember, each priced exactly.

Best play looks at the other cards only beside a three-card flush with a ten on top: with less it always folds, with
more it always raises the most it may. What matters then is how many cards above the ten the dealer cannot have, so a
strategy says from which flush on to raise by the number of high cards in the hand.

>>> for row in BY_HIGH_CARDS.rows:
...     print(row.high_cards, row.raises_from)
0 three-card flush, J 3 2
1 three-card flush, 10 9 3
2 three-card flush, 10 7 4
3 three-card flush, 10 5 3
4 three-card flush, 10 3 2
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from croupier.analysis.flush.dealer_hands import check_bar, flush_strength
from croupier.analysis.flush.solve import FOLD, FlushSolution, Priced, by_raise, flush_strengths
from croupier.analysis.flush.sums import Array, sum_flushes
from croupier.cards import LOWEST_RANK, RANKS, Card
from croupier.hands import Flush, longest_flush
from croupier.hands.tables import read_flush

__all__ = [
    "BY_HIGH_CARDS",
    "NINE_SEVEN_FIVE",
    "PUBLISHED",
    "FlushRow",
    "FlushStrategy",
    "by_flush",
    "divided_flushes",
    "price",
]


class FlushRow(Struct, frozen=True):
    """With at least this many high cards in the hand, raise on this flush or better."""

    high_cards: int
    raises_from: Flush


class FlushStrategy(Struct, frozen=True):
    """Rows by number of high cards, starting with none; every raise is the maximum."""

    rows: tuple[FlushRow, ...]
    high: int = 11
    """The lowest rank of a high card."""

    def raises(self, cards: Sequence[Card], most: Sequence[int]) -> int:
        """How many antes to raise on seven cards.

        >>> from croupier.cards import parse_cards
        >>> [BY_HIGH_CARDS.raises(parse_cards(f"Th 8h 6h 9d 9c {rest}"), [1] * 8) for rest in ("5s 4c", "Qs Kc")]
        [0, 1]
        """
        flush, high_cards = longest_flush(cards), sum(card.rank >= self.high for card in cards)
        return most[flush.length] if flush >= self.raises_from(high_cards) else FOLD

    def raises_from(self, high_cards: int) -> Flush:
        """The lowest flush to raise on with this many high cards."""
        return [row.raises_from for row in self.rows if row.high_cards <= high_cards][-1]


def by_flush(least: Flush) -> FlushStrategy:
    """Raise on this flush or better, regardless of the other cards."""
    return FlushStrategy((FlushRow(0, least),))


def _ten_high(*least: tuple[int, int]) -> FlushStrategy:
    """Rows for a jack, for the ten-high flushes with these lower ranks, and for every ten-high flush."""
    tens = [Flush(3, (10, *lower)) for lower in (*least, (3, 2))]
    return FlushStrategy(tuple(FlushRow(count, flush) for count, flush in enumerate([Flush(3, (11, 3, 2)), *tens])))


PUBLISHED: Final = by_flush(Flush(3, (10, 8, 6)))
"""Charles Mousseau's: the best strategy that looks at the flush alone."""

BY_HIGH_CARDS: Final = _ten_high((9, 3), (7, 4), (5, 3))
"""The best strategy that looks at the flush and the number of cards above the ten."""

NINE_SEVEN_FIVE: Final = _ten_high((9, 2), (7, 2), (5, 2))
"""Easier to remember: ten-nine with one high card, ten-seven with two, ten-five with three, any with four."""


def price(strategy: FlushStrategy, qualifier: int, most: Sequence[int]) -> Priced:
    """The result of a strategy over every deal."""
    strengths = flush_strengths()
    least = np.array([flush_strength(strategy.raises_from(high_cards)) for high_cards in range(8)])
    limits = np.array(most, dtype=np.int64)[strengths >> len(RANKS)]
    raises = np.where(strengths[:, None] >= least, limits[:, None], FOLD)
    return Priced(by_raise(raises, _by_high_cards(check_bar(qualifier), strategy.high)))


def divided_flushes(solved: FlushSolution) -> dict[Flush, tuple[int, int]]:
    """The flushes whose best play depends on the other cards, with the hands that fold and those that raise."""
    folds, raises = solved.tallies[:, 0, 0], solved.tallies[:, 1:, 0].sum(axis=1)
    return {
        read_flush(int(solved.strengths[place])): (int(folds[place]), int(raises[place]))
        for place in np.flatnonzero((folds > 0) & (raises > 0))
    }


@lru_cache(maxsize=4)
def _by_high_cards(qualifier: int, high: int) -> Array:
    """`[flush, high cards]`: a `Tally`."""
    marked = (1 << len(RANKS)) - (1 << high - LOWEST_RANK)
    tallies, _ = sum_flushes(flush_strengths(), qualifier, np.ones(8, dtype=np.int64), marked=marked)
    sums: Array = tallies.sum(axis=1)
    sums.setflags(write=False)
    return sums
