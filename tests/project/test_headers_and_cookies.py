"""What browsers are told with every answer, cookies behind TLS, addresses behind a proxy, and lines of the log."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import Malformed
from croupier.server import asgi
from croupier.server.gate import Surroundings
from support.http_house import HttpHouse, Visitor, http_house, listening

PUBLIC = Surroundings.at("127.0.0.1", public_url="https://house.example")


def run(folder: Path, work: Callable[[HttpHouse], Awaitable[None]], **options: Any) -> None:  # noqa: ANN401 - of `http_house`
    async def main() -> None:
        async with http_house(folder, **options) as house:
            await work(house)

    asyncio.run(main())


def test_every_answer_tells_browsers_to_be_careful(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        for visitor in (ann, house.stranger()):
            for path in ("/api/tables", "/api/session", "/nowhere", "/healthz", "/api/tables/4", "/metrics"):
                headers = (await visitor.ask("GET", path, headers={"Origin": "http://elsewhere.example"})).headers
                assert headers["content-type"].count("charset") <= 1
                policy = headers["content-security-policy"]
                for rule in ("default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
                    assert rule in policy
                assert headers["x-content-type-options"] == "nosniff"
                assert headers["x-frame-options"] == "DENY"
                for name in ("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"):
                    assert headers[name] == "same-origin"
                assert headers["cache-control"] == "no-store"
                assert not [name for name in headers if name.startswith("access-control-")]
                assert "strict-transport-security" not in headers  # nothing here speaks TLS
                assert "server" not in headers
        out = await ann.ask("DELETE", "/api/session")
        assert "storage" in out.headers["clear-site-data"]

    run(tmp_path, work)


def test_behind_tls_cookies_are_for_https_alone(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        await house.add("eve", "player")
        stranger = house.stranger()
        sent = {"Host": "house.example", "Origin": "https://house.example"}
        body = {"name": "eve", "password": "correct horse battery"}
        answer = await stranger.http.post("/api/session", json=body, headers=sent)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-croupier_session=")
        for word in ("Secure", "HttpOnly", "Path=/", "SameSite=strict"):
            assert word in cookie
        assert "Domain" not in cookie
        assert answer.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
        for origin in ("http://house.example", "https://elsewhere.example", "https://house.example.elsewhere.example"):
            refused = await stranger.http.post("/api/session", json=body, headers=sent | {"Origin": origin})
            assert refused.json()["code"] == "other_site"
        other = await stranger.http.get("/api/tables", headers={"Host": "elsewhere.example"})
        assert other.json()["code"] == "other_host"

    run(tmp_path, work, alone=False, surroundings=PUBLIC)


def test_signing_in_ends_the_session_before(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        first, csrf = ann.http.cookies["croupier_session"], ann.csrf
        await ann.sign_in("ann")
        assert ann.http.cookies["croupier_session"] != first
        assert ann.csrf != csrf
        old = house.stranger()
        old.http.cookies.set("croupier_session", first)
        assert (await old.get("/api/session")).status_code == 401
        fixed = house.stranger()  # an id that somebody else has chosen
        fixed.http.cookies.set("croupier_session", "chosen")
        answer = await fixed.sign_in("bob")
        assert answer.status_code == 200
        assert "chosen" not in answer.headers["set-cookie"]

    run(tmp_path, work)


def test_only_a_proxy_of_ours_says_who_calls() -> None:
    def address(surroundings: Surroundings, client: str, *forwarded: str) -> str:
        headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
        return surroundings.address({"client": (client, 1), "headers": headers})  # type: ignore[arg-type]

    alone, named = Surroundings.at("127.0.0.1"), Surroundings.at("10.0.0.5", proxies=["10.0.0.1"])
    assert address(alone, "127.0.0.1", "192.0.2.1") == "127.0.0.1"
    assert address(PUBLIC, "127.0.0.1", "192.0.2.9, 192.0.2.1") == "192.0.2.1"
    assert address(PUBLIC, "192.0.2.7", "192.0.2.1") == "192.0.2.7"
    assert address(named, "10.0.0.1", "192.0.2.1") == "192.0.2.1"
    assert address(named, "10.0.0.2", "192.0.2.1") == "10.0.0.2"
    assert address(named, "10.0.0.1", "\x1b[2J") == "10.0.0.1"


def test_strangers_are_limited_by_their_own_address(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        async def ask(address: str, name: str) -> int:
            body = {"name": name, "password": "chips and cards"}
            sent = {"Host": "house.example", "Origin": "https://house.example", "X-Forwarded-For": address}
            return (await Visitor(house.app, "s").http.post("/api/people", json=body, headers=sent)).status_code

        one = [await ask("192.0.2.1", f"one {number}") for number in range(25)]
        assert one[:20] == [201] * 20
        assert one[20:] == [429] * 5
        assert await ask("192.0.2.2", "two") == 201
        six = [await ask(f"2001:db8:1:2::{number}", f"six {number}") for number in range(25)]
        assert six[-1] == 429  # one subscriber has all of these addresses

    run(tmp_path, work, alone=False, surroundings=PUBLIC)


def test_whoever_has_signed_up_is_signed_in_however_many_did_before(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        for number in range(30):
            body = {"name": f"player {number}", "password": "chips and cards"}
            answer = await house.stranger().ask("POST", "/api/people", body)
            assert answer.status_code == 201, answer.text
            wrong = await house.stranger().sign_in(f"player {number}", "wrong")
            assert wrong.status_code in {401, 429}

    run(tmp_path, work)


@pytest.mark.parametrize("url", ["house.example", "ftp://house.example", "https://", "https://a@b", "http://[", ""])
def test_a_public_address_is_one_of_a_web_server(url: str) -> None:
    if url:
        with pytest.raises(Malformed, match="not the address of a house"):
            Surroundings.at("127.0.0.1", public_url=url)
    assert Surroundings.at("127.0.0.1", public_url="").secure is False


def test_sign_ins_take_as_long_for_a_name_that_nobody_has(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        checked: list[str] = []
        passwords = house.people.credentials.passwords
        is_password = passwords._is  # noqa: SLF001

        def noted(encoded: str, password: str) -> bool:
            checked.append(encoded[:9])
            return is_password(encoded, password)

        passwords._is = noted  # type: ignore[method-assign] # noqa: SLF001
        for name in ("ann", "nobody at all", "ann", "nobody either"):
            answer = await house.stranger().sign_in(name, "wrong")
            assert (answer.status_code, answer.json()["code"]) == (401, "bad_sign_in")
            assert answer.json()["message"] == "the name or the password is wrong"
        assert checked == ["$argon2id"] * 4

    run(tmp_path, work)


def test_a_line_of_the_log_is_one_line_of_ascii_with_who_and_what(tmp_path: Path) -> None:
    record = logging.LogRecord("a", logging.INFO, "", 0, "x\n\x1b[2J\u202e\x9b%s", ("\r\n",), None)
    line = asgi._Lines().format(record)  # noqa: SLF001
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["message"] == "x\n\x1b[2J\u202e\x9b\r\n"

    async def work(house: HttpHouse) -> None:
        with listening() as lines:
            await house.stranger().sign_in("ann", "wrong")
            ann = await house.visitor("ann")
            await ann.get("/api/people")
            await ann.ask("GET", "/api/tables", headers={"X-Request-ID": "proxy-7"})
        written = [line for line in lines.lines if line.startswith("croupier.access")]
        fields = [json.loads(line[line.index("{") : line.rindex("}") + 1]) for line in written]
        seen = [(line["route"], line["status"], line["problem"], line["caller"]) for line in fields]
        assert seen == [
            ("/api/session", 401, "bad_sign_in", ""),
            ("/api/session", 200, "", "ann-1"),
            ("/api/people", 403, "not_allowed", "ann-1"),
            ("/api/tables", 200, "", "ann-1"),
        ]
        assert fields[-1]["request"] == "proxy-7"
        assert {line["address"] for line in fields} == {"127.0.0.1"}

    run(tmp_path, work)
