"""The server as a process: one address, a graceful stop, and one clear line for whatever keeps it from starting."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn
from litestar.types import ASGIApp

from croupier.errors import CroupierError
from croupier.server.memory import settle_memory
from croupier.server.patience import PatientProtocol

__all__ = ["CannotListen", "listen", "serve"]

_GRACE: Final = 10
"""Seconds that open requests have when the server stops."""
_FRAME: Final = 16_384
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)


class CannotListen(CroupierError):
    """The address cannot be used."""


def listen(host: str, port: int) -> socket.socket:
    """The server's socket; `CannotListen` says why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # Only where the protocol is named does asyncio send small messages at once; others wait 40 ms now and then.
        sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, port))
        except BaseException:
            sock.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(f"port {port} is taken: stop what uses it, or choose another with --port") from None
        if error.errno == errno.EACCES:
            raise CannotListen(f"port {port} is not for ordinary users: choose one from 1024 on") from None
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            words = "127.0.0.1 is for this machine alone, 0.0.0.0 for everybody who can reach it"
            raise CannotListen(f"{host} is not an address of this machine: {words}") from None
        raise CannotListen(f"{host}:{port} cannot be used: {error.strerror or error}") from None
    except OverflowError:
        raise CannotListen(f"{port} is not a port: choose one from 1 to 65535") from None
    return sock


class _Server(uvicorn.Server):
    """A server that tells whoever watches before it stops, and ends as if it had been asked nicely."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._leave = leave

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell whoever watches, let open requests end, and stop."""
        await self._leave()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal; unlike the original it is not raised again, so that the store is closed as well."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _STOPPING}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first time requests are finished; whoever says it again does not want to wait for them."""
        if self.should_exit:
            raise KeyboardInterrupt
        super().handle_exit(sig, frame)


async def _nothing() -> None:
    return


async def serve(
    app: ASGIApp,
    sock: socket.socket,
    started: Callable[[], None] = lambda: None,
    leave: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Serve until the process is told to stop; then `leave` comes first, and open requests end."""
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=_FRAME,
        ws_per_message_deflate=False,  # a view is small; a compressor for every socket takes 300 kB and half the time
        ws_ping_interval=20,
        ws_ping_timeout=20,
        h11_max_incomplete_event_size=32 * 1024,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=_GRACE,
        limit_concurrency=10_000,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        lifespan="on",
    )
    server = _Server(config, leave)
    running = asyncio.create_task(server.serve(sockets=[sock]))
    while not server.started and not running.done():  # noqa: ASYNC110 - it sets no event
        await asyncio.sleep(0.01)
    if server.started:
        settle_memory()
        started()
    await running
