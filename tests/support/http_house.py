"""A running house in this process, without a network: its application is called as a server would call it.

Everything that anybody receives can be recorded: answers, frames of sockets, and what is logged. The clock of the
automatic dealer does not run by itself: `tick` moves it on.
"""

import asyncio
import json
import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import httpx
from litestar.types import ASGIApp

from croupier.house import House, People, Tokens, commands, demo
from croupier.house.first_start import DEMO_PASSWORD, demo_id
from croupier.ledger import HouseRole
from croupier.server import Desk
from croupier.server.app import open_to
from croupier.server.doors import Doors
from croupier.server.gate import Surroundings
from croupier.server.hall import Hall
from croupier.server.passing import Passing
from croupier.server.rates import Rates
from croupier.store import Cage, Store, open_store
from support.lent_routes import lent_routes
from support.people import quick

ORIGIN: Final = "http://127.0.0.1:8000"
START: Final = datetime(2026, 1, 1, 20, tzinfo=UTC)
NEVER: Final = Rates(per_second=1e9, burst=1e9)


class Clock:
    """The time, which moves when it is told to, and a little whenever somebody looks."""

    def __init__(self, at: datetime = START) -> None:
        self.at = at

    def __call__(self) -> datetime:
        self.at += timedelta(microseconds=1)
        return self.at

    def advance(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


class Received(NamedTuple):
    """Something that somebody received."""

    who: str
    how: str
    text: str
    status: int = 200


class Visitor:
    """Somebody with a browser, a device with its token, or a stranger; what they receive may be recorded."""

    def __init__(self, app: ASGIApp, name: str, *, token: str = "", record: list[Received] | None = None) -> None:
        self.name, self.token, self.record = name, token, record
        self.id, self.csrf = "", ""
        self._app = app
        self.http = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=cast("Any", app), raise_app_exceptions=True, client=("127.0.0.1", 1)),
            base_url=ORIGIN,
        )

    def headers(self, method: str, more: Mapping[str, str] | None = None) -> dict[str, str]:
        if self.token:
            return {"Authorization": f"Bearer {self.token}", **(more or {})}
        unsafe = {"Origin": ORIGIN, **({"X-CSRF-Token": self.csrf} if self.csrf else {})}
        return {**(unsafe if method != "GET" else {}), **(more or {})}

    async def ask(
        self, method: str, path: str, body: object = None, *, key: str = "", headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        more = {**({"Idempotency-Key": key} if key else {}), **(headers or {})}
        sent: dict[str, Any] = {} if body is None else {"json": body}
        answer = await self.http.request(method, path, headers=self.headers(method, more), **sent)
        if self.record is not None:
            heads = "\n".join(value for name, value in answer.headers.items() if name != "x-request-id")
            self.record.append(Received(self.name, f"headers of {method} {path}", heads, answer.status_code))
            self.record.append(Received(self.name, f"{method} {path}", answer.text, answer.status_code))
        return answer

    async def get(self, path: str) -> httpx.Response:
        return await self.ask("GET", path)

    async def command(self, table: str, do: str, *, key: str = "", **arguments: object) -> httpx.Response:
        return await self.ask("POST", f"/api/tables/{table}/commands", {"do": do, **arguments}, key=key)

    async def sign_in(self, name: str, password: str = DEMO_PASSWORD, code: str = "") -> httpx.Response:
        body = {"name": name, "password": password} | ({"code": code} if code else {})
        answer = await self.http.post("/api/session", json=body, headers={"Origin": ORIGIN})
        if answer.status_code == 200:
            self.id, self.csrf = answer.json()["person"]["id"], answer.json()["csrf"]
        return answer

    def socket(self, table: str, headers: Mapping[str, str] | None = None) -> "Socket":
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        sent = {"host": "127.0.0.1:8000", **({"cookie": cookie} if cookie else {})}
        sent |= {"authorization": f"Bearer {self.token}"} if self.token else {"origin": ORIGIN}
        return Socket(self._app, table, sent | dict(headers or {}), self)


class Socket:
    """A live socket, as the application sees one."""

    def __init__(self, app: ASGIApp, table: str, headers: Mapping[str, str], visitor: Visitor) -> None:
        self._visitor = visitor
        self._in: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        path = f"/api/tables/{table}/live"
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            "state": {},
            "extensions": {},
        }
        self._in.put_nowait({"type": "websocket.connect"})
        self._task: asyncio.Task[None] = asyncio.create_task(cast("Any", app)(scope, self._in.get, self._sent))

    async def _sent(self, message: Any) -> None:  # noqa: ANN401 - of ASGI
        if message["type"] == "websocket.send" and self._visitor.record is not None:
            self._visitor.record.append(Received(self._visitor.name, "socket", message["text"]))
        await self.out.put(message)

    async def next(self, kind: str = "websocket.send") -> Any:  # noqa: ANN401 - JSON
        """The next message; a frame as the value of its JSON."""
        message = await asyncio.wait_for(self.out.get(), 5)
        if message["type"] == "websocket.accept" and kind != "websocket.accept":
            message = await asyncio.wait_for(self.out.get(), 5)
        assert message["type"] == kind, message
        return json.loads(message["text"]) if kind == "websocket.send" else message

    async def answer(self, key: str | None) -> Any:  # noqa: ANN401 - JSON
        """The answer to a message, whatever was shown before it."""
        while True:
            message = await self.next()
            if "view" not in message and message.get("key") == key:
                return message

    def send(self, text: str) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": text, "bytes": None})

    def drain(self) -> list[dict[str, Any]]:
        """Everything that has arrived."""
        return [self.out.get_nowait() for _ in range(self.out.qsize())]

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1000})
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._task, 5)


