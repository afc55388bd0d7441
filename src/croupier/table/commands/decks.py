"""Decks from their arrival to their removal, and the proof of a virtual shuffle."""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.cards import Card
from croupier.table.commands.base import TableCommand

__all__ = [
    "AddEntropy",
    "CutDeck",
    "DealerHand",
    "InspectDeck",
    "LoadDeck",
    "OfferDeck",
    "OrderRecut",
    "OrderShuffle",
    "ReceiveDeck",
    "RemoveDeck",
    "ReportJam",
    "RevealSeed",
    "ShuffleDeck",
    "SpreadDeck",
    "StackDeck",
    "TurnDownDeck",
    "VerifyDeck",
    "WashDeck",
]

DealerHand: TypeAlias = Literal["left", "right"]


class ReceiveDeck(TableCommand, frozen=True, tag="receive_deck"):
    """Receive a deck with its cover cards; `design` may name the pattern of its backs."""

    deck: str
    back: str
    cover_cards: int = 1
    preinspected: bool = False
    preshuffled: bool = False
    design: str = ""


class _OfDeck(TableCommand, frozen=True):
    deck: str


class InspectDeck(_OfDeck, frozen=True, tag="inspect_deck"):
    """Inspect a deck; `defects` says what is wrong with it, if anything."""

    defects: str = ""


class VerifyDeck(_OfDeck, frozen=True, tag="verify_deck"):
    """Verify the inspection, as a floorperson of this table and never the inspecting dealer."""


class SpreadDeck(_OfDeck, frozen=True, tag="spread_deck"):
    """Spread a deck face up in fans, by suit and in sequence."""


class OfferDeck(_OfDeck, frozen=True, tag="offer_deck"):
    """Show the spread deck to the player seated longest; `turned_up` defaults to what the document says."""

    patron: str
    turned_up: bool | None = None


class TurnDownDeck(_OfDeck, frozen=True, tag="turn_down_deck"):
    """Turn the cards face down."""


class WashDeck(_OfDeck, frozen=True, tag="wash_deck"):
    """Mix the cards by washing them."""


class StackDeck(_OfDeck, frozen=True, tag="stack_deck"):
    """Stack the cards."""


class ShuffleDeck(_OfDeck, frozen=True, tag="shuffle_deck"):
    """Shuffle a deck by hand or by device; a counting device says how many cards it `counted`."""

    counted: int | None = None
    commitment: str = ""


class OrderShuffle(_OfDeck, frozen=True, tag="order_shuffle"):
    """Order a deck shuffled again before it is dealt."""


class CutDeck(_OfDeck, frozen=True, tag="cut_deck"):
    """Cut a deck with the cover card, `depth` cards from the top."""

    depth: int


class OrderRecut(_OfDeck, frozen=True, tag="order_recut"):
    """Order a deck cut again before its first card; say why in `reason`."""


class LoadDeck(_OfDeck, frozen=True, tag="load_deck"):
    """Load a deck into the shoe, the device, or the dealer's `hand`."""

    hand: DealerHand | None = None


class RemoveDeck(_OfDeck, frozen=True, tag="remove_deck"):
    """Remove a deck from the table."""


class ReportJam(_OfDeck, frozen=True, tag="report_jam"):
    """Report that the shuffler jammed, stopped or did not finish with a deck."""


class AddEntropy(TableCommand, frozen=True, tag="add_entropy"):
    """Add a player's own bytes (hex) to the next shuffle of a virtual table."""

    entropy: str


class RevealSeed(TableCommand, frozen=True, tag="reveal_seed"):
    """Reveal, as the virtual shuffler, the seed of the closed round and the deck it deals."""

    commitment: str
    seed: str
    deck: tuple[Card, ...]
