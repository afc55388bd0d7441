"""Whatever is sent: no failure of the server, nothing recorded by what is refused, no secret in a log, memory flat."""

import asyncio
import gc
import json
import random
import re
import resource
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from croupier.house.first_start import DEMO_PASSWORD
from croupier.wire import decode_json, no_key_twice
from support import slices
from support.http_house import ORIGIN, HttpHouse, Lines, http_house, listening
from support.malformed import Malformed, draw, send
from support.served_house import ServedHouse, served_house

CARD: Final = re.compile(r"(?<![A-Za-z0-9_/+.:-])[2-9TJQKA][cdhs](?![A-Za-z0-9_/+.:-])")
PROBLEM: Final = {"type", "title", "status", "detail", "code", "message", "clause", "reading", "allowed"}
STATUSES: Final = {200, 201, 204, 400, 401, 403, 404, 405, 408, 409, 413, 429}
MOST_GROWTH: Final = 24 * 1024
"""KiB that the process may grow by in the second half of a run."""


async def heads(house: HttpHouse) -> list[Any]:
    return [tuple(row) for row in await house.store.read("select stream, seq, hash from head order by stream")]


def check_answer(request: Malformed, status: int, kind: bytes, body: bytes) -> None:
    assert status in STATUSES, f"{status}: {request!r}: {body!r}"
    if status >= 400 and request.method != "HEAD":
        assert kind == b"application/problem+json", f"{status} {kind!r}: {request!r}"
        details = json.loads(body)
        assert set(details) == PROBLEM
        assert details["status"] == status


