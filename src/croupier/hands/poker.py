"""Five cards, three cards, and the best five of six. This is the definition that tables are made from.

>>> pair, flush = five_card("Qh Qd 9c 5s 2h"), five_card("2d 5d 9d Jd Kd")
>>> flush > pair, pair.name, pair.ranks, str(pair)
(True, 'pair', (12, 9, 5, 2), 'pair of queens, with 9 5 2')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from croupier.cards import DECK, LOWEST_RANK, Card, check_cards
from croupier.citing import clause
from croupier.hands.ladder import FiveCard, FiveCardHand, SixCard, SixCardHand, ThreeCard, ThreeCardHand

__all__ = ["five_card", "six_card", "straight_top", "three_card"]

ACE: Final = 14
SUPER_ROYAL_RANKS: Final = frozenset({14, 13, 12, 11, 10, 9})


def straight_top(ranks: Sequence[int], *, ace_low: bool) -> int | None:
    """The top rank when these ranks are one run, else None.

    With `ace_low` the ace may also begin a run (A-2-3-4-5, A-2-3); it is never inside one.

    >>> straight_top([5, 3, 14, 2, 4], ace_low=True), straight_top([12, 13, 14, 2, 3], ace_low=True)
    (5, None)
    """
    once = set(ranks)
    readings = [once, once - {ACE} | {1}] if ace_low and ACE in once else [once]
    for run in readings:
        if len(run) == len(ranks) == max(run) - min(run) + 1:
            return max(run)
    return None


@clause("md-mississippi-stud 6.A", "md-mississippi-stud 6.B", "md-mississippi-stud 6.C", "md-mississippi-stud 6.D*")
@clause("ma-mississippi-stud 5(a)", "ma-mississippi-stud 5(b)*")
@clause("md-let-it-ride .06A*", "md-let-it-ride .06B", "md-let-it-ride .06C*", "md-let-it-ride .06F*")
def _define_five_card(ranks: Sequence[int], *, suited: bool) -> FiveCardHand:
    """Five cards by their ranks, and whether one suit holds them all."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    shape = [count for count, _ in groups]
    by_weight = tuple(rank for _, rank in groups)
    top = straight_top(ranks, ace_low=True)
    if top and suited:
        return FiveCardHand(FiveCard.ROYAL_FLUSH if top == ACE else FiveCard.STRAIGHT_FLUSH, (top,))
    if shape == [4, 1]:
        return FiveCardHand(FiveCard.FOUR_OF_A_KIND, by_weight)
    if shape == [3, 2]:
        return FiveCardHand(FiveCard.FULL_HOUSE, by_weight)
    if suited:
        return FiveCardHand(FiveCard.FLUSH, by_weight)
    if top:
        return FiveCardHand(FiveCard.STRAIGHT, (top,))
    if shape == [3, 1, 1]:
        return FiveCardHand(FiveCard.THREE_OF_A_KIND, by_weight)
    if shape == [2, 2, 1]:
        return FiveCardHand(FiveCard.TWO_PAIR, by_weight)
    if shape == [2, 1, 1, 1]:
        return FiveCardHand(FiveCard.PAIR, by_weight)
    return FiveCardHand(FiveCard.NOTHING, by_weight)


@clause("md-mississippi-stud 6.E*", "md-let-it-ride .06D*")
def _define_three_card(ranks: Sequence[int], *, suited: bool, ace_low: bool) -> ThreeCardHand:
    """Three cards; A-2-3 by readings 53 to 55."""
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    by_weight = tuple(rank for _, rank in groups)
    top = straight_top(ranks, ace_low=ace_low)
    if top and suited:
        return ThreeCardHand(ThreeCard.MINI_ROYAL if top == ACE else ThreeCard.STRAIGHT_FLUSH, (top,))
    if len(groups) == 1:
        return ThreeCardHand(ThreeCard.THREE_OF_A_KIND, by_weight)
    if top:
        return ThreeCardHand(ThreeCard.STRAIGHT, (top,))
    if suited:
        return ThreeCardHand(ThreeCard.FLUSH, by_weight)
    if len(groups) == 2:
        return ThreeCardHand(ThreeCard.PAIR, by_weight)
    return ThreeCardHand(ThreeCard.NOTHING, by_weight)


# A hand depends only on its ranks and on whether one suit holds them all, so each is worked out once.
# Its key is a number whose base-5 digits count the ranks; the aces, being what is left, need no digit.
_RANK_DIGIT: Final = {card: 0 if card.rank == ACE else 5 ** (card.rank - LOWEST_RANK) for card in DECK}
_five_ranks: Final[dict[int, FiveCardHand]] = {}
_five_ranks_suited: Final[dict[int, FiveCardHand]] = {}
_fewer_ranks: Final[dict[int, FiveCardHand]] = {}
_three_card_hands: Final[dict[tuple[int, bool, bool], ThreeCardHand]] = {}

