"""A demo behind real sockets on this machine, in a thread of its own, for browsers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import uvicorn

from croupier.house import DEMO_ACCOUNTS
from croupier.house.first_start import demo_id
from croupier.server import Desk, now
from croupier.server.pace import Pace
from croupier.server.patience import PatientProtocol
from croupier.server.rates import Rates
from croupier.server.run import listen
from support.browser import HouseForBrowsers, demo_house

T = TypeVar("T")
_NEVER: Final = Rates(per_second=1e9, burst=1e9)
_PEOPLE: Final = {role: name for name, role in reversed(DEMO_ACCOUNTS)} | {name: name for name, _ in DEMO_ACCOUNTS}
"""The first account of each role, and every account by its name."""
_BEAT: Final = timedelta(milliseconds=100)


class _Context(Protocol):
    """Where a page keeps its cookies."""

    def add_cookies(self, cookies: Any) -> None: ...  # noqa: ANN401 - Playwright's own shape


class _Browsed(Protocol):
    """A page, as far as signing in needs it."""

    @property
    def context(self) -> _Context: ...

    def goto(self, url: str) -> object: ...


class PagesHouse:
    """A running demo: its address, whoever signs in, and its inside for tests that must look there."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self.port = 0
        self._house: HouseForBrowsers | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    @property
    def url(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def desk(self) -> Desk:
        """What every handler works with; touch it only through `run`."""
        if self._house is None:
            raise RuntimeError("the house is closed")
        return self._house.desk

    # --- people

    def sign_in(self, page: _Browsed, who: str = "player", path: str | None = "/") -> None:
        """Sign a page in as the demo account of a role, or of a name, and go to a path."""
        person = demo_id(_PEOPLE[who])

        async def session(desk: Desk) -> tuple[str, str]:
            made = await desk.doors.people.sessions.create(person, now(), factor=False)
            return desk.doors.cookie, made.id

        name, value = self.run(session)
        page.context.add_cookies(
            [{"name": name, "value": value, "url": self.url, "httpOnly": True, "sameSite": "Strict"}]
        )
        if path is not None:
            page.goto(f"{self.url}{path}")

    # --- inside

    def run(self, work: Callable[[Desk], Awaitable[T]]) -> T:
        """Do something where the house runs."""
        if self._loop is None:
            raise RuntimeError("the house is closed")

        async def done() -> T:
            return await work(self.desk)

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(60)

    def pace(self, table: str, milliseconds: int) -> None:
        """Have a table wait this long for a beat: bets close two beats after the last one."""

        async def change(desk: Desk) -> None:
            plan = desk.hall.plans[table]
            desk.hall.live[table].deal(plan.staff, Pace(timedelta(milliseconds=milliseconds)))

        self.run(change)

    # --- opening and closing

    def start(self) -> None:
        """Open the house; a second time it goes on where it was, at the same address."""
        begun = threading.Event()
        self._failure = None
        self._thread = threading.Thread(target=self._serve, args=(begun,), daemon=True, name="house")
        self._thread.start()
        if not begun.wait(60) or self._failure is not None:
            raise RuntimeError("the house did not open") from self._failure

    def stop(self) -> None:
        """Close the house at once, whoever watches."""
        if self._thread is not None and self._server is not None:
            self._server.should_exit = self._server.force_exit = True
            self._thread.join(30)
        self._thread = self._server = self._loop = self._house = None

    def _serve(self, begun: threading.Event) -> None:
        try:
            asyncio.run(self._open(begun))
        except BaseException as error:  # noqa: BLE001 - told to whoever waits
            self._failure = error
            begun.set()

    async def _open(self, begun: threading.Event) -> None:
        sock = listen("127.0.0.1", self.port)
        self.port = int(sock.getsockname()[1])
        async with demo_house(self.folder) as house:
            desk = house.desk
            desk.requests = desk.commands = _NEVER  # type: ignore[misc] # a test asks faster than people do
            for name, plan in desk.hall.plans.items():
                if plan.automatic:
                    desk.hall.live[name].deal(plan.staff, Pace(_BEAT))
            server = uvicorn.Server(
                uvicorn.Config(
                    house.app,
                    http=PatientProtocol,
                    ws="websockets-sansio",
                    ws_max_size=16_384,
                    ws_per_message_deflate=False,
                    h11_max_incomplete_event_size=32 * 1024,
                    access_log=False,
                    log_config=None,
                    server_header=False,
                    lifespan="off",
                )
            )
            self._house, self._loop, self._server = house, asyncio.get_running_loop(), server
            serving = asyncio.create_task(server.serve(sockets=[sock]))
            while not server.started and not serving.done():  # noqa: ASYNC110 - it sets no event
                await asyncio.sleep(0.005)
            begun.set()
            await serving
            await desk.leave()
