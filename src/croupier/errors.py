"""Every error that Croupier raises on purpose.

CroupierError
├── Malformed        it cannot be read: a card, an amount, a file (exit code 2)
│   ├── CardError    not a card, a card twice, or the wrong number of cards
│   ├── MoneyError   not an amount, or not a pay that a paytable can print
│   └── RegulationError   files of a rulebook that are inconsistent
├── RulesMismatch    the rules that a record names are missing or different (exit code 2)
├── RuleViolation    it can be read, but the rules do not allow it (exit code 1)
├── BrokenRecord     a record fails verification: a changed byte, a missing line, another key
│   └── Unopened     cards or seeds are sealed, and the key to open them is missing
│       └── Shredded   the key has been destroyed
├── StoreError       a store that cannot be opened or written: foreign, damaged, newer, in use (exit code 2)
│   ├── AppendRefused   it did not take an append, and stored nothing of it
│   │   ├── Conflict     another process writes to this stream
│   │   ├── Duplicate    this command was stored before
│   │   └── Overdrawn    an account would fall below its floor
│   └── CommitFailed what was being stored may or may not be durable; read it again
├── MissingExtra     packages of an extra are not installed (exit code 2); the message says what to type
└── EntropyFailure   the source of randomness has failed, and dealing stops
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = [
    "AppendRefused",
    "BrokenRecord",
    "CardError",
    "CommitFailed",
    "Conflict",
    "CroupierError",
    "Duplicate",
    "EntropyFailure",
    "Malformed",
    "MissingExtra",
    "MoneyError",
    "Overdrawn",
    "RegulationError",
    "RuleViolation",
    "RulesMismatch",
    "Shredded",
    "StoreError",
    "Unopened",
]


class CroupierError(Exception):
    """The base class: catch this to catch every error that Croupier raises on purpose."""


class Malformed(CroupierError, ValueError):
    """The input cannot be read. The message says what is wrong and what is allowed."""


class CardError(Malformed):
    """Not a card, a card twice, or the wrong number of cards."""


class MoneyError(Malformed):
    """Not an amount of money, or not a pay that a paytable can print."""


class RegulationError(Malformed):
    """Files of a rulebook that are inconsistent; each problem names its file and key."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class RulesMismatch(CroupierError):
    """The rules with the hash that a record names are missing, or what is stored under it has a different hash."""


class RuleViolation(CroupierError):
    """The rules do not allow it: a stable code, the clause (and reading) that says so, and why in words."""

    def __init__(self, code: str, message: str, *, clause: str, reading: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.clause = clause
        self.reading = reading
        self._allowed: tuple[object, ...] | Callable[[], tuple[object, ...]] = ()

    @property
    def allowed(self) -> tuple[object, ...]:
        """What would have been allowed instead, where a round refused; worked out when it is asked for."""
        if not isinstance(self._allowed, tuple):
            self._allowed = self._allowed()
        return self._allowed

    @allowed.setter
    def allowed(self, allowed: tuple[object, ...]) -> None:
        self._allowed = allowed

    def allow_instead(self, find: Callable[[], tuple[object, ...]]) -> None:
        """How to find out what would have been allowed: it takes longer than the refusal."""
        self._allowed = find


class MissingExtra(CroupierError, ImportError):
    """Packages that only this needs are not installed. One line says which extra brings them."""


class EntropyFailure(CroupierError):
    """The source of randomness has failed: no card may be dealt from it any more."""


class BrokenRecord(CroupierError):
    """A record fails verification: a changed byte, a missing line, another key. One line says what and where."""


class Unopened(BrokenRecord):
    """Cards or seeds are sealed, and the key to open them is missing."""


class Shredded(Unopened):
    """The key to open cards or seeds has been destroyed, since they are no longer kept."""


class StoreError(CroupierError):
    """A store cannot be opened or written. One line says which and why; it was left as it is."""


class AppendRefused(StoreError):
    """A store did not take an append, and stored nothing of it."""


class Conflict(AppendRefused):
    """The stream does not stand where its writer believes: another process writes to it now."""


class Duplicate(AppendRefused):
    """A command with this key was stored before: it is answered by what it led to then."""


class Overdrawn(AppendRefused):
    """An account would fall below its floor."""


class CommitFailed(StoreError):
    """The disk or the server failed in the middle: what was being stored may or may not be durable."""
