"""What a house answers when the answer is no: problems as it sends them, and the errors that a caller catches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.client.values import AllowedCommand
from croupier.errors import CroupierError, Malformed, RuleViolation
from croupier.wire import clip

__all__ = [
    "GarbledAnswer",
    "HouseError",
    "HouseSaysNo",
    "HouseUnreachable",
    "NotAllowed",
    "NotSignedIn",
    "NotThere",
    "Refused",
    "TooOften",
    "Unreadable",
    "error_of",
]


class HouseError(CroupierError):
    """Whatever goes wrong between a client and a house: catch this to catch all of it."""


class HouseSaysNo(HouseError):
    """The house understood, and the answer is no."""


class Refused(HouseSaysNo, RuleViolation):
    """The rules do not allow it (409): `code`, `clause`, `reading`, the message, and what is `allowed` instead."""

    allowed: tuple[AllowedCommand, ...]

    def __init__(
        self,
        code: str,
        message: str,
        *,
        clause: str = "",
        reading: int | None = None,
        allowed: tuple[AllowedCommand, ...] = (),
    ) -> None:
        RuleViolation.__init__(self, code, message, clause=clause, reading=reading)
        self.allowed = allowed


class NotSignedIn(HouseSaysNo):
    """Nobody is signed in, or name and password are wrong (401)."""


class NotAllowed(HouseSaysNo):
    """Not for this person (403)."""


class NotThere(HouseSaysNo):
    """There is no such table, person, round or address (404)."""


class TooOften(HouseSaysNo):
    """Too many requests (429): try again after `retry_after` seconds."""

    def __init__(self, message: str, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unreadable(HouseError, Malformed):
    """The house cannot read what was sent (400, 413, 422)."""


class HouseUnreachable(HouseError):
    """No answer, also after all tries; a command with the same key may be sent again later."""


class GarbledAnswer(HouseError):
    """The house answered something that the API does not say."""


def error_of(status: int, problem: Mapping[str, Any], *, retry_after: float = 1.0) -> HouseError:
    """The error that a problem is.

    >>> error = error_of(409, {"code": "not_your_turn", "message": "it is the turn of seat 2", "clause": "11.B"})
    >>> type(error).__name__, str(error), error.clause
    ('Refused', 'it is the turn of seat 2', '11.B')
    >>> error_of(418, {})
    GarbledAnswer('the house answered 418')
    """
    message = _message(status, problem)
    match status:
        case 409:
            reading, allowed = problem.get("reading"), problem.get("allowed")
            return Refused(
                str(problem.get("code") or "refused"),
                message,
                clause=str(problem.get("clause") or ""),
                reading=reading if isinstance(reading, int) else None,
                allowed=tuple(
                    AllowedCommand.of(raw)
                    for raw in (allowed if isinstance(allowed, list) else ())
                    if isinstance(raw, Mapping)
                ),
            )
        case 400 | 413 | 415 | 422:
            return Unreadable(message)
        case 401:
            return NotSignedIn(message)
        case 403:
            return NotAllowed(message)
        case 404 | 405 | 410:
            return NotThere(message)
        case 429:
            return TooOften(message, retry_after)
    return HouseUnreachable(message) if status >= 500 else GarbledAnswer(message)


def _message(status: int, problem: Mapping[str, Any]) -> str:
    """What a problem says: our own key first, then those of RFC 9457."""
    words = [problem[key] for key in ("message", "detail", "title") if isinstance(problem.get(key), str)]
    return clip(words[0], 500) if words and words[0] else f"the house answered {status}"
