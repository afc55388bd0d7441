"""What happened in a round: in the past tense, each name with its version, as JSON. Events alone rebuild a round.

Money is in cents, meters in 1/10,000 cent.

>>> text = encode_event(CardSetAside("one_card_face_up", Card("Ah"), "13.A", 132))
>>> text
b'{"event":"card_set_aside/1","irregularity":"one_card_face_up","card":"Ah","clause":"13.A","reading":132}'
>>> decode_event(text).card
Card('Ah')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.games.codec import reader, write
from croupier.games.results import CouponSettled, EnvyPaid, WagerSettled
from croupier.money import Cents, MeterUnits
from croupier.rulebook.names import Act, Decision, Irregularity, Slot, WagerName

__all__ = [
    "ActPerformed",
    "CardCorrected",
    "CardSetAside",
    "CardsDealt",
    "CardsIdentified",
    "CardsRacked",
    "CardsRevealed",
    "CardsViewed",
    "ConductFound",
    "CountMismatched",
    "CouponPlaced",
    "CouponTakenBack",
    "DecisionMade",
    "EnvySettled",
    "Event",
    "HandAnnounced",
    "HandLeftExposed",
    "HandRemoved",
    "HandSettled",
    "IrregularityRuled",
    "MeterRaised",
    "MeterRead",
    "PlayerLeft",
    "RaiseReduced",
    "RaiseRestored",
    "Recorded",
    "RoundClosed",
    "SettlementReversed",
    "WagerPlaced",
    "WagerRegistered",
    "WagerReturned",
    "WagerTakenBack",
    "decode_event",
    "encode_event",
]


class _Event(Struct, frozen=True, gc=False, tag_field="event", forbid_unknown_fields=True):
    """Anything that happened in a round."""


class WagerPlaced(_Event, frozen=True, gc=False, tag="wager_placed/1"):
    """A stake was placed on the layout or in the device."""

    seat: int
    patron: str
    wager: WagerName
    amount: Cents
    instrument: str
    clause: str = ""
    reading: int | None = None


class WagerTakenBack(_Event, frozen=True, gc=False, tag="wager_taken_back/1"):
    """A player took back a stake before bets were closed; `changed` when another amount replaces it."""

    seat: int
    wager: WagerName
    amount: Cents
    changed: bool = False
    clause: str = ""
    reading: int | None = None


class CouponPlaced(_Event, frozen=True, gc=False, tag="coupon_placed/1"):
    """A match play coupon was placed beside the main wager; it has no cash value."""

    seat: int
    value: Cents
    clause: str = ""
    reading: int | None = None


class CouponTakenBack(_Event, frozen=True, gc=False, tag="coupon_taken_back/1"):
    """A player took the coupon back."""

    seat: int
    clause: str = ""
    reading: int | None = None


class WagerRegistered(_Event, frozen=True, gc=False, tag="wager_registered/1"):
    """The device registered the wager."""

    seat: int
    wager: WagerName
    clause: str = ""
    reading: int | None = None


class WagerReturned(_Event, frozen=True, gc=False, tag="wager_returned/1"):
    """A stake that does not count as a bet was returned to its player (reading 26)."""

    seat: int
    wager: WagerName
    amount: Cents
    clause: str
    reading: int | None


class ActPerformed(_Event, frozen=True, gc=False, tag="act_performed/1"):
    """An act of the procedure was performed; `number` is how many were counted or placed."""

    act: Act
    number: int | None
    clause: str
    reading: int | None


class CountMismatched(_Event, frozen=True, gc=False, tag="count_mismatched/1"):
    """The chips counted did not match the bets."""

    act: Act
    counted: int
    expected: int
    clause: str
    reading: int | None


class MeterRaised(_Event, frozen=True, gc=False, tag="meter_raised/1"):
    """What this round's stakes add to a meter or to the reserve; a negative amount is a correction (reading 20)."""

    meter: str
    units: MeterUnits
    clause: str
    link: str = ""
    """The link between tables that the meter belongs to, if any."""


class CardsDealt(_Event, frozen=True, gc=False, tag="cards_dealt/1"):
    """The next cards were dealt face down to their places."""

    number: int
    clause: str = ""
    reading: int | None = None


class CardSetAside(_Event, frozen=True, gc=False, tag="card_set_aside/1"):
    """A card went to the rack instead of its place."""

    irregularity: Irregularity
    card: Card | None
    clause: str
    reading: int | None


class CardsIdentified(_Event, frozen=True, gc=False, tag="cards_identified/1"):
    """The cards at these places were identified; a table's record seals them, each with a salt."""

    place: int
    cards: tuple[Card, ...]
    salts: tuple[bytes, ...] = ()


class CardCorrected(_Event, frozen=True, gc=False, tag="card_corrected/1"):
    """A misidentified card was corrected."""

    place: int
    was: Card
    card: Card
    salt: bytes = b""
    clause: str = ""
    reading: int | None = None


class CardsViewed(_Event, frozen=True, gc=False, tag="cards_viewed/1"):
    """A player looked at the cards."""

    seat: int
    clause: str = ""
    reading: int | None = None


class CardsRevealed(_Event, frozen=True, gc=False, tag="cards_revealed/1"):
    """Cards were turned up."""

    slot: Slot
    seat: int
    places: tuple[int, ...]
    clause: str


