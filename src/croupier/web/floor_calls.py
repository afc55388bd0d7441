"""Calls for the floor: a dealer asks a floorperson to come to a table, and says what it is about.

A call is a raised hand, not a fact of the record: it is kept by this process alone and gone when somebody comes.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from weakref import WeakKeyDictionary

from msgspec import Struct

from croupier.server import Desk

__all__ = ["FloorCall", "FloorCalls", "calls_of"]

_LONGEST: Final = 200


class FloorCall(Struct, frozen=True, kw_only=True):
    """Somebody at a table asks for the floor."""

    table: str
    by: str
    at: datetime
    about: str


class FloorCalls:
    """The calls that nobody has answered yet, at most one for each table."""

    def __init__(self) -> None:
        self._open: dict[str, FloorCall] = {}
        self.version = 0
        """How often they have changed."""

    def call(self, table: str, *, by: str, at: datetime, about: str = "") -> None:
        """Ask for the floor; whoever asks again says more."""
        self._open[table] = FloorCall(table=table, by=by, at=at, about=about[:_LONGEST])
        self.version += 1

    def answer(self, table: str) -> None:
        """The floor is there."""
        if self._open.pop(table, None) is not None:
            self.version += 1

    def at(self, table: str) -> FloorCall | None:
        """The call of a table."""
        return self._open.get(table)

    def all(self) -> list[FloorCall]:
        """Every call, the oldest first."""
        return sorted(self._open.values(), key=lambda call: call.at)


_OF: Final[WeakKeyDictionary[Desk, FloorCalls]] = WeakKeyDictionary()


def calls_of(desk: Desk) -> FloorCalls:
    """The calls of a house."""
    return _OF.setdefault(desk, FloorCalls())
