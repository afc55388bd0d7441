"""Counts of hands against house edges that others have published for the paytables made of them."""

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import TypeVar

import pytest

from croupier.hands import ThreeCard, census

Hand = TypeVar("Hand", bound=int)


def edge(counts: Mapping[Hand, int], pays: Mapping[Hand, int]) -> Fraction:
    """What the house keeps of a stake when each hand pays so much to one and every other loses."""
    total = sum(counts.values())
    won = sum(count * pays.get(hand, -1) for hand, count in counts.items())
    return -Fraction(won, total)


PAIR_PLUS = {
    ThreeCard.MINI_ROYAL: 40,
    ThreeCard.STRAIGHT_FLUSH: 40,
    ThreeCard.THREE_OF_A_KIND: 30,
    ThreeCard.STRAIGHT: 6,
    ThreeCard.FLUSH: 3,
    ThreeCard.PAIR: 1,
}


@pytest.mark.parametrize(
    ("pays", "low", "high"),
    [
        pytest.param(PAIR_PLUS, "7.28", "9.85", id="Three Card Bonus E"),
        pytest.param(PAIR_PLUS | {ThreeCard.MINI_ROYAL: 50}, "7.10", "9.67", id="Three Card Bonus D"),
    ],
)
def test_reading_53_three_card_bonus(pays: dict[ThreeCard, int], low: str, high: str) -> None:
    assert percent(edge(census.three_card(ace_low=True), pays)) == low
    assert percent(edge(census.three_card(ace_low=False), pays)) == high


def test_reading_56_straight_flush_bonus_a() -> None:
    pays = {7: 8000, 6: 1000, 5: 100, 4: 60, 3: 7}
    low, high = (census.longest_straight_flush(ace_low=ace_low) for ace_low in (True, False))
    assert percent(edge(low, pays)) == "13.09"
    assert percent(edge(high, pays)) == "20.51"


def test_reading_31_a_six_card_straight_flush_comes_once_in_84_035_hands() -> None:
    assert comb(52, 7) // census.longest_straight_flush()[6] == 84_035


def percent(share: Fraction) -> str:
    return f"{float(share * 100):.2f}"
