"""Who comes in: sessions of browsers, tokens of devices, sign-in and sign-up, and what keeps strangers out.

A browser's session is in a cookie that no script can read. Whatever changes something carries the session's token and
comes from our own pages; a device's token is in a header that no browser sends by itself, and needs neither.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from litestar.connection import ASGIConnection

from croupier.errors import RuleViolation
from croupier.house import (
    DemoAccount,
    HouseRequest,
    HouseSession,
    NewSession,
    People,
    PersonState,
    SecondFactorOffer,
    SignedIn,
    SignInTooOften,
    Tokens,
    acting_role,
    is_csrf,
    needs_second_factor,
    place_of,
)
from croupier.house.commands import HouseCommand, IssueToken
from croupier.ledger import BookEntry, HouseRole
from croupier.server.callers import AskedTooOften, Caller, NotTheirs, SignInFirst
from croupier.server.gate import Surroundings, is_passed_on
from croupier.server.live import now
from croupier.server.rates import Rates

__all__ = ["Doors", "Entered"]

_COOKIE: Final = "croupier_session"
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
_WHILE_IDLE: Final = {"/api/session", "/sign-in", "/sign-up", "/healthz", "/readyz"}
"""Where somebody who was away may go: to sign in again."""
_AT_THE_DOOR: Final = {"bad_sign_in", "bad_code", "code_needed", "password_expired", "suspended"}


class Entered(NamedTuple):
    """Somebody who has signed in: the session's id for the cookie, and who they are."""

    id: str
    caller: Caller


