"""The PostgreSQL server is killed at any moment: nothing that was acknowledged is missing, and every round goes on."""

import asyncio
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from support.kill_harness import ForkServer, KillCampaign
from support.kill_worker import FAULTS
from support.resumed import RecordProperty
from support.stores import StorePlace

EACH = 20
"""Kills under one store in `make torture`."""


def campaign(place: StorePlace, folder: Path, *, kills: int, tables: int, seed: int, fault: str = "") -> KillCampaign:
    """So many kills of the server, with everything that works for it, under a process that writes to one store.

    The server starts again while the process goes on asking; then the process is killed as well.
    """
    server = place.server
    assert server is not None
    lives = KillCampaign(
        place.url, folder, tables=tables, seed=seed, strike=lambda _worker: server.restart(), fault=fault
    )
    with ForkServer() as workers:
        for _ in range(kills):
            lives.life(workers)
    asyncio.run(lives.check())
    return lives


def test_a_killed_server_loses_nothing_and_doubles_nothing(in_postgres: StorePlace, tmp_path: Path) -> None:
    lives = campaign(in_postgres, tmp_path, kills=3, tables=3, seed=1)
    assert lives.resumed


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
def test_200_kills_of_the_server_lose_nothing_and_double_nothing(
    part: int, in_postgres: StorePlace, tmp_path: Path, record_property: RecordProperty
) -> None:
    lives = campaign(in_postgres, tmp_path, kills=EACH, tables=12 if part % 5 == 4 else 4, seed=2000 + part)
    assert lives.in_play > EACH / 4
    assert lives.repeated > EACH / 4
    assert lives.survived > EACH / 2
    for name, figure in lives.figures().items():
        record_property(name, figure)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_by_killing_the_server(fault: str, in_postgres: StorePlace, tmp_path: Path) -> None:
    # What was acknowledged is gone, or what follows it is refused, because the table has fallen back.
    with pytest.raises((AssertionError, CroupierError), match=r"acknowledged|is missing|RuleViolation"):
        campaign(in_postgres, tmp_path, kills=10, tables=4, seed=3, fault=fault)
