"""Tables of High Card Flush, compiled.

Which cards go where: the shuffled deck gives the dealer's seven cards first, then the hands by number of seat. Dealt in
any other order every hand would be as likely; so one more seat leaves the cards of the others.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.kernels.decision_tables import COUNT_DEALER, FlushActs
from croupier.simulation.kernels.jit import (
    SOURCES,
    Kernel,
    Whole,
    compiled,
    compiled_and_kept,
    compiled_apart,
    i64,
    u64,
)
from croupier.simulation.kernels.judging import Suits
from croupier.simulation.kernels.prizes import BATCH, Prizes, Room, count_ends
from croupier.simulation.kernels.settling import EQUAL, HIGHER, LOWER, UNQUALIFIED
from croupier.simulation.kernels.streams import MOST_CARDS, bounded, deal, make_deal
from croupier.simulation.kernels.streets import MILLION

__all__ = ["Flushes", "Hands", "decide_flushes", "flushes_kernel", "judge_flushes", "make_hands", "see_hands"]

Array: TypeAlias = NDArray[Any]

SEVEN: Final = 7
_BITS: Final = 13
_EVERY_RANK: Final = (1 << _BITS) - 1
_CHOOSE: Final = np.array([[comb(n, k) for k in range(8)] for n in range(_BITS + 1)])
_COUNT: Final = np.array([held.bit_count() for held in range(1 << _BITS)], dtype=np.uint8)
_DEALER_HANDS: Final = comb(45, 7)


class Flushes(NamedTuple):
    """A table of High Card Flush."""

    suits: Suits
    acts: FlushActs
    prizes: Prizes
    flush: Array
    """Classes by length of the flush."""
    run: Array
    """Classes by strength of the run, and by four of a kind."""
    flush_size: int
    seats: int
    cards: int
    most: Array
    """The largest raise by length of the flush."""
    qualifier: int
    mistakes: int
    metered: bool


class Hands(NamedTuple):
    """What the hands of a batch of rounds hold, `[hand, round]`, the dealer's first."""

    held: Array
    """The ranks held in each suit, 16 bits a suit."""
    best: Array
    """The strength of the longest flush."""


@compiled
def make_hands(seats: Whole, rounds: Whole) -> Hands:
    """Room for the hands of a batch of rounds."""
    return Hands(np.zeros((seats + 1, rounds), dtype=np.uint64), np.zeros((seats + 1, rounds), dtype=np.int64))


@compiled
def _hold(held: Array, cards: Array) -> None:
    for lane in range(len(held)):
        held[lane] |= u64(1) << (u64(cards[lane] & 3) << u64(4) | u64(cards[lane] >> 2))


@compiled_apart
def see_hands(table: Flushes, rounds: Whole, cards: Array, hands: Hands) -> None:
    """Look at the dealer's hand and those of all seats."""
    flushes = table.suits.flushes
    for hand in range(table.seats + 1):
        held, best = hands.held[hand], hands.best[hand]
        for lane in range(rounds):
            held[lane] = 0
        for place in range(SEVEN * hand, SEVEN * hand + SEVEN):
            _hold(held, cards[place])
        for lane in range(rounds):
            best[lane] = _best(flushes, held[lane])


@compiled
def _best(table: Array, held: Whole) -> Whole:
    """The strongest of the four suits."""
    best = 0
    for suit in range(4):
        best = max(best, i64(table[held >> u64(16 * suit) & u64(0x1FFF)]))
    return best


@compiled
def _has_quads(held: Whole) -> Whole:
    """Whether one rank is held in all four suits."""
    two = held & held >> u64(32)
    return two & two >> u64(16) & u64(0x1FFF) != 0


@compiled
def _sets_below(left: Whole, size: Whole, bar: Whole) -> Whole:
    """How many sets of this many of the ranks left are, read as numbers, less than the bar."""
    sets = 0
    for rank in range(_BITS - 1, -1, -1):
        if bar >> rank & 1:
            sets += _CHOOSE[_COUNT[left & (1 << rank) - 1], size]  # sets that first fall short at this rank
            size -= 1
            if size < 0 or not left >> rank & 1:
                break
    return sets


@compiled_apart
def _hands_below(held: Whole, bar: Whole, ways: Array) -> Whole:
    """How many seven cards, of those that are not held, have a strength below the bar."""
    length = bar >> _BITS
    for size in range(8):
        ways[size] = 0
    ways[0] = 1
    for suit in range(4):
        left = _EVERY_RANK & ~i64(held >> u64(16 * suit) & u64(0x1FFF))
        count, at_bar = _COUNT[left], _sets_below(left, length, bar & _EVERY_RANK)
        for total in range(7, -1, -1):  # downwards, so that what is read has not been written yet
            counted = ways[total - length] * at_bar if total >= length else 0
            for size in range(min(length, total + 1)):
                counted += ways[total - size] * _CHOOSE[count, size]
            ways[total] = counted
    return ways[7]


