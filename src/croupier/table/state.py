"""A table as a value: its people, tray, cards, devices, meters and awards, and a round if one is in play."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.games import Round
from croupier.ids import check_id
from croupier.money import Cents, MeterUnits
from croupier.progressive import Meter, house_meters
from croupier.rulebook import HouseRules, Submission, submission_text
from croupier.rulebook.names import Attested, OutOfUse, WagerName
from croupier.table.accounts import Books, balance, chips
from croupier.table.commands import DealerHand, Device
from croupier.table.duties import cite, cited_duty
from croupier.table.events import Entry, TableCreated
from croupier.table.people import Person

__all__ = [
    "Award",
    "CardsOnTable",
    "Deck",
    "Devices",
    "Fairness",
    "Progressive",
    "Proposal",
    "Stage",
    "Table",
    "TablePeople",
    "Tray",
    "UnrevealedShuffle",
    "chips_of",
    "creation",
    "deck_in_play",
    "deck_named",
    "deck_words",
    "first_to_arrive",
    "is_dealt",
    "is_void",
    "new_table",
    "patron_at",
    "reads_itself",
    "seats_of",
    "stream_of",
]

Stage: TypeAlias = Literal[
    "received", "inspected", "verified", "spread", "offered", "turned_down", "washed", "stacked", "shuffled", "cut",
    "loaded", "in_play", "used", "condemned",
]  # fmt: skip
"""The stages of a deck."""


class Deck(Struct, frozen=True, kw_only=True):
    """A deck at the table."""

    id: str
    back: str
    design: str = ""
    stage: Stage
    face_up: bool = False
    shuffled_by: str = ""
    """How it was last shuffled: a method, or `preshuffled`."""
    depth: int = 0
    """How deep it was cut."""
    ordered: bool = False
    """A floorperson has ordered it shuffled again."""
    jammed: bool = False
    """The shuffler jammed with it: it is shuffled again."""
    inspected_by: str = ""
    placed: datetime | None = None
    """When it first came into play."""
    hours: int = 0
    """How many hours it may stay in play: the minimum over the methods it was dealt by (reading 126)."""
    uncounted: int = 0
    """Deals since its stub was counted."""
    commitment: str = ""
    why: str = ""
    """What condemned it."""
    condemned: tuple[str, int | None] = ("", None)
    """The clause and reading that condemned it."""

    @property
    def until(self) -> datetime | None:
        """When its hours end, once it is in play (reading 126)."""
        return self.placed + timedelta(hours=self.hours) if self.placed is not None else None


class Award(Struct, frozen=True, kw_only=True):
    """A progressive award on its way to the player."""

    seat: int
    patron: str
    amount: Cents
    meter: str
    taken: MeterUnits
    reset: MeterUnits
    handpay: bool
    link: str = ""
    status: Literal["pending", "verified", "validated", "paid", "hand_paid", "rejected"] = "pending"
    verified_by: str = ""


class Proposal(Struct, frozen=True, kw_only=True):
    """Rules that a second person has to confirm."""

    submission: Submission
    house: HouseRules
    approval: str
    by: str


class TablePeople(Struct, frozen=True, kw_only=True):
    """The staff on duty and the seated players."""

    dealer: str = ""
    floor: tuple[str, ...] = ()
    seats: tuple[tuple[int, str], ...] = ()
    """Who sits where, from seat 1."""
    arrived: tuple[str, ...] = ()
    """The seated players, longest seated first."""
    empty_since: datetime | None = None
    """When the table last became empty."""


class Tray(Struct, frozen=True, kw_only=True):
    """The last count of the tray; it is good until chips move."""

    counted: Cents | None = None
    counted_by: str = ""
    verified: bool = False
    collected: tuple[WagerName, ...] = ()
    """Wagers of this round whose chips were collected to the tray before the deal."""


class CardsOnTable(Struct, frozen=True, kw_only=True):
    """The decks, the stub of the one in play, and the hand that deals it."""

    decks: tuple[Deck, ...] = ()
    last_deck: str = ""
    """The deck of the last round."""
    retired: tuple[str, ...] = ()
    """Every deck that has left the table; none may come back."""
    uncounted: int = 0
    """Rounds since a stub was counted."""
    stub: Literal["none", "out", "right", "wrong", "racked"] = "none"
    stub_counted: int | None = None
    hand: DealerHand | None = None
    """The dealer's hand that took the cards of this round."""

    def deck(self, name: str) -> Deck | None:
        """The deck of this name."""
        for deck in self.decks:
            if deck.id == name:
                return deck
        return None

    @property
    def in_play(self) -> Deck | None:
        """The deck that is loaded or being dealt."""
        for deck in self.decks:
            if deck.stage in _IN_PLAY:
                return deck
        return None

    def with_deck(self, name: str, **changes: object) -> tuple[Deck, ...]:
        """The decks with one changed."""
        return tuple([replace(deck, **changes) if deck.id == name else deck for deck in self.decks])


_IN_PLAY: Final = {"loaded", "in_play"}


