"""Where no socket can be opened, and where no script runs, a round is played all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from support.pages_house import PagesHouse

NewPage = Callable[..., Page]


def play(page: Page) -> None:
    """A round, from the seat to the result, by whatever the page offers; a page without scripts is looked at again."""

    def until(selector: str) -> None:
        for _ in range(100):
            if page.locator(selector).count():
                return
            page.wait_for_timeout(150)
            page.reload()
        raise AssertionError(f"{selector} never comes: {page.locator('main').inner_text()}")

    page.locator("#sit-2").click()
    until('.dock input[name="amount"]')
    page.locator('.dock input[name="amount"]').fill("500")
    page.locator(".dock .offer button").first.click()
    until("form.bets")
    page.locator("form.bets button.primary").click()
    for _ in range(5):
        until(".acts .act, .side .results li")
        if page.locator(".acts .act").count() == 0:
            break
        before = page.locator("#live").get_attribute("data-version")
        page.locator(".acts .act").first.click()
        expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")
    expect(page.locator(".side .results li").first).to_be_visible()


def test_a_round_without_the_socket(house: PagesHouse, page: Page, expect_problem: Callable[[Page, str], None]) -> None:
    """As behind a proxy that lets none through: every answer brings the table with it."""
    expect_problem(page, "WebSocket|htmx:ws")
    page.route_web_socket("**/*", lambda socket: socket.close(code=1011))
    house.sign_in(page, "ann", "/tables/1")
    page.locator("#sit-2").click()
    expect(page.locator('.dock input[name="amount"]')).to_be_visible()  # with no look again
    page.goto("/tables/2")
    play(page)


@pytest.mark.parametrize("table", ["3", "4"])
def test_a_round_without_scripts(house: PagesHouse, new_page: NewPage, table: str) -> None:
    page = new_page(java_script_enabled=False)
    house.sign_in(page, "bob", f"/tables/{table}")
    play(page)
