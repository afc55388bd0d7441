"""From the street to a seat: the lobby, meters that tick, signs, simulations, and one's own limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from croupier.server import Desk
from support.letters import smallest_letters
from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
CheckAxe = Callable[[Page], None]
SCREENS: Final = ((1920, 1080), (1080, 1920))
_OVERFLOW: Final = """() => {
  const body = document.querySelector("[data-fit]"), root = document.documentElement;
  const panels = [...body.querySelectorAll(".sign-panel")];
  return [root.scrollHeight - innerHeight, root.scrollWidth - innerWidth, body.scrollHeight - body.clientHeight - 1,
          body.scrollWidth - body.clientWidth, ...panels.map((panel) => panel.scrollWidth - panel.clientWidth),
          ...panels.map((panel) => panel.getClientRects().length - 1)];
}"""


def bet_on_the_meter(house: PagesHouse, table: str, seat: int) -> None:
    """Ann, who sits there, buys in and bets on the progressive."""

    async def bet(desk: Desk) -> None:
        session = await desk.doors.people.sessions.create("ann-1", desk.doors.now(), factor=False)
        signed = await desk.doors.people.session(session.id, desk.doors.now())
        assert signed is not None
        caller = desk.doors._caller(signed.person, session.id, "", "", factor=False)  # noqa: SLF001 - as the door does
        wagers = [("ante", "10.00"), ("progressive", "1.00")]
        commands: list[dict[str, Any]] = [{"do": "buy_in", "amount": "500.00"}]
        commands += [{"do": "place_wager", "seat": seat, "wager": wager, "amount": amount} for wager, amount in wagers]
        for number, command in enumerate(commands):
            await desk.command(caller, table, command, f"{table}-{seat}-{number}")

    house.run(bet)


def test_a_seat_is_found_in_the_lobby_and_the_meters_tick(house: PagesHouse, page: Page, check_axe: CheckAxe) -> None:
    house.sign_in(page, "player")
    page.get_by_role("link", name="Maryland", exact=True).click()
    expect(page.locator(".tile")).to_have_count(4)
    page.get_by_role("link", name="High Card Flush", exact=True).first.click()
    expect(page.locator(".tile")).to_have_count(1)
    tile = page.locator("#table-2")
    expect(tile.get_by_role("link", name="Take a seat")).to_have_attribute("href", "/tables/2")
    expect(tile).to_contain_text("6 of 6 open")
    figure = tile.get_by_role("button", name="show the exact figure")
    figure.click()
    expect(page.locator("#edge-2")).to_contain_text("exactly 53223/1082900 of one ante")
    page.keyboard.press("Escape")
    tile.get_by_role("link", name="Take a seat").click()
    page.locator("#sit-3").click()
    expect(page.locator("#sit-3")).to_have_count(0)
    page.goto("/")
    expect(tile.get_by_role("link", name="Back to seat 3")).to_be_visible()
    expect(tile).to_contain_text("5 of 6 open")
    before = page.locator("#lobby-meters .sr").first.inner_text()
    bet_on_the_meter(house, "2", 3)
    expect(page.locator("#lobby-meters .sr").first).not_to_have_text(before)
    assert page.locator("#lobby-meters [aria-live]").count() == 0
    check_axe(page)


def test_meters_are_told_to_everybody(page: Page, check_axe: CheckAxe) -> None:
    page.goto("/meters")
    expect(page.locator(".progressive")).to_have_count(4)
    expect(page.locator(".progressive .meter").first).to_be_visible()
    check_axe(page)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_sign_fits_its_monitor(new_page: NewPage, screen: tuple[int, int], check_axe: CheckAxe) -> None:
    width, height = screen
    for scripts in (True, False):
        page = new_page(viewport={"width": width, "height": height}, java_script_enabled=scripts)
        for table in "1234":
            page.goto(f"/tables/{table}/sign")
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert max(page.evaluate(_OVERFLOW)) <= 0, (table, scripts)
            assert page.get_by_role("link").count() == 0
        if scripts:
            check_axe(page)


def test_a_sign_in_the_hand_is_read_like_any_page(phone: Page, check_axe: CheckAxe) -> None:
    for table in "1234":
        phone.goto(f"/tables/{table}/sign")
        expect(phone.get_by_role("heading", level=1)).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, table
        letters = phone.locator("main :is(h1, h2, p, th, td, dt, dd, small)").evaluate_all(
            "parts => parts.map(part => parseFloat(getComputedStyle(part).fontSize))"
        )
        assert min(letters) >= 11, (table, min(letters))
    check_axe(phone)


def test_a_simulation_ends_with_a_plot(house: PagesHouse, page: Page, check_axe: CheckAxe) -> None:
    house.sign_in(page, "auditor", "/simulations")
    check_axe(page)
    page.locator("#house").select_option("md-mississippi-stud-by-hand/1")
    page.locator("#rounds").fill("20,000")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#plot .with-room svg")).to_be_visible(timeout=120_000)
    expect(page.locator("#simulation")).to_contain_text("20,000 rounds")
    with page.expect_download() as told:
        page.get_by_role("link", name="JSON").click()
    assert told.value.suggested_filename.endswith(".json")
    check_axe(page)
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#plot .with-room svg")).to_be_hidden()
    assert smallest_letters(page.locator("#plot .narrowly text")) >= 11
    expect(page.locator("#plot .narrowly")).to_contain_text("house edge")


def test_somebody_signs_up_and_sets_a_limit(phone: Page, check_axe: CheckAxe) -> None:
    phone.goto("/sign-in")
    check_axe(phone)
    phone.locator("#new-name").fill("June")
    phone.locator("#new-password").fill("a long password of her own")
    phone.get_by_role("button", name="Sign up").tap()
    expect(phone).to_have_url("/")
    phone.get_by_role("link", name="Your limits").first.tap()
    phone.locator("#loss_day").fill("100")
    phone.get_by_role("button", name="Set limits").tap()
    expect(phone.locator("#loss_day-hint")).to_have_text("Now $100")
    phone.locator("#loss_day").fill("50")
    phone.get_by_role("button", name="Set limits").tap()
    expect(phone.locator("#loss_day-hint")).to_have_text("Now $50")
    check_axe(phone)
    phone.get_by_role("link", name="Problem gambling help").tap()
    expect(phone.get_by_role("heading", name="Your day so far")).to_be_visible()
    check_axe(phone)
