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
from croupier.simulation.kernels.decision_tables import StreetActs
from croupier.simulation.kernels.jit import (
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
from croupier.simulation.kernels.judging import Poker, five_card, six_card, three_card
from croupier.simulation.kernels.prizes import BATCH, Prizes, Room, count_ends
from croupier.simulation.kernels.streams import MOST_CARDS, bounded, deal, make_deal

__all__ = ["MILLION", "StreetTable", "decide_streets", "judge_streets", "streets_kernel"]

Array: TypeAlias = NDArray[Any]

MILLION: Final = 1_000_000
_TWO: Final = np.array([comb(card, 2) for card in DECK], dtype=np.uint32)
_THREE: Final = np.array([comb(card, 3) for card in DECK], dtype=np.uint32)
_FOUR: Final = np.array([comb(card, 4) for card in DECK], dtype=np.uint32)


class StreetTable(NamedTuple):
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
def _draw_mistakes(table: StreetTable, seat: Whole, seed: Whole, start: Whole, rounds: Whole, chances: Array) -> None:
    """`chances[decision, round]`: an action that chance takes in place of the player, or -1."""
    for lane in range(rounds):
        number, word = start + u64(lane), 0
        for decision in range(table.own - 2, 3):
            drawn, word = bounded(seed, seat + 1, number, word, MILLION)
            chances[decision, lane] = -1
            if drawn < table.mistakes:
                act, word = bounded(seed, seat + 1, number, word, len(table.adds) - table.least)
                chances[decision, lane] = act + table.least


@compiled
def _either(chance: Whole, meant: Whole) -> Whole:
    """What chance takes, or else what was meant."""
    return u32(chance) if chance >= 0 else u32(meant)


@compiled
def _decide(
    table: StreetTable, of_own: Whole, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array
) -> None:
    """Every action is looked up, also behind a fold, where it comes to nothing: a jump would be slower.

    How many cards are one's own is known when this is compiled.
    """
    twos, threes, fours, rows, adds = table.acts.two, table.acts.three, table.acts.four, table.acts.rows, table.adds
    chances = np.full((3, rounds), -1, dtype=np.int8)
    for seat in range(table.seats):
        if table.mistakes:
            _draw_mistakes(table, seat, seed, start, rounds, chances)
        own = table.board + seat * of_own
        first, second, later, last, path_of = cards[own], cards[own + 1], cards[0], cards[1], paths[seat]
        if of_own == 3:
            later, last = cards[own + 2], cards[0]
        for lane in range(rounds):
            staked, path, shift, going_on = u32(1), u32(0), u32(0), u32(1)
            a, b, third, fourth = u32(first[lane]), u32(second[lane]), u32(later[lane]), u32(last[lane])
            low, high = min(a, b), max(a, b)
            if of_own == 2:
                act = rows[twos[low + _TWO[high]]] >> u32(2) & u32(3)
                act = _either(chances[0, lane], act)
                staked, path, shift, going_on = staked + adds[act], act, u32(2), u32(act > 0)
            low, top = min(low, third), max(low, third)
            middle, high = min(top, high), max(top, high)
            act = rows[threes[low + _TWO[middle] + _THREE[high]]] >> u32(2) * staked & u32(3)
            act = _either(chances[1, lane], act)
            act *= going_on
            staked, path, shift, going_on = staked + adds[act], path | act << shift, shift + u32(2), u32(act > 0)
            low, top = min(low, fourth), max(low, fourth)
            middle, top = min(top, middle), max(top, middle)
            upper, high = min(top, high), max(top, high)
            act = rows[fours[low + _TWO[middle] + _THREE[upper] + _FOUR[high]]] >> u32(2) * staked & u32(3)
            act = _either(chances[2, lane], act)
            path_of[lane] = path | act * going_on << shift


@compiled_apart
def decide_streets(table: StreetTable, seed: Whole, start: Whole, rounds: Whole, cards: Array, paths: Array) -> None:
    """`paths[seat, round]`: the actions, two bits each, the first lowest; nothing follows a fold."""
    if table.own == 2:
        _decide(table, 2, seed, start, rounds, cards, paths)
    else:
        _decide(table, 3, seed, start, rounds, cards, paths)


@compiled_apart
def judge_streets(table: StreetTable, rounds: Whole, cards: Array, room: Room) -> None:
    """`room.codes[seat, round]`: the ends of rounds from their cards and paths."""
    by_six = 64 * table.sizes[0] * table.sizes[1]
    for lane in range(rounds):
        room.best[lane] = -1
    for seat in range(table.seats):
        own = table.board + seat * table.own
        _judge_five(table, seat, rounds, cards, cards[own + 2] if table.own == 3 else cards[2], room)
        if table.three_used:
            if table.three_own:
                _judge_three(table, rounds, cards[own], cards[own + 1], cards[own + 2], room.codes[seat])
            else:
                _judge_three(table, rounds, cards[0], cards[1], cards[2], room.codes[seat])
            if table.metered == 1:
                for lane in range(rounds):
                    room.classes[seat, lane] = room.codes[seat, lane] // (64 * table.sizes[0]) % table.sizes[1]
        if table.six_used:
            _judge_six(table, by_six, own, rounds, cards, room.codes[seat])
    if table.cover_used:
        for seat in range(table.seats):
            for lane in range(rounds):
                best = room.best[lane]
                cover = table.no_cover if best < 0 else i64(table.cover[best])
                room.codes[seat, lane] += by_six * table.sizes[2] * cover


@compiled
def _judge_five(table: StreetTable, seat: Whole, rounds: Whole, cards: Array, last: Array, room: Room) -> None:
    keys, offsets, values = table.poker.keys, table.poker.five_offsets, table.poker.five_values
    suited, fives, look_folded = table.poker.five_suited, table.five, table.look_folded
    own = table.board + seat * table.own
    paths, codes, classes, folds = room.paths[seat], room.codes[seat], room.classes[seat], room.folded[seat]
    bar = 16 if table.least == 0 else 0  # a path without a fold has an action for each decision
    a, b, c, d = cards[0], cards[1], cards[own], cards[own + 1]
    for lane in range(rounds):
        path = paths[lane]
        strength = five_card(keys, offsets, values, suited, a[lane], b[lane], c[lane], d[lane], last[lane])
        five = i64(fives[strength]) * (path >= bar or look_folded)
        codes[lane], classes[lane], folds[lane] = path + 64 * five, five, path < bar
        if table.cover_used and (path >= bar or table.count_folded):
            room.best[lane] = max(room.best[lane], i64(strength))


@compiled
def _judge_three(table: StreetTable, rounds: Whole, a: Array, b: Array, c: Array, codes: Array) -> None:
    keys, offsets, values = table.poker.keys, table.poker.three_offsets, table.poker.three_values
    suited, threes, by_three = table.poker.three_suited, table.three, 64 * table.sizes[0]
    for lane in range(rounds):
        strength = three_card(keys, offsets, values, suited, a[lane], b[lane], c[lane])
        codes[lane] += by_three * i64(threes[strength, a[lane] & 3])


@compiled
def _judge_six(table: StreetTable, by_six: Whole, own: Whole, rounds: Whole, cards: Array, codes: Array) -> None:
    keys, bits, offsets = table.poker.keys, table.poker.bits, table.poker.six_offsets
    values, suited, sixes = table.poker.six_values, table.poker.six_suited, table.six
    box, mine = table.board + table.seats * table.own, table.own
    for lane in range(rounds):
        strength = six_card(keys, bits, offsets, values, suited, cards, lane, own, box, mine)
        codes[lane] += by_six * i64(sixes[strength, cards[own, lane] & 3])


@cache
def streets_kernel() -> Kernel:
    """`(table, seed, start, rounds, room, counts, events)`: plays, adds to `counts[seat, end]` and writes `events`.

    It stops when there may be no room for the events of one more batch of rounds, and gives the rounds played and the
    rows written.
    """
    sources = SOURCES

    @compiled_and_kept
    def kernel(
        table: StreetTable, seed: Whole, start: Whole, rounds: Whole, room: Room, counts: Array, events: Array
    ) -> tuple[int, int]:
        dealing, cards = make_deal(BATCH), np.zeros((MOST_CARDS, BATCH), dtype=np.uint8)
        written, done = i64(0), i64(0)
        full = len(events) - BATCH * table.seats * table.seats * (sources > 0)
        while done < rounds and written <= full:
            some, number = min(BATCH, rounds - done), start + u64(done)
            deal(seed, number, some, table.cards, dealing, cards)
            decide_streets(table, seed, number, some, cards, room.paths)
            judge_streets(table, some, cards, room)
            written = count_ends(table.prizes, table.metered >= 0, number, some, room, counts, events, written)
            done += some
        return done, written

    return kernel
