"""The cage: what a patron has there, and what they bring and take."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.house import may_read
from croupier.ledger import Author
from croupier.money import format_dollars, parse_dollars
from croupier.server.callers import Caller, NotFound, NotTheirs
from croupier.server.desk import Desk
from croupier.server.live import now

__all__ = ["ROUTES"]

Patron = Annotated[str, Parameter(max_length=60)]
Key = Annotated[str, Parameter(header="Idempotency-Key", max_length=100)]


class Amount(Struct, forbid_unknown_fields=True):
    """Dollars, and the number of the slip."""

    amount: str
    reference: str = ""


@get("/cage/{patron:str}", summary="What a patron has at the cage")
async def see_account(desk: Desk, caller: Caller, patron: Patron) -> dict[str, Any]:
    """Their own, or anybody's for whoever may read the cage."""
    caller.must_be_somebody()
    if patron != caller.id and not may_read(caller.roles, "cage"):
        raise NotTheirs("this account is not yours")
    return await _account(desk, patron)


@post("/cage/{patron:str}/deposit", status_code=200, summary="A patron brings money")
async def deposit(desk: Desk, caller: Caller, patron: Patron, data: Amount, key: Key = "") -> dict[str, Any]:
    """By a cashier."""
    author = await _cashier(desk, caller, "deposit", patron)
    await desk.hall.cage.deposit(
        patron, parse_dollars(data.amount), by=author, at=now(), reference=data.reference, key=key
    )
    return await _account(desk, patron)


@post("/cage/{patron:str}/withdraw", status_code=200, summary="A patron takes money")
async def withdraw(desk: Desk, caller: Caller, patron: Patron, data: Amount, key: Key = "") -> dict[str, Any]:
    """By a cashier; refused beyond what is there."""
    author = await _cashier(desk, caller, "withdraw", patron)
    await desk.hall.cage.withdraw(
        patron, parse_dollars(data.amount), by=author, at=now(), reference=data.reference, key=key
    )
    return await _account(desk, patron)


async def _cashier(desk: Desk, caller: Caller, do: str, patron: str) -> Author:
    role = desk.doors.acting_role(caller, do, about=patron)
    return Author(role, caller.id)


async def _account(desk: Desk, patron: str) -> dict[str, Any]:
    if patron not in desk.house.state.people:
        raise NotFound("there is no such patron")
    return {"patron": patron, "balance": format_dollars(await desk.hall.cage.balance(patron))}


ROUTES: Final = [see_account, deposit, withdraw]
