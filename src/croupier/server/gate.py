"""What is looked at before a request is read: the host that it names, its path, its headers, its size and its pace.

Whatever is refused here never reaches a handler, and costs nothing but this look.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, cast
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

from litestar.types import HTTPReceiveMessage, Receive, Scope
from msgspec import Struct

from croupier.errors import CroupierError, Malformed
from croupier.server.callers import NotFound
from croupier.wire import clip

__all__ = [
    "ElsewhereMeant",
    "Surroundings",
    "TooLarge",
    "TooSlow",
    "check_request",
    "drain",
    "is_passed_on",
    "read_body",
]

ORDINARY: Final = 16 * 1024
"""Bytes of a request: a command, a name, an amount."""
LARGEST: Final = 256 * 1024
"""Bytes of a request that holds a submission."""
_LARGE: Final = ("/api/submissions", "/internal/commands")
_SUBMISSIONS_AT_TABLES: Final = ("/api/tables/", "/commands")
_DRAINED: Final = 2.0
_SECONDS: Final = 20.0
"""That a request has to arrive in, whole."""
_LONGEST_PATH: Final = 2_000
_HEAD: Final = 32 * 1024
_ONCE: Final = {
    b"authorization",
    b"content-length",
    b"content-type",
    b"host",
    b"idempotency-key",
    b"origin",
    b"x-csrf-token",
    b"x-request-id",
}
"""Headers that a request has once: of two, programs differ in which they use."""
_PASSED_ON: Final = {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"}


class TooLarge(CroupierError):
    """The request is larger than anything that this address takes."""


class TooSlow(CroupierError):
    """The request did not arrive in time, or its sender has gone."""


class ElsewhereMeant(CroupierError):
    """The request names another host."""


class Surroundings(Struct, frozen=True, kw_only=True):
    """Where the house is reached: under which names, through which proxies, and whether behind TLS."""

    hosts: frozenset[str] | None = None
    """Names that requests may call the house by; None: any, for tests alone."""
    literal: bool = False
    """Whether any IP address is such a name: nobody can point a name of theirs at it."""
    secure: bool = False
    """Whether browsers reach it by HTTPS alone: cookies are marked so, and browsers told to stay with it."""
    origin: str = ""
    """The public address, as browsers name it where a request comes from."""
    proxies: frozenset[str] = frozenset()
    """Addresses of proxies that say truly whom they pass on."""

    @classmethod
    def at(
        cls, host: str, *, public_url: str = "", proxies: Iterable[str] = (), names: Iterable[str] = ()
    ) -> Surroundings:
        """The surroundings of a house that listens on an address, and that others reach by a public one.

        >>> here = Surroundings.at("127.0.0.1")
        >>> here.knows("localhost:8000"), here.knows("127.0.0.1:8000"), here.knows("rebound.example:8000")
        (True, True, False)
        >>> Surroundings.at("0.0.0.0", public_url="https://house.example").knows("house.example")
        True
        """
        hosts = {"localhost", "127.0.0.1", "::1", host.strip("[]").lower(), *(name.lower() for name in names)}
        trusted, origin = {_proxy(address) for address in proxies}, ""
        if public_url:
            public = _public(public_url)
            hosts.add(public.hostname or "")
            origin = f"{public.scheme}://{public.netloc}".lower()
            trusted |= {"127.0.0.1", "::1"}
        return cls(
            hosts=frozenset(hosts),
            literal=not _is_loopback(host),
            secure=origin.startswith("https:"),
            origin=origin,
            proxies=frozenset(trusted),
        )

    def knows(self, host: str) -> bool:
        """Whether the Host header of a request is a name of this house."""
        if self.hosts is None:
            return True
        if "@" in host:
            return False
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.literal

    def address(self, scope: Scope) -> str:
        """The address of whoever sends a request; behind a proxy of ours, the one that the proxy names."""
        client = scope.get("client")
        address = str(client[0]) if client else ""
        if address in self.proxies:
            named = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
            last = named[-1].rpartition(b",")[2].strip().decode("latin-1") if named else ""
            return last[:60] if last.isprintable() and last else address
        return address


def _proxy(address: str) -> str:
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        raise Malformed(f"{clip(repr(address))} is not the address of a proxy, such as 10.0.0.1") from None


def _public(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        known = parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        parts, known = SplitResult("", "", "", "", ""), False
    if not known:
        raise Malformed(f"{clip(repr(url))} is not the address of a house, such as https://house.example")
    return parts


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_passed_on(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether somebody else passes this request on: then its sender may be anywhere."""
    return any(name in _PASSED_ON for name, _ in headers)


