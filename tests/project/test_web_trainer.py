"""The trainer without a browser: hands of practice by forms alone, drills that come again, strategy cards."""

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.analysis import BASE, DrillCard, advise, answered, due_drills, main_table, tables_of
from croupier.analysis.answering import CoachAsked, MeanAsked, answers
from croupier.analysis.drills import BOXES
from croupier.cards import DECK, parse_cards
from croupier.driver import PracticeHand, played
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, rulebook_ids, starting_submission
from croupier.web import trainer
from croupier.web.advice import judged, panel, question_of
from croupier.web.adviser import Adviser, answer_elsewhere
from croupier.web.practice_kept import Practice, practice_text, read_practice
from support.browser import Browser, Form, HouseForBrowsers, ThePage, browse

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HERE = Adviser(lambda lines: list(answers(lines)))
"""Answers in this process: a test may wait for them."""


def slowly(_: Sequence[bytes]) -> list[bytes]:
    time.sleep(3)
    return []


def house_of(rulebook: str) -> HouseRules:
    return check(read_submission_text(starting_submission(load_rulebook(rulebook)), name=rulebook)).rules()


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trainer, "ADVISER", HERE)
    monkeypatch.setattr(trainer, "_QUICK", 15.0)


def deciding(page: ThePage) -> Form:
    return next(form for form in page.forms if any(name == "choice" for name, _ in form.buttons))


async def decide(browser: Browser, page: ThePage, choice: str) -> ThePage:
    return await browser.send(deciding(page), button=("choice", choice))


# --- hands


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_hand_follows_from_its_seed_alone_and_shows_only_what_lies_open(rulebook: str) -> None:
    house = house_of(rulebook)
    for seed in ("aaaa", "bbbb", "cccc"):
        done: tuple[str, ...] = ()
        seen = played(PracticeHand(house=house, seed=seed, stake=Cents(1000)))
        boards = [seen.board]
        while seen.decision is not None:
            assert not seen.dealer  # the dealer's hand is turned up when everybody has decided
            done += (seen.options[0].name,)
            seen = played(PracticeHand(house=house, seed=seed, stake=Cents(1000), choices=done))
            boards.append(seen.board)
        assert seen == played(PracticeHand(house=house, seed=seed, stake=Cents(1000), choices=done))
        assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(boards))
        assert seen.settled is not None
        with pytest.raises(Malformed, match=r"not offered|is over"):
            played(PracticeHand(house=house, seed=seed, stake=Cents(1000), choices=(*done, "dance")))


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_hand_can_be_dealt_again(rulebook: str) -> None:
    house = house_of(rulebook)
    first = played(PracticeHand(house=house, seed="aaaa", stake=Cents(1000)))
    again = played(PracticeHand(house=house, seed="zzzz", stake=Cents(1000), cards=first.own))
    assert again.own == first.own
    with pytest.raises(Malformed):
        played(PracticeHand(house=house, seed="zzzz", stake=Cents(1000), cards=(DECK[0], DECK[0])))


# --- values


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_panel_says_what_advise_says(rulebook: str) -> None:
    house = house_of(rulebook)
    seen = played(PracticeHand(house=house, seed="aaaa", stake=Cents(1000)))
    (answer,) = asyncio.run(HERE.ask([question_of(house, seen.own)]))
    exact = advise(house.rulebook, seen.own, paytable=main_table(house).id)
    shown = panel(answer, Cents(1000), decision=seen.decision or "")
    assert {row.name: row.value for row in shown.rows} == exact.actions
    assert {step.name for step in seen.options} == set(exact.actions)
    assert tuple(row.name for row in shown.best) == exact.best
    for name in exact.actions:
        judgment = judged(answer, name, Cents(1000))
        assert judgment.right == (name in exact.best)
        assert judgment.cents == exact.cost(name) * 1000


def test_equal_actions_are_both_best() -> None:
    """Four cards of an open straight below the tens: eight cards pay 5 to 1, forty lose."""
    asked = [
        CoachAsked(rulebook="md-let-it-ride", paytable=table.id, cards="5c 6d 7h", community="8s", bets=("ride",))
        for table in tables_of(load_rulebook("md-let-it-ride"), BASE)
    ]
    given = asyncio.run(HERE.ask(asked))
    tied = [answer for answer in given if len(answer.best) > 1]
    assert tied
    for answer in tied:
        assert all(judged(answer, name, Cents(500)).right for name in ("ride", "withdraw"))
        assert all(row.is_best and row.gauge == 100 for row in panel(answer, Cents(500)).rows)