class DecisionMade(_Event, frozen=True, gc=False, tag="decision_made/1"):
    """A player decided; `declared` when a floorperson gave the decision."""

    seat: int
    decision: Decision
    choice: str
    amount: Cents
    declared: bool
    clause: str


class HandAnnounced(_Event, frozen=True, gc=False, tag="hand_announced/1"):
    """The dealer evaluated a hand at its turn and announced it."""

    seat: int
    hand: str
    """What the cards make, as `hand_code` writes it."""
    clause: str


class HandLeftExposed(_Event, frozen=True, gc=False, tag="hand_left_exposed/1"):
    """The best hand so far stays face up for a wager that comes last."""

    seat: int
    clause: str
    reading: int | None


class HandSettled(_Event, frozen=True, gc=False, tag="hand_settled/1"):
    """Wagers of a box were settled: at their turn, or immediately by a fold, a withdrawal, a finding or a ruling."""

    what: Literal["hand", "last", "immediate"]
    seat: int
    wagers: tuple[WagerSettled, ...]
    coupon: CouponSettled | None = None


class EnvySettled(_Event, frozen=True, gc=False, tag="envy_settled/1"):
    """Envy was paid to the whole table, in settlement order."""

    paid: tuple[tuple[int, tuple[EnvyPaid, ...]], ...]


class SettlementReversed(_Event, frozen=True, gc=False, tag="settlement_reversed/1"):
    """Settled wagers are open again; what was paid or collected was reversed.

    An `immediate` reversal takes back part of what was settled and leaves the order of turns as it is.
    """

    what: Literal["hand", "last", "immediate", "envy"]
    seat: int
    wagers: tuple[WagerSettled, ...]
    coupon: CouponSettled | None
    envy: tuple[tuple[int, tuple[EnvyPaid, ...]], ...] = ()
    clause: str = ""
    reading: int | None = None


class MeterRead(_Event, frozen=True, gc=False, tag="meter_read/1"):
    """The meter was read at this turn."""

    meter: str
    shown: Cents
    clause: str = ""
    reading: int | None = None


class CardsRacked(_Event, frozen=True, gc=False, tag="cards_racked/1"):
    """Cards went to the rack, in this order."""

    places: tuple[int, ...]
    clause: str
    reading: int | None = None


class IrregularityRuled(_Event, frozen=True, gc=False, tag="irregularity_ruled/1"):
    """An officer ruled on an irregularity; `void` is the scope of the ruling."""

    irregularity: Irregularity
    seat: int
    void: Literal["nothing", "box_wagers", "hand", "main_wagers", "round"]
    cards: str
    clause: str
    reading: int | None


class ConductFound(_Event, frozen=True, gc=False, tag="conduct_found/1"):
    """A rule of conduct was broken; without a penalty it is only recorded (reading 85)."""

    seat: int
    rule: str
    forfeits: bool
    clause: str
    reading: int | None


class PlayerLeft(_Event, frozen=True, gc=False, tag="player_left/1"):
    """A player left; `how` is what a floorperson decided about the hand."""

    seat: int
    how: Literal["abandon", "play_on"]
    clause: str
    reading: int | None


class HandRemoved(_Event, frozen=True, gc=False, tag="hand_removed/1"):
    """A hand was taken out of the round."""

    seat: int
    out: Literal["conduct", "left", "void"]
    clause: str = ""
    reading: int | None = None


class RaiseReduced(_Event, frozen=True, gc=False, tag="raise_reduced/1"):
    """A raise above the limit of its hand was reduced; the excess went back to the player (reading 73)."""

    seat: int
    wager: WagerName
    was: Cents
    amount: Cents
    clause: str
    reading: int | None


class RaiseRestored(_Event, frozen=True, gc=False, tag="raise_restored/1"):
    """A reduced raise was restored in full, since the settlement that reduced it was reversed."""

    seat: int
    wager: WagerName
    was: Cents
    amount: Cents
    clause: str = ""
    reading: int | None = None


class RoundClosed(_Event, frozen=True, gc=False, tag="round_closed/1"):
    """The round was closed, with the totals staked and paid."""

    staked: Cents
    paid: Cents
    clause: str = ""
    reading: int | None = None


Recorded: TypeAlias = (
    WagerPlaced
    | WagerTakenBack
    | CouponPlaced
    | CouponTakenBack
    | WagerRegistered
    | WagerReturned
    | ActPerformed
    | CountMismatched
    | MeterRaised
    | CardsDealt
    | CardSetAside
    | CardCorrected
    | CardsViewed
    | CardsRevealed
    | DecisionMade
    | HandAnnounced
    | HandLeftExposed
    | HandSettled
    | EnvySettled
    | SettlementReversed
    | MeterRead
    | CardsRacked
    | IrregularityRuled
    | ConductFound
    | PlayerLeft
    | HandRemoved
    | RaiseReduced
    | RaiseRestored
    | RoundClosed
)
"""What a table records of a round."""
Event: TypeAlias = Recorded | CardsIdentified
"""Everything that happens in a round; a table seals which cards lie face down."""


def encode_event(event: Event) -> bytes:
    """Write an event as a line of JSON."""
    return write(event)


def decode_event(text: str | bytes) -> Event:
    """Read an event from a line of JSON."""
    return _read(text)


_read: Final[Callable[[str | bytes], Event]] = reader(Event)  # type: ignore[arg-type]
