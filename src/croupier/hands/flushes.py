"""Seven cards of High Card Flush: the longest flush, the longest straight flush, four of a kind.

>>> flush = longest_flush("Ah 5h 3h Kd 9d Tc 2s")
>>> flush.length, flush.ranks, dealer_qualifies(flush), str(flush)
(3, (14, 5, 3), True, 'three-card flush, A 5 3')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from croupier.cards import LOWEST_RANK, RANKS, Card, check_cards, rank_figures
from croupier.citing import clause
from croupier.hands.ladder import top_card
from croupier.hands.poker import ACE

__all__ = [
    "DEALER_MINIMUM",
    "Flush",
    "StraightFlush",
    "dealer_qualifies",
    "four_of_a_kind",
    "longest_flush",
    "longest_run",
    "longest_straight_flush",
]

LENGTHS: Final = ("", "one", "two", "three", "four", "five", "six", "seven")


class Flush(Struct, frozen=True, order=True, cache_hash=True):
    """A longer flush is stronger, then the higher cards (md-high-card-flush 6.C, 6.D, reading 62)."""

    length: int
    ranks: tuple[int, ...]

    def __str__(self) -> str:
        return f"{LENGTHS[self.length]}-card flush, {rank_figures(self.ranks)}"


class StraightFlush(Struct, frozen=True, order=True, cache_hash=True):
    """The longest run of one suit and its top rank; length 1 means that there is none."""

    length: int
    top: int

    def __str__(self) -> str:
        if self.length == 1:
            return "no straight flush"
        return f"{LENGTHS[self.length]}-card straight flush, {top_card(self.top)}"


DEALER_MINIMUM: Final = Flush(3, (9, 3, 2))
"""The lowest hand with which the dealer qualifies (md-high-card-flush 11.B(5)(c), reading 64)."""


@clause("md-high-card-flush 6.A", "md-high-card-flush 6.B", "md-high-card-flush 6.C*", "md-high-card-flush 6.D*")
@clause("md-high-card-flush 11.B(5)(b)")
def longest_flush(cards: str | Sequence[Card]) -> Flush:
    """The strongest flush of seven different cards; of two equally long the higher (reading 63)."""
    return _longest_flush(cards if isinstance(cards, str) else tuple(cards))


@lru_cache(maxsize=1_000)  # a round asks for the dealer's once for each player, and for a player's at every step
def _longest_flush(cards: str | tuple[Card, ...]) -> Flush:
    _, longest = max([(held.bit_count(), held) for held in _suits(cards)])
    return _flush_of(longest)


@clause("md-high-card-flush 6.E*")
def longest_straight_flush(cards: str | Sequence[Card], *, ace_low: bool = True) -> StraightFlush:
    """The longest run in any suit of seven different cards, not only in the longest (reading 65).

    The ace ranks above the king and, with `ace_low`, also below the two, never between them (reading 56).

    >>> longest_straight_flush("Ah 2h 3h Kd 9d Tc 2s")
    StraightFlush(length=3, top=3)
    >>> longest_straight_flush("Ah 2h 3h Kd 9d Tc 2s", ace_low=False)
    StraightFlush(length=2, top=3)
    """
    return max([_run_of(held, ace_low=ace_low) for held in _suits(cards) if held])


def four_of_a_kind(cards: str | Sequence[Card]) -> bool:
    """Whether four of the seven cards share a rank (md-high-card-flush 12.C(7), reading 66)."""
    clubs, diamonds, hearts, spades = _suits(cards)
    return clubs & diamonds & hearts & spades != 0


def dealer_qualifies(flush: Flush, *, minimum: Flush = DEALER_MINIMUM) -> bool:
    """Whether the dealer's flush is at least the lowest that qualifies."""
    return flush >= minimum


def longest_run(ranks: Iterable[int], *, ace_low: bool) -> StraightFlush:
    """The longest run among the ranks of one suit, the highest of equally long ones.

    >>> longest_run([14, 13, 2, 3], ace_low=True)
    StraightFlush(length=3, top=3)
    """
    held = set(ranks)
    if ace_low and ACE in held:
        held.add(1)
    best = StraightFlush(1, max(held))
    for top in held:
        length = 1
        while top - length in held:
            length += 1
        best = max(best, StraightFlush(length, top))
    return best


# --- the ranks of one suit as a number: bit 0 is the two, bit 12 the ace, so that of two flushes of one length the
# greater number is the higher flush


def _suits(cards: str | Sequence[Card]) -> tuple[int, int, int, int]:
    """The ranks of clubs, diamonds, hearts and spades among seven different cards."""
    return _suits_of(cards if isinstance(cards, str) else tuple(cards))


@lru_cache(maxsize=1_000)
def _suits_of(cards: str | tuple[Card, ...]) -> tuple[int, int, int, int]:
    held = [0, 0, 0, 0]
    for card in check_cards(cards, count=7):
        held[card % 4] |= 1 << card // 4
    clubs, diamonds, hearts, spades = held
    return clubs, diamonds, hearts, spades


@cache  # at most 2 ** 13
def _flush_of(held: int) -> Flush:
    return Flush(held.bit_count(), tuple(_ranks(held)))


@cache
def _run_of(held: int, *, ace_low: bool) -> StraightFlush:
    return longest_run(_ranks(held), ace_low=ace_low)


def _ranks(held: int) -> list[int]:
    """The highest first."""
    return [place + LOWEST_RANK for place in reversed(range(len(RANKS))) if held >> place & 1]
