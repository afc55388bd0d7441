"""High Card Flush: the sums over all hands of the player, compiled.

The player's hand is his flush and the ranks that he holds in the three other suits, the sides. To the counts of
the dealer's hands a side matters only by its size and by how many sets of the ranks that it leaves lie below three
bars: the player's strength, the next above it, and the qualifier. So for each flush the sides are sorted into the
few kinds that differ in this, and the sum goes over triples of kinds: some 470,000 in place of 133,784,560 hands.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.flush.dealer_hands import DEALER_HANDS
from croupier.cards import RANKS
from croupier.hands.batch import jit

__all__ = ["sum_flushes"]

Array: TypeAlias = NDArray[np.int64]
Three: TypeAlias = tuple[int, int, int]

# Compiled in as constants, and so made of nothing that could change while this file does not.
_BITS: Final = len(RANKS)
_EVERY_RANK: Final = (1 << _BITS) - 1
_SIZES: Final = 4  # of seven cards the second longest suit has 0 to 3
_SIDES: Final = np.array(sorted((held for held in range(1 << _BITS) if held.bit_count() < _SIZES), key=int.bit_count))
_FIRST: Final = np.cumsum([0, *(comb(_BITS, size) for size in range(_SIZES))])
_COUNT: Final = np.array([held.bit_count() for held in range(1 << _BITS)])
_CHOOSE: Final = np.array([[comb(n, k) for k in range(8)] for n in range(_BITS + 1)])
_TWIN: Final = _SIZES + 1
_MARKED, _ALIKE = 3, 4


class _Game(NamedTuple):
    strengths: Array
    qualifier: int
    most: Array
    more: bool
    marked: int


class _Sums(NamedTuple):
    tallies: Array
    standings: Array


class _Room(NamedTuple):
    """Where the kernels work, one flush after the other."""

    unqualified: Array  # for each side, the sets that it leaves below the qualifier
    kinds: Array  # the sets that a kind of side leaves below each bar, its marked cards, how many sides are of it
    starts: Array  # where the kinds of each size begin, and last the kind that is the flush once more
    ways: Array  # of the dealer to have 0 to 7 cards, below each bar, of no suit, one, two, three


def sum_flushes(
    strengths: Array, qualifier: int, most: Array, *, more: bool = True, marked: int = 0
) -> tuple[Array, Array]:
    """Sums over the hands of each flush.

    The first has `[flush, best action, marked cards]` the hands, and the dealer's hands that are unqualified, lower,
    equal, higher; the actions are to fold, to raise one ante, to raise the most above one, and the marked cards of
    a hand are those of a set of ranks, one bit each. The second has `[flush]` the dealer's hands below, equal and
    above, whether they qualify or not.
    """
    sums = _Sums(_zeros(len(strengths), 3, 8, 5), _zeros(len(strengths), 3))
    room = _Room(_zeros(len(_SIDES)), _zeros(5, len(_SIDES)), _zeros(_TWIN + 1), _zeros(4, 3, 8))
    _sum_flushes(_Game(strengths, qualifier, most, more, marked), room, sums)
    return sums.tallies, sums.standings


def _zeros(*shape: int) -> Array:
    return np.zeros(shape, dtype=np.int64)


@jit
def _sum_flushes(game: _Game, room: _Room, sums: _Sums) -> None:
    held, below = np.empty(1, dtype=np.int64), np.empty((3, 1), dtype=np.int64)
    _sets_below(_SIDES, game.qualifier, room.unqualified)
    for flush, own in enumerate(game.strengths):
        bars = (own, own + 1, game.qualifier)
        held[0] = own & _EVERY_RANK
        for column in range(3):
            room.ways[0, column, 0] = 1
            _sets_below(held, bars[column], below[column])
        _add_suit(room.ways[0], bars, own >> _BITS, below[:, 0], room.ways[1])
        _sort_sides(game, own, room)
        for shortest in range(_SIZES):
            for middle in range(shortest, _SIZES):
                sizes = (shortest, middle, 7 - (own >> _BITS) - shortest - middle)
                if middle <= sizes[2] < _SIZES:
                    _sum_sides(game, flush, sizes, room, sums)


@jit
def _sum_sides(game: _Game, flush: int, sizes: Three, room: _Room, sums: _Sums) -> None:
    """Add the hands whose sides have these sizes, shortest first."""
    own, ways, kinds, starts = game.strengths[flush], room.ways, room.kinds, room.starts
    bars, twin, own_marked = (own, own + 1, game.qualifier), starts[_TWIN], _COUNT[own & game.marked]
    one, two, three = sizes
    base, step = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64)
    for a in range(starts[one], starts[one + 1]):
        _add_suit(ways[1], bars, one, kinds[:, a], ways[2])
        for b in range(max(a, starts[two]), starts[two + 1]):
            _add_suit(ways[2], bars, two, kinds[:, b], ways[3])
            for column in range(3):
                length = bars[column] >> _BITS
                base[column], step[column] = 0, ways[3, column, 7 - length]
                for size in range(length):
                    base[column] += ways[3, column, 7 - size] * _CHOOSE[_BITS - three, size]
            for c in range(max(b, starts[three]), starts[three + 1]):
                # Each order of the sides is a hand; one that holds the flush in several suits was met for each.
                orders = 1 if a == b == c else 3 if b in (a, c) else 6
                holders = 1 + (a == twin) + (b == twin) + (c == twin)
                hands = 4 * orders * kinds[_ALIKE, a] * kinds[_ALIKE, b] * kinds[_ALIKE, c] // holders
                lower, not_higher = base[0] + step[0] * kinds[0, c], base[1] + step[1] * kinds[1, c]
                place = (flush, own_marked + kinds[_MARKED, a] + kinds[_MARKED, b] + kinds[_MARKED, c])
                _add_hands(game, place, hands, (base[2] + step[2] * kinds[2, c], lower, not_higher), sums)


@jit
def _add_hands(game: _Game, place: tuple[int, int], hands: int, counts: Three, sums: _Sums) -> None:
    """Add hands, with the dealer's hands below the bars, where their best action is counted."""
    flush, marked = place
    unqualified, lower, not_higher = counts
    sums.standings[flush, 0] += hands * lower
    sums.standings[flush, 1] += hands * (not_higher - lower)
    sums.standings[flush, 2] += hands * (DEALER_HANDS - not_higher)
    if game.strengths[flush] < game.qualifier:
        lower = not_higher = unqualified
    lead = lower - unqualified - (DEALER_HANDS - not_higher)
    most = game.most[game.strengths[flush] >> _BITS]
    times = most if lead > 0 or (lead == 0 and game.more) else 1
    gain = unqualified + (1 + times) * lead + DEALER_HANDS  # over a fold, which loses the ante to every hand
    action = 0
    if gain > 0 or (gain == 0 and game.more):
        action = 1 if times == 1 else 2
    tally = sums.tallies[flush, action, marked]
    tally[0] += hands
    tally[1] += hands * unqualified
    tally[2] += hands * (lower - unqualified)
    tally[3] += hands * (not_higher - lower)
    tally[4] += hands * (DEALER_HANDS - not_higher)


