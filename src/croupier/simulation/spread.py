"""Many rounds in parts: on the cores of this machine or on a Dask cluster, with a place to go on from.

Which rounds a part holds does not depend on who plays it, and parts are merged as whole numbers, so one core, many
cores, a cluster and a run that was stopped and went on give the same tally, bit for bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from logging import CRITICAL
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Final, NamedTuple, TypeVar

import msgspec

from croupier.errors import Malformed
from croupier.files import write_whole
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally, merge, simulate

__all__ = ["PART", "Done", "Part", "own_cluster", "parts_of", "play_on_cluster", "run_on_cluster", "run_parts"]

PART: Final = 1 << 21
"""Rounds in a part: a second or less of work, and small enough to lose."""

Played = TypeVar("Played")
Answer = TypeVar("Answer")
Done = Callable[[int], object]
"""Called with the number of rounds that have just been finished."""


class Part(NamedTuple):
    """Rounds that are played together."""

    start: int
    rounds: int


def parts_of(rounds: int, part: int = PART) -> Iterator[Part]:
    """The parts of a run.

    >>> list(parts_of(5, 2))
    [Part(start=0, rounds=2), Part(start=2, rounds=2), Part(start=4, rounds=1)]
    """
    return (Part(start, min(part, rounds - start)) for start in range(0, rounds, part))


def run_parts(
    plan: Plan,
    rounds: int,
    *,
    workers: int = 1,
    folder: Path | None = None,
    done: Done | None = None,
    part: int = PART,
) -> Tally:
    """Play a run on this machine. The kernels let go of the interpreter's lock, so threads are enough.

    With a folder each part is kept there when it is finished, and what lies there is not played again. When it is
    interrupted, the parts that are finished from the first round on are given in `Interrupted`.
    """
    if rounds < 1 or workers < 1:
        raise Malformed(f"{rounds} rounds on {workers} workers: at least one of each")
    found: dict[int, Tally] = {}
    try:
        for tally in _played(plan, parts_of(rounds, part), workers, folder):
            found[tally.start] = tally
            if done is not None:
                done(tally.rounds)
    except KeyboardInterrupt:
        raise Interrupted(_from_the_first(found)) from None
    return merge(found.values())


class Interrupted(KeyboardInterrupt):
    """A run that was stopped, with what was done without a gap."""

    def __init__(self, tally: Tally | None) -> None:
        super().__init__("stopped")
        self.tally = tally


def _from_the_first(found: dict[int, Tally]) -> Tally | None:
    whole: list[Tally] = []
    at = 0
    while at in found:
        whole.append(found[at])
        at += found[at].rounds
    return merge(whole) if whole else None


def _played(plan: Plan, parts: Iterable[Part], workers: int, folder: Path | None) -> Iterator[Tally]:
    """The tallies of the parts as they are finished, no more of them under way than there are workers."""
    left = iter(parts)
    pool = ThreadPoolExecutor(workers)
    try:
        under_way: set[Future[Tally]] = {pool.submit(_part, plan, one, folder) for one in islice(left, workers)}
        while under_way:
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            under_way |= {pool.submit(_part, plan, one, folder) for one in islice(left, len(finished))}
            for future in finished:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _part(plan: Plan, part: Part, folder: Path | None) -> Tally:
    """A part from the folder, or played and kept there."""
    if folder is None:
        return simulate(plan, part.rounds, part.start)
    path = folder / f"{plan.key[:16]}-{part.start}-{part.rounds}.json"
    if path.exists():
        kept = _read(path)
        if kept is not None and (kept.plan, kept.start, kept.rounds) == (plan.key, *part):
            return kept
    tally = simulate(plan, part.rounds, part.start)
    write_whole(path, msgspec.json.encode(tally))
    return tally


def _read(path: Path) -> Tally | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Tally)
    except (OSError, msgspec.MsgspecError):  # not whole: it is played again
        return None


def run_on_cluster(plan: Plan, rounds: int, *, scheduler: str, done: Done | None = None, part: int = PART) -> Tally:
    """Play a run on a Dask cluster; a worker that is lost costs time and no figures."""
    if rounds < 1:
        raise Malformed(f"{rounds} rounds: at least one")
    found = []
    for tally in play_on_cluster(scheduler, simulate, plan, parts_of(rounds, part)):
        found.append(tally)
        if done is not None:
            done(tally.rounds)
    return merge(found)


def play_on_cluster(
    scheduler: str, play: Callable[[Played, int, int], Answer], what: Played, parts: Iterable[Part]
) -> Iterator[Answer]:
    """What each part came to, as it is finished: `play(what, rounds, start)` on a Dask cluster."""
    from distributed import Client, as_completed

    try:
        client = Client(scheduler, timeout=SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise Malformed(f"--scheduler {scheduler}: {error}") from None
    with client:
        shared = client.scatter(what, broadcast=True)
        jobs = [client.submit(play, shared, one.rounds, one.start, pure=False, retries=5) for one in parts]
        for job in as_completed(jobs):
            yield job.result()
            job.release()


@contextmanager
def own_cluster(workers: int) -> Iterator[str]:
    """The address of a Dask cluster of processes on this machine, for work that holds the interpreter's lock."""
    from distributed import Client, LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options, silence_logs=CRITICAL) as cluster:
        with Client(cluster) as client:
            client.run(_ignore_ctrl_c)
        yield cluster.scheduler_address


def _ignore_ctrl_c() -> None:
    """A terminal sends Ctrl-C to every process, and the first one ends the others."""
    signal(SIGINT, SIG_IGN)


SECONDS: Final = 10
"""How long a scheduler may take to answer."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
