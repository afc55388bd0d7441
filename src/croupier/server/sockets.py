"""One live socket: changes of a table one way, commands the other.

Whoever reads slowly gets the newest view when they are ready, never a queue; whoever does not read at all is let go.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect, WebSocketException

from croupier.errors import CroupierError, Malformed, RuleViolation
from croupier.house import place_of
from croupier.server.callers import Caller, NotSignedIn, TooOften
from croupier.server.desk import Desk
from croupier.server.problems import problem_of
from croupier.server.shown import shown_refusal
from croupier.server.strict import check_plain
from croupier.wire import decode_json

__all__ = ["serve_socket"]

SOCKETS_EACH: Final = 20
"""Sockets of one caller, or of one address without a caller."""
LONGEST: Final = 16_384
_SEND_SECONDS: Final = 20.0
_PATIENCE: Final = 100
_GONE: Final = (WebSocketDisconnect, WebSocketException, RuntimeError, OSError)
"""What a socket says that is not there any more."""
TRY_AGAIN, POLICY, TOO_LARGE, AWAY = 1013, 1008, 1009, 1001


async def serve_socket(socket: WebSocket[Any, Any, Any], desk: Desk, name: str) -> None:
    """Serve one viewer of one table until they leave, are signed out, or the house stops."""
    try:
        caller = await desk.caller(socket)
        table = desk.table(name)
    except CroupierError as error:
        await _close(socket, TRY_AGAIN if isinstance(error, TooOften) else POLICY, str(error))
        return
    who = caller.id or place_of(caller.address)
    if desk.sockets[who] >= SOCKETS_EACH:
        await _close(socket, TRY_AGAIN, "too many live views are open")
        return
    desk.sockets[who] += 1
    watcher = table.watch(caller.at_table)
    await socket.accept()
    viewer = _Viewer(socket, desk, caller, name)
    tasks = [asyncio.create_task(viewer.show(watcher)), asyncio.create_task(viewer.hear())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watcher.source.unwatch(watcher)
        desk.sockets[who] -= 1
        if not desk.sockets[who]:
            del desk.sockets[who]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _close(socket, AWAY, "")


class _Viewer:
    def __init__(self, socket: WebSocket[Any, Any, Any], desk: Desk, caller: Caller, table: str) -> None:
        self._socket, self._desk, self._caller, self._table = socket, desk, caller, table
        self._sending: Final = asyncio.Lock()
        self._bad = 0
        """Messages in a row that nobody could make sense of, or that nobody here may send."""

    async def show(self, watcher: Any) -> None:  # noqa: ANN401
        """Show every change."""
        with suppress(*_GONE, TimeoutError, CroupierError):
            while True:
                change = await watcher.next_change()
                if not await self._desk.doors.still_open(self._caller, acting=False):
                    await _close(self._socket, POLICY, "sign in again")
                    return
                await self._send(change)

    async def hear(self) -> None:
        """Take commands, one after the other."""
        with suppress(*_GONE, TimeoutError):
            while True:
                text = await self._socket.receive_text()
                if len(text.encode("utf-8", "replace")) > LONGEST:
                    await _close(self._socket, TOO_LARGE, "the message is too large")
                    return
                await self._send(await self._answered(text))
                if self._bad > _PATIENCE:
                    await _close(self._socket, POLICY, "too many messages that cannot be read")
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
            if not await self._desk.doors.still_open(self._caller, acting=True):
                raise NotSignedIn("sign in again")
            answer = await self._desk.command(self._caller, self._table, message, key)
        except RuleViolation as violation:
            return {"key": key, "refused": shown_refusal(violation)}
        except Exception as error:  # noqa: BLE001 - said to whoever asked, and noted
            self._bad += 1
            if isinstance(error, TooOften):
                await asyncio.sleep(min(error.wait, 1.0))  # whoever does not listen is slowed down
            return {"key": key, "refused": _said(error)}
        self._bad = 0
        return {"key": key, "ok": answer}

    async def _send(self, message: dict[str, Any]) -> None:
        data = msgspec.json.encode(message).decode()
        async with self._sending:
            await asyncio.wait_for(self._socket.send_text(data), _SEND_SECONDS)


def _said(error: Exception) -> dict[str, Any]:
    body: dict[str, Any] = problem_of(error).content
    return {name: body.get(name) for name in ("code", "message", "clause", "reading")} | {
        "status": body["status"],
        "allowed": [],
    }


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    with suppress(*_GONE, Exception):
        await socket.close(code=code, reason=reason)
