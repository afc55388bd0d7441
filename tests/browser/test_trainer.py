"""The trainer in a browser, by mouse and by keyboard alone: a right decision, a wrong one, the drill that follows."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

HAND = "/trainer/md-mississippi-stud/abcd1234?stake=20.00&values=after"
"""Five of diamonds, four of spades: nothing but a fold is right, and 3x costs the most."""
FLUSH = "/trainer/md-high-card-flush/abcd1234?values=before"


def test_by_mouse_a_right_and_a_wrong_decision_and_the_drill(page: Page) -> None:
    page.goto("/trainer")
    page.get_by_role("link", name="Practice Mississippi Stud, Maryland").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice: Mississippi Stud")
    page.goto(HAND)
    expect(page.get_by_role("img", name="five of diamonds")).to_be_visible()
    page.get_by_role("button", name="Fold").click()
    expect(page.locator("#verdict")).to_contain_text("Right: Fold")
    expect(page.locator("#asks")).to_contain_text("The hand is over")
    page.get_by_role("link", name="Next hand").click()
    page.goto(HAND.replace("abcd1234", "abcd1234a").replace("?", "?cards=5d4s&"))
    page.get_by_role("button", name="Bet 3×").click()
    expect(page.locator("#verdict")).to_contain_text("Bet 3× is not the best play")
    expect(page.get_by_text("It costs $43.72 on average")).to_be_visible()
    page.get_by_text("Exact values", exact=True).click()
    expect(page.get_by_text("Fold: exactly −1 antes")).to_be_visible()
    page.get_by_role("link", name="1 drill due").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drill: Mississippi Stud")
    page.get_by_role("button", name="Fold").click()
    expect(page.locator("#verdict")).to_contain_text("Right: Fold")
    expect(page.get_by_text("No drills due")).to_be_visible()
    expect(page.get_by_text("2 of 3 decisions")).to_be_visible()


def test_by_keyboard_alone_with_the_values_shown_first(page: Page) -> None:
    page.goto("/trainer")
    link = page.get_by_role("link", name="Practice Let It Ride, Maryland, paytable A")
    for _ in range(40):
        page.keyboard.press("Tab")
        if link.evaluate("each => each === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Practice: Let It Ride")
    page.goto("/trainer/md-let-it-ride.A/abcd1234?values=before")
    expect(page.locator("#before")).to_be_visible()
    page.wait_for_selector(".act.best", timeout=20_000)
    page.wait_for_timeout(150)
    page.keyboard.press("r")  # with ace, eight, five: the bet should come back
    expect(page.locator("#verdict")).to_contain_text("Let it ride is not the best play")
    page.wait_for_timeout(150)
    page.keyboard.press("w")
    expect(page.locator("#verdict")).to_contain_text("Right: Take it back")
    expect(page.locator("#asks")).to_contain_text("The hand is over")
    page.wait_for_timeout(150)
    page.keyboard.press("d")
    expect(page.get_by_role("heading", level=1)).to_have_text("Drill: Let It Ride")
    page.wait_for_timeout(150)
    page.keyboard.press("w")
    expect(page.get_by_text("No drills due")).to_be_visible()
    expect(page.locator("#asks")).to_contain_text("Your decision on bet 2")


@pytest.mark.parametrize("look", ["light.two", pytest.param("dark.two", marks=pytest.mark.torture)])
def test_everybody_can_use_it(page: Page, check_axe: Callable[[Page], None], look: str) -> None:
    page.goto("/trainer")
    page.context.add_cookies([{"name": "croupier_look", "value": look, "url": page.url}])
    for path in ("/trainer", HAND, HAND.replace("after", "before"), FLUSH):
        page.goto(path)
        if "before" in path:
            page.wait_for_selector(".coach", timeout=20_000)
        check_axe(page)
    page.goto(HAND)
    for _ in range(3):
        page.get_by_role("button", name="Bet 3×").click()
        page.wait_for_selector(".verdict .coach")
        page.wait_for_load_state()
    expect(page.locator("#result-title")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_axe(page)
    page.goto("/trainer/cards/md-let-it-ride.B")
    page.wait_for_selector(".strategy", timeout=20_000)
    check_axe(page)


def test_on_a_phone_nothing_scrolls_sideways(phone: Page) -> None:
    for path in ("/trainer", HAND, FLUSH, "/trainer/cards/md-let-it-ride"):
        phone.goto(path)
        wide = phone.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], path
