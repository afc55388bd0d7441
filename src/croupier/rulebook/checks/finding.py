"""Findings of a check, and the error for a submission that no table may open on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.rulebook.schema import Cited, Rulebook, Wager

__all__ = ["Finding", "Findings", "InvalidSubmission", "error", "first_wager", "main_wager", "warning"]


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, or that the operator should know."""

    severity: Literal["error", "warning"]
    clause: str
    reading: int | None
    key: str
    message: str


Findings: TypeAlias = Iterator[Finding]


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
    """No table may open on this."""
    return Finding(severity="error", clause=cited.clause, reading=reading or cited.reading, key=key, message=message)


def warning(cited: Cited, key: str, message: str, *, reading: int | None = None) -> Finding:
    """The operator should know this."""
    return Finding(severity="warning", clause=cited.clause, reading=reading or cited.reading, key=key, message=message)


def first_wager(book: Rulebook) -> Wager:
    """The wager that makes a game of it at all; its clause is cited where a key belongs to nothing."""
    return book.wagers.wager[0]


def main_wager(book: Rulebook) -> Wager:
    """The wager whose limits are the table's."""
    return next(wager for wager in book.wagers.wager if wager.limits_key)
