"""Everything that may be asked of a table, one class per command.

Most moves of a round are the round's own actions (`croupier.games.actions`): the request says who gives one.
Dealing and turning up cards take more arguments at a table than in a round: `DealCards` and `RevealCards`.
"""

from __future__ import annotations

from typing import Final, TypeAlias, get_args

from croupier.games.actions import (
    CancelWager,
    Close,
    CorrectCard,
    Decide,
    DeclareUndecided,
    FindConduct,
    IdentifyCards,
    Leave,
    Look,
    Perform,
    PlaceCoupon,
    PlaceWager,
    ReadMeter,
    ReduceRaise,
    RegisterWager,
    ReverseSettlement,
    Rule,
    SetAside,
    Settle,
    SharedMove,
    TakeBack,
    TakeBackCoupon,
)
from croupier.rulebook.names import Duty
from croupier.table.commands.awards import (
    HandPayAward,
    PayAward,
    RejectAward,
    ValidateAward,
    VerifyAward,
)
from croupier.table.commands.decks import (
    AddEntropy,
    CutDeck,
    DealerHand,
    InspectDeck,
    LoadDeck,
    OfferDeck,
    OrderRecut,
    OrderShuffle,
    ReceiveDeck,
    RemoveDeck,
    ReportJam,
    RevealSeed,
    ShuffleDeck,
    SpreadDeck,
    StackDeck,
    TurnDownDeck,
    VerifyDeck,
    WashDeck,
)
from croupier.table.commands.devices import (
    ChangeMethod,
    Device,
    RestoreDevice,
    TakeOutDevice,
)
from croupier.table.commands.house import (
    Assign,
    Attest,
    BuyIn,
    ChangeDay,
    CloseTable,
    ConfirmRules,
    CountInventory,
    CreditTray,
    FillTray,
    OpenTable,
    ProposeRules,
    ReleaseTable,
    SetIdle,
    Sit,
    StandUp,
    SuspendTable,
    VerifyInventory,
)
from croupier.table.commands.play import (
    CountStub,
    DealCards,
    RackStub,
    RebuildHands,
    ReportHoldings,
    RevealCards,
)

__all__ = [
    "COMMANDS",
    "FILLED_IN",
    "WITH_REASON",
    "AddEntropy",
    "Assign",
    "Attest",
    "BuyIn",
    "CancelWager",
    "ChangeDay",
    "ChangeMethod",
    "Close",
    "CloseTable",
    "Command",
    "ConfirmRules",
    "CorrectCard",
    "CountInventory",
    "CountStub",
    "CreditTray",
    "CutDeck",
    "DealCards",
    "DealerHand",
    "Decide",
    "DeclareUndecided",
    "Device",
    "FillTray",
    "FindConduct",
    "HandPayAward",
    "IdentifyCards",
    "InspectDeck",
    "Leave",
    "LoadDeck",
    "Look",
    "Move",
    "OfferDeck",
    "OpenTable",
    "OrderRecut",
    "OrderShuffle",
    "PayAward",
    "Perform",
    "PlaceCoupon",
    "PlaceWager",
    "ProposeRules",
    "RackStub",
    "ReadMeter",
    "RebuildHands",
    "ReceiveDeck",
    "ReduceRaise",
    "RegisterWager",
    "RejectAward",
    "ReleaseTable",
    "RemoveDeck",
    "ReportHoldings",
    "ReportJam",
    "RestoreDevice",
    "RevealCards",
    "RevealSeed",
    "ReverseSettlement",
    "Rule",
    "SetAside",
    "SetIdle",
    "Settle",
    "ShuffleDeck",
    "Sit",
    "SpreadDeck",
    "StackDeck",
    "StandUp",
    "SuspendTable",
    "TakeBack",
    "TakeBackCoupon",
    "TakeOutDevice",
    "TurnDownDeck",
    "ValidateAward",
    "VerifyAward",
    "VerifyDeck",
    "VerifyInventory",
    "WashDeck",
]

Move: TypeAlias = SharedMove | DealCards | RevealCards
"""The moves of a round, as a table takes them."""
Command: TypeAlias = (
    Assign
    | Attest
    | CountInventory
    | VerifyInventory
    | FillTray
    | CreditTray
    | OpenTable
    | ChangeDay
    | CloseTable
    | SuspendTable
    | ReleaseTable
    | SetIdle
    | ProposeRules
    | ConfirmRules
    | Sit
    | StandUp
    | BuyIn
    | ReceiveDeck
    | InspectDeck
    | VerifyDeck
    | SpreadDeck
    | OfferDeck
    | TurnDownDeck
    | WashDeck
    | StackDeck
    | ShuffleDeck
    | OrderShuffle
    | CutDeck
    | OrderRecut
    | LoadDeck
    | RemoveDeck
    | ReportJam
    | AddEntropy
    | RevealSeed
    | CountStub
    | ReportHoldings
    | RackStub
    | RebuildHands
    | TakeOutDevice
    | RestoreDevice
    | ChangeMethod
    | VerifyAward
    | ValidateAward
    | RejectAward
    | PayAward
    | HandPayAward
    | Move
)

_BY_NAME: Final = {kind.__struct_config__.tag: kind for kind in get_args(Command)}
COMMANDS: Final[dict[Duty, type[Command]]] = {name: _BY_NAME[name] for name in get_args(Duty)}
"""Every command by its name, in the order of an evening."""
WITH_REASON: Final[frozenset[Duty]] = frozenset(
    {"suspend_table", "order_recut", "reject_award", "find_conduct", "correct_card", "reverse_settlement"}
)
"""Commands that must say why."""
FILLED_IN: Final[dict[type[Command], str]] = {PlaceWager: "patron", Look: "patron", Decide: "patron"}
"""The field of a round's action that the table fills in: who sits at the seat comes with the request."""
