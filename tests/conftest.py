import asyncio
import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support import resumed, slices
from support.postgres_server import PostgresServer, start_server
from support.stored_evening import play_evening
from support.stores import StorePlace

EVERYTHING = pytest.StashKey[list[pytest.Item]]()

settings.register_profile("slice", max_examples=60, deadline=None)
settings.register_profile("torture", max_examples=20_000, deadline=None)


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # while tests are collected nothing becomes garbage
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("slice")
    # A terminal's width and colours must not change what a test reads.
    os.environ.update(COLUMNS="80", NO_COLOR="1")
    # Workers take it over from the process that starts them; nobody's own results are read or kept.
    if not hasattr(config, "workerinput"):
        os.environ["CROUPIER_CACHE"] = tempfile.mkdtemp(prefix="croupier-kept-")
        # Over a hundred processes are started: the source is compiled for the first of them, not for each.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, items: list[pytest.Item]) -> None:
    session.stash[EVERYTHING] = list(items)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was collected stays: looking through half a million objects again and again was a twentieth of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    resumed.skip_if_done(item)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:  # the process that hears of every test
        resumed.keep(report)


@pytest.fixture(scope="session")
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Every test that was found, also those that `-m` and `-k` leave out."""
    return request.session.stash[EVERYTHING]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this worker's own."""
    server = start_server()
    yield server
    server.remove()


@pytest.fixture
def in_postgres(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer) -> StorePlace:
    """An empty place for a store in PostgreSQL."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return StorePlace(postgres.new_place(), tmp_path / "croupier", postgres)


@pytest.fixture
def in_sqlite(tmp_path: Path) -> StorePlace:
    """An empty place for a store in a file."""
    return StorePlace(str(tmp_path / "house.db"), tmp_path)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> StorePlace:
    """An empty place for a store, with each engine."""
    empty: StorePlace = request.getfixturevalue(f"in_{request.param}")
    return empty


@pytest.fixture(scope="session")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hundred rounds of all four rulebooks in a store, played once per worker."""
    path = tmp_path_factory.mktemp("evening") / "house.db"
    asyncio.run(play_evening(path, rounds=25))
    return path


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["CROUPIER_CACHE"], ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures that long checks gave; and where the time went, in each folder, all workers together."""
    everything = [report for kind in terminalreporter.stats.values() for report in kind]
    reports = [report for report in everything if isinstance(report, pytest.TestReport)]
    if slices.in_full() and (figures := resumed.figures_of(reports)):
        terminalreporter.section("figures")
        for line in figures:
            terminalreporter.write_line(line)
    seconds: Counter[str] = Counter()
    for report in reports:
        folder = Path(report.nodeid.partition("::")[0]).parts
        seconds["/".join(folder[: 3 if folder[0] == "src" else 2])] += round(1000 * report.duration)
    if sum(seconds.values()) < 10_000:
        return
    terminalreporter.section("seconds of work per folder")
    for folder_name, spent in seconds.most_common():
        terminalreporter.write_line(f"{spent / 1000:8.1f}  {folder_name}")
