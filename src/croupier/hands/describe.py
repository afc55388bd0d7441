"""What some cards are in every sense that the games know, each with the rule it rests on.

>>> for sense in senses("Ah 2h 3h"):
...     print(f"{sense.reads_as}: {sense.hand}")
three cards: straight flush, 3 high
the same, ace never low: flush, ace high, with 3 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from croupier.cards import Card, check_cards, format_cards
from croupier.hands.flushes import dealer_qualifies, four_of_a_kind, longest_flush, longest_straight_flush
from croupier.hands.ladder import SixCard
from croupier.hands.poker import five_card, six_card, three_card

__all__ = ["SIZES", "Sense", "senses"]

SIZES: Final = (3, 5, 6, 7)
"""The numbers of cards that a game judges."""


class Sense(NamedTuple):
    """One way to read the cards: what they are as that, and the clauses and readings that say so."""

    reads_as: str
    hand: str
    rule: str


def senses(cards: str | Sequence[Card]) -> list[Sense]:
    """Every sense of three, five, six or seven cards."""
    checked = check_cards(cards, count=SIZES)
    return list(_SENSES[len(checked)](checked))


def _three(cards: Sequence[Card]) -> Iterator[Sense]:
    low, high = three_card(cards), three_card(cards, ace_low=False)
    yield Sense("three cards", str(low), "md-mississippi-stud 6.E, md-let-it-ride .06D, readings 53-55")
    if low != high:
        yield Sense("the same, ace never low", str(high), "not how Croupier reads it (readings 53-55)")


def _five(cards: Sequence[Card]) -> Iterator[Sense]:
    yield Sense(
        "five cards", str(five_card(cards)), "md-mississippi-stud 6.D, ma-mississippi-stud 5(b), md-let-it-ride .06C"
    )


def _six(cards: Sequence[Card]) -> Iterator[Sense]:
    hand = six_card(cards)
    used = cards if hand.category is SixCard.SUPER_ROYAL else max(combinations(cards, 5), key=five_card)
    yield Sense(
        "best five of six", f"{hand} ({format_cards(used)})", "md-mississippi-stud 6.F, md-let-it-ride .06E, reading 60"
    )


def _seven(cards: Sequence[Card]) -> Iterator[Sense]:
    flush = longest_flush(cards)
    yield Sense("longest flush", str(flush), "md-high-card-flush 6.C, 6.D, readings 62, 63")
    low, high = longest_straight_flush(cards), longest_straight_flush(cards, ace_low=False)
    yield Sense("longest straight flush", str(low), "md-high-card-flush 6.E, readings 56, 65")
    if low != high:
        yield Sense("the same, ace never low", str(high), "md-high-card-flush 6.E, option of reading 56")
    yield Sense("four of a kind", "yes" if four_of_a_kind(cards) else "no", "md-high-card-flush 12.C(7), reading 66")
    plays = "qualifies" if dealer_qualifies(flush) else "does not qualify"
    yield Sense("as the dealer's hand", plays, "md-high-card-flush 11.B(5)(c), reading 64")


_SENSES: Final = {3: _three, 5: _five, 6: _six, 7: _seven}