# Six cards, of which no suit has five, depend on their ranks alone. Above the 28 bits of the ranks four bits count each
# suit; three more make the highest of them 1 where a suit has five or six.
_SIX_DIGIT: Final = {card: digit + (1 << 28 + 4 * (card % 4)) for card, digit in _RANK_DIGIT.items()}
_RANKS_OF_SIX: Final = (1 << 28) - 1
_THREE_MORE: Final = 0x3333 << 28
_FIVE_OF_A_SUIT: Final = 0x8888 << 28
_six_ranks: Final[dict[int, SixCardHand]] = {}


def five_card(cards: str | Sequence[Card]) -> FiveCardHand:
    """What five different cards are."""
    if isinstance(cards, str):
        cards = check_cards(cards, count=5)
    try:
        a, b, c, d, e = cards
        key = _RANK_DIGIT[a] + _RANK_DIGIT[b] + _RANK_DIGIT[c] + _RANK_DIGIT[d] + _RANK_DIGIT[e]
    except (KeyError, ValueError):
        return five_card(check_cards(cards, count=5))
    # Cards of five ranks can be of one suit but not the same; cards of fewer ranks the other way round.
    hand = _five_ranks.get(key)
    if hand is not None:
        if not a & 3 == b & 3 == c & 3 == d & 3 == e & 3:
            return hand
        suited = _five_ranks_suited.get(key)
        if suited is None:
            ranks = [card.rank for card in check_cards((a, b, c, d, e))]
            suited = _five_ranks_suited[key] = _define_five_card(ranks, suited=True)
        return suited
    if len({a, b, c, d, e}) != 5:
        check_cards(cards)
    hand = _fewer_ranks.get(key)
    if hand is not None:
        return hand
    ranks = [card.rank for card in check_cards(cards, count=5)]
    (_five_ranks if len(set(ranks)) == 5 else _fewer_ranks)[key] = _define_five_card(ranks, suited=False)
    return five_card(cards)


def three_card(cards: str | Sequence[Card], *, ace_low: bool = True) -> ThreeCardHand:
    """What three different cards are; `ace_low=False` is the reading in which A-2-3 is not a straight.

    >>> three_card("Ah 2h 3h").name, three_card("Ah 2h 3h", ace_low=False).name
    ('straight_flush', 'flush')
    """
    if isinstance(cards, str):
        cards = check_cards(cards, count=3)
    try:
        a, b, c = cards
        key = (_RANK_DIGIT[a] + _RANK_DIGIT[b] + _RANK_DIGIT[c], a & 3 == b & 3 == c & 3, ace_low)
    except (KeyError, ValueError):
        return three_card(check_cards(cards, count=3), ace_low=ace_low)
    if len({a, b, c}) != 3:
        check_cards(cards)
    hand = _three_card_hands.get(key)
    if hand is None:
        ranks = [card.rank for card in check_cards(cards, count=3)]
        hand = _three_card_hands[key] = _define_three_card(ranks, suited=key[1], ace_low=ace_low)
    return hand


def _define_six_card(cards: Sequence[Card]) -> SixCardHand:
    """The best five of six different cards, or all six."""
    best = max(map(five_card, combinations(cards, 5)))
    if best.category is FiveCard.ROYAL_FLUSH and _is_super_royal(cards):
        return SixCardHand(SixCard.SUPER_ROYAL, (ACE,))
    return _of_six(best)


@clause("md-mississippi-stud 6.F*", "md-let-it-ride .06E*")
def six_card(cards: str | Sequence[Card]) -> SixCardHand:
    """The best five of six different cards; six suited cards from nine to ace are a super royal.

    >>> six_card("Ad 9d Kd Qd Jd Td").name, six_card("Ad 9c Kd Qd Jd Td").name
    ('super_royal', 'royal_flush')
    """
    if isinstance(cards, str):
        cards = check_cards(cards, count=6)
    try:
        a, b, c, d, e, f = cards = tuple(cards)
        key = _SIX_DIGIT[a] + _SIX_DIGIT[b] + _SIX_DIGIT[c] + _SIX_DIGIT[d] + _SIX_DIGIT[e] + _SIX_DIGIT[f]
    except (KeyError, ValueError):
        return six_card(check_cards(cards, count=6))
    if len({a, b, c, d, e, f}) != 6:
        check_cards(cards)
    if key + _THREE_MORE & _FIVE_OF_A_SUIT:
        return _define_six_card(check_cards(cards))
    hand = _six_ranks.get(key & _RANKS_OF_SIX)
    if hand is None:
        hand = _six_ranks[key & _RANKS_OF_SIX] = _define_six_card(check_cards(cards))
    return hand


def _is_super_royal(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1 and {card.rank for card in cards} == SUPER_ROYAL_RANKS


@cache
def _of_six(best: FiveCardHand) -> SixCardHand:
    return SixCardHand(SixCard[best.category.name], best.ranks)
