"""Many rounds in parts: on the cores of this machine or on a Dask cluster, resumable from a folder.

Which rounds a part holds does not depend on who plays it, and parts are merged as whole numbers, so one core, many
cores, a cluster and a run that was stopped and resumed give the same tally, bit for bit.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import islice
from logging import CRITICAL, getLogger
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from time import sleep
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from croupier.errors import Malformed
from croupier.extras import need
from croupier.files import write_whole
from croupier.simulation.plan import Plan
from croupier.simulation.run import MOST_ROUNDS, Gathered, Tally, is_sound, simulate

__all__ = [
    "PART",
    "Done",
    "Interrupted",
    "RunPart",
    "cores",
    "own_cluster",
    "part_size",
    "parts_of",
    "play_on_cluster",
    "run_on_cluster",
    "run_parts",
]

PART: Final = 1 << 21
SMALLEST, LARGEST = 1 << 18, 1 << 23
"""Rounds in a part: from a quarter of a second to five seconds of work at most."""

Played = TypeVar("Played")
Answer = TypeVar("Answer")
Done = Callable[[int], object]
"""Called with the number of rounds that have just been finished."""


class RunPart(NamedTuple):
    """Rounds that are played together."""

    start: int
    rounds: int


def parts_of(rounds: int, part: int = PART) -> Iterator[RunPart]:
    """The parts of a run.

    >>> list(parts_of(5, 2))
    [RunPart(start=0, rounds=2), RunPart(start=2, rounds=2), RunPart(start=4, rounds=1)]
    """
    return (RunPart(start, min(part, rounds - start)) for start in range(0, rounds, part))


def _check_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Malformed(f"{rounds} rounds: from one to 2^62")


def part_size(rounds: int) -> int:
    """How many rounds of a run are played together: sixty parts or more, none too small to send or too large to lose.

    >>> part_size(1_000_000), part_size(10**9), part_size(10**12)
    (262144, 8388608, 8388608)
    """
    return min(max(1 << (rounds >> 6).bit_length(), SMALLEST), LARGEST)


def run_parts(
    plan: Plan,
    rounds: int,
    *,
    workers: int = 1,
    folder: Path | None = None,
    done: Done | None = None,
    part: int | None = None,
) -> Tally:
    """Play a run on this machine. The kernels let go of the interpreter's lock, so threads are enough.

    With a folder, each finished part is saved there, and parts already there are not played again. When it is
    interrupted, the parts that are finished from the first round on are given in `Interrupted`.
    """
    _check_rounds(rounds)
    if workers < 1:
        raise Malformed(f"{workers} workers: at least one")
    parts = parts_of(rounds, part or part_size(rounds))
    return _gather(plan, parts, folder, done, lambda missing: _on_threads(plan, missing, workers))


def run_on_cluster(
    plan: Plan,
    rounds: int,
    *,
    scheduler: str,
    folder: Path | None = None,
    done: Done | None = None,
    part: int | None = None,
) -> Tally:
    """Play a run on a Dask cluster; a lost worker changes no figures. The folder is on this machine."""
    _check_rounds(rounds)
    parts = parts_of(rounds, part or part_size(rounds))
    return _gather(plan, parts, folder, done, lambda missing: play_on_cluster(scheduler, simulate, plan, missing))


class Interrupted(KeyboardInterrupt):
    """A run that was stopped, with the rounds finished without a gap."""

    def __init__(self, tally: Tally | None) -> None:
        super().__init__("stopped")
        self.tally = tally


def _gather(
    plan: Plan,
    parts: Iterable[RunPart],
    folder: Path | None,
    done: Done | None,
    play: Callable[[Iterable[RunPart]], Iterable[Tally]],
) -> Tally:
    """Merge what the folder has with what is played now, which is saved to the folder."""
    gathered = Gathered()

    def take(tally: Tally) -> None:
        if tally.plan != plan.key:
            raise Malformed("a worker has another version of croupier: every machine needs the same one")
        gathered.add(tally)
        if done is not None:
            done(tally.rounds)

    def missing(where: Path) -> Iterator[RunPart]:
        for part in parts:
            kept = _kept(where, plan, part)
            if kept is None:
                yield part
            else:
                take(kept)

    try:
        for tally in play(parts if folder is None else missing(folder)):
            if folder is not None:
                write_whole(_path(folder, plan, RunPart(tally.start, tally.rounds)), msgspec.json.encode(tally))
            take(tally)
    except KeyboardInterrupt:
        raise Interrupted(gathered.tally if gathered.rounds else None) from None
    return gathered.tally


def _path(folder: Path, plan: Plan, part: RunPart) -> Path:
    return folder / f"{plan.key[:16]}-{part.start}-{part.rounds}.json"


def _kept(folder: Path, plan: Plan, part: RunPart) -> Tally | None:
    """A part that was finished; one that is not whole, or cannot be of this plan, is played again."""
    path = _path(folder, plan, part)
    try:
        tally = msgspec.json.decode(path.read_bytes(), type=Tally) if path.is_file() else None
    except (OSError, msgspec.MsgspecError):
        return None
    if tally is None or (tally.start, tally.rounds) != part or not is_sound(plan, tally):
        return None
    return tally


def _on_threads(plan: Plan, parts: Iterable[RunPart], workers: int) -> Iterator[Tally]:
    """The tallies of the parts as they are finished, no more of them under way than there are workers."""
    left = iter(parts)
    pool = ThreadPoolExecutor(workers)

    def start(some: int) -> set[Future[Tally]]:
        return {pool.submit(simulate, plan, part.rounds, part.start) for part in islice(left, some)}

    under_way = start(workers)
    try:
        while under_way:
            finished, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            under_way |= start(len(finished))
            for future in finished:
                yield future.result()
    except KeyboardInterrupt:
        for future in under_way:  # seconds away from their end, and worth having
            yield future.result()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def play_on_cluster(
    scheduler: str, play: Callable[[Played, int, int], Answer], what: Played, parts: Iterable[RunPart]
) -> Iterator[Answer]:
    """The result of each part as it finishes: `play(what, rounds, start)` on a Dask cluster."""
    need("cluster")
    from distributed import Client, as_completed

    getLogger("distributed").setLevel(CRITICAL)  # errors are reported in one line
    try:
        with Client(scheduler, timeout=SECONDS) as client:
            if not client.scheduler_info()["workers"]:
                raise Malformed(f"--scheduler {scheduler}: it has no workers; start some with dask worker {scheduler}")
            shared, left = _handed_out(client, what), iter(parts)
            playing: dict[str, RunPart] = {}
            lost: Counter[RunPart] = Counter()

            def start(some: Sequence[RunPart]) -> list[Any]:
                jobs = [
                    client.submit(play, shared, part.rounds, part.start, pure=False, retries=TRIES) for part in some
                ]
                playing.update((job.key, part) for job, part in zip(jobs, some, strict=True))
                return jobs

            jobs = as_completed(start([*islice(left, AHEAD)]))
            for job in jobs:
                part = playing.pop(job.key)
                try:
                    answer = job.result()
                except CancelledError:  # the only worker that had the answer, or the plan, is gone: nobody knows it now
                    lost[part] += 1
                    if lost[part] > TRIES or client.status != "running":
                        raise
                    if shared.status != "finished":
                        shared = _handed_out(client, what)
                    jobs.update(start([part]))
                    continue
                yield answer
                job.release()
                jobs.update(start([*islice(left, 1)]))
    except (OSError, TimeoutError, ValueError, CancelledError) as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"--scheduler {scheduler}: {str(error) or type(error).__name__}") from None


def _handed_out(client: Any, what: Any) -> Any:  # noqa: ANN401 - distributed has no types
    """The plan at every worker; tried again while a worker that is lost just then breaks it off."""
    for _ in range(TRIES):
        with suppress(OSError):
            return client.scatter(what, broadcast=True)
        sleep(_PAUSE)
    return client.scatter(what, broadcast=True)


@contextmanager
def own_cluster(workers: int) -> Iterator[str]:
    """The address of a Dask cluster of processes on this machine, for work that holds the interpreter's lock."""
    need("cluster")
    from distributed import Client, LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options, silence_logs=CRITICAL) as cluster:
        with Client(cluster) as client:
            client.run(_ignore_ctrl_c)
        yield cluster.scheduler_address


def _ignore_ctrl_c() -> None:
    """A terminal sends Ctrl-C to every process, and the first one ends the others."""
    signal(SIGINT, SIG_IGN)


AHEAD: Final = 4096
"""Parts that a scheduler is given at a time: enough for many workers, few enough to remember."""
TRIES: Final = 5
"""How often a part is played again after whoever played it was lost."""
_PAUSE: Final = 0.3
"""Seconds until a cluster that has lost a worker is asked again."""
SECONDS: Final = 10
"""How long a scheduler may take to answer."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