def test_malformed_requests_are_refused_and_leave_no_trace(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """100,000 requests, 1,200 of them in `make test`, by players, staff, a device and strangers."""
    count = slices.count(full=100_000, sliced=1_200)

    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        await ann.command("4", "sit", seat=1)
        await ann.command("4", "buy_in", amount="1000.00")
        device = await house.device(["register"])
        senders: list[list[tuple[bytes, bytes]]] = [[], [(b"authorization", f"Bearer {device.token}".encode())]]
        secrets = [DEMO_PASSWORD, "wrong password", "also wrong here", device.token.partition(".")[2]]
        for name in ("ann", "cashier", "operator", "pit manager", "regulator"):
            visitor = await house.visitor(name)
            cookie = visitor.http.cookies["croupier_session"]
            secrets += [cookie, visitor.csrf]
            senders.append(
                [
                    (b"cookie", f"croupier_session={cookie}".encode()),
                    (b"x-csrf-token", visitor.csrf.encode()),
                    (b"origin", ORIGIN.encode()),
                ]
            )
        dice, statuses, middle = random.Random("malformed"), Counter[int](), 0
        before = await heads(house)
        with listening() as lines:
            for number in range(count):
                if number == count // 2:
                    gc.collect()
                    middle = resident()
                request = draw(dice, dice.choice(senders))
                answer = await send(house.app, request)
                check_answer(request, answer.status, answer.headers.get(b"content-type", b""), answer.body)
                statuses[answer.status] += 1
                after = await heads(house)
                assert answer.status < 400 or after == before, f"refused and recorded: {request!r}"
                before = after
                if len(lines.lines) > 2_000:
                    check_lines(lines, secrets)
            check_lines(lines, secrets)
        gc.collect()
        grown = resident() - middle
        assert grown < MOST_GROWTH, f"{grown} KiB more"
        record_property("requests", count)
        record_property("answers", dict(sorted(statuses.items())))
        record_property("KiB more in the second half", grown)

    async def main() -> None:
        async with http_house(tmp_path) as house:
            await work(house)

    asyncio.run(main())


def check_lines(lines: Lines, secrets: list[str]) -> None:
    text = "\n".join(line for line in lines.lines if not line.startswith("asyncio "))
    for secret in secrets:
        assert secret not in text, f"{secret[:6]}… was logged"
    assert CARD.search(text) is None, CARD.search(text)
    assert "croupier.server internal error" not in text, text[-3000:]
    lines.lines.clear()


def resident() -> int:
    """KiB of this process in memory now."""
    with open("/proc/self/status") as file:  # noqa: PTH123
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# --- our own description of the API


def schemathesis(served: ServedHouse, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Let Schemathesis read /openapi.json and try everything."""
    (folder / "schemathesis.toml").write_text(
        "[checks]\n"
        # A text may be unprintable or an amount zero, which a schema cannot say; and whoever guesses is slowed down.
        'positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 429]\n'
        "negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 429]\n"
    )
    program = Path(sys.executable).parent / "schemathesis"
    command = [str(program), "run", f"{served.url}/openapi.json", "--no-color", "--seed", "1", *more]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=3000)


@pytest.mark.parametrize("who", ["nobody", "ann", "operator"] if slices.in_full() else ["operator"])
def test_schemathesis_has_no_complaint(
    tmp_path: Path, who: str, record_property: Callable[[str, object], None]
) -> None:
    """As a stranger, a player and an operator, up to 100 examples of each address; 1 by an operator in `make test`."""
    house = tmp_path / "house"
    house.mkdir()
    with served_house(house) as served:
        headers: list[str] = []
        if who != "nobody":
            body = {"name": who, "password": DEMO_PASSWORD}
            answer = httpx.post(f"{served.url}/api/session", json=body)
            cookie = f"Cookie: croupier_session={answer.cookies['croupier_session']}"
            # Otherwise Schemathesis makes up a token, and is nobody.
            headers = ["-H", cookie, "-H", f"X-CSRF-Token: {answer.json()['csrf']}", "-H", "Authorization: none"]
        phases = "examples,coverage,fuzzing" if slices.in_full() else "fuzzing"
        examples = slices.count(full=100, sliced=1)
        run = schemathesis(served, tmp_path, "--phases", phases, "--max-examples", str(examples), *headers)
    assert run.returncode == 0, run.stdout[-6000:]
    if (generated := re.search(r"(\d+) generated", run.stdout)) is not None:
        record_property("cases", int(generated[1]))


# --- the wire itself


def raw(served: ServedHouse, data: bytes, *, seconds: float = 5.0) -> bytes:
    """What comes back on a connection of its own."""
    with socket.create_connection(served.address, timeout=seconds) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        parts = []
        while part := line.recv(65_536):
            parts.append(part)
    return b"".join(parts)


CHUNKS: Final = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n"


def test_what_is_not_http_is_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.server.patience.HEAD_SECONDS", 1.0)
    monkeypatch.setattr("croupier.server.gate._SECONDS", 1.0)
    with served_house(tmp_path) as served:
        host = served.url.removeprefix("http://").encode()
        for data in (
            b"\x00\x01\x02\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\nX: a\r\n b\x00\r\n\r\n",
            b"POST /api/session HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}",
            b"POST /api/session HTTP/1.1\r\nHost: " + host + b"\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 5\r\n" + CHUNKS,
            b"GET /healthz HTTP/1.1\r\nHost: " + host + b"\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
        ):
            answer = raw(served, data)
            assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 403", b"HTTP/1.1 413")), (data[:80], answer[:200])
        for sound in (b"\r\nConnection: close\r\n\r\n", b"\r\n" + CHUNKS):
            assert b"200 OK" in raw(served, b"GET /healthz HTTP/1.1\r\nHost: " + host + sound)
        # Whoever sends a head or a body drop by drop is let go.
        head = b"POST /api/session HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 50\r\n\r\n{"
        for begun, answered in ((b"", b""), (b"GET /he", b""), (head, b"HTTP/1.1 408")):
            with socket.create_connection(served.address, timeout=10) as line:
                line.sendall(begun)
                start = time.monotonic()
                answer = line.recv(65_536)
                assert answer.startswith(answered), answer
                assert time.monotonic() - start < 5


def test_a_socket_that_is_not_opened_says_why(tmp_path: Path) -> None:
    asks = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    asks += b"dGhlIHNhbXBsZSBub25jZQ==\r\n"
    with served_house(tmp_path) as served:
        host = served.url.removeprefix("http://").encode()
        for table, more, status in (
            (b"nowhere", b"", b"404"),
            (b"4", b"Origin: http://elsewhere.example\r\n", b"403"),
            (b"4", b"Authorization: Bearer t1.wrong\r\n", b"401"),
        ):
            head = b"GET /api/tables/" + table + b"/live HTTP/1.1\r\nHost: " + host + b"\r\n"
            answer = raw(served, head + asks + more + b"\r\n")
            said, _, body = answer.partition(b"\r\n\r\n")
            assert said.startswith(b"HTTP/1.1 " + status), answer
            assert b"application/problem+json" in said
            assert b"x-request-id" in said
            assert set(json.loads(body)) == PROBLEM


def test_frames_that_are_too_large_end_a_socket(tmp_path: Path) -> None:
    async def main() -> None:
        async with http_house(tmp_path) as house:
            ann = await house.visitor("ann")
            before = await heads(house)
            large = ann.socket("4")
            await large.next()
            large.send('{"key": "a", "do": "' + "x" * 17_000 + '"}')
            assert (await large.next("websocket.close"))["code"] == 1009
            patience = house.stranger().socket("4")
            await patience.next()
            for _ in range(101):
                patience.send("[" * 50)
            messages: list[dict[str, Any]] = []
            while not messages or messages[-1]["type"] != "websocket.close":
                messages.append(await asyncio.wait_for(patience.out.get(), 5))
            assert messages[-1]["code"] == 1008
            assert await heads(house) == before

    asyncio.run(main())


def test_a_key_twice_among_many_is_found_at_once() -> None:
    many = [(f"k{number}", 0) for number in range(50_000)]
    start = time.perf_counter()
    with pytest.raises(ValueError, match="appears twice"):
        no_key_twice([*many, ("k49999", 1)])
    assert time.perf_counter() - start < 1
    for text in ("NaN", "[Infinity]", '{"a": -Infinity}'):
        with pytest.raises(ValueError, match="not a number"):
            decode_json(text)
