"""The server in processes of its own: killed, paused, asked to stop; one with SQLite, several with PostgreSQL."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from support.house_processes import GAMES, PASSWORD, HouseProcess, Visitor
from support.postgres_server import PostgresServer
from support.process_trials import (
    Figures,
    Room,
    balanced,
    check_cards,
    check_record,
    kill_and_restart,
    kill_the_holder,
    mid_round,
    pause_the_holder,
    play_on,
    room,
    seated,
    settled,
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
    trials(kill_and_restart, in_sqlite, tmp_path, processes=1, count=1, seed=1)


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


def test_two_processes_are_one_house(in_postgres: StorePlace, tmp_path: Path) -> None:
    """Tables are spread, and every process shows all of them and takes commands for all of them."""

    async def run() -> None:
        async with room(in_postgres.url, tmp_path, 2) as house:
            here, there = house.processes
            await balanced(house)
            dice = random.Random(7)
            store = await in_postgres.open(write=False)
            holders = {await store.holder(f"table/{table}") for table in house.tables.values()}
            await store.close()
            assert holders <= {here.address, there.address}
            for game in GAMES:
                async with seated(house, game, [here, there]) as players:
                    await mid_round(players, dice)
                    assert players[0].hand()["commitment"] == players[1].hand()["commitment"]
                    await play_on(players, dice)
                    await settled(players)
            await one_house(house)
            # Whoever is asked to stop tells everybody, lets go of its tables, and ends well.
            game = next(iter(GAMES))
            async with seated(house, game, [here, there]) as players:
                await mid_round(players, dice)
                players[0].process = there
                began = time.monotonic()
                assert await here.terminate() == 0
                await play_on(players, dice)
                assert time.monotonic() - began < 5
                assert players[0].closed == [1001]
                assert players[1].closed == []
            house.processes.remove(here)
            await balanced(house)
            # What it did not expect, it takes over as well.
            await kill_record(house, there)

    asyncio.run(run())


async def one_house(house: Room) -> None:
    """What is recorded at one process holds at the other: sessions, pauses, limits, the cage."""
    here, there = house.processes
    operator, cashier = await Visitor("operator").sign_in(there), await Visitor("cashier").sign_in(here)
    ann = house.players[0]
    table = next(iter(house.tables.values()))
    await ann.give(here, table, {"do": "sit", "seat": 1})
    assert (await operator.ask(there, "POST", f"/api/tables/{table}/pause")).status_code == 200
    bet = {"do": "place_wager", "seat": 1, "wager": "ante", "amount": "10.00"}
    await eventually(lambda: refused(ann, here, table, bet, "paused"))
    await eventually(lambda: refused(ann, there, table, bet, "paused"))
    assert (await operator.ask(here, "POST", f"/api/tables/{table}/resume")).status_code == 200
    balance = (await cashier.ask(here, "GET", f"/api/cage/{ann.id}")).json()["balance"]
    for number in range(6):
        process = house.processes[number % 2]
        answer = await cashier.ask(process, "POST", f"/api/cage/{ann.id}/deposit", json={"amount": "5.00"})
        assert answer.status_code == 200, answer.text
    after = (await cashier.ask(there, "GET", f"/api/cage/{ann.id}")).json()["balance"]
    assert float(after) == float(balance) + 30
    taken = await cashier.ask(there, "POST", f"/api/cage/{ann.id}/withdraw", json={"amount": "30.00"})
    assert taken.json()["balance"] == balance
    await one_limit(house)
    away = await Visitor("ann").sign_in(here)
    assert (await away.ask(there, "GET", "/api/session")).status_code == 200
    assert (await away.ask(here, "DELETE", "/api/session")).status_code == 200
    await eventually(lambda: signed_out(away, there))


async def one_limit(house: Room) -> None:
    """Two bets at once, at two tables through two processes, cannot lose more together than the player's limit."""
    here, there = house.processes
    cashier = await Visitor("cashier").sign_in(here)
    made = await cashier.ask(here, "POST", "/api/people", json={"name": "cleo", "password": PASSWORD})
    assert made.status_code == 201, made.text
    cleo = await Visitor("cleo").sign_in(here)
    for process, table in ((here, "1"), (there, "4")):
        for body in ({"do": "sit", "seat": 6}, {"do": "buy_in", "amount": "300.00"}):
            answer = await cleo.give(process, table, body)
            assert answer.status_code == 200, answer.text
    path = f"/api/people/{cleo.id}"
    set_ = await cleo.ask(here, "POST", f"{path}/limits", json={"loss_day": "30.00"})
    assert set_.status_code == 200, set_.text

    async def is_known() -> bool:
        return bool((await cleo.ask(there, "GET", path)).json()["limits"]["loss_day"] == "30.00")

    await eventually(is_known)
    bet = {"do": "place_wager", "seat": 6, "wager": "ante", "amount": "30.00"}
    answers = await asyncio.gather(cleo.give(here, "1", bet), cleo.give(there, "4", bet))
    assert sorted(answer.status_code for answer in answers) == [200, 409], [answer.text for answer in answers]


async def refused(visitor: Visitor, process: HouseProcess, table: str, body: dict[str, Any], code: str) -> bool:
    return bool((await visitor.give(process, table, body)).json().get("code") == code)


async def signed_out(visitor: Visitor, process: HouseProcess) -> bool:
    return (await visitor.ask(process, "GET", "/api/session")).status_code == 401


async def eventually(holds: Callable[[], Awaitable[bool]], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not await holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.05)


async def kill_record(house: Room, process: HouseProcess) -> None:
    """The process that is left runs everything."""
    assert await process.running() == 5 + len(GAMES)
    for table in house.tables.values():
        assert (await house.players[0].see(process, table))["version"] > 1


@pytest.mark.torture
def test_a_house_outlives_its_database(in_postgres: StorePlace, tmp_path: Path) -> None:
    """While the database is away it answers 503 and stays up; afterward every round goes on."""
    server = in_postgres.server
    assert server is not None

    async def run(server: PostgresServer) -> None:
        async with room(in_postgres.url, tmp_path, 1) as house:
            (process,) = house.processes
            dice, game = random.Random(3), "md-mississippi-stud"
            async with seated(house, game, [process, process]) as players:
                decider = await mid_round(players, dice)
                before = decider.hand()
                await asyncio.to_thread(server.kill)
                body = decider.decision(dice)
                for _ in range(3):
                    answer = await decider.visitor.give(process, house.tables[game], body, seconds=60)
                    assert answer.status_code == 503
                began = time.monotonic()
                assert (await decider.visitor.give(process, house.tables[game], body)).status_code == 503
                assert time.monotonic() - began < 5
                assert (await decider.visitor.ask(process, "GET", "/readyz")).status_code == 503
                assert (await decider.visitor.ask(process, "GET", "/healthz")).status_code == 200
                await asyncio.to_thread(server.start)
                await eventually(lambda: is_ready(decider.visitor, process), 15)
                await play_on(players, dice)
                await check_cards(process, decider.visitor, before, decider.seen["last_round"])
        await check_record(in_postgres.url)

    asyncio.run(run(server))


async def is_ready(visitor: Visitor, process: HouseProcess) -> bool:
    return (await visitor.ask(process, "GET", "/readyz")).status_code == 200
