"""What promotions cost, against a second calculation: every class of deals, judged by the naive settlement."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from random import Random

import pytest

from croupier.analysis import coupon_cost, higher_pays, streets_of
from croupier.analysis.cases import main_table
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.sets import set_number
from croupier.cards import DECK, Card
from croupier.errors import Malformed, RuleViolation
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, read_submission
from support.deal_classes import Deals, by_strength, deals_by_class
from support.naive_settlement import five_names, pay_lines, three_names
from support.running import here

FILED = {"rulebook": "ma-mississippi-stud", "cards": {"deck_hours": 8}, "match_play": {"enabled": True}}
MD = {"rulebook": "md-mississippi-stud", "wagers": {"three_card_bonus": {"paytable": "A"}}}


@cache
def house(pays: str = "1 to 1") -> HouseRules:
    return check(read_submission(FILED | {"match_play": {"enabled": True, "pays": pays}})).rules()


@cache
def deals() -> Deals:
    """Every class of deals of Mississippi Stud under best play."""
    game = streets_of(house().rulebook)
    assert game is not None
    return by_strength(deals_by_class(game, best_play(game, odds_of(main_table(house()))).acts))


def naive_chances(lines: dict[str, str]) -> tuple[Fraction, Fraction]:
    """How often the ante wins and pushes, one class of deals after the other."""
    wins = pushes = 0
    for cards, acts, weight in zip(
        deals().cards.tolist(), deals().acts.tolist(), deals().weights.tolist(), strict=True
    ):
        if 0 not in acts:  # not folded
            names = five_names([Card(card) for card in cards])
            paid = next((lines[name] for name in lines if name in names), None)
            wins += weight if paid not in (None, "Push") else 0
            pushes += weight if paid == "Push" else 0
    total = int(deals().weights.sum())
    return Fraction(wins, total), Fraction(pushes, total)


def test_a_coupon_is_won_and_kept_as_often_as_random_deals_say() -> None:
    """4,000 deals, played by the decisions of best play and judged by the naive settlement."""
    game = streets_of(house().rulebook)
    assert game is not None
    acts, lines = (
        best_play(game, odds_of(main_table(house()))).acts,
        pay_lines("ma-mississippi-stud", "base", "standard"),
    )
    chance, count, ends = Random(95), 4_000, Counter[str | None]()
    for _ in range(count):
        cards, staked = chance.sample(DECK, 5), 1
        for known in range(2, 5):
            act = int(acts[known][set_number(cards[:known]), staked])
            if not act:
                break
            staked += game.adds[act - 1]
        else:
            names = five_names(cards)
            ends[next(("push" if lines[name] == "Push" else "win" for name in lines if name in names), None)] += 1
    priced = coupon_cost(house(), Cents(2500))
    for name, exact in (("win", priced.wins), ("push", priced.pushes)):
        assert abs(ends[name] / count - exact) < 4 * sqrt(exact * (1 - exact) / count), name


@pytest.mark.torture
def test_a_coupon_is_won_kept_or_lost_as_the_naive_settlement_says() -> None:
    wins, pushes = naive_chances(pay_lines("ma-mississippi-stud", "base", "standard"))
    priced = coupon_cost(house(), Cents(2500))
    assert (priced.wins, priced.pushes) == (wins, pushes)
    rounds = [wins * 2500 * pushes**kept for kept in range(60)]  # played again after every push
    assert float(sum(rounds)) == pytest.approx(float(priced.cost), rel=1e-12)


def test_a_coupon_scales_with_its_terms_and_costs_more_to_those_who_play_for_it() -> None:
    usual, double = coupon_cost(house(), Cents(2500)), coupon_cost(house("2 to 1"), Cents(2500))
    assert double.cost == 2 * usual.cost
    assert usual.cost < usual.adapted < 2500 * Fraction(1, 2)
    assert double.adapted > 2 * usual.adapted - usual.cost
    small = coupon_cost(house(), Cents(500), Cents(50_000))
    assert small.cost * 5 == usual.cost
    assert small.adapted >= small.cost


def test_a_coupon_needs_a_document_that_has_them_and_chips_that_match_it() -> None:
    with pytest.raises(RuleViolation, match="does not provide for match play coupons") as refusal:
        coupon_cost(check(read_submission(MD)).rules(), Cents(2500))
    assert refusal.value.reading == 95
    with pytest.raises(Malformed, match=r"a coupon of \$50 must be matched by chips; the bet is \$25"):
        coupon_cost(house(), Cents(5000), Cents(2500))


def test_a_higher_pay_on_a_bonus_costs_what_counting_all_three_card_hands_says() -> None:
    wanted = Fraction(0)
    for cards in combinations(DECK, 3):
        if "straight_flush" in three_names(list(cards)):
            wanted += 10 * 500
    hands = len(list(combinations(DECK, 3)))
    bets = {"base": Cents(1000), "three_card_bonus": Cents(500)}
    priced = higher_pays(check(read_submission(MD)).rules(), {("three_card_bonus", "Straight Flush"): "50 to 1"}, bets)
    assert priced.cost == wanted / hands


def test_a_higher_pay_in_the_main_game_never_costs_the_player() -> None:
    rules = check(read_submission(MD)).rules()
    for ante in (1000, 2500, 50_000):  # the payout limit cuts the larger ones
        costs = [
            higher_pays(rules, {("ante", "royal_flush"): pays}, {"base": Cents(ante)}).cost
            for pays in ("500 to 1", "600 to 1", "1000 to 1")
        ]
        assert costs[0] == 0
        assert costs == sorted(costs)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ({("three_card_bonus", "five_of_a_kind"): "9 to 1"}, "has no line 'five_of_a_kind': straight_flush"),
        ({("six_card_bonus", "royal_flush"): "9 to 1"}, "six_card_bonus: no bet is given"),
        ({("ante", "royal_flush"): "$500"}, "a main bet pays n to 1 or Push"),
        ({("ante", "royal_flush"): "much"}, "is not a pay"),
    ],
)
def test_pays_that_cannot_be_priced_are_refused(lines: dict[tuple[str, str], str], message: str) -> None:
    bets = {"base": Cents(1000), "three_card_bonus": Cents(500)}
    with pytest.raises(Malformed) as refusal:
        higher_pays(check(read_submission(MD)).rules(), lines, bets)
    assert message in str(refusal.value)


def test_the_commands_say_what_the_library_says(tmp_path: Path) -> None:
    ma, md = tmp_path / "ma.json", tmp_path / "md.json"
    ma.write_text(json.dumps(FILED))
    md.write_text(json.dumps(MD))
    done = here("promotion", "match-play", str(ma), "--coupon", "$25", "--coupons", "1k", "--hours", "48", "--json")
    answer, priced = json.loads(done.stdout), coupon_cost(house(), Cents(2500))
    assert Fraction(answer["cost_per_coupon_exact"]) == priced.cost / 100
    assert Fraction(answer["cost_in_all_exact"]) == priced.cost * 10
    assert Fraction(answer["cost_per_hour_exact"]) == priced.cost * 10 / 48
    assert Fraction(answer["adapted_cost_per_coupon_exact"]) == priced.adapted / 100
    shown = here("promotion", "match-play", str(ma), "--coupon", "25", "--coupons", "1,000")
    assert "$4.47" in shown.stdout
    assert "reading 95" in shown.stdout
    words = ["-l", "three_card_bonus:straight flush=50 to 1", "-b", "ante=10", "-b", "three_card_bonus=5"]
    answer = json.loads(here("promotion", "pays", str(md), *words, "--players", "4", "--hours", "40", "--json").stdout)
    per_round = Fraction(24, 221)
    assert Fraction(answer["cost_per_round_and_player_exact"]) == per_round
    assert Fraction(answer["cost_in_all_exact"]) == per_round * answer["rounds_per_hour"] * 4 * 40
    assert here("promotion", "match-play", str(md), "--coupon", "25").returncode == 1
    wrong = here("promotion", "pays", str(md), "-l", "straight flush", "-b", "ante=10")
    assert wrong.returncode == 2
    assert 'write "three_card_bonus:straight flush=50 to 1"' in wrong.stderr
