"""Who comes in: sessions of browsers, tokens of devices, sign-in and sign-up, and what keeps strangers out.

A browser's session is in a cookie that no script can read. Whatever changes something carries the session's token and
comes from our own pages; a device's token is in a header that no browser sends by itself, and needs neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

from croupier.errors import RuleViolation
from croupier.house import (
    DemoAccount,
    HouseRequest,
    NewSession,
    People,
    PersonState,
    SecondFactorOffer,
    SignedIn,
    Tokens,
    acting_role,
    is_csrf,
    needs_second_factor,
    play_problem,
    played_so_far,
)
from croupier.house import TooOften as SignInTooOften
from croupier.house.commands import HouseCommand, IssueToken
from croupier.ledger import BookEntry, HouseRole
from croupier.money import Cents, parse_dollars
from croupier.server.callers import Caller, NotSignedIn, NotTheirs, TooOften
from croupier.server.hall import Hall
from croupier.server.live import now
from croupier.table import Person

__all__ = ["COOKIE", "Doors", "Entered"]

COOKIE: Final = "croupier_session"
_SAFE: Final = {"GET", "HEAD", "OPTIONS"}
_WHILE_IDLE: Final = {"/api/session", "/sign-in", "/sign-up", "/healthz", "/readyz"}
"""Where somebody who was away may go: to sign in again."""
_GUARDED: Final = ("sit", "buy_in", "place_wager")
"""What a player's own limits are asked about."""
_AT_THE_DOOR: Final = {"bad_sign_in", "bad_code", "code_needed", "suspended"}


class Entered(NamedTuple):
    """Somebody who has signed in: the session's id for the cookie, and who they are."""

    id: str
    caller: Caller


