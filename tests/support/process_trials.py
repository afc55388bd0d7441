"""Trials of houses in processes: one is killed or paused in the middle of a round, and the round goes on elsewhere."""

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx

from croupier.rulebook import Archive
from croupier.store import LawShelf, Store, TableReader, check_ledger, open_store
from croupier.table import rebuild
from support.audit import read_record
from support.house_processes import GAMES, HouseProcess, LivePlayer, Visitor, houses, make_tables, question

WITHIN: Final = 3.0
"""Seconds until a table of a killed process goes on."""


class Room(NamedTuple):
    """A house with two players in it."""

    processes: list[HouseProcess]
    players: list[Visitor]
    tables: dict[str, str]
    store: str

    async def holder(self, store: Store, table: str) -> HouseProcess:
        """The process that runs a table."""
        for _ in range(200):
            address = await store.holder(f"table/{table}")
            for process in self.processes:
                if process.address == address:
                    return process
            await asyncio.sleep(0.05)
        raise AssertionError(f"nobody runs table {table}")


@contextlib.asynccontextmanager
async def room(url: str, data: Path, number: int, pace: int = 50) -> AsyncIterator[Room]:
    async with houses(url, data, number) as processes:
        operator = await Visitor("operator").sign_in(processes[0])
        players = [await Visitor(name).sign_in(processes[0]) for name in ("ann", "bob")]
        tables = await make_tables(processes[0], operator, pace=pace)
        for process in processes:
            await shown_at(process, players[0], tables.values())
        yield Room(processes, players, tables, url)
        for process in processes:
            assert process.errors() == [], process.errors()[:3]


async def shown_at(process: HouseProcess, visitor: Visitor, tables: Any) -> None:  # noqa: ANN401 - ids
    """Wait until a process shows these tables."""
    there: set[str] = set()
    for _ in range(100):
        there = {table["id"] for table in (await visitor.ask(process, "GET", "/api/tables")).json()}
        if there >= set(tables):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{process.name} shows {sorted(there)} only")


@contextlib.asynccontextmanager
async def seated(house: Room, game: str, at: list[HouseProcess]) -> AsyncIterator[list[LivePlayer]]:
    """Both players at a table, each at a process."""
    table = house.tables[game]
    pairs = zip(house.players, at, (1, 2), strict=True)
    players = [LivePlayer(visitor, process, table, game, seat) for visitor, process, seat in pairs]
    async with players[0], players[1]:
        for player in players:
            await player.sit()
        yield players


async def asked(players: list[LivePlayer]) -> LivePlayer | None:
    """The player who has to decide; nobody once the round is over."""
    for _ in range(600):
        for player in players:
            if player.is_asked():
                return player
        if all(player.seen and player.seen["awaiting"]["kind"] != "decision" for player in players):
            await asyncio.sleep(0.02)
            views = [player.seen for player in players]
            if all(view and not any(box["bets"] for box in view["seats"]) for view in views):
                return None
        await asyncio.sleep(0.02)
    raise AssertionError(f"nobody is asked: {[player.seen and player.seen['awaiting'] for player in players]}")


async def mid_round(players: list[LivePlayer], dice: random.Random) -> LivePlayer:
    """Begin a round, and play it to some decision; whoever has to decide."""
    while True:
        await play_on(players, dice)  # whatever is left of a round
        await asyncio.gather(*[player.bet() for player in players])
        decider = await asked(players)
        for _ in range(dice.randint(0, 3)):
            if decider is None:
                break
            left = await decided(players, decider, dice)
            decider = left or None
            if left is None:
                break
        if decider is not None:
            await settled(players)
            return decider


async def decided(players: list[LivePlayer], decider: LivePlayer, dice: random.Random) -> LivePlayer | None:
    before = question(decider.seen)
    await decider.must(decider.decision(dice))
    for player in players:
        await player.until(lambda view: question(view) != before)
    return await asked(players)


async def settled(players: list[LivePlayer]) -> None:
    """Wait until everybody has seen the same."""
    for _ in range(200):
        if len({player.version for player in players}) == 1 and all(player.seen for player in players):
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"views differ: {[player.version for player in players]}")