class HttpHouse:
    """The house, its application and whoever visits it."""

    def __init__(self, store: Store, desk: Desk, clock: Clock, app: ASGIApp) -> None:
        self.store, self.desk, self.clock, self.app = store, desk, clock, app
        self.record: list[Received] = []
        self.tokens = 0

    @property
    def people(self) -> People:
        return self.desk.doors.people

    def stranger(self, name: str = "passerby", *, recorded: bool = False) -> Visitor:
        return Visitor(self.app, name, record=self.record if recorded else None)

    async def visitor(self, name: str, password: str = DEMO_PASSWORD, *, recorded: bool = False) -> Visitor:
        visitor = Visitor(self.app, name, record=self.record if recorded else None)
        answer = await visitor.sign_in(name, password)
        assert answer.status_code == 200, answer.text
        return visitor

    async def device(
        self, scope: Sequence[str], tables: Sequence[str] = (), *, name: str = "shoe 1", recorded: bool = False
    ) -> Visitor:
        self.tokens += 1
        issued = commands.IssueToken(
            token=f"t{self.tokens}",
            device=name,
            scope=tuple(scope),
            tables=tuple(tables),
            expires=self.clock() + timedelta(days=1),
        )
        text = await Tokens(self.people.house).issue(demo_id("operator"), issued, self.clock(), factor=True)
        return Visitor(self.app, "device", token=text, record=self.record if recorded else None)

    async def add(self, name: str, *roles: HouseRole, password: str = "correct horse battery") -> str:
        return await self.people.add(
            name, password, roles, by=demo_id("operator"), at=self.clock(), factor=True, person=name
        )

    async def tick(self, table: str, *, seconds: float = 0.0) -> None:
        """Let the automatic dealer do everything that is due, after some time."""
        self.clock.advance(seconds)
        live = self.desk.hall.live[table]
        for _ in range(1000):
            if await live._tick() > 0.0:  # noqa: SLF001 - the clock is ours here
                return


@asynccontextmanager
async def http_house(
    folder: Path | str,
    *,
    is_demo: bool = True,
    surroundings: Surroundings | None = None,
    alone: bool = True,
    limited: bool = False,
    clock: Clock | None = None,
) -> AsyncIterator[HttpHouse]:
    """A house in a store of its own; a second time in the same folder it goes on."""
    clock = clock or Clock()
    if is_demo and alone and not (await asyncio.to_thread(os.listdir, folder)):
        await asyncio.to_thread(shutil.copytree, await _furnished(), folder, dirs_exist_ok=True)
    store = await open_store(str(Path(folder) / "house.db"))
    people = People(House(store), quick())
    try:
        if is_demo:
            accounts = await demo(people, clock(), well_known=alone)
        else:
            accounts = ()
            if not (await people.house.load()).begun:
                begin = commands.BeginHouse(operator=demo_id("operator"))
                await people.begin("operator", "correct horse battery", begin, clock())
        hall = Hall(store, Cage(store), clock=clock, play_chips=people.house.state.demo)
        doors = Doors(
            people,
            Tokens(people.house),
            surroundings=surroundings or Surroundings.at("127.0.0.1"),
            demo=accounts if alone else (),
            alone=alone,
            clock=clock,
        )
        await doors.read_names()
        desk = Desk(hall, doors, Passing(store), demo=is_demo)
        if not limited:
            desk.requests = desk.commands = desk.replays = NEVER  # type: ignore[misc]
        else:
            for rates in (desk.requests, desk.commands, desk.replays):
                rates._clock = lambda: 0.0  # noqa: SLF001 - however slow the machine is
        await desk.set_up()
        for table in hall.live.values():
            table.stop_clock()  # `tick` moves it
        with lent_routes() as routes:
            house = HttpHouse(store, desk, clock, open_to(desk, routes))
            for name in list(hall.live):
                await house.tick(name)
            yield house
            await desk.stop()
    finally:
        people.close()
        await store.close()


_FURNISHED: Final[list[tempfile.TemporaryDirectory[str]]] = []


async def _furnished() -> Path:
    """A demo that was set up once, to be copied."""
    if not _FURNISHED:
        _FURNISHED.append(tempfile.TemporaryDirectory())
        store = await open_store(str(Path(_FURNISHED[0].name) / "house.db"))
        people = People(House(store), quick())
        await demo(people, START, well_known=True)
        people.close()
        await store.close()
    return Path(_FURNISHED[0].name)


@contextmanager
def listening() -> Iterator["Lines"]:
    """Everything that anybody logs, whatever its level; nobody else keeps it meanwhile."""
    lines, root, ours = Lines(), logging.getLogger(), logging.getLogger("httpx")
    handlers, level, theirs = root.handlers, root.level, ours.level
    root.handlers = [lines]
    root.setLevel(logging.DEBUG)
    ours.setLevel(logging.WARNING)  # our own client
    try:
        yield lines
    finally:
        root.handlers = handlers
        root.setLevel(level)
        ours.setLevel(theirs)


class Lines(logging.Handler):
    """Everything that is logged, as the server writes it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        fields = getattr(record, "fields", {})
        self.lines.append(f"{record.name} {record.getMessage()} {json.dumps(fields)} {record.exc_text or ''}")
        if record.exc_info:
            self.lines.append(logging.Formatter().formatException(record.exc_info))
