"""Lookup tables for `batch`, each made from the definitions in `poker` and `flushes`.

A hand of ranks is found in two steps. The set of ranks, one bit each, gives an offset; the sum of one
key for each card, added to it, gives the place of the hand's strength. The keys are chosen so that two
hands with the same set of ranks never have the same sum, and the offsets so that no two hands meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, LOWEST_RANK, RANKS, SUITS, Card
from croupier.hands.flushes import Flush, StraightFlush, longest_run
from croupier.hands.ladder import FiveCardHand, SixCardHand, ThreeCardHand
from croupier.hands.poker import five_card, six_card, three_card

__all__ = [
    "RANK_KEYS",
    "SUITED",
    "PokerTable",
    "five_card_table",
    "flush_table",
    "read_flush",
    "read_straight_flush",
    "run_table",
    "six_card_table",
    "three_card_table",
]

RANK_KEYS: Final = np.array([0, 1, 4, 9, 11, 23, 38, 54, 71, 89, 110, 130, 136], dtype=np.uint16)
"""Found by search: small numbers that keep hands of three, five and six cards with the same ranks apart."""

SUITED: Final = 1 << len(RANKS)
"""How many sets of ranks there are, and so how long a table over the cards of one suit is."""

_LENGTH_SHIFT: Final = 13
_TOP_BITS: Final = 4


class PokerTable(NamedTuple):
    """`values[offsets[set of ranks] + sum of keys]`, or `suited[set of ranks in the suit]`, is a strength.

    `ladder[strength]` is the hand. Strengths count from 0 without a gap.
    """

    ladder: Sequence[Any]
    offsets: NDArray[np.uint16]
    values: NDArray[np.uint16]
    suited: NDArray[np.uint16]


@cache
def five_card_table() -> PokerTable:
    """The table of five-card hands."""
    return _poker_table(5, five_card)


@cache
def three_card_table(*, ace_low: bool) -> PokerTable:
    """The table of three-card hands under one reading of the ace."""
    return _poker_table(3, lambda cards: three_card(cards, ace_low=ace_low))


@cache
def six_card_table() -> PokerTable:
    """The table of the best five of six; its suited part serves five or six cards of one suit."""
    return _poker_table(6, six_card)


@cache
def flush_table() -> NDArray[np.uint16]:
    """Strength of the flush that the cards of one suit are: its length, then its set of ranks.

    For flushes of one length the greater set, read as a number, has the higher cards.
    """
    table = np.zeros(SUITED, dtype=np.uint16)
    for ranks in _rank_sets(range(1, 8)):
        bits = _bits(ranks)
        table[bits] = len(ranks) << _LENGTH_SHIFT | bits
    table.setflags(write=False)
    return table


@cache
def run_table(*, ace_low: bool) -> NDArray[np.uint8]:
    """Strength of the longest run among the cards of one suit: its length, then its top rank."""
    table = np.zeros(SUITED, dtype=np.uint8)
    for ranks in _rank_sets(range(1, 8)):
        run = longest_run(ranks, ace_low=ace_low)
        table[_bits(ranks)] = run.length << _TOP_BITS | run.top
    table.setflags(write=False)
    return table


def read_flush(strength: int) -> Flush:
    """The flush that a strength of `flush_table` stands for."""
    ranks = [rank for rank in reversed(range(len(RANKS))) if strength >> rank & 1]
    return Flush(int(strength) >> _LENGTH_SHIFT, tuple(rank + LOWEST_RANK for rank in ranks))


def read_straight_flush(strength: int) -> StraightFlush:
    """The straight flush that a strength of `run_table` stands for."""
    return StraightFlush(int(strength) >> _TOP_BITS, int(strength) & (1 << _TOP_BITS) - 1)


def _poker_table(
    size: int, judge: Callable[[tuple[Card, ...]], FiveCardHand | ThreeCardHand | SixCardHand]
) -> PokerTable:
    unsuited = {ranks: judge(_mixed(ranks)) for ranks in _rank_hands(size)}
    suited = {ranks: judge(_one_suit(ranks, size)) for ranks in _rank_sets(range(min(size, 5), size + 1))}
    ladder = sorted({*unsuited.values(), *suited.values()})
    strength = {hand: place for place, hand in enumerate(ladder)}

    by_set: dict[int, list[tuple[int, int]]] = {}
    for ranks, hand in unsuited.items():
        total = sum(int(RANK_KEYS[rank - LOWEST_RANK]) for rank in ranks)
        by_set.setdefault(_bits(ranks), []).append((total, strength[hand]))
    offsets, places = _pack(by_set)

    # As long as any offset plus any sum of keys, so that no card in 0..51 can lead a kernel out of it.
    values = np.zeros(int(offsets.max()) + size * int(RANK_KEYS.max()) + 1, dtype=np.uint16)
    for place, value in places.items():
        values[place] = value
    suited_values = np.zeros(SUITED, dtype=np.uint16)
    for ranks, hand in suited.items():
        suited_values[_bits(ranks)] = strength[hand]
    for table in (offsets, values, suited_values):
        table.setflags(write=False)
    return PokerTable(tuple(ladder), offsets, values, suited_values)


def _pack(by_set: dict[int, list[tuple[int, int]]]) -> tuple[NDArray[np.uint16], dict[int, int]]:
    """Give each set of ranks the lowest offset at which all its hands fall on free places."""
    offsets = np.zeros(SUITED, dtype=np.uint16)
    places: dict[int, int] = {}
    taken = 0
    for bits, hands in sorted(by_set.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        totals = [total for total, _ in hands]
        if len(set(totals)) != len(totals):
            raise ValueError(f"rank keys collide within the set of ranks {bits:b}")
        blocked = 0
        for total in totals:
            blocked |= taken >> total
        offset = (~blocked & blocked + 1).bit_length() - 1
        offsets[bits] = offset
        for total, value in hands:
            taken |= 1 << offset + total
            places[offset + total] = value
    return offsets, places


def _rank_hands(size: int) -> Iterator[tuple[int, ...]]:
    """Every choice of `size` ranks of which none occurs more than four times."""
    for ranks in combinations_with_replacement(range(LOWEST_RANK, LOWEST_RANK + len(RANKS)), size):
        if all(ranks[i] != ranks[i + len(SUITS)] for i in range(size - len(SUITS))):
            yield ranks


def _rank_sets(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for size in sizes:
        yield from combinations(range(LOWEST_RANK, LOWEST_RANK + len(RANKS)), size)


def _mixed(ranks: tuple[int, ...]) -> tuple[Card, ...]:
    """Cards of these ranks, at most two of a suit, so that they are not a flush."""
    return tuple(DECK[(rank - LOWEST_RANK) * 4 + place % 4] for place, rank in enumerate(ranks))


def _one_suit(ranks: tuple[int, ...], size: int) -> tuple[Card, ...]:
    """Cards of these ranks in one suit; if that is one card short, a harmless pair fills the hand."""
    clubs = tuple(DECK[(rank - LOWEST_RANK) * 4] for rank in ranks)
    return clubs if len(clubs) == size else (*clubs, DECK[(ranks[0] - LOWEST_RANK) * 4 + 1])


def _bits(ranks: Sequence[int]) -> int:
    return sum(1 << rank - LOWEST_RANK for rank in set(ranks))
