"""The API to the letter of its contract: addresses, shapes, statuses, problem details, keys, demos and devices."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.house import Tokens, commands
from croupier.server.api import answers
from croupier.server.gate import Surroundings
from support.http_house import ORIGIN, HttpHouse, Visitor, http_house

PROBLEM = {"type", "title", "status", "detail", "code", "message", "clause", "reading", "allowed"}
MONEY = re.compile(r"-?\d+\.\d\d")
TABLE = "4"  # Maryland Mississippi Stud, as the demo numbers its tables


def run(folder: Path, work: Callable[[HttpHouse], Awaitable[None]], **options: Any) -> None:  # noqa: ANN401 - of `http_house`
    async def main() -> None:
        async with http_house(folder, **options) as house:
            await work(house)

    asyncio.run(main())


def problem(answer: httpx.Response, status: int, code: str | None = None) -> dict[str, Any]:
    """The problem details of an answer that says no."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    details: dict[str, Any] = answer.json()
    assert set(details) == PROBLEM
    assert details["status"] == status
    assert code is None or details["code"] == code
    return details


async def seated(house: HttpHouse, name: str = "ann", seat: int = 1, table: str = TABLE) -> Visitor:
    player = await house.visitor(name)
    assert (await player.command(table, "sit", seat=seat)).status_code == 200
    assert (await player.command(table, "buy_in", amount="1000.00")).status_code == 200
    await house.tick(table)
    return player


# --- sessions


