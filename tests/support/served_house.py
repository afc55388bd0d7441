"""The same house behind real sockets on this machine, in a thread of its own."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from croupier.server.patience import PatientProtocol
from croupier.server.run import listen
from support.http_house import HttpHouse, http_house

T = TypeVar("T")


class ServedHouse:
    """A house that serves, and a way to ask it from another thread."""

    def __init__(self, url: str, house: HttpHouse, loop: asyncio.AbstractEventLoop) -> None:
        self.url, self.house, self._loop = url, house, loop

    @property
    def address(self) -> tuple[str, int]:
        host, _, port = self.url.removeprefix("http://").partition(":")
        return host, int(port)

    def run(self, work: Callable[[HttpHouse], Coroutine[Any, Any, T]]) -> T:
        """Do something where the house runs."""
        return asyncio.run_coroutine_threadsafe(work(self.house), self._loop).result(60)


@contextmanager
def served_house(folder: Path, **options: Any) -> Iterator[ServedHouse]:  # noqa: ANN401 - as `http_house` has them
    """A house on a free port."""
    begun = threading.Event()
    running: list[ServedHouse] = []
    stop: list[Callable[[], None]] = []
    sock = listen("127.0.0.1", 0)

    async def main() -> None:
        async with http_house(folder, **options) as house:
            config = uvicorn.Config(
                house.app,
                http=PatientProtocol,
                ws="websockets-sansio",
                ws_max_size=16_384,
                h11_max_incomplete_event_size=32 * 1024,
                access_log=False,
                log_config=None,
                server_header=False,
                lifespan="off",
            )
            server = uvicorn.Server(config)
            server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
            running.append(ServedHouse(f"http://127.0.0.1:{_port(sock)}", house, asyncio.get_running_loop()))
            stop.append(lambda: setattr(server, "should_exit", True))
            serving = asyncio.create_task(server.serve(sockets=[sock]))
            while not server.started:  # noqa: ASYNC110 - it sets no event
                await asyncio.sleep(0.01)
            begun.set()
            await serving

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    assert begun.wait(30)
    try:
        yield running[0]
    finally:
        stop[0]()
        thread.join(30)


def _port(sock: socket.socket) -> int:
    return int(sock.getsockname()[1])
