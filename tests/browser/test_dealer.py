"""The dealer's page in a browser: a physical round from opening to the last pay, an irregularity, the trainer."""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

import pytest
from playwright.sync_api import Page, expect

from croupier.driver import Staff, next_request
from croupier.games.actions import PlaceWager
from croupier.house import commands as house_commands
from croupier.money import Cents, format_dollars
from croupier.rulebook import HouseRules, rulebook_ids
from croupier.server import Desk
from croupier.table import Person, Request, commands
from croupier.training import drill_of, right_answers
from support.pages_house import PagesHouse
from support.played import the_caller

NewPage: TypeAlias = Callable[..., Page]
CheckAxe: TypeAlias = Callable[[Page], None]
BY_HAND: Final = str(len(rulebook_ids()) + 1)
DEAL: Final = f"/tables/{BY_HAND}/deal"
STAFF: Final = Staff(dealer="dealer-1", floorperson="floorperson-1", tray=Cents(5_000_000))


def heading(page: Page, words: str) -> None:
    expect(page.locator("#ask h1")).to_have_text(re.compile(words), timeout=6_000)


def step(page: Page, words: str, **typed: str) -> None:
    """Do what the page asks for: fill in what it needs and confirm it by key."""
    heading(page, words)
    for name, value in typed.items():
        page.locator(f'#task [name="{name}"]').fill(value)
    before = page.locator("#live").get_attribute("data-version")
    page.locator("#confirm").click()
    expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")


def decide(page: Page, seat: int, key: str) -> None:
    heading(page, f"Seat {seat} decides")
    before = page.locator("#live").get_attribute("data-version")
    page.keyboard.press(key)
    expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")


def name_cards(page: Page, words: str, text: str) -> None:
    """Type cards without touching a field, as a scanner does, and confirm."""
    heading(page, words)
    page.keyboard.type(text)
    before = page.locator("#live").get_attribute("data-version")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).not_to_have_attribute("data-version", before or "")


def seat_players(page: Page) -> None:
    page.get_by_role("link", name=re.compile("^Players")).click()
    for seat, patron in (("2", "ann-1"), ("4", "bob-1")):
        form = page.locator('form:has(input[name="do"][value="sit"])')
        form.locator('[name="seat"]').select_option(seat)
        form.locator('[name="patron"]').fill(patron)
        form.get_by_role("button").click()
        buys = page.locator(f'form:has(input[name="do"][value="buy_in"]):has(input[value="{patron}"])')
        buys.locator('[name="amount"]').fill("500")
        buys.get_by_role("button").click()
        expect(page.locator(".boxx").nth(int(seat) - 1)).to_contain_text("$500")
        amounts = page.locator('form:has(input[name="do"][value="buy_in"]) [name="amount"]')
        expect(amounts.first).to_have_value("")  # a second tap sells nothing
        expect(form.locator('[name="patron"]')).to_have_value("")
    page.keyboard.press("Escape")


def open_table(page: Page, floor: Page) -> None:
    heading(floor, "Assign the dealer and the floorperson")
    for post, person in (("floorperson", "floorperson-1"), ("dealer", "dealer-1")):
        form = floor.locator(f'form:has(input[name="post"][value="{post}"])')
        if form.count():
            form.locator('[name="person"]').select_option(person)
        else:
            form = floor.locator("#task")
            form.locator('[name="post"]').select_option(post)
            form.locator('[name="person"]').select_option(person)
        before = floor.locator("#live").get_attribute("data-version")
        (floor.locator("#confirm") if form.get_attribute("id") == "task" else form.get_by_role("button")).click()
        expect(floor.locator("#live")).not_to_have_attribute("data-version", before or "")
    for words in ("Attest that the approved layout", "Attest that the payouts"):
        step(floor, words, reference="approval 7")
    step(page, "Count the tray", amount="50000")
    step(floor, "Confirm the count of the tray")
    step(floor, "Open the table")


def bring_cards(page: Page, floor: Page) -> None:
    step(page, "Receive 1 deck", deck="red 1", back="red")
    step(page, "Inspect every card")
    expect(page.locator(".waits")).to_contain_text("floorperson or above")
    step(floor, "Verify the inspection")
    step(page, "Spread the cards")
    expect(page.locator(".waits")).to_contain_text("Nobody is seated yet")
    seat_players(page)
    shuffling = (
        "Show the cards to the player",
        "Turn the cards face down",
        "Wash",
        "Stack",
        "Shuffle the cards by hand",
    )
    for words in shuffling:
        step(page, words)
    step(page, "Cut the deck", depth="20")
    step(page, "Put the stack into the shoe")


