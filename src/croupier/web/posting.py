"""What forms send, and that it was one of our own pages that sent it."""

from __future__ import annotations

from typing import Any, Final, TypeAlias
from uuid import uuid4

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from croupier.server import Caller, Desk, check_fields
from croupier.web.shell import enter_shell

__all__ = ["AnyRequest", "Fields", "check_form", "give_fields", "give_page_caller", "new_key"]

Fields: TypeAlias = dict[str, str]
"""The fields of a form."""
AnyRequest: TypeAlias = Request[Any, Any, Any]
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
_FORM: Final = "application/x-www-form-urlencoded"


async def check_form(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Let a request that changes something through only with the token of its session.

    This guards every page route, so that none can go without it.
    """
    desk: Desk = connection.app.state["desk"]
    enter_shell(connection, desk)
    if not isinstance(connection, Request) or connection.method in _SAFE:
        return
    fields = await _read(connection)
    state = connection.scope["state"]
    state["fields"] = fields
    state["caller"] = await desk.caller(connection, token=fields.get("csrf", ""), acting=_is_acting(connection))


async def _read(request: AnyRequest) -> Fields:
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _FORM:
        return {}
    form = await request.form()
    fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    check_fields(fields)
    return fields


async def give_fields(request: AnyRequest) -> Fields:
    """The fields of the form that was sent."""
    fields: Fields = request.scope["state"].get("fields", {})
    return fields


async def give_page_caller(request: AnyRequest, desk: Desk) -> Caller:
    """Whoever asks for a page."""
    state = request.scope["state"]
    if "caller" not in state:
        state["caller"] = await desk.caller(request, acting=_is_acting(request))
    caller: Caller = state["caller"]
    return caller


def _is_acting(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether somebody is there: a page that looks again by itself says so."""
    return "again" not in connection.query_params


def new_key() -> str:
    """The key of a form: however often it is sent, it is carried out once."""
    return uuid4().hex
