"""A command as somebody gives it: who, when, what, why."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.rulebook.names import Duty
from croupier.table.commands import Command
from croupier.table.people import Person

__all__ = ["Order"]


class Order(Struct, frozen=True):
    """A command with who gives it and when; `reason` is kept with whatever comes of it."""

    by: Person
    at: datetime
    do: Command
    reason: str = ""
    key: str = ""
    """The key by which the same command is known again, if it comes twice."""
    chance: bytes = b""
    """Fresh chance for what is sealed or shuffled: like the clock, it comes with the command."""

    def __repr__(self) -> str:
        return f"Order(by={self.by!r}, at={self.at.isoformat()}, do={self.do!r})"  # chance would open what is sealed

    @property
    def name(self) -> Duty:
        """The name of the command."""
        found: Duty = self.do.__struct_config__.tag  # type: ignore[assignment]
        return found
