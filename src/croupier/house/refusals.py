"""How the house refuses: a stable code, plain words, and the clause where a document has one."""

from __future__ import annotations

from typing import Final

from croupier.errors import RuleViolation

__all__ = ["LONGEST_NOTE", "refuse"]

LONGEST_NOTE: Final = 2_000
"""Characters of a reason or a note."""


def refuse(code: str, message: str, clause: str = "", reading: int | None = None) -> RuleViolation:
    """A refusal of the house."""
    return RuleViolation(code, message, clause=clause, reading=reading)
