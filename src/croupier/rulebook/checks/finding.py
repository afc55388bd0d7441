"""Findings of a check, and the error for a submission that no table may open on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.rulebook.schema import Cited, Rulebook, Wager

__all__ = [
    "Finding",
    "Findings",
    "InvalidSubmission",
    "device_words",
    "error",
    "first_wager",
    "main_wager",
    "title",
    "warning",
]


class Finding(Struct, frozen=True, kw_only=True):
    """An error, or something the operator should know."""

    severity: Literal["error", "warning"]
    clause: str
    reading: int | None
    key: str
    message: str


Findings: TypeAlias = Iterator[Finding]

_DEVICES: Final = {
    "manual_shoe": "a manual shoe",
    "automated_shoe": "an automated shoe",
    "hand": "the hand",
    "manual": "a manual shuffle",
    "automated": "an automated shuffler",
    "automated_counting": "an automated shuffler that counts the cards",
    "continuous": "a continuous shuffler",
}


class InvalidSubmission(RuleViolation):
    """No table may open on this submission; the message lists every error, the clause is the first one's."""

    def __init__(self, findings: Sequence[Finding], *, name: str = "the submission") -> None:
        first = findings[0]
        errors = "; ".join(f"{finding.key}: {finding.message}" for finding in findings)
        super().__init__(
            "invalid_submission", f"{name} is not valid: {errors}", clause=first.clause, reading=first.reading
        )
        self.findings = findings


def error(cited: Cited, key: str, message: str, *, reading: int | None = None) -> Finding:
    """A finding that keeps a table from opening."""
    return Finding(severity="error", clause=cited.clause, reading=reading or cited.reading, key=key, message=message)


def warning(cited: Cited, key: str, message: str, *, reading: int | None = None) -> Finding:
    """A finding that the operator should know."""
    return Finding(severity="warning", clause=cited.clause, reading=reading or cited.reading, key=key, message=message)


def title(wager: str) -> str:
    """
    >>> title("six_card_bonus")
    'Six Card Bonus'
    """
    return wager.replace("_", " ").title()


def device_words(devices: Iterable[str]) -> str:
    """
    >>> device_words(["manual_shoe", "continuous"])
    'a manual shoe or a continuous shuffler'
    """
    return " or ".join(_DEVICES.get(device, device) for device in devices)


def first_wager(book: Rulebook) -> Wager:
    """The first wager of the rulebook; its clause is cited where a setting belongs to nothing."""
    return book.wagers.wager[0]


def main_wager(book: Rulebook) -> Wager:
    """The wager whose limits are the table limits."""
    return next(wager for wager in book.wagers.wager if wager.limits_key)
