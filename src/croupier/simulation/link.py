"""Tables that share their meters: every table plays the same plan with cards of its own."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed
from croupier.simulation.plan import Plan
from croupier.simulation.run import MOST_ROUNDS, Tally, merge, simulate
from croupier.simulation.spread import Done, parts_of

__all__ = ["MOST_PERIODS", "MOST_TABLES", "Link", "play_link"]

APART: Final = 1 << 48
"""From the number of a table's first round to that of the next table's: streams are counted, so they do not meet."""
MOST_TABLES: Final = MOST_ROUNDS // APART
MOST_PERIODS: Final = 1000


class Link(Struct, frozen=True):
    """What was played: `periods[period][table]`, the periods in order."""

    plan: Plan
    periods: tuple[tuple[Tally, ...], ...]

    @property
    def tables(self) -> tuple[Tally, ...]:
        """All rounds of each table."""
        return tuple(map(merge, zip(*self.periods, strict=True)))

    def first(self, tables: int) -> Link:
        """The same rounds with fewer tables on the link."""
        return Link(self.plan, tuple(period[:tables] for period in self.periods))


def play_link(
    plan: Plan,
    rounds: int,
    *,
    tables: int = 1,
    period: int | None = None,
    workers: int = 1,
    done: Done | None = None,
) -> Link:
    """Play so many rounds at each table, kept apart in periods; the first table plays those of `simulate`.

    The kernels let go of the interpreter's lock, so threads are enough.
    """
    length = rounds if period is None else period
    if not 1 <= rounds <= APART or workers < 1:
        raise Malformed(f"{rounds} rounds on {workers} workers: at least one of each, and at most 2^48 rounds")
    if not 1 <= tables <= MOST_TABLES:
        raise Malformed(f"{tables} tables: from one to {MOST_TABLES:,} can share a meter")
    if length < 1 or rounds > length * MOST_PERIODS:
        raise Malformed(f"periods of {length} rounds: from one to {MOST_PERIODS:,} periods in {rounds:,} rounds")
    periods = list(parts_of(rounds, length))
    found: defaultdict[tuple[int, int], list[Tally]] = defaultdict(list)
    pool = ThreadPoolExecutor(workers)
    try:
        jobs = {
            pool.submit(simulate, plan, one.rounds, table * APART + whole.start + one.start): (place, table)
            for place, whole in enumerate(periods)
            for table in range(tables)
            for one in parts_of(whole.rounds)
        }
        for job in as_completed(jobs):
            found[jobs[job]].append(job.result())
            if done is not None:
                done(job.result().rounds)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    cells = [[merge(found[place, table]) for table in range(tables)] for place in range(len(periods))]
    return Link(plan, tuple(map(tuple, cells)))