async def reached(players: list[LivePlayer], version: int) -> None:
    """Wait until everybody has seen at least this."""
    for player in players:
        for _ in range(1_000):
            if player.seen and player.version >= version:
                break
            await asyncio.sleep(0.02)
        assert player.version >= version, f"{player.visitor.name} has seen {player.version} of {version}"


async def play_on(players: list[LivePlayer], dice: random.Random) -> None:
    """Play a round to its end."""
    while (decider := await asked(players)) is not None:
        await decided(players, decider, dice)


async def check_cards(process: HouseProcess, visitor: Visitor, before: dict[str, Any], last: dict[str, Any]) -> None:
    """The round ended with the cards that it had before, and all of them came from one committed shuffle."""
    then = {box["seat"]: box for box in before["seats"]}
    cards = []
    for box in last["seats"]:
        kept = [card for card in then[box["seat"]]["cards"].split() if card != "??"]
        assert box["cards"].split()[: len(kept)] == kept, (then[box["seat"]], box)
        cards += box["cards"].split()
    for place, shown in before["board"].items():
        for card, later in zip(shown.split(), last["cards"][place].split(), strict=False):
            assert card in {"??", later}
        cards += last["cards"][place].split()
    answer = await visitor.ask(process, "GET", f"/api/fairness/{before['commitment']}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["holds"]
    deck = answer.json()["proof"]["deck"].split()
    assert set(cards) - {"??"} <= set(deck)


class Figures:
    """What trials took, in seconds."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def told(self) -> dict[str, object]:
        ranked = sorted(self.seconds)
        middle, high = ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, len(ranked) * 95 // 100)]
        return {
            "trials": len(ranked),
            "median": f"{middle:.2f} s",
            "95 of 100": f"{high:.2f} s",
            "longest": f"{ranked[-1]:.2f} s",
        }


# --- one process


async def back(player: LivePlayer, connections: int) -> None:
    """Wait until a player has another connection, and sees something."""
    for _ in range(3_000):
        if player.connections > connections and player.seen:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{player.visitor.name} does not come back")


async def kill_and_restart(house: Room, number: int, dice: random.Random, figures: Figures) -> None:
    """Kill the only process in the middle of a round, half the time in the middle of a command; players come back."""
    (process,) = house.processes
    game = sorted(GAMES)[number % len(GAMES)]
    async with seated(house, game, [process, process]) as players:
        decider = await mid_round(players, dice)
        before = [player.hand() for player in players]
        version, connections = decider.version, [player.connections for player in players]
        body, giving = decider.decision(dice), None
        if dice.random() < 0.5:
            giving = asyncio.create_task(decider.give(body))
            await asyncio.sleep(dice.uniform(0, 0.02))
        process.kill()
        began = time.monotonic()
        process.start()
        await process.ready()
        for player, count in zip(players, connections, strict=True):
            await back(player, count)
        figures.seconds.append(time.monotonic() - began)
        assert decider.version >= version
        if giving is None:
            assert [player.hand() for player in players] == before
        else:
            said = await giving
            assert "ok" in said, said
            await reached(players, said["ok"]["version"])
        await play_on(players, dice)
        for player, hand in zip(players, before, strict=True):
            await check_cards(process, player.visitor, hand, player.seen["last_round"])


# --- two processes


async def kill_the_holder(house: Room, number: int, dice: random.Random, figures: Figures) -> None:
    """Kill the process that runs a table; the player at the other process goes on there, on the same socket."""
    store = await open_store(house.store)
    game = sorted(GAMES)[number % len(GAMES)]
    places = list(house.processes)
    dice.shuffle(places)
    try:
        async with seated(house, game, places) as players:
            decider = await mid_round(players, dice)
            before = [player.hand() for player in players]
            holder = await house.holder(store, house.tables[game])
            survivor = next(process for process in house.processes if process is not holder)
            left = next(player for player in players if player.process is survivor)
            connections = left.connections
            for player in players:
                player.process = survivor
            holder.kill()
            began = time.monotonic()
            body = decider.decision(dice)
            answer = await decider.visitor.give(survivor, house.tables[game], body, key=uuid4().hex)
            took = time.monotonic() - began
            assert answer.status_code == 200, answer.text
            figures.seconds.append(took)
            assert took <= WITHIN, f"{took:.2f} s"
            await reached(players, answer.json()["version"])
            await play_on(players, dice)
            assert left.connections == connections
            for player, hand in zip(players, before, strict=True):
                await check_cards(survivor, player.visitor, hand, player.seen["last_round"])
        holder.start()
        await holder.ready()
        await balanced(house)
    finally:
        await store.close()


async def pause_the_holder(house: Room, number: int, dice: random.Random, figures: Figures) -> None:
    """Pause the process that runs a table beyond its lease; when it comes back it writes nothing of its own."""
    store = await open_store(house.store)
    game = sorted(GAMES)[number % len(GAMES)]
    table = house.tables[game]
    try:
        async with seated(house, game, list(house.processes)) as players:
            decider = await mid_round(players, dice)
            before = [player.hand() for player in players]
            holder = await house.holder(store, table)
            survivor = next(process for process in house.processes if process is not holder)
            stale = f"stale-{uuid4().hex}"
            holder.signal(signal.SIGSTOP)
            began = time.monotonic()
            # The kernel takes it for the process, which finds it when it comes back.
            lazy = {"do": "decide", "seat": decider.seat, "choice": decider.seen["awaiting"]["choices"][-1]["choice"]}
            late = asyncio.create_task(decider.visitor.give(holder, table, lazy, key=stale, seconds=60))
            body = decider.decision(dice)
            answer = await decider.visitor.give(survivor, table, body, key=uuid4().hex)
            while answer.status_code == 503 and time.monotonic() - began < 10:
                answer = await decider.visitor.give(survivor, table, body, key=uuid4().hex)
            assert answer.status_code == 200, answer.text
            figures.seconds.append(time.monotonic() - began)
            await finish_by_http(house, survivor, table, players, dice)
            last = (await players[0].visitor.see(survivor, table))["view"]["last_round"]
            for player, hand in zip(players, before, strict=True):
                await check_cards(survivor, player.visitor, hand, last)
            heads = await store.load(f"table/{table}")
            holder.signal(signal.SIGCONT)
            with contextlib.suppress(httpx.HTTPError):
                assert (await late).status_code in {409, 503}
            assert await store.read("select key from command where key = $1", stale) == []
            again = await store.load(f"table/{table}")
            assert again[: len(heads)] == heads
            await settled(players)
        await balanced(house)
    finally:
        await store.close()


async def finish_by_http(
    house: Room, process: HouseProcess, table: str, players: list[LivePlayer], dice: random.Random
) -> None:
    """Play a round to its end at one process, while the sockets at the other one are paused."""
    del house
    for _ in range(200):
        for player in players:
            view = (await player.visitor.see(process, table))["view"]
            if not any(box["bets"] for box in view["seats"]):
                return
            if view["awaiting"]["kind"] == "decision" and view["awaiting"]["seat"] == player.seat:
                shown, player.seen = player.seen, view
                body = player.decision(dice)
                player.seen = shown
                answer = await player.visitor.give(process, table, body, key=uuid4().hex)
                assert answer.status_code == 200, answer.text
        await asyncio.sleep(0.02)
    raise AssertionError("the round does not end")


async def balanced(house: Room, seconds: float = 20.0) -> None:
    """Wait until each process runs as many tables as the others, give or take one, and all run."""
    end = time.monotonic() + seconds
    while True:
        running = [await process.running() for process in house.processes]
        if sum(running) == 5 + len(GAMES) and max(running) - min(running) <= 1:
            return
        assert time.monotonic() < end, f"the tables are spread as {running}"
        await asyncio.sleep(0.1)


async def check_record(url: str) -> None:
    """Every record rebuilds its table, and the money follows from it."""
    store = await open_store(url)
    try:
        laws = LawShelf()
        await laws.read(store)
        for stream in await store.streams("table/"):
            table = rebuild(None, await read_record(store, stream), Archive(laws))
            reader = TableReader(store, stream)
            await reader.read_on()
            assert reader.table == table
        assert (await check_ledger(store)).problems == ()
    finally:
        await store.close()
