"""Play rounds, and put together what was played in parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.simulation.kernels.events import COLUMNS, make_room
from croupier.simulation.layout import Layout, lay_out
from croupier.simulation.plan import Plan
from croupier.simulation.table import Playable, playable

__all__ = ["Event", "Tally", "merge", "prepared", "simulate"]

Array: TypeAlias = NDArray[Any]

EVENTS: Final = 1 << 16
"""How many rows of meters and envy are taken over at once."""
MOST_ROUNDS: Final = 1 << 62


class Event(NamedTuple):
    """A share of a meter, or envy, that a seat won in a round."""

    round: int
    seat: int
    """By place among the seats of the plan, in order of their numbers."""
    kind: int
    """`kernels.events.SHARE` or `ENVY`."""
    source: int
    """Number of the meter, or place of the seat whose hand it was."""
    amount: int
    """Percent of the meter, or cents."""
    end: int
    """What the round came to for the winner beside it."""


class Tally(Struct, frozen=True):
    """What happened in a row of rounds, in whole numbers: enough for every sum (`simulation.figures`)."""

    plan: str
    """`Plan.key`"""
    start: int
    rounds: int
    ends: tuple[tuple[tuple[int, int], ...], ...]
    """By place of the seat: each end that came about and how often, by rising number (`layout.settle_end`)."""
    events: tuple[Event, ...]
    """In order of rounds, and in each in settlement order."""


@lru_cache(maxsize=8)
def prepared(plan: Plan) -> tuple[Layout, Playable]:
    """A plan laid out, with its kernel and the kernel's table."""
    layout = lay_out(plan)
    return layout, playable(layout)


def simulate(plan: Plan, rounds: int, start: int = 0) -> Tally:
    """Play the rounds `start`, `start` + 1, … of a plan: the same rounds give the same tally, however split.

    The compiled part releases the interpreter's lock, so threads can share the work.
    """
    if not 0 <= start <= start + rounds <= MOST_ROUNDS:
        raise Malformed(f"{rounds} rounds from {start}: numbers from 0 to 2^62 wanted")
    layout, (kernel, table) = prepared(plan)
    seats, seed = len(layout.seats), np.uint64(plan.seed)
    counts, events = np.zeros((seats, layout.ends), dtype=np.int64), np.zeros((EVENTS, COLUMNS), dtype=np.int64)
    room, done, kept = make_room(seats), 0, []
    while done < rounds:
        played, found = kernel(table, seed, np.uint64(start + done), rounds - done, room, counts, events)
        kept += [Event(*row) for row in events[:found].tolist()]
        done += played
    return Tally(plan.key, start, rounds, tuple(_nonzero(row) for row in counts), tuple(kept))


def _nonzero(counts: Array) -> tuple[tuple[int, int], ...]:
    places = np.flatnonzero(counts)
    return tuple(zip(places.tolist(), counts[places].tolist(), strict=True))


def merge(tallies: Iterable[Tally]) -> Tally:
    """One tally of adjoining parts, given in any order; bit for bit what one run would have given."""
    parts = sorted((part for part in tallies if part.rounds), key=lambda part: part.start)
    if not parts:
        raise Malformed("nothing to merge: at least one tally with a round wanted")
    for one, other in pairwise(parts):
        if one.plan != other.plan:
            raise Malformed("these tallies are of different plans")
        if one.start + one.rounds != other.start:
            raise Malformed(f"rounds {one.start + one.rounds} and {other.start}: the parts do not adjoin")
    ends: list[Counter[int]] = [Counter() for _ in parts[0].ends]
    for part in parts:
        for seat, counted in zip(ends, part.ends, strict=True):
            seat.update(dict(counted))
    return Tally(
        parts[0].plan,
        parts[0].start,
        sum(part.rounds for part in parts),
        tuple(tuple(sorted(seat.items())) for seat in ends),
        tuple(event for part in parts for event in part.events),
    )
