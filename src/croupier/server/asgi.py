"""What surrounds every request: a gate, an id, a line in the log, and headers that keep browsers careful.

A log line has the route, not the address with its values, and never a cookie, a token, a body or a card.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final, cast

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.errors import CroupierError
from croupier.server.gate import Surroundings, TooSlow, check_request, drain, read_body
from croupier.server.metrics import Metrics
from croupier.server.problems import send_problem

__all__ = ["Surrounded", "set_up_logging"]

_LOG: Final = logging.getLogger("croupier.access")
_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_POLICY: Final = (
    b"default-src 'none'; object-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    b" connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


_SUSPICIOUS: Final = {
    "bad_code",
    "bad_sign_in",
    "csrf",
    "not_allowed",
    "not_theirs",
    "other_host",
    "other_site",
    "password_expired",
    "second_factor",
    "suspended",
    "too_often",
}
"""Problems that somebody should look at if there are many."""
_SECURE: Final = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")


class Surrounded:
    """The application with what surrounds every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics, surroundings: Surroundings, methods: Mapping[str, str]) -> None:
        self._app, self._metrics, self._surroundings, self._methods = app, metrics, surroundings, methods
        self._headers: Final = (*_HEADERS, _SECURE) if surroundings.secure else _HEADERS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if str(scope["type"]) == "lifespan":
            await self._app(scope, receive, send)
            return
        number, method = _request_id(scope), str(scope.get("method", "WEBSOCKET"))
        begun, status = perf_counter(), 0
        if method == "HEAD":
            scope = cast("Scope", {**scope, "method": "GET"})  # the same answer, of which the head alone is sent

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start" or message["type"] == "websocket.http.response.start":
                status = message["status"]
                held = {name for name, _ in message["headers"]}
                if b"allow" in held and (methods := self._methods.get(str(scope.get("path_template")))):
                    others = [pair for pair in message["headers"] if pair[0] != b"allow"]
                    message["headers"] = [*others, (b"allow", methods.encode())]
                more = [pair for pair in self._headers if pair[0] not in held]
                message["headers"] = [*message["headers"], *more, (b"x-request-id", number)]
            elif message["type"] == "http.response.body" and method == "HEAD":
                message["body"] = b""
            await send(message)

        try:
            await self._let_in(scope, receive, sending)
        finally:
            took = perf_counter() - begun
            route = str(scope.get("path_template") or "unknown")
            self._metrics.requests.labels(method if method in _METHODS else "other", route, str(status)).inc()
            self._metrics.seconds.labels(route).observe(took)
            state = scope.get("state", {})
            _LOG.log(
                logging.WARNING if state.get("problem") in _SUSPICIOUS else logging.INFO,
                "request",
                extra={
                    "fields": {
                        "request": number.decode(),
                        "method": method,
                        "route": route,
                        "status": status,
                        "problem": state.get("problem", ""),
                        "ms": round(took * 1000, 1),
                        "caller": state.get("caller_id", ""),
                        "address": self._surroundings.address(scope),
                    }
                },
            )

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, if its head and its size are as they should be."""
        try:
            check_request(scope, self._surroundings)
            scope["client"] = (self._surroundings.address(scope), 0)
            if str(scope["type"]) == "http":
                receive = await read_body(scope, receive)
        except CroupierError as error:
            if str(scope["type"]) == "http" and not isinstance(error, TooSlow):
                await drain(receive)  # whoever still sends would not hear the answer
            await _refuse(error, scope, send)
            return
        await self._app(scope, receive, send)


async def _refuse(error: CroupierError, scope: Scope, send: Send) -> None:
    socket = str(scope["type"]) == "websocket"
    answer = await send_problem(error, send, socket=socket, last=True)  # the rest of it may not have been read
    scope.setdefault("state", {})["problem"] = answer.content["code"]


_METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET"}


def _request_id(scope: Scope) -> bytes:
    """The id that a proxy gave the request, if it looks like one; otherwise a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.fullmatch(value):
            return value
    return secrets.token_hex(8).encode()


class _Lines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)  # in ASCII: nothing in a line moves a cursor or looks like another line


def set_up_logging(*, level: str = "info") -> None:
    """Lines of JSON on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for quiet in ("httpx", "httpcore", "websockets", "uvicorn.error"):
        logging.getLogger(quiet).setLevel(logging.WARNING)  # some of them write whole addresses and frames
    logging.getLogger("uvicorn.error").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    """Not what uvicorn says of every socket that is answered with a status: the line of that request says more."""
    return "without completing handshake" not in record.getMessage()
