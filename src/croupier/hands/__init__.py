"""What a hand is, in every sense that the games use. Greater is stronger.

Single hands are judged here; `croupier.hands.batch` judges arrays of them with tables made by these same
functions.
"""

from croupier.hands.codes import hand_code, say_hand
from croupier.hands.describe import HAND_SIZES, Sense, senses
from croupier.hands.flushes import (
    DEALER_MINIMUM,
    Flush,
    StraightFlush,
    dealer_qualifies,
    four_of_a_kind,
    longest_flush,
    longest_straight_flush,
)
from croupier.hands.ladder import FiveCard, FiveCardHand, SixCard, SixCardHand, ThreeCard, ThreeCardHand, top_card
from croupier.hands.poker import five_card, six_card, three_card

__all__ = [
    "DEALER_MINIMUM",
    "HAND_SIZES",
    "FiveCard",
    "FiveCardHand",
    "Flush",
    "Sense",
    "SixCard",
    "SixCardHand",
    "StraightFlush",
    "ThreeCard",
    "ThreeCardHand",
    "dealer_qualifies",
    "five_card",
    "four_of_a_kind",
    "hand_code",
    "longest_flush",
    "longest_straight_flush",
    "say_hand",
    "senses",
    "six_card",
    "three_card",
    "top_card",
]
