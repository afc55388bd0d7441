"""What surrounds every page: how somebody wants it to look, where they are, and where they may go.

It is known from the request before the page is made, so that the first paint is right and no page has to pass it on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct

from croupier.ledger import HouseRole
from croupier.server import Caller, Desk

__all__ = ["CHOICES", "LOOK", "NavItem", "Shell", "enter_shell", "look_cookie", "navigation", "own_path", "shell"]

LOOK: Final = "croupier_look"
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "deck": ("two", "four"),
    "keys": ("on", "off"),
    "values": ("off", "after", "before"),
}
"""What somebody may choose for their browser, in the order of the cookie; the first is what holds until then."""
_YEAR: Final = 365 * 86_400
_OWN: Final = re.compile(r"/[A-Za-z0-9/_.?=&%~+-]*")
_ONCE: Final = {"again", "done"}
"""What an address says of one request alone."""


class Shell(Struct, frozen=True):
    """What surrounds a page."""

    theme: str = "auto"
    deck: str = "two"
    keys: str = "on"
    """Whether single letters press buttons."""
    values: str = "off"
    """When a table without stakes shows what every action is worth."""
    path: str = "/"
    back: str = "/"
    """Where a form in the bar leads back to: this page, or the one that the form before was on."""
    demo: bool = False


class NavItem(Struct, frozen=True):
    """A page in the bar on top; without roles it is for everybody."""

    label: str
    path: str
    roles: frozenset[HouseRole] = frozenset()
    place: int = 50
    also: tuple[str, ...] = ()
    """Other pages that belong to it."""

    def holds(self, path: str) -> bool:
        """Whether a page is this one, or below it."""
        return any(path == own or (own != "/" and path.startswith(f"{own}/")) for own in (self.path, *self.also))


_SHELL: Final[ContextVar[Shell]] = ContextVar("shell", default=Shell())  # noqa: B039 - frozen


def shell() -> Shell:
    """What surrounds the page that is being made."""
    return _SHELL.get()


def enter_shell(connection: ASGIConnection[Any, Any, Any, Any], desk: Desk) -> None:
    """Know what surrounds the pages of this request."""
    kept = connection.cookies.get(LOOK, "").split(".")
    chosen = {name: value for name, value in zip(CHOICES, kept, strict=False) if value in CHOICES[name]}
    path = str(connection.scope["path"])
    _SHELL.set(Shell(**chosen, path=path, back=_back(connection, path), demo=desk.house.state.demo))


def own_path(text: str) -> str:
    """A path of our own to go on to; anything else leads to the lobby.

    >>> own_path("/tables/4"), own_path("//elsewhere.example"), own_path("https://elsewhere.example")
    ('/tables/4', '/', '/')
    """
    return text if len(text) <= 200 and "//" not in text and _OWN.fullmatch(text) else "/"


def _back(connection: ASGIConnection[Any, Any, Any, Any], path: str) -> str:
    """The page that somebody looks at: where a form was sent from, not the address that takes it."""
    query = bytes(connection.scope.get("query_string", b"")).decode("latin-1")
    if connection.scope.get("method", "GET") != "GET":
        try:
            before = urlsplit(connection.headers.get("referer", ""))
        except ValueError:
            return "/"
        if before.netloc != connection.headers.get("host"):
            return "/"
        path, query = before.path, before.query
    kept = urlencode([(name, value) for name, value in parse_qsl(query) if name not in _ONCE])
    return own_path(f"{path}?{kept}" if kept else path)


def look_cookie(chosen: Mapping[str, str], *, secure: bool) -> Cookie:
    """What somebody has chosen, on top of what they chose before; anything else is as if they had not."""
    now = {name: getattr(shell(), name) for name in CHOICES} | dict(chosen)
    value = ".".join(now[name] if now[name] in offered else offered[0] for name, offered in CHOICES.items())
    return Cookie(key=LOOK, value=value, max_age=_YEAR, samesite="strict", secure=secure, path="/")


def navigation(caller: Caller, items: Sequence[NavItem]) -> list[NavItem]:
    """The pages that a caller may go to, in their order."""
    mine = [item for item in items if not item.roles or item.roles & set(caller.roles)]
    return sorted(mine, key=lambda item: item.place)
