"""The cage: players and their accounts, money in and out, hand pays that wait, and today's movements."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter

from croupier.errors import CroupierError, Malformed
from croupier.house import PersonState, period_start, random_password
from croupier.ledger import Author, CageReversed, ChipsIssued, ChipsRedeemed, Deposited, Withdrawn
from croupier.money import Cents, typed_dollars
from croupier.present import dollars
from croupier.server import Caller, Desk, NotFound, SignInFirst, hand_pays_for, make_slip, problem_of
from croupier.store import CageMove, cage_moves
from croupier.web.floor_forms import may_give_house
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import NavItem
from croupier.web.words import namer

__all__ = ["NAV", "ROUTES"]

_MOST: Final = 25
_LATEST: Final = 50
"""Movements of everybody that are listed; a player's own page has all of theirs."""
_KINDS: Final = {
    Deposited: "buy-in",
    Withdrawn: "cash-out",
    ChipsIssued: "chips to a table",
    ChipsRedeemed: "chips from a table",
    CageReversed: "reversal",
}
"""What the cage calls its entries."""
_SUMS: Final = {
    "buy-in": "Buy-ins",
    "cash-out": "Cash-outs",
    "chips to a table": "Chips to tables",
    "chips from a table": "Chips from tables",
    "entry": "Other entries",
}
PatronId = Annotated[str, Parameter(max_length=60)]
TableId = Annotated[str, Parameter(max_length=60)]
Seat = Annotated[int, Parameter(ge=1, le=100)]


@get("/cage")
async def see_cage(desk: Desk, caller: Caller, find: Annotated[str, Parameter(max_length=60)] = "") -> Page:
    """Find a player, hand pays that wait, and today's movements."""
    return await _cage_page(desk, caller, find=find)


@get("/cage/hand-pays")
async def see_hand_pays(desk: Desk, caller: Caller) -> Page:
    """The hand pays again, for a page that is open."""
    caller.must_be_person()
    caller.must_read("cage")
    return page("cage_pays", caller, name=namer(desk, caller), **_pays(desk, caller))


