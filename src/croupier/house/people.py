"""People of a house: accounts, sign-in, passwords, second factors and sessions, each recorded before it is done."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed, RuleViolation
from croupier.house import commands
from croupier.house.commands import HouseCommand, HouseRequest
from croupier.house.credentials import Credential, Credentials, SecondFactorOffer
from croupier.house.decide import decide
from croupier.house.house import House
from croupier.house.passwords import (
    PLAYERS_LEAST,
    STAFF_LEAST,
    Passwords,
    check_new_password,
    is_same_password,
    random_password,
)
from croupier.house.refusals import refuse
from croupier.house.second_factor import new_recovery_codes
from croupier.house.sessions import HouseSession, NewSession, Sessions, SessionStanding, standing
from croupier.house.state import PersonState
from croupier.house.throttle import Throttle, place_of
from croupier.ledger import HouseRole
from croupier.store import names_in
from croupier.table import folded_name, is_person, is_reserved

__all__ = ["People", "SignedIn", "new_person_id"]

_INSTANT: Final = timedelta(microseconds=1)


class SignedIn(Struct, frozen=True):
    """A session with its person; `idle` staff have to give their password again before anything else."""

    session: HouseSession
    person: PersonState
    standing: SessionStanding


def new_person_id(by: str, key: str = "") -> str:
    """An id that says nothing about anybody; the same one for a command that is sent twice with its key."""
    drawn = sha256(f"{by} {key}".encode()).hexdigest()[:12] if key else secrets.token_hex(6)
    return f"p-{drawn}"


class People:
    """The people of a house, and who of them is signed in."""

    def __init__(self, house: House, passwords: Passwords | None = None) -> None:
        self.house: Final = house
        self.credentials: Final = Credentials(house.store, passwords or Passwords())
        self.sessions: Final = Sessions(house.store)
        self.throttle: Final = Throttle()
        self._resetting: Final = asyncio.Lock()

    def close(self) -> None:
        """Let the threads for passwords go."""
        self.credentials.passwords.close()

    # --- accounts

    async def begin(self, name: str, password: str, command: commands.BeginHouse, at: datetime) -> None:
        """Begin the record of a house with its first operator."""
        self._check_name(name)
        await self.credentials.reserve(command.operator, name, at)
        await self.house.give(HouseRequest(by=commands.THE_HOUSE, at=at, command=command))
        await self.credentials.set_password(command.operator, password, at)

    async def add(
        self,
        name: str,
        password: str,
        roles: Iterable[HouseRole],
        *,
        by: str,
        at: datetime,
        factor: bool = False,
        key: str = "",
        person: str = "",
    ) -> str:
        """Give somebody an account with a first password; returns the id."""
        person = person or new_person_id(by, key)
        command = commands.AddPerson(person=person, roles=tuple(roles))
        return await self._make(command, name, password, by=by, at=at, factor=factor, key=key)

    async def sign_up(self, name: str, password: str, *, at: datetime, key: str = "") -> str:
        """A player of a demo makes an account; returns the id."""
        person = new_person_id(f"sign up {folded_name(name)}", key)
        return await self._make(commands.SignUp(person=person), name, password, by=person, at=at, factor=False, key=key)

    async def _make(
        self,
        command: commands.AddPerson | commands.SignUp,
        name: str,
        password: str,
        *,
        by: str,
        at: datetime,
        factor: bool,
        key: str,
    ) -> str:
        self._check_name(name)
        is_player = isinstance(command, commands.SignUp) or command.roles == ("player",)
        check_new_password(password, name=name, least=self._least(is_player=is_player))
        request = HouseRequest(by=by, at=at, command=command, factor=factor, key=key)
        await self._check(request, name, password)
        await self.credentials.reserve(command.person, name, at)
        await self.house.give(request)
        credential = await self.credentials.of(command.person)
        is_new = credential is not None and not credential.password  # a second time it has one
        if not is_new or not await self.credentials.set_first_password(command.person, password, at):
            await self._check(request, name, password)  # sent twice at once: refused unless it is the same password
        return command.person

    async def _check(self, request: HouseRequest, name: str, password: str) -> None:
        """Refuse what the house would refuse, before a name is taken; and a key that made another account."""
        try:
            decide(self.house.state, request)
        except RuleViolation:
            try:
                decide(await self.house.refresh(), request)
            except RuleViolation as refused:
                if refused.code != "known_person":
                    raise
        before = await self.credentials.of(getattr(request.command, "person", "")) if request.key else None
        if before is None or not before.password:
            return
        if before.login != folded_name(name) or not await self.credentials.is_password(before, password):
            raise refuse("key_used", "this key belongs to another account")

    def _check_name(self, name: str) -> None:
        if not is_person(name.strip()) or not folded_name(name) or is_reserved(name):
            raise Malformed("a name has 1 to 60 printable characters, and is not one that the tables themselves use")

    def _least(self, *, is_player: bool) -> int:
        return PLAYERS_LEAST if is_player and self.house.state.demo else STAFF_LEAST

    async def names(self) -> dict[str, str]:
        """The names of people by id, as far as they have not been forgotten."""
        return await names_in(self.house.store)

    # --- sign-in

    async def enter(
        self, person: str, *, at: datetime, address: str, agent: str = ""
    ) -> tuple[NewSession, PersonState]:
        """The first session of somebody who has just signed up: nobody asks for the password that they just chose."""
        await self.credentials.remember_place(person, place_of(address), at)
        made = await self.sessions.create(person, at, factor=False, agent=agent, address=address)
        return made, self.house.state.people[person]

    async def sign_in(
        self,
        name: str,
        password: str,
        *,
        at: datetime,
        address: str,
        agent: str = "",
        code: str = "",
        alone: bool = False,
    ) -> tuple[NewSession, PersonState]:
        """A new session. Refused in the same words, after the same work, whether the name or the password is wrong.

        Where nobody but this machine reaches the house, `alone`, everybody shares one address: it is not slowed down.
        """
        login, place = folded_name(name), place_of(address)
        credential = await self.credentials.find(name, place)
        familiar = credential is not None and credential.familiar
        self.throttle.begin(login, place, at, familiar=familiar, alone=alone)
        right = await self.credentials.is_password(credential, password)
        person = self.house.state.people.get(credential.person) if credential is not None else None
        if credential is not None and right and person is None:
            person = (await self.house.refresh()).people.get(credential.person)  # another process has just added them
        if not right or credential is None or person is None:
            raise refuse("bad_sign_in", "the name or the password is wrong")
        if person.suspended:
            raise refuse("suspended", "this account is suspended: ask the operator")
        person = await self._check_expiry(person, at)
        factor = await self._check_code(person, credential, code, at)
        self.throttle.succeeded(login, place)
        await self.credentials.remember_place(person.id, place, at)
        made = at if person.sessions_ended is None else max(at, person.sessions_ended + _INSTANT)
        return await self.sessions.create(person.id, made, factor=factor, agent=agent, address=address), person

    async def _check_expiry(self, person: PersonState, at: datetime) -> PersonState:
        """Refuse a password that was handed out too long ago, once it was right: a stranger is told nothing."""
        if not self.house.state.is_expired(person, at):
            return person
        state = await self.house.refresh()  # another process may have handed out the next one
        person = state.people[person.id]
        if not state.is_expired(person, at):
            return person
        who = "the cashier" if person.is_player else "the operator"
        if "operator" in person.roles:
            who = "another operator, or whoever runs the machine,"
        raise refuse("password_expired", f"this first password has expired: ask {who} for a new one")

    async def _check_code(self, person: PersonState, credential: Credential, code: str, at: datetime) -> bool:
        """Whether a second factor was given; refused if there is one and it was not, or wrongly."""
        if not person.second_factor:
            return False
        if not code.strip():
            raise refuse("code_needed", "give the code of your second factor as well")
        self.throttle.begin_code(person.id, at)
        if not await self.credentials.is_code(credential, code, at):
            raise refuse("bad_code", "the code is wrong, or was used before: wait for the next one")
        self.throttle.code_succeeded(person.id)
        return True

    async def session(self, secret: str, at: datetime, *, used: bool = True) -> SignedIn | None:
        """Who this session belongs to, if it still holds; using it keeps it from becoming idle."""
        session = await self.sessions.find(secret, at)
        person = self.house.state.people.get(session.person) if session is not None else None
        if session is None or person is None or person.suspended:
            return None
        if person.sessions_ended is not None and session.made <= person.sessions_ended:
            return None
        holds = standing(session, at, staff=not person.is_player)
        if holds == "over":
            return None
        if holds == "live" and used:
            await self.sessions.touch(session, at)
        return SignedIn(session, person, holds)

    async def sign_in_again(self, signed: SignedIn, password: str, *, at: datetime, code: str = "") -> NewSession:
        """Somebody who was idle gives the password again, and gets a new session in place of the old one."""
        await self._check_password(signed.person, password, at)
        person = await self._check_expiry(signed.person, at)
        credential = await self.credentials.of(signed.person.id)
        if credential is None:
            raise refuse("bad_sign_in", "the password is wrong")
        factor = await self._check_code(person, credential, code, at)
        await self.sessions.end(signed.session)
        before = signed.session
        return await self.sessions.create(
            signed.person.id, at, factor=factor, agent=before.agent, address=before.address
        )

    async def _check_password(self, person: PersonState, password: str, at: datetime) -> None:
        # Whoever gets here has a session: their own failures alone slow them down.
        self.throttle.begin(f"session {person.id}", "", at, familiar=True)
        if not await self.credentials.is_password(await self.credentials.of(person.id), password):
            raise refuse("bad_sign_in", "the password is wrong")
        self.throttle.succeeded(f"session {person.id}", "")

    async def sign_out(self, signed: SignedIn) -> None:
        """End a session."""
        await self.sessions.end(signed.session)

    async def sign_out_everywhere(self, person: str, *, by: str, at: datetime, factor: bool = False) -> None:
        """End every session of a person, in every process."""
        await self._give(by, at, commands.EndSessions(person=person), factor=factor)
        await self.sessions.end_all(person)

    # --- passwords and second factors

    async def change_password(self, signed: SignedIn, old: str, new: str, *, at: datetime) -> NewSession:
        """A person sets another password; every other session ends."""
        person = signed.person
        await self._check_password(person, old, at)
        if is_same_password(old, new):
            raise refuse("bad_password", "this is the password that you have: choose another one")
        name = (await self.names()).get(person.id, "")
        check_new_password(new, name=name, least=self._least(is_player=person.is_player))
        factor = signed.session.factor
        await self._give(person.id, at, commands.ChangePassword(person=person.id), factor=factor)
        await self.credentials.set_password(person.id, new, at)
        return await self._only_session(signed.session, at, factor=factor)

    async def _only_session(self, before: HouseSession, at: datetime, *, factor: bool) -> NewSession:
        """A session in place of every other of its person."""
        await self.sessions.end_all(before.person)
        ended = self.house.state.people[before.person].sessions_ended
        made = max(at, ended + _INSTANT) if ended else at
        return await self.sessions.create(
            before.person, made, factor=factor, agent=before.agent, address=before.address
        )

    async def reset_password(self, person: str, *, by: str, at: datetime, factor: bool = False) -> str:
        """Somebody else sets a password: a random one, returned to be handed over once."""
        async with self._resetting:  # of two at once, the one that is shown last is the one that holds
            if person in self.house.state.people and await self.credentials.of(person) is None:
                raise refuse("forgotten", f"the name of {person} was erased: nobody can sign in with this account")
            await self._give(by, at, commands.ResetPassword(person=person), factor=factor)
            password = random_password()
            await self.credentials.set_password(person, password, at)
            await self.sessions.end_all(person)
        return password

    async def offer_second_factor(
        self, signed: SignedIn, *, at: datetime, house: str = "Croupier"
    ) -> SecondFactorOffer:
        """A new second factor for an authenticator, which holds once its first code is right."""
        name = (await self.names()).get(signed.person.id, signed.person.id)
        return await self.credentials.offer_second_factor(signed.person.id, at, name=name, house=house)

    async def set_second_factor(
        self, signed: SignedIn, password: str, offer: str, code: str, *, at: datetime
    ) -> tuple[NewSession, tuple[str, ...]]:
        """Hold the offered second factor; returns a session that has it, and recovery codes to be printed."""
        person = signed.person
        await self._check_password(person, password, at)
        secret, step = await self.credentials.check_offer(person.id, offer, code, at)
        await self._give(person.id, at, commands.SetSecondFactor(person=person.id), factor=signed.session.factor)
        recovery = new_recovery_codes()
        await self.credentials.set_second_factor(person.id, secret, step, recovery)
        return await self._only_session(signed.session, at, factor=True), recovery

    async def remove_second_factor(self, person: str, *, by: str, at: datetime, factor: bool = False) -> None:
        """Somebody else removes a second factor that was lost."""
        await self._give(by, at, commands.RemoveSecondFactor(person=person), factor=factor)
        await self.credentials.remove_second_factor(person)
        await self.sessions.end_all(person)

    async def suspend(self, person: str, *, by: str, at: datetime, factor: bool = False, reason: str = "") -> None:
        """Keep somebody from signing in, and sign them out."""
        await self._give(by, at, commands.SuspendPerson(person=person), factor=factor, reason=reason)
        await self.sessions.end_all(person)

    async def _give(self, by: str, at: datetime, command: HouseCommand, *, factor: bool, reason: str = "") -> None:
        await self.house.give(HouseRequest(by=by, at=at, command=command, factor=factor, reason=reason))

    async def sweep(self, at: datetime) -> None:
        """Forget what is over: a task of the server, now and then."""
        await self.sessions.sweep(at)
        await self.credentials.sweep(at)
