"""Decks from their arrival to their removal, and the proof of a virtual shuffle."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from croupier.cards import Card
from croupier.table.commands import DealerHand
from croupier.table.events.base import TableEvent

__all__ = [
    "DeckCondemned",
    "DeckCut",
    "DeckDueSoon",
    "DeckInspected",
    "DeckJammed",
    "DeckLoaded",
    "DeckOffered",
    "DeckReceived",
    "DeckRemoved",
    "DeckShuffled",
    "DeckSpread",
    "DeckStacked",
    "DeckTurnedDown",
    "DeckVerified",
    "DeckWashed",
    "EntropyAdded",
    "RecutOrdered",
    "SeedRevealed",
    "ShuffleOrdered",
]


class DeckReceived(TableEvent, frozen=True, kw_only=True, tag="deck_received/1"):
    """A deck came to the table."""

    deck: str
    back: str
    cover_cards: int
    ready: bool
    """It came inspected and shuffled, so the opening steps are waived."""
    design: str = ""


class _DeckEvent(TableEvent, frozen=True, kw_only=True):
    deck: str


class DeckInspected(_DeckEvent, frozen=True, kw_only=True, tag="deck_inspected/1"):
    """The dealer found no defect."""


class DeckVerified(_DeckEvent, frozen=True, kw_only=True, tag="deck_verified/1"):
    """A floorperson verified the inspection."""

    inspected_by: str


class DeckSpread(_DeckEvent, frozen=True, kw_only=True, tag="deck_spread/1"):
    """The deck was spread."""

    face: Literal["up", "down"]


class DeckOffered(_DeckEvent, frozen=True, kw_only=True, tag="deck_offered/1"):
    """The deck was shown to a player."""

    patron: str
    turned_up: bool


class DeckTurnedDown(_DeckEvent, frozen=True, kw_only=True, tag="deck_turned_down/1"):
    """The deck was turned face down."""


class DeckWashed(_DeckEvent, frozen=True, kw_only=True, tag="deck_washed/1"):
    """The deck was washed."""


class DeckStacked(_DeckEvent, frozen=True, kw_only=True, tag="deck_stacked/1"):
    """The deck was stacked."""


class DeckShuffled(_DeckEvent, frozen=True, kw_only=True, tag="deck_shuffled/1"):
    """The deck was shuffled; a virtual shuffler committed to a seed."""

    method: str
    counted: int | None
    commitment: str


class ShuffleOrdered(_DeckEvent, frozen=True, kw_only=True, tag="shuffle_ordered/1"):
    """The deck was ordered shuffled again."""


class DeckCut(_DeckEvent, frozen=True, kw_only=True, tag="deck_cut/1"):
    """The deck was cut; the document says where the cover card goes."""

    depth: int
    cover_placed: Literal["in_the_deck", "before_the_deck"]
    cover_card: Literal["stays_at_bottom", "to_discard_rack"]
    shallow: bool
    """Fewer than ten cards lay below the cut (reading 123)."""


class RecutOrdered(_DeckEvent, frozen=True, kw_only=True, tag="recut_ordered/1"):
    """The deck was ordered cut again."""


class DeckLoaded(_DeckEvent, frozen=True, kw_only=True, tag="deck_loaded/1"):
    """The deck was loaded where it is dealt from."""

    into: str
    hand: DealerHand | None
    placed: bool
    """The deck comes into play for the first time, and its hours begin."""


class DeckDueSoon(_DeckEvent, frozen=True, kw_only=True, tag="deck_due_soon/1"):
    """The deck is almost due for replacement."""

    until: datetime


class DeckJammed(_DeckEvent, frozen=True, kw_only=True, tag="deck_jammed/1"):
    """The shuffler jammed with this deck, which must be shuffled again."""


class DeckCondemned(_DeckEvent, frozen=True, kw_only=True, tag="deck_condemned/1"):
    """The deck must be removed; `found` describes the defect in the finder's own words."""

    cause: Literal["defect", "shuffler_count", "stub_count", "foreign_card"]
    counted: int | None = None
    found: str = ""

    @property
    def why(self) -> str:
        """What condemned it, in words."""
        match self.cause:
            case "shuffler_count":
                return f"the shuffler counted {self.counted} cards"
            case "stub_count":
                return "it has too many or too few cards"
            case "foreign_card":
                return "a card in it does not belong there"
        return self.found


class DeckRemoved(_DeckEvent, frozen=True, kw_only=True, tag="deck_removed/1"):
    """The deck left the table."""


class EntropyAdded(TableEvent, frozen=True, kw_only=True, tag="entropy_added/1"):
    """A player added to the next shuffle."""

    patron: str
    entropy: str


class SeedRevealed(TableEvent, frozen=True, kw_only=True, tag="seed_revealed/1"):
    """The seed of a closed round was revealed for anyone to check; `depth` is the cut, 0 without one."""

    generator: str
    commitment: str
    seed: str
    players: tuple[str, ...]
    deck: tuple[Card, ...]
    depth: int
