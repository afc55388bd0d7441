"""Requests that nobody should send: wrong types, huge or deep bodies, broken text, tricks with paths and headers."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, cast

from litestar.types import ASGIApp

from support.http_house import ORIGIN

BODIES: Final[dict[tuple[str, str], object]] = {
    ("POST", "/api/session"): {"name": "ann", "password": "wrong password"},
    ("GET", "/api/session"): None,
    ("GET", "/api/demo"): None,
    ("GET", "/api/people"): None,
    ("POST", "/api/people"): {"name": "Someone", "password": "short"},
    ("GET", "/api/people/ann-1"): None,
    ("PATCH", "/api/people/bob-1"): {"suspended": True},
    ("POST", "/api/people/ann-1/password"): {"old": "wrong", "password": "also wrong here"},
    ("POST", "/api/people/ann-1/second_factor"): None,
    ("POST", "/api/people/ann-1/second_factor/confirm"): {"password": "x", "offer": "x", "code": "123456"},
    ("DELETE", "/api/people/bob-1/second_factor"): None,
    ("POST", "/api/people/bob-1/limits"): {"loss_day": "100.00", "minutes_day": 60},
    ("POST", "/api/people/bob-1/exclusion"): {"until": "2026-06-01T00:00:00Z"},
    ("GET", "/api/submissions"): None,
    ("POST", "/api/submissions"): {"name": "stud", "submission": {"rulebook": "md-mississippi-stud"}},
    ("GET", "/api/submissions/md-let-it-ride/1"): None,
    ("POST", "/api/submissions/md-let-it-ride/1/approve"): {"note": ""},
    ("POST", "/api/submissions/md-let-it-ride/1/return"): {"note": "no"},
    ("GET", "/api/tables"): None,
    ("POST", "/api/tables"): {"id": "9", "submission": "md-let-it-ride", "version": 1},
    ("GET", "/api/tables/4"): None,
    ("POST", "/api/tables/4/commands"): {"do": "place_wager", "seat": 1, "wager": "ante", "amount": "10.00"},
    ("POST", "/api/tables/4/pause"): None,
    ("POST", "/api/tables/4/hand_over"): {"dealer": "person", "person": "dealer-1"},
    ("POST", "/api/tables/4/rules"): {"submission": "md-let-it-ride", "version": 1},
    ("POST", "/api/tables/4/rules/confirm"): None,
    ("POST", "/api/tokens"): {"device": "shoe", "scope": ["register"]},
    ("DELETE", "/api/tokens/t1"): None,
    ("GET", "/api/cage/ann-1"): None,
    ("POST", "/api/cage/bob-1/deposit"): {"amount": "10.00", "reference": "slip"},
    ("POST", "/api/cage/bob-1/withdraw"): {"amount": "10.00"},
    ("POST", "/api/cage/bob-1/reverse"): {"entry": 1, "reason": "typed twice"},
    ("GET", "/api/rounds"): None,
    ("GET", "/api/rounds/4-1"): None,
    ("GET", f"/api/fairness/{'0' * 64}"): None,
    ("POST", "/internal/commands"): {"table": "4"},
}
COMMANDS: Final[Sequence[dict[str, object]]] = (
    {"do": "sit", "seat": 2, "patron": "bob-1"},
    {"do": "stand_up", "patron": "bob-1"},
    {"do": "buy_in", "amount": "100.00", "patron": "bob-1"},
    {"do": "buy_in", "amount": "0.00"},
    {"do": "decide", "seat": 2, "choice": "1x"},
    {"do": "decide", "seat": 1, "choice": "9x", "amount": "10.00"},
    {"do": "deal", "cards": "Ah"},
    {"do": "reveal_seed", "commitment": "0" * 64, "seed": "0" * 64, "deck": "Ah"},
    {"do": "fill_tray", "amount": "100.00", "reference": "x"},
    {"do": "propose_rules", "submission": {"rulebook": "md-mississippi-stud"}, "approval": "x"},
)
WRONG: Final[Sequence[object]] = (
    None,
    True,
    -1,
    0,
    7,
    10**30,
    1.5,
    -0.0,
    1e308,
    "",
    " ",
    "x",
    "-1.00",
    "1e5",
    "0x10",
    "１２.00",
    "NaN",
    "\0",
    "\u202e",
    "\ud800",
    "\U0010ffff",
    "'; drop table event; --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "../../etc/passwd",
    "%00",
    "line\nbreak",
    "\x1b[2J",
    [],
    {},
    [[]],
    {"$ne": 1},
    ["register"] * 200,
)
RAW: Final[Sequence[bytes]] = (
    b"",
    b"{",
    b"}",
    b"[",
    b'"',
    b"null",
    b"NaN",
    b"Infinity",
    b'{"do": NaN}',
    b'{"do": "sit", "do": "sit"}',
    b'{"name": "a", "name": "b", "password": "x"}',
    b"\xff\xfe{\x00}\x00",
    b'{"do": "\xff"}',
    b'{"do": "\xc3\x28"}',
    b'{"do": "\\ud800"}',
    b'{"do": "\\u0000"}',
    b"[" * 5_000,
    b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    b'{"a":' * 30 + b"1" + b"}" * 30,
    b'{"amount": ' + b"9" * 5_000 + b"}",
    b"[" + b"0," * 6_000 + b"0]",
    b'{"x": "' + b"y" * 20_000 + b'"}',
    b"\xef\xbb\xbf{}",
    b'{"do": "sit"}{"do": "sit"}',
    b"\x00" * 100,
    b"a=b&c=d",
    b"--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n--x--",
)
PATHS: Final[Sequence[str]] = (
    "/api/../internal/commands",
    "/api/tables/../people",
    "/api//tables",
    "//api/tables",
    "/api/tables/4/../5",
    "/api/tables/.",
    "/api/tables/..",
    "/api/tables/\\..\\people",
    "/api/tables/4\x00",
    "/api/tables/4\r\nX-Injected: 1",
    "/api/tables/" + "x" * 3_000,
    "/api/tables/\u202e4",
    "/api/people/ann-1/../operator-1",
    "/api/rounds/4-99999999999999999999",
    "/api/rounds/4--1",
    "/api/rounds/-",
    "/api/rounds/4-１",
    "/api/submissions/x/99999999999999999999",
    "/api/submissions/x/-1",
    "/api/fairness/" + "g" * 64,
    "/API/TABLES",
    "/.env",
    "/schema",
    "/schema/openapi.json",
    "/metrics/..",
    "/internal/commands/",
)
QUERIES: Final[Sequence[bytes]] = (
    b"",
    b"limit=0",
    b"limit=201",
    b"limit=x",
    b"limit=1&limit=2",
    b"from=yesterday",
    b"from=2026-01-01",
    b"from=0001-01-01T00:00:00%2B14:00",
    b"to=9999-12-31T23:59:59-14:00",
    b"patron=ann-1",
    b"patron=%00",
    b"patron=%ff",
    b"table=%27%20or%201%3D1--",
    b"everywhere=maybe",
    b"&&&==",
    b"x=" + b"y" * 5_000,
    b"hand=" + b"y" * 61,
)
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "X")
HEADERS: Final[Sequence[tuple[bytes, bytes]]] = (
    (b"content-type", b"text/plain"),
    (b"content-type", b"multipart/form-data; boundary=x"),
    (b"content-type", b"application/json; charset=utf-16"),
    (b"content-type", b"application/msgpack"),
    (b"content-type", b"\xff"),
    (b"content-encoding", b"gzip"),
    (b"idempotency-key", b"\x00"),
    (b"idempotency-key", b"k" * 101),
    (b"idempotency-key", b"k\r\nSet-Cookie: a=b"),
    (b"idempotency-key", b"\xe9"),
    (b"x-request-id", b"a\r\nb"),
    (b"x-request-id", b"a" * 65),
    (b"x-csrf-token", b""),
    (b"x-csrf-token", b"\xff" * 43),
    (b"origin", b"null"),
    (b"origin", b"http://["),
    (b"origin", b"http://elsewhere.example"),
    (b"origin", ORIGIN.encode() + b".elsewhere.example"),
    (b"host", b"elsewhere.example"),
    (b"host", b""),
    (b"host", b"127.0.0.1:8000@elsewhere.example"),
    (b"host", b"[::1"),
    (b"x-forwarded-for", b"127.0.0.1"),
    (b"x-forwarded-host", b"elsewhere.example"),
    (b"x-http-method-override", b"DELETE"),
    (b"authorization", b"Bearer"),
    (b"authorization", b"Bearer t1." + b"x" * 43),
    (b"authorization", b"Bearer \xff.\xff"),
    (b"authorization", b"Basic b3BlcmF0b3I6eA=="),
    (b"cookie", b"croupier_session=" + b"x" * 43),
    (b"cookie", b"croupier_session=\xff; croupier_session=a"),
    (b"cookie", b"croupier_session"),
    (b"cookie", b"=;" * 500),
    (b"content-length", b"x"),
    (b"content-length", b"-1"),
    (b"content-length", b"99999999999999999999"),
    (b"transfer-encoding", b"chunked"),
    (b"accept", b"text/html"),
)


class Malformed(NamedTuple):
    """A request, as a server hands it to an application."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


