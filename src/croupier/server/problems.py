"""What is wrong, as problem details (RFC 9457): a stable code, the clause and reading of a refusal, what is allowed."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from litestar import MediaType, Response
from litestar.exceptions import HTTPException, ValidationException

from croupier.errors import CommitFailed, Conflict, CroupierError, Malformed, RuleViolation, StoreError
from croupier.house import SignInTooOften
from croupier.server.callers import AskedTooOften, NotFound, NotTheirs, SignInFirst
from croupier.server.gate import ElsewhereMeant, TooLarge, TooSlow
from croupier.server.refused_before import RefusedAgain
from croupier.server.shown import shown_refusal
from croupier.server.strict import say_wrong
from croupier.wire import clip

__all__ = ["problem", "problem_of", "send_problem", "status_of"]

_LOG: Final = logging.getLogger("croupier.server")
_TITLES: Final = {
    400: "cannot be read",
    401: "not signed in",
    403: "not allowed",
    404: "not found",
    405: "not possible here",
    408: "too slow",
    409: "refused",
    413: "too large",
    429: "too often",
    500: "internal error",
    503: "try again",
}
_CODES: Final = {
    400: "unreadable",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "method",
    408: "too_slow",
    409: "refused",
    413: "too_large",
    429: "too_often",
    500: "internal",
    503: "try_again",
}


_NOT_THEIRS: Final = {"not_theirs", "not_your_own", "second_factor"}
"""Refusals that say whose act it is."""
_KEYS: Final[dict[str, Any]] = {"clause": None, "reading": None, "allowed": []}
"""What every problem has, so that whoever reads one need not ask which kind it is."""


def problem(status: int, message: str, *, headers: dict[str, str] | None = None, **more: Any) -> Response[Any]:  # noqa: ANN401 - JSON
    """An answer that says what is wrong."""
    body = {"type": "about:blank", "title": _TITLES.get(status, "refused"), "status": status, "detail": message}
    body |= {"code": _CODES.get(status, "refused"), "message": message} | _KEYS | more
    return Response(body, status_code=status, media_type=MediaType.JSON, headers={**_JSON, **(headers or {})})


_JSON: Final = {"content-type": "application/problem+json", "cache-control": "no-store"}


def status_of(violation: RuleViolation) -> int:
    """409 where a rule refuses something; otherwise it is because of who asks, or how often."""
    return 429 if violation.code == "too_often" else 403 if violation.code in _NOT_THEIRS else 409


def problem_of(error: Exception) -> Response[Any]:
    """The answer to whoever caused an error; what went wrong inside stays inside."""
    match error:
        case SignInTooOften():
            return problem(429, str(error), headers=_later(error.seconds))
        case RefusedAgain():
            return problem(409, **error.shown)
        case RuleViolation(code="too_often"):
            return problem(429, str(error), headers=_later(2))
        case RuleViolation():
            return problem(status_of(error), **shown_refusal(error))
        case Malformed():
            return problem(400, str(error))
        case SignInFirst():
            return problem(401, str(error), code=error.code)
        case NotTheirs():
            return problem(403, str(error), code=error.code, clause=error.clause or None, reading=error.reading)
        case ElsewhereMeant():
            return problem(403, str(error), code="other_host")
        case TooLarge():
            return problem(413, str(error))
        case TooSlow():
            return problem(408, str(error))
        case NotFound():
            return problem(404, str(error))
        case AskedTooOften():
            return problem(429, str(error), headers=_later(error.wait))
        case CommitFailed() | Conflict():
            words = "what became of it is not known yet: send it again with the same Idempotency-Key"
            return problem(503, words, headers={"retry-after": "1"})
        case StoreError():
            _LOG.error("the store failed: %s", error)
            return problem(503, "the record cannot be written now: try again", headers={"retry-after": "2"})
        case CroupierError():
            return problem(409, str(error))
        case HTTPException():
            return _from_framework(error)
    _LOG.exception("internal error", exc_info=error)
    return problem(500, "something went wrong here; it was noted")


async def send_problem(
    error: Exception, send: Callable[[Any], Awaitable[None]], *, socket: bool, last: bool = False
) -> Response[Any]:
    """Answer a connection that no handler serves: a request, or a socket that is not opened; `last` ends it."""
    answer = problem_of(error)
    body = msgspec.json.encode(answer.content)
    headers = {**answer.headers, "content-length": str(len(body))} | ({"connection": "close"} if last else {})
    named = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]
    kind = "websocket.http.response" if socket else "http.response"
    await send({"type": f"{kind}.start", "status": answer.status_code or 400, "headers": named})
    await send({"type": f"{kind}.body", "body": body, "more_body": False})
    return answer


def _later(seconds: float) -> dict[str, str]:
    return {"retry-after": str(max(1, math.ceil(seconds)))}


def _from_framework(error: HTTPException) -> Response[Any]:
    status = error.status_code
    words = {
        400: "the request cannot be read",
        401: "sign in first",
        404: "there is nothing at this address",
        405: "this address does not take such a request",
        413: "the request is too large",
    }
    if status >= 500:
        _LOG.error("internal error", exc_info=error)
        return problem(500, "something went wrong here; it was noted")
    headers = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    return problem(status, _first_problem(error) or words.get(status, "the request was refused"), headers=headers)


def _first_problem(error: HTTPException) -> str:
    """What the framework found wrong with a request, if it says so."""
    found = error.extra if isinstance(error, ValidationException) else None
    first = found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else {}
    place, words = str(first.get("key", "")), str(first.get("message", ""))
    if (place, words) == ("data", "'data'"):  # how the framework says that there is none
        return "the request has no body: send JSON, such as {}"
    words = say_wrong(words)
    return clip(f"{place}: {words}" if place else words, 200)
