"""What a table adds to the moves of its round: cards are dealt and turned up by name, and the stub is put away."""

from __future__ import annotations

from typing import Any

from croupier.cards import Card
from croupier.rulebook.names import Slot
from croupier.table.commands.base import TableCommand
from croupier.table.commands.decks import DealerHand

__all__ = [
    "CountStub",
    "DealCards",
    "RackStub",
    "RebuildHands",
    "ReportHoldings",
    "RevealCards",
]


class DealCards(TableCommand, frozen=True, tag="deal"):
    """Deal the next `number` cards face down; name the `cards` where they are known, and the record seals them.

    Where the dealer takes the rest out of a shoe and continues by hand, `hand` says which hand.
    """

    number: int = 1
    cards: tuple[Card, ...] = ()
    hand: DealerHand | None = None

    def __repr__(self) -> str:
        return f"DealCards(number={self.number}, {len(self.cards)} named)"  # they go face down

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("number", self.number), ("named", len(self.cards))]


class RevealCards(TableCommand, frozen=True, tag="reveal"):
    """Turn up the next cards; name the `cards` where they are not known yet."""

    slot: Slot
    seat: int = 0
    cards: tuple[Card, ...] = ()


class CountStub(TableCommand, frozen=True, tag="count_stub"):
    """Count the stub face down on the layout."""

    cards: int


class ReportHoldings(TableCommand, frozen=True, tag="report_holdings"):
    """Report after a wrong count how many cards each seat, the board, the box and the dealer have."""

    seats: dict[int, int]
    community: int | None = None
    six_card_box: int | None = None
    dealer: int | None = None


class RackStub(TableCommand, frozen=True, tag="rack_stub"):
    """Put the stub in the discard rack without showing it."""


class RebuildHands(TableCommand, frozen=True, tag="rebuild_hands"):
    """Rebuild the hands of a disputed round, or the hand of one `seat`, from the record."""

    seat: int = 0
