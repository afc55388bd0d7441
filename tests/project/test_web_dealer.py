"""The dealer's page and the trainer, without scripts: a physical round from opening to pay, by forms alone."""

import re
from pathlib import Path
from typing import Final

from croupier.house.commands import HandOver
from croupier.money import Cents
from croupier.rulebook import rulebook_ids
from croupier.server import Caller
from croupier.table import Person, Request, Table
from croupier.table.commands import BuyIn, Sit
from support.browser import Browser, Form, HouseForBrowsers, ThePage, browse

BY_HAND: Final = str(len(rulebook_ids()) + 1)
DEAL: Final = f"/tables/{BY_HAND}/deal"


async def give(browser: Browser, do: str, show: str = "", button: str = "", **values: str) -> ThePage:
    """Send the form for a command on the dealer's page; the led list is whole on every page on the way."""
    page = await browser.see(f"{DEAL}?show={show}" if show else DEAL)
    well_led(page)
    form = next((form for form in page.forms if form.do == do), None)
    assert form is not None, (do, [form.do for form in page.forms], page.text[-1500:])
    chosen = next((each for each in form.buttons if each[1] == button), form.buttons[0] if form.buttons else None)
    answer = await browser.send(form, values, button=chosen if button else None)
    assert answer.status == 200, answer.text[-1500:]
    return answer


def well_led(page: ThePage) -> None:
    assert page.status == 200, page.text
    assert page.unbalanced == []
    assert len(page.ids) == len(set(page.ids))
    assert not [given for _, given in page.tags for name in given if name == "style" or name.startswith("on")]
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert [given.get("aria-current") for _, given in page.tags].count("step") <= 1
    assert all("csrf" in form.fields for form in page.forms if form.method == "post")


async def open_table(dealer: Browser, floor: Browser) -> None:
    await give(floor, "assign", post="floorperson", person="floorperson-1")
    await give(floor, "assign", post="dealer", person="dealer-1")
    while "Attest" in (await floor.see(DEAL)).text.split("What is done now")[0] and await offers(floor, "attest"):
        await give(floor, "attest", reference="approval 7")
    await give(dealer, "count_inventory", amount="50000")
    assert "The tray was counted at $50,000" in (await floor.see(DEAL)).text
    await give(floor, "verify_inventory")
    await give(floor, "open_table")


async def offers(browser: Browser, do: str) -> bool:
    return (await browser.see(DEAL)).offering(do) is not None


async def bring_cards(dealer: Browser, floor: Browser) -> None:
    await give(dealer, "receive_deck", deck="red 1", back="red")
    await give(dealer, "inspect_deck")
    assert "Waiting for a floorperson or above" in (await dealer.see(DEAL)).text
    await give(floor, "verify_deck")
    await give(dealer, "spread_deck")
    assert "Seat the first player under Players" in (await dealer.see(DEAL)).text
    await give(dealer, "sit", "players", seat="2", patron="Ann")
    await give(dealer, "buy_in", "players", amount="500")
    for do in ("offer_deck", "turn_down_deck", "wash_deck", "stack_deck", "shuffle_deck"):
        await give(dealer, do)
    await give(dealer, "cut_deck", depth="20")
    await give(dealer, "load_deck")


async def bet(dealer: Browser) -> None:
    form = (await dealer.see(DEAL)).going_to("/bets")
    assert form is not None
    assert (await dealer.send(form, {"bet.ante": "10"})).status == 200


async def to_the_first_card(dealer: Browser) -> None:
    await bet(dealer)
    for do in ("perform", "deal", "rack_stub"):
        await give(dealer, do)
    await give(dealer, "decide", button="1x")