@compiled_apart
def best_raise(qualifier: Whole, most: Whole, held: Whole, own: Whole) -> Whole:
    """Best play by counting the dealer's hands, as `analysis.flush_sums` does; of equals the largest raise."""
    ways = np.zeros(8, dtype=np.int64)
    unqualified = _hands_below(held, qualifier, ways)
    lower = not_higher = unqualified
    if own >= qualifier:
        lower, not_higher = _hands_below(held, own, ways), _hands_below(held, own + 1, ways)
    lead = lower - unqualified - (_DEALER_HANDS - not_higher)
    times = most if lead >= 0 else 1
    return times if unqualified + (1 + times) * lead + _DEALER_HANDS >= 0 else 0


@compiled_apart
def decide_flushes(
    table: Flushes, seed: Whole, start: Whole, rounds: Whole, cards: Array, hands: Hands, paths: Array
) -> None:
    """`paths[seat, round]`: how many antes a seat raises; nothing is a fold."""
    raises, least, limits = table.acts.raises, table.acts.least, table.most
    for seat in range(table.seats):
        best, times = hands.best[seat + 1], paths[seat]
        for lane in range(rounds):
            times[lane] = raises[best[lane]]
        if table.acts.by_flush:
            for lane in range(rounds):
                if times[lane] == COUNT_DEALER:
                    most = limits[best[lane] >> _BITS]
                    times[lane] = best_raise(table.qualifier, most, hands.held[seat + 1, lane], best[lane])
        else:
            for lane in range(rounds):
                high_cards = 0
                for place in range(SEVEN * (seat + 1), SEVEN * (seat + 2)):
                    high_cards += (cards[place, lane] >> 2) + 2 >= table.acts.high
                times[lane] = limits[best[lane] >> _BITS] if best[lane] >= least[high_cards] else 0
        if table.mistakes:
            for lane in range(rounds):
                number = start + u64(lane)
                drawn, word = bounded(seed, seat + 1, number, 0, MILLION)
                if drawn < table.mistakes:
                    times[lane], word = bounded(seed, seat + 1, number, word, limits[best[lane] >> _BITS] + 1)


@compiled_apart
def judge_flushes(table: Flushes, rounds: Whole, hands: Hands, room: Room) -> None:
    """`room.codes[seat, round]`: the ends of rounds from their hands and raises."""
    runs, by_length, by_run, dealers = table.suits.runs, table.flush, table.run, hands.best[0]
    for seat in range(table.seats):
        hand, best, paths = hands.held[seat + 1], hands.best[seat + 1], room.paths[seat]
        codes, classes, folds = room.codes[seat], room.classes[seat], room.folded[seat]
        for lane in range(rounds):
            held, own, dealer, times = hand[lane], best[lane], dealers[lane], paths[lane]
            versus = LOWER if own > dealer else EQUAL if own == dealer else HIGHER
            versus = UNQUALIFIED if dealer < table.qualifier else versus
            versus = versus if times else LOWER
            flush = i64(by_length[own >> _BITS])
            run = i64(by_run[_best(runs, held), i64(_has_quads(held))])
            codes[lane] = times + 4 * (versus + 4 * (flush + table.flush_size * run))
            classes[lane], folds[lane] = run, times == 0


@cache
def flushes_kernel() -> Kernel:
    """The same as `streets_kernel` for High Card Flush."""
    sources = SOURCES

    @compiled_and_kept
    def kernel(
        table: Flushes, seed: Whole, start: Whole, rounds: Whole, room: Room, counts: Array, events: Array
    ) -> tuple[int, int]:
        dealing, cards = make_deal(BATCH), np.zeros((MOST_CARDS, BATCH), dtype=np.uint8)
        hands = make_hands(table.seats, BATCH)
        written, done = i64(0), i64(0)
        full = len(events) - BATCH * table.seats * table.seats * (sources > 0)
        while done < rounds and written <= full:
            some, number = min(BATCH, rounds - done), start + u64(done)
            deal(seed, number, some, table.cards, dealing, cards)
            see_hands(table, some, cards, hands)
            decide_flushes(table, seed, number, some, cards, hands, room.paths)
            judge_flushes(table, some, hands, room)
            written = count_ends(table.prizes, table.metered, number, some, room, counts, events, written)
            done += some
        return done, written

    return kernel