class Devices(Struct, frozen=True, kw_only=True):
    """Devices that cannot be used."""

    out_of_use: tuple[tuple[Device, str, OutOfUse], ...] = ()
    """Covered, marked or removed: which device, of which kind, and how."""
    failed: tuple[Device, ...] = ()


class Progressive(Struct, frozen=True, kw_only=True):
    """The meters that this table runs, and awards on their way to the players of this round."""

    meters: tuple[Meter, ...] = ()
    reserve: MeterUnits = MeterUnits(0)
    awards: tuple[Award, ...] = ()


class UnrevealedShuffle(Struct, frozen=True):
    """The shuffle of a closed round, until its seed is revealed."""

    commitment: str
    entropy: tuple[str, ...]
    depth: int
    """How deep the deck was cut."""


class Fairness(Struct, frozen=True, kw_only=True):
    """The open proofs that a virtual table owes its players."""

    entropy: tuple[tuple[str, str], ...] = ()
    """What players have added to the shuffle of this round."""
    unrevealed_shuffle: UnrevealedShuffle | None = None


class Table(Struct, frozen=True, kw_only=True):
    """A table at one moment."""

    id: str
    seq: int
    """The number of the last entry in its record."""
    clock: datetime | None = None
    """The time of the last entry."""
    submission: Submission
    house: HouseRules
    proposal: Proposal | None = None
    status: Literal["closed", "open", "idle"] = "closed"
    suspended: str = ""
    """The role that suspended it, if any."""
    idle_due: bool = False
    """The table was idle long enough that the cards must be spread before the next round (reading 128)."""
    gaming_day: date | None = None
    attested: tuple[Attested, ...] = ()
    people: TablePeople = TablePeople()
    tray: Tray = Tray()
    cards: CardsOnTable = CardsOnTable()
    devices: Devices = Devices()
    progressive: Progressive = Progressive()
    fairness: Fairness = Fairness()
    books: Books = ()
    round: Round | None = None
    asked_at: datetime | None = None
    """When the round began waiting for its current step."""
    examined: tuple[int, ...] = ()
    """The seats of this round whose players have examined their cards."""
    last_round: Round | None = None
    """The round that was closed last."""
    rounds: int = 0
    """Rounds of this gaming day."""
    played: int = 0
    """Rounds since the table was created: the last one's number."""
    rebuilt: tuple[int, tuple[int, ...]] | None = None
    """The round whose hands a floorperson last had rebuilt, and their seats."""


def new_table(submission: Submission, house: HouseRules, *, id: str = "1") -> Table:  # noqa: A002 - a table's id
    """A closed table with nothing on it; `creation` is the first entry of its record.

    >>> from croupier.rulebook import check, read_submission
    >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
    >>> new_table(submission, check(submission).rules()).status
    'closed'
    """
    check_id(id, "table")
    return Table(id=id, seq=1, submission=submission, house=house, progressive=Progressive(meters=house_meters(house)))


def creation(table: Table, by: Person, at: datetime) -> Entry:
    """The first entry of the record of a new table."""
    house = table.house
    return Entry(
        stream=stream_of(table),
        seq=1,
        at=at,
        by=by,
        rules=house.hash,
        event=TableCreated(
            table=table.id,
            rulebook=house.rulebook.hash,
            rules=house.hash,
            submission=submission_text(table.submission),
            meters=tuple((meter.name, meter.units) for meter in table.progressive.meters),
            **cite(cited_duty(house, "open_table")),
        ),
    )


def stream_of(table: Table) -> str:
    """The stream of a table's record."""
    return f"table/{table.id}"


# --- what a table is like


def deck_words(name: str) -> str:
    """A deck in a sentence.

    >>> deck_words("A"), deck_words("red deck 1")
    ('deck A', 'red deck 1')
    """
    return name if "deck" in name.casefold() else f"deck {name}"


def deck_named(table: Table, name: str) -> Deck | None:
    """A deck at the table."""
    return table.cards.deck(name)


def deck_in_play(table: Table) -> Deck | None:
    """The deck that is loaded or being dealt."""
    return table.cards.in_play


def patron_at(table: Table, seat: int) -> str:
    """Who sits at a seat, or nobody."""
    return dict(table.people.seats).get(seat, "")


def seats_of(table: Table, patron: str) -> tuple[int, ...]:
    """Where a player sits."""
    return tuple(seat for seat, name in table.people.seats if name == patron)


def first_to_arrive(table: Table) -> str:
    """The player who has been seated longest, or nobody."""
    return table.people.arrived[0] if table.people.arrived else ""


def chips_of(table: Table, patron: str) -> Cents:
    """A player's chips at this table, not counting bets."""
    return balance(table.books, chips(patron))


def reads_itself(table: Table, meter: str) -> bool:
    """Whether this is a meter of the table itself: nobody tells it."""
    return any(own.name == meter for own in table.progressive.meters)


def is_dealt(round_: Round) -> bool:
    """Whether every card of the round has been dealt."""
    return 0 < len(round_.cards.plan.places) == round_.cards.dealt


def is_void(round_: Round) -> bool:
    """Whether the whole round is void."""
    return round_.proceedings.void == "round"
