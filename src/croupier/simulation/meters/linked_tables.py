"""Tables that share their meters: every table plays the same plan with cards of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed
from croupier.simulation.parallel import Done, RunPart, parts_of
from croupier.simulation.plan import Plan
from croupier.simulation.run import MOST_ROUNDS, Tally, merge, simulate

__all__ = ["MOST_PERIODS", "MOST_TABLES", "LinkStopped", "LinkedTables", "play_link"]

APART: Final = 1 << 48
"""From the number of a table's first round to that of the next table's: streams are counted, so they do not meet."""
MOST_TABLES: Final = MOST_ROUNDS // APART
MOST_PERIODS: Final = 1000
MOST_PLAYED: Final = 10**11
"""Rounds of all tables."""


class LinkedTables(Struct, frozen=True):
    """What was played: `periods[period][table]`, the periods in order."""

    plan: Plan
    periods: tuple[tuple[Tally, ...], ...]

    @property
    def tables(self) -> tuple[Tally, ...]:
        """All rounds of each table."""
        return tuple(map(merge, zip(*self.periods, strict=True)))

    def first(self, tables: int) -> LinkedTables:
        """These rounds with only the first tables on the link."""
        return LinkedTables(self.plan, tuple(period[:tables] for period in self.periods))


def play_link(
    plan: Plan,
    rounds: int,
    *,
    tables: int = 1,
    period: int | None = None,
    workers: int = 1,
    done: Done | None = None,
) -> LinkedTables:
    """Play this many rounds at each table, kept apart in periods; the first table plays those of `simulate`.

    The kernels let go of the interpreter's lock, so threads are enough.
    """
    length = rounds if period is None else period
    if not 1 <= rounds <= APART or workers < 1:
        raise Malformed(f"{rounds} rounds on {workers} workers: at least one of each, and at most 2^48 rounds")
    if not 1 <= tables <= MOST_TABLES:
        raise Malformed(f"{tables} tables: from one to {MOST_TABLES:,} can share a meter")
    if rounds * tables > MOST_PLAYED:
        raise Malformed(f"{rounds:,} rounds at {tables:,} tables: at most {MOST_PLAYED:,} rounds in all")
    if length < 1 or rounds > length * MOST_PERIODS:
        raise Malformed(f"periods of {length} rounds: from one to {MOST_PERIODS:,} periods in {rounds:,} rounds")
    periods = list(parts_of(rounds, length))
    tallies: defaultdict[tuple[int, int], list[Tally]] = defaultdict(list)
    jobs: dict[Future[Tally], tuple[int, int]] = {}
    pool = ThreadPoolExecutor(workers)
    try:
        for place, whole in enumerate(periods):
            for table in range(tables):
                for part in parts_of(whole.rounds):
                    start = table * APART + whole.start + part.start
                    jobs[pool.submit(simulate, plan, part.rounds, start)] = place, table
        for job in as_completed(jobs):
            tallies[jobs[job]].append(job.result())
            if done is not None:
                done(job.result().rounds)
    except KeyboardInterrupt:
        raise LinkStopped(_link(plan, tallies, periods, tables)) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return _link(plan, tallies, periods, tables)


class LinkStopped(KeyboardInterrupt):
    """Tables that were stopped, with the periods that all of them had finished."""

    def __init__(self, link: LinkedTables) -> None:
        super().__init__("stopped")
        self.link = link


def _link(
    plan: Plan, tallies: Mapping[tuple[int, int], Sequence[Tally]], periods: Sequence[RunPart], tables: int
) -> LinkedTables:
    """As many periods from the first on as all tables have played."""
    cells = []
    for place, whole in enumerate(periods):
        played = [tallies.get((place, table), ()) for table in range(tables)]
        if any(sum(part.rounds for part in parts) != whole.rounds for parts in played):
            break
        cells.append(tuple(map(merge, played)))
    return LinkedTables(plan, tuple(cells))
