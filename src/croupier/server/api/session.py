"""Signing in and out."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Request, Response, delete, get, post
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from croupier.server.api.answers import ToldDemo, ToldSession, ToldStatus
from croupier.server.api.parameters import Secret, TheCaller, TheDesk
from croupier.server.callers import NotFound
from croupier.server.cookies import NOTHING_STAYS, no_session, session_cookie
from croupier.server.described import SOMEBODY, answers
from croupier.server.doors import Entered
from croupier.server.shown import shown_time

__all__ = ["ROUTES", "signed_in"]


class SignIn(Struct, forbid_unknown_fields=True):
    """A name, a password, and the second factor's code for whoever has one."""

    name: Annotated[str, Meta(max_length=100)]
    password: Secret
    code: Annotated[str, Meta(max_length=100)] = ""

    def __repr__(self) -> str:
        return "<SignIn>"


@post("/session", status_code=200, summary="Sign in", responses=answers(ToldSession, 401, 413), security=[])
async def sign_in(request: Request[Any, Any, Any], desk: TheDesk, data: JSONBody[SignIn]) -> Response[dict[str, Any]]:
    """The person, the token that every changing request carries, and a cookie."""
    entered = await desk.doors.sign_in(request, data.name, data.password, data.code)
    request.scope["state"]["caller_id"] = entered.caller.id
    return signed_in(desk, entered, **_until(desk, entered.caller))


@get("/session", summary="Who is signed in", responses=answers(ToldSession, 401), security=SOMEBODY)
async def see_session(desk: TheDesk, caller: TheCaller) -> dict[str, Any]:
    """The person and the token, for a page that was loaded again."""
    caller.must_be_person()
    return _person(caller) | _until(desk, caller)


@delete("/session", status_code=200, summary="Sign out", responses=answers(ToldStatus, 401, 409), security=SOMEBODY)
async def sign_out(desk: TheDesk, caller: TheCaller, everywhere: FromQuery[bool] = False) -> Response[dict[str, Any]]:  # noqa: FBT002 - a query
    """Here, or everywhere."""
    caller.must_be_person()
    await desk.doors.sign_out(caller, everywhere=everywhere)
    return Response({"status": "signed out"}, cookies=[no_session(desk.doors)], headers=NOTHING_STAYS)


@get(
    "/demo",
    summary="The names and passwords of a demo on this machine",
    responses=answers(list[ToldDemo], 401, 404),
    security=[],
)
async def see_demo(request: Request[Any, Any, Any], desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """Only where nobody else can reach it."""
    del caller  # whoever they are
    accounts = desk.doors.demo_for(request)
    if not accounts:
        raise NotFound("this is not a demo on your own machine")
    return [{"name": account.name, "password": account.password, "roles": [account.role]} for account in accounts]


def signed_in(desk: TheDesk, entered: Entered, *, status: int = 200, **more: Any) -> Response[dict[str, Any]]:  # noqa: ANN401 - JSON
    """The answer to somebody who has just signed in: who they are, and the session as a cookie."""
    cookies = [session_cookie(desk.doors, entered)]
    return Response(_person(entered.caller) | more, cookies=cookies, status_code=status)


def _person(caller: TheCaller) -> dict[str, Any]:
    return {"person": {"id": caller.id, "name": caller.name, "roles": list(caller.roles)}, "csrf": caller.csrf}


def _until(desk: TheDesk, caller: TheCaller) -> dict[str, Any]:
    """Until when a password works that somebody else handed out; nothing about one's own."""
    state = desk.house.state
    until = state.password_until(state.people[caller.id])
    return {} if until is None else {"password_until": shown_time(until)}


ROUTES: Final = [sign_in, see_session, sign_out, see_demo]
