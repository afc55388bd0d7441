"""Players on live sockets, in a process of their own; each sends a command every few seconds and awaits its answer.

They read of a message what they need to play on. Whose turn it is not looks at their cards, which is judged like
anything else. The house and the echo take turns, so that whatever the machine does falls on both.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import random
import sys
import time
from collections import Counter
from typing import Any, Final

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ANSWER_SECONDS: Final = 10.0
BESIDE: Final = 10
"""Players for each of whom one echo is asked for while the house works."""
BETS: Final = {"md-let-it-ride": ("bet_1", "bet_2", "bet_3")}


class Client(Struct):
    """Who plays where."""

    person: str
    cookie: str
    table: str
    rulebook: str
    seat: int


class Load(Struct):
    """What is asked of the players."""

    house: str
    echo: str
    clients: list[Client]
    minutes: float
    every: float = 5.0
    slices: tuple[float, float] = (15.0, 5.0)
    """Seconds at the house, and at the echo, in turn."""


class Choice(Struct):
    choice: str = ""
    least: str = "0.00"


class Awaited(Struct):
    kind: str = ""
    patron: str | None = None
    choices: list[Choice] = []


class Box(Struct):
    seat: int
    bets: dict[str, str] = {}


class View(Struct):
    awaiting: Awaited
    seats: list[Box] = []


class Shown(Struct):
    """An answer or a change, as far as a player needs it to go on."""

    key: str | None = None
    view: View | None = None
    refused: dict[str, Any] | None = None


class Player:
    """One player at one table."""

    def __init__(self, client: Client, house: str, took: Took) -> None:
        self.client, self.took = client, took
        self._url = f"{house}/api/tables/{client.table}/live"
        self._view: View | None = None
        self._answers: dict[str, asyncio.Future[Shown]] = {}
        self._keys = itertools.count()
        self._reader: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        headers = {"Cookie": f"croupier_session={self.client.cookie}"}
        self._socket = await connect(self._url, additional_headers=headers, open_timeout=60, max_size=None)
        self._reader = asyncio.create_task(self._read())
        await self._send("sit", {"seat": self.client.seat}, timed=False)
        await self._send("buy_in", {"amount": "100000.00"}, timed=False)

    async def _read(self) -> None:
        decode = msgspec.json.Decoder(Shown).decode
        try:
            async for message in self._socket:
                now = time.perf_counter()
                shown = decode(message)
                if shown.view is not None:
                    self.took.changes += 1
                    self._view = shown.view
                elif (waiting := self._answers.pop(shown.key or "", None)) is not None and not waiting.done():
                    waiting.set_result(shown)
                    self.took.done[shown.key or ""] = now
            self.took.errors["the house closed a socket"] += 1
        except WebSocketException as error:
            self.took.errors[f"a socket failed: {error}"] += 1

    async def leave(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
        await self._socket.close()

    async def _send(self, do: str, arguments: dict[str, object], *, timed: bool = True) -> None:
        key = f"{self.client.person}-{next(self._keys)}"
        waiting: asyncio.Future[Shown] = asyncio.get_running_loop().create_future()
        self._answers[key] = waiting
        text = json.dumps({"key": key, "do": do, **arguments})
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._socket.send(text)
                shown = await waiting
        except (TimeoutError, WebSocketException) as error:
            self._answers.pop(key, None)
            self.took.errors[f"{do}: {type(error).__name__}"] += 1
            return
        done = self.took.done.pop(key)
        refused = shown.refused
        if refused is not None and refused.get("status", 409) != 409:
            self.took.errors[f"{do}: {refused.get('message')}"] += 1
        elif timed:
            self.took.seconds["accepted" if refused is None else "refused"].append(done - begun)
        elif refused is not None:
            self.took.errors[f"{do}: {refused.get('message')}"] += 1

    async def act(self) -> None:
        """Whatever a player does now."""
        seat, view = self.client.seat, self._view
        asked = view.awaiting if view is not None else Awaited()
        wagers = BETS.get(self.client.rulebook, ("ante",))
        placed = next((box.bets for box in view.seats if box.seat == seat), {}) if view is not None else {}
        if asked.kind == "wagers" and not placed.keys() >= set(wagers):
            for wager in wagers:
                if wager not in placed:
                    await self._send("place_wager", {"seat": seat, "wager": wager, "amount": "10.00"})
        elif asked.kind == "decision" and asked.patron == self.client.person:
            choice = next(choice for choice in asked.choices if choice.choice != "fold")
            more = {"amount": choice.least} if choice.choice == "raise" else {}
            await self._send("decide", {"seat": seat, "choice": choice.choice, **more})
        else:
            await self._send("look", {"seat": seat})


class Took:
    """What was measured."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {"accepted": [], "refused": [], "echo": [], "echo_beside": []}
        self.done: dict[str, float] = {}
        self.errors: Counter[str] = Counter()
        self.changes = 0


