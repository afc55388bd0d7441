"""The workbench in a browser: figures and findings follow each choice, and two people bring a submission to a table."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from croupier.server import Desk
from support.letters import smallest_letters
from support.pages_house import PagesHouse


def chosen(page: Page, wager: str, paytable: str) -> None:
    """Choose a paytable by its key."""
    page.locator(f'input[name="wagers.{wager}.paytable"][value="{paytable}"]').check(force=True)


def test_a_choice_changes_prices_and_findings_and_keeps_the_focus(
    house: PagesHouse, page: Page, check_axe: Callable[[Page], None]
) -> None:
    house.sign_in(page, "operator", "/workbench/edit?name=md-mississippi-stud&fresh=yes")
    expect(page.get_by_text("being computed")).to_have_count(0, timeout=60_000)
    keeps = page.locator(".keeps")
    expect(keeps).to_contain_text("128/5525")
    chosen(page, "three_card_bonus", "D")
    expect(keeps).to_contain_text("392/5525")
    expect(keeps).to_contain_text("+4.78")
    assert page.evaluate("document.activeElement.value") == "D"
    expect(page.locator(".diff")).to_contain_text("Paytable")
    seats = page.get_by_label("Seats", exact=True)
    seats.fill("7")
    expect(page.locator('[id="x-seats-1"]')).to_contain_text("7 seats: at most 6")
    expect(seats).to_have_attribute("aria-invalid", "true")
    expect(seats).to_be_focused()
    expect(page.get_by_role("button", name="Send for approval")).to_be_disabled()
    check_axe(page)
    chosen(page, "three_card_bonus", "B")
    expect(keeps).to_contain_text("308/5525")
    seats.fill("6")
    expect(page.get_by_role("button", name="Send for approval")).to_be_enabled()


def test_a_submission_from_draft_to_approval_to_an_open_table(
    house: PagesHouse, page: Page, new_page: Callable[..., Page], check_axe: Callable[[Page], None]
) -> None:
    regulator = new_page()
    house.sign_in(page, "operator", "/workbench")
    check_axe(page)
    page.get_by_label("Name", exact=True).first.fill("River room")
    page.get_by_label("Rulebook").select_option("ma-mississippi-stud")
    page.get_by_role("button", name="Begin").click()
    page.locator('input[name="wagers.three_card_bonus.offered"]').check()
    expect(page.locator('input[name="wagers.three_card_bonus.minimum"]')).to_have_value("1")
    page.get_by_label("Seats", exact=True).fill("5")
    page.get_by_role("button", name="Send for approval").click()
    expect(page.get_by_text("Sent for approval.")).to_be_visible()
    check_axe(page)

    house.sign_in(regulator, "regulator", "/approvals")
    check_axe(regulator)
    regulator.get_by_role("link", name=re.compile("Review River room")).click()
    seen = house.run(_hash)
    expect(regulator.locator(".judge .hash-line")).to_have_text(seen)
    expect(regulator.get_by_text("being computed")).to_have_count(0, timeout=60_000)
    check_axe(regulator)
    regulator.get_by_label("Note").fill("Docket 2026-31")
    regulator.get_by_role("button", name="Approve").click()
    expect(regulator.get_by_text("is approved. Tables may open under it.")).to_be_visible()

    page.get_by_role("link", name="All versions").click()
    expect(page.get_by_text("Docket 2026-31")).to_be_visible()
    page.get_by_label("Table number or name").fill("21")
    page.get_by_role("button", name="Add the table").click()
    page.get_by_role("button", name="Open table 21").click()
    expect(page.get_by_text("The table is open.")).to_be_visible()
    check_axe(page)
    assert house.run(_seats) == 5


async def _hash(desk: Desk) -> str:
    return desk.house.state.submissions["River room", 1].hash


async def _seats(desk: Desk) -> int:
    return desk.table("21").table.house.seats


def test_paytables_stand_side_by_side_without_scrolling_where_there_is_room(house: PagesHouse, page: Page) -> None:
    house.sign_in(page, "operator", "/workbench")
    for submission, wager, width in (
        ("name=md-mississippi-stud", "progressive", 1440),
        ("name=md-mississippi-stud", "progressive", 820),
        ("name=md-mississippi-stud", "six_card_bonus", 390),
        ("name=River%20room&rulebook=ma-mississippi-stud", "three_card_bonus", 1440),
        ("name=River%20room&rulebook=ma-mississippi-stud", "cover_all", 820),
    ):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/workbench/edit?{submission}&fresh=yes")
        beyond = page.locator(f"#wager-{wager} .choose").evaluate("table => table.scrollWidth - table.clientWidth")
        assert beyond <= 0, (submission, wager, width)


def test_what_a_version_changes_stands_before_the_whole_of_it(house: PagesHouse, page: Page) -> None:
    house.sign_in(page, "operator", "/workbench/submissions/md-let-it-ride/1")
    page.goto("/workbench/edit?name=md-let-it-ride&fresh=yes")
    page.get_by_label("Seats", exact=True).fill("5")
    page.get_by_role("button", name="Send for approval").click()
    expect(page.get_by_text("Sent for approval.")).to_be_visible()
    for width in (390, 820):
        page.set_viewport_size({"width": width, "height": 900})
        changes, whole = (page.locator(place).bounding_box() for place in ("section.differs", "div.form"))
        assert changes is not None
        assert whole is not None
        assert changes["y"] < whole["y"]


def test_the_workbench_fits_a_phone_by_day_and_by_night(
    house: PagesHouse, phone: Page, check_axe: Callable[[Page], None]
) -> None:
    for look in ("light.two", "dark.two"):
        phone.context.add_cookies([{"name": "croupier_look", "value": look, "url": house.url}])
        house.sign_in(phone, "operator", "/workbench/edit?name=md-high-card-flush&fresh=yes")
        expect(phone.get_by_text("being computed")).to_have_count(0, timeout=60_000)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        check_axe(phone)
    phone.set_viewport_size({"width": 360, "height": 740})
    assert smallest_letters(phone.locator(".fig text")) >= 10.9
