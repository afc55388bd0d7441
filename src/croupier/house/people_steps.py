"""What commands about the house, its people and the protection of players demand, and what they lead to."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from croupier.days import check_settings
from croupier.errors import Malformed
from croupier.house import commands
from croupier.house.commands import THE_HOUSE, HouseRequest
from croupier.house.refusals import refuse
from croupier.house.rights import a_role, device_scope, rights
from croupier.house.state import HouseState, PersonState
from croupier.ledger import (
    ExclusionBegun,
    ExclusionEnded,
    HouseBegun,
    HouseEvent,
    HouseRole,
    LimitSet,
    PasswordChanged,
    PersonAdded,
    PersonRestored,
    PersonSuspended,
    RolesChanged,
    SecondFactorRemoved,
    SecondFactorSet,
    SessionsEnded,
    SettingsChanged,
    TokenIssued,
    TokenRevoked,
)
from croupier.money import MOST

__all__ = ["PEOPLE_STEPS"]

Events = tuple[HouseEvent, ...]
_PERSON: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_DEVICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}")
_LONGEST_TOKEN: Final = timedelta(days=400)
_MINUTES: Final = 24 * 60


def _known(state: HouseState, person: str) -> PersonState:
    if person not in state.people:
        raise refuse("unknown_person", f"{person} has no account here")
    return state.people[person]


def _begin(_: HouseState, command: commands.BeginHouse, __: HouseRequest) -> Events:
    check_settings(command.time_zone, command.day_start)
    _check_new(command.operator, ("operator",))
    return (
        HouseBegun(demo=command.demo, time_zone=command.time_zone, day_start=command.day_start),
        PersonAdded(person=command.operator, roles=("operator",)),
    )


def _settings(state: HouseState, command: commands.ChangeSettings, _: HouseRequest) -> Events:
    check_settings(command.time_zone, command.day_start)
    if (command.time_zone, command.day_start) == (state.time_zone, state.day_start):
        raise refuse("no_change", "these are the settings already")
    return (SettingsChanged(time_zone=command.time_zone, day_start=command.day_start),)


def _check_new(person: str, roles: tuple[HouseRole, ...]) -> tuple[HouseRole, ...]:
    if not _PERSON.fullmatch(person) or person == THE_HOUSE:
        raise Malformed("a person's id has 1 to 40 lowercase letters, digits and hyphens")
    return _check_roles(roles)


def _check_roles(roles: tuple[HouseRole, ...]) -> tuple[HouseRole, ...]:
    known = [role for role in rights().roles if role != "device"]
    if not roles or not set(roles) <= set(known):
        raise refuse("no_role", f"a person has one role or more of these: {', '.join(known)}")
    single = next((role for role in rights().alone if role in roles), None)
    if single is not None and set(roles) != {single}:
        raise refuse("role_alone", f"{a_role(single)} cannot have any other role: choose one of them")
    return tuple(role for role in known if role in roles)


def _add(state: HouseState, command: commands.AddPerson, _: HouseRequest) -> Events:
    roles = _check_new(command.person, command.roles)
    if command.person in state.people:
        raise refuse("known_person", f"{command.person} has an account already")
    return (PersonAdded(person=command.person, roles=roles),)


def _sign_up(state: HouseState, command: commands.SignUp, _: HouseRequest) -> Events:
    _check_new(command.person, ("player",))
    if command.person in state.people:
        raise refuse("known_person", f"{command.person} has an account already")
    return (PersonAdded(person=command.person, roles=("player",)),)


def _roles(state: HouseState, command: commands.ChangeRoles, request: HouseRequest) -> Events:
    person, roles = _known(state, command.person), _check_roles(command.roles)
    if person.id == request.by:
        raise refuse("own_roles", "nobody changes their own roles: another operator has to")
    if person.is_player or roles == ("player",):
        raise refuse(
            "player_account",
            "a player's account cannot take a staff role: someone who also works here needs another account",
        )
    if roles == person.roles:
        raise refuse("no_change", f"{person.id} has these roles already")
    if "operator" not in roles:
        _check_last_operator(state, person)
    return (RolesChanged(person=person.id, roles=roles), SessionsEnded(person=person.id))


def _check_last_operator(state: HouseState, person: PersonState) -> None:
    if state.operators() == (person.id,):
        raise refuse("last_operator", f"{person.id} is the last operator: make another one first")


def _suspend(state: HouseState, command: commands.SuspendPerson, request: HouseRequest) -> Events:
    person = _known(state, command.person)
    if person.suspended:
        raise refuse("no_change", f"{person.id} is suspended already")
    _check_last_operator(state, person)
    if person.id == request.by:
        raise refuse("own_act", "nobody suspends their own account: another operator has to")
    return (PersonSuspended(person=person.id),)


def _restore(state: HouseState, command: commands.RestorePerson, _: HouseRequest) -> Events:
    if not _known(state, command.person).suspended:
        raise refuse("no_change", f"{command.person} is not suspended")
    return (PersonRestored(person=command.person),)


def _password(state: HouseState, command: commands.ChangePassword, _: HouseRequest) -> Events:
    person = _known(state, command.person)
    return (PasswordChanged(person=person.id), SessionsEnded(person=person.id))


def _reset(state: HouseState, command: commands.ResetPassword, request: HouseRequest) -> Events:
    if command.person == request.by:
        raise refuse("own_act", "change your own password by giving the one you have")
    person = _known(state, command.person)
    return (PasswordChanged(person=person.id), SessionsEnded(person=person.id))


def _set_factor(state: HouseState, command: commands.SetSecondFactor, request: HouseRequest) -> Events:
    person = _known(state, command.person)
    if person.second_factor and not request.factor:
        raise refuse("second_factor", "sign in with your second factor first, to change it")
    return (SecondFactorSet(person=person.id), SessionsEnded(person=person.id))


def _remove_factor(state: HouseState, command: commands.RemoveSecondFactor, request: HouseRequest) -> Events:
    person = _known(state, command.person)
    if person.id == request.by:
        raise refuse("own_act", "somebody else has to remove your second factor; you can set up a new one")
    if not person.second_factor:
        raise refuse("no_change", f"{person.id} has no second factor")
    return (SecondFactorRemoved(person=person.id), SessionsEnded(person=person.id))


def _rescue(state: HouseState, command: commands.RescueOperator, _: HouseRequest) -> Events:
    person = _known(state, command.person)
    if "operator" not in person.roles:
        raise refuse("not_an_operator", f"{person.id} is not an operator: an operator makes their new password")
    if person.suspended:
        raise refuse("suspended", f"{person.id} is suspended: another operator restores the account first")
    if command.remove_second_factor and not person.second_factor:
        raise refuse("no_change", f"{person.id} has no second factor")
    lost = (SecondFactorRemoved(person=person.id),) if command.remove_second_factor else ()
    return (PasswordChanged(person=person.id), *lost, SessionsEnded(person=person.id))


def _end_sessions(state: HouseState, command: commands.EndSessions, _: HouseRequest) -> Events:
    return (SessionsEnded(person=_known(state, command.person).id),)


def _issue(state: HouseState, command: commands.IssueToken, request: HouseRequest) -> Events:
    if not _DEVICE.fullmatch(command.device) or not _PERSON.fullmatch(command.token):
        raise Malformed("the name of a device has 1 to 40 letters, digits, spaces, dots and hyphens")
    if command.token in state.tokens:
        raise refuse("known_token", f"the token {command.token} is issued already")
    if not command.scope or not set(command.scope) <= device_scope():
        raise refuse("bad_scope", f"a token allows one or more of these: {', '.join(sorted(device_scope()))}")
    if unknown := set(command.tables) - set(state.tables):
        raise refuse("unknown_table", f"nobody has made table {min(unknown)}")
    if not request.at < command.expires <= request.at + _LONGEST_TOKEN:
        raise refuse("bad_expiry", f"a token expires within {_LONGEST_TOKEN.days} days")
    return (
        TokenIssued(
            token=command.token,
            device=command.device,
            scope=tuple(sorted(set(command.scope))),
            tables=tuple(sorted(set(command.tables))),
            expires=command.expires,
        ),
    )


def _revoke(state: HouseState, command: commands.RevokeToken, _: HouseRequest) -> Events:
    token = state.tokens.get(command.token)
    if token is None or token.revoked:
        raise refuse("unknown_token", f"there is no valid token {command.token}")
    return (TokenRevoked(token=token.id),)


# --- protection of players


def _limits(state: HouseState, command: commands.SetLimits, _: HouseRequest) -> Events:
    person = _player(state, command.person)
    asked = {kind: times[-1][1] for kind, times in person.asked}
    changed = {kind: amount for kind, amount in command.limits.items() if asked.get(kind) != amount}
    if not changed:
        raise refuse("no_change", "these are the limits already")
    for kind, amount in changed.items():
        most = _MINUTES if kind == "minutes_day" else MOST
        if amount is not None and not 0 <= amount <= most:
            raise refuse("bad_limit", f"the limit {kind.replace('_', ' ')} is from 0 to {most:,}")
    return tuple(LimitSet(person=person.id, limit=kind, amount=amount) for kind, amount in sorted(changed.items()))


def _player(state: HouseState, person: str) -> PersonState:
    player = _known(state, person)
    if not player.is_player:
        raise refuse("not_a_player", f"{person} is not a player")
    return player


def _exclude(state: HouseState, command: commands.Exclude, request: HouseRequest) -> Events:
    person, until = _player(state, command.person), _in_utc(command.until)
    if until is not None and until <= request.at:
        raise refuse("bad_time", "an exclusion ends later than now")
    held = person.exclusion
    if held is not None and not _is_later(until, held.until):
        raise refuse("exclusion_holds", f"the exclusion {_say_until(held.until)}: it can be lengthened, not shortened")
    return (ExclusionBegun(person=person.id, until=until),)


def _in_utc(until: datetime | None) -> datetime | None:
    """The same time as everybody reads it here, whatever zone it was given in."""
    try:
        return None if until is None else until.astimezone(UTC)
    except OverflowError:
        raise Malformed("until: that is after the last day of the calendar") from None


def _is_later(new: datetime | None, old: datetime | None) -> bool:
    return old is not None and (new is None or new > old)


def _say_until(until: datetime | None) -> str:
    return "is for good" if until is None else f"holds until {until:%Y-%m-%d %H:%M} UTC"


def _end_exclusion(state: HouseState, command: commands.EndExclusion, request: HouseRequest) -> Events:
    held = _player(state, command.person).exclusion
    if held is None:
        raise refuse("no_change", f"{command.person} is not excluded")
    if held.until is None or request.at < held.until:
        raise refuse("exclusion_holds", f"the exclusion {_say_until(held.until)}")
    return (ExclusionEnded(person=command.person),)


PEOPLE_STEPS: Final[dict[type, Callable[[HouseState, Any, HouseRequest], Events]]] = {
    commands.BeginHouse: _begin,
    commands.ChangeSettings: _settings,
    commands.AddPerson: _add,
    commands.SignUp: _sign_up,
    commands.ChangeRoles: _roles,
    commands.SuspendPerson: _suspend,
    commands.RestorePerson: _restore,
    commands.ChangePassword: _password,
    commands.ResetPassword: _reset,
    commands.SetSecondFactor: _set_factor,
    commands.RemoveSecondFactor: _remove_factor,
    commands.RescueOperator: _rescue,
    commands.EndSessions: _end_sessions,
    commands.IssueToken: _issue,
    commands.RevokeToken: _revoke,
    commands.SetLimits: _limits,
    commands.Exclude: _exclude,
    commands.EndExclusion: _end_exclusion,
}
