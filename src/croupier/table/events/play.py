"""What a table adds to the events of its round."""

from __future__ import annotations

from croupier.cards import Card
from croupier.rulebook.names import Gesture, Slot, WagerName
from croupier.table.commands import DealerHand
from croupier.table.events.base import TableEvent
from croupier.table.hidden import Hidden

__all__ = [
    "CardsExamined",
    "CardsSealed",
    "CardsShown",
    "CardsTakenInHand",
    "CoverAllColumnFixed",
    "GestureShown",
    "HandsRebuilt",
    "HiddenCardCorrected",
    "HoldingsReported",
    "StubCounted",
    "StubRacked",
]


class CardsTakenInHand(TableEvent, frozen=True, kw_only=True, tag="cards_taken_in_hand/1"):
    """The dealer took the rest of the cards out of the device and continued from this hand."""

    hand: DealerHand


class CardsSealed(TableEvent, frozen=True, kw_only=True, tag="cards_sealed/1"):
    """The table recorded which cards are at these places, known to nobody else."""

    place: int
    cards: Hidden


class HiddenCardCorrected(TableEvent, frozen=True, kw_only=True, tag="hidden_card_corrected/1"):
    """A face-down card was corrected."""

    place: int
    was: Hidden
    card: Hidden


class CardsShown(TableEvent, frozen=True, kw_only=True, tag="cards_shown/1"):
    """Cards were turned face up."""

    slot: Slot
    seat: int
    places: tuple[int, ...]
    cards: tuple[Card, ...]
    salts: tuple[bytes, ...] = ()
    """What opens the commitment to each card."""


class StubCounted(TableEvent, frozen=True, kw_only=True, tag="stub_counted/1"):
    """The stub was counted face down."""

    counted: int
    expected: int


class HoldingsReported(TableEvent, frozen=True, kw_only=True, tag="holdings_reported/1"):
    """The dealer reported how many cards are at each place; the ruling follows at once."""

    seats: tuple[tuple[int, int], ...]
    community: int | None
    six_card_box: int | None
    dealer: int | None
    in_all: int
    misdealt: bool


class StubRacked(TableEvent, frozen=True, kw_only=True, tag="stub_racked/1"):
    """The stub went to the rack unseen."""


class CoverAllColumnFixed(TableEvent, frozen=True, kw_only=True, tag="cover_all_column_fixed/1"):
    """The number of hands set what a wager pays in this round."""

    wager: WagerName
    hands: int
    pays: tuple[tuple[str, str], ...]


class CardsExamined(TableEvent, frozen=True, kw_only=True, tag="cards_examined/1"):
    """The players at these seats had examined their cards before the first decision of the round."""

    seats: tuple[int, ...]


class GestureShown(TableEvent, frozen=True, kw_only=True, tag="gesture_shown/1"):
    """A player showed a decision by a gesture."""

    seat: int
    gesture: Gesture


class HandsRebuilt(TableEvent, frozen=True, kw_only=True, tag="hands_rebuilt/1"):
    """Hands of a round were rebuilt from the record, in the order of the rack; `rebuilt_hands` shows them."""

    round: int
    seats: tuple[int, ...]
    """The first to the rack first; then those that still lie on the layout."""
    told: tuple[int, ...]
    """How many cards of each of these hands are known."""
    cards: Hidden
    """Hand after hand, as far as the cards are known."""