def test_what_nobody_can_price_has_no_answer() -> None:
    unknown = CoachAsked(rulebook="md-let-it-ride", paytable="none", cards="Tc Td 2h")
    assert asyncio.run(HERE.ask([unknown])) == [None]
    assert HERE.is_known(unknown)


def test_answers_come_from_another_process_and_nobody_waits_for_them() -> None:
    adviser = Adviser(answer_elsewhere())
    asked = MeanAsked(rulebook="md-let-it-ride", paytable="A")

    async def ask() -> tuple[list[object], list[object]]:
        return await adviser.ask([asked], patience=0), await adviser.ask([asked])

    at_once, later = asyncio.run(ask())
    assert at_once == [None]
    assert later == [Fraction(-37963, 1082900)]


# --- drills


def test_a_mistake_comes_again_until_it_was_right_in_every_box() -> None:
    asked = DrillCard(kind="md-let-it-ride A 3.5", cards="Tc Jd 2h", due=NOON)
    drills, at = answered((), asked, right=False, at=NOON), NOON
    for box, rest in enumerate(BOXES, 1):
        (drill,) = drills
        assert (drill.box, drill.due) == (box, at + rest)
        if rest:
            assert due_drills(drills, drill.due - timedelta(seconds=1)) == []
            assert (
                answered(drills, asked, right=True, at=drill.due - timedelta(seconds=1)) == drills
            )  # not due: not counted
        at = drill.due
        assert due_drills(drills, at) == [drill]
        drills = answered(drills, asked, right=True, at=at)
    assert drills == ()


def test_a_mistake_on_the_way_begins_again_with_the_newest_hand() -> None:
    first = DrillCard(kind="k", cards="Tc Jd 2h", due=NOON, box=4)
    other = DrillCard(kind="k", cards="9c Jd 2h", due=NOON)
    (drill,) = answered((first,), other, right=False, at=NOON)
    assert (drill.box, drill.cards, drill.due) == (1, "9c Jd 2h", NOON)


def test_a_browser_keeps_drills_and_nothing_that_does_not_read_harms() -> None:
    drills = tuple(
        DrillCard(kind=f"md-mississippi-stud standard 4.{row}", cards="Tc Jd 2h 3s", bets=("1x", "3x"), box=2, due=NOON)
        for row in range(80)
    )
    kept = practice_text(Practice(drills=drills, decisions=9, right=4, cost=Fraction(631, 700), last="ab"))
    assert len(kept) < 3900
    again = read_practice(kept)
    assert again.drills == drills[:50]
    assert (again.decisions, again.right, again.cost, again.last) == (9, 4, Fraction(631, 700), "ab")
    for hostile in (
        "",
        "!!!",
        "1_1_1_0_",
        "9" * 5000,
        '1_1_1_1_!a~b~c~1~9999999999~TcTc~"',
        "1_1_1_1_!a~b~c~1~99~TcTc~",
    ):
        assert read_practice(hostile).drills == ()


# --- pages


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_stranger_practices_a_hand_by_forms_alone(tmp_path: Path, rulebook: str) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        page = await browser.see(f"/trainer/{rulebook}?values=before")
        assert page.status == 200
        assert "Before you decide" in page.text
        assert re.search(r"exactly −?\d+(/\d+)? (ante|bet)s", page.text)
        for _ in range(4):
            if not any(("choice", value) in form.buttons for form in page.forms for value in ("fold", "withdraw")):
                break
            page = await decide(browser, page, deciding(page).buttons[0][1])
            assert "Right:" in page.text or "is not the best play" in page.text
        assert "How the bets ended" in page.text
        assert not [given for _, given in page.tags if "style" in given]
        assert page.unbalanced == []
        assert len(page.ids) == len(set(page.ids))

    browse(tmp_path, visit)


