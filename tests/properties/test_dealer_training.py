"""The dealer trainer: every right answer is the engine's own, a round is its seed, and every mistake is found."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.games import SeatSettled, WagerSettled, deal_order, result
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission_text, starting_submission
from croupier.training import Answers, Drill, EveningRecord, PayAnswer, drill_of, play_round, right_answers, score
from support.random_play import BOOKS, random_house

HOUSES: dict[str, HouseRules] = {book: random_house(random.Random(book), book) for book in BOOKS}
books, seeds = st.sampled_from(BOOKS), st.integers(0, 10**9 - 1)


@given(books, seeds)
def test_the_right_answers_are_what_the_engine_did(book: str, seed: int) -> None:
    house = HOUSES[book]
    drill, played = drill_of(house, seed=seed), play_round(house, seed)
    settled: dict[int, SeatSettled] = {seat.seat: seat for seat in result(played.after).seats}
    for seat in drill.seats:
        wagers: dict[str, WagerSettled] = {wager.wager: wager for wager in settled[seat.seat].wagers}
        for pay in seat.pays:
            if pay.wager.startswith("envy"):
                assert pay.move.amount in {bonus.won for bonus in settled[seat.seat].envy}
                continue
            wager = wagers[pay.wager]
            paid = pay.move.amount if pay.move.kind in {"pay", "award"} else 0
            taken = pay.move.amount if pay.move.kind == "take" else pay.move.takes
            assert paid == wager.won
            assert taken == wager.staked - wager.returned
            assert (pay.move.clause, pay.move.why) == (wager.clause, wager.why)
    first = next((task for task in drill.orders if task.step == "order of the deal"), None)
    if first is not None:
        seats = [box.seat for box in played.after.boxes]
        staked = {name for box in played.after.boxes for name, _ in box.staked}
        order = deal_order(house, seats=seats, staked=staked)
        assert first.right == tuple(dict.fromkeys(f"{place.slot}.{place.seat}" for place in order))
    last = next((task for task in drill.orders if task.step == "order of take and pay"), None)
    if last is not None:
        assert last.right == tuple(f"{what}.{seat}" for what, seat in played.after.proceedings.turns)
    bets = next((task for task in drill.orders if task.step == "order of the bets"), None)
    if bets is not None:
        wagers_of = {wager.name: wager.paytables[0].group for wager in house.wagers}
        groups = [wagers_of[name] for name in house.rulebook.play.settlement.order if name in wagers_of]
        assert bets.right == tuple(group for group in dict.fromkeys(groups) if group in bets.right)


@given(books, seeds)
def test_a_round_is_its_seed_and_no_mistake_scores_everything(book: str, seed: int) -> None:
    drill = drill_of(HOUSES[book], seed=seed)
    assert drill == drill_of(HOUSES[book], seed=seed)
    scored = score(drill, right_answers(drill))
    assert scored.is_perfect
    assert scored.points == scored.most > 0
    nothing = score(drill, Answers(orders={}, pays={}))
    assert nothing.points == 0
    assert len(nothing.mistakes) == nothing.most == scored.most
    assert all(mistake.clause and mistake.why and mistake.right for mistake in nothing.mistakes)


@given(books, seeds, st.data())
def test_one_wrong_answer_is_one_mistake_with_its_clause(book: str, seed: int, data: st.DataObject) -> None:
    drill = drill_of(HOUSES[book], seed=seed)
    answers = right_answers(drill)
    (seat, wager), given_ = data.draw(st.sampled_from(list(answers.pays.items())))
    other = data.draw(st.sampled_from([kind for kind in ("take", "pay", "leave", "award") if kind != given_.kind]))
    scored = score(drill, replace(answers, pays={**answers.pays, (seat, wager): replace(given_, kind=other)}))
    assert len(scored.mistakes) == 1
    assert scored.mistakes[0].where.startswith(f"Seat {seat}")
    if given_.amount:
        wrong = PayAnswer(kind=given_.kind, line=given_.line, amount=Cents(given_.amount - 1))
        scored = score(drill, replace(answers, pays={**answers.pays, (seat, wager): wrong}))
        assert [mistake.step.split()[0] for mistake in scored.mistakes] == ["amount"]
    for task in drill.orders:
        turned = replace(answers, orders={**answers.orders, task.step: task.right[::-1]})
        first = next(item for item in task.shown if item.key == task.right[0])
        assert [mistake.clause for mistake in score(drill, turned).mistakes] == [first.clause or task.clause]


def test_what_is_dealt_at_the_wrong_place_is_explained_by_the_clause_of_that_place() -> None:
    """The box comes before the board and the players, each by a clause of its own."""
    text = starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True)
    drill = drill_of(check(read_submission_text(text, name="all of it")).rules(), seed=77)
    deal = drill.orders[0]
    answers = right_answers(drill)
    swapped = (deal.right[1], deal.right[0], *deal.right[2:])
    wrong = score(drill, replace(answers, orders={**answers.orders, deal.step: swapped}))
    assert [(mistake.why, mistake.clause) for mistake in wrong.mistakes] == [
        ("first: the Six Card Bonus box", "10.B(1)")
    ]
    late = (*deal.right[:2], *reversed(deal.right[2:]))
    wrong = score(drill, replace(answers, orders={**answers.orders, deal.step: late}))
    assert [mistake.clause for mistake in wrong.mistakes] == ["10.B(3)"]


@pytest.mark.parametrize("book", BOOKS)
def test_something_is_paid_in_most_rounds(book: str) -> None:
    drills = [drill_of(HOUSES[book], seed=seed) for seed in range(20)]
    paid = [any(pay.move.kind in {"pay", "award"} for seat in drill.seats for pay in seat.pays) for drill in drills]
    assert sum(paid) >= 15


def test_an_evening_counts_rounds_streaks_and_weak_steps() -> None:
    drill: Drill = drill_of(HOUSES[BOOKS[0]], seed=3)
    right, wrong = score(drill, right_answers(drill)), score(drill, Answers(orders={}, pays={}))
    evening = EveningRecord()
    for number, each in enumerate((right, right, wrong, right)):
        evening = evening.after(each, str(number))
    assert (evening.rounds, evening.perfect, evening.streak, evening.best) == (4, 3, 1, 2)
    assert evening.after(wrong, "3") == evening, "a round counts once"
    assert {step.wrong for step in evening.weakest} >= {1}
    assert evening.points == 3 * right.most
