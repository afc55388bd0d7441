"""Play rounds, and merge what was played in parts."""

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
from croupier.money import WHOLE
from croupier.rulebook.paytable_arrays import METERS
from croupier.simulation.kernels.compiled_plan import CompiledPlan, lay_out
from croupier.simulation.kernels.jit import Kernel, interpreted, is_compiled
from croupier.simulation.kernels.prizes import COLUMNS, ENVY, SHARE, make_room
from croupier.simulation.kernels.table_inputs import Playable, playable
from croupier.simulation.plan import Plan

__all__ = [
    "MOST_ROUNDS",
    "Gathered",
    "Prize",
    "Tally",
    "first_rounds",
    "is_ready",
    "is_sound",
    "merge",
    "prepared",
    "simulate",
]

Array: TypeAlias = NDArray[Any]

EVENTS: Final = 1 << 16
"""How many rows of meters and envy are taken over at once."""
MOST_ROUNDS: Final = 1 << 62


class Prize(NamedTuple):
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
    """The outcome of the winner's round apart from this prize."""


class Tally(Struct, frozen=True):
    """What happened in consecutive rounds, in whole numbers: enough for every sum (`simulation.figures`)."""

    plan: str
    """`Plan.key`"""
    start: int
    rounds: int
    ends: tuple[tuple[tuple[int, int], ...], ...]
    """By place of the seat: each outcome that occurred and how often, by rising number (`layout.settle_end`)."""
    events: tuple[Prize, ...]
    """In order of rounds, and in each in settlement order."""


@lru_cache(maxsize=8)
def prepared(plan: Plan) -> tuple[CompiledPlan, Playable]:
    """A compiled plan, with its kernel and the kernel's table."""
    layout = lay_out(plan)
    return layout, playable(layout)


def simulate(plan: Plan, rounds: int, start: int = 0) -> Tally:
    """Play the rounds `start`, `start` + 1, … of a plan: the same rounds give the same tally, however split.

    The compiled part releases the interpreter's lock, so threads can share the work.
    """
    if not 0 <= start <= start + rounds <= MOST_ROUNDS:
        raise Malformed(f"{rounds} rounds from {start}: round numbers go from 0 to 2^62")
    return _play(plan, rounds, start, prepared(plan)[1].kernel)


def is_ready(plan: Plan) -> bool:
    """Whether the kernel of a plan is compiled: here, or by an earlier run on this machine."""
    return is_compiled(prepared(plan)[1].kernel)


def first_rounds(plan: Plan, rounds: int) -> Tally | None:
    """The first rounds of a plan whose kernel is not compiled yet, by the same kernel as plain Python.

    It plays a few thousand rounds per second, at once; the compiler takes several seconds. The tally is the one that
    `simulate` gives. None where the kernel is compiled.
    """
    return None if is_ready(plan) else _play(plan, rounds, 0, interpreted(prepared(plan)[1].kernel))


def _play(plan: Plan, rounds: int, start: int, kernel: Kernel) -> Tally:
    layout, (_, table) = prepared(plan)
    seats, seed = len(layout.seats), np.uint64(plan.seed)
    counts, events = np.zeros((seats, layout.ends), dtype=np.int64), np.zeros((EVENTS, COLUMNS), dtype=np.int64)
    room, done, kept = make_room(seats), 0, []
    while done < rounds:
        played, prizes = kernel(table, seed, np.uint64(start + done), rounds - done, room, counts, events)
        kept += [Prize(*row) for row in events[:prizes].tolist()]
        done += played
    return Tally(plan.key, start, rounds, tuple(_nonzero(row) for row in counts), tuple(kept))


def _nonzero(counts: Array) -> tuple[tuple[int, int], ...]:
    places = np.flatnonzero(counts)
    return tuple(zip(places.tolist(), counts[places].tolist(), strict=True))


def is_sound(plan: Plan, tally: Tally) -> bool:
    """Whether a tally from elsewhere can be one of this plan: every round counted once, and nothing out of reach."""
    layout, _ = prepared(plan)
    seats, end = len(layout.seats), tally.start + tally.rounds
    return (
        tally.plan == plan.key
        and len(tally.ends) == seats
        and all(_is_counted(row, layout.ends, tally.rounds) for row in tally.ends)
        and all(_is_within(event, tally.start, end, seats) for event in tally.events)
        and {(event.seat, event.end) for event in tally.events}
        <= {(seat, code) for seat, row in enumerate(tally.ends) for code, _ in row}
        and all(event.round <= later.round for event, later in pairwise(tally.events))
    )


def _is_counted(row: tuple[tuple[int, int], ...], ends: int, rounds: int) -> bool:
    codes = [code for code, _ in row]
    counts = [count for _, count in row]
    within = not codes or 0 <= codes[0] <= codes[-1] < ends
    return (
        within
        and all(code < following for code, following in pairwise(codes))
        and min(counts, default=1) > 0
        and sum(counts) == rounds
    )


def _is_within(event: Prize, start: int, end: int, seats: int) -> bool:
    return (
        start <= event.round < end
        and 0 <= event.seat < seats
        and (
            (event.kind == SHARE and 0 <= event.source < len(METERS) and 0 < event.amount <= WHOLE)
            or (event.kind == ENVY and 0 <= event.source < seats and event.amount > 0)
        )
    )


def merge(tallies: Iterable[Tally]) -> Tally:
    """One tally of consecutive parts, given in any order; bit for bit what one run would have given."""
    parts = sorted((part for part in tallies if part.rounds), key=lambda part: part.start)
    if not parts:
        raise Malformed("nothing to merge: give at least one tally with a round")
    gathered = Gathered(parts[0].start)
    for part in parts:
        gathered.add(part)
    if gathered.early:
        raise Malformed(f"rounds {gathered.next} and {min(gathered.early)}: the parts are not consecutive")
    return gathered.tally


class Gathered:
    """Tallies of one plan as they come in, in any order: added up from the first round on as far as there is no gap.

    Any number of parts takes no more memory than one.
    """

    def __init__(self, start: int = 0) -> None:
        self.start = self.next = start
        self.early: dict[int, Tally] = {}
        """By first round: what waits for a part before it."""
        self._plan: str | None = None
        self._ends: list[Counter[int]] = []
        self._events: list[Prize] = []

    def add(self, tally: Tally) -> None:
        """Take a part, and those that waited for it."""
        if self._plan not in {None, tally.plan}:
            raise Malformed("these tallies are of different plans")
        if tally.start < self.next or tally.start in self.early:
            raise Malformed(f"round {tally.start} is in two parts: the parts are not consecutive")
        self._plan = tally.plan
        self.early[tally.start] = tally
        while self.next in self.early:
            part = self.early.pop(self.next)
            self._ends = self._ends or [Counter() for _ in part.ends]
            for seat, counted in zip(self._ends, part.ends, strict=True):
                seat.update(dict(counted))
            self._events += part.events
            self.next += part.rounds

    @property
    def rounds(self) -> int:
        """The number of rounds added up without a gap."""
        return self.next - self.start

    @property
    def tally(self) -> Tally:
        """The tally of those rounds."""
        ends = tuple(tuple(sorted(seat.items())) for seat in self._ends)
        return Tally(self._plan or "", self.start, self.rounds, ends, tuple(self._events))