@jit
def _sort_sides(game: _Game, own: int, room: _Room) -> None:
    """Sort the sides that a flush may have into kinds, of which the flush once more is one."""
    kinds, starts = room.kinds, room.starts
    length, flush = own >> _BITS, own & _EVERY_RANK
    longest = min(length, 7 - length)
    lower = np.empty(_FIRST[longest + 1], dtype=np.int64)
    _sets_below(_SIDES[: len(lower)], own, lower)
    found, starts[_TWIN] = 0, -1
    for size in range(_SIZES):
        starts[size] = found
        for side in range(_FIRST[size], _FIRST[size + 1]):
            if size > longest or (size == length and _SIDES[side] > flush):
                break
            held = _SIDES[side]
            new = (lower[side], lower[side] + (held & flush == 0), room.unqualified[side], _COUNT[held & game.marked])
            kind = starts[size]
            while kind < found and (kinds[0, kind], kinds[1, kind], kinds[2, kind], kinds[_MARKED, kind]) != new:
                kind += 1
            if held == flush:
                kind = starts[_TWIN] = found
            if kind == found:
                kinds[0, kind], kinds[1, kind], kinds[2, kind], kinds[_MARKED, kind] = new
                kinds[_ALIKE, kind] = 0
                found += 1
            kinds[_ALIKE, kind] += 1
    starts[_SIZES] = found


@jit
def _sets_below(held: Array, bar: int, below: Array) -> None:
    """How many sets of the ranks that each leaves lie, as flushes of the bar's length, below it."""
    for place, ranks in enumerate(held):
        left, need, found = _EVERY_RANK & ~ranks, bar >> _BITS, 0
        for rank in range(_BITS - 1, -1, -1):
            if bar >> rank & 1:
                found += _CHOOSE[_COUNT[left & (1 << rank) - 1], need]  # sets that first fall short at this rank
                need -= 1
                if need < 0 or not left >> rank & 1:
                    break
        below[place] = found


@jit
def _add_suit(ways: Array, bars: Three, held: int, below: Array, more_ways: Array) -> None:
    """Let the dealer take cards of one suit more, of which the player holds some."""
    for column in range(3):
        length = bars[column] >> _BITS
        for total in range(8):
            found = ways[column, total - length] * below[column] if total >= length else 0
            for size in range(min(length, total + 1)):
                found += ways[column, total - size] * _CHOOSE[_BITS - held, size]
            more_ways[column, total] = found
