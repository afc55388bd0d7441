"""Hands by the million: compiled kernels over arrays of cards.

Cards are numbers 0 to 51 in an array of bytes, one row per hand. Each function gives one strength per
row; greater is stronger, and the ladder (or `read_…`) says what a strength is.

>>> import numpy as np
>>> from croupier.cards import parse_cards
>>> rows = np.array([parse_cards("Qh Qd 9c 5s 2h"), parse_cards("2d 5d 9d Jd Kd")], dtype=np.uint8)
>>> pair, flush = five_card(rows).tolist()
>>> flush > pair, str(five_card_ladder()[pair])
(True, 'pair of queens, with 9 5 2')

That the cards of a row differ is the caller's promise; a row that breaks it gets a meaningless strength.

The tables are closure variables of the kernels: numba then compiles them in as constants, and its
cache on disk takes their content into its key, so that a changed table is compiled again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK
from croupier.errors import CardError
from croupier.hands.ladder import FiveCardHand, SixCardHand, ThreeCardHand
from croupier.hands.tables import (
    RANK_KEYS,
    five_card_table,
    flush_table,
    read_flush,
    read_straight_flush,
    run_table,
    six_card_table,
    three_card_table,
)

__all__ = [
    "BITS",
    "KEYS",
    "all_hands",
    "five_card",
    "five_card_ladder",
    "four_of_a_kind",
    "longest_flush",
    "longest_straight_flush",
    "read_flush",
    "read_straight_flush",
    "six_card",
    "six_card_ladder",
    "three_card",
    "three_card_ladder",
]

Cards: TypeAlias = NDArray[np.uint8]
Strengths: TypeAlias = NDArray[np.uint16]
Kernel: TypeAlias = Callable[..., None]

KEYS: Final = RANK_KEYS[np.arange(len(DECK)) >> 2]
BITS: Final = np.array([1 << card % 4 * 16 + card // 4 for card in DECK], dtype=np.uint64)  # 16 bits per suit
_SIX_FLUSH_ADD, _SIX_FLUSH_BIT = 0x3333, 0x8888  # a count of five or six, plus three, sets its nibble's high bit


def jit(kernel: Kernel) -> Kernel:
    """Compile at the first call, and cache the machine code on disk if possible."""
    try:
        compiled: Kernel = numba.njit(cache=True, nogil=True, boundscheck=False)(kernel)
    except RuntimeError:  # numba finds no folder that it may write to
        compiled = numba.njit(nogil=True, boundscheck=False)(kernel)
    return compiled


def five_card(cards: Cards) -> Strengths:
    """Strengths in `five_card_ladder()` of rows of five cards."""
    return _run(_five_card_kernel(), cards, size=5, dtype=np.uint16)


def three_card(cards: Cards, *, ace_low: bool = True) -> Strengths:
    """Strengths in `three_card_ladder()` of rows of three cards."""
    return _run(_three_card_kernel(ace_low=ace_low), cards, size=3, dtype=np.uint16)


def six_card(cards: Cards) -> Strengths:
    """Strengths in `six_card_ladder()` of rows of six cards."""
    return _run(_six_card_kernel(), cards, size=6, dtype=np.uint16)


def longest_flush(cards: Cards) -> Strengths:
    """Strengths for `read_flush` of rows of seven cards."""
    return _run(_longest_flush_kernel(), cards, size=7, dtype=np.uint16)


def longest_straight_flush(cards: Cards, *, ace_low: bool = True) -> NDArray[np.uint8]:
    """Strengths for `read_straight_flush` of rows of seven cards."""
    return _run(_longest_straight_flush_kernel(ace_low=ace_low), cards, size=7, dtype=np.uint8)


def four_of_a_kind(cards: Cards) -> NDArray[np.bool_]:
    """Which rows of seven cards hold four of one rank."""
    return _run(_four_of_a_kind_kernel(), cards, size=7, dtype=np.bool_)


def five_card_ladder() -> Sequence[FiveCardHand]:
    """Every five-card hand there is, weakest first: 7,462 of them."""
    return five_card_table().ladder


def three_card_ladder(*, ace_low: bool = True) -> Sequence[ThreeCardHand]:
    """Every three-card hand there is, weakest first."""
    return three_card_table(ace_low=ace_low).ladder


def six_card_ladder() -> Sequence[SixCardHand]:
    """Everything that the best five of six cards can be, weakest first."""
    return six_card_table().ladder


def all_hands(size: int, *, rows: int = 1 << 20) -> Iterator[Cards]:
    """Every hand of `size` cards once, in blocks of at most `rows` rows.

    The blocks share one buffer: use one before asking for the next.

    >>> sum(len(block) for block in all_hands(3))
    22100
    """
    if not 1 <= size <= len(DECK) or rows < 1:
        raise CardError(f"blocks of {rows} hands of {size} cards: expected at least one hand of 1 to {len(DECK)} cards")
    block = np.empty((rows, size), dtype=np.uint8)
    hand = np.arange(size, dtype=np.uint8)
    left = comb(len(DECK), size)
    while left:
        part = block[: min(rows, left)]
        _next_hands_kernel()(hand, part)
        left -= len(part)
        yield part


def _run(kernel: Kernel, cards: Cards, *, size: int, dtype: type) -> NDArray[Any]:
    cards = np.ascontiguousarray(cards)  # also drops a mask, so that the checked array is the one used
    if cards.dtype != np.uint8 or cards.ndim != 2 or cards.shape[1] != size:
        raise CardError(f"expected uint8 of shape (n, {size}), got {cards.dtype} of shape {cards.shape}")
    if cards.size and cards.max() >= len(DECK):
        raise CardError(f"{cards.max()} is not a card: numbers go from 0 (2c) to {len(DECK) - 1} (As)")
    strengths: NDArray[Any] = np.empty(len(cards), dtype=dtype)
    kernel(cards, strengths)
    return strengths


@cache
def _five_card_kernel() -> Kernel:
    _, offsets, values, suited = five_card_table()
    keys = KEYS

    @jit
    def kernel(cards: Cards, strengths: Strengths) -> None:
        for i in range(len(cards)):
            a, b, c, d, e = cards[i, 0], cards[i, 1], cards[i, 2], cards[i, 3], cards[i, 4]
            ranks = numba.uint32(1) << (a >> 2) | numba.uint32(1) << (b >> 2) | numba.uint32(1) << (c >> 2)
            ranks |= numba.uint32(1) << (d >> 2) | numba.uint32(1) << (e >> 2)
            if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3:
                strengths[i] = values[numba.uint32(offsets[ranks]) + keys[a] + keys[b] + keys[c] + keys[d] + keys[e]]
            else:
                strengths[i] = suited[ranks]

    return kernel


@cache
def _three_card_kernel(*, ace_low: bool) -> Kernel:
    _, offsets, values, suited = three_card_table(ace_low=ace_low)
    keys = KEYS

    @jit
    def kernel(cards: Cards, strengths: Strengths) -> None:
        for i in range(len(cards)):
            a, b, c = cards[i, 0], cards[i, 1], cards[i, 2]
            ranks = numba.uint32(1) << (a >> 2) | numba.uint32(1) << (b >> 2) | numba.uint32(1) << (c >> 2)
            if ((a ^ b) | (a ^ c)) & 3:
                strengths[i] = values[numba.uint32(offsets[ranks]) + keys[a] + keys[b] + keys[c]]
            else:
                strengths[i] = suited[ranks]

    return kernel


@cache
def _six_card_kernel() -> Kernel:
    _, offsets, values, suited = six_card_table()
    keys, bits, add, full = KEYS, BITS, _SIX_FLUSH_ADD, _SIX_FLUSH_BIT

    @jit
    def kernel(cards: Cards, strengths: Strengths) -> None:
        for i in range(len(cards)):
            held, counts, place = numba.uint64(0), numba.uint32(0), numba.uint32(0)
            for j in range(6):
                card = cards[i, j]
                held |= bits[card]
                counts += numba.uint32(1) << numba.uint32((card & 3) << 2)
                place += keys[card]
            if (counts + add) & full:
                for suit in range(4):
                    if counts >> numba.uint32(4 * suit) & numba.uint32(15) >= 5:
                        strengths[i] = suited[held >> numba.uint64(16 * suit) & numba.uint64(0x1FFF)]
            else:
                held |= held >> numba.uint64(32)
                strengths[i] = values[place + offsets[(held | held >> numba.uint64(16)) & numba.uint64(0x1FFF)]]

    return kernel


@cache
def _longest_flush_kernel() -> Kernel:
    return _best_suit_kernel(flush_table())


@cache
def _longest_straight_flush_kernel(*, ace_low: bool) -> Kernel:
    return _best_suit_kernel(run_table(ace_low=ace_low))


def _best_suit_kernel(table: NDArray[Any]) -> Kernel:
    """The strongest of the four suits, each looked up by its set of ranks."""
    bits = BITS

    @jit
    def kernel(cards: Cards, strengths: NDArray[Any]) -> None:
        for i in range(len(cards)):
            held = bits[cards[i, 0]] | bits[cards[i, 1]] | bits[cards[i, 2]] | bits[cards[i, 3]]
            held |= bits[cards[i, 4]] | bits[cards[i, 5]] | bits[cards[i, 6]]
            clubs, diamonds = table[held & numba.uint64(0x1FFF)], table[held >> numba.uint64(16) & numba.uint64(0x1FFF)]
            hearts, spades = table[held >> numba.uint64(32) & numba.uint64(0x1FFF)], table[held >> numba.uint64(48)]
            strengths[i] = max(clubs, diamonds, hearts, spades)

    return kernel


@cache
def _four_of_a_kind_kernel() -> Kernel:
    @jit
    def kernel(cards: Cards, quads: NDArray[np.bool_]) -> None:
        for i in range(len(cards)):
            counts = numba.uint64(0)
            for j in range(7):
                counts += numba.uint64(1) << (numba.uint64(cards[i, j] >> 2) * numba.uint64(4))
            quads[i] = (counts & numba.uint64(0x4444444444444)) != 0

    return kernel


@cache
def _next_hands_kernel() -> Kernel:
    """Fills a block with a hand and its successors in order, and leaves the next one in its place."""

    @jit
    def kernel(hand: Cards, block: Cards) -> None:
        size = len(hand)
        for i in range(len(block)):
            for j in range(size):
                block[i, j] = hand[j]
            place = size - 1
            while place >= 0 and hand[place] == 52 - size + place:
                place -= 1
            if place >= 0:
                hand[place] += 1
                for j in range(place + 1, size):
                    hand[j] = hand[j - 1] + 1

    return kernel
