"""Seven cards of High Card Flush: the longest flush, the longest straight flush, four of a kind.

>>> flush = longest_flush("Ah 5h 3h Kd 9d Tc 2s")
>>> flush.length, flush.ranks, dealer_qualifies(flush), str(flush)
(3, (14, 5, 3), True, 'three-card flush, A 5 3')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.cards import DECK, LOWEST_RANK, RANKS, Card, check_cards, rank_figures
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
    return _seven(cards if isinstance(cards, str) else tuple(cards)).flush


@clause("md-high-card-flush 6.E*")
def longest_straight_flush(cards: str | Sequence[Card], *, ace_low: bool = True) -> StraightFlush:
    """The longest run in any suit of seven different cards, not only in the longest (reading 65).

    The ace ranks above the king and, with `ace_low`, also below the two, never between them (reading 56).

    >>> longest_straight_flush("Ah 2h 3h Kd 9d Tc 2s")
    StraightFlush(length=3, top=3)
    >>> longest_straight_flush("Ah 2h 3h Kd 9d Tc 2s", ace_low=False)
    StraightFlush(length=2, top=3)
    """
    suits = _seven(cards if isinstance(cards, str) else tuple(cards)).suits
    return max(map(_RUN_OF[ace_low], filter(None, suits)))


def four_of_a_kind(cards: str | Sequence[Card]) -> bool:
    """Whether four of the seven cards share a rank (md-high-card-flush 12.C(7), reading 66)."""
    clubs, diamonds, hearts, spades = _seven(cards if isinstance(cards, str) else tuple(cards)).suits
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


_ONE_SUIT: Final = (1 << len(RANKS)) - 1
_LENGTH_SHIFT: Final = len(RANKS)
_PLACE: Final = {card: 1 << card % 4 * len(RANKS) + card // 4 for card in DECK}
"""One bit for each card, the four suits beside each other."""


class _Seven(NamedTuple):
    """The ranks of clubs, diamonds, hearts and spades among seven different cards, and the strongest flush."""

    suits: tuple[int, int, int, int]
    flush: Flush


@lru_cache(maxsize=1_000)  # a round asks for the dealer's once for each player, and for a player's at every step
def _seven(cards: str | tuple[Card, ...]) -> _Seven:
    try:
        held = sum(map(_PLACE.__getitem__, cards))  # type: ignore[arg-type] # a text fails here
    except KeyError:
        return _seven(check_cards(cards, count=7))
    if not held.bit_count() == len(cards) == 7:
        check_cards(cards, count=7)
    suits = (held & _ONE_SUIT, held >> 13 & _ONE_SUIT, held >> 26 & _ONE_SUIT, held >> 39)
    longest = max([ranks.bit_count() << _LENGTH_SHIFT | ranks for ranks in suits]) & _ONE_SUIT
    return _Seven(suits, _flush_of(longest))


@cache  # at most 2 ** 13
def _flush_of(held: int) -> Flush:
    return Flush(held.bit_count(), tuple(_ranks(held)))


def _longest_run_of(held: int, *, ace_low: bool) -> StraightFlush:
    return longest_run(_ranks(held), ace_low=ace_low)


def _ranks(held: int) -> list[int]:
    """The highest first."""
    return [place + LOWEST_RANK for place in reversed(range(len(RANKS))) if held >> place & 1]


_RUN_OF: Final = {ace_low: cache(partial(_longest_run_of, ace_low=ace_low)) for ace_low in (False, True)}
"""The longest run of the ranks of one suit, by how the ace counts; each at most 2 ** 13."""
