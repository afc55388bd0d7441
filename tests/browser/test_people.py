"""People and the house in a browser: somebody new signs in, roles change, a device gets a token, settings change."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
from playwright.sync_api import Page, expect

from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
CheckAxe = Callable[[Page], None]
ExpectProblem = Callable[[Page, str], None]


def signs_in(page: Page, name: str, password: str) -> None:
    page.goto("/sign-in")
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.locator("#password").press("Enter")


def test_an_operator_adds_a_dealer_who_signs_in_until_suspended(
    house: PagesHouse, page: Page, new_page: NewPage, check_axe: CheckAxe, expect_problem: ExpectProblem
) -> None:
    house.sign_in(page, "operator")
    page.get_by_role("link", name="People", exact=True).click()
    form = page.locator("#new-person")
    form.get_by_label("Sign-in name").fill("Dee Novak")
    form.get_by_label("Dealer", exact=True).check()
    form.get_by_label("Regulator").check()
    expect_problem(page, "status of 409")
    form.get_by_role("button", name="Create the account").click()
    expect(form.locator(".finding")).to_have_text("A regulator cannot have any other role: choose one of them.")
    expect(form.get_by_label("Sign-in name")).to_have_value("Dee Novak")
    check_axe(page)
    form.get_by_label("Regulator").uncheck()
    form.get_by_role("button", name="Create the account").click()
    once = page.get_by_role("status")
    expect(once).to_contain_text("shown only once")
    password = once.locator("code").inner_text()
    check_axe(page)
    # The password is handed over, and works.
    dee = new_page()
    signs_in(dee, "Dee Novak", password)
    expect(dee.locator("header.bar .who")).to_contain_text("Dee Novak")
    # Other roles end the session; with the same password they hold.
    page.goto("/people?find=novak")
    page.get_by_role("link", name="Dee Novak").click()
    assert password not in page.content()
    check_axe(page)
    page.get_by_label("Cashier").check()
    page.get_by_role("button", name="Change the roles").click()
    expect(page.get_by_role("status")).to_contain_text("The roles are changed.")
    expect_problem(dee, "status of 401")
    dee.goto("/account")
    expect(dee.get_by_role("heading", level=1)).to_have_text("Sign in")
    signs_in(dee, "Dee Novak", password)
    expect(dee.get_by_role("link", name="Cage", exact=True)).to_be_visible()
    # A suspension ends it for good.
    page.get_by_role("button", name="Suspend the account").click()
    expect(page.get_by_role("status")).to_contain_text("suspended")
    dee.goto("/account")
    signs_in(dee, "Dee Novak", password)
    expect(dee.get_by_role("alert")).to_contain_text("suspended")
    page.get_by_role("button", name="Restore the account").click()
    page.get_by_role("button", name="Reset the password").click()
    other = page.get_by_role("status").locator("code").inner_text()
    assert other != password
    signs_in(dee, "Dee Novak", other)
    expect(dee.locator("header.bar .who")).to_contain_text("Dee Novak")


def jams(house: PagesHouse, headers: dict[str, str]) -> int:
    """What the API answers to a device that reports a jam."""
    sent = {"do": "report_jam"}
    return httpx.post(f"{house.url}/api/tables/1/commands", json=sent, headers=headers).status_code


def test_somebody_else_is_told_that_these_pages_are_not_theirs(
    house: PagesHouse, page: Page, expect_problem: ExpectProblem
) -> None:
    expect_problem(page, "status of 403")
    house.sign_in(page, "dealer")
    for path in ("/people", "/people/ann-1", "/house"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 403
        expect(page.locator("main")).to_contain_text("Your account does not have access to this page.")


def test_a_token_is_issued_on_a_phone_used_and_revoked(
    house: PagesHouse, phone: Page, check_axe: CheckAxe, expect_problem: ExpectProblem
) -> None:
    house.sign_in(phone, "operator", "/house")
    form = phone.locator("form[action='/house/tokens#issue']")
    form.get_by_label("Name of the device").fill("Shuffler 2")
    form.get_by_label("Tables").fill("77")
    form.get_by_label("Report a jam").check()
    expect_problem(phone, "status of 409")
    form.get_by_role("button").tap()
    expect(form.locator(".finding")).to_contain_text("nobody has made table 77", ignore_case=True)
    expect(form.get_by_label("Report a jam")).to_be_checked()
    form.get_by_label("Tables").fill("")
    form.get_by_role("button").tap()
    token = phone.get_by_role("status").locator("code").inner_text()
    check_axe(phone)
    headers = {"authorization": f"Bearer {token}"}
    assert jams(house, headers) not in {401, 403}
    phone.goto("/house")
    assert token not in phone.content()
    phone.get_by_role("button", name="Revoke the token of Shuffler 2").tap()
    expect(phone.get_by_text("This cannot be undone")).to_be_visible()
    check_axe(phone)
    phone.get_by_role("button", name="Revoke now").tap()
    expect(phone.get_by_role("status")).to_contain_text("The token is revoked")
    assert jams(house, headers) == 401
    check_axe(phone)


def test_the_settings_of_the_house_change(house: PagesHouse, page: Page) -> None:
    house.sign_in(page, "operator", "/house")
    page.get_by_label("Time zone").select_option("America/New_York")
    page.get_by_label("The gaming day begins at").fill("05:00")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_role("status")).to_contain_text("The settings are changed.")
    expect(page.locator(".head")).to_contain_text(re.compile(r"\bE[SD]T\b"))
    expect(page.get_by_label("The gaming day begins at")).to_have_value("05:00")
    answer = httpx.get(f"{house.url}/api/house").json()
    assert (answer["time_zone"], answer["day_start"]) == ("America/New_York", "05:00")


def test_no_page_of_an_operator_s_bar_is_cut_off(house: PagesHouse, page: Page) -> None:
    house.sign_in(page, "operator", "/house")
    for width in (1440, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        cut = page.locator("header.bar nav").evaluate("nav => nav.scrollWidth - nav.clientWidth")
        assert cut <= 0, width
    page.set_viewport_size({"width": 1200, "height": 800})
    page.locator("header.bar summary").click()
    expect(page.locator("header.bar .menu").get_by_role("link", name="People")).to_be_visible()
