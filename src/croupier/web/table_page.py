"""One table: the felt, what somebody may do now, and the round in words; every command as a form."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any, Final

from litestar import Response, get, post
from litestar.params import Parameter

from croupier.errors import CroupierError, RuleViolation
from croupier.server import Caller, Desk, SignInFirst, problem_of
from croupier.table import view
from croupier.web.acts import question_of
from croupier.web.dispute_pages import with_the_floor
from croupier.web.posting import AnyRequest, Fields
from croupier.web.rendering import Page, page, redirect
from croupier.web.sent_forms import read_command_form
from croupier.web.table_context import table_context

__all__ = ["ROUTES"]

TableId = Annotated[str, Parameter(max_length=60)]
Tab = Annotated[str, Parameter(max_length=20)]


@get("/tables/{table_id:str}")
async def see_table(desk: Desk, caller: Caller, table_id: TableId, tab: Tab = "round", forms: str = "") -> Page:
    """The table; `tab` is what stands beside it."""
    return await _table_page(desk, caller, table_id, tab="more" if forms == "all" else tab)


@post("/tables/{table_id:str}", status_code=200)
async def give_command(request: AnyRequest, desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """A command from a form."""
    key = fields.get("key", "")[:100]
    try:
        await _check_asked(desk, caller, table_id, fields.get("asked", ""), key)
        await desk.command(caller, table_id, read_command_form(fields), key)
    except CroupierError as error:
        if isinstance(error, RuleViolation) and error.code == "key_used" and "asked" in fields:
            return await _refused(desk, caller, table_id, _asked_before())
        return await _refused(desk, caller, table_id, error)
    return _done(request, table_id)


async def _check_asked(desk: Desk, caller: Caller, table_id: str, asked: str, key: str) -> None:
    """An answer to one decision is never taken for the next: the page may be behind, or another window was quicker."""
    table = desk.table(table_id).table
    if not asked or asked == question_of(view(table, caller.at_table)):
        return
    if not await desk.was_given(table_id, caller.giving(table, "decide"), key):
        raise _asked_before()


def _asked_before() -> RuleViolation:
    words = "this decision was made already, or its time was over: look at what is asked now"
    return RuleViolation("asked_before", words, clause="")


@post("/tables/{table_id:str}/bets", status_code=200)
async def place_bets(request: AnyRequest, desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Several wagers at a seat, or at several, in the order of the house; the first that is refused ends it."""
    key = fields.get("key", "")[:60]
    seats = [fields.get("seat", ""), *(name.removeprefix("also.") for name in fields if name.startswith("also."))]
    try:
        for seat, wager in product(seats, desk.table(table_id).table.house.wagers):
            amount = fields.get(f"bet.{wager.name}", "")
            if not amount:
                continue
            sent = {"do": "place_wager", "seat": seat, "wager": wager.name, "amount": amount}
            await desk.command(caller, table_id, read_command_form(sent), key and f"{key}.{seat[:8]}.{wager.name}")
    except CroupierError as error:
        return await _refused(desk, caller, table_id, error)
    return _done(request, table_id)


@post("/tables/{table_id:str}/bets/undo", status_code=200)
async def take_bets_back(request: AnyRequest, desk: Desk, caller: Caller, table_id: TableId, fields: Fields) -> Page:
    """Every wager at a seat back, the last one first, as long as bets are open."""
    key, seat = fields.get("key", "")[:60], fields.get("seat", "")
    try:
        seen = view(desk.table(table_id).table, caller.at_table)
        staked = [name for box in seen.seats if box.own and str(box.seat) == seat for name, _ in box.bets]
        for name in reversed(staked):
            sent = {"do": "take_back", "seat": seat, "wager": name}
            await desk.command(caller, table_id, read_command_form(sent), key and f"{key}.{name}")
    except CroupierError as error:
        return await _refused(desk, caller, table_id, error)
    return _done(request, table_id)


def _done(request: AnyRequest, table_id: str) -> Page:
    """Back to the table; a page whose socket is open is shown what came of it there."""
    if request.headers.get("x-live") == "yes":
        return Response(b"", status_code=204)
    return redirect(f"/tables/{table_id}")


async def _refused(desk: Desk, caller: Caller, table_id: str, error: CroupierError) -> Page:
    """The table, with why it was refused."""
    if isinstance(error, SignInFirst):
        raise error
    desk.table(table_id)
    answer = problem_of(error)
    return await _table_page(desk, caller, table_id, refusal=answer.content, status=answer.status_code or 409)


async def _table_page(
    desk: Desk,
    caller: Caller,
    table_id: str,
    *,
    tab: str = "round",
    refusal: dict[str, Any] | None = None,
    status: int = 200,
) -> Page:
    context = await table_context(desk, caller, desk.table(table_id), tab=tab)
    disputed = with_the_floor(desk, caller, table_id)
    return page("table", caller, status=status, **(context | {"refusal": refusal, "disputed": disputed}))


ROUTES: Final = [see_table, give_command, place_bets, take_bets_back]
