"""What surrounds every page: how somebody wants it to look, where they are, and where they may go.

It is known from the request before the page is made, so that the first paint is right and no page has to pass it on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct

from croupier.ledger import HouseRole
from croupier.server import Caller, Desk

__all__ = ["LOOK", "NavItem", "Shell", "enter_shell", "look_cookie", "navigation", "shell"]

LOOK: Final = "croupier_look"
_THEMES: Final = ("auto", "light", "dark")
_DECKS: Final = ("two", "four")
_YEAR: Final = 365 * 86_400


class Shell(Struct, frozen=True):
    """What surrounds a page."""

    theme: str = "auto"
    deck: str = "two"
    path: str = "/"
    demo: bool = False


class NavItem(Struct, frozen=True):
    """A page in the bar on top; without roles it is for everybody."""

    label: str
    path: str
    roles: frozenset[HouseRole] = frozenset()
    place: int = 50


_SHELL: Final[ContextVar[Shell]] = ContextVar("shell", default=Shell())  # noqa: B039 - frozen


def shell() -> Shell:
    """What surrounds the page that is being made."""
    return _SHELL.get()


def enter_shell(connection: ASGIConnection[Any, Any, Any, Any], desk: Desk) -> None:
    """Know what surrounds the pages of this request."""
    theme, _, deck = connection.cookies.get(LOOK, "").partition(".")
    _SHELL.set(
        Shell(
            theme=theme if theme in _THEMES else _THEMES[0],
            deck=deck if deck in _DECKS else _DECKS[0],
            path=str(connection.scope["path"]),
            demo=desk.house.state.demo,
        )
    )


def look_cookie(theme: str, deck: str, *, secure: bool) -> Cookie:
    """The look that somebody has chosen; anything else is as if they had not."""
    chosen = theme if theme in _THEMES else _THEMES[0], deck if deck in _DECKS else _DECKS[0]
    return Cookie(key=LOOK, value=".".join(chosen), max_age=_YEAR, samesite="strict", secure=secure, path="/")


def navigation(caller: Caller, items: Sequence[NavItem]) -> list[NavItem]:
    """The pages that a caller may go to, in their order."""
    mine = [item for item in items if not item.roles or item.roles & set(caller.roles)]
    return sorted(mine, key=lambda item: item.place)