def bet_and_deal(page: Page) -> None:
    heading(page, "Accept the players' bets")
    for seat, ante in ((2, "25"), (4, "10")):
        form = page.locator(f"#bets-{seat}")
        form.locator('[name="bet.ante"]').fill(ante)
        form.get_by_role("button").click()
        expect(page.locator(".boxx").nth(seat - 1)).to_contain_text(f"${ante}")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "nothing to scroll to below"
    page.locator("h1").click()
    page.keyboard.press("Enter")
    step(page, "Deal 7 cards")
    step(page, "put the stub into the discard rack")
    decide(page, 2, "3")
    decide(page, 4, "1")


def test_a_physical_round_is_dealt_from_the_page(  # noqa: PLR0915 - a round, step by step
    house: PagesHouse, page: Page, new_page: NewPage, check_axe: CheckAxe
) -> None:
    floor: Page = new_page()
    house.sign_in(page, "dealer", DEAL)
    house.sign_in(floor, "floorperson", DEAL)
    open_table(page, floor)
    bring_cards(page, floor)
    bet_and_deal(page)
    # A mistyped card is undone before it is confirmed: the tap, the key, the button.
    heading(page, "Turn up the first community card")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator('[data-card="Kh"]').click()
    expect(page.locator("#typed")).to_have_value("Kh")
    page.keyboard.press("u")
    expect(page.locator("#typed")).to_have_value("")
    check_axe(page)
    name_cards(page, "Turn up the first community card", "jc")
    decide(page, 2, "3")
    decide(page, 4, "f")
    # Whatever happens meanwhile, what was typed stays.
    page.locator("#typed").fill("10")
    house.run(_call_the_floor)
    expect(page.locator(".notices")).to_contain_text("a spilled drink", timeout=6_000)
    expect(page.locator("#typed")).to_have_value("10")
    page.locator("#typed").fill("")
    page.locator("h1").click()
    # One card is confirmed wrong: the floor corrects it before anything is paid on it.
    name_cards(page, "Turn up the second community card", "10h")
    floor.goto(f"{DEAL}?show=irregularity")
    form = floor.locator('form:has(input[name="do"][value="correct_card"])')
    form.locator('[name="place"]').select_option(label="Community, card 2")
    form.locator('[name="card"]').fill("6s")
    form.locator('[name="reason"]').fill("mistyped")
    form.get_by_role("button").click()
    expect(page.locator(".steps")).to_contain_text("6♠", timeout=6_000)
    decide(page, 2, "1")
    name_cards(page, "Turn up the third community card", "jd")
    heading(page, "Turn up the hand of seat 2")
    expect(page.locator('[data-card="6s"]')).to_be_disabled()
    expect(page.locator(".board figure")).to_have_count(5)  # the board lies beside the hand
    page.keyboard.type("6s")
    expect(page.locator("#picks")).to_contain_text("6s has already been seen")
    page.keyboard.type("10c")
    expect(page.locator("#typed")).to_have_value("6s 10c")
    expect(page.locator("#confirm")).to_be_disabled()
    page.keyboard.press("u")
    page.keyboard.press("u")
    page.locator('[data-card="Jh"]').click()
    page.locator('[data-card="Ts"]').click()
    expect(page.locator("#picks svg")).to_have_count(2)
    page.locator("#confirm").click()
    heading(page, "Seat 2: three jacks")
    expect(page.locator(".pays li")).to_have_count(4)
    expect(page.locator(".pays")).to_contain_text("Pay $225")
    expect(page.locator(".sum")).to_contain_text("$600")
    check_axe(page)
    step(page, "Seat 2: three jacks")
    expect(page.locator(".boxx").nth(1)).to_contain_text("paid")
    step(page, "Collect the cards")
    heading(page, "Shuffle the cards by hand")
    chips = house.run(_chips)
    assert chips == {"ann-1": 110_000, "bob-1": 48_000}


async def _call_the_floor(desk: Desk) -> None:
    call = house_commands.CallFloor(table=BY_HAND, about="a spilled drink")
    await desk.give_house(the_caller("dealer", "dealer"), call, "")


async def _chips(desk: Desk) -> dict[str, int]:
    table = desk.table(BY_HAND).table
    return {account.of: amount for account, amount in table.books if account.kind == "chips"}


