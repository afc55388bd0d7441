"""The pages, asked by somebody who wants them to fail: every answer is a page that says what is wrong."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from croupier.documents import PAPER_REFUSED, PaperAsked
from croupier.house import Tokens, commands
from croupier.ledger import awards_of
from croupier.server import now
from croupier.server.gate import Surroundings, TooSlow, read_body
from croupier.store import AWARD_EVENTS, Span, posted_entries
from croupier.table import Person
from croupier.web.bench_work import Workshop, WorkshopFailed
from croupier.web.practice_kept import DRILLS
from croupier.web.shell import own_path
from support import pit
from support.browser import HOUSE, Browser, Form, HouseForBrowsers, browse

Told: TypeAlias = Callable[[], Awaitable[str]]
DRILL: Final = "0_0_0_1_!md-mississippi-stud~standard~{}~1~0~Jc5d~"


def test_a_day_at_the_end_of_the_calendar_is_no_failure(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        auditor, stranger = await house.browser("auditor"), await house.browser()
        for day in ("9999-12-31", "0000-00-00"):
            for path in ("/rounds", "/audit", "/audit/day.csv"):
                assert (await auditor.see(f"{path}?day={day}")).status == 400, path
                assert (await stranger.see(f"{path}?day={day}")).status < 500, path

    browse(tmp_path, visit)


def test_an_answer_to_one_decision_is_never_taken_for_the_next(tmp_path: Path) -> None:
    """Two windows of one player, both asked about third street: the second to answer is told, and nothing folds."""

    async def visit(house: HouseForBrowsers) -> None:
        ann, table = await house.browser("ann"), "/tables/4"
        for do, name, value in (("sit", "seat", "2"), ("buy_in", "amount", "500")):
            form = (await ann.see(f"{table}?forms=all")).offering(do)
            assert form is not None
            await ann.send(form, {name: value})
        form = (await ann.see(table)).going_to("/bets")
        assert form is not None
        await ann.send(form)

        async def deciding(on: str) -> Form:
            for _ in range(200):
                page = await ann.see(table)
                form = page.offering("decide")
                if form is not None:
                    assert f"Your decision on {on}" in page.text
                    return form
                await asyncio.sleep(0.02)
            raise AssertionError(on)

        one, other = await deciding("third street"), await deciding("third street")
        bet = await ann.send(one, button=("choice", "1x"))
        assert bet.status == 200
        late = await ann.send(other, button=("choice", "fold"))
        assert late.status == 409
        assert "this decision was made already" in late.text.casefold()
        assert (await ann.send(one, button=("choice", "1x"))).status == 200, "the same answer again"
        await deciding("fourth street")

        # Nor does whoever was out of time.
        asked = {name: one.fields[name].replace("-20", "-19") for name in ("asked", "key")}
        late = await ann.send(one, typed=asked, button=("choice", "fold"))
        assert late.status == 409
        assert "its time was over" in late.text
        await deciding("fourth street")

    browse(tmp_path, visit)


def test_a_version_with_more_digits_than_a_number_can_have_is_not_one(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        auditor = await house.browser("auditor")
        form = (await auditor.see("/simulations")).going_to("/simulations")
        assert form is not None
        for number in ("9" * 5000, "²", "٣"):
            page = await auditor.send(form, house=f"md-mississippi-stud/{number}")
            assert page.status == 400
            assert "choose a house from the list" in page.text.casefold()

    browse(tmp_path, visit)


def test_drills_that_nobody_can_have_leave_the_trainer_as_it_is(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        stranger = await house.browser()
        for row in ("2", ".", "2.999", "a.b", "9" * 16):
            stranger.http.cookies.set(DRILLS, DRILL.format(row))
            for path in ("/trainer", "/trainer/drills"):
                assert (await stranger.see(path)).status == 200, (row, path)

    browse(tmp_path, visit)


def test_a_form_has_the_text_and_the_keys_that_the_api_takes(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, str], str]] = [
        ({"key": "a\0b"}, "U+0000"),
        ({"words\0": "x"}, "U+0000"),
        ({"key": "line\nline"}, "100 plain characters"),
        ({"key": "x" * 101}, "100 plain characters"),
        ({"key": "ключ"}, "100 plain characters"),
    ]

    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        form = (await ann.see("/account")).going_to("/limits")
        assert form is not None
        before = house.desk.house.state
        for fields, said in wrong:
            page = await ann.send(form, fields, loss_day="100")
            assert page.status == 400, fields
            assert said in page.text
        assert house.desk.house.state == before
        assert (await ann.send(form, loss_day="100")).status == 200

    browse(tmp_path, visit)


def test_an_address_with_an_empty_part_is_not_one_of_ours() -> None:
    for text in ("/.//else.test", "/..//else.test", "/tables//else.test"):
        assert own_path(text) == "/", text
    assert own_path("/rounds?table=1") == "/rounds?table=1"


def test_a_host_has_no_name_before_it() -> None:
    here = Surroundings.at("127.0.0.1")
    assert not here.knows("else.test@127.0.0.1:8000")
    assert here.knows("127.0.0.1:8000")


def test_an_exclusion_is_shown_in_the_time_that_the_page_says(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        cashier, bob = await house.browser("cashier"), await house.browser("bob")
        session = (await cashier.http.get("/api/session")).json()
        headers = {"origin": HOUSE, "x-csrf-token": session["csrf"]}
        path = "/api/people/bob-1/exclusion"
        late = await cashier.http.post(path, json={"until": "9999-12-31T23:59:59-23:59"}, headers=headers)
        assert late.status_code == 400
        assert late.json()["detail"].startswith("until: ")
        sent = await cashier.http.post(path, json={"until": "2099-12-01T00:00:00-05:00"}, headers=headers)
        assert sent.json()["excluded_until"] == "2099-12-01T05:00:00Z"
        assert "2099-12-01 05:00:00 UTC" in (await bob.see("/account")).text

    browse(tmp_path, visit)


@pytest.mark.parametrize(
    ("code", "stderr", "said"),
    [
        (-9, b"", "the paper could not be made; it was noted"),
        (1, b"Traceback\nKeyError: 'inside'\n", "the paper could not be made; it was noted"),
        (PAPER_REFUSED, b"a warning\noperator: it does not fit\n", "operator: it does not fit"),
    ],
)
def test_a_paper_that_fails_says_no_more_than_a_reader_may_know(
    monkeypatch: pytest.MonkeyPatch, code: int, stderr: bytes, said: str
) -> None:
    def ended(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, code, b"", stderr)

    monkeypatch.setattr("croupier.web.bench_work.subprocess.run", ended)
    asked = PaperAsked(submission="", paper="sign.html")
    with pytest.raises(WorkshopFailed, match=f"^{re.escape(said)}$"):
        asyncio.run(Workshop().paper(asked))


def test_signing_out_by_the_page_leaves_nothing_in_the_browser(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        form = (await ann.see("/account")).going_to("/sign-out")
        assert form is not None
        page = await ann.http.post("/sign-out", data=form.fields, headers={"origin": HOUSE}, follow_redirects=False)
        assert page.status_code == 303
        assert page.headers["clear-site-data"] == '"cache", "storage"'

    browse(tmp_path, visit)


def test_a_form_that_a_page_sends_by_itself_keeps_nobody_from_becoming_idle(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        operator = await house.browser("operator")
        form = (await operator.see("/account")).going_to("/password")
        assert form is not None
        start, sent = now(), {"name": "a", "rulebook": "md-let-it-ride", "csrf": form.fields["csrf"]}
        for minute in range(0, 30, 5):
            house.desk.doors.now = lambda: start + timedelta(minutes=minute)  # type: ignore[misc] # noqa: B023 - called at once
            page = await operator.http.post("/workbench/edit?again=yes", data=sent, headers={"origin": HOUSE})
            assert page.status_code == (200 if minute < 15 else 401), minute

    browse(tmp_path, visit)


@pytest.mark.parametrize("how", ["sign-out", "roles"])
def test_a_page_that_is_open_shows_nothing_more_to_whoever_is_not_who_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("croupier.server.sockets._STILL_SIGNED_IN", 0.05)

    async def visit(house: HouseForBrowsers) -> None:
        dealer, operator = await house.browser("dealer"), await house.browser("operator")
        async with open_page(house, dealer, "/tables/1/watch") as told:
            assert "websocket.send" in await told()
            who, path, method = dealer, "/api/session?everywhere=true", "DELETE"
            if how == "roles":
                who, path, method = operator, "/api/people/dealer-1", "PATCH"
            token = (await who.http.get("/api/session")).json()["csrf"]
            sent = {"origin": HOUSE, "x-csrf-token": token}
            body = {"roles": ["dealer", "cashier"]} if how == "roles" else None
            assert (await who.http.request(method, path, json=body, headers=sent)).status_code == 200
            assert "websocket.close" in await told()

    browse(tmp_path, visit)


@asynccontextmanager
async def open_page(
    house: HouseForBrowsers, browser: Browser, path: str
) -> AsyncIterator[Callable[[], Awaitable[str]]]:
    """A live page; what it is told next, as text with its kind."""
    heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    cookie = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    headers = {"host": HOUSE.removeprefix("http://"), "origin": HOUSE, "cookie": cookie}
    scope = {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "subprotocols": [],
        "state": {},
        "extensions": {},
    }
    said.put_nowait({"type": "websocket.connect"})
    serving = asyncio.create_task(house.app(scope, said.get, heard.put))

    async def told() -> str:
        message = await asyncio.wait_for(heard.get(), 5)
        return str(message) if message["type"] != "websocket.accept" else await told()

    try:
        yield told
    finally:
        said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await asyncio.wait_for(serving, 5)


def test_two_who_validate_one_award_at_once_validate_it_once(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        await pit.make_table(house.desk, "9")
        await pit.open_for_ann(house.desk, "9")
        await pit.ann_plays(house.desk, "9", progressive=True, until="verify_award")
        await pit.give(house.desk, "9", Person("dealer", "dealer-1"), "verify_award", seat=1, hand=True, light=True)
        pair = [await house.browser(name) for name in ("floorperson", "floorperson", "supervisor")]
        forms = [(await browser.see("/floor")).offering("validate_award") for browser in pair]
        sent = [browser.send(form) for browser, form in zip(pair, forms, strict=True) if form is not None]
        pages = await asyncio.gather(*sent)
        assert sorted(page.status for page in pages) == [200, 409, 409], [page.text[:300] for page in pages]
        table = house.desk.hall.live["9"].table
        entries = await posted_entries(house.desk.hall.store, Span("table/9", 0, table.seq), AWARD_EVENTS)
        (award,) = awards_of(entries)
        by = [
            name
            for name, page in zip(("floorperson", "floorperson", "supervisor"), pages, strict=True)
            if page.status == 200
        ]
        assert [award.validated_by] == [f"{name}-1" for name in by], "whoever was told so"

    browse(tmp_path, visit)


def test_a_form_s_key_is_its_sender_s_own(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, bob = await house.browser("ann"), await house.browser("bob")
        sits = (await ann.see("/tables/4")).offering("sit")
        theirs = (await bob.see("/tables/4")).offering("sit")
        assert sits is not None
        assert theirs is not None
        assert (await ann.send(sits, seat="1")).status == 200
        stolen = await bob.send(sits, seat="2")
        assert stolen.status == 403, "her form carries the token of her session"
        page = await bob.send(theirs, seat="2", key=sits.fields["key"])
        assert page.status == 200
        seats = dict(house.desk.table("4").table.people.seats)
        assert (seats[1], seats[2]) == ("ann-1", "bob-1"), "her key answers nobody else"

    browse(tmp_path, visit)


def test_the_token_of_a_device_sends_no_form_of_a_page(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, stranger = await house.browser("ann"), await house.browser()
        form = (await ann.see("/tables/4")).offering("sit")
        assert form is not None
        expires = now() + timedelta(days=2)
        issue = commands.IssueToken(token="t9", device="ann-1", scope=("register",), tables=(), expires=expires)
        text = await Tokens(house.desk.house).issue("operator-1", issue, now(), factor=True)
        headers = {"origin": HOUSE, "authorization": f"Bearer {text}"}
        for fields in (form.fields, form.fields | {"csrf": ""}):
            answer = await stranger.http.post(form.action, data=fields | {"seat": "1"}, headers=headers)
            assert answer.status_code == 403, answer.text
        assert dict(house.desk.table("4").table.people.seats) == {}

    browse(tmp_path, visit)


def test_half_a_request_is_answered_when_the_house_closes() -> None:
    async def run() -> None:
        scope: Any = {"path": "/sign-in", "headers": [(b"content-length", b"100")]}
        never: Any = asyncio.Event().wait
        reading = asyncio.create_task(read_body(scope, never))
        await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(TooSlow, match="the house closed before"):
            await reading

    asyncio.run(run())