def check_request(scope: Scope, surroundings: Surroundings) -> None:
    """Refuse a request that names another host, or whose head can be read in two ways."""
    headers = scope["headers"]
    if sum(len(name) + len(value) for name, value in headers) > _HEAD:
        raise TooLarge(f"at most {_HEAD:,} bytes of headers are read")
    seen: set[bytes] = set()
    for name, _ in headers:
        if name in _ONCE and name in seen:
            raise Malformed(f"{name.decode()} appears twice")
        seen.add(name)
    if {b"content-length", b"transfer-encoding"} <= seen:
        raise Malformed("a request says its length or comes in chunks, not both")
    host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
    if not surroundings.knows(host):
        raise ElsewhereMeant("this house is not called that: use the address that it was opened at")
    path, query = str(scope["path"]), bytes(scope.get("query_string", b""))
    if len(path) > _LONGEST_PATH or len(query) > _LONGEST_PATH:
        raise Malformed("the address is too long")
    if not path.isprintable() or "\\" in path or "//" in path or "/../" in f"{path}/" or "/./" in f"{path}/":
        raise NotFound("there is nothing at this address")
    try:
        plain = unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        raise Malformed("the query is not UTF-8") from None
    if not plain.isprintable():
        raise Malformed("the query cannot be read")


def most_bytes(path: str) -> int:
    """How large a request to an address may be."""
    begin, end = _SUBMISSIONS_AT_TABLES
    return LARGEST if path in _LARGE or (path.startswith(begin) and path.endswith(end)) else ORDINARY


async def drain(receive: Receive) -> None:
    """Read what is left of a request that is refused, up to a limit."""
    held, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAINED):
            while more and held < 4 * LARGEST:
                message = await receive()
                more = message["type"] == "http.request" and message.get("more_body", False)
                held += len(message.get("body", b"")) if message["type"] == "http.request" else 0


async def read_body(scope: Scope, receive: Receive) -> Receive:
    """Read a request whole, within its limits; returns what hands it on."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    if b"transfer-encoding" not in headers and length == b"0":
        return receive
    most = most_bytes(str(scope["path"]))
    if length.isdigit() and int(length[:20]) > most:
        raise TooLarge(f"at most {most:,} bytes are read here")
    parts: list[bytes] = []
    held, more = 0, True
    try:
        async with asyncio.timeout(_SECONDS):
            while more:
                message = await receive()
                if message["type"] != "http.request":
                    raise TooSlow("the sender has gone")
                part = message.get("body", b"")
                held, more = held + len(part), message.get("more_body", False)
                if held > most:
                    raise TooLarge(f"at most {most:,} bytes are read here")
                parts.append(part)
    except TimeoutError:
        raise TooSlow(f"the request did not arrive within {_SECONDS:g} seconds") from None
    except asyncio.CancelledError:  # the house waits no longer for somebody who sends half a request
        raise TooSlow("the house closed before the request had arrived") from None
    body: bytes | None = b"".join(parts)

    async def again() -> HTTPReceiveMessage:
        nonlocal body
        if body is None:
            return cast("HTTPReceiveMessage", await receive())
        whole, body = body, None
        return {"type": "http.request", "body": whole, "more_body": False}

    return again
