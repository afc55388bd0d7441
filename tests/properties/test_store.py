"""What a store promises, with each engine: whole or not at all, once, in order, and never below a floor."""

import asyncio
import os
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import time
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.errors import AppendRefused, Conflict, Duplicate, Overdrawn, RuleViolation, StoreError
from croupier.journal import first_hash
from croupier.store import Store, keep_practice, migrate, practice_of
from croupier.store.migrate import migrations
from croupier.store.postgres import PostgresEngine
from croupier.store.sqlite import SqliteEngine
from croupier.store.values import COLUMNS, Append, Claim, Command, HeadMove
from support import slices
from support.resumed import RecordProperty
from support.stores import StorePlace, after, appended, everything
from support.table_harness import START

PARTS = slices.count(full=10, sliced=1)
RACES = slices.count(full=1_000, sliced=50)


def with_store(place: StorePlace, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    """Run this with an open store."""

    async def run() -> None:
        store = await place.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


# --- streams


def test_what_was_appended_is_loaded_in_order_by_whoever_opens_the_store_next(place: StorePlace) -> None:
    async def write(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        assert claim == ("table/1", 1, 0, first_hash("table/1"))
        for number in (1, 3, 2):
            append = appended(claim, number)
            await store.append(append)
            claim = after(claim, append)

    async def read(store: Store) -> None:
        lines = await store.load("table/1")
        assert [(line.seq, line.line) for line in lines] == [(seq, f"line {seq}".encode()) for seq in range(1, 7)]
        assert [type(line.line) for line in lines] == [bytes] * 6
        assert [line.seq for line in await store.load("table/1", after=2, until=4)] == [3, 4]
        assert await store.claim(["table/1"]) == [("table/1", 2, 6, lines[-1].hash)]
        assert await store.streams("table/") == ["table/1"]
        assert abs(await store.engine.now() / 1_000_000 - time()) < 60

    with_store(place, write)
    with_store(place, read)


def test_an_append_from_a_wrong_place_or_epoch_is_refused_and_leaves_nothing(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (old,) = await store.claim(["table/1"])
        (claim,) = await store.claim(["table/1"])
        await store.append(appended(claim, 2, moves=[("bank", -500), ("patron/ann", 500)]))
        before = await everything(store)
        wrong = [
            appended(claim, moves=[("bank", -1), ("patron/ann", 1)]),
            appended(claim, after=1),
            appended(claim, after=3),
            appended(old, after=2),
            appended(claim._replace(epoch=9), after=2),
            appended(claim._replace(stream="table/2")),
        ]
        for append in wrong:
            with pytest.raises(Conflict, match="another process writes here now"):
                await store.append(append)
        assert await everything(store) == before

    with_store(place, work)


def test_several_streams_move_together_or_not_at_all(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        table, link = await store.claim(["table/1", "link/harbor"])
        if table.stream != "table/1":
            table, link = link, table
        await store.append(appended(table, also=[HeadMove("link/harbor", 1, 0, 1, b"head")]))
        before = await everything(store)
        with pytest.raises(Conflict):
            await store.append(appended(table, after=1, also=[HeadMove("link/harbor", 1, 0, 1, b"head")]))
        assert await everything(store) == before
        await store.append(appended(table, after=1, also=[HeadMove("link/harbor", 1, 1, 2, b"next")]))
        assert {claim.stream: claim.seq for claim in await store.claim(["table/1", "link/harbor"])} == {
            "table/1": 2,
            "link/harbor": 2,
        }

    with_store(place, work)


def test_a_refused_append_does_not_harm_the_others_of_its_batch(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        claims = await store.claim([f"table/{number}" for number in range(20)])
        await store.append(appended(claims[0], moves=[("bank", -100), ("patron/ann", 100)]))
        await store.append(appended(claims[1], command=Command("table/1", "player/ann", "k", b"digest")))
        results = await asyncio.gather(
            store.append(appended(claims[0], after=7)),
            store.append(appended(claims[1], after=1, command=Command("table/1", "player/ann", "k", b"digest"))),
            store.append(appended(claims[2], moves=[("patron/ann", -101), ("bank", 101)])),
            *[store.append(appended(claim, moves=[("patron/ann", -1), ("bank", 1)])) for claim in claims[3:]],
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [Conflict, Duplicate, Overdrawn, *[type(None)] * 17]
        assert await store.read("select amount from account where name = 'patron/ann'") == [(83,)]
        assert len(await store.read("select * from event")) == 19

    with_store(place, work)


def test_what_comes_while_a_batch_is_stored_is_stored_together(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        claims = await store.claim([f"table/{number}" for number in range(64)])
        await asyncio.gather(*[store.append(appended(claim, 5)) for claim in claims])
        assert isinstance(store.engine, SqliteEngine | PostgresEngine)
        assert store.engine.commits <= 2
        for round_ in range(1, 5):
            await asyncio.gather(*[store.append(appended(claim, 5, after=5 * round_)) for claim in claims])
            await store.engine.checkpoint()
        assert await store.read("select count(*) from event") == [(64 * 25,)]

    with_store(place, work)


def test_the_log_of_a_busy_store_begins_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that only grew would fill the disk, and make every sync slower."""
    monkeypatch.setattr("croupier.store.sqlite.CHECKPOINT_PAGES", 50)

    async def work(store: Store) -> None:
        claims = await store.claim([f"table/{number}" for number in range(4)])

        async def write(claim: Claim) -> None:
            for number in range(300):
                await store.append(appended(claim, after=number))

        await asyncio.gather(*map(write, claims))
        assert await store.read("select count(*) from event") == [(1_200,)]
        log = tmp_path / "store.db-wal"
        assert 0 < log.stat().st_size < 2**21  # 300 commits of 5 pages and more would be over 6 MB

    with_store(StorePlace(str(tmp_path / "store.db"), tmp_path), work)


def test_an_append_whose_caller_has_given_up_is_still_stored_and_heard_of(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        queue = store.listen()
        task = asyncio.create_task(store.append(appended(claim)))
        await asyncio.sleep(0)
        task.cancel()
        assert await asyncio.wait_for(queue.get(), 5) == ("table/1", 1)
        assert len(await store.load("table/1")) == 1

    with_store(place, work)


# --- commands


def test_a_command_is_stored_once_and_answered_by_where_it_led(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        command = Command("table/1", "player/ann", "k1", b"what")
        assert await store.stored(command) is None
        await store.append(appended(claim, 3, command=command))
        before = await everything(store)
        with pytest.raises(Duplicate):
            await store.append(appended(claim, after=3, command=command))
        assert await everything(store) == before
        assert await store.stored(command) == (1, 3)
        with pytest.raises(RuleViolation, match="the key 'k1' belongs to another command"):
            await store.stored(command._replace(digest=b"something else"))
        for other in (command._replace(giver="player/bob"), command._replace(key="k2")):
            assert await store.stored(other) is None

    with_store(place, work)


# --- accounts and totals


async def races(first: Store, second: Store, part: int) -> list[bool]:
    """In which races for the last dollar of a patron the first store was the winner; each has one."""
    dice, winners = random.Random(part), []
    for start in range(part * RACES, (part + 1) * RACES, 50):
        patrons = [f"patron/{number}" for number in range(start, start + 50)]
        streams = [f"{name}/{patron}" for patron in patrons for name in ("a", "b")]
        claims = {claim.stream: claim for claim in await first.claim(["bank", *streams])}
        given = [move for patron in patrons for move in ((patron, 100), ("bank", -100))]
        await first.append(appended(claims["bank"], moves=given))
        for patron in patrons:
            runners = [
                (first, appended(claims[f"a/{patron}"], moves=[(patron, -100), ("bank", 100)])),
                (second, appended(claims[f"b/{patron}"], moves=[("bank", 100), (patron, -100)])),
            ]
            order = dice.sample((0, 1), 2)
            ends = await asyncio.gather(
                *(runners[place][0].append(runners[place][1]) for place in order), return_exceptions=True
            )
            assert sorted(type(end).__name__ for end in ends) == ["NoneType", "Overdrawn"]
            winners.append(ends[order.index(0)] is None)
    assert await first.read("select name from account where amount <> 0") == []
    return winners


@pytest.mark.parametrize("part", range(PARTS))
def test_two_who_race_for_the_last_dollar_have_one_winner(
    part: int, place: StorePlace, record_property: RecordProperty
) -> None:
    """50 races with each engine in `make test`, 10,000 in `make torture`; two processes race where there can be two."""

    async def run() -> list[bool]:
        first = await place.open()
        second = await place.open() if place.server is not None else first
        winners = await races(first, second, part)
        for store in {first, second}:
            await store.close()
        return winners

    winners = asyncio.run(run())
    assert len(winners) == RACES
    record_property("races with one winner", len(winners))
    record_property("won by the first", sum(winners))


class Bottomless(Store):
    """A store that forgets the floors of accounts."""

    async def append(self, append: Append, meanwhile: Callable[[bool], None] | None = None) -> None:
        floors = tuple((name, unit, None) for name, unit, _ in append.accounts)
        await super().append(replace(append, accounts=floors), meanwhile)


def test_without_floors_both_would_win_the_race(tmp_path: Path) -> None:
    async def run() -> None:
        store = Bottomless(SqliteEngine(tmp_path / "house.db"), None)
        try:
            await races(store, store, 0)
        finally:
            await store.close()

    with pytest.raises(AssertionError, match="'NoneType', 'NoneType'"):
        asyncio.run(run())


def test_an_account_may_not_fall_below_its_floor_even_for_a_moment_in_a_batch(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        one, two = await store.claim(["table/1", "table/2"])
        results = await asyncio.gather(
            store.append(appended(one, moves=[("patron/ann", -100), ("bank", 100)])),
            store.append(appended(two, moves=[("patron/ann", 100), ("bank", -100)])),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [Overdrawn, type(None)]
        assert await store.read("select sum(amount) from account") == [(0,)]
        assert type((await store.read("select sum(amount) from account"))[0][0]) is int

    with_store(place, work)


def test_running_totals_never_fall(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        for number, amount in enumerate((500, 700)):
            await store.append(appended(claim, after=number, totals=(("table/1", "2026-01-01", "handle", amount),)))
        before = await everything(store)
        with pytest.raises(AppendRefused, match="only grows"):
            await store.append(appended(claim, after=2, totals=(("table/1", "2026-01-01", "handle", -1),)))
        assert await everything(store) == before
        assert await store.read("select amount from total") == [(1200,)]

    with_store(place, work)


# --- seeds, snapshots, texts


def test_a_spent_seed_is_gone_also_when_it_came_with_the_same_append(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        seeds = [(name, "table/1", b"sealed", 1) for name in ("c1", "c2", "c3")]
        await store.append(appended(claim, rows={"secret": seeds[:2]}))
        await store.append(appended(claim, after=1, rows={"secret": seeds[2:]}, spent=("c1", "c3")))
        assert await store.read("select commitment from secret") == [("c2",)]

    with_store(place, work)


def test_the_last_two_snapshots_of_each_stream_are_kept(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        claims = await store.claim(["table/1", "table/2"])
        for seq in range(4):
            for claim in claims:
                snapshot = (claim.stream, seq, 1, b"hash", b"state")
                await store.append(appended(claim, after=seq, rows={"snapshot": [snapshot]}))
        assert await store.read("select stream, seq from snapshot order by stream, seq") == [
            (f"table/{number}", seq) for number in (1, 2) for seq in (2, 3)
        ]

    with_store(place, work)


def test_law_is_stored_once(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        await store.append(appended(claim, laws=(("house/1", "text"), ("book/1", "text"))))
        await store.append(appended(claim, after=1, laws=(("house/1", "other"), ("house/2", "new"))))
        assert await store.read("select * from law order by name") == [
            ("book/1", "text"), ("house/1", "text"), ("house/2", "new"),
        ]  # fmt: skip

    with_store(place, work)


def test_what_cannot_be_stored_is_refused_and_the_store_goes_on(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        before = await everything(store)
        commands = [Command("table/1", "player/ann", "\ud800", b""), Command("table/1", "player/\udfff", "k", b"")]
        appends = [appended(claim, command=command) for command in commands]
        appends.append(appended(claim, moves=[("bank", 2**70)]))
        if place.server is not None:
            appends.append(appended(claim, command=Command("table/1", "player/ann", "a\0b", b"")))
        for append in appends:
            with pytest.raises(AppendRefused, match="cannot be stored"):
                await store.append(append)
        assert await everything(store) == before
        assert store.generation == 0
        await store.append(appended(claim))

    with_store(place, work)


WRONG: dict[str, list[object]] = {
    "seq": [1.5, 2**63, -(2**63) - 1, "text", b"bytes"],
    "at": [1.5, 2**63, -(2**63) - 1, "text", b"bytes"],
    "line": [1.5, 2**63, -(2**63) - 1, "text", 7],
    "hash": [1.5, 2**63, -(2**63) - 1, "text", 7],
    "key": [1.5, 2**63, -(2**63) - 1, "text", b"bytes"],
    "name": [b"bytes"],
}
"""Values of another type than their column's. A number in the place of a text is none: SQLite writes it as text."""


def test_a_value_of_another_type_is_refused_and_the_store_goes_on(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        columns = list(COLUMNS["event"])
        for column, wrong in [(column, wrong) for column, values in WRONG.items() for wrong in values]:
            if place.server is not None and wrong == 1.5:  # asyncpg cuts a fraction off, and does not lose the row
                continue
            before, append = await everything(store), appended(claim)
            append.rows["event"] = [
                tuple(wrong if name == column else value for name, value in zip(columns, row, strict=True))
                for row in append.rows["event"]
            ]
            said = ""
            try:
                await store.append(append)
            except AppendRefused as refused:
                said = str(refused)
            assert "cannot be stored" in said or "not be converted" in said, (column, wrong)
            assert "\n" not in said
            assert await everything(store) == before, (column, wrong)
            assert store.generation == 0
            good = appended(claim)
            await store.append(good)
            claim = after(claim, good)

    with_store(place, work)


def test_a_sum_beyond_64_bits_is_refused(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        append = appended(claim, moves=[("patron/ann", 2**63 - 1)])
        await store.append(append)
        claim, before = after(claim, append), await everything(store)
        with pytest.raises(AppendRefused, match="cannot be stored"):
            await store.append(appended(claim, moves=[("patron/ann", 1)]))
        assert await everything(store) == before
        for value in (2**63, "text"):
            with pytest.raises(AppendRefused, match="cannot be stored"):
                await store.engine.execute("update head set seq = $1", value)
        await store.append(appended(claim))

    with_store(place, work)


# --- who may open it


def test_an_event_that_this_version_does_not_know_keeps_it_from_opening_the_store(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        append = appended(claim, 3)
        append.rows["event"][1] = ("table/1", 2, "deck_cut/9", *append.rows["event"][1][3:])
        await store.append(append)
        assert await store.read("select name from event_name order by name") == [("deck_cut/9",), ("tray_filled/1",)]

    with_store(place, work)
    before = place.fingerprint()
    for write in (True, False):
        with pytest.raises(StoreError, match=r"a newer version of Croupier wrote it: this one cannot read deck_cut/9$"):
            asyncio.run(place.open(write=write))
    assert place.fingerprint() == before


def test_a_foreign_store_is_refused_and_left_as_it_is(place: StorePlace) -> None:
    place.change("create table guests(name text)")
    place.change("insert into guests values('ann')")
    before = place.fingerprint()
    for write in (True, False):
        with pytest.raises(StoreError, match="not a store of Croupier") as refused:
            asyncio.run(place.open(write=write))
        assert "\n" not in str(refused.value)
    assert place.fingerprint() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"guests: ann, bob\n" * 100, "not a SQLite file"),
        (b"SQLite format 3\0" + bytes(4080), "the file is damaged|not a SQLite file|not a store of Croupier"),
    ],
)
def test_a_file_that_is_something_else_or_damaged_is_refused_and_left_as_it_is(
    in_sqlite: StorePlace, content: bytes, message: str
) -> None:
    Path(in_sqlite.url).write_bytes(content)
    for write in (True, False):
        with pytest.raises(StoreError, match=message) as refused:
            asyncio.run(in_sqlite.open(write=write))
        assert "\n" not in str(refused.value)
    assert Path(in_sqlite.url).read_bytes() == content


@pytest.mark.parametrize(
    "change",
    ["delete from migration", "alter table migration add column by_whom text", "drop table migration"],
)
def test_a_database_without_the_marks_of_a_store_is_refused(in_postgres: StorePlace, change: str) -> None:
    async def nothing(_store: Store) -> None:
        pass

    with_store(in_postgres, nothing)
    in_postgres.change(change)
    before = in_postgres.fingerprint()
    with pytest.raises(StoreError, match="not a store of Croupier"):
        asyncio.run(in_postgres.open())
    assert in_postgres.fingerprint() == before


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("insert into migration values(99, 'x')", r"a newer version of Croupier made this store \(its format is 99"),
        ("update migration set checksum = 'x'", "step 1 of its format is not the one of this version"),
    ],
)
def test_a_newer_or_otherwise_migrated_store_is_refused_and_left_as_it_is(
    place: StorePlace, mark: str, message: str
) -> None:
    async def nothing(store: Store) -> None:
        await store.claim(["table/1"])

    with_store(place, nothing)
    place.change(mark)
    before = place.fingerprint()
    for write in (True, False):
        with pytest.raises(StoreError, match=message):
            asyncio.run(place.open(write=write))
    assert place.fingerprint() == before


def test_a_store_of_format_2_is_brought_forward_and_keeps_its_record(
    place: StorePlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        await store.append(appended(claim, 3))
        await store.engine.execute("insert into person(id, name) values($1, $2)", "a-1", "Ann")

    async def read(store: Store) -> None:
        assert [row[0] for row in await store.read("select number from migration order by number")] == [1, 2, 3, 4]
        assert [line.seq for line in await store.load("table/1")] == [1, 2, 3]
        assert await store.read("select agent, address from session") == []
        assert await practice_of(store, "a-1") == ""
        await keep_practice(store, "a-1", "drills", START)
        assert await practice_of(store, "a-1") == "drills"

    with monkeypatch.context() as old:
        old.setattr(migrate, "migrations", lambda engine: migrations(engine)[:2])
        with_store(place, write)
    before = place.fingerprint()
    with pytest.raises(StoreError, match="open it for writing once"):
        asyncio.run(place.open(write=False))
    assert place.fingerprint() == before
    with_store(place, read)


def test_a_store_that_is_not_there_is_not_made_by_reading(place: StorePlace) -> None:
    with pytest.raises(StoreError, match="no such store"):
        asyncio.run(place.open(write=False))
    assert place.server is not None or not os.path.exists(place.url)  # noqa: PTH110 - an address


def test_a_new_file_is_its_owners_alone_whatever_the_system_allows(in_sqlite: StorePlace) -> None:
    path = Path(in_sqlite.url)

    async def look(store: Store) -> None:
        (claim,) = await store.claim(["table/1"])
        await store.append(appended(claim))
        files = [file for file in path.parent.glob(f"{path.name}*") if ".lock" not in file.name]  # nothing is in a lock
        rights = {file.name.removeprefix(path.name): f"{file.stat().st_mode & 0o777:o}" for file in files}
        assert rights == dict.fromkeys(["", "-shm", "-wal", ".key"], "600")

    before = os.umask(0)
    try:
        with_store(in_sqlite, look)
    finally:
        os.umask(before)
