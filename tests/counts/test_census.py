"""Every hand there is, counted by the batch kernels, against counts by formula that look at no hand."""

from itertools import product
from math import comb

import pytest

from croupier.hands import FiveCard, SixCard, ThreeCard, batch, census

RUNS_OF_FIVE = 10
SETS_OF_SIX_WITH_A_RUN = 71
ORDER = "23456789TJQKA"


def test_all_2_598_960_five_card_hands() -> None:
    assert census.five_card() == {
        FiveCard.ROYAL_FLUSH: 4,
        FiveCard.STRAIGHT_FLUSH: 4 * (RUNS_OF_FIVE - 1),
        FiveCard.FOUR_OF_A_KIND: 13 * 48,
        FiveCard.FULL_HOUSE: 13 * 4 * 12 * 6,
        FiveCard.FLUSH: 4 * (comb(13, 5) - RUNS_OF_FIVE),
        FiveCard.STRAIGHT: RUNS_OF_FIVE * (4**5 - 4),
        FiveCard.THREE_OF_A_KIND: 13 * 4 * comb(12, 2) * 4**2,
        FiveCard.TWO_PAIR: comb(13, 2) * 6**2 * 44,
        FiveCard.PAIR: 13 * 6 * comb(12, 3) * 4**3,
        FiveCard.NOTHING: (comb(13, 5) - RUNS_OF_FIVE) * (4**5 - 4),
    }


@pytest.mark.parametrize(("ace_low", "runs"), [(True, 12), (False, 11)])
def test_all_22_100_three_card_hands(*, ace_low: bool, runs: int) -> None:
    assert census.three_card(ace_low=ace_low) == {
        ThreeCard.MINI_ROYAL: 4,
        ThreeCard.STRAIGHT_FLUSH: 4 * (runs - 1),
        ThreeCard.THREE_OF_A_KIND: 13 * 4,
        ThreeCard.STRAIGHT: runs * (4**3 - 4),
        ThreeCard.FLUSH: 4 * (comb(13, 3) - runs),
        ThreeCard.PAIR: 13 * 6 * 48,
        ThreeCard.NOTHING: (comb(13, 3) - runs) * (4**3 - 4),
    }


def test_all_20_358_520_six_card_hands() -> None:
    five_or_six_alike = 4 * (1 + 6 * 3)  # ways to give six ranks suits so that a flush comes about
    pair_and_four_alike = 4 * 3  # the same for five ranks of which one is paired
    flushes = 4 * (comb(13, 6) + comb(13, 5) * 39)
    straight_flushes = 4 * (SETS_OF_SIX_WITH_A_RUN + RUNS_OF_FIVE * 39)
    assert census.six_card() == {
        SixCard.SUPER_ROYAL: 4,
        SixCard.ROYAL_FLUSH: 4 * 47 - 4,
        SixCard.STRAIGHT_FLUSH: straight_flushes - 4 * 47,
        SixCard.FOUR_OF_A_KIND: 13 * comb(48, 2),
        SixCard.FULL_HOUSE: comb(13, 2) * 4**2 + 13 * 4 * 12 * 6 * 44,
        SixCard.FLUSH: flushes - straight_flushes,
        SixCard.STRAIGHT: SETS_OF_SIX_WITH_A_RUN * (4**6 - five_or_six_alike)
        + RUNS_OF_FIVE * 5 * (6 * 4**4 - pair_and_four_alike),
        SixCard.THREE_OF_A_KIND: 13 * 4 * comb(12, 3) * 4**3,
        SixCard.TWO_PAIR: comb(13, 3) * 6**3 + comb(13, 2) * 6**2 * comb(11, 2) * 4**2,
        SixCard.PAIR: (comb(13, 5) - RUNS_OF_FIVE) * 5 * (6 * 4**4 - pair_and_four_alike),
        SixCard.NOTHING: (comb(13, 6) - SETS_OF_SIX_WITH_A_RUN) * (4**6 - five_or_six_alike),
    }


def test_all_133_784_560_seven_card_hands_by_longest_flush() -> None:
    expected = dict.fromkeys(range(2, 8), 0)
    for suits in product(range(8), repeat=4):
        if sum(suits) == 7:
            c, d, h, s = (comb(13, count) for count in suits)
            expected[max(suits)] += c * d * h * s
    assert census.longest_flush() == expected
    assert sum(expected.values()) == comb(52, 7)


def test_all_133_784_560_seven_card_hands_by_four_of_a_kind() -> None:
    found = sum(int(batch.four_of_a_kind(block).sum()) for block in batch.all_hands(7))
    assert found == 13 * comb(48, 3)


@pytest.mark.parametrize("ace_low", [True, False])
def test_all_133_784_560_seven_card_hands_by_longest_straight_flush(*, ace_low: bool) -> None:
    at_most = {length: seven_cards_without_a_run_over(length, ace_low=ace_low) for length in range(8)}
    expected = {length: at_most[length] - at_most[length - 1] for length in range(1, 8)}
    assert census.longest_straight_flush(ace_low=ace_low) == expected


def seven_cards_without_a_run_over(longest: int, *, ace_low: bool) -> int:
    """The coefficient of x^7 in P(x)^4, P counting the sets of ranks of one suit by size."""
    too_long = "1" * (longest + 1)
    suit = [0] * 8
    for held in product("01", repeat=13):
        line = "".join(held)
        size = line.count("1")
        if size <= 7 and too_long not in (line[-1] + line if ace_low else line):
            suit[size] += 1
    hand = [1] + [0] * 7
    for _ in range(4):
        hand = [sum(hand[i] * suit[size - i] for i in range(size + 1)) for size in range(8)]
    return hand[7]
