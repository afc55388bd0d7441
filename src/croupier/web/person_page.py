"""One account: roles, suspension, password, second factor and sessions, each for whoever the house lets change it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.house import HouseCommand, PersonState, commands, needs_second_factor, rights
from croupier.ledger import HouseRole
from croupier.server import Caller, Desk, NotFound, NotTheirs, SignInFirst
from croupier.web.account_words import (
    RoleTick,
    person_words,
    problem_with,
    refused_about,
    role_ticks,
    ticked_roles,
    with_words,
)
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.words import Namer, namer

__all__ = ["ROUTES", "person_page"]

PersonId = Annotated[str, Parameter(max_length=60)]
_DONE: Final = {
    "roles": "The roles are changed. Every session of this person has ended.",
    "suspend": "The account is suspended, and this person is signed out everywhere.",
    "restore": "The account is restored: this person can sign in again.",
    "second-factor": "The second factor is removed, and this person is signed out everywhere.",
    "sign-out": "This person is signed out everywhere.",
    "sent-before": "You sent this form before, and it made this account. If nobody has its password, make a new one.",
}
_STILL: Final = {"suspend", "restore"}
"""What is said only as long as it holds."""
_ABOUT: Final = dict.fromkeys(
    ("no_role", "role_alone", "own_roles", "player_account", "last_operator", "no_change"), "roles"
)
"""Refusals that stand beside the roles, by their code."""


class AccountAct(Struct, frozen=True, kw_only=True):
    """Something that can be done to an account: what it is called, what it does, and why it cannot be done now."""

    path: str
    title: str
    about: str
    button: str
    problem: str = ""
    warn: bool = False


@get("/people/{person_id:str}")
async def see_person(desk: Desk, caller: Caller, person_id: PersonId, done: str = "") -> Page:
    """An account, for whoever may read it."""
    person = _found(desk, caller, person_id)
    if done in _STILL and person.suspended != (done == "suspend"):
        done = ""  # somebody has undone it since, or the form was sent again long after
    return await person_page(desk, caller, person_id, done=_DONE.get(done, ""))


@post("/people/{person_id:str}/roles", status_code=200)
async def change_roles(desk: Desk, caller: Caller, person_id: PersonId, fields: Fields) -> Page:
    """Other roles; whoever has them is signed out."""
    _found(desk, caller, person_id)
    roles = ticked_roles(fields)
    try:
        await desk.give_house(caller, commands.ChangeRoles(person=person_id, roles=roles), fields.get("key", ""))
    except CroupierError as error:
        return await _refused(desk, caller, error, person_id, roles=roles)
    return redirect(f"/people/{person_id}?done=roles")


@post("/people/{person_id:str}/suspend", status_code=200)
async def suspend(desk: Desk, caller: Caller, person_id: PersonId, fields: Fields) -> Page:
    """Keep somebody from signing in, and sign them out."""

    async def work() -> None:
        await desk.give_house(caller, commands.SuspendPerson(person=person_id), fields.get("key", ""))
        await desk.doors.people.sessions.end_all(person_id)

    return await _done(desk, caller, person_id, "suspend", work)


@post("/people/{person_id:str}/restore", status_code=200)
async def restore(desk: Desk, caller: Caller, person_id: PersonId, fields: Fields) -> Page:
    """Let somebody sign in again."""

    async def work() -> None:
        await desk.give_house(caller, commands.RestorePerson(person=person_id), fields.get("key", ""))

    return await _done(desk, caller, person_id, "restore", work)


@post("/people/{person_id:str}/password", status_code=200)
async def new_password(desk: Desk, caller: Caller, person_id: PersonId) -> Page:
    """A random password for somebody who has forgotten theirs, shown this once."""
    _found(desk, caller, person_id)
    try:
        desk.commands.take(caller.id)
        password = await desk.doors.reset_password(caller, person_id)
    except CroupierError as error:
        return await _refused(desk, caller, error, person_id)
    return await person_page(desk, caller, person_id, password=password)


@post("/people/{person_id:str}/second-factor", status_code=200)
async def remove_second_factor(desk: Desk, caller: Caller, person_id: PersonId) -> Page:
    """Remove a second factor that was lost."""

    async def work() -> None:
        desk.commands.take(caller.id)
        await desk.doors.remove_second_factor(caller, person_id)

    return await _done(desk, caller, person_id, "second-factor", work)


@post("/people/{person_id:str}/sign-out", status_code=200)
async def end_sessions(desk: Desk, caller: Caller, person_id: PersonId) -> Page:
    """Sign somebody out everywhere."""

    async def work() -> None:
        desk.commands.take(caller.id)
        doors = desk.doors
        await doors.people.sign_out_everywhere(person_id, by=caller.id, at=doors.now(), factor=caller.factor)

    return await _done(desk, caller, person_id, "sign-out", work)


async def _done(desk: Desk, caller: Caller, person_id: str, what: str, work: Callable[[], Awaitable[None]]) -> Page:
    """Do something to an account that the caller may read, and say that it is done or why it was refused."""
    _found(desk, caller, person_id)
    try:
        await work()
    except CroupierError as error:
        return await _refused(desk, caller, error, person_id)
    return redirect(f"/people/{person_id}?done={what}")


def _found(desk: Desk, caller: Caller, person_id: str) -> PersonState:
    """An account that the caller may read: anybody's, or a player's for the floor."""
    caller.must_be_person()
    everybody, person = caller.may_read("people"), desk.house.state.people.get(person_id)
    if not everybody:
        caller.must_read("players")
        if person is None or not person.is_player:
            raise NotTheirs("this account is not yours to read")
    if person is None:
        raise NotFound("there is no such person")
    return person


async def _refused(
    desk: Desk, caller: Caller, error: CroupierError, person_id: str, *, roles: tuple[HouseRole, ...] | None = None
) -> Page:
    """The page with why it was refused, and what was ticked."""
    if isinstance(error, SignInFirst):
        raise error
    about = _ABOUT if roles is not None else {}
    said, findings, status = refused_about(error, about, person_words(person_id, namer(desk, caller)))
    return await person_page(desk, caller, person_id, refusal=said, findings=findings, status=status, ticked=roles)


async def person_page(
    desk: Desk,
    caller: Caller,
    person_id: str,
    *,
    done: str = "",
    password: str = "",
    is_new: bool = False,
    refusal: dict[str, Any] | None = None,
    findings: dict[str, str] | None = None,
    status: int = 200,
    ticked: tuple[HouseRole, ...] | None = None,
) -> Page:
    """Everything about an account that its reader may know and do; a new password is shown this once."""
    person = _found(desk, caller, person_id)
    if person_id not in desk.doors.names:
        await desk.doors.read_names()
    name, mine = namer(desk, caller), person_id == caller.id
    ticks, role_problem = _roles_offered(desk, caller, person, name, ticked)
    return page(
        "person",
        caller,
        status=status,
        person=person,
        name=name,
        mine=mine,
        done=done,
        password=password,
        password_until=desk.house.state.password_until(person),
        is_expired=desk.house.state.is_expired(person, desk.doors.now()),
        is_new=is_new,
        refusal=refusal,
        findings=findings or {},
        ticks=ticks,
        role_problem=role_problem,
        acts=[] if mine else _acts(desk, caller, person, name),
        lacks_factor=not person.second_factor and needs_second_factor(desk.house.state, person),
        is_over=(away := person.exclusion) is not None and away.until is not None and desk.doors.now() >= away.until,
        key=new_key(),
    )


def _roles_offered(
    desk: Desk, caller: Caller, person: PersonState, name: Namer, ticked: tuple[HouseRole, ...] | None
) -> tuple[list[RoleTick], str]:
    """The roles that the house would give somebody, or why it gives them none; neither if that is not the caller's."""
    offered, problem = list[HouseRole](), ""
    for role in rights().roles:
        known, words = problem_with(desk, caller, commands.ChangeRoles(person=person.id, roles=(role,)))
        if not known:
            return [], ""
        if not words or person.roles == (role,):
            offered.append(role)
        else:
            problem = problem or words
    if not [role for role in offered if person.roles != (role,)]:
        return [], with_words(problem, person_words(person.id, name))
    return role_ticks(offered, person.roles if ticked is None else ticked), ""


