"""A table's page while it is open: after every change the same templates draw it anew, and the browser takes it in."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import WebSocket, websocket
from litestar.params import Parameter

from croupier.server import Caller, Desk, Watched, serve_socket
from croupier.web.dispute_pages import with_the_floor
from croupier.web.rendering import fragment
from croupier.web.shell import enter_shell
from croupier.web.table_context import table_context

__all__ = ["ROUTES"]


@websocket("/tables/{table_id:str}/watch")
async def watch_table(
    socket: WebSocket[Any, Any, Any],
    table_id: str,
    tab: Annotated[str, Parameter(max_length=20)] = "round",
) -> None:
    """The live part of a table's page, whenever something has changed."""
    desk: Desk = socket.app.state["desk"]
    enter_shell(socket, desk)

    async def draw(caller: Caller, watched: Watched) -> str:
        context = await table_context(desk, caller, watched, tab=tab)
        disputed = with_the_floor(desk, caller, watched.table.id)
        return fragment("table_live", caller, **(context | {"disputed": disputed}))

    await serve_socket(socket, desk, table_id, draw)


ROUTES: Final = [watch_table]
