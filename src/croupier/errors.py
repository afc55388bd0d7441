"""Every error that Croupier raises on purpose.

CroupierError
├── Malformed        it cannot be read: a card, an amount, a file (exit code 2)
│   ├── CardError    not a card, a card twice, or the wrong number of cards
│   ├── MoneyError   not an amount, or not a pay that a paytable can print
│   └── RegulationError   files of a rulebook that do not hold together
├── RulesMismatch    the rules that a record names are not here, or what is here is another thing (exit code 2)
├── RuleViolation    it can be read, but the rules do not allow it (exit code 1)
├── BrokenRecord     a record does not hold: a changed byte, a missing line, another key
│   └── Unopened     cards or seeds are sealed, and the key that opens them is not here
└── EntropyFailure   the random source has failed, and dealing stops
"""

from __future__ import annotations

__all__ = [
    "BrokenRecord",
    "CardError",
    "CroupierError",
    "EntropyFailure",
    "Malformed",
    "MoneyError",
    "RegulationError",
    "RuleViolation",
    "RulesMismatch",
    "Unopened",
]


class CroupierError(Exception):
    """The root of the tree: catch this to catch everything that Croupier refuses."""


class Malformed(CroupierError, ValueError):
    """The input cannot be read. The message says what is wrong and what is allowed."""


class CardError(Malformed):
    """Not a card, a card twice, or the wrong number of cards."""


class MoneyError(Malformed):
    """Not an amount of money, or not a pay that a paytable can print."""


class RegulationError(Malformed):
    """Files of a rulebook that do not hold together; each problem names its file and key."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class RulesMismatch(CroupierError):
    """The rules with the hash that a record names are not here, or what stands under it has another one."""


class RuleViolation(CroupierError):
    """The rules do not allow it: a stable code, the clause (and reading) that says so, and why in words."""

    def __init__(self, code: str, message: str, *, clause: str, reading: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.clause = clause
        self.reading = reading
        self.allowed: tuple[object, ...] = ()
        """What would have been allowed instead, where a round refused."""


class EntropyFailure(CroupierError):
    """The random source has failed: no card may be dealt from it any more."""


class BrokenRecord(CroupierError):
    """A record does not hold: a changed byte, a missing line, another key. One line says what and where."""


class Unopened(BrokenRecord):
    """Cards or seeds are sealed, and the key that opens them is not here."""