def test_a_seat_with_too_few_chips_says_so_and_the_next_gaming_day_stands_ready(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, dealer = await house.browser("floorperson"), await house.browser("dealer")
        await open_table(dealer, floor)
        await give(dealer, "sit", "players", seat="2", patron="Ann")
        await give(dealer, "buy_in", "players", amount="7")
        assert "too few chips" in (await dealer.see(DEAL)).text
        await give(dealer, "buy_in", "players", amount="3")
        page = await dealer.see(DEAL)
        assert "too few chips" not in page.text
        assert "no bet" in page.text
        offered = (await floor.see(f"{DEAL}?show=more")).offering("change_day")
        assert offered is not None
        assert "Refused" not in (await floor.send(offered)).text

    browse(tmp_path, visit)


def test_a_physical_round_is_dealt_from_the_dealers_page(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, dealer = await house.browser("floorperson"), await house.browser("dealer")
        assert "no dealer yet" in (await dealer.see("/dealer")).text
        await open_table(dealer, floor)
        assert "you deal" in (await dealer.see("/dealer")).text
        await bring_cards(dealer, floor)
        await to_the_first_card(dealer)
        page = await give(dealer, "reveal", button="2c")
        assert "two of clubs" in page.html
        # The screen was out for the second card: it is turned up, and named later.
        await give(dealer, "decide", button="1x")
        later = [form for form in (await dealer.see(DEAL)).forms if form.do == "reveal"][-1]
        page = await dealer.send(later)
        assert "Which card is it?" in page.text
        page = await give(dealer, "tell", button="7d")
        await give(dealer, "decide", button="1x")
        # A card that was named wrong is the floor's to correct, before anything is paid on it.
        assert "correct_card" not in {form.do for form in (await dealer.see(f"{DEAL}?show=irregularity")).forms}
        form = (await floor.see(f"{DEAL}?show=irregularity")).offering("correct_card")
        assert form is not None
        place = next(value for value in form.choices["place"] if value)
        await give(floor, "correct_card", "irregularity", place=place, card="kh", reason="typed wrong")
        page = await give(dealer, "reveal", cards="10c")
        page = await dealer.see(DEAL)
        assert "Turn up the hand of seat 2" in page.text
        page = await give(dealer, "reveal", cards="ks kd")
        assert "Seat 2: three kings" in page.text
        assert "then pay $120" in page.text
        assert "Pay $30" in page.text
        assert "$500" not in page.text.split("Seat 2: three kings")[1].split("Out of the tray")[0]
        await give(dealer, "settle")
        page = await give(dealer, "close")
        assert "Before the next round" in page.text

    browse(tmp_path, visit)


def test_an_irregularity_is_listed_with_its_ruling_and_the_floor_rules(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, dealer = await house.browser("floorperson"), await house.browser("dealer")
        await open_table(dealer, floor)
        await bring_cards(dealer, floor)
        page = await dealer.see(f"{DEAL}?show=irregularity")
        well_led(page)
        assert "No round is in play" in page.text
        await to_the_first_card(dealer)
        page = await dealer.see(f"{DEAL}?show=irregularity")
        well_led(page)
        assert "Community card exposed" in page.text
        assert "Several cards dealt face up" not in page.text, "the deal is over"
        call = next(form for form in page.forms if form.fields.get("about") == "Community card exposed")
        page = await dealer.send(call)
        assert "Floor called" in page.text
        assert "I am here" not in page.text
        page = await floor.see(f"{DEAL}?show=irregularity")
        assert "I am here" in page.text
        rule = next(form for form in page.forms if form.fields.get("irregularity") == "community_exposed")
        page = await floor.send(rule, reason="the second card was seen")
        assert page.status == 200, page.text
        assert "The round is void" in page.text
        assert "Not turned up: the round is void" in page.text
        assert "First give back $20 to seat 2." in page.text
        assert "Floor called" not in page.text, "whoever rules is there"
        page = await dealer.send(next(form for form in (await dealer.see(DEAL)).forms if form.action.endswith("/call")))
        assert "Floor called" in page.text
        answer = next(form for form in (await floor.see(DEAL)).forms if form.fields.get("answer"))
        page = await floor.send(answer)
        assert "Floor called" not in page.text
        refused = await dealer.send(rule)
        assert refused.status == 403

    browse(tmp_path, visit)


def test_what_was_entered_wrong_before_the_deal_is_taken_back_where_it_stands(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, dealer = await house.browser("floorperson"), await house.browser("dealer")
        refused = await floor.see(DEAL)
        assert "dealer-1" in next(form for form in refused.forms if form.do == "assign").choices["person"]
        await open_table(dealer, floor)
        await bring_cards(dealer, floor)
        assert dict(house.desk.table(BY_HAND).table.people.seats) == {2: "ann-1"}, "by the name that was typed"
        await give(dealer, "sit", "players", seat="3", patron="the lady in red")
        assert dict(house.desk.table(BY_HAND).table.people.seats)[3] == "the lady in red"
        assert "$10 to $500" in (await dealer.see(DEAL)).text
        await bet(dealer)
        page = await give(dealer, "take_back")
        assert house.desk.table(BY_HAND).table.round is None or "no bet" in page.text
        await bet(dealer)
        page = await give(dealer, "perform")
        assert page.offering("take_back") is None

    browse(tmp_path, visit)


def test_a_progressive_bet_that_is_not_registered_is_said_to_go_back(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        dealer = await house.browser("dealer")
        table = str(1 + list(rulebook_ids()).index("md-mississippi-stud"))
        path = f"/tables/{table}/deal"
        await seat_and_stake(house, table)
        await hand_over(house, table)
        bets = None
        for _ in range(20):
            page = await dealer.see(path)
            if (bets := page.going_to("/bets")) is not None:
                break
            await dealer.send(next(form for form in page.forms if form.action == path and form.do))
        assert bets is not None
        page = await dealer.send(bets, {"bet.ante": "10", "bet.progressive": "1"})
        assert "Register the progressive bet: seat 2" in page.text
        assert "Register the progressive bets before: what is not registered by then goes back." in page.text
        announce = next(form for form in page.forms if form.do == "perform")
        page = await dealer.send(announce)
        assert "1 bet, not registered at seat 2: what is not registered goes back" in page.text

    browse(tmp_path, visit)


def test_a_table_that_went_idle_is_led_back_to_its_bets(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor, dealer = await house.browser("floorperson"), await house.browser("dealer")
        await open_table(dealer, floor)
        await bring_cards(dealer, floor)
        await give(dealer, "set_idle", "more")
        assert house.desk.table(BY_HAND).table.status == "idle"
        for do in ("offer_deck", "wash_deck", "stack_deck", "shuffle_deck"):
            page = await dealer.see(DEAL)
            well_led(page)
            assert "Waiting" not in page.text, do
            assert page.offering(do) is not None, (do, page.text)
            await give(dealer, do)

    browse(tmp_path, visit)


def test_the_page_that_is_open_is_told_of_changes_alone(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        floor = await house.browser("floorperson")
        page = await floor.see(DEAL)
        version = next(given["data-version"] for _, given in page.tags if "data-version" in given)
        same = await floor.http.get(f"{DEAL}/now", params={"seen": version})
        assert same.status_code == 204
        await give(floor, "assign", post="floorperson", person="floorperson-1")
        other = await floor.http.get(f"{DEAL}/now", params={"seen": version})
        assert other.status_code == 200
        assert other.text.lstrip().startswith('<div id="live"')
        ann = await house.browser("ann")
        assert (await ann.see(DEAL)).status == 403
        assert (await ann.see("/dealer")).status == 403
        assert (await (await house.browser()).see(DEAL)).status == 401

    browse(tmp_path, visit)


def answer_form(page: ThePage) -> Form:
    return next(form for form in page.forms if form.method == "post" and form.action == "/dealer/trainer")


def test_the_trainer_scores_a_round_and_keeps_the_evening(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        dealer = await house.browser("dealer")
        number = len(rulebook_ids())
        for table in map(str, range(1, number + 1)):
            page = await dealer.see(f"/dealer/trainer?rules=table.{table}&seed=5")
            well_led(page)
            page = await dealer.send(answer_form(page))
            well_led(page)
            assert "answers are right" in page.text
            assert "Order of the deal" in page.text
            assert f"Rounds{table}" in page.text.replace("\n", "")
            page = await dealer.send(answer_form(page))
            assert f"Rounds{table}" in page.text.replace("\n", ""), "a round counts once"

    browse(tmp_path, visit)


async def seat_and_stake(house: HouseForBrowsers, table: str) -> None:
    """A player at seat 2 of a virtual table, with chips."""
    live = house.desk.hall.live[table]
    player = Person("player", "ann-1")
    await live.give(lambda _, at: Request(player, at, Sit(2, "ann-1")))
    await live.give(lambda _, at: Request(player, at, BuyIn(Cents(100_000), "ann-1")))


async def hand_over(house: HouseForBrowsers, table: str) -> None:
    """The house hands a virtual table over to the dealer; nobody deals there by itself any more."""
    caller = Caller(id="floorperson-1", roles=("floorperson",), factor=True)
    await house.desk.give_house(caller, HandOver(table=table, dealer="person", person="dealer-1"), "")


def hidden_cards(table: Table) -> set[str]:
    state = table.round
    if state is None:
        return set()
    up = state.cards.up
    return {str(card) for place, card in enumerate(state.faces.known) if card is not None and place not in up}


def test_a_person_deals_a_virtual_round_of_every_rulebook_and_sees_no_hidden_card(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        dealer = await house.browser("dealer")
        for table in map(str, range(1, len(rulebook_ids()) + 1)):
            path = f"/tables/{table}/deal"
            assert "deals by itself" in (await dealer.see(path)).text
            await seat_and_stake(house, table)
            await hand_over(house, table)
            told: list[str] = []
            for _ in range(120):
                page = await dealer.see(path)
                well_led(page)
                now = house.desk.hall.live[table].table
                shown = set(re.findall(r"#([2-9TJQKA][cdhs])\b", page.html))
                assert not shown & hidden_cards(now), (table, told)
                bets = page.going_to("/bets")
                if bets is not None and now.round is None:
                    least = {name: given["min"] for name, given in bets.inputs.items() if name.startswith("bet.")}
                    await dealer.send(bets, least)
                    continue
                form = next(
                    (form for form in page.forms if form.action == path and form.do not in ("", "take_back")), None
                )
                assert form is not None, (table, told, page.text[-1500:])
                told.append(form.do)
                counted = {"chips": "1"} if "chips" in form.inputs else {}
                chosen = form.buttons[0] if form.do == "decide" and form.buttons else None
                answer = await dealer.send(form, counted, button=chosen)
                assert answer.status == 200, (form.do, answer.text[-800:])
                if form.do == "close":
                    break
            assert told[-1] == "close", told
            assert {"perform", "deal", "decide", "settle"} <= set(told), told

    browse(tmp_path, visit)
