"""The requests of the API and how their answers are read: shared by the client that waits and the one that awaits."""

from __future__ import annotations

import ssl
import uuid
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlsplit

import httpx
import msgspec
from msgspec import Struct

from croupier.client.problems import HouseError, HouseUnreachable, error_of
from croupier.client.reading import (
    read_command,
    read_demo,
    read_json,
    read_signed_in,
    read_table,
    read_tables,
)
from croupier.client.values import (
    CommandAnswer,
    DemoPerson,
    HousePerson,
    ListedTable,
    SavedSession,
    SignedInAs,
    TableAnswer,
)
from croupier.errors import Malformed

__all__ = ["Call", "Conversation", "known_houses", "new_key"]

T = TypeVar("T")
Query = Mapping[str, str | int | None]


@cache
def known_houses() -> ssl.SSLContext:
    """What a house with TLS is known by: reading it takes longer than a request, so clients of a process share it."""
    return httpx.create_ssl_context(trust_env=False)


class Call(Struct, Generic[T], frozen=True, kw_only=True):
    """One request, and how its answer is read."""

    method: str
    path: str
    reads: Callable[[Any], T]
    query: Query = {}
    body: object = None
    key: str = ""
    repeatable: bool = True
    """Whether it does no harm to send it again when it may have been carried out."""


