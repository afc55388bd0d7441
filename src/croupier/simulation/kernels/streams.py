"""Random streams that are counted, not carried on: the cards of a round depend on the seed and its number alone.

The generator is Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011):
a counter of four words of 32 bits and a key of two give four random words. The key is the seed; the counter is the
block, the stream (0 for the cards, from 1 on for what the seats decide by chance) and the round.

A word gives five cards at once. It is multiplied by 52, 51, 50, 49 and 48 in turn; what overflows is an index, what
is left goes on. Together they are the word times 311,875,200: the indices are the upper half as a number in mixed
radix, and when the lower half is less than 2^32 mod 311,875,200 the word is thrown away. So each ordered choice of
five cards comes from floor(2^32 / 311,875,200) = 13 words exactly, and so on for the next five cards.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK
from croupier.simulation.kernels.jit import Whole, compiled, compiled_apart, i64, u8, u32, u64

__all__ = ["MOST_CARDS", "STREAMS", "BatchDeal", "bounded", "deal", "make_deal", "philox", "word_of"]

Array: TypeAlias = NDArray[Any]

STREAMS: Final = "philox4x32-10, five cards a word, 1"
"""The name and version of what follows from a seed; it changes when the cards of any round do."""
MOST_CARDS: Final = 50
"""Cards are drawn by fives, and ten fives are enough for every table."""
AT_ONCE: Final = 5

_MASK: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_BY_0, _BY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_0, _STEP_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_SIZES: Final = np.array([len(DECK) - place for place in range(MOST_CARDS)], dtype=np.uint32)
_OTHERS: Final = len(DECK)
"""From here on a deck has room for the places that cards are exchanged with."""
_TOO_LOW: Final = np.array(
    [(1 << 32) % prod(range(len(DECK) - first - 4, len(DECK) - first + 1)) for first in range(0, MOST_CARDS, AT_ONCE)],
    dtype=np.uint32,
)


class BatchDeal(NamedTuple):
    """Where a batch of rounds is dealt."""

    words: Array
    rest: Array
    others: Array
    """`[place, round]`: the index that a place is exchanged with."""
    lost: Array
    """The rounds that throw a word away."""
    deck: Array
    """For those: the cards in order, and as much room again to work in."""


@compiled
def philox(c0: Whole, c1: Whole, c2: Whole, c3: Whole, k0: Whole, k1: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """Four random words from a counter and a key, all of 32 bits and held in 64."""
    for _ in range(10):
        low, high = _BY_0 * c0, _BY_1 * c2
        c0, c1, c2, c3 = high >> _HALF ^ c1 ^ k0, high & _MASK, low >> _HALF ^ c3 ^ k1, low & _MASK
        k0, k1 = k0 + _STEP_0 & _MASK, k1 + _STEP_1 & _MASK
    return c0, c1, c2, c3


@compiled
def _block(seed: Whole, stream: Whole, number: Whole, block: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    return philox(block, stream, number & _MASK, number >> _HALF, seed & _MASK, seed >> _HALF)


@compiled
def word_of(seed: Whole, stream: Whole, number: Whole, place: Whole) -> Whole:
    """One word of a stream of a round."""
    a, b, c, d = _block(seed, u64(stream), number, u64(place >> 2))
    word = place & 3
    return a if word == 0 else b if word == 1 else c if word == 2 else d


@compiled_apart
def bounded(seed: Whole, stream: Whole, number: Whole, place: Whole, size: Whole) -> tuple[Whole, Whole]:
    """A number below `size`, each equally likely, and the place of the next word."""
    below = u64(size)
    too_low = (u64(1) << _HALF) % below
    while True:
        product = word_of(seed, stream, number, place) * below
        place += 1
        if product & _MASK >= too_low:
            return i64(product >> _HALF), place


@compiled
def _words(seed: Whole, start: Whole, block: Whole, words: Array) -> None:
    """`[word, round]`: a block of the cards of as many rounds as there is room for, many at a time."""
    for lane in range(words.shape[1]):
        a, b, c, d = _block(seed, u64(0), start + u64(lane), u64(block))
        words[0, lane], words[1, lane], words[2, lane], words[3, lane] = a, b, c, d


# One short loop for each step, over two or three rows: so the compiler sees that many rounds can be worked out at once.


@compiled
def _copy(of: Array, to: Array) -> None:
    """The same as an assignment of slices, which takes seconds to compile."""
    for lane in range(len(of)):
        to[lane] = of[lane]


@compiled
def _take_index(rest: Array, other: Array, place: Whole, size: Whole) -> None:
    for lane in range(len(rest)):
        product = u64(rest[lane]) * u64(u32(size))
        other[lane], rest[lane] = u64(place) + (product >> _HALF), u32(product & _MASK)


@compiled
def _note_lost(rest: Array, lost: Array, too_low: Whole) -> None:
    for lane in range(len(rest)):
        lost[lane] |= u32(rest[lane]) < u32(too_low)


@compiled
def _go_back(cards: Array, other: Array, earlier: Whole) -> None:
    for lane in range(len(cards)):
        cards[lane] = u8(earlier) if cards[lane] == other[lane] else cards[lane]


@compiled
def deal(seed: Whole, start: Whole, rounds: Whole, count: Whole, room: BatchDeal, cards: Array) -> None:
    """`cards[place, round]`: the first cards of the shuffled decks of a batch of rounds.

    Cards are exchanged as Fisher and Yates do, each place with an index not before it, but without a deck: the card of
    a place is found by going back, for an index that an earlier exchange wrote to holds what the place of that exchange
    held before. There is no jump, so many rounds are worked out at once. Few rounds throw a word away; they are dealt
    again one by one.
    """
    whole = (count + AT_ONCE - 1) // AT_ONCE * AT_ONCE
    for lane in range(rounds):
        room.lost[lane] = False
    for first in range(0, whole, AT_ONCE):
        five = first // AT_ONCE
        if five & 3 == 0:
            _words(seed, start, five >> 2, room.words)
        _copy(room.words[five & 3], room.rest)
        for place in range(first, first + AT_ONCE):
            _take_index(room.rest, room.others[place], place, _SIZES[place])
        _note_lost(room.rest, room.lost, _TOO_LOW[five])
    for place in range(whole):
        _copy(room.others[place], cards[place])
        for earlier in range(place - 1, -1, -1):
            _go_back(cards[place], room.others[earlier], earlier)
    for lane in range(rounds):
        if room.lost[lane]:
            _deal_one(seed, start + u64(lane), lane, whole, room, cards)


@compiled_apart
def _deal_one(seed: Whole, number: Whole, lane: Whole, whole: Whole, room: BatchDeal, cards: Array) -> None:
    """The cards of one round, by a deck, which is in order before and after."""
    deck, block, left = room.deck, 0, 4
    a, b, c, d = u64(room.words[0, lane]), u64(room.words[1, lane]), u64(room.words[2, lane]), u64(room.words[3, lane])
    if whole > 4 * AT_ONCE:  # the words are those of a later block
        a, b, c, d = _block(seed, u64(0), number, u64(0))
    for first in range(0, whole, AT_ONCE):
        while True:
            if left == 0:
                block, left = block + 1, 4
                a, b, c, d = _block(seed, u64(0), number, u64(block))
            rest, a, b, c, left = a, b, c, d, left - 1
            for place in range(first, first + AT_ONCE):
                rest = (rest & _MASK) * u64(_SIZES[place])
                deck[_OTHERS + place] = u64(place) + (rest >> _HALF)
            if rest & _MASK >= _TOO_LOW[first // AT_ONCE]:
                break
        for place in range(first, first + AT_ONCE):
            other = deck[_OTHERS + place]
            cards[place, lane] = deck[other]
            deck[other] = deck[place]
    for place in range(whole):
        other = deck[_OTHERS + place]
        deck[other] = other
        deck[place] = place


@compiled
def make_deal(rounds: Whole) -> BatchDeal:
    """Room to deal so many rounds at a time."""
    return BatchDeal(
        np.empty((4, rounds), dtype=np.uint32),
        np.empty(rounds, dtype=np.uint32),
        np.empty((MOST_CARDS, rounds), dtype=np.uint8),
        np.zeros(rounds, dtype=np.bool_),
        np.arange(2 * _OTHERS).astype(np.uint8),
    )
