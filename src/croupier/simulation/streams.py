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
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK
from croupier.simulation.compiled import Whole, compiled, compiled_apart, i64, u64

__all__ = ["MOST_CARDS", "STREAMS", "WORDS", "bounded", "deal", "first_words", "philox", "word_of"]

Array: TypeAlias = NDArray[Any]

STREAMS: Final = "philox4x32-10, five cards a word, 1"
"""The name and version of what follows from a seed; it changes when the cards of any round do."""
MOST_CARDS: Final = 50
"""Cards are drawn by fives, and ten fives are enough for every table."""
AT_ONCE: Final = 5
WORDS: Final = 10
"""How many numbers `deal` works with for each round."""

_MASK: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_NONE, _ONE, _TWO, _THREE, _FOUR = map(np.uint64, range(5))
_BY_0, _BY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEP_0, _STEP_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_SIZES: Final = np.array([len(DECK) - place for place in range(MOST_CARDS)], dtype=np.uint64)
_TOO_LOW: Final = np.array(
    [(1 << 32) % prod(range(len(DECK) - first - 4, len(DECK) - first + 1)) for first in range(0, MOST_CARDS, AT_ONCE)],
    dtype=np.uint64,
)


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
    one = place & 3
    return a if one == 0 else b if one == 1 else c if one == 2 else d


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
def first_words(seed: Whole, start: Whole, words: Array) -> None:
    """`[word, round]`: the first block of the cards of as many rounds as there is room for, many at a time."""
    for place in range(words.shape[1]):
        a, b, c, d = _block(seed, u64(0), start + u64(place), u64(0))
        words[0, place], words[1, place], words[2, place], words[3, place] = a, b, c, d


@compiled
def _first_five(rounds: Whole, words: Array) -> None:
    """Behind the four words: what is left of the first word, and the five cards that it gives, without a deck.

    After some exchanges the card of a place is found by going back: a place that an exchange wrote to holds what the
    exchange's own place held before. One loop without a jump, so that several rounds are worked out at once.
    """
    for one in range(rounds):
        rest = u64(words[0, one]) * _SIZES[0]
        a, rest = rest >> _HALF, (rest & _MASK) * _SIZES[1]
        b, rest = (rest >> _HALF) + _ONE, (rest & _MASK) * _SIZES[2]
        c, rest = (rest >> _HALF) + _TWO, (rest & _MASK) * _SIZES[3]
        d, rest = (rest >> _HALF) + _THREE, (rest & _MASK) * _SIZES[4]
        e = (rest >> _HALF) + _FOUR
        words[4, one] = rest & _MASK
        e = _THREE if e == d else e
        d, e = _TWO if d == c else d, _TWO if e == c else e
        words[5, one], words[6, one] = a, _NONE if b == a else b
        c, d, e = _ONE if c == b else c, _ONE if d == b else d, _ONE if e == b else e
        words[7, one], words[8, one], words[9, one] = (
            _NONE if c == a else c,
            _NONE if d == a else d,
            _NONE if e == a else e,
        )


@compiled
def _shuffle(seed: Whole, number: Whole, one: Whole, whole: Whole, words: Array, deck: Array, cards: Array) -> None:
    """The cards of one round, by a deck."""
    a, b, c, d = words[0, one], words[1, one], words[2, one], words[3, one]
    block, left = 0, 4
    for first in range(0, whole, AT_ONCE):
        while True:
            if left == 0:
                block, left = block + 1, 4
                a, b, c, d = _block(seed, u64(0), number, u64(block))
            rest, a, b, c, left = u64(a), b, c, d, left - 1
            for place in range(first, first + AT_ONCE):
                rest = (rest & _MASK) * _SIZES[place]
                cards[one, MOST_CARDS + place] = u64(place) + (rest >> _HALF)
            if rest & _MASK >= _TOO_LOW[first // AT_ONCE]:
                break
        # Fisher and Yates: each place takes the card of its index and leaves its own there.
        for place in range(first, first + AT_ONCE):
            other = cards[one, MOST_CARDS + place]
            cards[one, place] = deck[other]
            deck[other] = deck[place]
    for place in range(whole):
        other = cards[one, MOST_CARDS + place]
        deck[other] = other
        deck[place] = place


@compiled
def deal(seed: Whole, start: Whole, rounds: Whole, count: Whole, words: Array, deck: Array, cards: Array) -> None:
    """`cards[round, place]`: the first cards of the shuffled decks of a batch of rounds.

    `words` is room for `WORDS` numbers of 32 bits for each round. `deck` holds 0 to 51 in order, before and after.
    Behind `MOST_CARDS` a row of cards has as much room again to work in.
    """
    first_words(seed, start, words)
    whole = (count + AT_ONCE - 1) // AT_ONCE * AT_ONCE
    if whole > AT_ONCE:
        for one in range(rounds):
            _shuffle(seed, start + u64(one), one, whole, words, deck, cards)
        return
    _first_five(rounds, words)
    for one in range(rounds):
        if words[4, one] < _TOO_LOW[0]:
            _shuffle(seed, start + u64(one), one, whole, words, deck, cards)
        else:
            for place in range(AT_ONCE):
                cards[one, place] = words[5 + place, one]
