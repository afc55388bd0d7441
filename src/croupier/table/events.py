"""What happened at a table: past tense, a name with its version. What happened in its round stands between, as it is.

A card that lies face down is `Hidden`: the event holds it, so that a table can be rebuilt, and no text shows it.
Money is in cents, meters in 1/10,000 cent. Patrons and staff are ids: names are kept elsewhere.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, TypeAlias

from msgspec import Struct, field

from croupier.cards import Card
from croupier.games import events as round_events
from croupier.money import Cents, MeterUnits
from croupier.rulebook.names import Attested, Gesture, OutOfUse, Slot, WagerName
from croupier.table.commands import Device
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


class TableEvent(Struct, frozen=True, kw_only=True, tag_field="event", forbid_unknown_fields=True):
    """Anything that happened at a table outside its round, and the clause that has it so."""

    clause: str
    reading: int | None = None


# --- people and the table


class TableCreated(TableEvent, frozen=True, kw_only=True, tag="table_created/1"):
    """A table, closed and empty, under these house rules: the first entry of every record."""

    table: str
    rulebook: str
    """The content of the rulebook, by its hash."""
    rules: str
    submission: str
    """The operator's submission, as canonical JSON."""
    meters: tuple[tuple[str, MeterUnits], ...]


class PersonAssigned(TableEvent, frozen=True, kw_only=True, tag="person_assigned/1"):
    """A person is on duty; the dealer before, if any, is relieved."""

    post: Literal["dealer", "floorperson"]
    person: str
    relieved: str = ""


class AttestationMade(TableEvent, frozen=True, kw_only=True, tag="attestation_made/1"):
    """Something is in place."""

    what: Attested
    reference: str


class InventoryCounted(TableEvent, frozen=True, kw_only=True, tag="inventory_counted/1"):
    """The tray was counted; `expected` is what the records say, once the table has opened."""

    amount: Cents
    expected: Cents | None


class InventoryVerified(TableEvent, frozen=True, kw_only=True, tag="inventory_verified/1"):
    """A second person confirmed the count."""

    amount: Cents
    counted_by: str


class TrayFilled(TableEvent, frozen=True, kw_only=True, tag="tray_filled/1"):
    """Chips came from the cage."""

    amount: Cents
    reference: str


class TrayCredited(TableEvent, frozen=True, kw_only=True, tag="tray_credited/1"):
    """Chips went to the cage."""

    amount: Cents
    reference: str


class TableOpened(TableEvent, frozen=True, kw_only=True, tag="table_opened/1"):
    """The table is open under these house rules."""

    gaming_day: date
    rules: str
    tray: Cents


class GamingDayChanged(TableEvent, frozen=True, kw_only=True, tag="gaming_day_changed/1"):
    """Another gaming day began."""

    gaming_day: date


class TableClosed(TableEvent, frozen=True, kw_only=True, tag="table_closed/1"):
    """The table is closed."""

    gaming_day: date
    tray: Cents
    rounds: int


class TableSuspended(TableEvent, frozen=True, kw_only=True, tag="table_suspended/1"):
    """No round begins."""


class TableReleased(TableEvent, frozen=True, kw_only=True, tag="table_released/1"):
    """Rounds may begin again."""


class RulesProposed(TableEvent, frozen=True, kw_only=True, tag="rules_proposed/1"):
    """Another submission was proposed."""

    submission: str
    """As canonical JSON."""
    rules: str
    approval: str


class RulesChanged(TableEvent, frozen=True, kw_only=True, tag="rules_changed/1"):
    """The proposed submission is in force."""

    rules: str
    approval: str
    proposed_by: str
    meters: tuple[tuple[str, MeterUnits], ...]
    """What each meter holds from now on (reading 182)."""


# --- players


class PlayerSat(TableEvent, frozen=True, kw_only=True, tag="player_sat/1"):
    """A player took a seat."""

    seat: int
    patron: str


class PlayerStoodUp(TableEvent, frozen=True, kw_only=True, tag="player_stood_up/1"):
    """A player left with the chips."""

    patron: str
    chips: Cents


class PlayerBoughtIn(TableEvent, frozen=True, kw_only=True, tag="player_bought_in/1"):
    """A player has chips: from the tray for cash, or brought along."""

    patron: str
    amount: Cents
    brought: bool


# --- cards


class DeckReceived(TableEvent, frozen=True, kw_only=True, tag="deck_received/1"):
    """A deck came to the table."""

    deck: str
    back: str
    cover_cards: int
    ready: bool
    """It came inspected and shuffled, so that the opening steps are waived."""
    design: str = ""


class _DeckEvent(TableEvent, frozen=True, kw_only=True):
    deck: str


