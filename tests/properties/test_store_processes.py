"""Several processes at one PostgreSQL store: leases, what they hear of each other, and a server that dies."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from croupier.errors import CommitFailed, Conflict, StoreError
from croupier.store import Store, open_store
from croupier.store.migrate import migrations
from croupier.store.values import Claim
from support.lease_holder import STREAMS
from support.postgres_server import PostgresServer
from support.stores import StoredEvening, StorePlace, after, appended, everything

KILLS = [1, pytest.param(20, marks=pytest.mark.torture)]


async def heard(queue: "asyncio.Queue[tuple[str, int]]") -> tuple[str, int]:
    return await asyncio.wait_for(queue.get(), 20)


def test_a_lease_keeps_others_away_until_it_ends_and_then_fences_its_holder(in_postgres: StorePlace) -> None:
    async def run() -> None:
        first, second = await in_postgres.open(), await in_postgres.open()
        claims = await first.claim(["table/1", "table/2"], seconds=60)
        assert [claim.epoch for claim in claims] == [1, 1]
        assert await second.claim(["table/2", "table/1"], seconds=60) == []
        assert [claim.stream for claim in await second.claim(["table/1", "table/3"], seconds=60)] == ["table/3"]
        assert await first.renew(["table/1", "table/3"], seconds=0.2) == ["table/1"]
        assert await second.renew(["table/1"], seconds=60) == []
        await second.release(["table/1"])
        assert await second.claim(["table/1"], seconds=60) == []
        await first.append(appended(claims[0]))
        await asyncio.sleep(0.25)
        await first.append(appended(claims[0], after=1))  # late, but nobody has come
        (taken,) = await second.claim(["table/1"], seconds=60)
        assert (taken.epoch, taken.seq) == (2, 2)
        before = await everything(second)
        with pytest.raises(Conflict, match="another process writes here now"):
            await first.append(appended(claims[0], after=2))
        assert await everything(second) == before
        assert await first.renew(["table/1", "table/2"], seconds=60) == ["table/2"]
        await first.release(["table/1", "table/2"])
        assert [claim.stream for claim in await second.claim(["table/2"], seconds=60)] == ["table/2"]
        await second.append(appended(taken, after=2))
        await first.close()
        await second.close()

    asyncio.run(run())


@contextmanager
def holder(place: StorePlace, seconds: float) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds streams and writes to them."""
    words = [sys.executable, "-m", "support.lease_holder", place.url, str(seconds)]
    folders = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    environment = os.environ | {"PYTHONPATH": folders}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"holding {len(STREAMS)}\n"
            yield process
        finally:
            process.kill()


async def taken_over(store: Store) -> tuple[list[Claim], float]:
    """All streams of the other process, and how long it took to get them."""
    start, claims = time.monotonic(), list[Claim]()
    while len(claims) < len(STREAMS):
        assert time.monotonic() - start < 20
        claims += await store.claim(set(STREAMS) - {claim.stream for claim in claims}, seconds=60)
        await asyncio.sleep(0.01)
    return claims, time.monotonic() - start


def test_the_streams_of_a_killed_process_are_free_long_before_its_lease_ends(in_postgres: StorePlace) -> None:
    async def run() -> None:
        store = await in_postgres.open()
        with holder(in_postgres, 60) as process:
            for _ in range(5):
                assert await store.claim(STREAMS, seconds=60) == []  # it lives
            process.kill()
            claims, waited = await taken_over(store)
        assert waited < 3
        assert {claim.epoch for claim in claims} == {2}
        for claim in claims:
            await store.append(appended(claim))
        await store.close()

    asyncio.run(run())


def test_a_process_that_was_paused_beyond_its_lease_writes_nothing_any_more(in_postgres: StorePlace) -> None:
    async def run() -> None:
        store = await in_postgres.open()
        with holder(in_postgres, 2) as process:
            process.send_signal(signal.SIGSTOP)
            assert await store.claim(STREAMS, seconds=60) == []  # its session lives, and so does its lease
            claims, _ = await taken_over(store)
            before = await everything(store)
            process.send_signal(signal.SIGCONT)
            assert process.stdout is not None
            assert await asyncio.to_thread(process.stdout.readline) == f"refused {len(STREAMS)}\n"
        assert await everything(store) == before
        for claim in claims:
            await store.append(appended(claim))
        await store.close()

    asyncio.run(run())