async def echo_once(socket: ClientConnection, took: Took, name: str = "echo") -> None:
    text = json.dumps({"key": "echo", "do": "look", "seat": 1})
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            await socket.send(text)
            await socket.recv()
    except (TimeoutError, WebSocketException) as error:
        took.errors[f"echo: {type(error).__name__}"] += 1
        return
    took.seconds[name].append(time.perf_counter() - begun)


async def in_groups(work: list[Any], size: int = 25) -> None:
    for start in range(0, len(work), size):
        await asyncio.gather(*work[start : start + size])


async def play(load: Load) -> dict[str, Any]:
    took = Took()
    players = [Player(client, load.house, took) for client in load.clients]
    await in_groups([player.enter() for player in players])
    echoes: list[ClientConnection] = []

    async def open_echo() -> None:
        echoes.append(await connect(load.echo, open_timeout=60))

    await in_groups([open_echo() for _ in players])
    chance = random.Random(1)  # noqa: S311 - a sample, not a secret
    phases = [chance.random() * load.every for _ in players]
    gc.collect()
    gc.freeze()
    gc.disable()  # whoever measures does not pause
    print("begin", flush=True)
    begun, end = time.perf_counter(), time.perf_counter() + 60 * load.minutes
    at_house = 0.0
    for house_turn in itertools.cycle((True, False)):
        left = end - time.perf_counter()
        if left <= 0:
            break
        length = min(load.slices[0 if house_turn else 1], left)
        start = time.perf_counter()
        at_house += length if house_turn else 0.0

        async def turns(number: int, start: float = start, length: float = length, at: bool = house_turn) -> None:  # noqa: FBT001
            due = phases[number]
            while due < length:
                await asyncio.sleep(max(0.0, start + due - time.perf_counter()))
                await (players[number].act() if at else echo_once(echoes[number], took))
                due += load.every

        async def beside(number: int, start: float = start, length: float = length) -> None:
            """A few echoes while the house works: what the machine and the players' own process take by then."""
            due = phases[-number]
            while due < length:
                await asyncio.sleep(max(0.0, start + due - time.perf_counter()))
                await echo_once(echoes[number], took, "echo_beside")
                due += load.every

        others = range(1, len(players) // BESIDE + 1) if house_turn else ()
        await asyncio.gather(*(turns(number) for number in range(len(players))), *(beside(number) for number in others))
        print("turn", "house" if house_turn else "echo", flush=True)
        await asyncio.sleep(max(0.0, start + length - time.perf_counter()))
    print("end", flush=True)
    taken = time.perf_counter() - begun
    quick: dict[str, Any] = {
        "seconds": took.seconds,
        "errors": dict(took.errors),
        "changes": took.changes,
        "took": taken,
        "at_house": at_house,
    }
    for player in players:
        await player.leave()
    for socket in echoes:
        await socket.close()
    return quick


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.readline(), type=Load)
    print(json.dumps(asyncio.run(play(asked))), flush=True)