class DeckInspected(_DeckEvent, frozen=True, kw_only=True, tag="deck_inspected/1"):
    """The dealer found no defect."""


class DeckVerified(_DeckEvent, frozen=True, kw_only=True, tag="deck_verified/1"):
    """A floorperson verified the inspection."""

    inspected_by: str


class DeckSpread(_DeckEvent, frozen=True, kw_only=True, tag="deck_spread/1"):
    """The deck lies spread."""

    face: Literal["up", "down"]


class DeckOffered(_DeckEvent, frozen=True, kw_only=True, tag="deck_offered/1"):
    """A player had the chance to look at the deck."""

    patron: str
    turned_up: bool


class DeckTurnedDown(_DeckEvent, frozen=True, kw_only=True, tag="deck_turned_down/1"):
    """The deck lies face down."""


class DeckWashed(_DeckEvent, frozen=True, kw_only=True, tag="deck_washed/1"):
    """The deck was washed."""


class DeckStacked(_DeckEvent, frozen=True, kw_only=True, tag="deck_stacked/1"):
    """The deck is one stack."""


class DeckShuffled(_DeckEvent, frozen=True, kw_only=True, tag="deck_shuffled/1"):
    """The deck was shuffled; a virtual shuffler has committed itself to a seed."""

    method: str
    counted: int | None
    commitment: str


class ShuffleOrdered(_DeckEvent, frozen=True, kw_only=True, tag="shuffle_ordered/1"):
    """The deck is to be shuffled again."""


class DeckCut(_DeckEvent, frozen=True, kw_only=True, tag="deck_cut/1"):
    """The deck was cut; where the cover card lay and went is the document's."""

    depth: int
    cover_placed: Literal["in_the_deck", "before_the_deck"]
    cover_card: Literal["stays_at_bottom", "to_discard_rack"]
    shallow: bool
    """Fewer than ten cards lay below the cut (reading 123)."""


class RecutOrdered(_DeckEvent, frozen=True, kw_only=True, tag="recut_ordered/1"):
    """The deck is to be cut again."""


class DeckLoaded(_DeckEvent, frozen=True, kw_only=True, tag="deck_loaded/1"):
    """The deck is where it is dealt from."""

    into: str
    hand: Literal["left", "right"] | None
    placed: bool
    """It comes into play for the first time: its hours begin."""


class CardsTakenInHand(TableEvent, frozen=True, kw_only=True, tag="cards_taken_in_hand/1"):
    """The dealer took the rest of the cards out of the device and deals on from this hand."""

    hand: Literal["left", "right"]


class DeckDueSoon(_DeckEvent, frozen=True, kw_only=True, tag="deck_due_soon/1"):
    """The hours of the deck are nearly over."""

    until: datetime


class DeckJammed(_DeckEvent, frozen=True, kw_only=True, tag="deck_jammed/1"):
    """The shuffler failed with this deck: it is shuffled again."""


class DeckCondemned(_DeckEvent, frozen=True, kw_only=True, tag="deck_condemned/1"):
    """The deck must leave the table; a defect that was found is in the words of who found it."""

    cause: Literal["defect", "shuffler_count", "stub_count", "foreign_card"]
    counted: int | None = None
    found: str = ""

    @property
    def why(self) -> str:
        """In words."""
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


class TableWentIdle(TableEvent, frozen=True, kw_only=True, tag="table_went_idle/1"):
    """Nobody plays: shoe and rack are empty and the cards lie spread, unless a device is exempt."""

    face: Literal["down", "up"]
    asked_by: str
    spread: bool


class CardsSealed(TableEvent, frozen=True, kw_only=True, tag="cards_sealed/1"):
    """Which cards lie at these places is known to the table, and to nobody."""

    place: int
    cards: Hidden


class HiddenCardCorrected(TableEvent, frozen=True, kw_only=True, tag="hidden_card_corrected/1"):
    """A card that lies face down was corrected."""

    place: int
    was: Hidden
    card: Hidden


class CardsShown(TableEvent, frozen=True, kw_only=True, tag="cards_shown/1"):
    """Cards that lie face up."""

    slot: Slot
    seat: int
    places: tuple[int, ...]
    cards: tuple[Card, ...]
    salts: tuple[bytes, ...] = ()
    """What opens the commitment to each card."""


class StubCounted(TableEvent, frozen=True, kw_only=True, tag="stub_counted/1"):
    """The stub was counted face down."""

    counted: int
    expected: int


class HoldingsReported(TableEvent, frozen=True, kw_only=True, tag="holdings_reported/1"):
    """How many cards lie where; what that means is ruled at once."""

    seats: tuple[tuple[int, int], ...]
    community: int | None
    six_card_box: int | None
    dealer: int | None
    in_all: int
    misdealt: bool


