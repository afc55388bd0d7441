"""What people and devices may ask of a round, each by an imperative name. `apply` takes one at a time.

>>> decode_action('{"do": "decide", "seat": 3, "choice": "fold"}')
Decide(seat=3, choice='fold', amount=None, patron='', gesture=None)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from croupier.cards import Card
from croupier.games.codec import reader
from croupier.money import Cents
from croupier.rulebook.names import Act, Gesture, Irregularity, Slot, WagerName

__all__ = [
    "ACTIONS",
    "Action",
    "CancelWager",
    "Close",
    "CorrectCard",
    "Deal",
    "Decide",
    "DeclareUndecided",
    "FindConduct",
    "IdentifyCards",
    "Leave",
    "Look",
    "Perform",
    "PlaceCoupon",
    "PlaceWager",
    "ReadMeter",
    "ReduceRaise",
    "RegisterWager",
    "Reveal",
    "ReverseSettlement",
    "Rule",
    "SetAside",
    "Settle",
    "SharedMove",
    "TakeBack",
    "TakeBackCoupon",
    "decode_action",
]


class _Action(Struct, frozen=True, gc=False, cache_hash=True, tag_field="do", forbid_unknown_fields=True):
    """Anything that may be asked of a round."""


# --- before the deal


class PlaceWager(_Action, frozen=True, gc=False, cache_hash=True, tag="place_wager"):
    """Place a wager: the first at a seat opens its box, and the first of all begins a round."""

    seat: int
    wager: WagerName
    amount: Cents
    patron: str = ""
    """Whose box it is. Boxes of one name are one player's; a box without a name is its seat's own: `seat 3`."""
    instrument: str = "value_chip"


class TakeBack(_Action, frozen=True, gc=False, cache_hash=True, tag="take_back"):
    """A player takes a stake back before bets are closed."""

    seat: int
    wager: WagerName


class PlaceCoupon(_Action, frozen=True, gc=False, cache_hash=True, tag="place_coupon"):
    """A player places a match play coupon beside the main wager."""

    seat: int
    value: Cents


class TakeBackCoupon(_Action, frozen=True, gc=False, cache_hash=True, tag="take_back_coupon"):
    """A player takes the coupon back before bets are closed."""

    seat: int


class RegisterWager(_Action, frozen=True, gc=False, cache_hash=True, tag="register"):
    """The device at a seat registers the progressive wager: its light goes on."""

    seat: int


class Perform(_Action, frozen=True, gc=False, cache_hash=True, tag="perform"):
    """The dealer performs an act of the procedure; a count names the number of chips counted."""

    act: Act
    chips: int | None = None


class CancelWager(_Action, frozen=True, gc=False, cache_hash=True, tag="cancel_wager"):
    """A floorperson or above cancels a registered wager whose chip is missing."""

    seat: int
    wager: WagerName


# --- cards


class Deal(_Action, frozen=True, gc=False, cache_hash=True, tag="deal"):
    """The dealer deals the next cards face down to their places, in the document's order."""

    number: int = 1


class SetAside(_Action, frozen=True, gc=False, cache_hash=True, tag="set_aside"):
    """The dealer sets aside a card found face up, or drawn in error and seen; the next card takes its place."""

    irregularity: Literal["one_card_face_up", "card_drawn_seen"]
    card: Card | None = None


class IdentifyCards(_Action, frozen=True, gc=False, cache_hash=True, tag="tell"):
    """Identify the card at this place and the ones after it, in dealing order."""

    place: int
    cards: tuple[Card, ...]


class CorrectCard(_Action, frozen=True, gc=False, cache_hash=True, tag="correct_card"):
    """An officer corrects a misidentified card."""

    place: int
    card: Card


class Look(_Action, frozen=True, gc=False, cache_hash=True, tag="look"):
    """A player looks at the cards of a box."""

    seat: int
    patron: str = ""


class Reveal(_Action, frozen=True, gc=False, cache_hash=True, tag="reveal"):
    """The dealer turns up the next cards of the board, the box, the dealer's hand, or a player's hand."""

    slot: Slot
    seat: int = 0


# --- decisions


class Decide(_Action, frozen=True, gc=False, cache_hash=True, tag="decide"):
    """Decide in turn, by a `gesture` where the table records one."""

    seat: int
    choice: str
    amount: Cents | None = None
    patron: str = ""
    gesture: Gesture | None = None


class DeclareUndecided(_Action, frozen=True, gc=False, cache_hash=True, tag="declare_undecided"):
    """A floorperson declares that no decision was given (reading 76)."""

    seat: int


# --- settlement


class ReadMeter(_Action, frozen=True, gc=False, cache_hash=True, tag="tell_meter"):
    """The meter's owner says what it shows at this winner's turn."""

    meter: str
    shown: Cents


class Settle(_Action, frozen=True, gc=False, cache_hash=True, tag="settle"):
    """The dealer settles what is next: a hand, all envy, or the last wagers of a seat."""

    what: Literal["hand", "envy", "last"]
    seat: int = 0


class Close(_Action, frozen=True, gc=False, cache_hash=True, tag="close"):
    """The dealer closes the round."""


# --- officers' rulings


class Rule(_Action, frozen=True, gc=False, cache_hash=True, tag="rule"):
    """A floorperson rules on an irregularity; the document says what it voids."""

    irregularity: Irregularity
    seat: int = 0


class FindConduct(_Action, frozen=True, gc=False, cache_hash=True, tag="find_conduct"):
    """A floorperson finds that a player broke a rule of conduct."""

    seat: int
    rule: str


class Leave(_Action, frozen=True, gc=False, cache_hash=True, tag="leave"):
    """A player has left; a floorperson says whether the hand is abandoned or played on."""

    seat: int
    how: Literal["abandon", "play_on"]


class ReduceRaise(_Action, frozen=True, gc=False, cache_hash=True, tag="reduce_raise"):
    """A floorperson reduces a raise that the hand does not allow."""

    seat: int
    amount: Cents


class ReverseSettlement(_Action, frozen=True, gc=False, cache_hash=True, tag="reverse_settlement"):
    """An officer reverses what was settled last (reading 147)."""


SharedMove: TypeAlias = (
    PlaceWager
    | TakeBack
    | PlaceCoupon
    | TakeBackCoupon
    | RegisterWager
    | Perform
    | CancelWager
    | SetAside
    | IdentifyCards
    | CorrectCard
    | Look
    | Decide
    | DeclareUndecided
    | ReadMeter
    | Settle
    | Close
    | Rule
    | FindConduct
    | Leave
    | ReduceRaise
    | ReverseSettlement
)
"""The moves that a round and a table take alike."""
Action: TypeAlias = SharedMove | Deal | Reveal
ACTIONS: Final[dict[str, type[Struct]]] = {kind.__struct_config__.tag: kind for kind in get_args(Action)}
"""Every action by its name."""


def decode_action(text: str | bytes) -> Action:
    """Read an action from JSON; `Malformed` says what cannot be read."""
    return _read(text)


_read: Final[Callable[[str | bytes], Action]] = reader(Action)  # type: ignore[arg-type]
