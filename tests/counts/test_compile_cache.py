"""Compiled kernels are kept on disk, and a changed table is noticed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from croupier.analysis import cached_arrays
from croupier.simulation.kernels.jit import SOURCES, compiled_and_kept

JUDGE = """
from croupier.hands import tables
if {changed}:
    original = tables.flush_table()
    changed = original.copy()
    changed[0b111] += 1
    tables.flush_table = lambda: changed
import numpy as np
from croupier.hands import batch
row = np.array([[0, 4, 8, 13, 17, 22, 27]], dtype=np.uint8)
kernel = batch._longest_flush_kernel()
out = np.empty(1, dtype=np.uint16)
kernel(row, out)
print(int(out[0]), sum(kernel.stats.cache_hits.values()))
"""


def judge(cache: Path, *, changed: bool) -> tuple[int, int]:
    command = [sys.executable, "-c", JUDGE.format(changed=changed)]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    strength, hits = done.stdout.split()
    return int(strength), int(hits)


def test_without_a_place_for_the_cache_kernels_still_work(tmp_path: Path) -> None:
    """A read-only installation of a user without a home: numba has nowhere to write."""
    code = """
import numba.core.caching as caching
caching.CacheImpl._locator_classes = []
from croupier.hands import census
print(sum(census.three_card().values()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "22100\n"


def test_a_second_run_loads_and_a_changed_table_compiles_anew(tmp_path: Path) -> None:
    strength = 3 << 13 | 0b111
    assert judge(tmp_path, changed=False) == (strength, 0)
    assert judge(tmp_path, changed=False) == (strength, 1)
    assert judge(tmp_path, changed=True) == (strength + 1, 0)
    assert judge(tmp_path, changed=False) == (strength, 1)


def test_code_of_other_sources_has_another_name_on_disk() -> None:
    """An index that names modules of an older version could not even be read."""

    def kernel(number: int) -> int:
        return number + SOURCES

    kept = cast("Any", compiled_and_kept(kernel))
    assert f"{SOURCES:012x}" in kept.py_func.__qualname__


def test_arrays_that_are_made_and_arrays_that_were_kept_are_for_the_same_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the second run of a simulation would compile what the first has compiled."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    table = np.arange(3)
    table.setflags(write=False)
    (made,), (kept,) = (cached_arrays(["a table"], lambda: [table]) for _ in range(2))
    assert kept.tolist() == made.tolist() == [0, 1, 2]
    assert (kept.dtype, kept.flags.writeable) == (made.dtype, made.flags.writeable)
