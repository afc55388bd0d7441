"""Hands in words, whole or as far as the cards are known.

>>> hand_words("two_pair K9"), hand_words("nothing K"), hand_words("three_card_flush T53")
('two pair, kings and nines', 'king high', 'three-card flush, 10 5 3')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from croupier.cards import Card, rank_word
from croupier.hands import five_card, four_of_a_kind, longest_flush, longest_straight_flush, say_hand, top_card

__all__ = ["cards_words", "flush_so_far", "hand_words", "poker_so_far"]


def hand_words(code: str) -> str:
    """Return the hand that a record writes as a code (`hand_code`)."""
    return say_hand(code)


def cards_words(cards: Iterable[Card | None]) -> str:
    """List cards as the rest of the program writes them; an unknown one is `??`.

    >>> cards_words([Card("Ah"), None])
    'Ah ??'
    """
    return " ".join("??" if card is None else str(card) for card in cards)


def poker_so_far(cards: Sequence[Card]) -> str:
    """Say what two to five cards make so far.

    >>> from croupier.cards import parse_cards
    >>> for text in ("9c 9d", "9c Kc 2c", "9c 9d 4s 4h", "9c 9d 9s", "9c 9d 4s 4h Th"):
    ...     print(poker_so_far(parse_cards(text)))
    pair of nines
    king high, suited
    two pair, nines and fours
    three nines
    two pair, nines and fours, with 10
    """
    if len(cards) == 5:
        return str(five_card(cards))
    groups = sorted(((count, rank) for rank, count in Counter(card.rank for card in cards).items()), reverse=True)
    names = [rank_word(rank, plural=count > 1) for count, rank in groups]
    match [count for count, _ in groups]:
        case [4, *_]:
            return f"four {names[0]}"
        case [3, *_]:
            return f"three {names[0]}"
        case [2, 2]:
            return f"two pair, {names[0]} and {names[1]}"
        case [2, *_]:
            return f"pair of {names[0]}"
    suited = len({card.suit for card in cards}) == 1
    return f"{top_card(groups[0][1])}{', suited' if suited else ''}"


def flush_so_far(cards: Sequence[Card]) -> str:
    """Say what seven cards of High Card Flush make.

    >>> from croupier.cards import parse_cards
    >>> flush_so_far(parse_cards("8h 7h 6h 9c 9d 9s 2c"))
    'three-card flush, 8 7 6; three-card straight flush, 8 high'
    """
    words = [str(longest_flush(cards))]
    run = longest_straight_flush(cards)
    if run.length >= 3:
        words.append(str(run))
    if four_of_a_kind(cards):
        words.append("four of a kind")
    return "; ".join(words)
