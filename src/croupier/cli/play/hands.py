"""A hand as its player knows it: own cards, the board, and what was decided so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from croupier.cards import Card, parse_cards
from croupier.table.views import CARD_BACK, BoxView, RoundView, TableView

__all__ = ["HandSoFar", "box_of", "face_up", "hand_at"]


class HandSoFar(NamedTuple):
    """What a player knows when it is time to decide."""

    own: tuple[Card, ...]
    board: tuple[Card, ...]
    decided: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[Card, ...]:
        """All cards that count for the hand."""
        return (*self.own, *self.board)


def hand_at(shown: TableView | RoundView, seat: int, decided: Iterable[str] = ()) -> HandSoFar:
    """The hand at a seat, as a view shows it."""
    return HandSoFar(
        face_up(box_of(shown, seat).cards), face_up(dict(shown.cards).get("community", ())), tuple(decided)
    )


def box_of(shown: TableView | RoundView, seat: int) -> BoxView:
    """The box at a seat."""
    return next(box for box in shown.seats if box.seat == seat)


def face_up(cards: Iterable[str]) -> tuple[Card, ...]:
    """The cards that can be seen."""
    return tuple(card for text in cards if text != CARD_BACK for card in parse_cards(text))
