"""Whoever asks a store may go away before the answer: the store is whole afterwards, and serves the next one."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from croupier.driver import FairShuffler
from croupier.fairness import SYSTEM
from croupier.store import Store
from croupier.store.sqlite import SqliteEngine
from croupier.store.sqlite_log import rewrite_log
from support.audit import audit
from support.disk_house import KEY, check_client
from support.small_house import Client


class SlowDisk(SqliteEngine):
    """A disk that takes its time."""

    def _commit(self) -> None:
        time.sleep(0.02)
        super()._commit()


def test_a_statement_that_nobody_waits_for_ends_before_the_next_one_begins(tmp_path: Path) -> None:
    async def run() -> None:
        engine = SlowDisk(tmp_path / "house.db")
        insert = "insert into meta(key, value) values($1, 'x')"
        for number in range(5):
            given_up = asyncio.create_task(engine.execute(insert, f"given up {number}"))
            await asyncio.sleep(0.005)
            given_up.cancel()
            await engine.execute(insert, f"waited for {number}")
            with pytest.raises(asyncio.CancelledError):
                await given_up
        assert len(await engine.fetch("select * from meta")) == 10
        assert engine.generation == 0
        await engine.close()

    asyncio.run(run())


def test_a_command_that_nobody_waits_for_is_carried_out_once_when_it_is_sent_again(tmp_path: Path) -> None:
    async def run() -> None:
        dice = random.Random(1)
        store = Store(SqliteEngine(tmp_path / "house.db"), KEY)
        client = Client(0, "given up")
        await client.open(store, FairShuffler(SYSTEM, salts=SYSTEM))
        for _ in range(60):
            given_up = asyncio.create_task(client.step(dice))
            await asyncio.sleep(dice.uniform(0, 0.004))
            given_up.cancel()
            await asyncio.wait([given_up])
            await client.step(dice)
        table, entries = (await audit(store))[client.stream]
        await check_client(store, client, table, entries)
        await store.close()

    asyncio.run(run())


def test_a_long_log_is_written_again_whole(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    log = bytes(range(256)) * 12_345
    path.write_bytes(b"")
    (tmp_path / "house.db-wal").write_bytes(log)
    rewrite_log(str(path), None)
    assert (tmp_path / "house.db-wal").read_bytes() == log
