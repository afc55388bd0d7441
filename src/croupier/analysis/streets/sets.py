"""Sets of one to four cards that differ by more than the names of suits: 13, 169, 1,755 and 16,432 of them.

Best play looks at the cards that are known as a set, and no rule cares which suit is which, so these are all there is.
A set is what each suit holds, a number with a bit for each rank; sorted by that number it is the same for all
names of suits.

>>> [len(sets_of(size).cards) for size in (1, 2, 3, 4)], int(sets_of(4).sizes.sum())
([13, 169, 1755, 16432], 270725)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, RANKS, SUITS

__all__ = ["Array", "Sets", "one_less", "one_more", "set_keys", "set_number", "set_numbers", "sets_of"]

Array: TypeAlias = NDArray[Any]
_PLACES: Final = 1 << len(RANKS) * np.arange(len(SUITS), dtype=np.int64)


class Sets(NamedTuple):
    """All sets of one size, one of each kind, in a fixed order."""

    keys: Array
    """A unique key for each set, ascending."""
    cards: Array
    """`[set, place]`: the cards of one of its kind, rising."""
    sizes: Array
    """How many sets there are of its kind."""


@cache
def sets_of(size: int) -> Sets:
    """The sets of this many cards."""
    if size == 0:
        return Sets(np.zeros(1, dtype=np.int64), np.zeros((1, 0), dtype=np.int64), np.ones(1, dtype=np.int64))
    smaller = sets_of(size - 1)
    with_one_more = np.concatenate([_with(smaller.cards, card) for card in DECK])
    keys, first = np.unique(set_keys(with_one_more), return_index=True)
    cards = np.sort(with_one_more[first], axis=1)
    # A set comes from each of its cards once, by any set of its smaller kind.
    numbers = np.searchsorted(keys, set_keys(with_one_more))
    origins = np.concatenate([smaller.sizes[~(smaller.cards == card).any(axis=1)] for card in DECK])
    sizes = np.zeros(len(keys), dtype=np.int64)
    np.add.at(sizes, numbers, origins)
    return Sets(keys, cards, sizes // size)


def _with(cards: Array, card: int) -> Array:
    """The sets without this card, with it added."""
    without = cards[~(cards == card).any(axis=1)]
    return np.column_stack([without, np.full(len(without), card)])


def set_keys(hands: Array | Sequence[Sequence[int]]) -> Array:
    """What each suit holds, in order: the keys of sets of cards, one in each row."""
    cards = np.asarray(hands, dtype=np.int64)  # a shifted byte would overflow
    ranks, suits = 1 << (cards >> 2), cards & 3
    held = np.stack([np.where(suits == suit, ranks, 0).sum(axis=1) for suit in range(len(SUITS))], axis=1)
    keys: Array = np.sort(held, axis=1) @ _PLACES
    return keys


@cache
def one_more(size: int) -> Array:
    """`[set, card]`: the number of the set with this card too; where it is there already, the number of sets."""
    cards, larger = sets_of(size).cards, sets_of(size + 1)
    numbers = np.full((len(cards), len(DECK)), len(larger.cards))
    for card in DECK:
        free = ~(cards == card).any(axis=1)
        numbers[free, card] = np.searchsorted(larger.keys, set_keys(_with(cards, card)))
    return numbers


@cache
def one_less(size: int) -> Array:
    """`[set, place]`: the number of the set without the card in this place."""
    cards = sets_of(size).cards
    return np.stack([set_numbers(np.delete(cards, place, axis=1)) for place in range(size)], axis=1)


def set_numbers(hands: Array) -> Array:
    """The numbers of sets of cards, one in each row."""
    return np.searchsorted(sets_of(hands.shape[1]).keys, set_keys(hands))


def set_number(cards: Sequence[int]) -> int:
    """The number of a set of cards, regardless of suit names.

    >>> set_number((0, 4, 8)) == set_number((11, 7, 3))
    True
    """
    return int(set_numbers(np.array([cards], dtype=np.int64))[0])
