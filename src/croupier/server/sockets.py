"""One live socket: changes of a table one way, commands the other.

Whoever reads slowly gets the newest view when they are ready, never a queue; whoever does not read at all is let go.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from croupier.errors import CroupierError, Malformed, RuleViolation, StoreError
from croupier.house import place_of
from croupier.server.callers import AskedTooOften, Caller, SignInFirst
from croupier.server.desk import Desk
from croupier.server.problems import problem_of, send_problem, status_of
from croupier.server.refused_before import RefusedAgain
from croupier.server.shown import shown_refusal
from croupier.server.strict import check_plain
from croupier.server.watching import TableGone, Watched, Watcher
from croupier.wire import decode_json

__all__ = ["Draw", "serve_socket"]

_LOG: Final = logging.getLogger("croupier.server")
SOCKETS_EACH: Final = 20
"""Sockets of one caller, or of one address without a caller."""
LONGEST: Final = 16_384
_SEND_SECONDS: Final = 20.0
_PATIENCE: Final = 100
_CLOSE_SECONDS: Final = 2.0
_ANSWER_SECONDS: Final = 4.0
"""How long a command that is being carried out keeps a socket open when the house closes."""
_STILL_SIGNED_IN: Final = 10.0
"""How often it is asked whether somebody who only watches is still signed in."""
_GONE: Final = (WebSocketDisconnect, WebSocketException, RuntimeError, OSError, TimeoutError)
"""What a socket says that is not there any more, or does not read."""
POLICY, TOO_LARGE, AWAY = 1008, 1009, 1001


Draw: TypeAlias = Callable[[Caller, Watched], Awaitable[str]]
"""What a viewer is shown of a table after a change."""


async def serve_socket(socket: WebSocket[Any, Any, Any], desk: Desk, name: str, draw: Draw | None = None) -> None:
    """Serve one viewer of one table until they leave, are signed out, or the house stops.

    Without `draw` a change is shown as the API says it.
    """
    try:
        caller = await desk.caller(socket)
        table = desk.table(name)
        who = caller.id or place_of(caller.address)
        if desk.sockets[who] >= SOCKETS_EACH:
            raise AskedTooOften(f"{SOCKETS_EACH} live views are open already: close one", 1.0)
    except CroupierError as error:
        answer = await send_problem(error, socket.send, socket=True)
        socket.scope["state"]["problem"] = answer.content["code"]
        return
    if desk.stopping:
        await _close(socket, AWAY, "the house is closing")
        return
    desk.sockets[who] += 1
    watcher = table.watch(caller.at_table)
    try:
        await _Viewer(socket, desk, caller, name, draw).serve(watcher)
    finally:
        watcher.source.unwatch(watcher)
        desk.sockets[who] -= 1
        if not desk.sockets[who]:
            del desk.sockets[who]


class _Viewer:
    def __init__(
        self, socket: WebSocket[Any, Any, Any], desk: Desk, caller: Caller, table: str, draw: Draw | None = None
    ) -> None:
        self._socket, self._desk, self._caller, self._table, self._draw = socket, desk, caller, table, draw
        self._sending: Final = asyncio.Lock()
        self._bad = 0
        """Messages in a row that nobody could make sense of, or that nobody here may send."""
        self._answering: Final = asyncio.Lock()
        self._why = (AWAY, "")

    async def serve(self, watcher: Watcher) -> None:
        """Show and hear until either ends, or the house closes."""
        await self._socket.accept()
        closing = asyncio.create_task(self._desk.leaving.wait())
        work = [asyncio.create_task(self.show(watcher)), asyncio.create_task(self.hear()), closing]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            if closing.done():
                self._why = (AWAY, "the house is closing")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_ANSWER_SECONDS), self._answering:
                        pass
        finally:
            for task in work:
                task.cancel()
            for ended in await asyncio.gather(*work, return_exceptions=True):
                if isinstance(ended, Exception):
                    _LOG.error("a live socket failed", exc_info=ended)
            await _close(self._socket, *self._why)

    async def show(self, watcher: Watcher) -> None:
        """Show every change, as long as the viewer may see it."""
        with suppress(*_GONE, TableGone):
            while True:
                is_due = await watcher.is_due(_STILL_SIGNED_IN)
                if not await self._may_stay():
                    self._why = (POLICY, "sign in again")
                    return
                if is_due:
                    async with self._sending:  # the newest view, after whatever is being sent
                        change = watcher.change()
                        if self._draw is None:
                            await self._write(change)
                        else:
                            await self._write_text(await self._draw(self._caller, watcher.source))

    async def _may_stay(self, *, acting: bool = False) -> bool:
        """Whether the viewer is who they were when they came."""
        person = self._desk.house.state.people.get(self._caller.id)
        if person is not None and (person.suspended or person.roles != self._caller.roles):
            return False
        try:
            return await self._desk.doors.still_open(self._caller, acting=acting)
        except StoreError:
            return True  # asked again later; nothing is shown that the record does not have

    async def hear(self) -> None:
        """Take commands, one after the other."""
        with suppress(*_GONE):
            while True:
                text = await self._socket.receive_text()
                if len(text.encode("utf-8", "replace")) > LONGEST:
                    self._why = (TOO_LARGE, "the message is too large")
                    return
                async with self._answering:
                    await self._send(await self._answered(text))
                if self._bad > _PATIENCE:
                    self._why = (POLICY, "too many messages that cannot be read, or too many at once")
                    return

    async def _answered(self, text: str) -> dict[str, Any]:
        key: Any = None
        try:
            self._desk.requests.take(self._caller.id or place_of(self._caller.address))
            message = decode_json(text)
            check_plain(message)
            if not isinstance(message, dict):
                raise Malformed("a message is an object: key, do, and the command's arguments")
            key = message.pop("key", "")
            if not isinstance(key, str) or not key or len(key) > 100 or not key.isprintable():
                key = None
                raise Malformed("key: every command on a socket has one, of at most 100 printable characters")
            if not await self._may_stay(acting=True):
                raise SignInFirst("sign in again")
            answer = await self._desk.command_once(self._caller, self._table, message, key)
        except RefusedAgain as again:
            return {"key": key, "refused": again.shown | {"status": 409}}
        except RuleViolation as violation:
            return {"key": key, "refused": shown_refusal(violation) | {"status": status_of(violation)}}
        except Exception as error:  # noqa: BLE001 - said to whoever asked, and noted
            self._bad += 1
            if isinstance(error, AskedTooOften):
                await asyncio.sleep(min(error.wait, 1.0))  # whoever does not listen is slowed down
            return {"key": key, "refused": _said(error)}
        self._bad = 0
        return {"key": key, "ok": answer}

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._write(message)

    async def _write(self, message: dict[str, Any]) -> None:
        await self._write_text(msgspec.json.encode(message).decode())

    async def _write_text(self, text: str) -> None:
        async with asyncio.timeout(_SEND_SECONDS):
            await self._socket.send_text(text)


def _said(error: Exception) -> dict[str, Any]:
    body: dict[str, Any] = problem_of(error).content
    return {name: body.get(name) for name in ("code", "message", "clause", "reading")} | {
        "status": body["status"],
        "allowed": [],
    }


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    with suppress(*_GONE, Exception):
        async with asyncio.timeout(_CLOSE_SECONDS):
            await socket.close(code=code, reason=reason)
