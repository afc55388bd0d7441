"""Houses in processes of their own, and players who meet them as anybody does: over HTTP and a WebSocket."""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final, Self

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PASSWORD: Final = "play chips only"
GAMES: Final = {
    "ma-mississippi-stud": ("ante",),
    "md-high-card-flush": ("ante",),
    "md-let-it-ride": ("bet_1", "bet_2", "bet_3"),
    "md-mississippi-stud": ("ante",),
}
"""The bets without which there is no round."""
PATIENCE: Final = 30.0


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class HouseProcess:
    """`croupier serve` in a process of its own."""

    def __init__(self, url: str, data: Path, name: str = "house") -> None:
        self._url, self._data, self.name = url, data, name
        self.port = free_port()
        self.log = data / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and do not wait."""
        words = [
            sys.executable,
            "-m",
            "croupier",
            "serve",
            "--demo",
            "--no-patrons",
            "--store",
            self._url,
            "--port",
            str(self.port),
        ]
        environment = os.environ | {
            "XDG_DATA_HOME": str(self._data),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        }
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(words, stdout=log, stderr=log, env=environment)

    async def ready(self, seconds: float = 60.0) -> Self:
        """Wait until it takes commands."""
        end = time.monotonic() + seconds
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=2) as client:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    if (await client.get(f"{self.address}/readyz")).status_code == 200:
                        return self
                assert self._process is not None
                assert self._process.poll() is None, f"{self.name} has ended: {self.log.read_text()[-3000:]}"
                assert time.monotonic() < end, f"{self.name} does not start: {self.log.read_text()[-3000:]}"
                await asyncio.sleep(0.02)

    def signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """`kill -9`."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    async def terminate(self) -> int:
        """Ask it to stop; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return await asyncio.to_thread(self._process.wait, 30)

    async def running(self) -> int:
        """How many tables it runs."""
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=5) as client:
            text = (await client.get(f"{self.address}/metrics")).text
        return next(int(float(line.split()[-1])) for line in text.splitlines() if line.startswith(LIVE))

    def errors(self) -> list[str]:
        """What it has logged as an error, besides that the store failed."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        bad = [line for line in lines if '"level": "error"' in line or line.startswith("Traceback")]
        return [line for line in bad if "the store failed" not in line]


LIVE: Final = 'croupier_tables{how="live"}'


@contextlib.asynccontextmanager
async def houses(url: str, data: Path, number: int = 1) -> AsyncIterator[list[HouseProcess]]:
    """So many processes of one house, all started at once: one of them makes it."""
    processes = [HouseProcess(url, data, f"house-{place}") for place in range(number)]
    try:
        for process in processes:
            process.start()
        for process in processes:
            await process.ready()
        yield processes
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError, AssertionError):
                process.signal(signal.SIGCONT)
            process.kill()