def _acts(desk: Desk, caller: Caller, person: PersonState, name: Namer) -> list[AccountAct]:
    """What the caller may do to an account; what the house would refuse now says why."""
    of = person.id
    suspending: HouseCommand = (
        commands.RestorePerson(person=of) if person.suspended else commands.SuspendPerson(person=of)
    )
    offered: list[tuple[HouseCommand, AccountAct]] = [
        (suspending, _RESTORE if person.suspended else _SUSPEND),
        (commands.ResetPassword(person=of), _PASSWORD),
        (commands.RemoveSecondFactor(person=of), _FACTOR),
        (commands.EndSessions(person=of), _SIGN_OUT),
    ]
    acts = []
    for command, act in offered:
        known, words = problem_with(desk, caller, command)
        if known:
            acts.append(replace(act, problem=with_words(words, person_words(of, name))))
    return acts


_SUSPEND: Final = AccountAct(
    path="suspend",
    title="Suspension",
    about="A suspended person is signed out everywhere at once and cannot sign in until the account is restored.",
    button="Suspend the account",
    warn=True,
)
_RESTORE: Final = AccountAct(
    path="restore",
    title="Suspension",
    about="This account is suspended. Once it is restored, the person can sign in again.",
    button="Restore the account",
)
_PASSWORD: Final = AccountAct(
    path="password",
    title="New password",
    about="For someone who has forgotten their password. A random one replaces it and is shown to you only once; "
    "the person is signed out everywhere. If the account is suspended, the new password works once it is restored.",
    button="Reset the password",
)
_FACTOR: Final = AccountAct(
    path="second-factor",
    title="Second factor",
    about="For someone who has lost both their phone and their recovery codes. The second factor is removed, "
    "the person is signed out everywhere, and sets up a new one after signing in.",
    button="Remove the second factor",
    warn=True,
)
_SIGN_OUT: Final = AccountAct(
    path="sign-out",
    title="Sign out everywhere",
    about="Ends every session of this person, on every device, at once.",
    button="Sign out everywhere",
)

ROUTES: Final = [
    see_person,
    change_roles,
    suspend,
    restore,
    new_password,
    remove_second_factor,
    end_sessions,
]
