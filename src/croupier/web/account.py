"""One's own account: password, second factor, limits, exclusion, sessions, and the rounds that one has played."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from litestar import get, post
from markupsafe import Markup

from croupier.errors import CroupierError, Malformed
from croupier.house import PersonState, commands, played_so_far
from croupier.ledger import LimitKind
from croupier.money import typed_dollars
from croupier.present import counted, dollars
from croupier.server import (
    Caller,
    Desk,
    NotTheirs,
    SignInFirst,
    disputes_for,
    problem_of,
    rounds_for,
    session_cookie,
)
from croupier.store import RoundSearch
from croupier.web.devices import devices_of
from croupier.web.past_rounds import rows_of
from croupier.web.plots import inline_qr
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.words import namer

__all__ = ["ROUTES"]

_MINUTES: Final = "minutes_day"
_LIMITS: Final[dict[LimitKind, str]] = {
    "loss_day": "Loss limit per day, in dollars",
    "loss_week": "Loss limit per week, in dollars",
    "loss_month": "Loss limit per month, in dollars",
    "minutes_day": "Time limit per day, in minutes",
}
_DONE: Final = {
    "password": "Your password is changed. Your other sessions have ended.",
    "limits": "Your limits are set.",
    "session": "That device is signed out.",
    "back": "Your exclusion has ended: you may play again.",
}
_AWAY: Final = {"1": "1 day", "7": "1 week", "30": "30 days", "180": "180 days", "365": "1 year", "": "For good"}
_SHOWN: Final = 10
_LONGEST: Final = 500
"""Characters of an authenticator's address."""
_PASSWORD: Final = {"bad_sign_in": "old", "bad_password": "password"}
_FACTOR: Final = {"bad_sign_in": "factor-password", "bad_code": "factor-code", "bad_offer": "factor-code"}
_EXCLUSION: Final = {"not_allowed": "sure", "not_theirs": "sure", "exclusion_holds": "days"}
"""The fields of the forms that a refusal is about, by its code."""


class WrongLimit(Malformed):
    """A limit that cannot be read."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@get("/account")
async def see_account(desk: Desk, caller: Caller, done: str = "") -> Page:
    """Everything about one's own account."""
    return await _account_page(desk, caller, done=_DONE.get(done, ""))