class Conversation:
    """What stays the same between the requests of one client: the address, who is signed in, the tokens."""

    def __init__(self, url: str, *, token: str = "", session: SavedSession | None = None) -> None:
        self.url = checked_url(url)
        self._token = token
        self.csrf = session.csrf if session else ""
        self.person: HousePerson | None = session.person if session else None
        self.cookies = httpx.Cookies(session.cookies if session else None)

    def saved(self) -> SavedSession | None:
        """The session as another process can go on with it."""
        if self.person is None:
            return None
        cookies = {cookie.name: cookie.value or "" for cookie in self.cookies.jar}
        return SavedSession(url=self.url, person=self.person, csrf=self.csrf, cookies=cookies)

    # --- requests

    def request(self, call: Call[Any]) -> httpx.Request:
        """A call as it is sent now."""
        query = {name: str(value) for name, value in call.query.items() if value is not None}
        content = msgspec.json.encode(call.body) if call.body is not None else None
        headers = self.identity() | {"Accept": "application/json"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        if call.key:
            headers["Idempotency-Key"] = call.key
        if call.method != "GET" and not self._token:
            headers["Origin"] = self.origin
            if self.csrf:
                headers["X-CSRF-Token"] = self.csrf
        request = httpx.Request(call.method, self.url + call.path, params=query, content=content, headers=headers)
        if not self._token:
            self.cookies.set_cookie_header(request)
        return request

    def identity(self) -> dict[str, str]:
        """The header of a device; a person has a cookie instead."""
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    @property
    def origin(self) -> str:
        """The house's own origin, which every changing request names."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def live(self, table: str) -> tuple[str, dict[str, str]]:
        """The address of a live table, and the headers to open it with."""
        request = self.request(Call(method="GET", path=f"{_table(table)}/live", reads=read_json))
        headers = self.identity() | ({"Cookie": request.headers["Cookie"]} if "Cookie" in request.headers else {})
        return "ws" + str(request.url).removeprefix("http"), headers

    # --- answers

    def answered(self, call: Call[T], response: httpx.Response) -> T:
        """What a call answers, or its error."""
        self.cookies.extract_cookies(response)
        if response.is_success:
            return call.reads(read_json(response.content))
        raise self.refused(response)

    @staticmethod
    def refused(response: httpx.Response) -> HouseError:
        """The error that a response is."""
        try:
            problem = read_json(response.content)
        except HouseError:
            problem = None
        return error_of(
            response.status_code,
            problem if isinstance(problem, Mapping) else {},
            retry_after=_seconds(response.headers.get("Retry-After")),
        )

    @staticmethod
    def may_try_again(call: Call[Any], outcome: httpx.Response | Exception) -> bool:
        """Whether a call is sent again: nothing came back, or the house is out for a moment."""
        if isinstance(outcome, httpx.Response):
            return outcome.status_code in {502, 503, 504} and call.repeatable
        not_sent = isinstance(outcome, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
        return isinstance(outcome, httpx.TransportError) and (not_sent or call.repeatable)

    def unreachable(self, outcome: httpx.Response | Exception | None) -> HouseError:
        """The error after the last try."""
        if isinstance(outcome, httpx.Response):
            return self.refused(outcome)
        reason = str(outcome) or type(outcome).__name__
        return HouseUnreachable(f"{self.url} does not answer: {reason}")

    # --- the calls of the API

    def sign_in(self, name: str, password: str, code: str | None) -> Call[SignedInAs]:
        """`POST /api/session`."""
        body = {"name": name, "password": password} | ({"code": code} if code else {})
        return Call(method="POST", path="/api/session", body=body, reads=self._signed_in)

    def _signed_up(self, raw: object) -> SignedInAs:
        answer = read_signed_in(raw)
        return self._signed_in(raw) if answer.csrf else answer

    def _signed_in(self, raw: object) -> SignedInAs:
        answer = read_signed_in(raw)
        self.person, self.csrf = answer.person, answer.csrf
        return answer

    def sign_out(self) -> Call[None]:
        """`DELETE /api/session`."""
        return Call(method="DELETE", path="/api/session", reads=self._signed_out)

    def _signed_out(self, _: object) -> None:
        self.person, self.csrf = None, ""
        self.cookies.clear()

    def sign_up(self, name: str, password: str) -> Call[SignedInAs]:
        """`POST /api/people`, by somebody whom the house does not know yet; it may sign in at once."""
        self._signed_out(None)
        body = {"name": name, "password": password}
        return Call(method="POST", path="/api/people", body=body, reads=self._signed_up)

    @staticmethod
    def demo() -> Call[tuple[DemoPerson, ...]]:
        """`GET /api/demo`."""
        return Call(method="GET", path="/api/demo", reads=read_demo)

    @staticmethod
    def tables() -> Call[tuple[ListedTable, ...]]:
        """`GET /api/tables`."""
        return Call(method="GET", path="/api/tables", reads=read_tables)

    @staticmethod
    def table(table: str) -> Call[TableAnswer]:
        """`GET /api/tables/ID`."""
        return Call(method="GET", path=_table(table), reads=read_table)

    @staticmethod
    def command(table: str, do: str, key: str | None, arguments: Mapping[str, object]) -> Call[CommandAnswer]:
        """`POST /api/tables/ID/commands`; the key is made here, once for all tries."""
        return Call(
            method="POST",
            path=f"{_table(table)}/commands",
            body={"do": do, **arguments},
            key=key or new_key(),
            reads=read_command,
        )

    @staticmethod
    def rounds(query: Query) -> Call[Any]:
        """`GET /api/rounds`; a name that Python keeps for itself may end with an underscore: `from_`."""
        plain = {name.removesuffix("_"): value for name, value in query.items()}
        return Call(method="GET", path="/api/rounds", query=plain, reads=_same)

    def any(
        self, method: str, path: str, *, body: object = None, query: Query | None = None, key: str = ""
    ) -> Call[Any]:
        """Any other request of the API, as plain JSON."""
        if not path.startswith("/"):
            raise Malformed(f"a path begins with a slash, as in /api/people: {path!r}")
        repeatable = method in {"GET", "DELETE", "PATCH", "PUT"} or bool(key)
        reads = self._perhaps_signed_in
        return Call(method=method, path=path, body=body, query=query or {}, key=key, repeatable=repeatable, reads=reads)

    def _perhaps_signed_in(self, raw: Any) -> Any:  # noqa: ANN401 - plain JSON
        """A new password, or a second factor, comes with a new session."""
        if isinstance(raw, Mapping) and raw.get("csrf"):
            self._signed_in(raw)
        return raw


def new_key() -> str:
    """A key for one command: whoever sends the same key again gets the first answer again."""
    return uuid.uuid4().hex


def checked_url(url: str) -> str:
    """The address of a house.

    >>> checked_url("http://127.0.0.1:8000/")
    'http://127.0.0.1:8000'
    >>> checked_url("127.0.0.1:8000")
    Traceback (most recent call last):
    croupier.errors.Malformed: '127.0.0.1:8000' is not the address of a house, such as http://127.0.0.1:8000
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        known = False
    if not known:
        raise Malformed(f"{url!r} is not the address of a house, such as http://127.0.0.1:8000")
    return url.rstrip("/")


def _table(table: str) -> str:
    return f"/api/tables/{quote(table, safe='')}"


def _same(raw: Any) -> Any:  # noqa: ANN401 - plain JSON
    return raw


def _seconds(text: str | None) -> float:
    """What Retry-After says, where it is a number of seconds."""
    try:
        return max(0.0, float(text)) if text else 1.0
    except ValueError:
        return 1.0
