"""Simulated rounds against plain C that plays the same ones, two threads against one, and `croupier simulate`."""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis import Figure, seconds
from croupier.rulebook import check, read_submission
from croupier.simulation import Plan, simulate, sit
from croupier.simulation.kernels.compiled_plan import lay_out
from croupier.simulation.kernels.flushes import Flushes
from croupier.simulation.kernels.streets import StreetTable
from croupier.simulation.kernels.table_inputs import playable
from croupier.simulation.parallel import PART, cores, run_parts

STUD: Final = "md-mississippi-stud"
FLUSH: Final = "md-high-card-flush"
SEED: Final = 7
CORES: Final = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
"""What this process may use before it is bound to one core."""

Work = Callable[[], object]


class Floor(NamedTuple):
    """Something that is measured by itself, with the value that it should reach."""

    name: str
    value: float
    unit: str
    goal: float
    at_least: bool = True


def build(compiler: str, folder: Path) -> ctypes.CDLL:
    """Compile simulate.c; its tables are given with every call."""
    library = folder / "simulate.so"
    source = Path(__file__).with_name("simulate.c")
    subprocess.run([compiler, "-O3", "-w", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return ctypes.CDLL(str(library))


def plan_of(rulebook: str) -> Plan:
    """One seat at the base game under best play."""
    house = check(read_submission({"rulebook": rulebook})).rules()
    return Plan(house=house, seats=(sit(1, ante=1000),), seed=SEED)


def contenders(library: ctypes.CDLL, rulebook: str, rounds: int) -> tuple[Work, Work]:
    """Croupier and C on the same rounds; every end has to come about equally often."""
    plan = plan_of(rulebook)
    layout = lay_out(plan)
    table = playable(layout).table
    play = _streets(library, table) if isinstance(table, StreetTable) else _flushes(library, table)

    def in_c(start: int = 0) -> NDArray[np.int64]:
        counts = np.zeros(layout.ends, dtype=np.int64)
        play(ctypes.c_uint64(SEED), ctypes.c_uint64(start), ctypes.c_int64(rounds), _pointer(counts))
        return counts

    for start in (0, (1 << 32) - rounds // 2):  # in the second the number of the round outgrows 32 bits
        ends = [(end, count) for end, count in enumerate(in_c(start).tolist()) if count]
        if simulate(plan, rounds, start).ends != (tuple(ends),):
            raise ValueError(f"C plays other rounds of {rulebook}")
    return lambda: simulate(plan, rounds), in_c


def _streets(library: ctypes.CDLL, table: StreetTable) -> Callable[..., object]:
    if (table.seats, table.own, table.board, table.cards, table.mistakes) != (1, 2, 3, 5, 0):
        raise ValueError("C plays one seat with two own and three community cards only")
    poker, acts = table.poker, table.acts
    arrays = (
        (poker.keys, np.uint32),
        (poker.five_offsets, np.uint16),
        (poker.five_values, np.uint16),
        (poker.five_suited, np.uint16),
        (acts.two, np.uint8),
        (acts.three, np.uint8),
        (acts.four, np.uint8),
        (acts.rows, np.uint32),
        (table.five, np.uint8),
        (table.adds, np.int64),
    )
    given = [_checked(array, dtype) for array, dtype in arrays]
    return lambda *rest: library.play_streets(*map(_pointer, given), *rest)


def _flushes(library: ctypes.CDLL, table: Flushes) -> Callable[..., object]:
    if (table.seats, table.cards, table.mistakes, table.acts.by_flush) != (1, 14, 0, True):
        raise ValueError("C plays one seat under best play only")
    arrays = (
        (table.suits.bits, np.uint64),
        (table.suits.flushes, np.uint16),
        (table.suits.runs, np.uint8),
        (table.acts.raises, np.uint8),
        (table.flush, np.uint8),
        (table.run, np.uint8),
        (table.most, np.int64),
    )
    given = [_checked(array, dtype) for array, dtype in arrays]
    numbers = ctypes.c_int64(table.flush_size), ctypes.c_int64(table.qualifier)
    return lambda *rest: library.play_flushes(*map(_pointer, given), *numbers, *rest)


def _checked(array: NDArray[Any], dtype: type) -> NDArray[Any]:
    """C looks at memory: the array has to be what it takes it for."""
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise ValueError(f"an array of {array.dtype} where C expects {dtype.__name__} in one piece")
    return array


def _pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def commands() -> list[Figure | Floor]:
    """Two threads against one, and `croupier simulate` from its start to its figures."""
    found: list[Figure | Floor] = []
    if len(CORES) > 1:
        command = [sys.executable, __file__, *map(str, sorted(CORES)[:2])]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found.append(Floor("simulate, two threads against one", float(printed), "times", 1.7))
    with tempfile.TemporaryDirectory() as folder:
        starts = {rulebook: first_result(rulebook, Path(folder)) for rulebook in (STUD, FLUSH)}
    return [*found, *(Figure(f"simulate {name}, 10,000 rounds", taken, "s", 1.5) for name, taken in starts.items())]


def first_result(rulebook: str, folder: Path) -> float:
    """Seconds with the compiled code, Python's own too, kept from a run before."""
    own = os.environ | {"CROUPIER_CACHE": f"{folder}/kept", "NUMBA_CACHE_DIR": f"{folder}/compiled"}
    own |= {"PYTHONPYCACHEPREFIX": f"{folder}/python", "PYTHONDONTWRITEBYTECODE": ""}
    house = folder / f"{rulebook}.toml"
    house.write_text(f'rulebook = "{rulebook}"\n')
    command = [sys.executable, "-m", "croupier", "simulate", str(house), "--rounds", "10000", "--json"]
    return min([seconds(command, own) for _ in range(4)][1:])


def two_threads(turns: int = 5, parts: int = 8) -> float:
    """How many times as fast two threads are as one: the median of turns in which both work."""
    plan = plan_of(STUD)
    ratios = []
    run_parts(plan, 2 * PART, workers=2)
    for turn in range(turns):
        taken = {}
        for workers in (1, 2) if turn % 2 else (2, 1):
            start = time.perf_counter()
            run_parts(plan, parts * PART, workers=workers)
            taken[workers] = time.perf_counter() - start
        ratios.append(taken[1] / taken[2])
    return statistics.median(ratios)


if __name__ == "__main__":
    os.sched_setaffinity(0, {int(core) for core in sys.argv[1:]})
    if cores() < 2:
        raise ValueError("two cores wanted")
    print(two_threads())
