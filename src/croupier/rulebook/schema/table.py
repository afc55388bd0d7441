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
    """A lower maximum while a wager is offered."""

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
    """How many decks and cover cards; a second deck needs a shuffler."""

    standard: Annotated[int, Meta(ge=1, le=8)]
    cover_cards: Count
    second: Cited
    alternate: Cited
    in_machine: Cited
    """The clause that keeps the second deck in the shuffler."""
    one_racked: Cited
    """The clause that keeps the cards of only one deck in the rack."""
    cover: Cited
    """The clause that supplies cover cards with a deck."""
    backs_differ: Cited
    same_design: Cited
    """The clause that requires two decks of the same design with backs of different colors."""


class DeckHours(Cited, frozen=True, kw_only=True):
    """After how many hours a deck dealt this way is replaced; without hours the submission must say."""

    deal: tuple[names.Deal, ...]
    hours: Annotated[int, Meta(ge=1, le=24)] | None = None


class Cut(Cited, frozen=True, kw_only=True):
    """How deep a cut must be, and where the cover card goes."""

    depth: Annotated[int, Meta(ge=1, le=26)]
    placed: Literal["in_the_deck", "before_the_deck"]
    """Where the cover card goes for the cut."""
    cover_card: Literal["stays_at_bottom", "to_discard_rack"]
    machine: Cited
    """The clause that lets cards from a shuffler be dealt without a cut."""
    required: Cited
    """The clause that requires a cut after a manual shuffle or for preshuffled cards."""
    exempt: Cited | None = None
    """The clause that exempts a continuous shuffler from cuts."""


class StubCount(Cited, frozen=True, kw_only=True):
    """How often the stub is counted when dealt this way: at least once in `rounds`, unless a shuffler waives it."""

    deal: names.Deal
    rounds: Annotated[int, Meta(ge=1, le=50)]
    waived_by: tuple[names.Shuffle, ...] = ()
    right: Cited
    """The clause by which a correct stub is put away."""


class ShuffleMethod(Cited, frozen=True, kw_only=True):
    """A shuffle method; `approval` names the reference it needs."""

    method: names.Shuffle
    approval: names.Approval | None = None
    approval_required: bool = False
    loads_shoe: Cited | None = None


class DealMethod(Cited, frozen=True, kw_only=True):
    """A dealing method; some need a shuffler."""

    method: names.Deal
    needs_shuffler: Cited | None = None
    approval: names.Approval | None = None
    same_hand: Cited | None = None
    """The clause that keeps the deck in the same hand, where cards are dealt from the hand."""


class Area(Cited, frozen=True, kw_only=True):
    """An area of the layout: how many, where, and for which wager; always there if none is named."""

    name: str
    place: names.LayoutPlace
    count: Count = 1
    inscription: str = ""
    offered: names.WagerName | None = None


class Notice(Cited, frozen=True, kw_only=True):
    """What the layout or a sign must say, in our words."""

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
