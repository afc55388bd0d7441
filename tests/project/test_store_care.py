"""`croupier store`: names that are erased without a trace, and keys of old gaming days that are destroyed."""

import asyncio
import json
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from croupier.errors import Shredded
from croupier.store import open_store
from croupier.store.postgres import PostgresEngine
from croupier.store.sqlite import SqliteEngine
from support import slices
from support.running import croupier, here
from support.stores import StoredEvening, StorePlace

CHECKS = (("journal", "verify"), ("journal", "replay"), ("ledger", "check"))
READS = (
    "journal export {}", "journal replay {} --json", "recall {} --limit 500 --story --json", "report day {} --json",
    "report awards {} --json",
)  # fmt: skip


@pytest.fixture
def house(evening: Path, tmp_path: Path) -> str:
    """A store of one's own, with the evening's rounds and its key."""
    for suffix in ("", ".key"):
        shutil.copy(f"{evening}{suffix}", tmp_path / f"house.db{suffix}")
    return str(tmp_path / "house.db")


@pytest.fixture
def on_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let every store believe that it is this year."""

    def believe(year: int) -> None:
        at = round(datetime(year, 6, 30, tzinfo=UTC).timestamp() * 1_000_000)

        async def now(_engine: object) -> int:
            return at

        for engine in (SqliteEngine, PostgresEngine):
            monkeypatch.setattr(engine, "now", now)

    return believe


def run(*words: str, stdin: str = "") -> str:
    done = here(*words, stdin=stdin)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def holds(store: str) -> None:
    for words in CHECKS:
        run(*words, store)


# --- names


def test_a_name_is_shown_changed_and_erased_while_the_record_stays_the_same(house: str) -> None:
    exported = run("journal", "export", house)
    assert "ann is Ann [bold]Example" in run("store", "name", house, "ann", "Ann [bold]Example")
    assert "Ann [bold]" in run("store", "names", house)
    assert "Ann Novak" in (run("store", "name", house, "ann", "Ann Novak"), run("store", "names", house))[1]
    assert json.loads(run("store", "names", house, "--json"))["ann"] == "Ann Novak"
    assert "Ann Novak" in run("recall", house, "--patron", "ann", "--story", "--limit", "1")
    told = json.loads(run("recall", house, "--patron", "ann", "--limit", "1", "--json"))
    assert ("ann", "Ann Novak") in {(seat["patron"], seat["name"]) for seat in told["seats"]}
    assert "Example" not in "".join(path.read_bytes().decode("latin-1") for path in files_of(house))
    assert run("store", "forget", house, "ann") == "the name of ann is erased\n"
    assert here("store", "forget", house, "ann").returncode == 1
    assert "Novak" not in run("recall", house, "--patron", "ann", "--story", "--limit", "1")
    assert "Novak" not in "".join(path.read_bytes().decode("latin-1") for path in files_of(house))
    assert run("journal", "export", house) == exported
    holds(house)


def test_whoever_erases_a_name_is_told_if_a_reader_keeps_its_trace(house: str) -> None:
    run("store", "name", house, "ann", "Ann Novak")
    reader = apsw.Connection(house, flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("begin")
    assert list(reader.execute("select name from person where id = 'ann'")) == [("Ann Novak",)]
    done = here("store", "forget", house, "ann")
    assert (done.returncode, done.stdout) == (2, "")
    assert "done, but while others read its log has a trace: do it again" in done.stderr
    reader.close(force=True)
    assert here("store", "forget", house, "ann").returncode == 1
    assert "Novak" not in "".join(path.read_bytes().decode("latin-1") for path in files_of(house))


def files_of(store: str) -> list[Path]:
    return [path for path in Path(store).parent.glob(f"{Path(store).name}*") if path.is_file()]


def test_a_name_is_erased_from_the_disk_of_a_server_too(in_postgres: StorePlace) -> None:
    asyncio.run(_made(in_postgres))
    server = in_postgres.server
    assert server is not None
    run("store", "name", in_postgres.url, "ann", "Ann Novakova")
    run("store", "forget", in_postgres.url, "ann")
    server.sql("checkpoint", "public")
    tables = [path for path in (server.folder / "data" / "base").rglob("*") if path.is_file()]
    assert not [path for path in tables if b"Novakova" in path.read_bytes()]


async def _made(place: StorePlace) -> None:
    await (await place.open()).close()


@pytest.mark.parametrize(
    ("person", "name"), [("a/b", "Ann"), ("ann", ""), ("ann", " Ann"), ("ann", "x" * 201), ("", "A")]
)
def test_what_is_no_id_or_no_name_is_refused(person: str, name: str, house: str) -> None:
    before = run("store", "names", house)
    done = here("store", "name", house, person, name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert run("store", "names", house) == before


# --- keys of old days


def test_the_years_are_those_that_were_filed_or_more(house: str) -> None:
    assert run("store", "retention", house).startswith("cards are kept for 5 years")
    refused = here("store", "retention", house, "--years", "4")
    assert (refused.returncode, "the submissions of this house say 5 years" in refused.stderr) == (1, True)
    assert run("store", "retention", house, "--years", "7").startswith("cards are kept for 7 years")
    shown = json.loads(run("store", "retention", house, "--json"))
    assert (shown["years"], shown["destroyed"]) == (7, [])
    assert {"2026-01-01", "2026-01-02"} <= set(shown["kept"])


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_shredded_days_stay_closed_and_everything_else_is_as_before(
    engine: str, house: str, on_day: Callable[[int], None], request: pytest.FixtureRequest
) -> None:
    store = house
    if engine == "postgres":
        place: StorePlace = request.getfixturevalue("in_postgres")
        run("store", "move", house, place.url)
        store = place.url
    before = [run(*words.format(store).split()) for words in READS]
    on_day(2032)
    wrapped = key_of(house, "2026-01-01")
    assert wrapped in Path(house).read_bytes()
    assert "Nothing was destroyed" in run("store", "shred", store, "--before", "2027-01-01", "--dry-run")
    assert here("store", "shred", store, "--before", "2027-01-01", stdin="n\n").returncode == 1
    assert json.loads(run("store", "retention", store, "--json"))["destroyed"] == []
    told = run("store", "shred", store, "--before", "2027-01-01", "--yes")
    assert "still in play, and kept: 2026-01-02" in told
    assert "1 gaming day, 2026-01-01 to 2026-01-01" in told
    assert json.loads(run("store", "retention", store, "--json"))["destroyed"] == ["2026-01-01"]
    if engine == "sqlite":
        assert not [path for path in files_of(house) if wrapped in path.read_bytes()]
    holds(store)
    assert [run(*words.format(store).split()) for words in READS] == before
    assert "no gaming day before" in run("store", "shred", store, "--before", "2027-01-01", "--yes")
    copy = f"{house}.copy"
    run("store", "backup", store, copy)
    assert json.loads(run("store", "retention", copy, "--json"))["destroyed"] == ["2026-01-01"]

    async def look() -> None:
        open_ = await open_store(store, write=False)
        for day, closed in (("2026-01-01", True), ("2026-01-02", False)):
            ((key,),) = await open_.read("select id from data_key where day = $1", day)
            if closed:
                with pytest.raises(Shredded):
                    await open_.cipher(key)
        await open_.close()

    asyncio.run(look())


def key_of(store: str, day: str) -> bytes:
    with closing(sqlite3.connect(store)) as connection:
        return bytes(connection.execute("select wrapped from data_key where day = ?", (day,)).fetchone()[0])


def test_days_are_not_shredded_before_their_time(house: str, on_day: Callable[[int], None]) -> None:
    on_day(2032)
    run("store", "retention", house, "--years", "6")
    refused = here("store", "shred", house, "--before", "2026-06-29", "--yes")
    assert (refused.returncode, "cards are kept for 6 years" in refused.stderr) == (1, True)
    run("store", "shred", house, "--before", "2026-06-28", "--dry-run")
    assert here("store", "shred", house, "--before", "June", "--yes").returncode == 2


def test_a_round_in_play_keeps_its_key_and_a_table_goes_on_after_its_old_days_are_shredded(
    place: StorePlace, on_day: Callable[[int], None]
) -> None:
    on_day(2032)

    async def play() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(5)
        assert evening.table.round is not None
        await evening.close()

    asyncio.run(play())
    assert "no gaming day before" in run("store", "shred", place.url, "--before", "2027-01-01", "--yes")

    async def lose_the_key() -> None:
        store = await place.open()
        await store.engine.execute("update data_key set wrapped = $1, destroyed = $2", b"", 1)
        await store.close()
        evening = StoredEvening(place)
        with pytest.raises(Shredded, match="the round in play has been destroyed"):
            await evening.open()
        await evening.close()

    asyncio.run(lose_the_key())


def test_a_closed_table_opens_again_after_all_its_days_were_shredded(
    tmp_path: Path, on_day: Callable[[int], None]
) -> None:
    script = later = run("table", "example")
    changes = {"2026-01-01": "2034-07-01", "deck 1": "deck 2", "99510.00": "99020.00", "100000.00": "99510.00"}
    for old, new in changes.items():
        later = later.replace(old, new)
    on_day(2034)
    said = []
    for name in ("kept.db", "shredded.db"):
        store = str(tmp_path / name)
        run("table", "run", "-", "--store", store, stdin=script)
        if name == "shredded.db":
            assert "1 key destroyed" in run("store", "shred", store, "--before", "2028-01-01", "--yes")
        said.append(run("table", "run", "-", "--store", store, stdin=later))
        holds(store)
    assert said[0] == said[1]
    assert "refused" not in said[0]


# --- while the house runs


LOOKS = slices.count(full=10, sliced=2)


def test_the_ledger_is_checked_while_the_house_runs(place: StorePlace) -> None:
    """Whatever moment a check falls on, every account follows from the record as it was: two moments, in full ten."""
    stop, errors = threading.Event(), list[BaseException]()

    async def play() -> None:
        evening = StoredEvening(place)
        await evening.open()
        await evening.play(1)
        started.set()
        while not stop.is_set():
            await evening.play(3)
            await asyncio.sleep(0.02)  # a house that never rests would leave the checks little of a core
        await evening.close()

    def run_house() -> None:
        try:
            asyncio.run(play())
        except BaseException as error:  # noqa: BLE001 - told to the test
            errors.append(error)
            started.set()

    started = threading.Event()
    thread = threading.Thread(target=run_house)
    thread.start()
    try:
        assert started.wait(30)
        entries = []
        for _ in range(LOOKS):
            # In processes of their own: within one, the locks of a file do not keep two SQLites apart.
            done = croupier("ledger", "check", place.url, "--json")
            assert (done.returncode, done.stderr) == (0, "")
            entries.append(json.loads(done.stdout)["entries"])
            assert croupier("journal", "verify", place.url).returncode == 0
    finally:
        stop.set()
        thread.join(30)
    assert errors == []
    assert entries == sorted(entries)
    assert len(set(entries)) > 1
