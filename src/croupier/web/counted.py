"""Which cards make a settled hand: on the felt they are ringed, and the others are darkened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier.cards import Card, parse_cards
from croupier.hands import FiveCard, five_card
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Slot
from croupier.table.views import CARD_BACK, BoxView

__all__ = ["counted_cards", "flush_cards", "poker_cards"]


def counted_cards(house: HouseRules, box: BoxView | None, cards: Mapping[Slot, tuple[str, ...]]) -> frozenset[str]:
    """The cards that make the hand of a seat, and the dealer's where hands are compared; none until it is settled."""
    if box is None or not box.results or len(box.results) < len(box.bets) or box.folded or CARD_BACK in box.cards:
        return frozenset()
    if any(wager.evaluator == "against_dealer" for wager in house.wagers):
        dealer = cards.get("dealer", ())
        return flush_cards(box.cards) | (frozenset() if CARD_BACK in dealer else flush_cards(dealer))
    board = cards.get("community", ())
    return frozenset() if CARD_BACK in board else poker_cards((*box.cards, *board))


def poker_cards(names: Sequence[str]) -> frozenset[str]:
    """The cards that make a poker hand of five.

    >>> sorted(poker_cards(["Jh", "Ts", "Jc", "6s", "Jd"])), len(poker_cards(["2h", "3s", "4c", "5s", "6d"]))
    (['Jc', 'Jd', 'Jh'], 5)
    >>> poker_cards(["Ah", "Ts", "3c", "6s", "Jd"])
    frozenset()
    """
    cards = [card for name in names for card in parse_cards(name)]
    if len(cards) != 5 or five_card(cards).category == FiveCard.NOTHING:
        return frozenset()
    ranks = Counter(card.rank for card in cards)
    made = [name for name, card in zip(names, cards, strict=True) if ranks[card.rank] > 1]
    return frozenset(made or names)


def flush_cards(names: Sequence[str]) -> frozenset[str]:
    """The cards of the highest flush.

    >>> sorted(flush_cards(["Kh", "Th", "9h", "As", "6s", "5s", "2c"]))
    ['5s', '6s', 'As']
    """
    suits: dict[str, list[tuple[Card, str]]] = {}
    for name in names:
        suits.setdefault(name[-1], []).extend((card, name) for card in parse_cards(name))
    best = max(
        suits.values(), key=lambda suit: (len(suit), sorted((card.rank for card, _ in suit), reverse=True)), default=[]
    )
    return frozenset(name for _, name in best)
