"""What happened at a table: a past tense and a version, such as `deck_cut/1`; the events of its round stay as they are.

A card that lies face down is `Hidden`: the event holds it, so that a table can be rebuilt, but no text shows it.
Money is in cents, meters in 1/10,000 cent. Patrons and staff are ids; their names are kept elsewhere.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias

from msgspec import Struct, field

from croupier.games import events as round_events
from croupier.table.events.awards import (
    AwardHandPaid,
    AwardNotVerified,
    AwardPaid,
    AwardPending,
    AwardRejected,
    AwardReversed,
    AwardValidated,
    AwardVerified,
)
from croupier.table.events.base import (
    TableEvent,
)
from croupier.table.events.decks import (
    DeckCondemned,
    DeckCut,
    DeckDueSoon,
    DeckInspected,
    DeckJammed,
    DeckLoaded,
    DeckOffered,
    DeckReceived,
    DeckRemoved,
    DeckShuffled,
    DeckSpread,
    DeckStacked,
    DeckTurnedDown,
    DeckVerified,
    DeckWashed,
    EntropyAdded,
    RecutOrdered,
    SeedRevealed,
    ShuffleOrdered,
)
from croupier.table.events.devices import (
    DeviceRestored,
    DeviceTakenOut,
    MethodChanged,
)
from croupier.table.events.house import (
    AttestationMade,
    GamingDayChanged,
    InventoryCounted,
    InventoryVerified,
    PersonAssigned,
    PlayerBoughtIn,
    PlayerSat,
    PlayerStoodUp,
    RulesChanged,
    RulesProposed,
    TableClosed,
    TableCreated,
    TableOpened,
    TableReleased,
    TableSuspended,
    TableWentIdle,
    TrayCredited,
    TrayFilled,
)
from croupier.table.events.play import (
    CardsExamined,
    CardsSealed,
    CardsShown,
    CardsTakenInHand,
    CoverAllColumnFixed,
    GestureShown,
    HandsRebuilt,
    HiddenCardCorrected,
    HoldingsReported,
    StubCounted,
    StubRacked,
)
from croupier.table.hidden import Hidden
from croupier.table.people import Person

__all__ = [
    "AttestationMade",
    "AwardHandPaid",
    "AwardNotVerified",
    "AwardPaid",
    "AwardPending",
    "AwardRejected",
    "AwardReversed",
    "AwardValidated",
    "AwardVerified",
    "CardsExamined",
    "CardsSealed",
    "CardsShown",
    "CardsTakenInHand",
    "CoverAllColumnFixed",
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
    "DeviceRestored",
    "DeviceTakenOut",
    "EntropyAdded",
    "Entry",
    "Event",
    "GamingDayChanged",
    "GestureShown",
    "HandsRebuilt",
    "Hidden",
    "HiddenCardCorrected",
    "HoldingsReported",
    "InventoryCounted",
    "InventoryVerified",
    "MethodChanged",
    "PersonAssigned",
    "PlayerBoughtIn",
    "PlayerSat",
    "PlayerStoodUp",
    "RecutOrdered",
    "RulesChanged",
    "RulesProposed",
    "SeedRevealed",
    "ShuffleOrdered",
    "StubCounted",
    "StubRacked",
    "TableClosed",
    "TableCreated",
    "TableEvent",
    "TableOpened",
    "TableReleased",
    "TableSuspended",
    "TableWentIdle",
    "TrayCredited",
    "TrayFilled",
]

Event: TypeAlias = (
    TableCreated
    | PersonAssigned
    | AttestationMade
    | InventoryCounted
    | InventoryVerified
    | TrayFilled
    | TrayCredited
    | TableOpened
    | GamingDayChanged
    | TableClosed
    | TableSuspended
    | TableReleased
    | RulesProposed
    | RulesChanged
    | PlayerSat
    | PlayerStoodUp
    | PlayerBoughtIn
    | DeckReceived
    | DeckInspected
    | DeckVerified
    | DeckSpread
    | DeckOffered
    | DeckTurnedDown
    | DeckWashed
    | DeckStacked
    | DeckShuffled
    | ShuffleOrdered
    | DeckCut
    | RecutOrdered
    | DeckLoaded
    | CardsTakenInHand
    | DeckDueSoon
    | DeckJammed
    | DeckCondemned
    | DeckRemoved
    | TableWentIdle
    | CardsSealed
    | HiddenCardCorrected
    | CardsShown
    | StubCounted
    | HoldingsReported
    | StubRacked
    | CoverAllColumnFixed
    | CardsExamined
    | HandsRebuilt
    | EntropyAdded
    | SeedRevealed
    | DeviceTakenOut
    | DeviceRestored
    | MethodChanged
    | AwardPending
    | AwardVerified
    | AwardNotVerified
    | AwardValidated
    | AwardRejected
    | AwardReversed
    | AwardPaid
    | AwardHandPaid
    | GestureShown
    | round_events.Recorded
)
"""Every event that a record can hold."""


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a table's record: its place, who, when, under which rules, why and what."""

    stream: str
    seq: int
    at: datetime
    by: Person
    rules: str
    """The house rules that judged it, by their hash."""
    round: int = 0
    """The number of the round that it belongs to, if any."""
    command: str = ""
    """The key of the command that led to it, if one was given."""
    reason: str = ""
    event: Event = field(name="what")

    @property
    def name(self) -> str:
        """The name of the event with its version, such as `deck_cut/1`."""
        return str(self.event.__struct_config__.tag)
