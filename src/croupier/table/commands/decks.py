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
    """A deck comes to the table with its cover cards; `design` may name the pattern of its backs."""

    deck: str
    back: str
    cover_cards: int = 1
    preinspected: bool = False
    preshuffled: bool = False
    design: str = ""


class _OfDeck(TableCommand, frozen=True):
    deck: str


class InspectDeck(_OfDeck, frozen=True, tag="inspect_deck"):
    """The dealer inspects a deck; `defects` says what was found wrong, if anything."""

    defects: str = ""


class VerifyDeck(_OfDeck, frozen=True, tag="verify_deck"):
    """A floorperson of this table verifies the inspection; never the inspecting dealer."""


class SpreadDeck(_OfDeck, frozen=True, tag="spread_deck"):
    """Spread a deck face up in fans, by suit and in sequence."""


class OfferDeck(_OfDeck, frozen=True, tag="offer_deck"):
    """The player who has been seated longest may look at the spread deck; `turned_up` is as the document has it."""

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
    """Direct that a deck be shuffled again before it is dealt."""


class CutDeck(_OfDeck, frozen=True, tag="cut_deck"):
    """Cut a deck with the cover card, `depth` cards from the top."""

    depth: int


class OrderRecut(_OfDeck, frozen=True, tag="order_recut"):
    """Require a deck to be cut again before its first card; say why in `reason`."""


class LoadDeck(_OfDeck, frozen=True, tag="load_deck"):
    """Put a deck where it is dealt from: the shoe, the device, or the dealer's `hand`."""

    hand: DealerHand | None = None


class RemoveDeck(_OfDeck, frozen=True, tag="remove_deck"):
    """A deck leaves the table."""


class ReportJam(_OfDeck, frozen=True, tag="report_jam"):
    """The shuffler jammed, stopped or did not finish with a deck."""


class AddEntropy(TableCommand, frozen=True, tag="add_entropy"):
    """A player adds bytes (hex) of their own to the next shuffle of a virtual table."""

    entropy: str


class RevealSeed(TableCommand, frozen=True, tag="reveal_seed"):
    """The virtual shuffler opens the seed of the round that was closed, and the deck that it deals."""

    commitment: str
    seed: str
    deck: tuple[Card, ...]
