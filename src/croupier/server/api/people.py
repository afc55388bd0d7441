"""People: accounts, roles, passwords, second factors, and what players set for their own protection."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, get_args

from litestar import Request, Response, delete, get, patch, post
from litestar.params import JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.errors import Malformed
from croupier.house import PersonState, commands
from croupier.ledger import HouseRole, LimitKind
from croupier.money import format_dollars, parse_dollars
from croupier.server.api.answers import (
    ToldLimits,
    ToldNew,
    ToldPassword,
    ToldPerson,
    ToldRecovery,
    ToldSecret,
    ToldStatus,
)
from croupier.server.api.parameters import Dollars, Key, Name, Secret, TheCaller, TheDesk
from croupier.server.api.session import signed_in
from croupier.server.callers import NotFound, NotTheirs
from croupier.server.described import ANYBODY, SOMEBODY, answers
from croupier.server.shown import shown_time

__all__ = ["ROUTES"]

_MONEY = {"loss_day", "loss_week", "loss_month"}


class NewPerson(Struct, forbid_unknown_fields=True):
    """Somebody new."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Secret
    roles: Annotated[list[HouseRole], Meta(max_length=20)] = []

    def __repr__(self) -> str:
        return "<NewPerson>"


class Changed(Struct, forbid_unknown_fields=True):
    """What changes about somebody: their roles, or whether they are suspended."""

    roles: Annotated[list[HouseRole], Meta(max_length=20)] | None = None
    suspended: bool | None = None


class Password(Struct, forbid_unknown_fields=True):
    """A new password, with the old one by whoever changes their own."""

    password: Secret = ""
    old: Secret = ""

    def __repr__(self) -> str:
        return "<Password>"


class Confirmed(Struct, forbid_unknown_fields=True):
    """The first code of a second factor, with the password."""

    password: Secret
    offer: Secret
    code: Annotated[str, Meta(max_length=100)]

    def __repr__(self) -> str:
        return "<Confirmed>"


class PlayerLimits(Struct, forbid_unknown_fields=True):
    """What a player may lose, in dollars, or play, in minutes a day; null takes a limit away, after a day."""

    loss_day: Dollars | UnsetType | None = UNSET
    loss_week: Dollars | UnsetType | None = UNSET
    loss_month: Dollars | UnsetType | None = UNSET
    minutes_day: Annotated[int, Meta(ge=0, le=1440)] | UnsetType | None = UNSET


class Exclusion(Struct, forbid_unknown_fields=True):
    """Until when a player keeps away; null: for good."""

    until: Annotated[datetime, Meta(tz=True)] | None


@get(
    "/people",
    summary="Everybody who has an account",
    responses=answers(list[ToldPerson], 401),
    security=SOMEBODY,
)
async def list_people(desk: TheDesk, caller: TheCaller) -> list[dict[str, Any]]:
    """For whoever may read it; the floor sees the players."""
    caller.must_be_person()
    everybody = caller.may_read("people")
    if not everybody:
        caller.must_read("players")
    names = await desk.doors.read_names()
    people = desk.house.state.people.values()
    return [_person(person, names) for person in people if everybody or person.is_player]


@post(
    "/people",
    summary="Make an account; in a demo, sign up",
    responses=answers(ToldNew, 401, 409, 413, 503, status=201),
    security=ANYBODY,
)
async def add_person(
    request: Request[Any, Any, Any], desk: TheDesk, caller: TheCaller, data: JSONBody[NewPerson], key: Key = ""
) -> Response[dict[str, Any]]:
    """By an operator or, for players, a cashier. Whoever is not signed in signs up as a player of a demo."""
    roles = _roles(data.roles)
    if caller.is_somebody:
        caller.must_be_person()
        person = await desk.doors.add_person(caller, data.name, data.password, roles or ("player",), key)
        return Response({"person": _person(person, await desk.doors.read_names())}, status_code=201)
    if roles not in {(), ("player",)}:
        raise NotTheirs("whoever signs up is a player")
    session = await desk.doors.sign_up(request, data.name, data.password)
    return signed_in(desk, session, status=201)


