"""The cage: what a patron has there, and what they bring and take."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from croupier.ledger import Author, BookEntry
from croupier.money import format_dollars, parse_dollars
from croupier.server.api.answers import ToldAccount
from croupier.server.api.parameters import Dollars, Key, Line, Name, TheCaller, TheDesk
from croupier.server.callers import NotFound
from croupier.server.described import SOMEBODY, answers

__all__ = ["ROUTES"]


class Amount(Struct, forbid_unknown_fields=True):
    """Dollars, and the number of the slip."""

    amount: Dollars
    reference: Line = ""


class Reversal(Struct, forbid_unknown_fields=True):
    """The number of an entry of the cage, and why it is taken back."""

    entry: Annotated[int, Meta(ge=1, le=2**53 - 1)]
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


@get(
    "/cage/{patron:str}",
    summary="What a patron has at the cage",
    responses=answers(ToldAccount, 401, 404),
    security=SOMEBODY,
)
async def see_account(desk: TheDesk, caller: TheCaller, patron: Name) -> dict[str, Any]:
    """Their own, or anybody's for whoever may read the cage."""
    caller.must_be_person()
    if patron != caller.id or "player" not in caller.roles:
        caller.must_read("cage")
    return await _account(desk, patron)


@post(
    "/cage/{patron:str}/deposit",
    status_code=200,
    summary="A patron brings money",
    responses=answers(ToldAccount, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def deposit(
    desk: TheDesk, caller: TheCaller, patron: Name, data: JSONBody[Amount], key: Key = ""
) -> dict[str, Any]:
    """By a cashier."""
    author = await _cashier(desk, caller, "deposit", patron)
    entry = await desk.hall.cage.deposit(
        patron, parse_dollars(data.amount), by=author, at=desk.doors.now(), reference=data.reference, key=key
    )
    return await _account(desk, patron, entry)


@post(
    "/cage/{patron:str}/withdraw",
    status_code=200,
    summary="A patron takes money",
    responses=answers(ToldAccount, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def withdraw(
    desk: TheDesk, caller: TheCaller, patron: Name, data: JSONBody[Amount], key: Key = ""
) -> dict[str, Any]:
    """By a cashier; refused beyond what is there."""
    author = await _cashier(desk, caller, "withdraw", patron)
    entry = await desk.hall.cage.withdraw(
        patron, parse_dollars(data.amount), by=author, at=desk.doors.now(), reference=data.reference, key=key
    )
    return await _account(desk, patron, entry)


@post(
    "/cage/{patron:str}/reverse",
    status_code=200,
    summary="A mistaken deposit or withdrawal is taken back",
    responses=answers(ToldAccount, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def reverse(
    desk: TheDesk, caller: TheCaller, patron: Name, data: JSONBody[Reversal], key: Key = ""
) -> dict[str, Any]:
    """By a cashier, once: the entry stays in the record, and another one takes it back."""
    author = await _cashier(desk, caller, "reverse_cage", patron)
    entry = await desk.hall.cage.reverse(
        data.entry, by=author, at=desk.doors.now(), reason=data.reason, key=key, patron=patron
    )
    return await _account(desk, patron, entry)


async def _cashier(desk: TheDesk, caller: TheCaller, do: str, patron: str) -> Author:
    if caller.may_read("people") and patron not in desk.house.state.people:
        raise NotFound("there is no such patron")
    role = desk.doors.acting_role(caller, do, about=patron)
    desk.commands.take(caller.id)
    return Author(role, caller.id)


async def _account(desk: TheDesk, patron: str, entry: BookEntry | None = None) -> dict[str, Any]:
    if patron not in desk.house.state.people:
        raise NotFound("there is no such patron")
    made = {} if entry is None else {"entry": entry.seq}
    return {"patron": patron, "balance": format_dollars(await desk.hall.cage.balance(patron)), **made}


ROUTES: Final = [see_account, deposit, withdraw, reverse]
