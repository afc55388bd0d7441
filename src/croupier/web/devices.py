"""Where somebody is signed in: each device in words, and a way to sign out there."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from litestar import post
from msgspec import Struct

from croupier.server import Caller, Desk, no_session
from croupier.web.posting import Fields
from croupier.web.rendering import Page, redirect

__all__ = ["ROUTES", "SignedInDevice", "device_words", "devices_of"]

_PROGRAMS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""Browsers by a word that they call themselves with; most also use those of the later ones."""
_SYSTEMS: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


class SignedInDevice(Struct, frozen=True, kw_only=True):
    """A session as its person reads it."""

    mark: str
    words: str
    agent: str
    address: str
    made: datetime
    seen: datetime
    here: bool
    factor: bool


def device_words(agent: str) -> str:
    """What somebody would call this device.

    >>> device_words("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604")
    'Safari on iPhone'
    >>> device_words("python-httpx/0.28"), device_words("")
    ('python-httpx/0.28', 'unknown device')
    """
    program = next((name for word, name in _PROGRAMS.items() if word in agent), "")
    system = next((name for word, name in _SYSTEMS.items() if word in agent), "")
    if program and system:
        return f"{program} on {system}"
    return program or system or agent[:40] or "unknown device"


async def devices_of(desk: Desk, caller: Caller) -> list[SignedInDevice]:
    """Where the caller is signed in, this device first."""
    return [
        SignedInDevice(
            mark=session.mark,
            words=device_words(session.agent),
            agent=session.agent,
            address=session.address,
            made=session.made,
            seen=session.seen,
            here=here,
            factor=session.factor,
        )
        for session, here in await desk.doors.sessions_of(caller)
    ]


@post("/account/sessions/end", status_code=200)
async def end_session(desk: Desk, caller: Caller, fields: Fields) -> Page:
    """Sign out on one device; on this one it is the same as signing out."""
    caller.must_be_somebody()
    if await desk.doors.end_session(caller, fields.get("session", "")[:64]):
        return redirect("/", cookies=[no_session(desk.doors)])
    return redirect("/account?done=session#sessions")


ROUTES: Final = [end_session]
