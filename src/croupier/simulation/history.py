"""What each seat risked and won, round by round: for everything that depends on the order of rounds.

A tally counts outcomes; a history stores their results, sixteen bytes per round and seat, with the awards of the meters
in their rounds.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.errors import Malformed
from croupier.money import Cents, print_dollars
from croupier.simulation.figures import risked
from croupier.simulation.kernels.compiled_plan import CompiledPlan, decided, lay_out, settle_end
from croupier.simulation.kernels.prizes import BATCH, COLUMNS, ENVY, make_room
from croupier.simulation.meters.run import run_meters
from croupier.simulation.parallel import Done, RunPart, parts_of
from croupier.simulation.plan import Plan
from croupier.simulation.run import Prize, Tally, prepared

__all__ = [
    "MOST_KEPT",
    "History",
    "HistoryStopped",
    "check_sums",
    "keep_history",
    "largest_of",
    "largest_stake",
    "opening_stake",
    "play_parts",
]

Array: TypeAlias = NDArray[Any]

MOST_KEPT: Final = 100_000_000
"""Rounds times seats: about two gigabytes."""
PART: Final = 1 << 18
LARGEST: Final = 1 << 62
"""Cents in all."""


class History(Struct, frozen=True, eq=False):
    """Every round of a run."""

    plan: Plan
    handle: tuple[Array, ...]
    """By place of the seat, `[round]`: cents at risk on all wagers; a bet that is taken back is not handle."""
    brought: tuple[Array, ...]
    """By place of the seat, `[round]`: cents that the player won or lost, with awards and envy."""

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.handle[0])


def keep_history(
    plan: Plan, rounds: int, *, workers: int = 1, restart: int | None = None, done: Done | None = None
) -> History:
    """Play the first rounds of a plan and store each one. The figures are those of `simulate`.

    With `restart` the meters begin again at their initial amounts every `restart` rounds.

    >>> from croupier.rulebook import check, read_submission
    >>> from croupier.simulation import sit
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> history = keep_history(Plan(house=house, seats=(sit(1, ante=1000),), seed=7), 1000)
    >>> history.rounds, int(history.handle[0].min())
    (1000, 1000)
    """
    layout, _ = prepared(plan)
    seats = len(layout.seats)
    if rounds < 1 or rounds * seats > MOST_KEPT:
        raise Malformed(
            f"{rounds:,} rounds with {seats} seats: from one to {MOST_KEPT:,} rounds of a seat can be stored"
        )
    codes, events, finished = np.zeros((seats, rounds), dtype=np.int32), list[Prize](), 0
    try:
        with closing(play_parts(plan, codes, workers=workers)) as parts:
            for played, prizes in parts:
                events += prizes
                finished += played
                if done is not None:
                    done(played)
    except KeyboardInterrupt:
        raise HistoryStopped(_settled(layout, codes[:, :finished], events, restart) if finished else None) from None
    return _settled(layout, codes, events, restart)


def play_parts(
    plan: Plan, codes: Array, *, start: int = 0, workers: int = 1
) -> Generator[tuple[int, list[Prize]], None, None]:
    """Play rounds from `start` on, as many as `codes` has room for; each part that is finished, with its prizes."""
    pool = ThreadPoolExecutor(workers)
    try:
        jobs = [(part, pool.submit(_play, plan, part, codes, start)) for part in parts_of(codes.shape[1], PART)]
        for part, job in jobs:
            yield part.rounds, job.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class HistoryStopped(KeyboardInterrupt):
    """A history that was stopped, with the rounds up to then."""

    def __init__(self, history: History | None) -> None:
        super().__init__("stopped")
        self.history = history


def _play(plan: Plan, part: RunPart, codes: Array, start: int) -> list[Prize]:
    """Play a part into its place among the codes; the room of a kernel keeps one batch of them."""
    layout, (kernel, table) = prepared(plan)
    seats = len(layout.seats)
    counts, room = np.zeros((seats, layout.ends), dtype=np.int64), make_room(seats)
    rows, events = np.zeros((2 * BATCH * seats**2, COLUMNS), dtype=np.int64), list[Prize]()
    for first in range(part.start, part.start + part.rounds, BATCH):
        some = min(BATCH, part.start + part.rounds - first)
        _, prizes = kernel(table, np.uint64(plan.seed), np.uint64(start + first), some, room, counts, rows)
        codes[:, first : first + some] = room.codes[:, :some]
        events += [Prize(*row) for row in rows[:prizes].tolist()]
    return events


def _settled(layout: CompiledPlan, codes: Array, events: Sequence[Prize], restart: int | None) -> History:
    handle, brought = zip(*(_seat(layout, seat, row) for seat, row in enumerate(codes)), strict=True)
    for tally in _stretches(layout.plan.key, codes.shape[1], events, restart):
        for run in run_meters(layout, tally).values():
            for award in run.awards:
                brought[award.seat][award.round] += award.paid
    for event in events:
        if event.kind == ENVY:
            brought[event.seat][event.round] += event.amount
    check_sums((*handle, *brought), codes.size)
    return History(layout.plan, handle, brought)


def check_sums(rows: Iterable[Array], rounds: int) -> None:
    """Refuse amounts whose sums over this many rounds would not stay within 64 bits."""
    largest = max(int(np.abs(row).max()) for row in rows)
    if largest * rounds >= LARGEST:
        raise Malformed(f"{print_dollars(Cents(largest))} in a round is too much for exact sums of {rounds:,} rounds")


def _stretches(key: str, rounds: int, events: Sequence[Prize], restart: int | None) -> Iterator[Tally]:
    """The prizes of each stretch through which meters run on; a stretch without a prize moves no money."""
    length = restart or rounds
    for place, prizes in groupby(sorted(events, key=attrgetter("round")), key=lambda prize: prize.round // length):
        yield Tally(key, place * length, min(length, rounds - place * length), (), tuple(prizes))


def _seat(layout: CompiledPlan, seat: int, codes: Array) -> tuple[Array, Array]:
    """What each round risked and won: every outcome is settled once and looked up."""
    handle, brought = np.zeros((2, layout.ends), dtype=np.int64)
    for code in np.unique(codes).tolist():
        end = settle_end(layout, seat, code)
        handle[code], brought[code] = risked(end), end.net
    return handle[codes], brought[codes]


def opening_stake(plan: Plan, seat: int = 0) -> int:
    """The cents that the seat in this place puts up before the deal."""
    return sum(amount for _, amount in lay_out(plan).seats[seat].stakes)


def largest_stake(plan: Plan, seat: int = 0) -> int:
    """The maximum, in cents, that a round can cost the seat in this place, whatever it decides."""
    return largest_of(prepared(plan)[0], seat)


def largest_of(layout: CompiledPlan, seat: int) -> int:
    """The same for a seat of a compiled plan."""
    return max(sum(decided(layout, seat, path)[0]) for path in range(4 ** len(layout.plan.house.rulebook.play.choice)))
