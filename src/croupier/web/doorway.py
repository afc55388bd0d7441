"""Signing in, up and out."""

from __future__ import annotations

from typing import Any, Final

from litestar import get, post

from croupier.errors import CroupierError
from croupier.server import NOTHING_STAYS, Caller, Desk, no_session, problem_of, session_cookie
from croupier.web.posting import AnyRequest, Fields
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import own_path

__all__ = ["ROUTES", "sign_in_page"]

_IN: Final = {"bad_sign_in": "password", "password_expired": "password", "code_needed": "code", "bad_code": "code"}
_UP: Final = {"name_taken": "new-name", "unreadable": "new-name", "bad_password": "new-password"}
"""The fields of the two forms that a refusal is about, by its code."""


@get("/sign-in")
async def see_sign_in(request: AnyRequest, desk: Desk, caller: Caller, then: str = "/") -> Page:
    """The way in."""
    return sign_in_page(request, desk, caller, own_path(then))


@post("/sign-in", status_code=200)
async def sign_in(request: AnyRequest, desk: Desk, caller: Caller, fields: Fields) -> Page:
    """A session for whoever gives a name and its password."""
    then = own_path(fields.get("then", "/"))
    name = fields.get("name", "")
    try:
        entered = await desk.doors.sign_in(request, name, fields.get("password", ""), fields.get("code", ""))
    except CroupierError as error:
        answer = problem_of(error)
        return sign_in_page(
            request, desk, caller, then, refusal=answer.content, status=answer.status_code or 401, name=name
        )
    return redirect(then, cookies=[session_cookie(desk.doors, entered)])


@post("/sign-up", status_code=200)
async def sign_up(request: AnyRequest, desk: Desk, caller: Caller, fields: Fields) -> Page:
    """A new player of a demo."""
    name = fields.get("name", "")
    try:
        entered = await desk.doors.sign_up(request, name, fields.get("password", ""))
    except CroupierError as error:
        answer = problem_of(error)
        return sign_in_page(
            request,
            desk,
            caller,
            "/",
            refusal=answer.content,
            status=answer.status_code or 409,
            new_name=name,
            signing_up=True,
        )
    return redirect("/", cookies=[session_cookie(desk.doors, entered)])


@post("/sign-out", status_code=200)
async def sign_out(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Here, or everywhere."""
    caller.must_be_somebody()
    await desk.doors.sign_out(caller, everywhere=fields.get("everywhere") == "yes")
    return redirect("/", cookies=[no_session(desk.doors)], headers=NOTHING_STAYS)


def sign_in_page(
    request: AnyRequest,
    desk: Desk,
    caller: Caller,
    then: str,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
    name: str = "",
    new_name: str = "",
    signing_up: bool = False,
) -> Page:
    """The form, with what was wrong with the last one."""
    return page(
        "sign_in",
        caller,
        status=status,
        then=then,
        refusal=refusal,
        name=name,
        new_name=new_name,
        findings=_findings(refusal, _UP if signing_up else _IN),
        accounts=desk.doors.demo_for(request),
        demo=desk.house.state.demo,
    )


def _findings(refusal: dict[str, Any] | None, fields: dict[str, str]) -> dict[str, str]:
    """What is wrong, beside the field that it is about."""
    field = fields.get(refusal["code"]) if refusal is not None else None
    return {} if refusal is None or field is None else {field: refusal["message"]}


ROUTES: Final = [see_sign_in, sign_in, sign_up, sign_out]
