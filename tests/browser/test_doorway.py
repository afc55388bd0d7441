"""Coming in: signing in, up and out, with a browser as people have one; and how the house looks to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from croupier.house import DEMO_PASSWORD
from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
Theme: TypeAlias = Literal["light", "dark"]
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")


def test_signing_in_and_out(page: Page, expect_problem: Callable[[Page, str], None]) -> None:
    expect_problem(page, r"status of 401")
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.locator("#name").fill("ann")
    page.locator("#password").fill("not her password")
    page.locator("#password").press("Enter")
    expect(page.locator("main")).to_contain_text("name or the password is wrong")
    expect(page.locator("#name")).to_have_value("ann")
    page.locator("#password").fill(DEMO_PASSWORD)
    page.locator("#password").press("Enter")
    expect(page).to_have_url("/account")
    expect(page.locator("header.bar .who")).to_contain_text("ann")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("header.bar")).to_contain_text("Sign in")


def test_signing_up_in_a_demo(phone: Page) -> None:
    phone.goto("/sign-in")
    phone.locator("#new-name").fill("Zoë of the river")
    phone.locator("#new-password").fill("a long password of her own")
    phone.get_by_role("button", name="Sign up").tap()
    expect(phone).to_have_url("/")
    expect(phone.locator("header.bar .who")).to_contain_text("Zoë of the river")
    phone.locator("header.bar summary").tap()
    menu = phone.locator("header.bar .menu")
    expect(menu.get_by_role("link", name="Account")).to_be_visible()
    menu.get_by_role("button", name="Sign out").tap()
    expect(phone.get_by_role("link", name="Sign in").first).to_be_visible()


def test_one_press_signs_in_as_anybody_of_a_demo(page: Page) -> None:
    page.goto("/sign-in?then=/rounds")
    page.get_by_role("button", name="Sign in as auditor").click()
    expect(page).to_have_url("/rounds")
    expect(page.locator("header.bar .who")).to_contain_text("auditor")


def test_a_name_that_is_taken_is_refused(page: Page, expect_problem: Callable[[Page, str], None]) -> None:
    expect_problem(page, r"status of 4\d\d")
    page.goto("/sign-in")
    page.locator("#new-name").fill("ann")
    page.locator("#new-password").fill("a long password of my own")
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator("main")).to_contain_text("choose another name")
    expect(page.locator("#new-name")).to_have_value("ann")


def background(page: Page) -> str:
    return str(page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.parametrize("system", THEMES)
def test_the_colors_that_somebody_chose_stay(house: PagesHouse, new_page: NewPage, system: Theme) -> None:
    """First those of the system; then those that were chosen, on every page, whoever is signed in."""
    page = new_page(color_scheme=system)
    page.goto("/")
    shades: dict[str, str] = {}
    for scheme in THEMES:
        page.emulate_media(color_scheme=scheme)
        shades[scheme] = background(page)
    assert shades["light"] != shades["dark"]
    page.emulate_media(color_scheme=system)
    button = page.get_by_role("button", name="colors")
    button.click()
    first = "dark" if page.locator("html").get_attribute("data-theme") == "dark" else "light"
    assert background(page) == shades[first]
    button.click()
    second = "light" if first == "dark" else "dark"
    expect(page.locator("html")).to_have_attribute("data-theme", second)
    for path in ("/sign-in", "/"):
        page.goto(path)
        assert background(page) == shades[second]
    house.sign_in(page, "player")
    assert background(page) == shades[second], "before the first paint, also when somebody signs in"


def test_everything_of_the_bar_is_reached_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    reached = set()
    for _ in range(30):
        reached.add(page.evaluate("() => document.activeElement.textContent.trim()"))
        page.keyboard.press("Tab")
    assert {"Croupier", "Lobby", "Sign in"} <= reached
