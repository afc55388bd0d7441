"""A table in the browser: whole rounds by mouse, by keyboard alone and by thumb; nobody sees another's cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from croupier.rulebook import rulebook_ids
from croupier.server import Desk
from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
TABLES: Final = [str(number) for number, _ in enumerate(rulebook_ids(), 1)]
CHIPS: Final = "2000"
SCREENS: Final = {
    "wide": (1440, 900),
    "laptop": (1366, 768),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "small phone": (360, 664),
}
LEAST: Final = 11
"""Pixels of the smallest letters that are read."""
LETTERS: Final = """() => [...document.querySelectorAll("body *")].flatMap((element) => {
    const own = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent.trim());
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!own.length || box.width < 2 || box.height < 2 || style.visibility !== "visible") return [];
    const drawn = element.ownerSVGElement && element.getScreenCTM();
    return [[own[0].textContent.trim(), parseFloat(style.fontSize) * (drawn ? Math.hypot(drawn.c, drawn.d) : 1)]];
})"""
"""Everything that is written on a page and seen, with the height of its letters in pixels of the screen."""
CROSSING: Final = """() => {
    const texts = [...document.querySelectorAll(".felt-svg text")];
    const written = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
    const seen = written.filter(([words, box]) => words.trim() && box.width && box.height), crossing = [];
    seen.forEach(([words, box], place) => seen.slice(place + 1).forEach(([other, next]) => {
        const across = Math.min(box.right, next.right) - Math.max(box.left, next.left);
        const down = Math.min(box.bottom, next.bottom) - Math.max(box.top, next.top);
        if (across > 1 && down > 4) crossing.push([words, other]);
    }));
    return crossing;
}"""
"""Words on the felt that lie on each other; lines may come as close as their letters allow."""


def decide(page: Page) -> Locator:
    return page.locator(".acts .act")


def sit_down(house: PagesHouse, page: Page, table: str, who: str, seat: int) -> None:
    house.sign_in(page, who, f"/tables/{table}")
    page.locator(f"#sit-{seat}").click()
    page.locator('.dock input[name="amount"]').fill(CHIPS)
    page.locator(".dock .offer button").first.click()
    expect(page.locator("form.bets")).to_be_visible()
    expect(page.locator("#purse")).to_have_text("$2,000")
    expect(page.locator("[data-rail][hidden]")).to_have_count(0)  # the page is new, and hears keys once its scripts run


def play_to_the_end(page: Page, choose: Callable[[Locator], None]) -> int:
    """Decide until the round is settled; returns how many decisions there were."""
    decisions = 0
    expect(page.locator("form.bets")).to_have_count(0)
    while True:
        over = page.locator(".side .results li")
        expect(decide(page).or_(over).first).to_be_visible()
        if over.count() and not decide(page).count():
            return decisions
        words = page.locator("#live").get_attribute("data-version")
        choose(decide(page))
        decisions += 1
        expect(page.locator("#live")).not_to_have_attribute("data-version", words or "")


def stand_up(page: Page, table: str) -> None:
    page.goto(f"/tables/{table}?tab=more")
    page.get_by_role("button", name="Stand up").first.click()
    expect(page.locator("#purse")).to_have_count(0)


@pytest.mark.parametrize("table", TABLES)
def test_a_round_by_mouse(house: PagesHouse, page: Page, table: str) -> None:
    """Chips by a tap on the felt, decisions by their buttons; every bet is told with its reason."""
    sit_down(house, page, table, "ann", 2)
    spot = page.locator("svg.wide a.spot").first
    wager = spot.get_attribute("data-spot")
    before = float(page.locator(f"#bet-{wager}").input_value() or "0")
    page.locator('[data-chip="25"]').click()
    spot.click()
    assert float(page.locator(f"#bet-{wager}").input_value()) == before + 25
    page.locator("[data-undo]").click()
    assert float(page.locator(f"#bet-{wager}").input_value() or "0") == before
    page.locator("form.bets button.primary").click()
    assert play_to_the_end(page, lambda acts: acts.first.click()) > 0
    told = page.locator(".side .results li")
    expect(told.first.locator(".clause").first).to_be_visible()
    expect(page.locator("svg.wide .seat.own .on-felt-card").first).to_be_visible()
    stand_up(page, table)


def test_chips_that_were_tapped_are_bet_by_enter_and_undone_in_their_own_round(house: PagesHouse, page: Page) -> None:
    """After a tap `Enter` places the bets and adds no chip; a bet of one amount takes a chip of any value for it."""
    sit_down(house, page, "4", "ann", 2)

    def field(wager: str) -> Locator:
        return page.locator(f"#bet-{wager}")

    def tap(wager: str) -> None:
        page.locator(f'svg.wide a.spot[data-spot="{wager}"]').click()

    page.locator('[data-chip="25"]').click()
    tap("progressive")
    expect(field("progressive")).to_have_value("1")
    tap("progressive")
    expect(field("progressive")).to_have_value("1")
    tap("three_card_bonus")
    page.keyboard.press("Enter")
    assert play_to_the_end(page, lambda acts: acts.last.click()) > 0
    expect(field("three_card_bonus")).to_have_value("25.00")
    expect(page.locator("[data-undo]")).to_be_disabled()
    help_line = page.locator(".side .foot > :first-child")
    assert help_line.evaluate("all => all.scrollWidth <= all.clientWidth"), "the links below the last round are cut"
    stand_up(page, "4")


def test_a_double_click_decides_once(house: PagesHouse, page: Page) -> None:
    """The second click meets the button of the next street, where the first one was."""
    sit_down(house, page, "4", "ann", 2)
    page.locator("form.bets button.primary").click()
    expect(page.locator("#asks")).to_have_text("Your decision on third street")
    place = decide(page).first.bounding_box()
    assert place is not None
    x, y = place["x"] + 20, place["y"] + 20
    page.mouse.click(x, y)
    expect(page.locator("#asks")).to_have_text("Your decision on fourth street")
    page.mouse.move(x, y)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(500)
    expect(page.locator("#asks")).to_have_text("Your decision on fourth street")
    play_to_the_end(page, lambda acts: acts.last.click())
    stand_up(page, "4")


@pytest.mark.parametrize("table", TABLES)
def test_a_round_by_keyboard_alone(house: PagesHouse, page: Page, table: str) -> None:
    sit_down(house, page, table, "bob", 3)
    page.locator("body").press("Enter")  # the bets as they stand in the form
    expect(page.locator("form.bets")).to_have_count(0)

    def choose(acts: Locator) -> None:
        page.wait_for_timeout(150)  # a key that comes too soon after another is not taken
        page.locator("body").press(str(acts.last.get_attribute("data-key")))

    assert play_to_the_end(page, choose) > 0
    stand_up(page, table)


def test_bets_are_taken_back_until_they_close(house: PagesHouse, page: Page) -> None:
    house.pace("4", 5_000)
    sit_down(house, page, "4", "ann", 1)
    page.locator("form.bets button.primary").click()
    expect(page.locator("#purse")).to_have_text("$1,990")
    expect(page.locator('svg.wide [id="spot-1-ante"]')).to_have_class(re.compile("is-staked"))
    page.locator("body").press("u")
    expect(page.locator("#purse")).to_have_text("$2,000")
    expect(page.locator("form.bets")).to_be_visible()
    stand_up(page, "4")
    house.pace("4", 100)


def test_two_browsers_at_one_table_never_see_each_others_cards(house: PagesHouse, new_page: NewPage) -> None:
    ann, bob = new_page(), new_page()
    for page, who, seat in ((ann, "ann", 1), (bob, "bob", 2)):
        sit_down(house, page, "4", who, seat)
    for page in (ann, bob):
        page.locator("form.bets button.primary").click()
    expect(decide(ann).first).to_be_visible()
    expect(bob.locator("#asks")).to_contain_text("seat 1")

    own = [page.locator("svg.wide .seat.own [data-card]") for page in (ann, bob)]
    seen = [{str(each.get_attribute("data-card")) for each in cards.all()} for cards in own]
    assert all("??" not in cards and len(cards) == 2 for cards in seen)
    assert seen[0].isdisjoint(seen[1])

    async def known(desk: Desk) -> set[str]:
        state = desk.hall.live["4"].table.round
        return {str(card) for card in state.faces.known} if state is not None else set()

    assert seen[0] | seen[1] < house.run(known)
    for page, others in ((ann, seen[1]), (bob, seen[0])):
        html = page.content()
        assert not [card for card in others if re.search(rf"\b{card}\b", html.replace("_", " "))]
    while decide(ann).count() or decide(bob).count() or not ann.locator(".side .results li").count():
        for page in (ann, bob):
            if decide(page).count():
                page.locator(".acts .act").last.click()
                expect(decide(page)).to_have_count(0)
        ann.wait_for_timeout(100)
    for page in (ann, bob):
        stand_up(page, "4")


@pytest.mark.torture  # test_killed_server.py shows the same with a process that is killed
def test_a_round_goes_on_after_the_server_was_gone(house: PagesHouse, page: Page, expect_problem: object) -> None:
    """In mid-round the server goes away and comes back: the page says so, and goes on with the same cards by itself."""
    expect_problem(page, r"WebSocket|ERR_CONNECTION|ws:error")  # type: ignore[operator]
    sit_down(house, page, "4", "ann", 1)
    page.locator("form.bets button.primary").click()
    expect(decide(page).first).to_be_visible()
    own = page.locator("svg.wide .seat.own [data-card]")
    held = [each.get_attribute("data-card") for each in own.all()]
    house.stop()
    expect(page.locator("#connection")).to_be_visible()
    house.start()
    expect(page.locator("#connection")).to_be_hidden(timeout=30_000)
    expect(decide(page).first).to_be_visible()
    assert [each.get_attribute("data-card") for each in own.all()] == held
    assert play_to_the_end(page, lambda acts: acts.first.click()) > 0
    stand_up(page, "4")


def test_a_phone_plays_a_round(house: PagesHouse, phone: Page) -> None:
    house.sign_in(phone, "ann", "/tables/2")
    phone.locator("#sit-4").tap()
    phone.locator('.dock input[name="amount"]').fill(CHIPS)
    phone.locator(".dock .offer button").first.tap()
    phone.locator("svg.tall a.spot").first.scroll_into_view_if_needed()
    phone.locator("form.bets button.primary").tap()
    assert play_to_the_end(phone, lambda acts: acts.first.tap()) > 0
    assert phone.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    expect(phone.locator("svg.tall .seat.own .on-felt-card").first).to_be_visible()
    stand_up(phone, "2")


def test_the_seconds_that_are_left_are_counted_down(house: PagesHouse, page: Page) -> None:
    sit_down(house, page, TABLES[0], "ann", 2)
    page.locator("form.bets button.primary").click()
    expect(decide(page).first).to_be_visible()
    left = page.locator(".asks [data-left] b")
    first = int(left.inner_text())
    expect(left).not_to_have_text(str(first))
    assert 0 < int(left.inner_text()) < first
    play_to_the_end(page, lambda acts: acts.last.click())
    expect(left).to_have_count(0)
    stand_up(page, TABLES[0])


def test_a_refusal_says_why_in_the_dock_until_its_reader_acts(
    house: PagesHouse, page: Page, new_page: NewPage, expect_problem: object
) -> None:
    expect_problem(page, "status of 409")  # type: ignore[operator]
    sit_down(house, page, "4", "bob", 5)
    page.locator("#bet-ante").fill("12.50")
    primary = page.locator("form.bets button.primary")  # in one go: what the page brings checks the amount itself
    primary.evaluate("button => { button.form.noValidate = true; button.click(); }")
    refused = page.locator(".dock .notice.lose")
    expect(refused).to_contain_text("Refused")
    expect(refused.locator(".clause").first).to_be_visible()
    other = new_page()
    sit_down(house, other, "4", "ann", 2)  # the table moves on
    expect(page.locator("#seat-2")).to_contain_text("ann")
    expect(refused).to_contain_text("Refused")
    page.locator("#bet-ante").fill("10")
    primary.click()
    expect(refused).to_have_count(0)
    stand_up(other, "4")
    play_to_the_end(page, lambda acts: acts.last.click())
    stand_up(page, "4")


def test_everybody_can_use_a_table(house: PagesHouse, page: Page, check_axe: Callable[[Page], None]) -> None:
    sit_down(house, page, "2", "bob", 6)
    check_axe(page)
    page.locator("form.bets button.primary").click()
    expect(decide(page).first).to_be_visible()
    check_axe(page)
    play_to_the_end(page, lambda acts: acts.first.click())
    check_axe(page)
    for tab in ("paytables", "history", "fairness", "more"):
        page.goto(f"/tables/2?tab={tab}")
        check_axe(page)
    stand_up(page, "2")


def check_letters(page: Page, where: str) -> None:
    """On every screen everything is large enough to be read, and nothing on the felt is written over another."""
    for screen, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        small = [(words, size) for words, size in page.evaluate(LETTERS) if 0 < size < LEAST - 0.05]
        assert not small, (where, screen, small[:5])
        assert page.evaluate(CROSSING) == [], (where, screen)


@pytest.mark.parametrize("table", TABLES)
def test_everything_on_a_felt_can_be_read(house: PagesHouse, page: Page, table: str) -> None:
    page.goto(f"/tables/{table}")
    check_letters(page, f"table {table}, watched")
    page.set_viewport_size({"width": 1440, "height": 900})
    sit_down(house, page, table, "ann", 2)
    check_letters(page, f"table {table}, bets")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator("form.bets button.primary").click()
    expect(decide(page).first).to_be_visible()
    check_letters(page, f"table {table}, a decision")
    page.set_viewport_size({"width": 1440, "height": 900})
    play_to_the_end(page, lambda acts: acts.first.click())
    check_letters(page, f"table {table}, settled")
    stand_up(page, table)


@pytest.mark.parametrize("screen", ["wide", "tablet", "phone"])
def test_a_lost_connection_is_told_in_the_dock_and_covers_nothing_else(new_page: NewPage, screen: str) -> None:
    width, height = SCREENS[screen]
    page = new_page(viewport={"width": width, "height": height})
    page.goto("/tables/1")
    expect(page.locator("#connection")).to_be_hidden()
    page.evaluate("() => document.dispatchEvent(new Event('htmx:ws:close'))")
    expect(page.locator("#connection")).to_be_visible()
    lost, dock, asks = [page.locator(part).bounding_box() for part in ("#connection", ".dock", ".asks")]
    assert lost is not None
    assert dock is not None
    assert asks is not None
    assert dock["y"] <= lost["y"] <= asks["y"] + 2
    assert lost["y"] + lost["height"] <= asks["y"] + asks["height"] + 2
    assert lost["x"] + lost["width"] <= dock["x"] + dock["width"]


@pytest.mark.parametrize("size", [(844, 390), (720, 450)], ids=["a phone held sideways", "200 percent"])
def test_on_a_short_screen_the_whole_felt_and_the_dock_are_seen_at_once(
    new_page: NewPage, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto("/tables/1")
    for part in (".felt-svg.wide", ".dock"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert (box["x"] >= 0, box["x"] + box["width"] <= size[0] + 1) == (True, True), (part, box)
        assert box["y"] + box["height"] <= size[1] + 1, (part, box)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= size[0]
