"""The server in processes of its own: killed, paused, asked to stop; one with SQLite, several with PostgreSQL."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from support.process_trials import (
    Figures,
    Room,
    check_record,
    kill_and_restart,
    kill_the_holder,
    pause_the_holder,
    room,
)
from support.resumed import RecordProperty
from support.stores import StorePlace

Trial = Callable[[Room, int, random.Random, Figures], Awaitable[None]]
EACH = 10
"""Trials in one house in `make torture`."""


def trials(trial: Trial, place: StorePlace, folder: Path, *, processes: int, count: int, seed: int) -> Figures:
    figures = Figures()

    async def run() -> None:
        dice = random.Random(seed)
        async with room(place.url, folder, processes) as house:
            for number in range(count):
                await trial(house, seed + number, dice, figures)
        await check_record(place.url)

    asyncio.run(run())
    return figures


def test_players_of_a_killed_house_come_back_to_the_same_cards(in_sqlite: StorePlace, tmp_path: Path) -> None:
    trials(kill_and_restart, in_sqlite, tmp_path, processes=1, count=2, seed=1)


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
def test_100_kills_of_a_house_end_no_round(
    part: int, in_sqlite: StorePlace, tmp_path: Path, record_property: RecordProperty
) -> None:
    figures = trials(kill_and_restart, in_sqlite, tmp_path, processes=1, count=EACH, seed=100 * part)
    for name, figure in figures.told().items():
        record_property(name, figure)


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
def test_100_killed_holders_are_replaced_in_time(
    part: int, in_postgres: StorePlace, tmp_path: Path, record_property: RecordProperty
) -> None:
    figures = trials(kill_the_holder, in_postgres, tmp_path, processes=2, count=EACH, seed=100 * part)
    for name, figure in figures.told().items():
        record_property(name, figure)


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
def test_100_paused_holders_write_nothing_stale(
    part: int, in_postgres: StorePlace, tmp_path: Path, record_property: RecordProperty
) -> None:
    figures = trials(pause_the_holder, in_postgres, tmp_path, processes=2, count=EACH, seed=100 * part)
    for name, figure in figures.told().items():
        record_property(name, figure)
