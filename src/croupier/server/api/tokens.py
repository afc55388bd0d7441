"""Tokens of devices: given, listed and taken back."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Annotated, Any, Final

from litestar import delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from croupier.house import commands
from croupier.server.api.answers import ToldRevoked, ToldToken, ToldTokenHeld
from croupier.server.api.parameters import Key, Label, Name, TheCaller, TheDesk
from croupier.server.described import SOMEBODY, answers
from croupier.server.shown import shown_time

__all__ = ["ROUTES"]


class NewToken(Struct, forbid_unknown_fields=True):
    """A token for a device."""

    device: Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$")]
    scope: Annotated[list[Label], Meta(min_length=1, max_length=100)]
    tables: Annotated[list[Label], Meta(max_length=1000)] = []
    days: Annotated[int, Meta(ge=1, le=400)] = 365


@get(
    "/tokens",
    summary="Every token that was given to a device",
    responses=answers(list[ToldTokenHeld], 401),
    security=SOMEBODY,
)
async def list_tokens(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """What each may do, where and until when; the token itself was shown once."""
    caller.must_read("tokens")
    return [
        {
            "id": token.id,
            "device": token.device,
            "scope": list(token.scope),
            "tables": list(token.tables),
            "expires": shown_time(token.expires),
            "revoked": token.revoked,
        }
        for token in desk.house.state.tokens.values()
    ]


@post(
    "/tokens",
    summary="Give a device a token",
    responses=answers(ToldToken, 401, 404, 409, 413, 503, status=201),
    security=SOMEBODY,
)
async def issue_token(desk: TheDesk, caller: TheCaller, data: JSONBody[NewToken]) -> dict[str, Any]:
    """It is shown this once."""
    caller.must_be_person()
    desk.commands.take(caller.id)
    command = commands.IssueToken(
        token=secrets.token_hex(6),
        device=data.device,
        scope=tuple(data.scope),
        tables=tuple(data.tables),
        expires=desk.doors.now() + timedelta(days=data.days),
    )
    return {
        "id": command.token,
        "token": await desk.doors.issue_token(caller, command),
        "expires": shown_time(command.expires),
    }


@delete(
    "/tokens/{token_id:str}",
    status_code=200,
    summary="Take a token back",
    responses=answers(ToldRevoked, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def revoke_token(desk: TheDesk, caller: TheCaller, token_id: Name, key: Key = "") -> dict[str, str]:
    """At once."""
    await desk.give_house(caller, commands.RevokeToken(token=token_id), key)
    return {"token": token_id, "status": "revoked"}


ROUTES: Final = [list_tokens, issue_token, revoke_token]
