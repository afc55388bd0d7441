"""A hand as a short code that a record can store, and the words for it.

>>> from croupier.hands import five_card, longest_flush
>>> hand_code(five_card("Kd Kh 9c 9s 4d").without_kickers())
'two_pair K9'
>>> hand_code(longest_flush("Ah 5h 3h 2c 2d 2s 9c"))
'three_card_flush A53'
>>> say_hand("two_pair K9"), say_hand("three_card_flush A53"), say_hand("no_straight_flush")
('two pair, kings and nines', 'three-card flush, A 5 3', 'no straight flush')
"""

from __future__ import annotations

from functools import lru_cache

from croupier.cards import LOWEST_RANK, RANKS, rank_letters
from croupier.hands.flushes import LENGTHS, Flush, StraightFlush
from croupier.hands.ladder import FiveCardHand, SixCardHand, ThreeCardHand, in_words

__all__ = ["hand_code", "say_hand"]


@lru_cache(maxsize=4096)
def hand_code(hand: FiveCardHand | ThreeCardHand | SixCardHand | Flush | StraightFlush) -> str:
    """The name of a hand and the ranks that decide."""
    match hand:
        case Flush():
            return f"{LENGTHS[hand.length]}_card_flush {rank_letters(hand.ranks)}"
        case StraightFlush():
            if hand.length == 1:
                return "no_straight_flush"
            return f"{LENGTHS[hand.length]}_card_straight_flush {rank_letters([hand.top])}"
    return f"{hand.name} {rank_letters(hand.ranks)}"


@lru_cache(maxsize=4096)
def say_hand(code: str) -> str:
    """The hand in words."""
    name, _, letters = code.partition(" ")
    ranks = tuple(RANKS.index(letter) + LOWEST_RANK for letter in letters)
    length, _, kind = name.partition("_card_")
    match kind:
        case "flush":
            return str(Flush(LENGTHS.index(length), ranks))
        case "straight_flush":
            return str(StraightFlush(LENGTHS.index(length), ranks[0]))
    return "no straight flush" if name == "no_straight_flush" else in_words(name, ranks)
