"""Hands on each line, counted suit by suit, against every hand looked at; the payout limit against a plain sum."""

from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from croupier.analysis.cases import BASE, main_table, streets_of
from croupier.analysis.cost_of_play import adapted_play, limit_cost
from croupier.analysis.streets.game import best_play, odds_of, payoff_of
from croupier.analysis.streets.solve import solve
from croupier.analysis.tallies import flush_and_run_counts, flush_counts, hand_counts
from croupier.hands import batch, census
from croupier.hands.tables import read_straight_flush
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, read_submission


def test_seven_cards_by_flush_equal_every_hand_looked_at() -> None:
    assert dict(flush_counts()) == census.longest_flush()


@pytest.mark.parametrize("ace_low", [True, pytest.param(False, marks=pytest.mark.torture)])
def test_seven_cards_by_flush_run_and_four_of_a_kind_equal_every_hand_looked_at(*, ace_low: bool) -> None:
    counts = np.zeros(8 << 9, dtype=np.int64)
    for block in batch.all_hands(7):
        runs = batch.longest_straight_flush(block, ace_low=ace_low).astype(np.int64)
        quads, lengths = batch.four_of_a_kind(block), batch.longest_flush(block) >> 13
        counts += np.bincount(lengths.astype(np.int64) << 9 | runs << 1 | quads, minlength=len(counts))
    looked_at = {
        (place >> 9, read_straight_flush(place >> 1 & 255), bool(place & 1)): int(counts[place])
        for place in np.flatnonzero(counts).tolist()
    }
    counted = {
        (longest, hand.hand, hand.quads): count for longest, hand, count in flush_and_run_counts(ace_low=ace_low)
    }
    assert counted == looked_at


def test_poker_hands_equal_the_census() -> None:
    for evaluator, counts in (("three_card", census.three_card()), ("six_card", census.six_card())):
        found: Counter[object] = Counter()
        for judged, count in hand_counts(evaluator):
            found[judged.hand.category] += count  # type: ignore[union-attr]
        assert found == Counter(counts)
    assert sum(count for _, count in hand_counts("five_card")) == comb(52, 5)


# --- a player's bets


def house(rulebook: str, **more: object) -> HouseRules:
    found = check(read_submission({"rulebook": rulebook, **more})).house
    assert found is not None
    return found


def test_the_payout_limit_takes_what_a_plain_sum_says() -> None:
    rules = house("md-mississippi-stud", limits={"ante": {"minimum": "10.00", "maximum": "1000.00"}})
    game = streets_of(rules.rulebook)
    assert game is not None
    ante, limit = 50_000, rules.payout_limit
    assert limit == 5_000_000
    solved = best_play(game, odds_of(main_table(rules)))
    cut = sum(
        count * max(odd * bets * ante - limit, 0)
        for odd, row in zip(odds_of(main_table(rules)), solved.played.tolist(), strict=True)
        for bets, count in enumerate(row)
    )
    assert limit_cost(rules, {BASE: Cents(ante)}) == Fraction(cut, game.deals)


def test_minding_the_limit_is_best_play_under_it() -> None:
    rules = house("md-mississippi-stud", limits={"ante": {"minimum": "10.00", "maximum": "1000.00"}})
    game, odds, bets = streets_of(rules.rulebook), odds_of(main_table(rules)), {BASE: Cents(100_000)}
    assert game is not None
    adapted, taken = adapted_play(rules, bets), limit_cost(rules, bets)
    assert adapted is not None
    assert taken is not None
    best = solve(game, payoff_of(game, odds, bet=100_000, limit=rules.payout_limit)).mean
    assert best == best_play(game, odds).mean * 100_000 - taken + adapted.gain
