"""What may be asked of a table: one imperative name each. A round's own moves are commands too.

Every command that a table adds to the moves of a round stands here; `COMMANDS` has both.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from croupier.cards import Card
from croupier.games import actions
from croupier.money import Cents
from croupier.rulebook.names import Attested, Deal, Duty, Gesture, OutOfUse, Shuffle, Slot, WagerName

__all__ = [
    "COMMANDS",
    "WITH_REASON",
    "AddEntropy",
    "Assign",
    "Attest",
    "BuyIn",
    "ChangeDay",
    "ChangeMethod",
    "CloseTable",
    "Command",
    "ConfirmRules",
    "CountInventory",
    "CountStub",
    "CreditTray",
    "CutDeck",
    "DealCards",
    "Decide",
    "Device",
    "FillTray",
    "HandPayAward",
    "InspectDeck",
    "LoadDeck",
    "Look",
    "OfferDeck",
    "OpenTable",
    "OrderRecut",
    "OrderShuffle",
    "PayAward",
    "PlaceWager",
    "ProposeRules",
    "RackStub",
    "RebuildHands",
    "ReceiveDeck",
    "RejectAward",
    "ReleaseTable",
    "RemoveDeck",
    "ReportHoldings",
    "ReportJam",
    "RestoreDevice",
    "Reveal",
    "RevealSeed",
    "SetIdle",
    "ShuffleDeck",
    "Sit",
    "SpreadDeck",
    "StackDeck",
    "StandUp",
    "SuspendTable",
    "TakeOutDevice",
    "TurnDownDeck",
    "ValidateAward",
    "VerifyAward",
    "VerifyDeck",
    "VerifyInventory",
    "WashDeck",
]

Device: TypeAlias = Literal["shuffler", "shoe"]


class _Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Anything that may be asked of a table."""


# --- people and the table


class Assign(_Command, frozen=True, tag="assign"):
    """Put a dealer on duty, who takes the table over, or a floorperson, beside the others or `instead_of` one."""

    post: Literal["dealer", "floorperson"]
    person: str
    instead_of: str = ""


class Attest(_Command, frozen=True, tag="attest"):
    """Attest that something is in place before the table opens; `reference` names its approval."""

    what: Attested
    reference: str = ""


class CountInventory(_Command, frozen=True, tag="count_inventory"):
    """Count the chips in the tray."""

    amount: Cents


class VerifyInventory(_Command, frozen=True, tag="verify_inventory"):
    """Confirm the count of the tray; never by the person who counted."""


class FillTray(_Command, frozen=True, tag="fill_tray"):
    """Chips come to the tray from the cage."""

    amount: Cents
    reference: str


class CreditTray(_Command, frozen=True, tag="credit_tray"):
    """Chips go from the tray to the cage."""

    amount: Cents
    reference: str


class OpenTable(_Command, frozen=True, tag="open_table"):
    """Open the table for a gaming day."""

    gaming_day: date


class ChangeDay(_Command, frozen=True, tag="change_day"):
    """The next gaming day begins at an open table."""

    gaming_day: date


class CloseTable(_Command, frozen=True, tag="close_table"):
    """Close the table: no round, no player, no card, and the tray counted and confirmed."""


class SuspendTable(_Command, frozen=True, tag="suspend_table"):
    """No round may begin until the table is released; say why in `reason`."""


class ReleaseTable(_Command, frozen=True, tag="release_table"):
    """A suspended table goes on."""


class ProposeRules(_Command, frozen=True, tag="propose_rules"):
    """Propose another submission of the same rulebook, with the reference of its approval (reading 182)."""

    submission: dict[str, Any]
    approval: str


class ConfirmRules(_Command, frozen=True, tag="confirm_rules"):
    """A second person confirms the proposed submission, between rounds."""


# --- players


class Sit(_Command, frozen=True, tag="sit"):
    """A player takes a seat; with several boxes, each is taken."""

    seat: int
    patron: str = ""


class StandUp(_Command, frozen=True, tag="stand_up"):
    """A player leaves the table with the chips."""

    patron: str = ""


class BuyIn(_Command, frozen=True, tag="buy_in"):
    """A player gets chips from the tray for cash, or has `brought` them along."""

    amount: Cents
    patron: str = ""
    brought: bool = False


# --- cards


class ReceiveDeck(_Command, frozen=True, tag="receive_deck"):
    """A deck comes to the table with its cover cards; `design` may name the pattern of its backs."""

    deck: str
    back: str
    cover_cards: int = 1
    preinspected: bool = False
    preshuffled: bool = False
    design: str = ""


class _OfDeck(_Command, frozen=True):
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

    hand: Literal["left", "right"] | None = None


class RemoveDeck(_OfDeck, frozen=True, tag="remove_deck"):
    """A deck leaves the table."""


class SetIdle(_Command, frozen=True, tag="set_idle"):
    """Without players the cards leave shoe and rack and lie spread; a player may ask to have them face up."""

    face: Literal["down", "up"] = "down"
    asked_by: str = ""


