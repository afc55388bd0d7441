"""The house itself: its time zone, when its gaming day begins, and the tokens of its devices."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Final, TypeAlias
from zoneinfo import available_timezones

from litestar import get, post
from litestar.params import Parameter
from msgspec import Struct

from croupier.errors import CroupierError, Malformed
from croupier.house import DeviceToken, commands, device_scope, gaming_day
from croupier.present import capitalized, listed, spoken
from croupier.server import Caller, Desk, SignInFirst
from croupier.web.account_words import refused_about
from croupier.web.floor_forms import may_give_house
from croupier.web.posting import Fields, new_key
from croupier.web.rendering import Page, page, redirect
from croupier.web.shell import NavItem

__all__ = ["NAV", "ROUTES", "SCOPE_WORDS"]

TokenId = Annotated[str, Parameter(max_length=60)]
ZoneGroup: TypeAlias = tuple[str, tuple[str, ...]]
"""A region with its time zones."""
SCOPE_WORDS: Final = {
    "deal": "deal cards",
    "load_deck": "load a deck",
    "read:meters": "read the meters",
    "read:sign": "read the payout sign",
    "register": "register progressive bets",
    "report_jam": "report a jam",
    "reveal_seed": "reveal the seed of a shuffle",
    "shuffle_deck": "report that a deck is shuffled",
    "tell": "identify cards",
    "tell_meter": "report what a meter shows",
}
"""What a token can allow, as the page says it."""
_READS: Final = "read:"
_DAYS: Final = "365"
_NAMED: Final = 12
"""Tables that the form names."""
_NEAR: Final = ("America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles")
_OTHERS: Final = re.compile(r"(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/.+")
_DONE: Final = {
    "settings": "The settings are changed.",
    "revoked": "The token is revoked: its device is refused from now on.",
}
_SETTINGS: Final = {"no_change": "time_zone"}
_TOKEN: Final = {"bad_scope": "scope", "unknown_table": "tables", "bad_expiry": "days"}
"""The fields that a refusal is about, by its code."""


class WrongDays(Malformed):
    """A number of days that cannot be read."""


class ScopeTick(Struct, frozen=True):
    """Something that a token can allow, to be ticked in a form."""

    name: str
    label: str
    reads: bool
    ticked: bool

    @property
    def id(self) -> str:
        """The id of its box."""
        return f"scope-{self.name.replace(':', '-')}"


@get("/house")
async def see_house(desk: Desk, caller: Caller, done: str = "") -> Page:
    """Settings and tokens."""
    return await _house_page(desk, caller, done=_DONE.get(done, ""))


@post("/house/settings", status_code=200)
async def change_settings(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Another time zone, or another start of the gaming day."""
    _must_look(caller)
    zone, start = fields.get("time_zone", "").strip()[:60], fields.get("day_start", "").strip()[:20]
    try:
        command = commands.ChangeSettings(time_zone=zone, day_start=start)
        await desk.give_house(caller, command, fields.get("key", ""))
    except CroupierError as error:
        about = _SETTINGS | {"unreadable": "day_start" if "gaming day" in str(error) else "time_zone"}
        return await _refused(desk, caller, error, about, settings={"time_zone": zone, "day_start": start})
    return redirect("/house?done=settings")