def test_only_one_of_many_who_claim_at_once_succeeds(in_postgres: StorePlace) -> None:
    async def run() -> None:
        stores = [await in_postgres.open() for _ in range(4)]
        streams = [f"table/{number}" for number in range(10)]
        for _ in range(5):
            results = await asyncio.gather(*[store.claim(streams, seconds=60) for store in stores])
            holders = {claim.stream: store for store, claims in zip(stores, results, strict=True) for claim in claims}
            assert sorted(holders) == sorted(streams)
            assert sum(map(len, results)) == len(streams)
            for store in stores:
                await store.release(streams)
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_a_second_process_cannot_open_a_table_that_is_held(in_postgres: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(in_postgres)
        await evening.open()
        await evening.store.claim(["table/1"], seconds=60)
        other = StoredEvening(in_postgres)
        with pytest.raises(Conflict, match="table/1: another process runs this table"):
            await other.open()
        await evening.close()
        await other.close()

    asyncio.run(run())


def test_two_processes_set_up_one_store_at_once(in_postgres: StorePlace) -> None:
    async def run() -> None:
        stores = await asyncio.gather(*[in_postgres.open() for _ in range(4)])
        steps = tuple((step.number,) for step in migrations("postgres"))
        assert {tuple(await store.read("select number from migration order by 1")) for store in stores} == {steps}
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_each_process_hears_what_the_others_append_and_its_own_once(in_postgres: StorePlace) -> None:
    async def run() -> None:
        first, second = await in_postgres.open(), await in_postgres.open(write=False)
        here, there = first.listen(), second.listen()
        claims = await first.claim([f"table/{number}" for number in range(1_000)])
        await first.append(appended(claims[0], 2))
        assert await heard(here) == await heard(there) == (claims[0].stream, 2)
        await asyncio.gather(*[first.append(appended(claim)) for claim in claims[1:]])
        assert await heard(there) == ("*", 0)
        assert here.qsize() == len(claims) - 1
        with pytest.raises(StoreError, match="reading only"):
            await second.claim(["table/1"])
        second.unlisten(there)
        await first.append(appended(claims[0], after=2))
        assert there.empty()
        await first.close()
        await second.close()

    asyncio.run(run())


def test_accounts_that_all_tables_share_never_deadlock(in_postgres: StorePlace) -> None:
    async def work(store: Store, names: list[str]) -> None:
        (claim,) = await store.claim([f"table/{names[0]}"])
        for _ in range(30):
            append = appended(claim, moves=[(name, 1) for name in names])
            await store.append(append)
            claim = after(claim, append)

    async def run() -> None:
        stores = [await in_postgres.open() for _ in range(3)]
        names = [f"account/{number}" for number in range(12)]
        await asyncio.gather(
            *[work(store, names[4 * place :] + names[: 4 * place]) for place, store in enumerate(stores)]
        )
        assert await stores[0].read("select distinct amount from account") == [(90,)]
        assert [store.generation for store in stores] == [0, 0, 0]
        for store in stores:
            await store.close()

    asyncio.run(run())


async def reached(store: Store, claims: list[Claim]) -> list[Claim]:
    """The claims again, as soon as the server is back: on a busy machine that takes a while."""
    for _ in range(60):
        with suppress(StoreError):
            return await store.claim([claim.stream for claim in claims])
        await asyncio.sleep(0.5)
    raise AssertionError("the server did not come back")


@pytest.mark.parametrize("kills", KILLS)
def test_nothing_that_was_answered_is_lost_when_the_server_is_killed(in_postgres: StorePlace, kills: int) -> None:
    server = in_postgres.server
    assert server is not None

    async def append_until_it_fails(store: Store, claim: Claim) -> int:
        with suppress(CommitFailed):
            while True:
                append = appended(claim)
                await store.append(append)
                claim = after(claim, append)
        return claim.seq

    async def run(server: PostgresServer) -> None:
        store = await in_postgres.open()
        queue = store.listen()
        for kill in range(kills):
            claims = await store.claim([f"table/{kill}/{number}" for number in range(8)])
            work = [asyncio.create_task(append_until_it_fails(store, claim)) for claim in claims]
            await asyncio.sleep(0.3)
            before = store.generation
            await asyncio.to_thread(server.restart)
            answered = await asyncio.gather(*work)
            assert store.generation > before
            assert sum(answered) > 0
            for claim, seq in zip(await store.claim([claim.stream for claim in claims]), answered, strict=True):
                lines = await store.load(claim.stream)
                assert len(lines) == claim.seq >= seq
                await store.append(appended(claim))
        told = {queue.get_nowait() for _ in range(queue.qsize())}
        assert ("*", 0) in told
        await store.close()

    asyncio.run(run(server))


def test_a_table_goes_on_after_the_server_was_killed(in_postgres: StorePlace) -> None:
    server = in_postgres.server
    assert server is not None

    async def run(server: PostgresServer) -> None:
        evening = StoredEvening(in_postgres)
        await evening.open()
        await evening.play(5)
        watcher = await in_postgres.open(write=False)
        before = evening.table
        queue = watcher.listen()
        await asyncio.to_thread(server.restart)
        assert await heard(queue) == ("*", 0)  # it has to look at everything, and hears again from now on
        with pytest.raises(CommitFailed, match="what was being stored is read again"):
            await evening.play(1)
        assert evening.table == before
        await evening.play(1)
        assert await heard(queue) == ("table/1", evening.table.seq)
        await evening.play(10)
        assert evening.table.played >= 2
        await evening.close()
        await watcher.close()

    asyncio.run(run(server))


def test_a_server_that_is_not_there_is_said_in_one_line_without_the_password(tmp_path: Path) -> None:
    for where in (f"postgresql://ann:secret@/x?host={tmp_path}", "postgresql://ann:secret@127.0.0.1:1/x"):
        with pytest.raises(StoreError, match="the server cannot be reached") as refused:
            asyncio.run(open_store(where))
        assert "secret" not in str(refused.value)
