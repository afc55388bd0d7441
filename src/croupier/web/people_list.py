"""Everybody who has an account: found by name or role, and somebody new with a first password that is shown once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from heapq import nsmallest
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter

from croupier.errors import CroupierError, RuleViolation
from croupier.house import PersonState, needs_second_factor, new_person_id, random_password, rights
from croupier.ledger import HouseRole
from croupier.present import capitalized, counted, listed, spoken
from croupier.server import Caller, Desk, SignInFirst
from croupier.web.account_words import refused_about, role_ticks, role_words, ticked_roles
from croupier.web.floor_forms import may_give_house
from croupier.web.person_page import person_page
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import NavItem
from croupier.web.words import Namer, namer

__all__ = ["NAV", "ROUTES"]

_MOST: Final = 50
_STAFF: Final = "staff"
_AT_WORK, _JUDGING, _PLAYING = range(3)
_ABOUT: Final = {
    "unreadable": "new-name",
    "name_taken": "new-name",
    "bad_password": "new-name",
    "no_role": "new-roles",
    "role_alone": "new-roles",
}
"""The field that a refusal is about, by its code."""


@get("/people")
async def see_people(
    desk: Desk,
    caller: Caller,
    find: Annotated[str, Parameter(max_length=60)] = "",
    role: Annotated[str, Parameter(max_length=60)] = "",
) -> Page:
    """Everybody, or whoever is looked for; the floor sees the players."""
    return await _people_page(desk, caller, find=find, role=role)


@post("/people", status_code=200)
async def add_person(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """An account, with a first password that is shown this once."""
    _must_look(caller)
    name, roles, key = fields.get("name", "").strip(), ticked_roles(fields), fields.get("key", "")
    password = random_password()
    try:
        desk.commands.take(caller.id)
        person = await desk.doors.add_person(caller, name, password, roles, key)
    except CroupierError as error:
        if isinstance(error, RuleViolation) and error.code == "key_used":  # the form was sent twice
            return redirect(f"/people/{new_person_id(caller.id, key)}?done=sent-before")
        return await _refused(desk, caller, error, name, roles)
    return await person_page(desk, caller, person.id, password=password, is_new=True)


async def _refused(desk: Desk, caller: Caller, error: CroupierError, name: str, roles: tuple[HouseRole, ...]) -> Page:
    """The page with why it was refused, and what was typed."""
    if isinstance(error, SignInFirst):
        raise error
    said, findings, status = refused_about(error, _ABOUT, role_words())
    return await _people_page(desk, caller, refusal=said, findings=findings, status=status, name=name, roles=roles)


def _must_look(caller: Caller) -> bool:
    """Refuse whoever may not read this; whether they may read everybody, or the players alone."""
    caller.must_be_person()
    everybody = caller.may_read("people")
    if not everybody:
        caller.must_read("players")
    return everybody


async def _people_page(
    desk: Desk,
    caller: Caller,
    *,
    find: str = "",
    role: str = "",
    refusal: dict[str, Any] | None = None,
    findings: dict[str, str] | None = None,
    status: int = 200,
    name: str = "",
    roles: tuple[HouseRole, ...] = (),
) -> Page:
    everybody = _must_look(caller)
    state = desk.house.state
    if state.people.keys() - desk.doors.names.keys():  # another process has just added somebody
        await desk.doors.read_names()
    name_of = namer(desk, caller)
    shown = [person for person in state.people.values() if everybody or person.is_player]
    matching = [person for person in shown if _is_meant(person, find, role, name_of)]
    held = Counter(person.roles for person in shown)
    may_add = may_give_house(desk, caller, "add_person")
    return page(
        "people",
        caller,
        status=status,
        refusal=refusal,
        findings=findings or {},
        find=find,
        role=role,
        kinds=_kinds(held) if everybody else [],
        rows=[(person, _lacks_factor(desk, person)) for person in _first(matching, name_of)],
        more=max(0, len(matching) - _MOST),
        total=_total(held, sum(person.suspended for person in shown), everybody=everybody),
        may_add=may_add,
        ticks=role_ticks([each for each in rights().roles if each != "device"], roles) if may_add else [],
        typed_name=name,
        name=name_of,
        key=new_key(),
    )


def _is_meant(person: PersonState, find: str, role: str, name: Namer) -> bool:
    words = find.strip().casefold()
    if role == _STAFF and _group(person.roles) != _AT_WORK:
        return False
    if role in rights().roles and role not in person.roles:
        return False
    return not words or words in name(person.id).casefold() or words in person.id


@cache
def _group(roles: tuple[HouseRole, ...]) -> int:
    """Where somebody is in the list: staff first, then whoever judges the house, then players, who may be many."""
    return _PLAYING if "player" in roles else _JUDGING if set(roles) & set(rights().alone) else _AT_WORK


def _first(people: Sequence[PersonState], name: Namer) -> list[PersonState]:
    return nsmallest(_MOST, people, key=lambda person: (_group(person.roles), name(person.id).casefold()))


def _lacks_factor(desk: Desk, person: PersonState) -> bool:
    """Whether somebody's roles are worth nothing until they set up a second factor."""
    return not person.second_factor and needs_second_factor(desk.house.state, person)


def _kinds(held: Counter[tuple[HouseRole, ...]]) -> list[tuple[str, str]]:
    """What the list can be narrowed to: the roles that somebody has."""
    known = {role for roles in held for role in roles}
    roles = [(role, capitalized(spoken(role))) for role in rights().roles if role in known]
    return [("", "Everybody"), (_STAFF, "All staff"), *roles]


def _total(held: Counter[tuple[HouseRole, ...]], suspended: int, *, everybody: bool) -> str:
    """How many there are, in a sentence."""
    staff, officials, players = (
        sum(number for roles, number in held.items() if _group(roles) == group)
        for group in (_AT_WORK, _JUDGING, _PLAYING)
    )
    counts = [f"{staff:,} staff", counted(officials, "official")] if everybody else []
    words = f"{listed([*counts, counted(players, 'player')])}."
    return f"{words} {counted(suspended, 'account')} suspended." if suspended else words


NAV: Final = [NavItem("People", "/people", frozenset({"operator"}), place=44)]
ROUTES: Final = [see_people, add_person]
