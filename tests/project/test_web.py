"""The pages, browsed without scripts: whole rounds by forms alone, and nothing that a page may not do or show."""

import asyncio
import base64
import re
import threading
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Final, cast

import httpx
import pytest
from litestar import Router

from croupier.cards import Card
from croupier.games import awaiting
from croupier.house import DEMO_PASSWORD
from croupier.house.second_factor import code_at
from croupier.rulebook import check, read_submission, rulebook_ids
from croupier.server import TablePlan, now
from croupier.server.rates import Rates
from croupier.table import Person, Table, view
from croupier.web import PAGES
from croupier.web.attempts import FAILED, WorkedOut
from croupier.web.edges import Edges, HouseEdge
from croupier.web.shell import LOOK, own_path
from croupier.web.words import card_face
from support.browser import HOUSE, Browser, Form, HouseForBrowsers, ThePage, browse
from support.lent_routes import EDGE

BY_HAND: Final = str(len(rulebook_ids()) + 1)
"""The table with real cards."""
HOSTILE: Final = '"><img src=x onerror=alert(1)>'


def offered(page: ThePage, do: str) -> Form:
    form = page.offering(do)
    assert form is not None, (do, [form.do for form in page.forms], page.text)
    return form


def posting(page: ThePage, ending: str) -> Form:
    form = page.going_to(ending)
    assert form is not None, (ending, [form.action for form in page.forms])
    return form


async def give(
    browser: Browser, table: str, do: str, *, button: tuple[str, str] | None = None, **values: str
) -> ThePage:
    """Send the form for a command at a table, by its first button if none is named."""
    form = offered(await browser.see(f"/tables/{table}?forms=all"), do)
    answer = await browser.send(form, values, button=button or form.buttons[0])
    assert answer.status == 200, answer.text
    return answer


async def sit_down(browser: Browser, table: str) -> ThePage:
    await give(browser, table, "sit")
    return await give(browser, table, "buy_in", amount="500")


async def play_on(browser: Browser, table: str) -> ThePage:
    """Decide by the first button until the round is over."""
    page = await browser.see(f"/tables/{table}")
    for _ in range(200):
        page = await browser.see(f"/tables/{table}")
        decide = page.offering("decide")
        if decide is not None:
            assert not page.refresh
            page = await browser.send(decide, button=decide.buttons[0])
        if "Last round" in page.text:
            return page
        await asyncio.sleep(0.02)
    raise AssertionError(page.text)


def well_made(page: ThePage) -> None:
    """What holds for every page: no script or style inside, every input named, every id once."""
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [tag for tag, _ in page.tags if tag in {"style", "iframe", "object"}]
    assert all(given.get("src", "").startswith("/static/") for tag, given in page.tags if tag == "script")
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    policy = page.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'")
    inputs = [given for tag, given in page.tags if tag in {"input", "select"}]
    shown = [given for given in inputs if given.get("type") not in {"hidden", "checkbox"}]
    assert {given["id"] for given in shown} <= page.labels
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in page.links)
    assert all(form.action.startswith("/") for form in page.forms)
    assert all("csrf" in form.fields for form in page.forms if form.method == "post")


# --- playing


