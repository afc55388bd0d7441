"""The player's table in a browser: chips dragged, letters off, a phone's dock, the trainer, two boxes."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
CHIPS = "2000"
COVERED = """() => {
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const inside = [...document.querySelectorAll("svg.tall .on-felt-card, svg.tall .seat.own .spot")];
  return inside.filter((each) => each.getBoundingClientRect().bottom > dock.top + 1).length;
}"""
"""How many cards and betting areas lie below the dock's edge."""


def sit_down(house: PagesHouse, page: Page, table: str, who: str, seat: int) -> None:
    house.sign_in(page, who, f"/tables/{table}")
    page.locator(f"#sit-{seat}").click()
    page.locator('.dock input[name="amount"]').fill(CHIPS)
    page.locator(".dock .offer button").first.click()
    expect(page.locator("form.bets")).to_be_visible()
    expect(page.locator("[data-rail][hidden]")).to_have_count(0)  # the page is new, and hears keys once its scripts run


def stand_up(page: Page, table: str) -> None:
    page.goto(f"/tables/{table}?tab=more")
    page.get_by_role("button", name="Stand up").first.click()
    expect(page.locator("#purse")).to_have_count(0)


def test_a_chip_is_dragged_to_an_area(house: PagesHouse, page: Page) -> None:
    sit_down(house, page, "4", "ann", 2)
    spot, chip = page.locator('svg.wide a[data-spot="ante"]'), page.locator('[data-chip="25"]')
    chip.drag_to(spot)
    expect(page.locator("#bet-ante")).to_have_value("35")
    expect(page.locator('svg.wide [data-ghost="ante"]')).to_have_text("$35")
    chip.drag_to(page.locator(".purse"))  # beside every area nothing is bet
    expect(page.locator("#bet-ante")).to_have_value("35")
    page.locator("body").press("u")
    expect(page.locator("#bet-ante")).to_have_value("10.00")
    stand_up(page, "4")


def test_a_finger_drags_a_chip_and_scrolls_nothing(house: PagesHouse, phone: Page) -> None:
    sit_down(house, phone, "4", "bob", 2)
    expect(phone.locator("#bet-ante")).not_to_be_in_viewport(ratio=0.5)
    box, to = (
        phone.locator('[data-chip="5"]').bounding_box(),
        phone.locator('svg.tall a[data-spot="ante"]').bounding_box(),
    )
    assert box is not None
    assert to is not None
    start = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    end = {"x": to["x"] + to["width"] / 2, "y": to["y"] + to["height"] / 2}
    touch = phone.context.new_cdp_session(phone)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [start]})
    for step in range(1, 6):
        point = {axis: start[axis] + (end[axis] - start[axis]) * step / 5 for axis in ("x", "y")}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator("#bet-ante")).to_have_value("15")
    assert phone.evaluate("scrollY") == 0
    phone.get_by_role("button", name="Amounts").click()
    expect(phone.locator("#bet-ante")).to_be_in_viewport()
    stand_up(phone, "4")


def test_letters_do_nothing_once_they_are_off(house: PagesHouse, page: Page) -> None:
    sit_down(house, page, "4", "ann", 3)
    page.locator("body").press("?")
    help_list = page.locator("#keys-help")
    expect(help_list.get_by_text("Undo, until no more bets")).to_be_visible()
    help_list.get_by_role("button", name="Off").click()
    expect(page.locator("html")).to_have_attribute("data-keys", "off")
    page.locator("form.bets button.primary").focus()
    page.locator("body").press("Enter")
    expect(page.locator(".acts .act").first).to_be_visible()
    expect(page.locator(".acts kbd")).to_have_count(0)
    version = page.locator("#live").get_attribute("data-version")
    page.locator("body").press("f")
    page.wait_for_timeout(400)
    expect(page.locator("#live")).to_have_attribute("data-version", version or "")
    page.get_by_role("button", name="Fold").click()
    expect(page.locator(".side .results li").first).to_be_visible()
    stand_up(page, "4")


