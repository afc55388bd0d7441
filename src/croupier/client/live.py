"""A live table: every change as it happens, and commands over the same connection, which is made again when lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Protocol, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from croupier.client.calls import new_key
from croupier.client.patience import Patience
from croupier.client.problems import HouseError, HouseUnreachable, error_of
from croupier.client.reading import read_change, read_command, read_json
from croupier.client.values import CommandAnswer, LiveChange, SeenTable, TableAnswer

__all__ = ["LiveFeed"]

LARGEST: Final = 1 << 24
"""The longest message that is read, in bytes."""


class _Asks(Protocol):
    def __call__(self, table: str) -> Coroutine[Any, Any, TableAnswer]: ...


class LiveFeed:
    """The changes at a table: `async with client.live("1") as live: async for change in live: …`.

    The first change is the table as it is, and so is the first after a lost connection; older ones are dropped. A
    reader who is slower than the table gets several changes as one, with the newest view and all entries.
    """

    def __init__(
        self,
        table: str,
        *,
        address: Callable[[str], tuple[str, dict[str, str]]],
        origin: str,
        ask: _Asks,
        patience: Patience,
    ) -> None:
        self._table = table
        self._address = address
        self._origin = origin
        self._ask = ask
        self._patience = patience
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._waiting: LiveChange | None = None
        self._version = -1
        self._view = SeenTable()
        self._failed: HouseError | None = None
        self._sent: dict[str, tuple[str, asyncio.Future[Any]]] = {}
        """Commands that have no answer yet, as they were sent, by key."""
        self.connections = 0
        """How often a connection was made."""

    async def __aenter__(self) -> Self:
        self._start()
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave; commands without an answer are given up."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        self._fail(HouseUnreachable("the live table was left"))

    def __aiter__(self) -> AsyncIterator[LiveChange]:
        self._start()
        return self

    async def __anext__(self) -> LiveChange:
        """The next change."""
        self._start()
        while True:
            if self._waiting is not None:
                change, self._waiting = self._waiting, None
                return change
            if self._failed is not None:
                raise self._failed
            self._news.clear()
            await self._news.wait()

    async def send(self, do: str, key: str | None = None, **arguments: object) -> CommandAnswer:
        """Give a command; after a lost connection it is sent again with the same key."""
        self._start()
        if self._failed is not None:
            raise self._failed
        key = key or new_key()
        text = msgspec.json.encode({"key": key, "do": do, **arguments}).decode()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._sent[key] = (text, answer)
        try:
            if self._socket is not None:
                with suppress(ConnectionClosed):  # it goes out again with the next connection
                    await self._socket.send(text)
            return read_command(await answer, otherwise=self._view)
        finally:
            self._sent.pop(key, None)

    # --- the connection

    def _start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._stay_connected(), name=f"live table {self._table}")

    async def _stay_connected(self) -> None:
        waits = self._patience.waits()
        while True:
            before, problem = self.connections, "the connection was closed"
            try:
                await self._connected()
            except InvalidStatus as error:
                status = error.response.status_code
                if status not in {429, 500, 502, 503, 504}:
                    self._fail(_refused(status, error.response.body))
                    return
                problem = f"the house answered {status}"
            except HouseUnreachable as error:
                problem = str(error)
            except HouseError as error:
                self._fail(error)
                return
            except (OSError, TimeoutError, ConnectionClosed, InvalidHandshake) as error:
                problem = str(error) or type(error).__name__
            finally:
                self._socket = None
            if self.connections > before:
                waits = self._patience.waits()
            wait = next(waits, None)
            if wait is None:
                self._fail(HouseUnreachable(f"the live table {self._table} cannot be reached: {problem}"))
                return
            await asyncio.sleep(wait)

    async def _connected(self) -> None:
        """Read one connection to its end."""
        address, headers = self._address(self._table)
        async with connect(
            address,
            additional_headers=headers,
            origin=self._origin,  # type: ignore[arg-type]
            open_timeout=self._patience.timeout,
            max_size=LARGEST,
            proxy=None,
        ) as socket:
            now = await self._ask(self._table)
            self.connections += 1
            self._take(LiveChange(version=now.version, view=now.view, resumed=True))
            self._socket = socket
            for text, _ in list(self._sent.values()):
                await socket.send(text)
            async for message in socket:
                self._hear(read_json(message))

    def _hear(self, message: object) -> None:
        if not isinstance(message, Mapping):
            return
        key = message.get("key")
        if isinstance(key, str) and ("ok" in message or "refused" in message):
            _, answer = self._sent.get(key, ("", None))
            if answer is not None and not answer.done():
                if "ok" in message:
                    answer.set_result(message["ok"])
                else:
                    answer.set_exception(_problem(message["refused"]))
        elif "view" in message:
            self._take(read_change(message))

    def _take(self, change: LiveChange) -> None:
        if change.version < self._version:
            return
        self._version, self._view = change.version, change.view
        late = self._waiting
        if late is not None:
            entries = (*late.entries, *change.entries)
            change = LiveChange(
                version=change.version, view=change.view, entries=entries, resumed=late.resumed or change.resumed
            )
        self._waiting = change
        self._news.set()

    def _fail(self, error: HouseError) -> None:
        self._failed = self._failed or error
        for _, answer in self._sent.values():
            if not answer.done():
                answer.set_exception(error)
        self._news.set()


def _problem(raw: object) -> HouseError:
    """A refusal over the socket; where it names another status than 409, that one counts."""
    problem = raw if isinstance(raw, Mapping) else {}
    status = problem.get("status")
    return error_of(status if isinstance(status, int) else 409, problem)


def _refused(status: int, body: bytes | bytearray | None) -> HouseError:
    try:
        problem = read_json(bytes(body or b""))
    except HouseError:
        problem = None
    return error_of(status, problem if isinstance(problem, Mapping) else {})
