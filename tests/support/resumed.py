"""An interrupted `make torture` goes on: what has passed is kept where CROUPIER_TORTURE_DIR names a folder.

Each test that has passed has a line in `done.jsonl`, with the figures it gave to `record_property`. The line counts as
long as the sources, the supports of the tests and the test's own file are the same: other code has to pass again.
"""

import hashlib
import json
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from support import slices

ROOT: Final = Path(__file__).parents[2]
RecordProperty = Callable[[str, object], None]
"""How a test gives its figures, by pytest's own fixture."""


def skip_if_done(item: pytest.Item) -> None:
    """Skip a test that has passed before, and say which figures it gave then."""
    if _done() and (figures := _done().get((item.nodeid, _print_of(item.path)))) is not None:
        pytest.skip(f"done before{': ' if figures else ''}{_told(figures)}")


def keep(report: pytest.TestReport) -> None:
    """Keep that a test has passed."""
    folder = _folder()
    if folder is None or not (report.when == "call" and report.passed):
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = ROOT / report.nodeid.partition("::")[0]
    line = json.dumps([report.nodeid, _print_of(path), dict(report.user_properties)], ensure_ascii=False)
    done = folder / "done.jsonl"
    cut_off = done.exists() and not done.read_bytes().endswith(b"\n")
    with done.open("a") as file:
        file.write(f"\n{line}\n" if cut_off else f"{line}\n")


def figures_of(reports: list[pytest.TestReport]) -> list[str]:
    """The figures that tests gave, a line for each."""
    return [
        f"{report.nodeid.rpartition('::')[2]}: {_told(dict(report.user_properties))}"
        for report in reports
        if report.when == "call" and report.user_properties
    ]


def _told(figures: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:,}" if isinstance(value, int) else f"{name} {value}" for name, value in figures.items()
    )


def _folder() -> Path | None:
    name = os.environ.get("CROUPIER_TORTURE_DIR", "")
    return Path(name) if name and slices.in_full() else None


@cache
def _done() -> dict[tuple[str, str], dict[str, Any]]:
    """The figures of each test that has passed, by its name and what it passed with."""
    folder = _folder()
    if folder is None or not (folder / "done.jsonl").exists():
        return {}
    done = {}
    for line in (folder / "done.jsonl").read_text().splitlines():
        try:
            name, passed_with, figures = json.loads(line)
        except ValueError:  # interrupted in the middle of a line
            continue
        done[name, passed_with] = figures
    return done


@cache
def _print_of(path: Path) -> str:
    """A fingerprint of everything that a test in this file depends on."""
    digest = hashlib.sha256(_print_of_sources())
    digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _print_of_sources() -> bytes:
    digest = hashlib.sha256()
    for folder in ("src", "tests/support"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.digest()
