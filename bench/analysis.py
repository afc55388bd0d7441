"""The exact mathematics against plain C that only looks at every hand once, and the commands as people run them."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis.cases import BASE, streets_of, tables_of
from croupier.analysis.flush.game import flush_rules
from croupier.analysis.flush.solve import DEALS, best_play
from croupier.analysis.streets.five_card_kinds import count_fours
from croupier.analysis.streets.game import odds_of, payoff_of
from croupier.analysis.streets.solve import StreetSolution, solve
from croupier.hands import batch, census
from croupier.rulebook import load_rulebook

GIBIBYTE = 1 << 30


class Figure(NamedTuple):
    """Something that is measured by itself, with the value that it should stay below, if there is one."""

    name: str
    value: float
    unit: str
    goal: float | None


def streets_work(rulebook: str) -> Callable[[], object]:
    """Best play of a main game from nothing: every fifth card counted, solved backwards, followed forwards."""
    book = load_rulebook(rulebook)
    game = streets_of(book)
    if game is None:
        raise ValueError(f"{rulebook} has no streets")
    payoff = payoff_of(game, odds_of(tables_of(book, BASE)[0]))

    def work() -> StreetSolution:
        return solve(game, payoff, counts=count_fours())

    if work().mean.denominator != 1_082_900:
        raise ValueError(f"{rulebook} is not the published game")
    return work


def flush_work() -> Callable[[], object]:
    """Best play of High Card Flush from nothing, over every hand of both."""
    qualifier, most = flush_rules(load_rulebook("md-high-card-flush"))
    if sum(best_play(qualifier, most).net.values()) != DEALS:
        raise ValueError("deals are missing")
    return lambda: best_play(qualifier, most)


def enumerate_in_c(library: ctypes.CDLL, name: str, places: int, expected: dict[int, int]) -> Callable[[], object]:
    def work() -> Any:  # noqa: ANN401 - an array
        counts = np.zeros(places, dtype=np.uint64)
        getattr(library, name)(counts.ctypes.data_as(ctypes.c_void_p))
        return counts

    if {place: int(count) for place, count in enumerate(work()) if count} != expected:
        raise ValueError(f"{name} counts differently")
    return work


def five_card_counts() -> dict[int, int]:
    counts = np.zeros(len(batch.five_card_ladder()), dtype=np.int64)
    for block in batch.all_hands(5):
        counts += np.bincount(batch.five_card(block), minlength=len(counts))
    return dict(enumerate(counts.tolist()))


def seven_card_counts() -> dict[int, int]:
    return census.longest_flush()


def commands() -> list[Figure]:
    """`croupier analyze` for everything, and `croupier advise` line by line."""
    with tempfile.TemporaryDirectory() as folder:
        own = os.environ | {"CROUPIER_CACHE": f"{folder}/kept", "NUMBA_CACHE_DIR": f"{folder}/compiled"}
        command = [sys.executable, "-m", "croupier", "analyze", "--json"]
        cold = seconds(command, own)
        warm = min(seconds([*command, "--recompute"], own) for _ in range(3))
        kept = min(seconds(command, own) for _ in range(3))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / GIBIBYTE
    return [
        Figure("analyze everything, cold, compilation included", cold, "s", 60),
        Figure("analyze everything, compiled, nothing kept", warm, "s", 20),
        Figure("analyze everything, results kept", kept, "s", 2),
        Figure("analyze everything, peak memory", peak, "GiB", 2),
        *(Figure(f"advise {rulebook}, a line", advise_line(rulebook, cards), "ms", 5) for rulebook, cards in HANDS),
    ]


HANDS = (
    ("md-mississippi-stud", "2c 8c"),
    ("md-let-it-ride", "Tc 8d 2h"),
    ("md-high-card-flush", "Th 8h 6h Kd 9d Tc 2s"),
)


def advise_line(rulebook: str, cards: str) -> float:
    """Milliseconds a line, once the answers come."""
    line = f'{{"rulebook": "{rulebook}", "cards": "{cards}"}}\n'.encode()
    command = [sys.executable, "-m", "croupier", "advise"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise ValueError("no pipes")
        taken = []
        for _ in range(300):
            start = time.perf_counter()
            process.stdin.write(line)
            process.stdin.flush()
            process.stdout.readline()
            taken.append(time.perf_counter() - start)
        process.stdin.close()
    return 1000 * sorted(taken[100:])[100]


def seconds(command: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
