"""table.toml: seats, cards, devices and layout."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, Count, RegulationPart

__all__ = [
    "Area",
    "Boxes",
    "Cut",
    "DealMethod",
    "DeckHours",
    "Decks",
    "FewerSeats",
    "Notice",
    "Seats",
    "ShuffleMethod",
    "StubCount",
    "TableRules",
]


class FewerSeats(Cited, frozen=True, kw_only=True):
    """A smaller limit while a wager is offered."""

    offered: names.WagerName
    maximum: Count


class Seats(Cited, frozen=True, kw_only=True):
    """How many betting positions a table may have."""

    maximum: Annotated[int, Meta(ge=1, le=52)]
    fewer: tuple[FewerSeats, ...] = ()


class Boxes(Cited, frozen=True, kw_only=True):
    """How many boxes one player may take: one, or as many adjacent ones as the submission says."""

    limit: Literal["one", "submission"]


class Decks(Cited, frozen=True, kw_only=True):
    """How many decks and cover cards; a second deck only with a shuffler."""

    standard: Annotated[int, Meta(ge=1, le=8)]
    cover_cards: Count
    second: Cited
    alternate: Cited
    in_machine: Cited
    """What keeps the other of two decks in the shuffler."""
    one_racked: Cited
    """What keeps the cards of one deck alone in the rack."""
    cover: Cited
    """What has cover cards come with a deck."""
    backs_differ: Cited
    same_design: Cited
    """What has two decks look alike but for the colour of their backs."""


class DeckHours(Cited, frozen=True, kw_only=True):
    """After how many hours a deck is replaced when dealt this way; without hours the submission must say."""

    deal: tuple[names.Deal, ...]
    hours: Annotated[int, Meta(ge=1, le=24)] | None = None


class Cut(Cited, frozen=True, kw_only=True):
    """How deep a cut must be, and where the cover card goes."""

    depth: Annotated[int, Meta(ge=1, le=26)]
    placed: Literal["in_the_deck", "before_the_deck"]
    """Where the cover card is put for the cut."""
    cover_card: Literal["stays_at_bottom", "to_discard_rack"]
    machine: Cited
    """What lets cards from a shuffler go to the deal without a cut."""
    required: Cited
    """What has cards cut that were shuffled by hand or before they came."""
    exempt: Cited | None = None
    """What frees a self-reshuffling device from cuts."""


class StubCount(Cited, frozen=True, kw_only=True):
    """The stub is counted at least once in so many rounds when dealt this way, unless a shuffler waives it."""

    deal: names.Deal
    rounds: Annotated[int, Meta(ge=1, le=50)]
    waived_by: tuple[names.Shuffle, ...] = ()
    right: Cited
    """What has a stub that was counted right put away."""


class ShuffleMethod(Cited, frozen=True, kw_only=True):
    """A way to shuffle; `approval` names the reference it needs."""

    method: names.Shuffle
    approval: names.Approval | None = None
    approval_required: bool = False
    loads_shoe: Cited | None = None


class DealMethod(Cited, frozen=True, kw_only=True):
    """A way to deal; some need a shuffler."""

    method: names.Deal
    needs_shuffler: Cited | None = None
    approval: names.Approval | None = None
    same_hand: Cited | None = None
    """What keeps the cards in the hand that took them, where a hand takes them."""


class Area(Cited, frozen=True, kw_only=True):
    """An area of the layout: how many, where, and with which wager (always, if none is named)."""

    name: str
    place: names.LayoutPlace
    count: Count = 1
    inscription: str = ""
    offered: names.WagerName | None = None


class Notice(Cited, frozen=True, kw_only=True):
    """What layout or sign must tell, in our words."""

    says: str
    offered: names.WagerName | None = None
    sign_instead: bool = True


class TableRules(RegulationPart, frozen=True, kw_only=True):
    """table.toml: seats, cards, devices and layout."""

    layout_approval: Cited | None = None
    seats: Seats
    boxes: Boxes
    decks: Decks
    deck_hours: tuple[DeckHours, ...]
    cut: Cut
    stub_count: tuple[StubCount, ...]
    shuffle: tuple[ShuffleMethod, ...]
    deal: tuple[DealMethod, ...]
    area: tuple[Area, ...] = ()
    notice: tuple[Notice, ...] = ()