class CountStub(_Command, frozen=True, tag="count_stub"):
    """Count the stub face down on the layout."""

    cards: int


class ReportHoldings(_Command, frozen=True, tag="report_holdings"):
    """After a wrong count: how many cards each seat, the board, the box and the dealer have."""

    seats: dict[int, int]
    community: int | None = None
    six_card_box: int | None = None
    dealer: int | None = None


class RackStub(_Command, frozen=True, tag="rack_stub"):
    """Put the stub in the discard rack without showing it."""


class AddEntropy(_Command, frozen=True, tag="add_entropy"):
    """A player adds bytes (hex) of their own to the next shuffle of a virtual table."""

    entropy: str


class RevealSeed(_Command, frozen=True, tag="reveal_seed"):
    """The virtual shuffler opens the seed of the round that was closed, and the deck that it deals."""

    commitment: str
    seed: str
    deck: tuple[Card, ...]


class RebuildHands(_Command, frozen=True, tag="rebuild_hands"):
    """A floorperson rebuilds the hands of the round, or that of one `seat`, from the record in a dispute."""

    seat: int = 0


# --- devices


class ReportJam(_OfDeck, frozen=True, tag="report_jam"):
    """The shuffler jammed, stopped or did not finish with a deck."""


class TakeOutDevice(_Command, frozen=True, tag="take_out_device"):
    """Cover, mark or remove a device that is not to be used."""

    device: Device
    how: OutOfUse


class RestoreDevice(_Command, frozen=True, tag="restore_device"):
    """A device is in order again."""

    device: Device


class ChangeMethod(_Command, frozen=True, tag="change_method"):
    """From now on shuffle and deal in another way, between rounds."""

    shuffle: Shuffle
    deal: Deal
    decks: int = 1


# --- progressive awards


class _OfAward(_Command, frozen=True):
    seat: int


class VerifyAward(_OfAward, frozen=True, tag="verify_award"):
    """The dealer verifies that the hand wins and that the light of the seat is lit."""

    hand: bool
    light: bool


class ValidateAward(_OfAward, frozen=True, tag="validate_award"):
    """A floorperson validates a verified award; never the person who verified it."""


class RejectAward(_OfAward, frozen=True, tag="reject_award"):
    """A floorperson rejects an award: it goes back to the meter. Say why in `reason`."""


class PayAward(_OfAward, frozen=True, tag="pay_award"):
    """Pay a validated award from the tray."""


class HandPayAward(_OfAward, frozen=True, tag="hand_pay_award"):
    """Pay a validated award away from the tray; `reference` names the paperwork."""

    reference: str


# --- moves of a round that have more to say at a table


class PlaceWager(_Command, frozen=True, tag="place_wager"):
    """A seated player stakes chips; the first wager begins a round."""

    seat: int
    wager: WagerName
    amount: Cents
    instrument: str = "value_chip"


class DealCards(_Command, frozen=True, tag="deal"):
    """Deal the next `number` cards face down; whoever knows them names the `cards`, and records seal them.

    Where a dealer takes the rest out of a shoe and deals on by hand, `hand` says which.
    """

    number: int = 1
    cards: tuple[Card, ...] = ()
    hand: Literal["left", "right"] | None = None

    def __repr__(self) -> str:
        return f"DealCards(number={self.number}, {len(self.cards)} named)"  # they go face down

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [("number", self.number), ("named", len(self.cards))]


class Look(_Command, frozen=True, tag="look"):
    """A player looks at the cards of a box."""

    seat: int


class Reveal(_Command, frozen=True, tag="reveal"):
    """Turn up what is next; the `cards` are named where they are not known yet."""

    slot: Slot
    seat: int = 0
    cards: tuple[Card, ...] = ()


class Decide(_Command, frozen=True, tag="decide"):
    """A player decides in turn, if they like with a `gesture`."""

    seat: int
    choice: str
    amount: Cents | None = None
    gesture: Gesture | None = None


_OWN: Final = tuple(
    one
    for one in globals().values()
    if isinstance(one, type) and issubclass(one, _Command) and not one.__name__.startswith("_")
)
_AS_IN_A_ROUND: Final = tuple(
    one
    for one in get_args(actions.Action)
    if one.__struct_config__.tag not in {own.__struct_config__.tag for own in _OWN}
)
Command: TypeAlias = Struct
"""One of `COMMANDS`."""
COMMANDS: Final[dict[Duty, type[Struct]]] = {
    one.__struct_config__.tag: one
    for name in get_args(Duty)
    for one in (*_OWN, *_AS_IN_A_ROUND)
    if one.__struct_config__.tag == name
}
"""Every command by its name, in the order of an evening."""
WITH_REASON: Final[frozenset[Duty]] = frozenset(
    {"suspend_table", "order_recut", "reject_award", "find_conduct", "correct_card", "reverse_settlement"}
)
"""Commands by which somebody says why."""
