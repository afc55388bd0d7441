"""The disk is full or fails at any call: every command ends in a durable answer or a failure, and the house goes on."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar

import apsw
import pytest

from croupier.driver import FairShuffler
from croupier.errors import CommitFailed, StoreError
from croupier.fairness import SYSTEM
from croupier.store import Store, sqlite, stored_table
from croupier.store.sqlite import SqliteEngine
from support.audit import audit
from support.disk import Fault, What
from support.disk_house import KEY, DiskHouse, check_client, plain_store
from support.resumed import RecordProperty
from support.small_house import Client, house_of

T = TypeVar("T")
STEPS = 9
TRIES = 40
Kind = Fault | Literal["sync"]
"""A command that was not answered is sent again at most so often: nobody waits for ever."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints and snapshots come often enough to fail."""
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 60)
    monkeypatch.setattr(stored_table, "SNAPSHOT_EVERY", 40)


async def again(work: Callable[[], Awaitable[T]], failure: type[StoreError]) -> T:
    """Ask until there is an answer; nothing but this failure may come instead."""
    for _ in range(TRIES):
        try:
            return await work()
        except failure:
            pass
    raise AssertionError("no answer")


async def evening(fault: Kind, at: int, width: int) -> None:
    """A house whose disk fails at one call, or at several in a row, and loses power at the end."""
    house = DiskHouse("failing", tables=2)
    disk = house.disk

    def fault_at(what: What) -> Fault | None:
        if fault == "sync":
            return "error" if what == "sync" and at <= disk.syncs < at + width else None
        return fault if at <= disk.calls < at + width else None

    disk.fault_at = fault_at
    # Where one call fails, the store is open again by the time of the answer.
    failure = CommitFailed if width == 1 else StoreError

    async def opened() -> Store:
        return plain_store(house.disk)

    store = await again(opened, StoreError)

    async def run(client: Client) -> None:
        await again(lambda: house.open(client, store), failure)
        for _ in range(STEPS):
            await again(lambda: client.step(house.dice), failure)
            await store.engine.checkpoint()

    await asyncio.gather(*(run(client) for client in house.clients))
    await house.check(store)
    house.cut()
    await store.close()
    await house.live(1)
    house.disk.remove()


@cache
def calls(fault: Kind) -> int:
    """Calls of the disk in an evening without faults, or syncs alone."""

    async def counted() -> int:
        house = DiskHouse("failing", tables=2)
        await house.live(STEPS)
        return house.disk.syncs if fault == "sync" else house.disk.calls

    return asyncio.run(counted())


def fail(fault: Kind, ks: range, width: int) -> None:
    for k in ks:
        try:
            asyncio.run(evening(fault, k, width))
        except Exception as error:
            raise AssertionError(f"{fault} at call {k}, {width} in a row: {type(error).__name__} {error}") from error


@pytest.mark.parametrize("fault", ["full", "error"])
@pytest.mark.parametrize("width", [1, 20])
def test_a_failing_disk_loses_nothing_and_doubles_nothing(fault: Kind, width: int) -> None:
    fail(fault, range(1 + width, calls(fault), 83), width)


def test_a_sync_that_fails_forgets_nothing_that_is_answered_later() -> None:
    fail("sync", range(1, calls("sync"), 3), 3)


async def answered_after_failed_syncs(width: int) -> None:
    """A commit is not synced, the command is sent again and answered, and then power goes."""
    house = DiskHouse("sync", tables=1)
    disk, store, client = house.disk, plain_store(house.disk), house.clients[0]
    await house.open(client, store)
    for _ in range(STEPS):
        await client.step(house.dice)
    last = disk.syncs + width
    disk.fault_at = lambda what: "error" if what == "sync" and disk.syncs <= last else None
    await again(lambda: client.step(house.dice), StoreError)
    house.cut()
    await store.close()
    await house.live(1)


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_what_a_failed_sync_forgot_is_written_again_before_it_is_answered(width: int) -> None:
    asyncio.run(answered_after_failed_syncs(width))


def test_without_writing_the_log_again_an_answer_would_be_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "rewrite_log", lambda _path, _vfs: None)
    with pytest.raises(AssertionError, match="acknowledged lines"):
        asyncio.run(answered_after_failed_syncs(2))


@pytest.mark.torture
@pytest.mark.parametrize("fault", ["full", "error", "sync"])
@pytest.mark.parametrize("width", [1, 2, 3, 20])
@pytest.mark.parametrize("part", range(8))
def test_a_disk_that_fails_at_any_call_loses_nothing(
    fault: Kind, width: int, part: int, record_property: RecordProperty
) -> None:
    places = range(1 + part, calls(fault) + 20, 8)
    fail(fault, places, width)
    record_property("evenings with a failing disk", len(places))


# --- the same on a real disk, with the threads of a real store


class Uncertain(SqliteEngine):
    """An engine whose commits fail now and then, before or after they are durable, and which may not open at once."""

    dice = random.Random(0)
    chance = 0.0
    failures = 0

    def _commit(self) -> None:
        moment = self.dice.random()
        if moment < self.chance / 2:
            self._fail()
        super()._commit()
        if moment < self.chance:
            self._fail()

    def _connect(self) -> None:
        if self.dice.random() < 2 * self.chance:
            self._fail()
        super()._connect()

    def _fail(self) -> None:
        self.failures += 1
        raise apsw.IOError("planted")


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.torture) for seed in range(2, 40))])
def test_a_commit_that_may_or_may_not_be_durable_is_carried_out_once(seed: int, tmp_path: Path) -> None:
    async def run() -> None:
        engine = Uncertain(tmp_path / "house.db")
        engine.dice, engine.chance = random.Random(seed), 0.15
        store, clients = Store(engine, KEY), house_of(3, seed)

        async def play(client: Client) -> None:
            dice = random.Random(seed)
            await again(lambda: client.open(store, FairShuffler(SYSTEM, salts=SYSTEM)), StoreError)
            for _ in range(25):
                await again(lambda: client.step(dice), StoreError)

        await asyncio.gather(*(play(client) for client in clients))
        assert engine.failures
        engine.chance = 0
        tables = await audit(store)
        for client in clients:
            await check_client(store, client, *tables[client.stream])
        await store.close()

    asyncio.run(run())
