"""What a view of a table is made of, as values that a screen or a browser draws from."""

from __future__ import annotations

from datetime import datetime
from typing import Final, TypeAlias

from msgspec import Struct

from croupier.games import CouponSettled, EnvyPaid, Out, WagerSettled
from croupier.money import Cents
from croupier.rulebook.names import Act, Decision, Slot, WagerName
from croupier.table.state import Award

__all__ = [
    "CARD_BACK",
    "AwaitedView",
    "BoxView",
    "ChoiceView",
    "DeckView",
    "LastRounds",
    "RebuiltHand",
    "RoundView",
    "SlotCards",
    "StaffView",
    "TableView",
]

CARD_BACK: Final = "??"
"""A card that lies face down, or that this audience may not see."""
SlotCards: TypeAlias = tuple[tuple[Slot, tuple[str, ...]], ...]


class ChoiceView(Struct, frozen=True, kw_only=True):
    """One answer to a decision, and what it adds to the bets: a fixed amount where minimum and maximum are equal."""

    choice: str
    least: Cents = Cents(0)
    most: Cents = Cents(0)
    step: Cents = Cents(0)


class AwaitedView(Struct, frozen=True, kw_only=True):
    """What has to happen next: as data for a screen, and in words."""

    kind: str
    """What `games.awaiting` says of the round; outside it `opening`, `preparation`, `wagers`, `stub` or `award`."""
    words: str
    seat: int = 0
    patron: str = ""
    act: Act | None = None
    decision: Decision | None = None
    choices: tuple[ChoiceView, ...] = ()
    """What may be decided, as far as this audience may know: what a hand may raise is its player's to know."""
    slot: Slot | None = None
    places: tuple[int, ...] = ()
    meter: str = ""
    what: str = ""
    since: datetime | None = None
    deadline: datetime | None = None
    """When a floorperson may declare the player undecided, where the house sets a time."""
    clause: str = ""
    """Why no round can begin, in `preparation`."""
    reading: int | None = None


class BoxView(Struct, frozen=True, kw_only=True):
    """A betting position: who sits there, the bets, the cards as far as they may be seen, and what was settled."""

    seat: int
    patron: str = ""
    """Empty if the seat is open."""
    own: bool = False
    """Whether this box belongs to the viewer."""
    bets: tuple[tuple[WagerName, Cents], ...] = ()
    withdrawn: tuple[WagerName, ...] = ()
    """Those of the bets that were taken back."""
    coupon: Cents = Cents(0)
    lit: bool = False
    folded: bool = False
    out: Out = ""
    cards: tuple[str, ...] = ()
    results: tuple[WagerSettled, ...] = ()
    """In settlement order."""
    coupon_result: CouponSettled | None = None
    envy: tuple[EnvyPaid, ...] = ()


class RoundView(Struct, frozen=True, kw_only=True):
    """The round that was closed last: every hand with its results, and the cards that were turned up."""

    number: int
    seats: tuple[BoxView, ...]
    cards: SlotCards


class DeckView(Struct, frozen=True, kw_only=True):
    """A deck as the staff see it: where it is, never what it holds."""

    id: str
    back: str
    stage: str
    until: datetime | None
    """When its hours are over, once it is in play."""


class StaffView(Struct, frozen=True, kw_only=True):
    """What staff and officials see besides the layout."""

    dealer: str
    floor: tuple[str, ...]
    tray: Cents
    chips: tuple[tuple[str, Cents], ...]
    decks: tuple[DeckView, ...]
    stub: str
    awards: tuple[Award, ...]


class RebuiltHand(Struct, frozen=True, kw_only=True):
    """A hand as it is in the rack."""

    seat: int
    patron: str
    folded: bool
    cards: tuple[str, ...]
    """A back for a card that nobody ever identified."""


LastRounds: TypeAlias = "dict[str, RoundView | None]"
"""The last round as each player saw it; under no name, as everybody did."""


class TableView(Struct, frozen=True, kw_only=True):
    """A table as one audience sees it."""

    version: int
    """The number of the last entry in its record: a view of a higher one is newer."""
    rulebook: str
    operator: str
    status: str
    rounds: int
    awaiting: AwaitedView
    seats: tuple[BoxView, ...]
    """Every seat of the table, from 1."""
    cards: SlotCards
    """The cards of the board, the box and the dealer."""
    meters: tuple[tuple[str, Cents], ...]
    commitment: str
    """What a virtual shuffler has promised for this round."""
    last_round: RoundView | None = None
    chips: Cents | None = None
    """A player's own."""
    staff: StaffView | None = None
