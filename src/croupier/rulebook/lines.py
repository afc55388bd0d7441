"""Which line of a paytable a hand falls on: the first, from the top, that it satisfies (reading 13)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from croupier.hands import FiveCard, FiveCardHand, Flush, SixCard, SixCardHand, StraightFlush, ThreeCard, ThreeCardHand
from croupier.rulebook.names import Evaluator, HandName

__all__ = ["HANDS", "Judged", "line_of"]

JACK, TEN, SIX, ACE = 11, 10, 6, 14


class Judged(NamedTuple):
    """A hand as a paytable sees it: its rank, the suit of its first card, and four of a kind among seven."""

    hand: FiveCardHand | ThreeCardHand | SixCardHand | Flush | StraightFlush
    suit: str = ""
    quads: bool = False


Test = Callable[[Judged], bool]


def _is(*categories: FiveCard | ThreeCard | SixCard) -> Test:
    return lambda judged: getattr(judged.hand, "category", None) in categories


def _pair(low: int, high: int) -> Test:
    return lambda judged: _is(FiveCard.PAIR)(judged) and low <= judged.hand.ranks[0] <= high  # type: ignore[union-attr]


def _in(test: Test, suits: str) -> Test:
    return lambda judged: test(judged) and judged.suit in suits and judged.suit != ""


def _long(length: int) -> Test:
    return lambda judged: judged.hand.length >= length  # type: ignore[union-attr]


def _nine_to_ace(judged: Judged) -> bool:
    hand = judged.hand
    return isinstance(hand, StraightFlush) and hand.length >= 6 and hand.top == ACE


_FIVE: Final[Mapping[HandName, Test]] = {
    "royal_flush": _is(FiveCard.ROYAL_FLUSH),
    "straight_flush": _is(FiveCard.STRAIGHT_FLUSH, FiveCard.ROYAL_FLUSH),
    "four_of_a_kind": _is(FiveCard.FOUR_OF_A_KIND),
    "full_house": _is(FiveCard.FULL_HOUSE),
    "flush": _is(FiveCard.FLUSH),
    "straight": _is(FiveCard.STRAIGHT),
    "three_of_a_kind": _is(FiveCard.THREE_OF_A_KIND),
    "two_pair": _is(FiveCard.TWO_PAIR),
    "pair_jacks_or_better": _pair(JACK, ACE),
    "pair_tens_or_better": _pair(TEN, ACE),
    "pair_sixes_to_tens": _pair(SIX, TEN),
    "pair": _is(FiveCard.PAIR),
}
_MINI_ROYAL: Final = _is(ThreeCard.MINI_ROYAL)
_SUPER_ROYAL: Final = _is(SixCard.SUPER_ROYAL)

HANDS: Final[Mapping[Evaluator, Mapping[HandName, Test]]] = {
    "five_card": _FIVE,
    "three_card": {
        "ace_king_queen_spades": _in(_MINI_ROYAL, "s"),
        "ace_king_queen_other": _in(_MINI_ROYAL, "cdh"),
        "mini_royal": _MINI_ROYAL,
        "straight_flush": _is(ThreeCard.STRAIGHT_FLUSH, ThreeCard.MINI_ROYAL),
        "three_of_a_kind": _is(ThreeCard.THREE_OF_A_KIND),
        "straight": _is(ThreeCard.STRAIGHT),
        "flush": _is(ThreeCard.FLUSH),
        "pair": _is(ThreeCard.PAIR),
    },
    "six_card": {
        "super_royal_diamonds": _in(_SUPER_ROYAL, "d"),
        "super_royal_other": _in(_SUPER_ROYAL, "chs"),
        "super_royal": _SUPER_ROYAL,
        "royal_flush": _is(SixCard.ROYAL_FLUSH, SixCard.SUPER_ROYAL),
        "straight_flush": _is(SixCard.STRAIGHT_FLUSH, SixCard.ROYAL_FLUSH, SixCard.SUPER_ROYAL),
        "four_of_a_kind": _is(SixCard.FOUR_OF_A_KIND),
        "full_house": _is(SixCard.FULL_HOUSE),
        "flush": _is(SixCard.FLUSH),
        "straight": _is(SixCard.STRAIGHT),
        "three_of_a_kind": _is(SixCard.THREE_OF_A_KIND),
    },
    "flush": {
        "seven_card_flush": _long(7),
        "six_card_flush": _long(6),
        "five_card_flush": _long(5),
        "four_card_flush": _long(4),
    },
    "straight_flush": {
        "seven_card_straight_flush": _long(7),
        "suited_nine_to_ace": _nine_to_ace,
        "six_card_straight_flush": _long(6),
        "five_card_straight_flush": _long(5),
        "four_card_straight_flush": _long(4),
        "four_of_a_kind": lambda judged: judged.quads,
        "three_card_straight_flush": _long(3),
    },
    "against_dealer": {"win": lambda _: True},
}
"""The hands of each evaluator, strongest first, each with its test. A line may name only these."""


def line_of(hands: Sequence[HandName], judged: Judged, *, evaluator: Evaluator) -> int | None:
    """The place of the first line that the hand satisfies, or None when it loses.

    >>> from croupier.cards import parse_cards
    >>> from croupier.hands import three_card
    >>> suited = parse_cards("Ac Kc Qc")
    >>> line_of(["straight_flush", "pair"], Judged(three_card(suited)), evaluator="three_card")
    0
    """
    tests = HANDS[evaluator]
    return next((place for place, hand in enumerate(hands) if tests[hand](judged)), None)
