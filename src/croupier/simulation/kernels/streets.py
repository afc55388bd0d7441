"""Tables of Mississippi Stud and Let It Ride, compiled.

Which cards go where: the shuffled deck gives the community cards first, then the hands by number of seat, last the
six-card box. Dealt in any other order every hand would be as likely; so one more seat leaves the cards of the others.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK
from croupier.simulation.compiled import (
    SOURCES,
    Kernel,
    Whole,
    compiled,
    compiled_and_kept,
    compiled_apart,
    i64,
    u32,
    u64,
)
from croupier.simulation.decisions import StreetActs
from croupier.simulation.kernels.events import BATCH, Prizes, Room, count_ends
from croupier.simulation.kernels.judging import Poker, five_card, six_card, three_card
from croupier.simulation.streams import MOST_CARDS, bounded, deal, make_deal

__all__ = ["MILLION", "Streets", "decide_streets", "judge_streets", "streets_kernel"]

Array: TypeAlias = NDArray[Any]

MILLION: Final = 1_000_000
_TWO: Final = np.array([comb(card, 2) for card in DECK], dtype=np.uint32)
_THREE: Final = np.array([comb(card, 3) for card in DECK], dtype=np.uint32)
_FOUR: Final = np.array([comb(card, 4) for card in DECK], dtype=np.uint32)


class Streets(NamedTuple):
    """A table of a game of streets."""

    poker: Poker
    acts: StreetActs
    prizes: Prizes
    five: Array
    three: Array
    six: Array
    cover: Array
    """Classes by strength, and by suit of the first card of three and six."""
    sizes: Array
    """How many classes each of the four has."""
    seats: int
    own: int
    board: int
    cards: int
    """How many are dealt in all."""
    adds: Array
    """By action: bets added."""
    least: int
    """The first legal action: 0 where there is a fold."""
    mistakes: int
    look_folded: bool
    """Whether the cards of a folder still matter."""
    three_own: bool
    six_used: bool
    three_used: bool
    cover_used: bool
    count_folded: bool
    no_cover: int
    """The class of Cover All when no hand counts."""
    metered: int
    """The number of the source that meters and envy look at, or -1."""


@compiled_apart
def _by_mistake(
    mistakes: Whole, least: Whole, actions: Whole, seed: Whole, number: Whole, seat: Whole, word: Whole, act: Whole
) -> tuple[Whole, Whole]:
    """A random action or the one that was meant; and the place of the next random word."""
    drawn, word = bounded(seed, seat + 1, number, word, MILLION)
    if drawn >= mistakes:
        return act, word
    chance, word = bounded(seed, seat + 1, number, word, actions - least)
    return u32(chance + least), word


@compiled
def _decide(
    table: Streets, of_own: Whole, mistakes: Whole, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array
) -> None:
    """Every action is looked up, also behind a fold, where it comes to nothing: a jump would be slower."""
    twos, threes, fours, rows, adds = table.acts.two, table.acts.three, table.acts.four, table.acts.rows, table.adds
    least, actions, board = table.least, len(table.adds), table.board
    for one in range(rounds):
        number = start + u64(one)
        for seat in range(table.seats):
            own, word, staked, path, shift = u64(board + seat * of_own), 0, u32(1), u32(0), u32(0)
            a, b = u32(cards[own, one]), u32(cards[own + u64(1), one])
            low, high = min(a, b), max(a, b)
            third, fourth, going_on = u32(cards[own + u64(2), one]), u32(cards[0, one]), u32(1)
            if of_own == 2:
                act = rows[twos[low + _TWO[high]]] >> u32(2) & u32(3)
                if mistakes:
                    act, word = _by_mistake(mistakes, least, actions, seed, number, seat, word, act)
                staked, path, shift, going_on = staked + adds[act], act, u32(2), u32(act > 0)
                third, fourth = fourth, u32(cards[1, one])
            low, top = min(low, third), max(low, third)
            middle, high = min(top, high), max(top, high)
            act = rows[threes[low + _TWO[middle] + _THREE[high]]] >> u32(2) * staked & u32(3)
            if mistakes:
                act, word = _by_mistake(mistakes, least, actions, seed, number, seat, word, act)
            act *= going_on
            staked, path, shift, going_on = staked + adds[act], path | act << shift, shift + u32(2), u32(act > 0)
            low, top = min(low, fourth), max(low, fourth)
            middle, top = min(top, middle), max(top, middle)
            upper, high = min(top, high), max(top, high)
            act = rows[fours[low + _TWO[middle] + _THREE[upper] + _FOUR[high]]] >> u32(2) * staked & u32(3)
            if mistakes:
                act, word = _by_mistake(mistakes, least, actions, seed, number, seat, word, act)
            paths[one, seat] = path | act * going_on << shift


@compiled
def decide_streets(table: Streets, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array) -> None:
    """`paths[round, seat]`: the actions, two bits each, the first lowest; nothing follows a fold."""
    if table.mistakes:
        _decide(table, table.own, table.mistakes, seed, start, rounds, cards, paths)
    elif table.own == 2:  # what is known beforehand makes a shorter loop
        _decide(table, 2, 0, seed, start, rounds, cards, paths)
    else:
        _decide(table, 3, 0, seed, start, rounds, cards, paths)


@compiled
def _judge(
    table: Streets,
    mine: Whole,
    three_used: Whole,
    six_used: Whole,
    cover_used: Whole,
    rounds: Whole,
    cards: Array,
    room: Room,
) -> None:
    keys, bits = table.poker.keys, table.poker.bits
    offsets5, values5, suited5 = table.poker.five_offsets, table.poker.five_values, table.poker.five_suited
    offsets3, values3, suited3 = table.poker.three_offsets, table.poker.three_values, table.poker.three_suited
    offsets6, values6, suited6 = table.poker.six_offsets, table.poker.six_values, table.poker.six_suited
    fives, threes, sixes, covers = table.five, table.three, table.six, table.cover
    paths, codes, classes, folds = room.paths, room.codes, room.classes, room.folded
    box = table.board + table.seats * mine
    by_three = 64 * table.sizes[0]
    by_six = by_three * table.sizes[1]
    by_cover = by_six * table.sizes[2]
    bar = 16 if table.least == 0 else 0  # a path without a fold has an action for each decision
    for one in range(rounds):
        three, best = i64(0), i64(-1)
        a, b = cards[0, one], cards[1, one]
        if three_used and not table.three_own:
            three = i64(threes[three_card(keys, offsets3, values3, suited3, a, b, cards[2, one]), a & 3])
        for seat in range(table.seats):
            own, path = u64(table.board + seat * mine), paths[one, seat]
            folded = path < bar
            c, d = cards[own, one], cards[own + u64(1), one]
            e = cards[own + u64(2), one] if mine == 3 else cards[2, one]
            strength = five_card(keys, offsets5, values5, suited5, a, b, c, d, e)
            five = i64(fives[strength]) * (not folded or table.look_folded)
            if cover_used and (not folded or table.count_folded):
                best = max(best, i64(strength))
            if three_used and table.three_own:
                three = i64(threes[three_card(keys, offsets3, values3, suited3, c, d, e), c & 3])
            code = path + 64 * five + by_three * three
            if six_used:
                strength = six_card(keys, bits, offsets6, values6, suited6, cards, one, own, box, mine)
                code += by_six * i64(sixes[strength, c & 3])
            codes[one, seat], folds[one, seat] = code, folded
            classes[one, seat] = five if table.metered == 0 else three
        if cover_used:
            cover = table.no_cover if best < 0 else i64(covers[best])
            for seat in range(table.seats):
                codes[one, seat] += by_cover * cover


@compiled
def judge_streets(table: Streets, rounds: Whole, cards: Array, room: Room) -> None:
    """`room.codes[round, seat]`: the ends of rounds from their cards and paths."""
    if table.three_used or table.six_used or table.cover_used:
        _judge(table, table.own, table.three_used, table.six_used, table.cover_used, rounds, cards, room)
    elif table.own == 2:
        _judge(table, 2, False, False, False, rounds, cards, room)
    else:
        _judge(table, 3, False, False, False, rounds, cards, room)


@cache
def streets_kernel() -> Kernel:
    """`(table, seed, start, rounds, room, counts, events)`: plays, adds to `counts[seat, end]` and writes `events`.

    It stops when there may be no room for the events of one more batch of rounds, and gives the rounds played and the
    rows written.
    """
    sources = SOURCES

    @compiled_and_kept
    def kernel(
        table: Streets, seed: Whole, start: Whole, rounds: Whole, room: Room, counts: Array, events: Array
    ) -> tuple[int, int]:
        dealing, cards = make_deal(BATCH), np.zeros((MOST_CARDS, BATCH), dtype=np.uint8)
        found, done = 0, 0
        full = len(events) - BATCH * table.seats * table.seats * (sources > 0)
        while done < rounds and found <= full:
            some, number = min(BATCH, rounds - done), start + u64(done)
            deal(seed, number, some, table.cards, dealing, cards)
            decide_streets(table, seed, number, some, cards, room.paths)
            judge_streets(table, some, cards, room)
            found = count_ends(table.prizes, table.metered >= 0, number, some, room, counts, events, found)
            done += some
        return done, found

    return kernel
