"""High Card Flush: how many of the dealer's hands win, tie or lose against a player's seven cards.

A hand lies below a bar when its strongest flush does, that is when each of its suits does. So the hands of
the dealer below a bar are counted suit by suit, and no hand is looked at: each suit has a row of ways to take
0, 1, 2 … cards of it, and the product of the four rows, as polynomials, has the number of hands at seven cards.

Flushes are the strengths of `hands.tables.flush_table`: the length, then the set of ranks as a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import Final, NamedTuple

from croupier.cards import LOWEST_RANK, RANKS, Card, check_cards
from croupier.errors import Malformed
from croupier.hands import Flush

__all__ = ["DEALER_HANDS", "DealerCounts", "check_bar", "dealer_counts", "flush_strength", "own_strength", "suit_sets"]

DEALER_HANDS: Final = comb(45, 7)
"""How many hands the dealer can have once the player's seven cards are known."""

_EVERY_RANK: Final = (1 << len(RANKS)) - 1


class DealerCounts(NamedTuple):
    """The dealer's hands that do not qualify, and those that do, by how they compare with the player's."""

    unqualified: int
    lower: int
    equal: int
    higher: int


def dealer_counts(cards: Sequence[Card], qualifier: int) -> DealerCounts:
    """Count all 45,379,620 hands of the dealer against seven cards.

    >>> from croupier.cards import parse_cards
    >>> from croupier.hands import DEALER_MINIMUM
    >>> dealer_counts(parse_cards("Th 8h 6h Kd 9d Tc 2s"), flush_strength(DEALER_MINIMUM))
    DealerCounts(unqualified=11649805, lower=2579839, equal=67105, higher=31082871)
    """
    suits = suit_sets(check_cards(cards, count=7))
    own, qualifier = own_strength(suits), check_bar(qualifier)
    unqualified = _hands_below(suits, qualifier)
    if own < qualifier:
        return DealerCounts(unqualified, 0, 0, DEALER_HANDS - unqualified)
    lower, not_higher = _hands_below(suits, own), _hands_below(suits, own + 1)
    return DealerCounts(unqualified, lower - unqualified, not_higher - lower, DEALER_HANDS - not_higher)


def check_bar(strength: int) -> int:
    """The strength, if it is one that seven cards can reach; 0 lies below every hand."""
    if not 0 <= strength < 8 << len(RANKS):
        raise Malformed(f"{strength} is not the strength of a flush: they go up to seven cards")
    return strength


def flush_strength(flush: Flush) -> int:
    """The strength that `hands.tables.read_flush` reads as this flush."""
    return _strength(sum(1 << rank - LOWEST_RANK for rank in flush.ranks))


def suit_sets(cards: Iterable[Card]) -> tuple[int, ...]:
    """The ranks held in each suit, one bit a rank."""
    suits = [0] * 4
    for card in cards:
        suits[card % 4] |= 1 << card // 4
    return tuple(suits)


def own_strength(suits: Iterable[int]) -> int:
    """The strength of the longest flush of a hand given by its suits."""
    return max(map(_strength, suits))


def _strength(ranks: int) -> int:
    return ranks.bit_count() << len(RANKS) | ranks


def _hands_below(held: Sequence[int], bar: int) -> int:
    """How many seven-card hands from the remaining cards have a strength below the bar."""
    clubs, diamonds, hearts, spades = (_ways_below(_EVERY_RANK & ~ranks, bar) for ranks in held)
    black, red = _product(clubs, spades), _product(diamonds, hearts)
    return sum(black[size] * red[7 - size] for size in range(8))


def _product(first: list[int], second: list[int]) -> list[int]:
    return [sum(first[part] * second[size - part] for part in range(size + 1)) for size in range(8)]


def _ways_below(left: int, bar: int) -> list[int]:
    """How many sets of 0 to 7 of the remaining ranks of one suit have a strength below the bar."""
    length, ranks = bar >> len(RANKS), bar & _EVERY_RANK
    ways = [comb(left.bit_count(), size) if size < length else 0 for size in range(8)]
    ways[length] = _sets_below(left, length, ranks)
    return ways


def _sets_below(left: int, size: int, bar: int) -> int:
    """How many sets of this size from the remaining ranks are less than the bar, read as numbers."""
    lower = 0
    while bar and size >= 0:
        top = bar.bit_length() - 1
        lower += comb((left & (1 << top) - 1).bit_count(), size)  # sets that first fall short at this rank
        if not left >> top & 1:
            break
        bar, size = bar & ~(1 << top), size - 1
    return lower
