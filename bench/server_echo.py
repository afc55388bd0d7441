"""The framework by itself: a socket that answers with what it was sent, in a process with the server's own settings."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any

from litestar import Litestar, WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from croupier.server import listen
from croupier.server.run import serve


@websocket("/echo")
async def echo(socket: WebSocket[Any, Any, Any]) -> None:
    await socket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(await socket.receive_text())


if __name__ == "__main__":
    with listen("127.0.0.1", int(sys.argv[1])) as sock:
        asyncio.run(
            serve(Litestar([echo], openapi_config=None, logging_config=None), sock, lambda: print("ready", flush=True))
        )
