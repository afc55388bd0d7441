"""Tables: the list, a table as the caller sees it, commands, and the live socket."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, WebSocket, get, post, websocket
from litestar.params import Body

from croupier.errors import Malformed
from croupier.server.api.answers import ToldCommand, ToldListed, ToldTable
from croupier.server.api.parameters import Key, Name, TheCaller, TheDesk
from croupier.server.described import ANYBODY, SOMEBODY, answers
from croupier.server.shown import shown_table
from croupier.server.sockets import serve_socket
from croupier.server.strict import KEY
from croupier.table import view, write_offer

__all__ = ["ROUTES"]

CommandBody = Annotated[
    dict[str, Any],
    Body(
        title="a command",
        description="`do` with the command's arguments, as `croupier table commands --json` lists them",
        examples=[],
    ),
]


@get(
    "/tables",
    summary="Every table of the house, as a passerby sees it",
    responses=answers(list[ToldListed], 401),
    security=ANYBODY,
)
async def list_tables(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """Id, rulebook, operator, status, seats, limits and meters of each table."""
    del caller  # whoever they are
    return [
        shown_table(table.table, view(table.table), paused=table.paused)
        | {"physical": not desk.hall.plans[table.table.id].virtual}
        for table in desk.hall.tables()
    ]


@get(
    "/tables/{table_id:str}",
    summary="A table as the caller sees it, and what the caller may do there now",
    responses=answers(ToldTable, 401, 404),
    security=ANYBODY,
)
async def see_table(desk: TheDesk, caller: TheCaller, table_id: Name) -> dict[str, Any]:
    """The version, the view, and what is allowed in any of the caller's roles; `text` stands for any text."""
    table = desk.table(table_id)
    version, shown = table.shown(caller.at_table)
    offers = desk.offers(caller, table)
    return {"version": version, "view": shown, "allowed": [write_offer(offer) for offer in offers]}


@post(
    "/tables/{table_id:str}/commands",
    status_code=200,
    summary="Give a command at a table",
    responses=answers(ToldCommand, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def give_command(
    desk: TheDesk, caller: TheCaller, table_id: Name, data: CommandBody, key: Key = ""
) -> Response[bytes]:
    """What the command led to, as the caller may see it, once it is durable."""
    answer = await desk.command_once(caller, table_id, data, _key(data, key))
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _key(data: dict[str, Any], header: str) -> str:
    """The key of a command: in the header, or beside the command as in a script of `croupier table run`."""
    key = data.pop("key", header)
    if not isinstance(key, str) or not re.fullmatch(KEY, key):
        raise Malformed("key: expected at most 100 plain characters")
    if header and key != header:
        raise Malformed("key: it is not the one in Idempotency-Key")
    return key


@websocket("/tables/{table_id:str}/live")
async def watch_table(socket: WebSocket[Any, Any, Any], desk: TheDesk, table_id: Name) -> None:
    """Every change of a table, and commands."""
    await serve_socket(socket, desk, table_id)


ROUTES: Final = [list_tables, see_table, give_command, watch_table]