class Answered(NamedTuple):
    """What came back."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


def mutate(value: Any, dice: random.Random) -> Any:  # noqa: ANN401 - JSON
    """The same value with something wrong in it."""
    if isinstance(value, dict) and value:
        name = dice.choice(list(value))
        match dice.randrange(5):
            case 0:
                return {key: item for key, item in value.items() if key != name}
            case 1:
                return value | {dice.choice(["x", "", "__proto__", "by", "at", "key", "a" * 300]): dice.choice(WRONG)}
            case _:
                return value | {name: mutate(value[name], dice)}
    return dice.choice(WRONG)


def draw(dice: random.Random, signed: Sequence[tuple[bytes, bytes]]) -> Malformed:
    """A request with one thing wrong in it, or several."""
    method, path = dice.choice(list(BODIES))
    value = BODIES[method, path]
    if path.endswith("/commands") and dice.random() < 0.7:
        value = dice.choice(COMMANDS)
    headers = [(b"host", b"127.0.0.1:8000"), *signed]
    headers.append((b"content-type", b"application/json"))
    query, body = b"", json.dumps(value).encode() if value is not None else b""
    for kind in dice.sample(range(7), dice.choice([1, 1, 1, 2, 3])):
        match kind:
            case 0 | 1:
                body = json.dumps(mutate(value, dice)).encode()
            case 2:
                body = dice.choice(RAW)
            case 3:
                path = dice.choice(PATHS)
            case 4:
                name, text = dice.choice(HEADERS)
                twice = dice.random() < 0.1
                headers = [*(headers if twice else [pair for pair in headers if pair[0] != name]), (name, text)]
            case 5:
                query = dice.choice(QUERIES)
            case _:
                method = dice.choice(METHODS)
    if (method, path) == ("DELETE", "/api/session"):
        method = "PUT"  # whoever signs out is nobody from then on
    return Malformed(method, path, query, tuple(headers), body)


async def send(app: ASGIApp, request: Malformed) -> Answered:
    """What the application answers."""
    headers = list(request.headers)
    if request.body and not {b"content-length", b"transfer-encoding"} & {name for name, _ in headers}:
        headers.append((b"content-length", str(len(request.body)).encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.path,
        "raw_path": request.path.encode("utf-8", "surrogatepass"),
        "root_path": "",
        "query_string": request.query,
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
        "state": {},
        "extensions": {},
    }
    messages: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": request.body, "more_body": False}]
    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def sent(message: dict[str, Any]) -> None:
        messages.append(message)
        await asyncio.sleep(0)

    call = cast("Callable[..., Awaitable[None]]", app)
    await call(scope, receive, sent)
    start = next(message for message in messages if message["type"] == "http.response.start")
    body = b"".join(message.get("body", b"") for message in messages if message["type"] == "http.response.body")
    return Answered(start["status"], dict(start["headers"]), body)