@post("/cage/players", status_code=200)
async def add_player(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """An account for a player, with a first password that is shown this once."""
    password = random_password()
    try:
        person = await desk.doors.add_person(
            caller, fields.get("name", "").strip(), password, ("player",), fields.get("key", "")[:100]
        )
    except CroupierError as error:
        return await _refused(desk, caller, error, new_name=fields.get("name", ""))
    return await _player_page(desk, caller, person.id, password=password)


@get("/cage/players/{patron:str}")
async def see_player(desk: Desk, caller: Caller, patron: PatronId, done: str = "") -> Page:
    """A player's account at the cage."""
    return await _player_page(desk, caller, patron, done=_DONE.get(done, ""))


@post("/cage/players/{patron:str}/deposit", status_code=200)
async def deposit(desk: Desk, caller: Caller, patron: PatronId, fields: Fields) -> Page:
    """A player brings money."""
    return await _move(desk, caller, patron, fields, "deposit")


@post("/cage/players/{patron:str}/withdraw", status_code=200)
async def withdraw(desk: Desk, caller: Caller, patron: PatronId, fields: Fields) -> Page:
    """A player takes money."""
    return await _move(desk, caller, patron, fields, "withdraw")


@post("/cage/players/{patron:str}/reverse", status_code=200)
async def reverse(desk: Desk, caller: Caller, patron: PatronId, fields: Fields) -> Page:
    """Take an entry of the cage back, with a reason."""
    number = fields.get("entry", "")
    try:
        author = _author(desk, caller, "reverse_cage", patron)
        await desk.hall.cage.reverse(
            int(number) if number.isascii() and number.isdecimal() and len(number) <= 15 else 0,
            by=author,
            at=desk.doors.now(),
            reason=fields.get("reason", "")[:500],
            key=fields.get("key", "")[:100],
            patron=patron,
        )
    except CroupierError as error:
        return await _refused(desk, caller, error, patron=patron)
    return redirect(f"/cage/players/{patron}?done=reverse")


@post("/cage/hand-pays/{table_id:str}/{seat:int}", status_code=200)
async def new_slip(desk: Desk, caller: Caller, table_id: TableId, seat: Seat, fields: Fields) -> Page:
    """The slip of an award that the floor has validated."""
    try:
        reference, key = fields.get("reference", ""), fields.get("key", "")[:100]
        await make_slip(desk, caller, table_id, seat, reference=reference, key=key)
    except CroupierError as error:
        return await _refused(desk, caller, error)
    return redirect("/cage")


_DONE: Final = {
    "deposit": "The buy-in is booked.",
    "withdraw": "The cash-out is booked.",
    "reverse": "The entry is reversed.",
}


async def _move(desk: Desk, caller: Caller, patron: str, fields: Fields, do: str) -> Page:
    cage = desk.hall.cage
    try:
        author = _author(desk, caller, do, patron)
        amount = typed_dollars(fields.get("amount", ""))
        reference, key = fields.get("reference", "").strip()[:200], fields.get("key", "")[:100]
        if not reference:
            raise Malformed("give the number of the slip")
        work = cage.deposit if do == "deposit" else cage.withdraw
        at = desk.doors.now()
        await work(patron, amount, by=author, at=at, reference=reference, key=key, once_since=_day_began(desk))
    except CroupierError as error:
        return await _refused(desk, caller, error, patron=patron, typed={do: fields})
    return redirect(f"/cage/players/{patron}?done={do}")


def _day_began(desk: Desk) -> datetime:
    state = desk.house.state
    return period_start(desk.doors.now(), "day", state.time_zone, state.day_start)


def _author(desk: Desk, caller: Caller, do: str, patron: str) -> Author:
    if caller.may_read("people") and patron not in desk.house.state.people:
        raise NotFound("there is no such player")
    role = desk.doors.acting_role(caller, do, about=patron)
    desk.commands.take(caller.id)
    return Author(role, caller.id)


async def _refused(
    desk: Desk,
    caller: Caller,
    error: CroupierError,
    *,
    patron: str = "",
    new_name: str = "",
    typed: dict[str, Fields] | None = None,
) -> Page:
    """The page with why it was refused, and what was typed."""
    if isinstance(error, SignInFirst) or not caller.may_read("cage"):
        raise error
    answer = problem_of(error)
    status = answer.status_code or 409
    if patron in desk.house.state.people:
        return await _player_page(desk, caller, patron, refusal=answer.content, status=status, typed=typed)
    return await _cage_page(desk, caller, refusal=answer.content, status=status, new_name=new_name)


async def _cage_page(
    desk: Desk,
    caller: Caller,
    *,
    find: str = "",
    refusal: dict[str, Any] | None = None,
    status: int = 200,
    new_name: str = "",
) -> Page:
    caller.must_be_person()
    caller.must_read("cage")
    name, people = namer(desk, caller), desk.house.state.people
    words = find.strip().casefold()
    found = [
        person
        for person in people.values()
        if person.is_player and words and (words in name(person.id).casefold() or words in person.id)
    ]
    moves = await _moves(desk, None)
    return page(
        "cage",
        caller,
        status=status,
        refusal=refusal,
        find=find,
        found=[(person, await desk.hall.cage.balance(person.id)) for person in found[:_MOST]],
        more=max(0, len(found) - _MOST),
        **_pays(desk, caller),
        may_add="cashier" in caller.roles,
        moves=moves[:_LATEST],
        earlier=max(0, len(moves) - _LATEST),
        sums=_sums(moves),
        new_name=new_name,
        name=name,
    )


def _pays(desk: Desk, caller: Caller) -> dict[str, Any]:
    """Hand pays that wait, and the slips that were made out."""
    return {
        "hand_pays": hand_pays_for(desk, caller),
        "slips": list(desk.house.state.floor.slips.values())[-_MOST:][::-1],
        "may_slip": may_give_house(desk, caller, "make_hand_pay_slip"),
        "key": new_key(),
    }


async def _player_page(
    desk: Desk,
    caller: Caller,
    patron: str,
    *,
    refusal: dict[str, Any] | None = None,
    status: int = 200,
    done: str = "",
    password: str = "",
    typed: dict[str, Fields] | None = None,
) -> Page:
    caller.must_be_person()
    caller.must_read("cage")
    person: PersonState | None = desk.house.state.people.get(patron)
    if person is None or not person.is_player:
        raise NotFound("there is no such player")
    name = namer(desk, caller)
    if refusal is not None:  # the cage knows its patrons by their ids
        refusal = refusal | {"message": str(refusal["message"]).replace(f" {patron}", f" {name(patron)}")}
    at_tables = [
        (watched.table.id, dict(watched.table.people.seats))
        for watched in desk.hall.tables()
        if patron in dict(watched.table.people.seats).values()
    ]
    return page(
        "cage_player",
        caller,
        status=status,
        refusal=refusal,
        done=done,
        person=person,
        password=password,
        balance=await desk.hall.cage.balance(patron),
        moves=await _moves(desk, patron),
        seated=[table for table, _ in at_tables],
        may_move="cashier" in caller.roles,
        typed={"deposit": {}, "withdraw": {}} | (typed or {}),
        name=name,
        key=new_key(),
    )


async def _moves(desk: Desk, patron: str | None) -> list[tuple[CageMove, str, str]]:
    """Movements since the gaming day began, each with what it is called and what it says beside."""
    moves = await cage_moves(desk.hall.store, _day_began(desk), patron=patron)
    return [(move, _KINDS.get(type(move.entry.event), "entry"), _beside(move)) for move in moves]


def _beside(move: CageMove) -> str:
    event = move.entry.event
    match event:
        case Deposited() | Withdrawn():
            return event.reference
        case ChipsIssued() | ChipsRedeemed():
            return f"table {event.table}"
        case CageReversed():
            return f"entry {event.entry}: {move.entry.reason}"
    return ""


def _sums(moves: list[tuple[CageMove, str, str]]) -> list[tuple[str, int, str]]:
    """What each kind of movement came to today, reversed entries left out."""
    sums: dict[str, tuple[int, int]] = {}
    for move, kind, _ in moves:
        if isinstance(move.entry.event, CageReversed) or move.reversed:
            continue
        number, amount = sums.get(kind, (0, 0))
        sums[kind] = number + 1, amount + move.amount
    return [(_SUMS[kind], number, dollars(Cents(abs(amount)))) for kind, (number, amount) in sums.items()]


NAV: Final = [NavItem("Cage", "/cage", frozenset({"cashier"}), place=20)]
ROUTES: Final = [see_cage, see_hand_pays, add_player, see_player, deposit, withdraw, reverse, new_slip]