class Visitor:
    """Somebody who is signed in at a house; the session holds at each of its processes, and after a restart."""

    def __init__(self, name: str) -> None:
        self.name, self.id = name, ""
        self._cookies: dict[str, str] = {}
        self._csrf = ""

    async def sign_in(self, process: HouseProcess) -> Self:
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as client:
            said = {"name": self.name, "password": PASSWORD}
            answer = await client.post(f"{process.address}/api/session", json=said)
            assert answer.status_code == 200, answer.text
            self._cookies = dict(client.cookies)
        self._csrf, self.id = answer.json()["csrf"], answer.json()["person"]["id"]
        return self

    @property
    def headers(self) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return {"cookie": cookies, "x-csrf-token": self._csrf}

    async def ask(self, process: HouseProcess, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401 - as httpx takes it
        key = {"idempotency-key": more.pop("key")} if "key" in more else {}
        seconds = more.pop("seconds", PATIENCE)
        async with httpx.AsyncClient(trust_env=False, verify=False, timeout=seconds) as client:
            return await client.request(method, f"{process.address}{path}", headers=self.headers | key, **more)

    async def see(self, process: HouseProcess, table: str) -> dict[str, Any]:
        answer = await self.ask(process, "GET", f"/api/tables/{table}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def give(self, process: HouseProcess, table: str, body: dict[str, Any], **more: Any) -> httpx.Response:  # noqa: ANN401 - the same
        return await self.ask(process, "POST", f"/api/tables/{table}/commands", json=body, **more)


async def make_tables(process: HouseProcess, operator: Visitor, *, pace: int = 20) -> dict[str, str]:
    """A quick table for each game: its id by the game."""
    made = {}
    for number, game in enumerate(GAMES, 11):
        table = {"id": str(number), "submission": game, "version": 1, "pace": pace}
        assert (await operator.ask(process, "POST", "/api/tables", json=table)).status_code in {201, 409}
        opened = await operator.ask(process, "POST", f"/api/tables/{number}/open")
        assert opened.status_code in {200, 409}, opened.text
        made[game] = str(number)
    return made


def is_asked(view: dict[str, Any], seat: int) -> bool:
    return bool(view["awaiting"]["kind"] == "decision" and view["awaiting"]["seat"] == seat)


def question(view: dict[str, Any]) -> dict[str, Any]:
    """What is asked; whoever was asked has all of their time again when the table goes on elsewhere."""
    return {name: value for name, value in view["awaiting"].items() if name != "deadline"}


class LivePlayer:
    """A player with a live socket at a table, who comes back whenever it is cut off."""

    def __init__(self, visitor: Visitor, process: HouseProcess, table: str, game: str, seat: int) -> None:
        self.visitor, self.process, self.table, self.game, self.seat = visitor, process, table, game, seat
        self.seen: dict[str, Any] = {}
        self.version = 0
        self.closed: list[int] = []
        """The codes that sockets were closed with."""
        self.connections = 0
        self._changed = asyncio.Event()
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._keys = 0

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._listen())
        await self.until(bool)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            address = f"ws://127.0.0.1:{self.process.port}/api/tables/{self.table}/live"
            headers = {"cookie": self.visitor.headers["cookie"]}
            try:
                async with connect(address, additional_headers=headers, open_timeout=5, proxy=None) as ws:
                    self._socket = ws
                    self.connections += 1
                    async for text in ws:
                        self._heard(json.loads(text))
                self.closed.append(ws.close_code or 0)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError):
                pass
            self._socket, self.seen = None, {}
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionResetError())
            self._answers.clear()
            await asyncio.sleep(0.05)

    def _heard(self, message: dict[str, Any]) -> None:
        if "key" in message:
            answer = self._answers.pop(message["key"], None)
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        self.seen, self.version = message["view"], message["version"]
        self._changed.set()

    async def until(self, holds: Any, seconds: float = PATIENCE) -> dict[str, Any]:  # noqa: ANN401 - of a view
        """The view, once this holds."""
        end = time.monotonic() + seconds
        while not (self.seen and holds(self.seen)):
            self._changed.clear()
            assert time.monotonic() < end, f"{self.visitor.name} at table {self.table} waits: {self.seen}"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), 0.5)
        return dict(self.seen)

    async def give(self, body: dict[str, Any], *, key: str = "", seconds: float = PATIENCE) -> dict[str, Any]:
        """Give a command on the socket until it is answered, with the same key."""
        self._keys += 1
        key = key or f"{self.visitor.name}-{self.table}-{time.time_ns()}-{self._keys}"
        end = time.monotonic() + seconds
        while True:
            assert time.monotonic() < end, f"{self.visitor.name} is not answered: {body}"
            socket_ = self._socket
            if socket_ is None:
                await asyncio.sleep(0.02)
                continue
            answer = self._answers[key] = asyncio.get_running_loop().create_future()
            try:
                await socket_.send(json.dumps({"key": key, **body}))
                said = await asyncio.wait_for(answer, 20)
            except (ConnectionClosed, ConnectionResetError, TimeoutError):
                continue
            if said.get("refused", {}).get("status") in {429, 503}:
                await asyncio.sleep(0.1)
                continue
            return dict(said)

    # --- playing

    @property
    def box(self) -> dict[str, Any]:
        return dict(self.seen["seats"][self.seat - 1])

    def hand(self) -> dict[str, Any]:
        """What must be the same wherever the table goes on."""
        shown = ("seat", "patron", "bets", "cards", "folded")
        return {
            "round": self.seen["rounds"],
            "commitment": self.seen["commitment"],
            "seats": [{name: box[name] for name in shown} for box in self.seen["seats"]],
            "board": self.seen["cards"],
            "awaiting": question(self.seen),
        }

    async def sit(self) -> None:
        if self.box["patron"] is None:
            await self.must({"do": "sit", "seat": self.seat})
        if float(self.seen["chips"] or 0) < 2_000:
            await self.must({"do": "buy_in", "amount": "5000.00"})

    async def must(self, body: dict[str, Any]) -> dict[str, Any]:
        said = await self.give(body)
        assert "ok" in said, (body, said)
        return dict(said["ok"])

    async def bet(self) -> None:
        """Bet what the game demands; whoever is late does not play this round."""
        for wager in GAMES[self.game]:
            said = await self.give({"do": "place_wager", "seat": self.seat, "wager": wager, "amount": "10.00"})
            if "ok" not in said:
                return

    def is_asked(self) -> bool:
        """Whether this player has to decide now."""
        return bool(self.seen) and is_asked(self.seen, self.seat)

    def decision(self, dice: random.Random) -> dict[str, Any]:
        """What to do now; nobody folds, so that a round is long."""
        choices = [choice for choice in self.seen["awaiting"]["choices"] if choice["choice"] not in {"fold", "let_go"}]
        choice = dice.choice(choices or self.seen["awaiting"]["choices"])
        raised = {"amount": choice["least"]} if choice["choice"] == "raise" else {}
        return {"do": "decide", "seat": self.seat, "choice": choice["choice"], **raised}
