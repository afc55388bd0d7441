"""The led list at a table: what it says is now is what the automatic dealer does next, in every house.

The dealer's page then has the form for it, for whoever has to do it.
"""

import random
from typing import Final

import pytest

from croupier.documents import LedList, led_list
from croupier.rulebook import check, load_rulebook, read_submission_text, rulebook_ids, starting_submission
from croupier.table import Person, Request, Table, allowed, new_table, view
from croupier.web.dealer_irregularities import RULINGS
from croupier.web.dealer_work import task_of
from croupier.web.form_shapes import Setting
from croupier.web.offer_forms import forms_of
from support.desk import Desk, bet, stud, won_by_ann
from support.random_play import BOOKS, random_house_submission
from support.staffed_evening import deal_evening
from support.table_harness import START, table_of

STAGES: Final = {
    "act": {"perform"},
    "announce": {"perform"},
    "deal": {"deal"},
    "reveal": {"reveal"},
    "close": {"close"},
}
SETTLES: Final = {"settle", "reveal", "tell_meter", "reduce_raise"}
ELSEWHERE: Final = {"fill_tray", "register", "change_day", "add_entropy", "reveal_seed"}
"""What the staff do beside the procedure: chips for the tray, lights, dates."""


def is_led(table: Table, led: LedList, request: Request) -> bool:
    """Whether the step that is now is carried out by this command."""
    now = led.now
    if now is None:
        return False
    kind, _, rest = now.key.partition(" ")
    if kind == "stage":
        stage = table.round.rules.stages[int(rest)] if table.round is not None else None
        if stage is None:
            return False
        return request.name in (STAGES.get(stage.kind) or SETTLES) or (
            stage.kind == "wagers" and request.name == "perform"
        )
    if kind == "deal":
        return request.name == "deal"
    if kind == "settle":
        return request.name in SETTLES
    return kind == request.name


def is_in_order(led: LedList) -> None:
    states = [step.state for step in led.steps]
    assert states.count("now") <= 1, led
    if "now" in states:
        first = states.index("now")
        assert "next" not in states[:first], led
    assert all(step.law for step in led.steps), led
    assert all(step.text and not step.text.endswith(".") for step in led.steps), led


class Looks:
    """Holds each step of the staff against the led list."""

    def __init__(self) -> None:
        self.compared = 0

    def __call__(self, table: Table, request: Request | None) -> None:
        led = led_list(table, START)
        is_in_order(led)
        if request is not None and request.name not in ELSEWHERE:
            assert is_led(table, led, request), (request.name, led.now, led.title)
            self.compared += 1


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_now_is_what_the_dealer_does_next(book: str) -> None:
    dice = random.Random(book)
    for _ in range(3):
        looks = Looks()
        deal_evening(table_of(random_house_submission(dice, book)), dice, 2, looks)
        assert looks.compared > 30


def has_its_form(table: Table, request: Request | None) -> None:
    """Whoever has to give the next command finds it on the dealer's page, as its one instruction."""
    if request is None or request.name in ELSEWHERE or request.by.role == "device":
        return
    seen, led = view(table, request.by), led_list(table, START)
    offers = [each for each in allowed(table, request.by, START) if each.do not in (*RULINGS, "place_wager")]
    forms = forms_of(offers, Setting(table, seen, str, "2026-01-01"))
    task = task_of(table, seen, led, forms, START)
    asked = [form.do for form in (task.form, *task.also) if form is not None]
    # A hand is turned up before it is settled, which the staff do at once.
    turned = {"settle", "reveal"} if request.name == "settle" else {request.name}
    assert turned & set(asked) or request.name == "open_table", (request.name, asked, task.title)
    assert task.title
    assert task.clause
    stranger = view(table, Person("operator", "somebody"))
    assert task_of(table, stranger, led, [], START).form is None


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_page_has_the_form_for_what_comes_next(book: str) -> None:
    met: set[str] = set()

    def look(table: Table, request: Request | None) -> None:
        has_its_form(table, request)
        met.update([request.name] if request is not None else [])

    for every_wager, rounds in ((True, 1), (False, 5)):
        filed = read_submission_text(starting_submission(load_rulebook(book), every_wager=every_wager), name=book)
        deal_evening(new_table(filed, check(filed).rules()), random.Random(1), rounds, look)
    assert {"rack_stub", "load_deck"} <= met


def test_the_page_has_the_form_in_any_house() -> None:
    met: set[str] = set()

    def look(table: Table, request: Request | None) -> None:
        has_its_form(table, request)
        met.update([request.name] if request is not None else [])

    rare = {"verify_award", "validate_award", "pay_award"}
    for number in range(40):
        dice, book = random.Random(number), BOOKS[number % len(BOOKS)]
        deal_evening(table_of(random_house_submission(dice, book)), dice, 3, look)
        if number >= len(BOOKS) and rare <= met:
            break
    assert rare <= met, rare - met


@pytest.mark.parametrize(("dealt", "board"), [(3, "left"), (5, "done")])
def test_what_a_void_round_never_came_to_is_not_ticked(dealt: int, board: str) -> None:
    desk = Desk(stud())
    desk.seat("Ann")
    bet(desk, "Ann")
    desk.do("dealer", "d1", "perform", act="announce")
    desk.do("dealer", "d1", "deal", number=dealt)
    desk.do("floorperson", "f1", "rule", irregularity="foreign_card")
    led = {step.text: (step.state, step.note) for step in led_list(desk.table, desk.now).steps}
    assert led["Deal 2 cards to each player in turn"][0] == "done"
    assert led["Deal 3 cards to the community area"][0] == board
    stub = next(step for text, step in led.items() if "stub" in text)
    assert stub == ("left", "not put away: the round is void")


def test_an_award_is_not_told_as_paid_with_its_seat() -> None:
    desk = won_by_ann()
    led = {step.text: step for step in led_list(desk.table, desk.now).steps}
    assert led["Seat 1: take and pay"].note == "paid $20,000"
    assert "$20,000.10" in led["Validate the award: somebody other than the dealer who verified it"].note
