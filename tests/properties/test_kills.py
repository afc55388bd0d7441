"""A process with tables in it is killed at any moment: nothing it acknowledged is missing, and every round goes on."""

import asyncio
from pathlib import Path

import apsw
import pytest

from croupier.store import open_store
from croupier.store.sqlite import SqliteEngine
from support.kill_harness import ForkServer, KillCampaign
from support.resumed import RecordProperty

EACH = 100
"""Kills of one store under torture."""


def campaign(folder: Path, *, kills: int, tables: int, seed: int) -> KillCampaign:
    """So many kills of a process that writes to one store."""
    lives = KillCampaign(str(folder / "house.db"), folder, tables=tables, seed=seed)
    with ForkServer() as server:
        for _ in range(kills):
            lives.life(server)
    asyncio.run(lives.check())
    return lives


def test_a_killed_process_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    lives = campaign(tmp_path, kills=8, tables=3, seed=1)
    assert lives.resumed


@pytest.mark.torture
@pytest.mark.parametrize("part", range(20))
def test_2000_kills_lose_nothing_and_double_nothing(part: int, tmp_path: Path, record_property: RecordProperty) -> None:
    lives = campaign(tmp_path, kills=EACH, tables=12 if part % 5 == 4 else 4, seed=1000 + part)
    assert lives.in_play > EACH / 4
    assert lives.repeated > EACH / 4
    for name, figure in lives.figures().items():
        record_property(name, figure)


# --- killed while the store was made


def opens(path: Path) -> bool:
    async def run() -> bool:
        store = await open_store(str(path))
        await store.data_key("2026-01-01")
        await store.close()
        return store.can_deal

    return asyncio.run(run())


def test_a_store_that_was_killed_before_it_had_tables_is_made_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    begun = apsw.Connection(str(path))
    begun.pragma("journal_mode", "wal")  # the file has a header now, and nothing else
    begun.close()
    assert path.stat().st_size > 0
    assert opens(path)


def test_a_store_that_was_killed_before_it_had_a_key_gets_one_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    asyncio.run(SqliteEngine(path).close())
    assert opens(path)
    assert opens(path)


def test_a_store_with_secrets_never_gets_a_new_key(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    assert opens(path)
    (tmp_path / "house.db.key").unlink()

    async def run() -> bool:
        store = await open_store(str(path))
        await store.close()
        return store.can_deal

    assert not asyncio.run(run())
    assert not (tmp_path / "house.db.key").exists()