@post("/account/password", status_code=200)
async def change_password(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Another password; other sessions end."""
    caller.must_be_somebody()
    try:
        entered = await desk.doors.change_password(caller, fields.get("old", ""), fields.get("password", ""))
    except CroupierError as error:
        return await _refused(desk, caller, error, fields=_PASSWORD)
    return redirect("/account?done=password", cookies=[session_cookie(desk.doors, entered)])


@post("/account/second-factor", status_code=200)
async def offer_second_factor(desk: Desk, caller: Caller) -> Page:
    """A second factor to set up."""
    caller.must_be_somebody()
    try:
        offer = await desk.doors.offer_second_factor(caller)
    except CroupierError as error:
        return await _refused(desk, caller, error)
    return await _account_page(desk, caller, offer={"offer": offer.offer, "uri": offer.uri})


@post("/account/second-factor/confirm", status_code=200)
async def set_second_factor(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """The second factor from now on, and recovery codes, shown this once."""
    caller.must_be_somebody()
    offer = fields.get("offer", "")
    try:
        entered, recovery = await desk.doors.set_second_factor(
            caller, fields.get("password", ""), offer, fields.get("code", "")
        )
    except CroupierError as error:
        shown = {"offer": offer, "uri": fields.get("uri", "")}
        return await _refused(desk, caller, error, offer=shown, fields=_FACTOR)
    cookies = [session_cookie(desk.doors, entered)]
    return page("recovery", entered.caller, codes=recovery, cookies=cookies)


@post("/account/limits", status_code=200)
async def set_limits(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Limits for oneself: an empty field leaves one as it is."""
    caller.must_be_somebody()
    limits: dict[LimitKind, int | None] = {}
    try:
        for name in _LIMITS:
            text = fields.get(name, "")
            if fields.get(f"none.{name}") == "yes":
                limits[name] = None
            elif text:
                limits[name] = _limit(name, text)
        command = commands.SetLimits(person=caller.id, limits=limits)
        await desk.give_house(caller, command, fields.get("key", ""))
    except CroupierError as error:
        kind = error.kind if isinstance(error, WrongLimit) else _kind_in(str(error))
        about = {"unreadable": kind, "bad_limit": kind}
        return await _refused(desk, caller, error, fields=about)
    return redirect("/account?done=limits")


def _kind_in(words: str) -> str:
    """The limit that a refusal names."""
    return next((kind for kind in _LIMITS if kind.replace("_", " ") in words), "")


def _limit_words(kind: LimitKind, held: int | None) -> str | None:
    if held is None:
        return None
    return counted(held, "minute") if kind == _MINUTES else dollars(held)


def _limit(kind: LimitKind, text: str) -> int:
    try:
        return typed_dollars(text) // (100 if kind == _MINUTES else 1)
    except Malformed as error:
        raise WrongLimit(kind, str(error)) from None


@post("/account/exclusion", status_code=200)
async def exclude(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Keep oneself away from play."""
    caller.must_be_somebody()
    days = fields.get("days", "1")
    try:
        if days not in _AWAY or fields.get("sure") != "yes":
            raise NotTheirs("say for how long, and tick that you are sure")
        until = desk.doors.now() + timedelta(days=int(days)) if days else None
        await desk.give_house(caller, commands.Exclude(person=caller.id, until=until), fields.get("key", ""))
    except CroupierError as error:
        return await _refused(desk, caller, error, fields=_EXCLUSION)
    return redirect("/account")


@post("/account/exclusion/end", status_code=200)
async def end_exclusion(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Come back to play, after the time of an exclusion."""
    caller.must_be_somebody()
    try:
        await desk.give_house(caller, commands.EndExclusion(person=caller.id), fields.get("key", ""))
    except CroupierError as error:
        return await _refused(desk, caller, error)
    return redirect("/account?done=back")


def _longer(person: PersonState, at: datetime) -> list[tuple[str, str]]:
    """For how long somebody may keep away from here on: longer than they do already."""
    held = person.exclusion
    if held is None:
        return list(_AWAY.items())
    if held.until is None:
        return []
    return [(days, said) for days, said in _AWAY.items() if not days or at + timedelta(days=int(days)) > held.until]


async def _refused(
    desk: Desk,
    caller: Caller,
    error: CroupierError,
    *,
    offer: dict[str, str] | None = None,
    fields: dict[str, str] | None = None,
) -> Page:
    if isinstance(error, SignInFirst):
        if error.code == "not_signed_in":
            raise error
        # A wrong password or code on this page is not a reason to sign in again.
        said: dict[str, Any] = {"message": str(error), "code": error.code}
        status = 403
    else:
        answer = problem_of(error)
        said, status = answer.content, answer.status_code or 409
    field = (fields or {}).get(said["code"])
    findings = {} if field is None else {field: said["message"]}
    return await _account_page(desk, caller, refusal=said, findings=findings, status=status, offer=offer)


async def _account_page(
    desk: Desk,
    caller: Caller,
    *,
    done: str = "",
    refusal: dict[str, Any] | None = None,
    findings: dict[str, str] | None = None,
    offer: dict[str, str] | None = None,
    status: int = 200,
) -> Page:
    caller.must_be_person()
    person = desk.house.state.people.get(caller.id)
    if person is None:
        raise NotTheirs("this is not for devices")
    at = desk.doors.now()
    held = {kind: person.limit(kind, at) for kind in _LIMITS}
    limits = [(kind, words, _limit_words(kind, held[kind])) for kind, words in _LIMITS.items()]
    own = caller.may_read("own_rounds", own=True)
    rounds = await rounds_for(desk, caller, RoundSearch(patron=caller.id, limit=_SHOWN)) if own else []
    return page(
        "account",
        caller,
        status=status,
        person=person,
        password_until=desk.house.state.password_until(person),
        is_over=(away := person.exclusion) is not None and away.until is not None and at >= away.until,
        limits=limits,
        away=_longer(person, at),
        key=new_key(),
        done=done,
        refusal=refusal,
        findings=findings or {},
        offer=None if offer is None else offer | {"qr": _qr(offer["uri"])},
        played=await played_so_far(desk.hall.store, desk.house.state, caller.id, at) if person.is_player else None,
        balance=await desk.hall.cage.balance(caller.id) if person.is_player else None,
        rows=rows_of(rounds, namer(desk, caller), own=caller.id),
        own_rounds=own,
        devices=await devices_of(desk, caller),
        disputes=disputes_for(desk, caller)[:_SHOWN] if person.is_player else [],
    )


def _qr(address: str) -> Markup:
    """The address of an authenticator, to be scanned; nothing for what is not one."""
    if not address.startswith("otpauth://") or len(address) > _LONGEST:
        return Markup("")
    return inline_qr(address)


ROUTES: Final = [
    see_account,
    change_password,
    offer_second_factor,
    set_second_factor,
    set_limits,
    exclude,
    end_exclusion,
]
