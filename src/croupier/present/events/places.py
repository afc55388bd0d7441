"""Whose cards lie at which places of a round, in words."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from msgspec import Struct

from croupier.games import Round
from croupier.present.hands import cards_words
from croupier.present.names import counted
from croupier.rulebook.names import Slot

__all__ = ["NO_ROUND", "CardPlaces", "slot_words"]

_SLOTS: Final[dict[Slot, str]] = {
    "community": "the board",
    "six_card_box": "the box",
    "dealer": "the dealer's hand",
    "discard": "the discard",
}


def slot_words(slot: Slot, seat: int) -> str:
    """Return where cards lie: a seat, the board, the box, the dealer's hand."""
    return f"seat {seat}" if slot == "player" else _SLOTS[slot]


class CardPlaces(Struct, frozen=True):
    """The places of a round; `faces` names every card that is known, also those that lie face down.

    >>> NO_ROUND.cards_at([0, 2])
    '2 cards'
    """

    round: Round | None = None
    faces: bool = False

    def owner(self, place: int) -> str:
        """Return where this card lies, if that is known."""
        if self.round is None:
            return ""
        spot = self.round.cards.plan.places[place]
        return slot_words(spot.slot, spot.seat)

    def cards_at(self, places: Iterable[int]) -> str:
        """Return the cards in this order, each run with its owner."""
        if self.round is None:
            return counted(len(list(places)), "card")
        runs = ((owner, list(run)) for owner, run in groupby(places, key=self.owner))
        return "; ".join(f"{owner}: {self._cards(run)}" for owner, run in runs)

    def _cards(self, places: list[int]) -> str:
        if self.round is None or not self.faces:
            return counted(len(places), "card")
        return cards_words(self.round.faces.known[place] for place in places)


NO_ROUND: Final = CardPlaces()