def test_a_round_of_every_rulebook_is_played_through_the_pages(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        for number, book in enumerate(rulebook_ids(), 1):
            table = str(number)
            well_made(await ann.see(f"/tables/{table}"))
            page = await sit_down(ann, table)
            well_made(page)
            bets = posting(page, "/bets")
            assert not page.refresh, "a form is there to be filled in"
            page = await ann.send(bets)
            assert page.path == f"/tables/{table}", book
            assert page.refresh, "the others and the dealer are awaited"
            well_made(await ann.see(f"/tables/{table}?forms=all"))
            page = await play_on(ann, table)
            well_made(page)
            story = await ann.see(f"/rounds/{table}-1")
            assert "The round is closed" in story.text
            well_made(story)
            proof = next(link for link in story.links if link.startswith("/fairness/"))
            assert proof in page.links
            checked = await ann.see(proof)
            assert "It holds." in checked.text
            well_made(checked)
            assert (await ann.http.get(f"{proof}/proof.json")).json()["commitment"] in proof
        listed = await ann.see("/rounds")
        assert {f"/rounds/{number}-1" for number in range(1, len(rulebook_ids()) + 1)} <= set(listed.links)
        well_made(listed)
        bob = await house.browser("bob")
        assert (await bob.see("/rounds/1-1")).status == 404
        assert (await bob.see("/rounds")).links.count("/rounds/1-1") == 0

    browse(tmp_path, visit)


def test_a_round_is_dealt_by_hand_through_the_pages(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, floor, dealer = [await house.browser(name) for name in ("ann", "floorperson", "dealer")]
        people = {"ann": ann, "floor": floor, "dealer": dealer}
        await give(floor, BY_HAND, "assign", post="floorperson", person="floorperson-1")
        await give(floor, BY_HAND, "assign", post="dealer", person="dealer-1")
        while (await floor.see(f"/tables/{BY_HAND}")).offering("attest") is not None:
            await give(floor, BY_HAND, "attest", reference="approval 7")
        await give(dealer, BY_HAND, "count_inventory", amount="50000")
        await give(floor, BY_HAND, "verify_inventory")
        await give(floor, BY_HAND, "receive_deck", deck=HOSTILE, back="red")
        await give(floor, BY_HAND, "open_table")
        await sit_down(ann, BY_HAND)
        steps = "dealer inspect_deck, floor verify_deck, dealer spread_deck, dealer offer_deck, dealer turn_down_deck,"
        steps += " dealer wash_deck, dealer stack_deck, dealer shuffle_deck"
        for step in steps.split(","):
            who, do = step.split()
            well_made(await people[who].see(f"/tables/{BY_HAND}"))
            await give(people[who], BY_HAND, do)
        await give(dealer, BY_HAND, "cut_deck", depth="20")
        await give(dealer, BY_HAND, "load_deck")
        await ann.send(posting(await ann.see(f"/tables/{BY_HAND}"), "/bets"))
        for do in ("perform", "deal", "rack_stub"):
            await give(dealer, BY_HAND, do)
        for card in ("2c", "7d", "9h"):
            assert (await dealer.see(f"/tables/{BY_HAND}")).refresh, "a player is awaited"
            page = await ann.see(f"/tables/{BY_HAND}")
            await ann.send(offered(page, "decide"), button=("choice", "1x"))
            page = await dealer.see(f"/tables/{BY_HAND}")
            well_made(page)
            pad = offered(page, "reveal")
            assert ("cards", card) in pad.buttons
            page = await dealer.send(pad, button=("cards", card))
            assert page.status == 200, page.text
            assert card_face(card).words in page.html
        page = await dealer.see(f"/tables/{BY_HAND}")
        refused = await dealer.send(offered(page, "reveal"), cards="2c 7d")
        assert refused.status == 409, "these cards lie on the board"
        assert "Refused." in refused.text
        await give(dealer, BY_HAND, "reveal", cards="ks kd")
        await give(dealer, BY_HAND, "settle")
        await give(dealer, BY_HAND, "close")
        page = await ann.see(f"/tables/{BY_HAND}")
        assert "Pair of kings" in page.text
        assert "$540" in page.text
        assert "<img" not in (await dealer.see(f"/tables/{BY_HAND}?forms=all")).html

    browse(tmp_path, visit)


def test_a_form_that_is_sent_twice_does_nothing_twice(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        form = offered(await ann.see("/tables/1?forms=all"), "sit")
        for _ in range(2):
            assert (await ann.send(form, button=form.buttons[0])).status == 200
        form = offered(await ann.see("/tables/1?forms=all"), "buy_in")
        first, second = await asyncio.gather(ann.send(form, amount="100"), ann.send(form, amount="100"))
        assert first.status == second.status == 200
        page = await ann.see("/tables/1?forms=all")
        assert "$100" in page.text
        form = posting(page, "/bets")
        for _ in range(2):
            await ann.send(form)
        assert "$90" in (await ann.see("/tables/1")).text

    browse(tmp_path, visit)


def test_a_refusal_is_shown_at_the_table_with_its_clause(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        page = await sit_down(ann, "4")
        answer = await ann.send(posting(page, "/bets"), {"bet.ante": "12.50"})
        assert answer.status == 409
        assert "Refused." in answer.text
        assert "clause 7.E" in answer.text or "clause 7" in answer.text
        assert answer.going_to("/bets") is not None
        well_made(answer)
        answer = await ann.send(posting(page, "/bets"), {"bet.ante": "ten"})
        assert answer.status == 400
        assert "Refused." in answer.text

    browse(tmp_path, visit)


# --- secrets


def test_no_page_shows_a_card_to_somebody_who_may_not_see_it(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, bob = await house.browser("ann"), await house.browser("bob")
        staff = [await house.browser(name) for name in ("floorperson", "operator", "auditor")]
        everybody = {"ann": ann, "bob": bob, "nobody": await house.browser()} | {
            f"staff {number}": browser for number, browser in enumerate(staff)
        }
        for table in map(str, range(1, len(rulebook_ids()) + 1)):
            for browser in (ann, bob):
                await sit_down(browser, table)
            await asyncio.gather(*[b.send(posting(await b.see(f"/tables/{table}"), "/bets")) for b in (ann, bob)])
            live = house.desk.hall.live[table]
            for _ in range(500):
                if live.table.round is not None and awaiting(live.table.round).kind == "decision":
                    break
                await asyncio.sleep(0.02)
            assert live.table.round is not None
            dealt = {card for card in live.table.round.faces.known if card is not None}
            assert len(dealt) > 4
            for name, browser in everybody.items():
                for address in (f"/tables/{table}", f"/tables/{table}?forms=all"):
                    page = await browser.see(address)
                    assert page.status == 200
                    shown = {card for card in dealt if names(page, card)}
                    own = {
                        Card(code)
                        for box in view(live.table).seats
                        for code in seen_by(name, live.table, box.seat)
                        if code != "??"
                    }
                    public = {Card(code) for _, codes in view(live.table).cards for code in codes if code != "??"}
                    assert shown <= own | public, (name, table, address)
                    if name == "ann":
                        assert shown, "a player sees their own cards"
            assert (await bob.see(f"/rounds/{table}-1")).status == 404
            commitment = view(live.table).commitment
            assert (await bob.see(f"/fairness/{commitment}")).status == 409

    browse(tmp_path, visit)


def names(page: ThePage, card: Card) -> bool:
    """Whether a page names a card, in words or as a code."""
    face = card_face(str(card))
    text = " ".join(page.text.split())
    return face.words in text or face.words in page.html or re.search(rf"\b{card}\b", page.html) is not None


def seen_by(name: str, table: Table, seat: int) -> tuple[str, ...]:
    who = Person("player", f"{name}-1") if name in {"ann", "bob"} else None
    return next(box.cards for box in view(table, who).seats if box.seat == seat)


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        form = posting(await browser.see("/sign-in"), "/sign-up")
        page = await browser.send(form, name=HOSTILE, password="a long enough password")
        assert page.status == 200, page.text
        assert HOSTILE in page.text
        pages = [page, await browser.see("/account"), await sit_down(browser, "1")]
        other = await house.browser("ann")
        pages += [await other.see("/tables/1"), await other.see(f"/rounds?table={HOSTILE}")]
        pages += [await other.see(f"/tables/{HOSTILE}"), await other.see(f"/sign-in?then={HOSTILE}")]
        wrong = posting(await (await house.browser()).see("/sign-in"), "/sign-in")
        pages.append(await (await house.browser()).send(wrong, name=HOSTILE, password="wrong"))
        assert pages[-1].status == 401
        for seen in pages:
            assert "<img" not in seen.html
            well_made(seen)
        assert HOSTILE in pages[3].text

    browse(tmp_path, visit)


# --- what pages may do


def unsafe_routes() -> list[str]:
    """Every address of the pages that changes something."""
    (router,) = PAGES.routes
    assert isinstance(router, Router)
    return sorted(
        route.path for route in router.routes if {"POST", "PUT", "PATCH", "DELETE"} & set(getattr(route, "methods", ()))
    )


def test_every_form_needs_the_token_of_its_session(tmp_path: Path) -> None:
    routes = unsafe_routes()
    assert len(routes) >= 9

    async def visit(house: HouseForBrowsers) -> None:
        house.desk.requests = Rates(per_second=1e9, burst=1e9)  # type: ignore[misc] # faster than people ask
        ann, bob = await house.browser("ann"), await house.browser("bob")
        other = posting(await bob.see("/account"), "/password").fields["csrf"]
        own = posting(await ann.see("/account"), "/password").fields["csrf"]
        before = house.desk.house.state
        for path in routes:
            address = re.sub(r"\{\w+:\w+\}", "1", path)
            sent: list[httpx.Response] = [
                await ann.http.post(address, data=fields, headers={"origin": HOUSE})
                for fields in ({}, {"csrf": ""}, {"csrf": other}, {"csrf": own[:-1]}, {"do": "sit", "seat": "1"})
            ]
            sent += [
                await ann.http.post(address, json={"csrf": own}),
                await ann.http.post(address, content=f"csrf={own}", headers={"content-type": "text/plain"}),
                await ann.http.post(address, files={"csrf": (None, own)}),
                await ann.http.post(address, data={}, headers={"x-csrf-token": own}),
                await ann.http.post(address, data={"csrf": own}, headers={"origin": "https://elsewhere.test"}),
                await ann.http.post(address, data={"csrf": own}, headers={"sec-fetch-site": "cross-site"}),
            ]
            assert {answer.status_code for answer in sent} == {403}, path
        assert house.desk.house.state == before
        assert (await ann.see("/account")).status == 200, "still signed in"
        stranger = await house.browser()
        for path in routes:
            address = re.sub(r"\{\w+:\w+\}", "1", path)
            answer = await stranger.http.post(address, headers={"origin": "https://else.test"})
            assert answer.status_code == 403, path

    browse(tmp_path, visit)


def test_only_our_own_addresses_are_gone_on_to(tmp_path: Path) -> None:
    for text in (
        "//else.test",
        "https://else.test",
        "/\\else.test",
        "/%0d%0aset-cookie: a=b\r\n",
        "",
        "javascript:alert(1)",
    ):
        assert not own_path(text).startswith(("//", "/\\", "h", "j")), text
        assert "\n" not in own_path(text)

    async def visit(house: HouseForBrowsers) -> None:
        for then, path in (("/tables/2", "/tables/2"), ("//else.test", "/"), ("https://else.test/", "/")):
            browser = await house.browser()
            form = posting(await browser.see(f"/sign-in?then={then}"), "/sign-in")
            page = await browser.send(form, name="ann", password=DEMO_PASSWORD, then=then)
            assert (page.status, page.path) == (200, path)

    browse(tmp_path, visit)


def test_a_form_leads_back_to_the_page_that_it_was_sent_from(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann = await house.browser("ann")
        fields = posting(await ann.see("/account"), "/account/password").fields
        sent_from = (
            (f"{HOUSE}/account?show=devices", "/account?show=devices"),
            ("https://elsewhere.test/account", "/"),
            (f"{HOUSE}//elsewhere.test", "/"),
            ("http://[", "/"),
            ("", "/"),
        )
        for referer, back in sent_from:
            headers = {"origin": HOUSE} | ({"referer": referer} if referer else {})
            page = ThePage(await ann.http.post("/account/password", data=fields, headers=headers))
            assert page.status >= 400, "a password is missing"
            assert posting(page, "/look").fields["then"] == back
        ann.http.cookies.clear()
        headers = {"origin": HOUSE, "referer": f"{HOUSE}/account"}
        page = ThePage(await ann.http.post("/account/password", data=fields, headers=headers))
        assert page.status == 401
        assert posting(page, "/sign-in").fields["then"] == "/account"

    browse(tmp_path, visit)


def test_problems_are_pages_for_browsers_and_details_for_programs(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        for path, status in (("/nothing/here", 404), ("/tables/99", 404), ("/rounds", 401), ("/account", 401)):
            page = await browser.see(path)
            assert page.status == status
            well_made(page)
            answer = await browser.http.get(path, headers={"accept": "*/*"})
            assert answer.status_code == status
            assert answer.headers["content-type"].startswith("application/problem+json")
        page = await browser.see("/nothing/here")
        assert 'aria-current="page"' not in page.html, "it is no page of the bar"
        assert "A demonstration:" in page.text
        browser.http.cookies.set(LOOK, "dark")
        assert 'data-theme="dark"' in (await browser.see("/nothing/here")).html, "as somebody chose it"
        page = await browser.see("/account")
        assert posting(page, "/sign-in").fields["then"] == "/account"
        found = posting(await browser.see("/rounds?table=2&from=2026-01-01&done=yes"), "/sign-in")
        assert found.fields["then"] == "/rounds?table=2&from=2026-01-01", "what was asked for, not what was done"
        answer = await browser.http.get("/api/tables/99")
        assert answer.headers["content-type"].startswith("application/problem+json"), "the API speaks JSON"
        assert (await browser.http.get("/sign-out")).status_code == 405
        house.desk.requests = Rates(per_second=0.01, burst=2)  # type: ignore[misc] # soon too often
        page = [await browser.see("/") for _ in range(3)][-1]
        assert page.status == 429
        assert int(page.headers["retry-after"]) >= 1

    browse(tmp_path, visit)


def test_something_unforeseen_is_a_page_without_its_reasons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()

        def fail(*_: object) -> None:
            raise RuntimeError("a secret reason")

        monkeypatch.setattr(house.desk.hall, "tables", fail)
        page = await browser.see("/")
        assert page.status == 500
        assert "secret" not in page.html
        well_made(page)

    browse(tmp_path, visit)


# --- accounts


def test_after_the_time_of_an_exclusion_a_button_ends_it(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        bob = await house.browser("bob")
        page = await bob.send(posting(await bob.see("/account"), "/exclusion"), days="7", sure="yes")
        assert page.going_to("/exclusion/end") is None
        object.__setattr__(house.desk.doors, "now", lambda: now() + timedelta(days=8))
        bob = await house.browser("bob")
        page = await bob.see("/account")
        well_made(page)
        page = await bob.send(posting(page, "/exclusion/end"))
        assert "you may play again" in page.text
        answer = await bob.send(offered(await bob.see("/tables/1?forms=all"), "sit"), button=("seat", "1"))
        assert "exclu" not in answer.text

    browse(tmp_path, visit)


def test_an_account_is_looked_after_by_its_page(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        ann, elsewhere = await house.browser("ann"), await house.browser("ann")
        page = await ann.see("/account")
        well_made(page)
        wrong = await ann.send(posting(page, "/password"), old="wrong", password="another long password")
        assert wrong.status in {401, 403, 409}
        assert "Refused." in wrong.text
        page = await ann.send(posting(page, "/password"), old=DEMO_PASSWORD, password="another long password")
        assert "Your password is changed" in page.text
        assert (await elsewhere.see("/account")).status == 401, "other sessions end"
        page = await ann.send(posting(page, "/limits"), loss_day="50", minutes_day="90")
        assert "Now $50" in page.text
        assert "Now 90" in page.text
        page = await ann.send(posting(page, "/second-factor"))
        well_made(page)
        secret = re.search(r"secret=([A-Z2-7]+)", page.text)
        assert secret is not None
        code = code_at(base64.b32decode(secret[1] + "=" * (-len(secret[1]) % 8)), now())
        confirm = posting(page, "/confirm")
        assert "Refused." in (await ann.send(confirm, code="000000", password="another long password")).text
        page = await ann.send(confirm, code=code, password="another long password")
        assert page.text.count("-") >= 8, "recovery codes"
        well_made(page)
        page = await ann.see("/account")
        page = await ann.send(posting(page, "/exclusion"), days="7", sure="yes")
        assert page.text.count("You are excluded from play") == 1
        assert re.findall(r"<option value=\"(\d*)\"", page.html) == ["7", "30", "180", "365", ""], "not shorter"
        assert "Extend the exclusion" in page.text
        answer = await ann.send(offered(await ann.see("/tables/1?forms=all"), "sit"), button=("seat", "1"))
        assert "you are excluded" in answer.text.lower()
        everywhere = next(form for form in page.forms if form.fields.get("everywhere") == "yes")
        assert (await ann.send(everywhere)).path == "/"
        assert (await ann.see("/account")).status == 401

    browse(tmp_path, visit)


def test_the_lobby_and_the_style_sheet(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        page = await browser.see("/")
        well_made(page)
        for book in ("Mississippi Stud", "High Card Flush", "Let It Ride", "Massachusetts", "Maryland"):
            assert book in page.text
        assert "6 of 6 open" in page.text
        while "being computed" in page.text:
            page = await browser.see("/")
        assert "4.9149%" in page.text
        assert f"exactly {EDGE} of one ante" in page.text
        style = next(given["href"] for tag, given in page.tags if given.get("rel") == "stylesheet")
        sheet = await browser.http.get(style)
        assert "immutable" in sheet.headers["cache-control"]
        assert (await browser.http.get("/static/croupier.0.css")).status_code == 404
        assert (await browser.http.get("/")).headers["cache-control"] == "no-store"
        signed = await browser.see("/sign-in")
        well_made(signed)
        assert DEMO_PASSWORD in signed.text
        for path in ("/verify_shuffle.py", "/verify.py"):
            assert (await browser.http.get(path)).status_code == 200

    browse(tmp_path, visit)


def test_a_figure_that_could_not_be_computed_says_so_and_is_tried_again_after_a_while() -> None:
    clock, answers = [0.0], list[object]([OSError("no memory"), [], [None], [HouseEdge(EDGE, "ante")]])

    def work(_: list[str]) -> list[HouseEdge | None]:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return cast("list[HouseEdge | None]", answer)

    submission = read_submission({"rulebook": "md-mississippi-stud"})
    plan = TablePlan(id="1", submission=submission, rules=check(submission).rules())
    figures = WorkedOut[HouseEdge](work, lambda: clock[0])

    def told(after: float) -> str:
        clock[0] = after
        figures.of([plan])
        for thread in threading.enumerate():
            if thread.name == "figures":
                thread.join(10)
        return figures.why_not(plan)

    assert told(0) == FAILED, "an error"
    assert told(14) == FAILED, "too early"
    assert len(answers) == 3
    assert told(16) == FAILED, "no answer"
    assert told(45) == FAILED, "twice as long"
    assert told(47) == "no exact figure by these rules"
    assert told(9_999) == "no exact figure by these rules", "an answer is final"
    assert len(answers) == 1


def test_edges_are_priced_once_and_never_waited_for() -> None:
    asked: list[list[str]] = []
    go, done = Event(), Event()

    def price(texts: list[str]) -> list[HouseEdge | None]:
        go.wait(10)
        asked.append(texts)
        done.set()
        return [HouseEdge(EDGE, "ante") for _ in texts]

    submission = read_submission({"rulebook": "md-mississippi-stud"})
    plans = [TablePlan(id=table, submission=submission, rules=check(submission).rules()) for table in ("1", "2")]
    edges = Edges(price)
    assert edges.of(plans) == edges.of(plans) == {"1": None, "2": None}
    go.set()
    done.wait(10)
    assert len(asked) == len(asked[0]) == 1, "the two tables have the same rules"
