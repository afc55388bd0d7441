"""The strength of a hand inside other kernels: the looks into `hands.tables` that `hands.batch` makes, for one hand."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import cached_arrays
from croupier.hands.batch import BITS, KEYS
from croupier.hands.tables import five_card_table, flush_table, run_table, six_card_table, three_card_table
from croupier.simulation.kernels.jit import Whole, compiled, u32, u64

__all__ = ["Poker", "Suits", "five_card", "poker_tables", "six_card", "suit_tables", "three_card"]

Array: TypeAlias = NDArray[Any]


class Poker(NamedTuple):
    """The tables of poker hands."""

    keys: Array
    bits: Array
    five_offsets: Array
    five_values: Array
    five_suited: Array
    three_offsets: Array
    three_values: Array
    three_suited: Array
    six_offsets: Array
    six_values: Array
    six_suited: Array


class Suits(NamedTuple):
    """The tables over the ranks of one suit."""

    bits: Array
    flushes: Array
    runs: Array


def poker_tables() -> Poker:
    """The tables of three, five and six cards."""
    return Poker(*cached_arrays(["poker tables"], _poker_tables))


def _poker_tables() -> Poker:
    tables = (five_card_table(), three_card_table(ace_low=True), six_card_table())
    return Poker(
        KEYS.astype(np.uint32),
        BITS,
        *(part for table in tables for part in (table.offsets, table.values, table.suited)),
    )


def suit_tables(*, ace_low: bool) -> Suits:
    """The tables of flushes and of runs."""
    flushes, runs = cached_arrays(["suit tables", ace_low], lambda: [flush_table(), run_table(ace_low=ace_low)])
    return Suits(BITS, flushes, runs)


# Tables are given one by one, and looked into before any condition: what is taken out of a tuple, or used on one way
# only, is counted as held at every call, and that takes longer than the look.


@compiled
def five_card(
    keys: Array, offsets: Array, values: Array, suited: Array, a: Whole, b: Whole, c: Whole, d: Whole, e: Whole
) -> Whole:
    """The strength of five cards."""
    ranks = u32(1) << (a >> 2) | u32(1) << (b >> 2) | u32(1) << (c >> 2)
    ranks |= u32(1) << (d >> 2) | u32(1) << (e >> 2)
    mixed, flush = values[u32(offsets[ranks]) + keys[a] + keys[b] + keys[c] + keys[d] + keys[e]], suited[ranks]
    return mixed if ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3 else flush


@compiled
def three_card(keys: Array, offsets: Array, values: Array, suited: Array, a: Whole, b: Whole, c: Whole) -> Whole:
    """The strength of three cards."""
    ranks = u32(1) << (a >> 2) | u32(1) << (b >> 2) | u32(1) << (c >> 2)
    mixed, flush = values[u32(offsets[ranks]) + keys[a] + keys[b] + keys[c]], suited[ranks]
    return mixed if ((a ^ b) | (a ^ c)) & 3 else flush


@compiled
def six_card(
    keys: Array,
    bits: Array,
    offsets: Array,
    values: Array,
    suited: Array,
    cards: Array,
    one: Whole,
    own: Whole,
    box: Whole,
    mine: Whole,
) -> Whole:
    """The strength of six cards of a round: so many of one's own from `own` on, the others from `box` on."""
    held, counts, place = u64(0), u32(0), u32(0)
    for j in range(6):
        card = cards[own + j, one] if j < mine else cards[box + j - mine, one]
        held |= bits[card]
        counts += u32(1) << u32((card & 3) << 2)
        place += keys[card]
    flush = u64(0)
    for suit in range(4):
        if counts >> u32(4 * suit) & u32(15) >= 5:
            flush = held >> u64(16 * suit) & u64(0x1FFF)
    held |= held >> u64(32)
    mixed, same = values[place + offsets[(held | held >> u64(16)) & u64(0x1FFF)]], suited[flush]
    return same if flush else mixed