def test_a_session_says_who_is_signed_in_and_gives_a_cookie_and_a_token(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        visitor = house.stranger()
        answer = await visitor.sign_in("ann")
        assert answer.status_code == 200
        assert set(answer.json()) == {"person", "csrf"}
        assert answer.json()["person"] == {"id": "ann-1", "name": "ann", "roles": ["player"]}
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie
        assert (await visitor.get("/api/session")).json()["person"]["id"] == "ann-1"
        out = await visitor.ask("DELETE", "/api/session")
        assert out.status_code == 200
        problem(await visitor.get("/api/session"), 401, "not_signed_in")

    run(tmp_path, work)


def test_a_changing_request_carries_the_token_and_the_same_origin(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        path, body = f"/api/tables/{TABLE}/commands", {"do": "sit", "seat": 1}
        for headers in ({"X-CSRF-Token": ""}, {"X-CSRF-Token": "x" * 43}):
            problem(await ann.ask("POST", path, body, headers=headers), 403, "csrf")
        for origin in ("http://elsewhere.example", "null", "http://127.0.0.1:9000", "http://[", "//127.0.0.1:8000"):
            problem(await ann.ask("POST", path, body, headers={"Origin": origin}), 403, "other_site")
        bob = await house.visitor("bob")
        problem(await ann.ask("POST", path, body, headers={"X-CSRF-Token": bob.csrf}), 403, "csrf")
        no_origin = {name: value for name, value in ann.headers("POST").items() if name != "Origin"}
        for site in ("cross-site", "same-site"):
            answer = await ann.http.post(path, json=body, headers={**no_origin, "Sec-Fetch-Site": site})
            problem(answer, 403, "other_site")
        assert (await ann.http.post(path, json=body, headers=no_origin)).status_code == 200

    run(tmp_path, work)


def test_a_device_needs_neither_cookie_nor_token(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        device = await house.device(["register"], [TABLE])
        answer = await device.command(TABLE, "register", seat=1)
        problem(answer, 409)  # nothing to register yet, but it may ask
        problem(await device.command("1", "register", seat=1), 403)
        problem(await device.command(TABLE, "deal"), 403)
        wrong = Visitor(house.app, "device", token="t1.wrong")
        problem(await wrong.command(TABLE, "register", seat=1), 401)

    run(tmp_path, work)


# --- demos


def test_a_demo_on_this_machine_lists_its_accounts_and_players_sign_up(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        stranger = house.stranger()
        accounts = (await stranger.get("/api/demo")).json()
        assert all(set(account) == {"name", "password", "roles"} for account in accounts)
        for account in accounts:
            await house.visitor(account["name"], account["password"])
        body = {"name": "Zoe", "password": "chips and cards"}
        answer = await stranger.http.post("/api/people", json=body, headers={"Origin": ORIGIN})
        assert answer.status_code == 201
        stranger.csrf, stranger.id = answer.json()["csrf"], answer.json()["person"]["id"]
        assert answer.json()["person"]["roles"] == ["player"]
        assert (await stranger.command(TABLE, "sit", seat=3)).status_code == 200
        bought = await stranger.command(TABLE, "buy_in", amount="250.00")
        assert bought.json()["view"]["chips"] == "250.00"

    run(tmp_path, work)


def test_a_demo_shows_no_password_to_whoever_comes_from_elsewhere(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        stranger = house.stranger()
        for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
            problem(await stranger.ask("GET", "/api/demo", headers={header: "192.0.2.1"}), 404)
        rebound = await stranger.ask("GET", "/api/demo", headers={"Host": "rebound.example:8000"})
        problem(rebound, 403, "other_host")

    run(tmp_path, work)


def test_a_demo_that_others_can_reach_has_other_passwords_and_lists_none(tmp_path: Path) -> None:
    async def first(house: HttpHouse) -> None:
        await house.visitor("operator")

    async def then(house: HttpHouse) -> None:
        problem(await house.stranger().get("/api/demo"), 404)
        problem(await house.stranger().sign_in("operator"), 401, "bad_sign_in")

    run(tmp_path, first)
    run(tmp_path, then, alone=False, surroundings=Surroundings.at("127.0.0.1", public_url="http://127.0.0.1:8000"))


def test_nobody_signs_up_in_a_real_house_and_there_is_no_demo(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        problem(await house.stranger().get("/api/demo"), 404)
        body = {"name": "Zoe", "password": "chips and cards"}
        problem(await house.stranger().ask("POST", "/api/people", body), 401)
        assert not [person for person in house.people.house.state.people.values() if person.is_player]

    run(tmp_path, work, is_demo=False)


# --- tables


def test_the_list_of_tables(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        tables = (await house.stranger().get("/api/tables")).json()
        assert len(tables) == 5
        wanted = {"id", "rulebook", "operator", "status", "seats", "open_seats", "limits", "meters", "physical"}
        for table in tables:
            assert wanted <= set(table)
            assert all(MONEY.fullmatch(amount) for amount in table["meters"].values())
        assert [table["physical"] for table in tables] == [False] * 4 + [True]

    run(tmp_path, work)


def test_a_table_as_anybody_and_as_somebody_sees_it(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house)
        anybody, hers = (
            (await house.stranger().get(f"/api/tables/{TABLE}")).json(),
            (await ann.get(f"/api/tables/{TABLE}")).json(),
        )
        assert set(anybody) == set(hers) == {"version", "view", "allowed"}
        wanted = {"status", "awaiting", "seats", "cards", "meters", "last_round", "chips"}
        assert wanted <= set(hers["view"])
        assert {"kind", "seat", "choices", "deadline"} <= set(hers["view"]["awaiting"])
        assert set(hers["view"]["cards"]) == {"board", "box", "dealer"}
        assert (anybody["allowed"], anybody["view"]["chips"]) == ([], None)
        assert hers["view"]["chips"] == "1000.00"
        assert {"place_wager", "stand_up"} <= {offer["do"] for offer in hers["allowed"]}
        problem(await ann.get("/api/tables/no-such-table"), 404)

    run(tmp_path, work)


def test_a_command_answers_with_the_version_the_entries_and_the_view(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house)
        bet = {"seat": 1, "wager": "ante", "amount": "10.00"}
        answer = await ann.command(TABLE, "place_wager", key="first", **bet)
        assert answer.status_code == 200
        body = answer.json()
        assert set(body) == {"version", "entries", "view"}
        entry = body["entries"][0]
        assert {"event", "at", "by", "clause", "reading"} <= set(entry)
        assert (entry["event"], entry["by"], entry["key"]) == (
            "wager_placed/1",
            {"role": "player", "id": "ann-1"},
            "first",
        )
        assert entry["amount"] == "10.00"

    run(tmp_path, work)


def test_anybody_reads_what_may_be_bet_and_what_it_pays(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        for listed in (await house.stranger().get("/api/tables")).json():
            told = (await house.stranger().get(f"/api/tables/{listed['id']}/rules")).json()
            held = house.desk.table(listed["id"]).table.house
            assert (told["rulebook"], told["rules"]) == (listed["rulebook"], listed["rules"])
            assert {wager["wager"]: wager["limits"] for wager in told["wagers"] if wager["limits"]} == listed["limits"]
            for wager, rule in zip(told["wagers"], held.wagers, strict=True):
                assert wager["wager"] == rule.name
                assert wager["meters"] == [meter.name for meter in rule.meters]
                for paytable, printed in zip(wager["paytables"], rule.paytables, strict=True):
                    assert paytable["clause"] == printed.clause
                    assert [tuple(line.values()) for line in paytable["lines"]] == [
                        (line.hand, line.pays) for line in printed.line
                    ]
            settled = {wager["wager"] for wager in told["wagers"] if wager["paytables"]}
            assert settled, "something is paid by a paytable"
        problem(await house.stranger().get("/api/tables/nowhere/rules"), 404, "not_found")

    run(tmp_path, work)


def test_each_way_to_be_refused_has_its_status(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house)
        path = f"/api/tables/{TABLE}/commands"
        refused = problem(await ann.command(TABLE, "decide", seat=1, choice="1x"), 409)
        assert refused["clause"]
        assert refused["allowed"]
        bodies: tuple[object, ...] = (
            {},
            {"do": 7},
            {"do": "no_such_command"},
            {"do": "sit"},
            {"do": "sit", "seat": "1"},
            {"do": "sit", "seat": 1, "by": {"role": "dealer", "id": "d"}},
            {"do": "sit", "seat": 1, "at": "2026-01-01T20:00:00Z"},
            {"do": "sit", "seat": 1, "key": 7},
            {"do": "place_wager", "seat": 1, "wager": "ante", "amount": 10},
            [],
            "sit",
        )
        for body in bodies:
            problem(await ann.ask("POST", path, body), 400, "unreadable")
        problem(await house.stranger().command(TABLE, "sit", seat=2), 401, "not_signed_in")
        theirs = problem(await ann.command(TABLE, "deal"), 403, "not_allowed")
        assert theirs["clause"]
        await seated(house, "bob", 2)
        bet: dict[str, Any] = {"seat": 2, "wager": "ante", "amount": "10.00"}
        assert problem(await ann.command(TABLE, "place_wager", **bet), 403, "not_your_own")["clause"]
        problem(await ann.ask("POST", path, {"do": "sit", "reason": "x" * 300_000}), 413, "too_large")
        dealer = await house.visitor("dealer")
        problem(await dealer.command(TABLE, "sit", seat=2, patron="bob-1"), 409)

    run(tmp_path, work)


BET = {"do": "place_wager", "seat": 1, "wager": "ante", "amount": "10.00"}
BAD: list[tuple[str, str, object, str]] = [
    ("ann", f"tables/{TABLE}/commands", None, "the request has no body: send JSON, such as {}"),
    ("ann", f"tables/{TABLE}/commands", [], "expected an object, got a list"),
    ("ann", f"tables/{TABLE}/commands", {"do": "sit", "seat": "1"}, "seat: expected a whole number, got text"),
    (
        "ann",
        f"tables/{TABLE}/commands",
        {"do": "buy_in", "amount": None},
        'amount: expected dollars as text, such as "12.50"',
    ),
    ("ann", f"tables/{TABLE}/commands", BET | {"wager": "zzz"}, "wager: 'zzz' is not one of ante, third_street, "),
    ("ann", "people/ann-1/limits", {"loss_day": "-1"}, "loss_day: expected dollars, such as 12.50"),
    ("ann", "people/ann-1/limits", {"minutes_day": 9999}, "minutes_day: expected at most 1440"),
    ("ann", "people/ann-1/exclusion", {"until": "2027-01-01"}, "until: expected a time with its zone, such as "),
    ("ann", "people/ann-1/exclusion", {}, "until is missing"),
    ("regulator", "submissions/md-let-it-ride/1/approve", None, "the request has no body: send JSON, such as {}"),
    ("operator", "people", {"name": "", "password": "x"}, "name: it may not be empty"),
    ("operator", "people", {"name": "a", "password": "x" * 2000}, "password: expected at most 1000 characters"),
    ("operator", "people", {"name": "a", "password": "x", "roles": ["king"]}, "roles[0]: 'king' is not a choice here"),
    ("operator", "people", {"name": "a", "password": "x", "rolls": []}, "rolls is not known here"),
    ("operator", "tokens", {"device": "a/b", "scope": ["deal"]}, "device: expected 1 to 40 letters, digits, spaces, "),
    ("operator", "tokens", {"device": "a", "scope": []}, "scope: it may not be empty"),
    ("operator", "tokens", {"device": "a", "scope": ["deal"], "days": 0}, "days: expected at least 1"),
]


def test_what_cannot_be_read_is_said_in_words(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        people = {name: await house.visitor(name) for name in {name for name, *_ in BAD}}
        for name, path, body, words in BAD:
            answer = problem(await people[name].ask("POST", f"/api/{path}", body), 400, "unreadable")
            assert answer["message"].startswith(words)
        deep = await people["ann"].http.post(
            f"/api/tables/{TABLE}/commands",
            content=b"[" * 5000,
            headers=people["ann"].headers("POST", {"Content-Type": "application/json"}),
        )
        assert problem(deep, 400)["message"] == "JSON is malformed: it is too deep"
        problem(await house.stranger().ask("POST", "/api/session"), 400, "unreadable")

    run(tmp_path, work)


@pytest.mark.parametrize("written", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_json_is_utf_8_and_in_no_other_writing_does_half_a_character_get_in(tmp_path: Path, written: str) -> None:
    async def work(house: HttpHouse) -> None:
        ann, cashier, stranger = await seated(house), await house.visitor("cashier"), house.stranger()
        half = "x\ud800"
        sent: list[tuple[Visitor, str, dict[str, Any]]] = [
            (ann, f"/api/tables/{TABLE}/commands", {"do": half}),
            (ann, f"/api/tables/{TABLE}/commands", {"do": "buy_in", "amount": "5.00", "reason": half}),
            (ann, f"/api/tables/{TABLE}/commands", {"do": "buy_in", "amount": "5.00"}),
            (cashier, "/api/cage/ann-1/deposit", {"amount": "5.00", "reference": half}),
            (stranger, "/api/session", {"name": half, "password": "play chips only"}),
            (stranger, "/api/people", {"name": "cy", "password": f"play {half} chips"}),
        ]
        for visitor, path, body in sent:
            headers = visitor.headers("POST", {"Content-Type": "application/json"})
            content = json.dumps(body).encode(written)
            answer = problem(await visitor.http.post(path, content=content, headers=headers), 400, "unreadable")
            assert answer["message"] == "JSON is malformed: it is not UTF-8"
        headers = stranger.headers("POST", {"Content-Type": "application/json"})
        marked = json.dumps({"name": "ann", "password": "play chips only"}).encode("utf-8-sig")
        assert (await stranger.http.post("/api/session", content=marked, headers=headers)).status_code == 200

    run(tmp_path, work)


def test_who_may_not_is_told_who_may(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        operator, cashier = await house.visitor("operator"), await house.visitor("cashier")
        no = problem(await operator.command(TABLE, "sit", seat=1), 403)
        assert no["message"] == "sit is not for an operator at this table: it is for a player or a dealer"
        amount = {"amount": "5.00"}
        no = problem(await operator.ask("POST", "/api/cage/ann-1/deposit", amount), 403)
        assert no["message"] == "this is not yours to do: deposit is for a cashier (a player's account)"
        problem(await cashier.ask("POST", "/api/cage/nobody/deposit", amount), 404)

    run(tmp_path, work)


def test_whoever_asks_too_often_is_told_how_long_to_wait(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        answers_ = [await ann.command(TABLE, "sit", seat=99) for _ in range(80)]
        late = [answer for answer in answers_ if answer.status_code == 429]
        assert late
        problem(late[0], 429, "too_often")
        assert int(late[0].headers["retry-after"]) >= 1
        stranger = house.stranger()
        statuses = [(await stranger.get("/api/tables")).status_code for _ in range(260)]
        assert statuses[:100] == [200] * 100
        assert statuses[-1] == 429
        guesses = [(await house.stranger().sign_in("ann", f"wrong {number}")).status_code for number in range(30)]
        assert guesses[0] == 401
        assert guesses[-1] == 429

    run(tmp_path, work, limited=True)


# --- keys


def test_the_same_key_gives_the_first_answer_again_also_later_and_after_a_restart(tmp_path: Path) -> None:
    kept: dict[str, str] = {}
    bet: dict[str, object] = {"seat": 1, "wager": "ante", "amount": "10.00"}

    async def first(house: HttpHouse) -> None:
        ann = await seated(house)
        answer = await ann.command(TABLE, "place_wager", key="bet", **bet)
        kept["bet"] = answer.text
        again = await ann.command(TABLE, "place_wager", key="bet", **bet)
        assert again.text == answer.text
        await house.tick(TABLE, seconds=20)
        answer = await ann.command(TABLE, "decide", key="third", seat=1, choice="1x")
        kept["third"] = answer.text
        await ann.command(TABLE, "decide", key="fourth", seat=1, choice="2x")
        chips = (await ann.get(f"/api/tables/{TABLE}")).json()["view"]["chips"]
        assert (await ann.command(TABLE, "place_wager", key="bet", **bet)).text == kept["bet"]
        assert (await ann.command(TABLE, "decide", key="third", seat=1, choice="1x")).text == kept["third"]
        assert (await ann.get(f"/api/tables/{TABLE}")).json()["view"]["chips"] == chips

    async def then(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        assert (await ann.command(TABLE, "place_wager", key="bet", **bet)).text == kept["bet"]
        assert (await ann.command(TABLE, "decide", key="third", seat=1, choice="1x")).text == kept["third"]
        bet["amount"] = "15.00"
        problem(await ann.command(TABLE, "place_wager", key="bet", **bet), 409, "key_used")
        bob = await house.visitor("bob")  # another person's keys are their own
        problem(await bob.command(TABLE, "decide", key="third", seat=1, choice="1x"), 403, "not_your_own")

    run(tmp_path, first)
    run(tmp_path, then)


def test_a_refusal_is_the_first_answer_too(tmp_path: Path) -> None:
    """By request or by socket; another key, or another command under the same one, is judged as it comes."""

    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        refused = await ann.command(TABLE, "buy_in", key="early", amount="500.00")
        problem(refused, 409, "nobody_there")
        assert (await ann.command(TABLE, "sit", seat=1)).status_code == 200
        again = await ann.command(TABLE, "buy_in", key="early", amount="500.00")
        assert (again.status_code, again.text) == (409, refused.text)
        assert again.headers["content-type"] == "application/problem+json"
        socket = ann.socket(TABLE)
        await socket.next()
        socket.send(json.dumps({"key": "early", "do": "buy_in", "amount": "500.00"}))
        assert (await socket.answer("early"))["refused"] | {"status": 0} == {
            name: refused.json()[name] for name in ("code", "clause", "reading", "message", "allowed")
        } | {"status": 0}
        socket.send(json.dumps({"key": "early", "do": "buy_in", "amount": "400.00"}))
        assert "ok" in await socket.answer("early")
        assert (await ann.command(TABLE, "buy_in", key="late", amount="500.00")).status_code == 200
        await socket.close()

    run(tmp_path, work)


def test_what_was_carried_out_comes_before_a_refusal_under_the_same_key(tmp_path: Path) -> None:
    """Also when the same command is sent several times at once, and one of them came too early."""

    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        problem(await ann.command(TABLE, "buy_in", key="k", amount="100.00"), 409, "nobody_there")
        assert (await ann.command(TABLE, "sit", seat=1)).status_code == 200
        paid = await ann.command(TABLE, "buy_in", key="k", amount="100")  # the same amount, written otherwise
        assert paid.status_code == 200
        assert (await ann.command(TABLE, "buy_in", key="k", amount="100.00")).text == paid.text
        for number in range(10):
            await ann.command(TABLE, "stand_up")
            sent: list[tuple[str, dict[str, object]]] = [
                ("buy_in", {"amount": "10.00"}),
                ("sit", {"seat": 1}),
                ("buy_in", {"amount": "10.00"}),
                ("buy_in", {"amount": "10.00"}),
            ]
            answers = await asyncio.gather(*(ann.command(TABLE, do, key=f"{do}-{number}", **more) for do, more in sent))
            again = await ann.command(TABLE, "buy_in", key=f"buy_in-{number}", amount="10.00")
            done = {
                answer.text
                for (do, _), answer in zip(sent, answers, strict=True)
                if do == "buy_in" and answer.is_success
            }
            assert {again.text} == (done or {answers[0].text})

    run(tmp_path, work)


def test_a_key_may_stand_beside_the_command_as_in_a_script(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        path, sit = f"/api/tables/{TABLE}/commands", {"do": "sit", "seat": 1, "key": "s"}
        first = await ann.ask("POST", path, sit)
        assert first.status_code == 200
        assert (await ann.ask("POST", path, sit, key="s")).text == first.text
        assert (await ann.command(TABLE, "sit", seat=1, key="s")).text == first.text
        assert "Idempotency-Key" in problem(await ann.ask("POST", path, sit, key="t"), 400)["message"]
        for key in (7, "x" * 101, "é"):
            problem(await ann.ask("POST", path, sit | {"key": key}), 400, "unreadable")

    run(tmp_path, work)


def test_a_buy_in_that_is_sent_twice_is_given_chips_once_and_one_that_is_refused_none(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        cage = house.desk.hall.cage
        problem(await ann.command(TABLE, "buy_in", amount="500.00"), 409)
        assert await cage.balance("ann-1") == 0
        await ann.command(TABLE, "sit", seat=1)
        cashier = await house.visitor("cashier")
        paid = await cashier.ask("POST", "/api/cage/ann-1/deposit", {"amount": "300.00"}, key="slip")
        assert paid.json() == {"patron": "ann-1", "balance": "300.00", "entry": 1}
        first = await ann.command(TABLE, "buy_in", key="b", amount="1000.00")
        again = await ann.command(TABLE, "buy_in", key="b", amount="1000.00")
        assert (first.status_code, first.text) == (again.status_code, again.text) == (200, first.text)
        assert first.json()["view"]["chips"] == "1000.00"
        assert await cage.balance("ann-1") == 0

    run(tmp_path, work)


def test_keys_of_the_house_work_alike(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        operator = await house.visitor("operator")
        new = {"name": "Dana", "password": "a long enough one", "roles": ["dealer"]}
        first = await operator.ask("POST", "/api/people", new, key="dana")
        assert first.status_code == 201
        assert (await operator.ask("POST", "/api/people", new, key="dana")).json() == first.json()
        for other in ({"name": "Dora"}, {"password": "another long one"}, {"roles": ["floorperson"]}):
            problem(await operator.ask("POST", "/api/people", new | other, key="dana"), 409, "key_used")
        cashier = await house.visitor("cashier")
        for amount, status in (("5.00", 200), ("5.00", 200), ("6.00", 409)):
            answer = await cashier.ask("POST", "/api/cage/bob-1/deposit", {"amount": amount}, key="slip 1")
            assert answer.status_code == status
        assert (await cashier.get("/api/cage/bob-1")).json()["balance"] == "5.00"

    run(tmp_path, work)


def test_a_mistaken_deposit_is_taken_back_once_by_a_cashier(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        cashier, ann = await house.visitor("cashier"), await house.visitor("ann")
        made = await cashier.ask("POST", "/api/cage/bob-1/deposit", {"amount": "500.00"})
        taken = {"entry": made.json()["entry"], "reason": "typed twice"}
        problem(await ann.ask("POST", "/api/cage/bob-1/reverse", taken), 403)
        problem(await cashier.ask("POST", "/api/cage/ann-1/reverse", taken), 409, "not_reversible")
        for _ in range(2):
            back = await cashier.ask("POST", "/api/cage/bob-1/reverse", taken, key="back")
            assert back.json() == {"patron": "bob-1", "balance": "0.00", "entry": made.json()["entry"] + 1}
        problem(await cashier.ask("POST", "/api/cage/bob-1/reverse", taken), 409, "reversed_before")

    run(tmp_path, work)


@pytest.mark.parametrize("key", ["a\tb", "k" * 101, "\x7f", "key \u00e9"])
def test_a_key_is_a_line_of_at_most_100_plain_characters(tmp_path: Path, key: str) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        headers = [(name.encode(), value.encode()) for name, value in ann.headers("POST").items()]
        headers.append((b"Idempotency-Key", key.encode("latin-1")))
        answer = await ann.http.post(f"/api/tables/{TABLE}/commands", json={"do": "sit", "seat": 1}, headers=headers)
        problem(answer, 400, "unreadable")

    run(tmp_path, work)


# --- the socket


def test_the_socket_shows_every_change_and_answers_commands(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await seated(house)
        watching, playing = house.stranger().socket(TABLE), ann.socket(TABLE)
        assert set(await watching.next()) == {"version", "view", "entries"}
        await playing.next()
        playing.send(json.dumps({"key": "a", "do": "place_wager", "seat": 1, "wager": "ante", "amount": "10.00"}))
        answer = await playing.answer("a")
        assert set(answer) == {"key", "ok"}
        assert set(answer["ok"]) == {"version", "entries", "view"}
        shown = await watching.next()
        assert shown["version"] == answer["ok"]["version"]
        assert [entry["event"] for entry in shown["entries"]] == ["wager_placed/1"]
        playing.send(json.dumps({"key": "b", "do": "decide", "seat": 1, "choice": "1x"}))
        refused = await playing.answer("b")
        assert set(refused) == {"key", "refused"}
        assert {"code", "clause", "reading", "message", "allowed"} <= set(refused["refused"])
        assert refused["refused"]["status"] == 409
        watching.send(json.dumps({"key": "c", "do": "sit", "seat": 2}))
        assert (await watching.answer("c"))["refused"]["code"] == "not_signed_in"
        for text in ("{", "[]", "7", '{"do": "sit"}', '{"key": ""}', '{"key": 5}', '{"key": "d", "key": "d"}', "NaN"):
            watching.send(text)
            assert (await watching.answer(None))["refused"]["code"] == "unreadable"
        await watching.close()
        await playing.close()

    run(tmp_path, work)


def test_a_socket_of_another_site_or_a_wrong_token_does_not_open(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        for headers in ({"origin": "http://elsewhere.example"}, {"host": "rebound.example"}):
            assert (await ann.socket(TABLE, headers).next("websocket.http.response.start"))["status"] == 403
        wrong = Visitor(house.app, "device", token="t1.wrong")
        assert (await wrong.socket(TABLE).next("websocket.http.response.start"))["status"] == 401
        unknown = ann.socket("nowhere")
        assert (await unknown.next("websocket.http.response.start"))["status"] == 404
        body = json.loads((await unknown.next("websocket.http.response.body"))["body"])
        assert (body["code"], body["message"]) == ("not_found", "there is no such table")

    run(tmp_path, work)


def test_a_caller_has_twenty_live_sockets_at_most(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann = await house.visitor("ann")
        sockets = [ann.socket(TABLE) for _ in range(20)]
        for socket in sockets:
            await socket.next()
        refused = await ann.socket(TABLE).next("websocket.http.response.start")
        assert (refused["status"], dict(refused["headers"])[b"retry-after"]) == (429, b"1")
        await sockets.pop().close()
        sockets.append(ann.socket(TABLE))
        await sockets[-1].next()
        for socket in sockets:
            await socket.close()

    run(tmp_path, work)


def test_whoever_is_signed_out_sees_nothing_more_on_a_socket(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann, bob = await seated(house), await house.visitor("bob")
        socket = ann.socket(TABLE)
        await socket.next()
        await ann.ask("DELETE", "/api/session?everywhere=true")
        house.clock.advance(5)
        await bob.command(TABLE, "sit", seat=2)
        assert (await socket.next("websocket.close"))["code"] == 1008

    run(tmp_path, work)


def test_a_revoked_token_is_over_on_an_open_socket_too(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        device = await house.device(["register"])
        socket = device.socket(TABLE)
        await socket.next()
        operator = await house.visitor("operator")
        assert (await operator.ask("DELETE", "/api/tokens/t1")).status_code == 200
        socket.send(json.dumps({"key": "a", "do": "register", "seat": 1}))
        assert (await socket.answer("a"))["refused"]["code"] == "not_signed_in"
        await socket.close()

    run(tmp_path, work)


# --- rounds and fairness


def test_rounds_their_stories_and_their_proofs(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        ann, bob = await seated(house), await house.visitor("bob")
        await ann.command(TABLE, "place_wager", seat=1, wager="ante", amount="10.00")
        commitment = (await ann.get(f"/api/tables/{TABLE}")).json()["view"]["commitment"]
        problem(await house.stranger().get(f"/api/fairness/{commitment}"), 409, "not_revealed")
        await house.tick(TABLE, seconds=20)
        await ann.command(TABLE, "decide", seat=1, choice="fold")
        await house.tick(TABLE, seconds=20)
        rounds = (await ann.get(f"/api/rounds?table={TABLE}&from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z")).json()
        assert [(found["id"], found["round"]) for found in rounds] == [(f"{TABLE}-1", 1)]
        msgspec.convert(rounds, list[answers.ToldRound])
        story = (await ann.get(f"/api/rounds/{TABLE}-1")).json()
        msgspec.convert(story, answers.ToldStory)
        assert [entry["event"] for entry in story["story"]][-2:] == ["round_closed/1", "seed_revealed/1"]
        assert (await bob.get("/api/rounds")).json() == []
        problem(await bob.get(f"/api/rounds/{TABLE}-1"), 404)
        problem(await bob.get("/api/rounds?patron=ann-1"), 403)
        for time in (
            "0.5",
            "1767225600",
            "2026-01-01",
            "2026-01-01T20:00:00",
            "yesterday",
            "0001-01-01T00:00:00%2B14:00",
        ):
            problem(await ann.get(f"/api/rounds?to={time}"), 400, "unreadable")
        problem(await house.stranger().get("/api/rounds"), 401)
        proof = (await house.stranger().get(f"/api/fairness/{commitment}")).json()
        assert proof["holds"] is True
        assert proof["proof"]["commitment"] == commitment
        problem(await house.stranger().get(f"/api/fairness/{'0' * 64}"), 404)
        problem(await house.stranger().get("/api/fairness/xyz"), 400)

    run(tmp_path, work)


# --- the answers are what the document says


def test_every_answer_is_what_the_document_says(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        operator, ann = await house.visitor("operator"), await seated(house)
        told: list[tuple[str, Any]] = [
            ("/api/session", answers.ToldSession),
            ("/api/demo", list[answers.ToldDemo]),
            ("/api/tables", list[answers.ToldListed]),
            (f"/api/tables/{TABLE}", answers.ToldTable),
            ("/api/people", list[answers.ToldPerson]),
            ("/api/people/ann-1", answers.ToldPerson),
            ("/api/house", answers.ToldHouse),
            ("/api/house/tables", list[answers.ToldHouseTable]),
            ("/api/tokens", list[answers.ToldTokenHeld]),
            ("/api/submissions", list[answers.ToldSubmission]),
            ("/api/submissions/md-let-it-ride/1", answers.ToldSubmission),
            ("/api/cage/ann-1", answers.ToldAccount),
            ("/healthz", answers.ToldStatus),
            ("/readyz", answers.ToldStatus),
        ]
        for path, kind in told:
            answer = await operator.get(path)
            assert answer.status_code == 200, answer.text
            msgspec.convert(answer.json(), kind)
        bet = await ann.command(TABLE, "place_wager", seat=1, wager="ante", amount="10.00")
        msgspec.convert(bet.json(), answers.ToldCommand)
        await house.tick(TABLE, seconds=20)
        msgspec.convert((await ann.get(f"/api/tables/{TABLE}")).json(), answers.ToldTable)
        token = {"device": "shoe", "scope": ["register"]}
        msgspec.convert((await operator.ask("POST", "/api/tokens", token)).json(), answers.ToldToken)
        limits = (await ann.ask("POST", "/api/people/ann-1/limits", {"loss_day": "100.00", "minutes_day": None})).json()
        assert msgspec.convert(limits, answers.ToldLimits).loss_day == "100.00"
        paused = await operator.ask("POST", f"/api/tables/{TABLE}/pause")
        msgspec.convert(paused.json(), answers.ToldHouseTable)

    run(tmp_path, work)


def test_a_device_that_is_called_like_a_person_is_nobody_else(tmp_path: Path) -> None:
    async def work(house: HttpHouse) -> None:
        issue = commands.IssueToken(
            token="t9", device="operator-1", scope=("register",), tables=(), expires=house.clock().replace(day=3)
        )
        text = await Tokens(house.people.house).issue("operator-1", issue, house.clock(), factor=True)
        device = Visitor(house.app, "device", token=text)
        for method, path, body in (
            ("POST", "/api/people", {"name": "Eve", "password": "a long enough one", "roles": ["operator"]}),
            ("PATCH", "/api/people/ann-1", {"suspended": True}),
            ("POST", "/api/people/ann-1/password", {}),
            ("GET", "/api/people/operator-1", None),
            ("GET", "/api/cage/operator-1", None),
            ("POST", "/api/tokens", {"device": "x", "scope": ["register"]}),
            ("POST", f"/api/tables/{TABLE}/pause", None),
            ("GET", "/api/rounds", None),
        ):
            problem(await device.ask(method, path, body), 403)

    run(tmp_path, work)
