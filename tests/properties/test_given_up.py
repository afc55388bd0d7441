"""Whoever asks a store may go away before the answer: the store is whole afterwards, and serves the next one."""

import asyncio
import time
from pathlib import Path

import pytest

from croupier.store.sqlite import SqliteEngine


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