class Doors:
    """The way in."""

    def __init__(
        self,
        people: People,
        tokens: Tokens,
        *,
        surroundings: Surroundings = Surroundings(),  # noqa: B008 - frozen
        demo: Sequence[DemoAccount] = (),
        alone: bool = False,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.people, self._tokens = people, tokens
        self.now: Final = clock
        self.surroundings: Final = surroundings
        self.demo_accounts: Final = tuple(demo)
        """Names, roles and passwords that the sign-in page of a demo shows; none where others can reach it."""
        self.alone: Final = alone
        """Nobody but this machine reaches the house: one address is everybody's."""
        self._sign_ins: Final = Rates(per_second=2, burst=60)
        """By address, right or wrong: each costs tens of milliseconds."""
        self._sign_ups: Final = Rates(per_second=1 / 60, burst=20)
        """By address: nobody needs a hundred accounts."""

    @property
    def secure(self) -> bool:
        """Whether browsers reach the house by HTTPS alone."""
        return self.surroundings.secure

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; behind TLS a name that browsers accept from this host alone."""
        return f"__Host-{_COOKIE}" if self.secure else _COOKIE

    def demo_for(self, connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[DemoAccount, ...]:
        """The accounts of a demo, for whoever sits at this machine; what a proxy passes on may come from anywhere."""
        return () if is_passed_on(connection.scope["headers"]) else self.demo_accounts

    # --- who calls

    async def caller(
        self, connection: ASGIConnection[Any, Any, Any, Any], *, token: str | None = None, acting: bool = True
    ) -> Caller:
        """Whoever sends this request; a stranger is nobody.

        Whatever changes something carries the session's token: a form in its field, given here as `token`, everything
        else in its header.
        """
        address = connection.client.host if connection.client is not None else ""
        headers = connection.headers
        live = str(connection.scope["type"]) == "websocket"
        unsafe = not live and str(connection.scope.get("method", "")) not in _SAFE
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return await self._device(bearer.strip(), address)
        if unsafe or live:
            self._check_origin(headers)
        secret = connection.cookies.get(self.cookie, "")
        signed = await self.people.session(secret, self.now(), used=acting) if secret else None
        if signed is None:
            return Caller(address=address, time_zone=self._time_zone)
        if signed.standing == "idle":
            if connection.scope["path"] in _WHILE_IDLE:
                return Caller(address=address, time_zone=self._time_zone)
            raise SignInFirst("you were away: sign in again", code="idle")
        if unsafe and not is_csrf(signed.session, headers.get("x-csrf-token", "") if token is None else token):
            where = "X-CSRF-Token" if token is None else "token"
            raise NotTheirs(f"this request does not carry the {where} of your session", code="csrf")
        return self._caller(signed.person, secret, signed.session.csrf, address, factor=signed.session.factor)

    async def _device(self, text: str, address: str) -> Caller:
        token = await self._tokens.find(text, self.now())
        if token is None:
            raise SignInFirst("this token is not one of this house, or no longer")
        return Caller(
            id=token.device,
            roles=("device",),
            token=token.id,
            scope=token.scope,
            tables=token.tables,
            address=address,
            name=token.device,
            time_zone=self._time_zone,
        )

    def _caller(self, person: PersonState, secret: str, csrf: str, address: str, *, factor: bool) -> Caller:
        return Caller(
            id=person.id,
            name=self.names.get(person.id, person.id),
            roles=person.roles,
            session=secret,
            csrf=csrf,
            factor=factor,
            unproven=not factor and needs_second_factor(self.people.house.state, person),
            address=address,
            time_zone=self._time_zone,
        )

    @property
    def _time_zone(self) -> str:
        return self.people.house.state.time_zone

    @property
    def names(self) -> Mapping[str, str]:
        """The names of people, as far as they are known here."""
        return self._names

    _names: Mapping[str, str] = {}

    async def read_names(self) -> Mapping[str, str]:
        """The names of people by id, as they are stored."""
        self._names = await self.people.names()
        return self._names

    async def still_open(self, caller: Caller, *, acting: bool) -> bool:
        """Whether somebody who came in a while ago is still signed in; whoever only looks on may become idle."""
        if caller.token:
            token, at = self.people.house.state.tokens.get(caller.token), self.now()
            return token is not None and not token.revoked and at < token.expires
        if not caller.session:
            return True
        signed = await self.people.session(caller.session, self.now(), used=acting)
        return signed is not None and signed.standing == "live"

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        """What a browser sends from another site is refused; a program says no origin at all."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if origin is None:
            theirs = site not in {"same-origin", "none"}
        else:
            scheme, _, host = origin.lower().partition("://")
            wanted = {"https"} if self.secure else {"http", "https"}
            ours = scheme in wanted and host != "" and host == headers.get("host", "").lower()
            theirs = not ours and origin.lower() != (self.surroundings.origin or None)
        if theirs:
            raise NotTheirs("this request comes from another site", code="other_site")

    # --- coming and going

    async def sign_in(
        self, connection: ASGIConnection[Any, Any, Any, Any], name: str, password: str, code: str
    ) -> Entered:
        """A new session, in place of the one that this browser has."""
        self._check_origin(connection.headers)
        address = connection.client.host if connection.client is not None else ""
        if not self.alone:
            self._sign_ins.take(place_of(address))
        if len(name) > 100 or len(password) > 1000 or len(code) > 100:
            raise SignInFirst("the name or the password is wrong", code="bad_sign_in")
        try:
            made, person = await self.people.sign_in(
                name,
                password,
                at=self.now(),
                address=address,
                agent=connection.headers.get("user-agent", ""),
                code=code,
                alone=self.alone,
            )
        except RuleViolation as refused:
            raise _at_the_door(refused) from None
        await self._end_before(connection)
        return await self._entered(made, person, address)

    async def _end_before(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """End the session that a browser had until now."""
        secret = connection.cookies.get(self.cookie, "")
        old = await self.people.session(secret, self.now()) if secret else None
        if old is not None:
            await self.people.sign_out(old)

    async def _entered(self, made: NewSession, person: PersonState, address: str) -> Entered:
        if person.id not in self._names:
            await self.read_names()
        session = made.session
        return Entered(made.id, self._caller(person, made.id, session.csrf, address, factor=session.factor))

    async def sign_out(self, caller: Caller, *, everywhere: bool) -> None:
        """End a session, or all of a person's."""
        signed = await self._signed(caller)
        if everywhere:
            await self.people.sign_out_everywhere(caller.id, by=caller.id, at=self.now(), factor=caller.factor)
        else:
            await self.people.sign_out(signed)

    async def sessions_of(self, caller: Caller) -> list[tuple[HouseSession, bool]]:
        """Where the caller is signed in, the session of this very request first and marked."""
        here, at = (await self._signed(caller)).session.hash, self.now()
        ended = self.people.house.state.people[caller.id].sessions_ended
        held = [each for each in await self.people.sessions.of(caller.id, at) if ended is None or each.made > ended]
        return sorted(((each, each.hash == here) for each in held), key=lambda each: not each[1])

    async def end_session(self, caller: Caller, mark: str) -> bool:
        """Sign the caller out on one of their devices; whether it was this one. One that is over is no error."""
        for session, here in await self.sessions_of(caller):
            if session.mark == mark:
                await self.people.sessions.end(session)
                return here
        return False

    async def sign_up(self, connection: ASGIConnection[Any, Any, Any, Any], name: str, password: str) -> Entered:
        """A new player of a demo, signed in."""
        if not self.people.house.state.demo:
            raise SignInFirst("sign in first: players are added at the cage")
        self._check_origin(connection.headers)
        address = connection.client.host if connection.client is not None else ""
        if not self.alone:
            self._sign_ups.take(place_of(address))
        person = await self.people.sign_up(name, password, at=self.now())
        await self._end_before(connection)
        agent = connection.headers.get("user-agent", "")
        made = await self.people.enter(person, at=self.now(), address=address, agent=agent)
        return await self._entered(*made, address)

    async def _signed(self, caller: Caller) -> SignedIn:
        signed = await self.people.session(caller.session, self.now()) if caller.session else None
        if signed is None:
            raise SignInFirst("sign in first")
        return signed

    # --- accounts

    async def add_person(
        self, caller: Caller, name: str, password: str, roles: tuple[HouseRole, ...], key: str
    ) -> PersonState:
        """A new account."""
        caller.must_be_person()
        person = await self.people.add(
            name, password, roles, by=caller.id, at=self.now(), factor=caller.factor, key=key
        )
        await self.read_names()
        return self.people.house.state.people[person]

    async def change_password(self, caller: Caller, old: str, new: str) -> Entered:
        """Another password of one's own; other sessions end."""
        signed = await self._signed(caller)
        made = await self.people.change_password(signed, old, new, at=self.now())
        return await self._entered(made, signed.person, caller.address)

    async def reset_password(self, caller: Caller, person: str) -> str:
        """A random password for somebody who has forgotten theirs."""
        caller.must_be_person()
        return await self.people.reset_password(person, by=caller.id, at=self.now(), factor=caller.factor)

    async def offer_second_factor(self, caller: Caller) -> SecondFactorOffer:
        """A second factor that holds once its first code was given."""
        return await self.people.offer_second_factor(await self._signed(caller), at=self.now())

    async def set_second_factor(
        self, caller: Caller, password: str, offer: str, code: str
    ) -> tuple[Entered, tuple[str, ...]]:
        """A second factor that was offered, from now on; and recovery codes."""
        signed = await self._signed(caller)
        made, recovery = await self.people.set_second_factor(signed, password, offer, code, at=self.now())
        return await self._entered(made, signed.person, caller.address), recovery

    async def remove_second_factor(self, caller: Caller, person: str) -> None:
        """The second factor of somebody who has lost it."""
        caller.must_be_person()
        await self.people.remove_second_factor(person, by=caller.id, at=self.now(), factor=caller.factor)

    # --- rights

    def acting_role(self, caller: Caller, do: str, *, about: str = "") -> HouseRole:
        """The role in which somebody does something at the cage; refused without one, or without a second factor."""
        caller.must_be_person()
        state = self.people.house.state
        person = state.people[caller.id]
        role = acting_role(state, person, do, about)
        if needs_second_factor(state, person, do) and not caller.factor:
            raise NotTheirs("sign in with your second factor first, or set one up", code="second_factor")
        return role

    async def give(self, caller: Caller, command: HouseCommand, key: str, reason: str = "") -> tuple[BookEntry, ...]:
        """A command of the house."""
        caller.must_be_person()
        request = HouseRequest(
            by=caller.id, at=self.now(), command=command, factor=caller.factor, key=key, reason=reason
        )
        return await self.people.house.give(request)

    async def issue_token(self, caller: Caller, command: IssueToken) -> str:
        """A token for a device, shown once."""
        caller.must_be_person()
        return await self._tokens.issue(caller.id, command, self.now(), factor=caller.factor)


def _at_the_door(refused: RuleViolation) -> Exception:
    if isinstance(refused, SignInTooOften):
        return AskedTooOften(str(refused), refused.seconds)
    if refused.code in _AT_THE_DOOR:
        return SignInFirst(str(refused), code=refused.code)
    return refused