def test_a_wrong_decision_costs_what_it_costs_and_comes_again(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser("ann")
        page = await browser.see("/trainer/md-mississippi-stud/aaaa?stake=20.00&values=after&cards=5d4s")
        assert "Bet 3×" in page.text
        assert "−3.1861" not in page.text  # before deciding nothing is told
        page = await decide(browser, page, "3x")
        exact = advise(load_rulebook("md-mississippi-stud"), parse_cards("5d 4s"))
        cents = round(exact.cost("3x") * 2000)
        assert f"It costs ${cents // 100}.{cents % 100:02} on average" in page.text
        assert "1 drill due" in page.text
        assert "0 of 1 decision" in page.text
        page = await decide(
            browser, await browser.see("/trainer/md-mississippi-stud/aaaa?stake=20.00&cards=5d4s"), "3x"
        )
        assert "0 of 1 decision" in page.text  # sent again it is not counted again
        drill = await browser.see("/trainer/drills")
        assert "Drill: Mississippi Stud" in drill.text
        page = await decide(browser, drill, "fold")
        assert "Right: Fold" in page.text
        assert "No drills due" in page.text
        assert "1 of 2 decisions" in page.text
        front = await browser.see("/trainer/drills")  # nothing is due: back to the front
        assert "Nothing is due now: 1 decision comes back later" in front.text
        for _ in range(200):  # the strategy's words come from beside the server
            if "“Anything else”" in front.text:
                break
            await asyncio.sleep(0.1)
            front = await browser.see("/trainer/drills")
        assert "“Anything else”" in front.text
        assert "stage 2 of 5: again 20" in front.text

    browse(tmp_path, visit)


def test_rules_of_a_table_strategy_cards_and_addresses_that_lead_nowhere(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        front = await browser.see("/trainer")
        assert front.status == 200
        for link in [link for link in front.links if link.startswith("/trainer/")]:
            page = await browser.see(link)
            assert page.status == 200, link
            assert "being computed" not in page.text.lower()
        card = await browser.see("/trainer/cards/md-let-it-ride.B")
        assert "paytable B" in card.text
        assert "What each strategy costs" in card.text
        for wrong in (
            "/trainer/md-poker",
            "/trainer/table.99",
            "/trainer/md-let-it-ride.Z",
            "/trainer/md-let-it-ride/A*",
        ):
            assert (await browser.see(wrong)).status == 404, wrong
        for wrong in ("did=dance", "did=ride.ride.ride", "cards=TcTc", "cards=xx", "did=" + ".".join(["ride"] * 9)):
            assert (await browser.see(f"/trainer/md-let-it-ride/aaaa?{wrong}")).status in {400, 422}, wrong
        odd = await browser.see("/trainer/md-let-it-ride/aaaa?stake=7.77&given=x&values=maybe")
        assert odd.status == 200

    browse(tmp_path, visit)


def test_what_a_browser_keeps_wrongly_is_passed_over(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        spoiled = [
            "md-poker~A~3.1~1~1~TcJd2h~",
            "md-let-it-ride~A~3.1~1~1~TcJd2h4h5h9h~",
            "md-let-it-ride~A~3.1~1~1~TcJd~",
        ]
        spoiled += ["md-let-it-ride~A~3.1~1~1~TcJd2h~ride", "md-let-it-ride~A~3.1~1~1~TcJd2h~dance"]
        for item in spoiled:
            browser.http.cookies.set("croupier_drills", f"1_0_1_1_!{item}", path="/trainer")
            assert (await browser.see("/trainer/drills")).path == "/trainer", item
        browser.http.cookies.set("croupier_drills", "1_0_1_1_!md-let-it-ride~A~4.1~1~1~TcJd2h4h~ride", path="/trainer")
        page = await browser.see("/trainer/drills")
        assert "Drill: Let It Ride" in page.text
        assert "The bets before it are as they were then." in page.text

    browse(tmp_path, visit)


def test_a_page_says_what_is_being_computed_and_what_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser = await house.browser()
        monkeypatch.setattr(trainer, "ADVISER", Adviser(slowly))
        monkeypatch.setattr(trainer, "_QUICK", 0.01)
        for path in ("/trainer/md-let-it-ride/aaaa?values=before", "/trainer/cards/md-let-it-ride"):
            page = await browser.see(path)
            assert "being computed" in page.text.lower()
            assert page.headers["refresh"] == "1"
        monkeypatch.setattr(trainer, "ADVISER", Adviser(lambda lines: [b"null"] * len(lines)))
        monkeypatch.setattr(trainer, "_QUICK", 5.0)
        page = await browser.see("/trainer/md-let-it-ride/aaaa?values=before")
        assert "There are no exact values for this paytable." in page.text
        page = await decide(browser, page, "ride")
        assert "No exact values" in page.text
        assert "No decisions yet." in page.text
        assert "refresh" not in page.headers

    browse(tmp_path, visit)


def test_nobody_asks_too_often(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        browser, other = await house.browser(), await house.browser("ann")
        states = [(await browser.see("/trainer/md-let-it-ride/aaaa")).status for _ in range(80)]
        assert states[:30] == [200] * 30
        assert 429 in states
        assert (await other.see("/trainer/md-let-it-ride/aaaa")).status == 200

    browse(tmp_path, visit)
