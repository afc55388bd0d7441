"""Floor, disputes and cage in a browser: an award with three people, an irregularity, a dispute."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from croupier.server import Desk
from support import pit
from support.pages_house import PagesHouse

NewPage = Callable[..., Page]
CheckAxe = Callable[[Page], None]


def form(page: Page, do: str) -> Locator:
    """The form for a command."""
    return page.locator(f'form:has(input[name="do"][value="{do}"])').first


def opened(house: PagesHouse, table: str) -> None:
    async def prepare(desk: Desk) -> None:
        await pit.make_table(desk, table)
        await pit.open_for_ann(desk, table)

    house.run(prepare)


def ann_plays(house: PagesHouse, table: str, *, progressive: bool = False, until: str = "close") -> None:
    house.run(lambda desk: pit.ann_plays(desk, table, progressive=progressive, until=until))


def test_an_award_goes_from_the_win_to_the_hand_pay_with_three_people(
    house: PagesHouse, new_page: NewPage, check_axe: CheckAxe
) -> None:
    opened(house, "21")
    ann_plays(house, "21", progressive=True, until="verify_award")
    dealer, floor, cashier = new_page(), new_page(), new_page()
    house.sign_in(floor, "floorperson", "/floor")
    card = floor.locator("#t-21")
    expect(card).to_contain_text("the dealer verifies the hand and the light")
    house.sign_in(cashier, "cashier", "/cage")
    expect(cashier.locator("#pay-21-1")).to_contain_text("The dealer has to verify it first.")
    # The dealer looks at hand and light; the other two see it without doing anything.
    house.sign_in(dealer, "dealer", "/tables/21/deal")
    dealer.get_by_label("Hand").select_option("true")
    dealer.get_by_label("Light").select_option("true")
    dealer.get_by_role("button", name="Verify the award").click()
    expect(card).to_contain_text("validate it")
    # What somebody types survives while the page looks again.
    card.locator("summary", has_text="Otherwise").click()
    why = card.get_by_label("Reason")
    why.fill("the light was off")
    floor.wait_for_timeout(2_500)
    expect(why).to_have_value("the light was off")
    check_axe(floor)
    form(floor, "validate_award").get_by_role("button").click()
    expect(card).to_contain_text("with the slip of the cage")
    # The cage makes out the slip, the floor pays with its number.
    slip = cashier.locator("#pay-21-1").get_by_label("Slip number")
    slip.fill("W-2041")
    check_axe(cashier)
    cashier.locator("#pay-21-1").get_by_role("button", name="Make out the slip").click()
    expect(cashier.locator("#pay-21-1")).to_contain_text("slip W-2041")
    expect(floor.locator("#pay-21-1")).to_contain_text("slip W-2041 made out by the cage")
    floor.reload()
    pay = form(floor, "hand_pay_award")
    expect(pay.get_by_label("Slip number")).to_have_value("W-2041")
    pay.get_by_role("button").click()
    expect(floor.locator("#pay-21-1")).to_have_count(0)
    expect(cashier.locator("#hand-pays")).to_contain_text("No award waits to be paid by hand.")


def test_an_irregularity_is_ruled_on_the_floor_page(house: PagesHouse, page: Page, check_axe: CheckAxe) -> None:
    opened(house, "22")
    ann_plays(house, "22")
    house.sign_in(page, "floorperson", "/floor")
    page.locator("#t-22").get_by_role("link", name="Rulings and more").click()
    ruling = page.locator(".rulings li", has_text="Foreign card")
    expect(ruling).to_contain_text("The round is void, all bets are returned")
    check_axe(page)
    ruling.get_by_role("button").click()
    house.run(lambda desk: pit.staff_on(desk, "22"))
    page.wait_for_timeout(3_000)  # figures are given again as they were for as long
    page.goto(f"{house.url}/floor")
    expect(page.locator("#shift-figures")).to_contain_text("foreign card")


def test_a_dispute_is_raised_answered_and_read(
    house: PagesHouse, new_page: NewPage, phone: Page, check_axe: CheckAxe
) -> None:
    opened(house, "23")
    ann_plays(house, "23")
    house.run(lambda desk: pit.staff_on(desk, "23"))
    house.sign_in(phone, "ann", "/disputes")
    phone.get_by_label("Table").select_option("23")
    phone.get_by_label("What happened").fill("I had a royal flush, and the pay was short.")
    phone.get_by_role("button", name="Send it to the floor").click()
    expect(phone.get_by_role("status")).to_contain_text("The dispute is on record")
    floor = new_page()
    house.sign_in(floor, "floorperson", "/floor")
    floor.locator(".calls li", has_text="Table 23").get_by_role("link").click()
    expect(floor.get_by_role("img", name="ace of hearts")).to_have_count(1)
    form(floor, "rebuild_hands").get_by_role("button", name="Rebuild").click()
    expect(floor.get_by_role("heading", name="Rebuilt from the rack")).to_be_visible()
    check_axe(floor)
    floor.get_by_label("Reason (the player sees this)").fill("Each street paid 500 to 1: $5,000 each.")
    floor.get_by_role("button", name="Record the answer").click()
    expect(floor.locator("main")).to_contain_text("The settlement stands.")
    phone.goto(f"{house.url}/account")
    expect(phone.locator("main")).to_contain_text("Each street paid 500 to 1: $5,000 each.")
    phone.get_by_role("link", name="Dispute 1").click()
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    check_axe(phone)