@post("/house/tokens", status_code=200)
async def issue_token(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """A token for a device, shown this once."""
    _must_look(caller)
    try:
        desk.commands.take(caller.id)
        command = commands.IssueToken(
            token=_token_id(caller, fields.get("key", "")),
            device=fields.get("device", "").strip(),
            scope=tuple(name for name in sorted(device_scope()) if fields.get(f"scope.{name}") == "yes"),
            tables=tuple(word for part in fields.get("tables", "").split(",") if (word := part.strip())),
            expires=desk.doors.now() + timedelta(days=_days(fields.get("days", ""))),
        )
        token = await desk.doors.issue_token(caller, command)
    except CroupierError as error:
        about = _TOKEN | {"unreadable": "days" if isinstance(error, WrongDays) else "device"}
        return await _refused(desk, caller, error, about, typed=fields)
    return await _house_page(desk, caller, issued=(command.device, token))


@post("/house/tokens/{token_id:str}/revoke", status_code=200)
async def revoke_token(desk: Desk, caller: Caller, token_id: TokenId, fields: Fields) -> Page:
    """Take a token back, at once."""
    _must_look(caller)
    try:
        await desk.give_house(caller, commands.RevokeToken(token=token_id), fields.get("key", ""))
    except CroupierError as error:
        return await _refused(desk, caller, error, {})
    return redirect("/house?done=revoked")


def _must_look(caller: Caller) -> None:
    caller.must_be_person()
    caller.must_read("tokens")


def _token_id(caller: Caller, key: str) -> str:
    """The same id for a form that is sent twice, so that the second is refused."""
    return sha256(f"{caller.id} {key}".encode()).hexdigest()[:12] if key else secrets.token_hex(6)


def _days(text: str) -> int:
    if not re.fullmatch(r"\d{1,6}", text.strip(), re.ASCII):
        raise WrongDays("give a number of days, such as 365")
    return int(text)


async def _refused(
    desk: Desk,
    caller: Caller,
    error: CroupierError,
    about: Mapping[str, str],
    *,
    settings: Mapping[str, str] | None = None,
    typed: Fields | None = None,
) -> Page:
    """The page with why it was refused, and what was typed."""
    if isinstance(error, SignInFirst):
        raise error
    said, findings, status = refused_about(error, about, SCOPE_WORDS)
    if said["code"] == "known_token":
        said["message"] = (
            "you sent this form before, and its token was shown then: if nobody has it, revoke it and issue another"
        )
    return await _house_page(
        desk, caller, refusal=said, findings=findings, status=status, settings=settings, typed=typed
    )


async def _house_page(
    desk: Desk,
    caller: Caller,
    *,
    done: str = "",
    issued: tuple[str, str] | None = None,
    refusal: dict[str, Any] | None = None,
    findings: dict[str, str] | None = None,
    status: int = 200,
    settings: Mapping[str, str] | None = None,
    typed: Fields | None = None,
) -> Page:
    _must_look(caller)
    zones = await asyncio.to_thread(_zones)  # the first time it looks at hundreds of files
    state, at = desk.house.state, desk.doors.now()
    held = {"time_zone": state.time_zone, "day_start": state.day_start}
    chosen = held | dict(settings or {})
    tokens = sorted(state.tokens.values(), key=lambda token: token.expires)
    valid = [token for token in tokens if not token.revoked and at < token.expires]
    return page(
        "house",
        caller,
        status=status,
        done=done,
        issued=issued,
        refusal=refusal,
        findings=findings or {},
        held=held,
        chosen=chosen,
        zones=_with_chosen(zones, chosen["time_zone"], state.time_zone),
        at=at,
        day=gaming_day(at, state.time_zone, state.day_start),
        may_set=may_give_house(desk, caller, "change_settings"),
        may_issue=may_give_house(desk, caller, "issue_token"),
        may_revoke=may_give_house(desk, caller, "revoke_token"),
        valid=[(token, _scope_words(token)) for token in valid],
        over=[(token, _scope_words(token)) for token in tokens if token not in valid],
        ticks=_ticks(typed or {}),
        tables=_tables_named(list(state.tables)),
        typed={"device": "", "tables": "", "days": _DAYS} | (typed or {}),
        key=new_key(),
    )


def _scope_words(token: DeviceToken) -> str:
    return capitalized(listed(SCOPE_WORDS.get(name, spoken(name)) for name in token.scope))


def _ticks(typed: Fields) -> list[ScopeTick]:
    """What a token can allow: what a device does first, then what it reads."""
    ticks = [
        ScopeTick(
            name=name,
            label=capitalized(SCOPE_WORDS.get(name, spoken(name))),
            reads=name.startswith(_READS),
            ticked=typed.get(f"scope.{name}") == "yes",
        )
        for name in device_scope()
    ]
    return sorted(ticks, key=lambda tick: (tick.reads, tick.label))


def _tables_named(tables: list[str]) -> str:
    rest = len(tables) - _NAMED
    return listed([*tables[:_NAMED], f"{rest:,} more"] if rest > 0 else tables)


@cache
def _zones() -> tuple[ZoneGroup, ...]:
    """Time zones in groups, those of casinos nearby first."""
    others = sorted(name for name in available_timezones() if _OTHERS.fullmatch(name) and name not in _NEAR)
    regions = dict.fromkeys(name.partition("/")[0] for name in others)
    rest = ((region, tuple(name for name in others if name.startswith(f"{region}/"))) for region in regions)
    return (("United States", _NEAR), *rest)


def _with_chosen(zones: tuple[ZoneGroup, ...], *chosen: str) -> list[ZoneGroup]:
    """The time zones to choose from, also one that is not among them and is held or was typed."""
    known = {name for _, names in zones for name in names}
    extra = tuple(dict.fromkeys(name for name in (*chosen, "UTC") if name and name not in known))
    return [*zones, ("Other", extra)]


NAV: Final = [NavItem("House", "/house", frozenset({"operator"}), place=45)]
ROUTES: Final = [see_house, change_settings, issue_token, revoke_token]
