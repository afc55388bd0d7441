"""A command with who gives it, when and why."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from croupier.fairness import Chance
from croupier.rulebook.names import Duty
from croupier.table.commands import Command
from croupier.table.people import Person

__all__ = ["Request"]


class Request(Struct, frozen=True):
    """A command with who gives it and when; `reason` is recorded with the entries that result."""

    by: Person
    at: datetime
    command: Command
    reason: str = ""
    key: str = ""
    """A key that makes the command safe to send twice."""
    chance: Chance | None = None
    """Fresh randomness for what is sealed or shuffled: like the time, it comes with the command."""

    @property
    def name(self) -> Duty:
        """The name of the command."""
        name: Duty = self.command.__struct_config__.tag  # type: ignore[assignment]
        return name