@pytest.mark.parametrize("size", [(390, 844), (360, 740)], ids=str)
def test_on_a_phone_the_dock_covers_no_card(house: PagesHouse, new_page: NewPage, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True, is_mobile=True)
    for table in ("2", "3"):  # seven cards, and the most areas
        sit_down(house, page, table, "ann", 4)
        assert page.evaluate(COVERED) == 0
        height = page.locator(".dock").evaluate("dock => dock.offsetHeight")
        page.locator("form.bets button.primary").tap()
        expect(page.locator(".acts .act").first).to_be_visible()
        assert page.evaluate(COVERED) == 0
        assert abs(page.locator(".dock").evaluate("dock => dock.offsetHeight") - height) <= 8, "it keeps its height"
        while page.locator(".acts .act").count():
            page.locator(".acts .act").last.tap()
            page.wait_for_timeout(250)
        expect(page.get_by_text("Last round").first).to_be_visible()
        expect(page.locator("form.bets")).to_be_visible()
        assert page.evaluate(COVERED) == 0
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        stand_up(page, table)


def take_the_last(page: Page) -> None:
    """Answer a decision, if there is one by now: the page may have gone on meanwhile."""
    acts = page.locator(".acts .act")
    if acts.count():
        with suppress(PlaywrightTimeout):
            answer(page, acts.last)
    page.wait_for_timeout(200)


def answer(page: Page, act: Locator) -> None:
    """Decide, and wait until the page has gone on: what it asked is not asked again."""
    asked = page.locator('.acts input[name="asked"]').first.get_attribute("value", timeout=2_000)
    act.click(timeout=2_000)
    expect(page.locator(f'.acts input[name="asked"][value="{asked}"]')).to_have_count(0)


def test_values_before_deciding_and_after(house: PagesHouse, page: Page, check_axe: Callable[[Page], None]) -> None:
    sit_down(house, page, "4", "bob", 4)
    page.locator(".beside-trainer").get_by_role("button", name="Before").click()
    page.locator("form.bets button.primary").click()
    expect(page.locator(".act.best").first).to_be_visible(timeout=30_000)
    check_axe(page)
    best = page.locator(".act.best .name").first.inner_text()
    page.locator(".beside-trainer").get_by_role("button", name="After deciding").click()
    expect(page.locator(".act .ev")).to_have_count(0)
    answer(page, page.locator(".acts .act", has_text=best).first)
    step = page.locator(".judged li").first
    while not step.count():
        take_the_last(page)
    expect(step).to_contain_text("right")
    step.locator("summary").first.click()
    expect(step.locator(".coach").get_by_text("yours")).to_be_visible()
    check_axe(page)
    while page.locator(".acts .act").count():
        take_the_last(page)
    stand_up(page, "4")


def test_two_boxes_side_by_side_where_the_rules_allow_them(house: PagesHouse, page: Page) -> None:
    sit_down(house, page, "3", "bob", 2)
    page.goto("/tables/3?tab=more")
    page.get_by_role("button", name="Take another box").or_(page.get_by_role("button", name="Seat 3")).first.click()
    page.goto("/tables/3")
    expect(page.locator(".also")).to_contain_text("and the same at")
    page.locator("form.bets button.primary").click()
    expect(page.locator("#purse")).to_have_text("$1,940")  # three bets of $10 at each
    expect(page.locator("#asks")).to_contain_text("Your decision, seat")
    while page.locator(".acts .act").count():
        take_the_last(page)
    expect(page.locator(".made .over")).to_have_count(2)
    expect(page.locator(".purse")).to_contain_text("Last round")
    stand_up(page, "3")


def test_who_was_signed_out_elsewhere_is_asked_to_sign_in(
    house: PagesHouse, page: Page, expect_problem: object
) -> None:
    expect_problem(page, r"status of 401|WebSocket")  # type: ignore[operator]
    sit_down(house, page, "1", "bob", 2)
    other = page.context.new_page()
    other.goto("/account")
    other.get_by_role("button", name="Sign out everywhere").click()
    page.locator("form.bets button.primary").click()
    expect(page.get_by_role("heading", name="Sign in").first).to_be_visible()
    assert page.url.endswith("/sign-in?then=/tables/1")
    house.sign_in(page, "bob", "/tables/1")
    stand_up(page, "1")
