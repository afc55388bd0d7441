"""The lobby, the ways in, the account and the help line, browsed without scripts."""

import re
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from croupier.house import DEMO_PASSWORD
from croupier.rulebook import check, read_submission
from croupier.rulebook.submission import PapersTerms
from croupier.web.drawn_cards import sprite
from croupier.web.small_felt import HEIGHT, WIDTH, small_felt
from support.browser import HOUSE, Form, HouseForBrowsers, ThePage, browse
from support.lent_routes import EDGE

LINE: Final = "1-800-000-0000, day and night"


def posting(page: ThePage, ending: str) -> Form:
    form = page.going_to(ending)
    assert form is not None, [form.action for form in page.forms]
    return form


def described(page: ThePage, field: str) -> str:
    """What stands beside a field that is wrong."""
    given = next(given for _, given in page.tags if given.get("id") == field)
    assert given["aria-invalid"] == "true", page.html
    assert f"{field}-finding" in given["aria-describedby"].split()
    found = re.search(rf'id="{field}-finding">(.*?)</p>', page.html, re.DOTALL)
    assert found is not None
    return found[1]


def test_tables_are_pictures_of_themselves_with_what_one_chooses_by(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        stranger, ann, operator = [await house.browser(name) for name in ("", "ann", "operator")]
        page = await stranger.see("/")
        assert page.html.count('class="sit open"') == sum(table.table.house.seats for table in house.desk.hall.tables())
        assert "No real money" in page.text
        assert "/sign-in?then=/tables/1" in page.links
        tiles = page.html.split('<li class="tile"')[1:]
        (closed,) = [tile for tile in tiles if ">Closed<" in tile]
        assert " open</dd>" not in closed, "nobody sits down at a closed table"
        assert sum(" open</dd>" in tile for tile in tiles) == len(tiles) - 1
        table = await stranger.see("/tables/5")
        assert 'aria-label="Seat 1, closed"' in table.html
        assert "to sit down" not in table.text
        while "being computed" in page.text:
            page = await stranger.see("/")
        assert f"exactly {EDGE} of one ante" in page.text
        assert "Take a seat" in (await ann.see("/")).text
        assert "Take a seat" not in (await operator.see("/")).text
        csrf = posting(await ann.see("/account"), "/password").fields["csrf"]
        headers = {"x-csrf-token": csrf, "origin": HOUSE}
        sat = await ann.http.post("/api/tables/1/commands", json={"do": "sit", "seat": 3}, headers=headers)
        assert sat.status_code == 200, sat.text
        page = await ann.see("/")
        assert "Back to seat 3" in page.text
        assert page.html.count('class="sit own"') == 1
        assert (await stranger.see("/")).html.count('class="sit taken"') == 1
        part = await stranger.see("/lobby/tables?again=1&state=Massachusetts")
        assert part.html.count('<li class="tile"') == 1
        assert "<html" not in part.html

    browse(tmp_path, visit)


def test_tables_are_chosen_by_game_and_state_without_scripts(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        page = await browser.see("/")
        link = next(link for link in page.links if "game=High" in link)
        page = await browser.see(link)
        assert page.html.count('<li class="tile"') == 1
        both = next(link for link in page.links if "game=High" in link and "state=Massachusetts" in link)
        page = await browser.see(both)
        assert "No table of this kind is open now" in page.text
        assert "/" in page.links

    browse(tmp_path, visit)


def test_a_small_picture_shows_every_seat_inside_its_frame() -> None:
    for book, wagers in (("md-mississippi-stud", {}), ("md-let-it-ride", {"base": {"paytable": "A"}})):
        house = check(read_submission({"rulebook": book, "wagers": wagers})).rules()
        felt = small_felt(house, {1, 2}, {2})
        assert [seat.state for seat in felt.seats][:3] == ["taken", "own", "open"]
        assert len(felt.seats) == house.seats
        assert all(0 < seat.x < WIDTH and 0 < seat.y < HEIGHT for seat in felt.seats)
        assert felt.seats[0].x > felt.seats[-1].x, "seat 1 is on the right"


def test_what_is_wrong_with_a_form_is_said_beside_its_field(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        page = await browser.see("/sign-in")
        wrong = await browser.send(posting(page, "/sign-in"), name="ann", password="not it")
        assert "wrong" in described(wrong, "password")
        taken = await browser.send(posting(page, "/sign-up"), name="ann", password="a long password of mine")
        assert "choose another name" in described(taken, "new-name")
        short = await browser.send(posting(page, "/sign-up"), name="zoe", password="x")
        assert "characters" in described(short, "new-password")
        ann = await house.browser("ann")
        page = await ann.see("/account")
        old = await ann.send(posting(page, "/password"), old="not it", password="another long password")
        assert "wrong" in described(old, "old")
        limit = await ann.send(posting(page, "/limits"), loss_week="ten")
        assert limit.status == 400
        assert described(limit, "loss_week")
        sure = await ann.send(posting(page, "/exclusion"), days="7")
        assert "sure" in described(sure, "sure")
        offer = await ann.send(posting(page, "/second-factor"))
        assert offer.html.count('class="qrline"') == 1
        code = await ann.send(posting(offer, "/confirm"), code="000000", password=DEMO_PASSWORD)
        assert described(code, "factor-code")
        assert code.html.count('class="qrline"') == 1, "the same code can be scanned again"

    browse(tmp_path, visit)


def test_limits_and_the_help_line_are_one_tap_away(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        stranger, ann = await house.browser(), await house.browser("ann")
        page = await stranger.see("/")
        assert {"/account#limits", "/help-line"} <= set(page.links)
        page = await stranger.see("/help-line")
        assert page.text.count("1-800-GAMBLER") == 2, "in both states"
        assert page.links.count("tel:+18004262537") == 2, "a tap calls it"
        assert "0 minutes" not in page.text
        page = await ann.see("/help-line")
        assert "0 minutes" in page.text
        assert {"/account#limits", "/account#exclusion"} <= set(page.links)
        account = await ann.see("/account")
        assert {"limits", "exclusion"} <= set(account.ids)
        plans = house.desk.hall.plans
        plan = plans["2"]
        plans["2"] = replace(plan, submission=replace(plan.submission, papers=PapersTerms(help_line=LINE)))
        assert LINE in (await stranger.see("/help-line")).text
        for name, other in plans.items():
            plans[name] = replace(other, submission=replace(other.submission, papers=None))
        assert "has not named the help line of Maryland" in (await stranger.see("/help-line")).text

    browse(tmp_path, visit)


def test_the_ranks_of_cards_stay_on_them_in_any_font() -> None:
    """Two digits are as wide as a card has room for, whatever letters the machine has."""
    tens = re.findall(r'<symbol id="(T[cdhs](?:\.index)?)".*?</symbol>', sprite(), re.DOTALL)
    assert len(tens) == 2 * 4
    written = re.findall(r'<text x="([\d.]+)"[^>]*textLength="([\d.]+)"[^>]*>10</text>', sprite())
    assert len(written) == 3 * 4, "in two corners, and on the small card once"
    for middle, width in written:
        assert float(middle) - float(width) / 2 > 1
