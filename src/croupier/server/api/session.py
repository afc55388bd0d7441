"""Signing in and out."""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response, delete, get, post
from msgspec import Struct

from croupier.server.callers import Caller, NotFound
from croupier.server.cookies import NO_SESSION, session_cookie
from croupier.server.desk import Desk
from croupier.server.doors import Entered

__all__ = ["ROUTES", "signed_in"]


class SignIn(Struct, forbid_unknown_fields=True):
    """A name, a password, and the second factor's code for whoever has one."""

    name: str
    password: str
    code: str = ""

    def __repr__(self) -> str:
        return "<SignIn>"


@post("/session", status_code=200, summary="Sign in")
async def sign_in(request: Request[Any, Any, Any], desk: Desk, data: SignIn) -> Response[dict[str, Any]]:
    """The person, the token that every changing request carries, and a cookie."""
    return signed_in(desk, await desk.doors.sign_in(request, data.name, data.password, data.code))


@get("/session", summary="Who is signed in")
async def see_session(caller: Caller) -> dict[str, Any]:
    """The person and the token, for a page that was loaded again."""
    caller.must_be_somebody()
    return _person(caller)


@delete("/session", status_code=200, summary="Sign out")
async def sign_out(desk: Desk, caller: Caller, everywhere: bool = False) -> Response[dict[str, Any]]:  # noqa: FBT001, FBT002 - a query
    """Here, or everywhere."""
    caller.must_be_somebody()
    await desk.doors.sign_out(caller, everywhere=everywhere)
    return Response({"status": "signed out"}, cookies=[NO_SESSION])


@get("/demo", summary="The names and passwords of a demo on this machine")
async def see_demo(desk: Desk) -> list[dict[str, Any]]:
    """Only where nobody else can reach it."""
    if not desk.doors.demo_accounts:
        raise NotFound("this is not a demo on your own machine")
    return [
        {"name": account.name, "password": account.password, "roles": [account.role]}
        for account in desk.doors.demo_accounts
    ]


def signed_in(desk: Desk, entered: Entered, *, status: int = 200, **more: Any) -> Response[dict[str, Any]]:  # noqa: ANN401 - JSON
    """The answer to somebody who has just signed in: who they are, and the session as a cookie."""
    cookie = session_cookie(desk.doors, entered)
    return Response(_person(entered.caller) | more, cookies=[cookie], status_code=status)


def _person(caller: Caller) -> dict[str, Any]:
    return {"person": {"id": caller.id, "name": caller.name, "roles": list(caller.roles)}, "csrf": caller.csrf}


ROUTES: Final = [sign_in, see_session, sign_out, see_demo]
