"""Five-card hands sorted into the few kinds that a paytable can tell apart, and counted by the cards known so far.

The kinds are the categories with each pair apart: 22 of them. A paytable is then one pay for each kind, and
all that best play needs of the fifth card is how many of the 48 cards left make each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.analysis.streets.sets import sets_of
from croupier.hands import FiveCard, FiveCardHand, batch
from croupier.hands.tables import five_card_table

__all__ = ["KINDS", "count_fours", "five_card_counts", "four_card_counts"]

Array: TypeAlias = NDArray[Any]


def _kind(hand: FiveCardHand) -> FiveCardHand:
    return FiveCardHand(hand.category, hand.ranks[:1] if hand.category == FiveCard.PAIR else ())


KINDS: Final = tuple(
    FiveCardHand(category, ranks)
    for category in FiveCard
    for ranks in (((rank,) for rank in range(2, 15)) if category == FiveCard.PAIR else ((),))
)
"""What five cards can be to a paytable, weakest first; a pair has its rank, nothing else has any."""


@cache
def five_card_counts() -> tuple[int, ...]:
    """How many of all 2,598,960 hands are of each kind.

    >>> dict(zip([kind.name for kind in KINDS], five_card_counts()))["royal_flush"]
    4
    """
    return tuple((sets_of(4).sizes @ four_card_counts() // 5).tolist())


@cache
def four_card_counts() -> Array:
    """For each set of four cards, in the order of `sets_of`, how many of the other 48 make each kind of hand."""
    counts = count_fours()
    counts.setflags(write=False)
    return counts


def count_fours() -> Array:
    """Compute the counts without the cache."""
    cards = sets_of(4).cards
    counts = np.zeros((len(cards), len(KINDS)), dtype=np.int64)
    _kernel()(cards, counts)
    return counts


@cache
def _kernel() -> Callable[[Array, Array], None]:
    _, offsets, values, suited_values = five_card_table()
    kinds = _kind_of_strength()
    most = len(kinds) - 1  # gaps in the tables hold numbers that are no strength
    kind_of_value, kind_of_suited = kinds[np.minimum(values, most)], kinds[np.minimum(suited_values, most)]
    keys = batch.KEYS.astype(np.uint32)

    @batch.jit
    def kernel(cards: Array, counts: Array) -> None:
        for number in range(len(cards)):
            a, b, c, d = cards[number]
            held = numba.uint32(1) << numba.uint32(a >> 2) | numba.uint32(1) << numba.uint32(b >> 2)
            held |= numba.uint32(1) << numba.uint32(c >> 2) | numba.uint32(1) << numba.uint32(d >> 2)
            key = keys[a] + keys[b] + keys[c] + keys[d]
            suited = not ((a ^ b) | (a ^ c) | (a ^ d)) & 3
            for rank in range(13):  # a suit matters only to four of one suit, so ranks are enough
                left = 4 - (a >> 2 == rank) - (b >> 2 == rank) - (c >> 2 == rank) - (d >> 2 == rank)
                bits = held | numba.uint32(1) << numba.uint32(rank)
                if suited and left == 4:
                    counts[number, kind_of_suited[bits]] += 1
                    left = 3
                counts[number, kind_of_value[numba.uint32(offsets[bits]) + key + keys[4 * rank]]] += left

    return kernel


@cache
def _kind_of_strength() -> Array:
    """The kind of each strength of `batch.five_card`."""
    place = {kind: number for number, kind in enumerate(KINDS)}
    return np.array([place[_kind(hand)] for hand in batch.five_card_ladder()], dtype=np.uint8)
