"""What a hand can be, weakest first, so that greater is stronger.

The ladders differ: with three cards a straight beats a flush, and three of a kind beats both.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final, Self

from msgspec import Struct

from croupier.cards import rank_figures, rank_word

__all__ = ["FiveCard", "FiveCardHand", "SixCard", "SixCardHand", "ThreeCard", "ThreeCardHand", "in_words", "top_card"]

TEN: Final = 10


class FiveCard(IntEnum):
    """Five cards (md-mississippi-stud 6.D, ma-mississippi-stud 5(b), md-let-it-ride .06C)."""

    NOTHING = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCard(IntEnum):
    """Three cards (md-mississippi-stud 6.E, md-let-it-ride .06D, reading 55)."""

    NOTHING = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    MINI_ROYAL = 6


class SixCard(IntEnum):
    """The best five of six cards, and the one hand of six (md-mississippi-stud 6.F, md-let-it-ride .06E)."""

    NOTHING = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    SUPER_ROYAL = 10


class _Hand(Struct, frozen=True, order=True, cache_hash=True):
    category: IntEnum
    ranks: tuple[int, ...]
    """The ranks that decide between two hands of this category, the weightiest first."""

    @property
    def name(self) -> str:
        """The stable name: `two_pair`, `royal_flush`, …"""
        return self.category.name.lower()

    def __str__(self) -> str:
        return in_words(self.name, self.ranks)

    def without_kickers(self) -> Self:
        """The hand as a paytable looks at it.

        >>> str(FiveCardHand(FiveCard.TWO_PAIR, (13, 9, 4)).without_kickers())
        'two pair, kings and nines'
        """
        brief = _brief.get(self)
        if brief is None:
            leading = 2 if self.name in {"two_pair", "full_house"} else 1
            brief = _brief[self] = type(self)(self.category, self.ranks[:leading])
        return brief  # type: ignore[return-value]


class FiveCardHand(_Hand, frozen=True, order=True, cache_hash=True):
    """What five cards are. Compares only with its own kind."""

    category: FiveCard


class ThreeCardHand(_Hand, frozen=True, order=True, cache_hash=True):
    """What three cards are."""

    category: ThreeCard


class SixCardHand(_Hand, frozen=True, order=True, cache_hash=True):
    """The best that six cards are."""

    category: SixCard


_brief: Final[dict[_Hand, _Hand]] = {}


def _kickers(ranks: tuple[int, ...]) -> str:
    return f", with {rank_figures(ranks)}" if ranks else ""


def top_card(rank: int) -> str:
    """
    >>> top_card(13), top_card(10)
    ('king high', '10 high')
    """
    return f"{rank_word(rank) if rank > TEN else rank} high"


def in_words(name: str, ranks: tuple[int, ...]) -> str:
    """A hand by its name and the ranks that decide."""
    return _IN_WORDS[name](*ranks)


_IN_WORDS: Final[dict[str, Callable[..., str]]] = {
    "nothing": lambda top, *rest: f"{top_card(top)}{_kickers(rest)}",
    "pair": lambda pair, *rest: f"pair of {rank_word(pair, plural=True)}{_kickers(rest)}",
    "two_pair": lambda high, low, *rest: (
        f"two pair, {rank_word(high, plural=True)} and {rank_word(low, plural=True)}{_kickers(rest)}"
    ),
    "three_of_a_kind": lambda trips, *rest: f"three {rank_word(trips, plural=True)}{_kickers(rest)}",
    "straight": lambda top: f"straight, {top_card(top)}",
    "flush": lambda top, *rest: f"flush, {top_card(top)}{_kickers(rest)}",
    "full_house": lambda trips, pair: (
        f"full house, {rank_word(trips, plural=True)} over {rank_word(pair, plural=True)}"
    ),
    "four_of_a_kind": lambda quads, *rest: f"four {rank_word(quads, plural=True)}{_kickers(rest)}",
    "straight_flush": lambda top: f"straight flush, {top_card(top)}",
    "royal_flush": lambda _: "royal flush",
    "mini_royal": lambda _: "mini-royal",
    "super_royal": lambda _: "super royal",
}
