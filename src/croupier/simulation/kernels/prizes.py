"""What a round pays beside its ends: shares of meters and envy, one row each, in settlement order, compiled."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.simulation.kernels.jit import Whole, compiled, compiled_apart, i64

__all__ = ["BATCH", "COLUMNS", "ENVY", "SHARE", "Prizes", "Room", "count_ends", "make_room"]

Array: TypeAlias = NDArray[Any]

COLUMNS: Final = 6
"""Round, place of the seat, kind, then meter and percent, or place of the holder and cents; last the seat's end."""
SHARE, ENVY = 0, 1
BATCH: Final = 256
"""How many rounds are dealt, decided and judged at a time."""


class Room(NamedTuple):
    """Where a kernel works: `[seat, round of the batch]`."""

    paths: Array
    codes: Array
    classes: Array
    folded: Array
    best: Array
    """`[round]`: the best hand at the table, where somebody bets on it."""


def make_room(seats: Whole, rounds: int = BATCH) -> Room:
    """Room for a batch of rounds at a table."""
    paths, codes, classes = np.zeros((3, seats, rounds), dtype=np.int64)
    return Room(paths, codes, classes, np.zeros((seats, rounds), dtype=np.bool_), np.zeros(rounds, dtype=np.int64))


class Prizes(NamedTuple):
    """Who may win what."""

    share: Array
    meter: Array
    envy: Array
    """All three by class of the metered source."""
    bets: Array
    """By seat: whether the metered wager is staked."""
    patrons: Array
    forfeits: bool
    """Whether a folder loses the metered wager."""
    after_fold: bool
    """Whether a folder is paid envy."""
    folded_holder: bool
    """Whether the hand of a folder who staked can bring envy to others."""
    must_bet: bool
    """Whether a hand brings envy only when its holder staked."""


@compiled_apart
def _pay_prizes(
    prizes: Prizes,
    number: Whole,
    lane: Whole,
    classes: Array,
    folded: Array,
    codes: Array,
    events: Array,
    written: Whole,
) -> Whole:
    """Add the rows of a round, from the dealer's right; `classes`, `folded` and `codes` are `[seat, round]`."""
    seats = len(prizes.bets)
    any_envy = False
    for seat in range(seats - 1, -1, -1):
        kind = classes[seat, lane]
        if prizes.share[kind] and prizes.bets[seat] and not (folded[seat, lane] and prizes.forfeits):
            row = events[written]
            row[0], row[1], row[2] = number, seat, SHARE
            row[3], row[4], row[5] = prizes.meter[kind], prizes.share[kind], codes[seat, lane]
            written += 1
        any_envy |= prizes.envy[kind] > 0
    if not any_envy:
        return written
    for seat in range(seats - 1, -1, -1):
        if not prizes.bets[seat] or (folded[seat, lane] and not prizes.after_fold):
            continue
        for holder in range(seats - 1, -1, -1):
            if prizes.envy[classes[holder, lane]] == 0 or prizes.patrons[holder] == prizes.patrons[seat]:
                continue
            if folded[holder, lane] and not (prizes.folded_holder and prizes.bets[holder]):
                continue
            if prizes.bets[holder] or not prizes.must_bet:
                row = events[written]
                row[0], row[1], row[2] = number, seat, ENVY
                row[3], row[4], row[5] = holder, prizes.envy[classes[holder, lane]], codes[seat, lane]
                written += 1
    return written


@compiled
def count_ends(
    prizes: Prizes,
    metered: Whole,
    start: Whole,
    rounds: Whole,
    room: Room,
    counts: Array,
    events: Array,
    written: Whole,
) -> Whole:
    """Count the ends of a batch of rounds, and add the rows of those that pay a prize."""
    codes, classes, folded, share, envy = room.codes, room.classes, room.folded, prizes.share, prizes.envy
    for seat in range(len(prizes.bets)):
        for lane in range(rounds):
            counts[seat, codes[seat, lane]] += 1
    if metered:
        for lane in range(rounds):
            special = False
            for seat in range(len(prizes.bets)):
                special |= share[classes[seat, lane]] + envy[classes[seat, lane]] > 0
            if special:
                number = i64(start) + lane
                written = _pay_prizes(prizes, number, lane, classes, folded, codes, events, written)
    return written
