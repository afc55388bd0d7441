"""What surrounds every page: how somebody wants it to look, where they are, and where they may go.

It is known from the request before the page is made, so that the first paint is right and no page has to pass it on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from msgspec import Struct

from croupier.ledger import HouseRole
from croupier.server import Caller, Desk

__all__ = ["CHOICES", "LOOK", "NavItem", "Shell", "enter_shell", "look_cookie", "navigation", "shell"]

LOOK: Final = "croupier_look"
CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "theme": ("auto", "light", "dark"),
    "deck": ("two", "four"),
    "keys": ("on", "off"),
    "values": ("off", "after", "before"),
}
"""What somebody may choose for their browser, in the order of the cookie; the first is what holds until then."""
_YEAR: Final = 365 * 86_400


class Shell(Struct, frozen=True):
    """What surrounds a page."""

    theme: str = "auto"
    deck: str = "two"
    keys: str = "on"
    """Whether single letters press buttons."""
    values: str = "off"
    """When a table without stakes shows what every action is worth."""
    path: str = "/"
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
    _SHELL.set(Shell(**chosen, path=str(connection.scope["path"]), demo=desk.house.state.demo))


def look_cookie(chosen: Mapping[str, str], *, secure: bool) -> Cookie:
    """What somebody has chosen, on top of what they chose before; anything else is as if they had not."""
    now = {name: getattr(shell(), name) for name in CHOICES} | dict(chosen)
    value = ".".join(now[name] if now[name] in offered else offered[0] for name, offered in CHOICES.items())
    return Cookie(key=LOOK, value=value, max_age=_YEAR, samesite="strict", secure=secure, path="/")


def navigation(caller: Caller, items: Sequence[NavItem]) -> list[NavItem]:
    """The pages that a caller may go to, in their order."""
    mine = [item for item in items if not item.roles or item.roles & set(caller.roles)]
    return sorted(mine, key=lambda item: item.place)