async def _to_a_decision(desk: Desk) -> None:
    """Bring the table with real cards to its first decision, whatever happened there before."""
    live, dealer = desk.hall.live[BY_HAND], Person("dealer", "dealer-1")

    async def give(by: Person, command: commands.Command) -> None:
        await live.give(lambda _, at: Request(by, at, command))

    for _ in range(80):
        table = live.table
        request = next_request(table, desk.hall.time_of(live), staff=STAFF, close_bets=True)
        if request is not None:
            await give(request.by, request.command)
        elif not table.people.seats:
            await give(dealer, commands.Sit(3, "ann-1"))
            await give(dealer, commands.BuyIn(Cents(50_000), "ann-1", brought=True))
        elif table.round is None:
            await give(dealer, PlaceWager(table.people.seats[0][0], "ante", Cents(1_000)))
        else:
            return
    raise AssertionError(live.table.round)


def test_an_irregularity_goes_from_the_dealer_to_the_floor(
    house: PagesHouse, page: Page, new_page: NewPage, check_axe: CheckAxe
) -> None:
    house.run(_to_a_decision)
    floor: Page = new_page()
    house.sign_in(page, "dealer", DEAL)
    house.sign_in(floor, "floorperson", DEAL)
    heading(page, "decides on third street")
    page.keyboard.press("i")
    heading(page, "What happened")
    exposed = page.locator(".wrongs li", has_text="Community card exposed")
    expect(exposed).to_contain_text("The round is void, all bets are returned, and the cards are reshuffled")
    expect(exposed.locator(".clause")).to_have_attribute("href", re.compile(r"^/clauses/md-mississippi-stud/13\.E"))
    expect(page.locator(".wrongs")).not_to_contain_text("Several cards dealt face up")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the list scrolls, not the page"
    exposed.get_by_role("button", name="Call the floor").click()
    expect(floor.locator(".notice")).to_contain_text("Community card exposed", timeout=6_000)
    floor.locator("#irregularity").click()
    check_axe(floor)
    ruling = floor.locator(".wrongs li", has_text="Community card exposed")
    ruling.get_by_role("button").click()
    expect(floor.locator(".notices")).to_contain_text("The round is void")
    expect(page.locator(".notices")).to_contain_text("The round is void", timeout=6_000)
    expect(page.locator("#ask .lead")).to_contain_text("First give back")
    expect(page.locator(".notices")).not_to_contain_text("Floor called")
    step(page, "Collect the cards")


def test_a_trainer_session_finds_the_one_mistake(house: PagesHouse, page: Page, check_axe: CheckAxe) -> None:
    async def rules(desk: Desk) -> HouseRules:
        return desk.hall.plans["4"].rules

    drill = drill_of(house.run(rules), seed=11)
    answers = right_answers(drill)
    house.sign_in(page, "dealer", "/dealer/trainer?rules=table.4&seed=11")
    check_axe(page)
    for number, task in enumerate(drill.orders):
        for key in task.right:
            page.locator(f'label[for="order.{number}.{key}"]').click()
    paid = [key for key, answer in answers.pays.items() if answer.amount]
    for (seat, wager), answer in answers.pays.items():
        name = f"pay.{seat}.{wager}"
        if answer.line:
            page.locator(f'[name="{name}.line"]').select_option(answer.line)
        page.locator(f'[name="{name}.kind"]').select_option(answer.kind)
        if answer.amount is not None:
            wrong = 100 if (seat, wager) == paid[0] else 0
            page.locator(f'[name="{name}.amount"]').fill(format_dollars(answer.amount + wrong))
    page.locator("#confirm").click()
    expect(page.locator(".mistakes tbody tr")).to_have_count(1)
    expect(page.locator(".mistakes tbody .clause")).to_have_count(1)
    expect(page.locator(".mistakes")).to_contain_text(f"Seat {paid[0][0]}")
    expect(page.locator(".weak")).to_contain_text("Amount paid on")
    page.locator("#next-round").click()
    expect(page.locator("#confirm")).to_be_visible()
    assert "seed=11" not in page.url


@pytest.mark.parametrize("look", ["dark.two", "light.two"])
def test_the_pages_fit_a_phone_and_everybody(house: PagesHouse, phone: Page, look: str, check_axe: CheckAxe) -> None:
    house.run(_to_a_decision)
    house.sign_in(phone, "dealer", None)
    phone.context.add_cookies([{"name": "croupier_look", "value": look, "url": house.url}])
    judged = {"dark.two": ("/dealer", f"{DEAL}?show=more"), "light.two": (DEAL, f"{DEAL}?show=irregularity")}[look]
    for path in ("/dealer", DEAL, f"{DEAL}?show=irregularity", f"{DEAL}?show=more", "/dealer/trainer?seed=4"):
        phone.goto(f"{house.url}{path}")
        if path in judged:
            check_axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