class StubRacked(TableEvent, frozen=True, kw_only=True, tag="stub_racked/1"):
    """The stub lies in the rack, unseen."""


class CoverAllColumnFixed(TableEvent, frozen=True, kw_only=True, tag="cover_all_column_fixed/1"):
    """The number of hands has fixed what a wager pays in this round."""

    wager: WagerName
    hands: int
    pays: tuple[tuple[str, str], ...]


class CardsExamined(TableEvent, frozen=True, kw_only=True, tag="cards_examined/1"):
    """The players at these seats had examined their cards before the first decision of the round."""

    seats: tuple[int, ...]


class HandsRebuilt(TableEvent, frozen=True, kw_only=True, tag="hands_rebuilt/1"):
    """Hands of a round were rebuilt from the record, as they lie in the rack; who may see them is asked of the view."""

    round: int
    seats: tuple[int, ...]
    """The first to the rack first; then those that still lie on the layout."""
    told: tuple[int, ...]
    """How many cards of each of these hands are known."""
    cards: Hidden
    """Hand after hand, as far as they were ever told."""


class EntropyAdded(TableEvent, frozen=True, kw_only=True, tag="entropy_added/1"):
    """A player added to the next shuffle."""

    patron: str
    entropy: str


class SeedRevealed(TableEvent, frozen=True, kw_only=True, tag="seed_revealed/1"):
    """The seed of a closed round, for everybody to check; `depth` is where the deck was cut, 0 if it was not."""

    generator: str
    commitment: str
    seed: str
    players: tuple[str, ...]
    deck: tuple[Card, ...]
    depth: int


# --- devices


class DeviceTakenOut(TableEvent, frozen=True, kw_only=True, tag="device_taken_out/1"):
    """A device is covered, marked or gone."""

    device: Device
    kind: str
    how: OutOfUse


class DeviceRestored(TableEvent, frozen=True, kw_only=True, tag="device_restored/1"):
    """A device is in order."""

    device: Device


class MethodChanged(TableEvent, frozen=True, kw_only=True, tag="method_changed/1"):
    """Cards are shuffled and dealt in another way, under these house rules."""

    shuffle: str
    deal: str
    decks: int
    rules: str
    submission: str
    """As canonical JSON."""


# --- progressive awards


class AwardPending(TableEvent, frozen=True, kw_only=True, tag="award_pending/1"):
    """An award was won, is taken off its meter and waits for verification; `handpay` is never from the tray."""

    seat: int
    patron: str
    amount: Cents
    meter: str
    percent: int
    """The share of the meter, 0 for a prize of fixed odds."""
    taken: MeterUnits
    """What the award takes off the meter, less what the reset puts back."""
    reset: MeterUnits
    handpay: bool
    link: str = ""
    """The link of several tables that the meter belongs to, if it does."""


class _AwardEvent(TableEvent, frozen=True, kw_only=True):
    seat: int


class AwardVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_verified/1"):
    """The hand wins and the light is lit."""


class AwardNotVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_not_verified/1"):
    """The hand does not win, or the light is off: nothing is paid."""

    hand: bool
    light: bool


class AwardValidated(_AwardEvent, frozen=True, kw_only=True, tag="award_validated/1"):
    """A floorperson validated the award."""

    verified_by: str


class AwardRejected(_AwardEvent, frozen=True, kw_only=True, tag="award_rejected/1"):
    """The award is not paid; the meter has it back."""

    amount: Cents
    meter: str
    units: MeterUnits


class AwardReversed(_AwardEvent, frozen=True, kw_only=True, tag="award_reversed/1"):
    """The settlement that won the award was turned back, and with it whatever was paid; the meter has it back."""

    amount: Cents
    was: str
    meter: str
    units: MeterUnits


class AwardPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_paid/1"):
    """Paid from the tray."""

    patron: str
    amount: Cents


class AwardHandPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_hand_paid/1"):
    """Paid away from the tray, the paperwork is done."""

    patron: str
    amount: Cents
    reference: str


class GestureShown(TableEvent, frozen=True, kw_only=True, tag="gesture_shown/1"):
    """How a player showed a decision."""

    seat: int
    gesture: Gesture


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
"""Everything that a record can hold."""


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a table's record: where it stands, who, when, under which rules, why, what."""

    stream: str
    seq: int
    at: datetime
    by: Person
    rules: str
    """The house rules that judged it, by their hash."""
    round: int = 0
    """The number of the round that it belongs to, if it does."""
    command: str = ""
    """The key of the command that it came of, if one was given."""
    reason: str = ""
    event: Event = field(name="what")

    @property
    def name(self) -> str:
        """The name of the event with its version, such as `deck_cut/1`."""
        return str(self.event.__struct_config__.tag)