class Doors:
    """The way in."""

    def __init__(
        self, people: People, tokens: Tokens, *, secure: bool = False, demo: Sequence[DemoAccount] = ()
    ) -> None:
        self.people, self._tokens = people, tokens
        self.secure: Final = secure
        self.demo_accounts: Final = tuple(demo)
        """Names, roles and passwords that the sign-in page of a demo shows; none where others can reach it."""

    # --- who calls

    async def caller(self, connection: ASGIConnection[Any, Any, Any, Any], *, token: str | None = None) -> Caller:
        """Whoever sends this request; a stranger is nobody.

        Whatever changes something carries the session's token: a form in its field, given here as `token`, everything
        else in its header.
        """
        address = connection.client.host if connection.client is not None else ""
        headers = connection.headers
        live = str(connection.scope["type"]) == "websocket"
        unsafe = not live and str(connection.scope.get("method", "")) not in _SAFE
        given = headers.get("authorization", "")
        if given:
            return await self._device(given, address)
        _check_origin(headers, strict=unsafe or live)
        secret = connection.cookies.get(COOKIE, "")
        signed = await self.people.session(secret, now()) if secret else None
        if signed is None:
            return Caller(address=address)
        if signed.standing == "idle":
            if connection.scope["path"] in _WHILE_IDLE:
                return Caller(address=address)
            raise NotSignedIn("you were away: sign in again", code="idle")
        if unsafe and not is_csrf(signed.session, headers.get("x-csrf-token", "") if token is None else token):
            where = "X-CSRF-Token" if token is None else "token"
            raise NotTheirs(f"this request does not carry the {where} of your session")
        return self._caller(signed.person, secret, signed.session.csrf, address, factor=signed.session.factor)

    async def _device(self, given: str, address: str) -> Caller:
        kind, _, text = given.partition(" ")
        token = await self._tokens.find(text.strip(), now()) if kind.lower() == "bearer" else None
        if token is None:
            raise NotSignedIn("this token is not one of this house, or no longer")
        return Caller(
            id=token.device,
            roles=("device",),
            scope=token.scope,
            tables=token.tables,
            address=address,
            name=token.device,
        )

    def _caller(self, person: PersonState, secret: str, csrf: str, address: str, *, factor: bool) -> Caller:
        return Caller(
            id=person.id,
            name=self.names.get(person.id, person.id),
            roles=person.roles,
            session=secret,
            csrf=csrf,
            factor=factor,
            address=address,
        )

    @property
    def names(self) -> Mapping[str, str]:
        """The names of people, as far as they are known here."""
        return self._names

    _names: Mapping[str, str] = {}

    async def read_names(self) -> Mapping[str, str]:
        """The names of people by id, as they are stored."""
        self._names = await self.people.names()
        return self._names

    async def still_open(self, caller: Caller) -> bool:
        """Whether somebody who came in a while ago is still signed in."""
        if not caller.session:
            return True
        signed = await self.people.session(caller.session, now())
        return signed is not None and signed.standing == "live"

    # --- coming and going

    async def sign_in(
        self, connection: ASGIConnection[Any, Any, Any, Any], name: str, password: str, code: str
    ) -> Entered:
        """A new session."""
        _check_origin(connection.headers, strict=True)
        address = connection.client.host if connection.client is not None else ""
        if len(name) > 100 or len(password) > 1000 or len(code) > 100:
            raise NotSignedIn("the name or the password is wrong", code="bad_sign_in")
        try:
            made, person = await self.people.sign_in(name, password, at=now(), address=address, code=code)
        except RuleViolation as refused:
            raise _at_the_door(refused) from None
        return await self._entered(made, person, address)

    async def _entered(self, made: NewSession, person: PersonState, address: str) -> Entered:
        if person.id not in self._names:
            await self.read_names()
        session = made.session
        return Entered(made.id, self._caller(person, made.id, session.csrf, address, factor=session.factor))

    async def sign_out(self, caller: Caller, *, everywhere: bool) -> None:
        """End a session, or all of a person's."""
        signed = await self._signed(caller)
        if everywhere:
            await self.people.sign_out_everywhere(caller.id, by=caller.id, at=now(), factor=caller.factor)
        else:
            await self.people.sign_out(signed)

    async def sign_up(self, connection: ASGIConnection[Any, Any, Any, Any], name: str, password: str) -> Entered:
        """A new player of a demo, signed in."""
        if not self.people.house.state.demo:
            raise NotSignedIn("sign in first: players are added at the cage")
        await self.people.sign_up(name, password, at=now())
        return await self.sign_in(connection, name, password, "")

    async def _signed(self, caller: Caller) -> SignedIn:
        signed = await self.people.session(caller.session, now()) if caller.session else None
        if signed is None:
            raise NotSignedIn("sign in first")
        return signed

    # --- accounts

    async def add_person(
        self, caller: Caller, name: str, password: str, roles: tuple[HouseRole, ...], key: str
    ) -> PersonState:
        """A new account."""
        person = await self.people.add(name, password, roles, by=caller.id, at=now(), factor=caller.factor, key=key)
        await self.read_names()
        return self.people.house.state.people[person]

    async def change_password(self, caller: Caller, old: str, new: str) -> Entered:
        """Another password of one's own; other sessions end."""
        signed = await self._signed(caller)
        made = await self.people.change_password(signed, old, new, at=now())
        return await self._entered(made, signed.person, caller.address)

    async def reset_password(self, caller: Caller, person: str) -> str:
        """A random password for somebody who has forgotten theirs."""
        caller.must_be_somebody()
        return await self.people.reset_password(person, by=caller.id, at=now(), factor=caller.factor)

    async def offer_second_factor(self, caller: Caller) -> SecondFactorOffer:
        """A second factor that holds once its first code was given."""
        return await self.people.offer_second_factor(await self._signed(caller), at=now())

    async def set_second_factor(
        self, caller: Caller, password: str, offer: str, code: str
    ) -> tuple[Entered, tuple[str, ...]]:
        """A second factor that was offered, from now on; and recovery codes."""
        signed = await self._signed(caller)
        made, recovery = await self.people.set_second_factor(signed, password, offer, code, at=now())
        return await self._entered(made, signed.person, caller.address), recovery

    async def remove_second_factor(self, caller: Caller, person: str) -> None:
        """The second factor of somebody who has lost it."""
        caller.must_be_somebody()
        await self.people.remove_second_factor(person, by=caller.id, at=now(), factor=caller.factor)

    # --- rights

    def acting_role(self, caller: Caller, do: str, *, about: str = "") -> HouseRole:
        """The role in which somebody does something at the cage; refused without one, or without a second factor."""
        caller.must_be_somebody()
        state = self.people.house.state
        person = state.people.get(caller.id)
        if person is None:
            raise NotTheirs("this is not for devices")
        role = acting_role(state, person, do, about)
        if needs_second_factor(state, person, do) and not caller.factor:
            raise NotTheirs("sign in with your second factor first")
        return role

    async def give(self, caller: Caller, command: HouseCommand, key: str, reason: str = "") -> tuple[BookEntry, ...]:
        """A command of the house."""
        caller.must_be_somebody()
        if caller.id not in self.people.house.state.people:
            raise NotTheirs("this is not for devices")
        request = HouseRequest(
            by=caller.id, at=now(), command=command, factor=caller.factor, key=key[:100], reason=reason
        )
        return await self.people.house.give(request)

    async def issue_token(self, caller: Caller, command: IssueToken) -> str:
        """A token for a device, shown once."""
        caller.must_be_somebody()
        return await self._tokens.issue(caller.id, command, now(), factor=caller.factor)

    # --- protection of players

    async def check_player(self, person: Person, do: str, body: Mapping[str, Any], hall: Hall) -> None:
        """Refuse what a player's own limits do not allow."""
        if person.role != "player" or do not in _GUARDED:
            return
        state, at = self.people.house.state, now()
        known = state.people.get(person.id)
        if known is None or (not known.asked and known.exclusion is None):
            return
        played = await played_so_far(self.people.house.store, state, person.id, at)
        risk = Cents(_amount(body) + hall.at_risk(person.id)) if do == "place_wager" else Cents(0)
        problem = play_problem(known, do, played, at, amount=risk)  # type: ignore[arg-type] # one of them
        if problem is not None:
            raise problem


def _amount(body: Mapping[str, Any]) -> int:
    try:
        return parse_dollars(body.get("amount", "0"))
    except (ValueError, TypeError):
        return 0  # the table says what is wrong with it


def _check_origin(headers: Mapping[str, str], *, strict: bool) -> None:
    """What a browser sends from another site is refused; a program says no origin at all."""
    if not strict:
        return
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        raise NotTheirs("this request comes from another site")
    if origin is None and headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        raise NotTheirs("this request comes from another site")


def _at_the_door(refused: RuleViolation) -> Exception:
    if isinstance(refused, SignInTooOften):
        return TooOften(str(refused), refused.seconds)
    if refused.code in _AT_THE_DOOR:
        return NotSignedIn(str(refused), code=refused.code)
    return refused