@get(
    "/people/{person_id:str}",
    summary="An account",
    responses=answers(ToldPerson, 401, 404),
    security=SOMEBODY,
)
async def see_person(desk: TheDesk, caller: TheCaller, person_id: Name) -> dict[str, Any]:
    """One's own, or anybody's for whoever may read it."""
    person = _found(desk, caller, person_id)
    return _person(person, await desk.doors.read_names()) | {"limits": _limits(desk, person)}


@patch(
    "/people/{person_id:str}",
    summary="Change somebody's roles, or suspend them",
    responses=answers(ToldPerson, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def change_person(
    desk: TheDesk, caller: TheCaller, person_id: Name, data: JSONBody[Changed], key: Key = ""
) -> dict[str, Any]:
    """Roles by the operator; nobody changes their own."""
    caller.must_be_person()
    if (data.roles is None) == (data.suspended is None):
        raise Malformed("say what changes: roles, or suspended; one at a time")
    if data.roles is not None:
        await desk.give_house(caller, commands.ChangeRoles(person=person_id, roles=_roles(data.roles)), key)
    if data.suspended is not None:
        command = (
            commands.SuspendPerson(person=person_id) if data.suspended else commands.RestorePerson(person=person_id)
        )
        await desk.give_house(caller, command, key)
        if data.suspended:
            await desk.doors.people.sessions.end_all(person_id)
    return _person(desk.house.state.people[person_id], await desk.doors.read_names())


@post(
    "/people/{person_id:str}/password",
    status_code=200,
    summary="Set a password",
    responses=answers(ToldPassword, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def set_password(
    desk: TheDesk, caller: TheCaller, person_id: Name, data: JSONBody[Password]
) -> Response[dict[str, Any]]:
    """One's own, with the old one: other sessions end. For somebody who has forgotten theirs, a random one."""
    caller.must_be_person()
    if person_id == caller.id:
        return signed_in(desk, await desk.doors.change_password(caller, data.old, data.password))
    if data.password:
        raise Malformed("leave the password out: a random one is made, to be handed over once")
    return Response({"password": await desk.doors.reset_password(caller, person_id)})


@post(
    "/people/{person_id:str}/second_factor",
    status_code=200,
    summary="Begin to set up a second factor",
    responses=answers(ToldSecret, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def offer_second_factor(desk: TheDesk, caller: TheCaller, person_id: Name) -> dict[str, Any]:
    """The secret for an authenticator; it holds once a code was given."""
    _must_be_own(caller, person_id)
    offer = await desk.doors.offer_second_factor(caller)
    return {"offer": offer.offer, "uri": offer.uri}


@post(
    "/people/{person_id:str}/second_factor/confirm",
    status_code=200,
    summary="Use a second factor from now on",
    responses=answers(ToldRecovery, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def set_second_factor(
    desk: TheDesk, caller: TheCaller, person_id: Name, data: JSONBody[Confirmed]
) -> Response[dict[str, Any]]:
    """Recovery codes, shown this once."""
    _must_be_own(caller, person_id)
    entered, recovery = await desk.doors.set_second_factor(caller, data.password, data.offer, data.code)
    return signed_in(desk, entered, recovery=list(recovery))


@delete(
    "/people/{person_id:str}/second_factor",
    status_code=200,
    summary="Remove a second factor that was lost",
    responses=answers(ToldStatus, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def remove_second_factor(desk: TheDesk, caller: TheCaller, person_id: Name) -> dict[str, str]:
    """By the operator or, for players, a cashier."""
    await desk.doors.remove_second_factor(caller, person_id)
    return {"status": "removed"}


@delete(
    "/people/{person_id:str}/sessions",
    status_code=200,
    summary="Sign somebody out everywhere",
    responses=answers(ToldStatus, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def end_sessions(desk: TheDesk, caller: TheCaller, person_id: Name) -> dict[str, str]:
    """One's own sessions; anybody's by the operator, a player's by a cashier."""
    caller.must_be_person()
    desk.commands.take(caller.id)
    at, people = desk.doors.now(), desk.doors.people
    await people.sign_out_everywhere(person_id, by=caller.id, at=at, factor=caller.factor)
    return {"status": "signed out"}


@post(
    "/people/{person_id:str}/limits",
    status_code=200,
    summary="Set limits for oneself",
    responses=answers(ToldLimits, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def set_limits(
    desk: TheDesk, caller: TheCaller, person_id: Name, data: JSONBody[PlayerLimits], key: Key = ""
) -> dict[str, Any]:
    """A lower limit holds at once, a higher one after a day."""
    limits: dict[LimitKind, int | None] = {}
    for kind in get_args(LimitKind):
        value = getattr(data, kind)
        if value is UNSET:
            continue
        limits[kind] = parse_dollars(value) if kind in _MONEY and value is not None else value
    await desk.give_house(caller, commands.SetLimits(person=person_id, limits=limits), key)
    return _limits(desk, desk.house.state.people[person_id])


@post(
    "/people/{person_id:str}/exclusion",
    status_code=200,
    summary="Keep away from play",
    responses=answers(ToldPerson, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def exclude(
    desk: TheDesk, caller: TheCaller, person_id: Name, data: JSONBody[Exclusion], key: Key = ""
) -> dict[str, Any]:
    """Until a time, or for good; it can be made longer, not shorter."""
    await desk.give_house(caller, commands.Exclude(person=person_id, until=data.until), key)
    return _person(desk.house.state.people[person_id], await desk.doors.read_names())


@delete(
    "/people/{person_id:str}/exclusion",
    status_code=200,
    summary="Come back to play",
    responses=answers(ToldPerson, 401, 404, 409, 413, 503),
    security=SOMEBODY,
)
async def end_exclusion(desk: TheDesk, caller: TheCaller, person_id: Name, key: Key = "") -> dict[str, Any]:
    """After the time of an exclusion: it does not end by itself, and one for good never ends."""
    await desk.give_house(caller, commands.EndExclusion(person=person_id), key)
    return _person(desk.house.state.people[person_id], await desk.doors.read_names())


def _roles(names: list[HouseRole]) -> tuple[HouseRole, ...]:
    return tuple(role for role in get_args(HouseRole) if role in names)


def _must_be_own(caller: TheCaller, person_id: str) -> None:
    caller.must_be_person()
    if person_id != caller.id:
        raise NotTheirs("a second factor is its owner's to set up")


def _found(desk: TheDesk, caller: TheCaller, person_id: str) -> PersonState:
    caller.must_be_person()
    person = desk.house.state.people.get(person_id)
    mine = person_id == caller.id
    may = caller.may_read("people") or (person is not None and person.is_player and caller.may_read("players"))
    if not mine and not may:
        raise NotTheirs("this account is not yours")
    if person is None:
        raise NotFound("there is no such person")
    return person


def _person(person: PersonState, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": person.id,
        "name": names.get(person.id, ""),
        "roles": list(person.roles),
        "suspended": person.suspended,
        "second_factor": person.second_factor,
        "excluded_until": _until(person),
    }


def _until(person: PersonState) -> str | None:
    if person.exclusion is None:
        return None
    return shown_time(person.exclusion.until) if person.exclusion.until is not None else "for good"


def _limits(desk: TheDesk, person: PersonState) -> dict[str, Any]:
    held = {kind: person.limit(kind, desk.doors.now()) for kind in get_args(LimitKind)}
    return {
        kind: format_dollars(value) if kind in _MONEY and value is not None else value for kind, value in held.items()
    }


ROUTES: Final = [
    list_people,
    add_person,
    see_person,
    change_person,
    set_password,
    offer_second_factor,
    set_second_factor,
    remove_second_factor,
    end_sessions,
    set_limits,
    exclude,
    end_exclusion,
]
