"""A table as a value: its people, players, chips, decks, devices, meters, awards, and a round or none."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import RuleViolation
from croupier.games import Round
from croupier.games.offers import refuse
from croupier.money import Cents, MeterUnits
from croupier.progressive import Meter, house_meters
from croupier.rulebook import HouseRules, Submission, submission_text
from croupier.rulebook.names import Attested, OutOfUse, WagerName
from croupier.rulebook.schema import Cited, Irregularity
from croupier.rulebook.schema import Duty as DutyRow
from croupier.table.accounts import Books, balance, chips
from croupier.table.commands import Device
from croupier.table.events import Entry, TableCreated
from croupier.table.people import Person

__all__ = [
    "Award",
    "Deck",
    "Proposal",
    "Stage",
    "Table",
    "changed_submission",
    "chips_of",
    "cite",
    "cited_duty",
    "creation",
    "deck_in_play",
    "deck_named",
    "deny",
    "devices_of",
    "duty_of",
    "first_to_arrive",
    "irregularity_row",
    "is_dealt",
    "is_out",
    "is_void",
    "new_table",
    "out_of_use",
    "patron_at",
    "seats_of",
    "stream_of",
    "with_deck",
]

Stage: TypeAlias = Literal[
    "received", "inspected", "verified", "spread", "offered", "turned_down", "washed", "stacked", "shuffled", "cut",
    "loaded", "in_play", "used", "condemned",
]  # fmt: skip
"""How far a deck has come."""


class Deck(Struct, frozen=True, kw_only=True):
    """A deck at the table."""

    id: str
    back: str
    design: str = ""
    stage: Stage
    face_up: bool = False
    shuffled_by: str = ""
    """How it was shuffled last: a method, or `preshuffled`."""
    depth: int = 0
    """How deep it was cut."""
    ordered: bool = False
    """A floorperson has directed that it be shuffled again."""
    jammed: bool = False
    """The shuffler failed with it: it is shuffled again."""
    inspected_by: str = ""
    placed: datetime | None = None
    """When it came into play first."""
    hours: int = 0
    """How long it may stay from then on: the least of the methods it was dealt by (reading 126)."""
    uncounted: int = 0
    """Deals since its stub was counted."""
    commitment: str = ""
    why: str = ""
    """What condemned it."""
    condemned: tuple[str, int | None] = ("", None)
    """The clause and the reading by which it was."""

    @property
    def until(self) -> datetime | None:
        """When its hours are over, once it is in play (reading 126)."""
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
    """Rules that wait for a second person."""

    submission: Submission
    house: HouseRules
    approval: str
    by: str


class Table(Struct, frozen=True, kw_only=True):
    """A table at one moment."""

    id: str
    seq: int
    """The number of the last entry in its record."""
    submission: Submission
    house: HouseRules
    status: Literal["closed", "open", "idle"] = "closed"
    suspended: str = ""
    """The role that suspended it, if any."""
    gaming_day: date | None = None
    clock: datetime | None = None
    dealer: str = ""
    floor: tuple[str, ...] = ()
    attested: tuple[Attested, ...] = ()
    counted_by: str = ""
    """Who counted the tray last, until something moves."""
    counted: Cents | None = None
    verified: bool = False
    seats: tuple[tuple[int, str], ...] = ()
    arrived: tuple[str, ...] = ()
    """The seated players, the one who has been seated longest first."""
    books: Books = ()
    in_tray: tuple[WagerName, ...] = ()
    """Wagers of this round whose chips were put in the tray before the deal."""
    decks: tuple[Deck, ...] = ()
    last_deck: str = ""
    hand: Literal["left", "right"] | None = None
    """The dealer's hand that took the cards of this round."""
    retired: tuple[str, ...] = ()
    """Decks that have left the table: they do not come back."""
    uncounted: int = 0
    round: Round | None = None
    before: Round | None = None
    """The round that was closed last."""
    rounds: int = 0
    """Rounds of this gaming day."""
    played: int = 0
    """Rounds since the table was created: the last one's number."""
    rebuilt: tuple[int, tuple[int, ...]] | None = None
    """Of which round a floorperson has had the hands rebuilt last, and of which seats."""
    stub: Literal["none", "out", "right", "wrong", "racked"] = "none"
    stub_counted: int | None = None
    out_of_use: tuple[tuple[Device, str, OutOfUse], ...] = ()
    """Devices that are covered, marked or removed: which, of which kind, and how."""
    failed: tuple[Device, ...] = ()
    meters: tuple[Meter, ...] = ()
    reserve: MeterUnits = MeterUnits(0)
    awards: tuple[Award, ...] = ()
    asked_at: datetime | None = None
    """Since when the decision that is awaited has been."""
    examined: tuple[int, ...] = ()
    """The seats of this round whose players have examined their cards."""
    empty_since: datetime | None = None
    idle_due: bool = False
    entropy: tuple[tuple[str, str], ...] = ()
    """What players have added to the shuffle of this round."""
    sealed: tuple[str, tuple[str, ...], int] | None = None
    """Commitment, entropy and cut of the closed round, until its seed is revealed."""
    proposal: Proposal | None = None


def new_table(submission: Submission, house: HouseRules, *, id: str = "1") -> Table:  # noqa: A002 - a table's id
    """A closed table with nothing on it; `creation` is the first entry of its record.

    >>> from croupier.rulebook import check, read_submission
    >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
    >>> new_table(submission, check(submission).rules()).status
    'closed'
    """
    return Table(id=id, seq=1, submission=submission, house=house, meters=house_meters(house))


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
            meters=tuple((meter.name, meter.units) for meter in table.meters),
            **cite(cited_duty(house, "open_table")),
        ),
    )


def stream_of(table: Table) -> str:
    """The stream of a table's record."""
    return f"table/{table.id}"


# --- what a table is like


def duty_of(house: HouseRules, name: str) -> DutyRow | None:
    """Who may give a command here, by which clause; None if the document does not know it."""
    book = house.rulebook
    duties = _DUTIES.get(book.hash)
    if duties is None:
        duties = _DUTIES[book.hash] = {duty.do: duty for duty in book.procedure.duty}
    return duties.get(name)


_DUTIES: Final[dict[str, dict[str, DutyRow]]] = {}
"""Each rulebook's commands by name: they are asked for at every step."""


_CITED: Final[dict[tuple[str, str, str], Cited]] = {}


def cited_duty(house: HouseRules, name: str) -> Cited:
    """The clause of a command in the chapter of this house's way to deal."""
    key = (house.rulebook.hash, house.deal, name)
    cited = _CITED.get(key)
    if cited is None:
        duty = duty_of(house, name)
        if duty is None:
            raise ValueError(f"{name} is unknown to {house.rulebook.id}")
        found = duty.on(house.deal)
        cited = _CITED[key] = Cited(clause=found.clause, reading=found.reading or duty.reading)
    return cited


def deny(table: Table, code: str, duty: str, message: str, *, reading: int | None = None) -> RuleViolation:
    """A refusal by the clause of a command: the one that was given, or the one that is due."""
    return refuse(code, cited_duty(table.house, duty), message, reading=reading)


def cite(cited: Cited) -> dict[str, Any]:
    """The fields by which an event names its clause."""
    return {"clause": cited.clause, "reading": cited.reading}


def deck_named(table: Table, name: str) -> Deck | None:
    """A deck at the table."""
    return next((deck for deck in table.decks if deck.id == name), None)


def deck_in_play(table: Table) -> Deck | None:
    """The deck that is loaded or being dealt."""
    return next((deck for deck in table.decks if deck.stage in {"loaded", "in_play"}), None)


def with_deck(table: Table, name: str, **changes: object) -> tuple[Deck, ...]:
    """The decks with one of them changed."""
    return tuple(replace(deck, **changes) if deck.id == name else deck for deck in table.decks)


def patron_at(table: Table, seat: int) -> str:
    """Who sits at a seat, or nobody."""
    return dict(table.seats).get(seat, "")


def seats_of(table: Table, patron: str) -> tuple[int, ...]:
    """Where a player sits."""
    return tuple(seat for seat, name in table.seats if name == patron)


def first_to_arrive(table: Table) -> str:
    """The player who has been seated longest, or nobody."""
    return table.arrived[0] if table.arrived else ""


def chips_of(table: Table, patron: str) -> Cents:
    """The chips that a player has at this table, beside those that are bet."""
    return balance(table.books, chips(patron))


def devices_of(house: HouseRules) -> dict[Device, str]:
    """The devices that a house deals with, and what kind each is."""
    found: dict[Device, str] = {}
    if house.shuffle != "manual":
        found["shuffler"] = house.shuffle
    if house.deal == "automated_shoe":
        found["shoe"] = house.deal
    return found


def is_out(table: Table, device: Device) -> bool:
    """Whether a device that this house would use is out of use."""
    kind = devices_of(table.house).get(device)
    return any((name, what) == (device, kind) for name, what, _ in table.out_of_use)


def out_of_use(table: Table, device: Device, how: OutOfUse | None = None) -> Cited:
    """The rule for a device that is not to be used, by the way in which it was put out of use."""
    row = irregularity_row(table, "device_unusable")
    if how is None:
        kind = devices_of(table.house).get(device)
        how = next((way for name, what, way in table.out_of_use if (name, what) == (device, kind)), None)
    clauses = (row.clause, *row.also)
    place = row.attest.index(how) if how in row.attest else 0
    return Cited(clause=clauses[min(place, len(clauses) - 1)], reading=row.reading)


def changed_submission(table: Table, shuffle: str, deal: str, decks: int) -> Submission:
    """The submission with another method; a deck's hours as far as the new way to deal allows (reading 126)."""
    said = table.submission.cards.deck_hours
    rule = next((one for one in table.house.rulebook.table.deck_hours if deal in one.deal), None)
    if said is not None and rule is not None and rule.hours is not None:
        said = min(said, rule.hours)
    cards = replace(table.submission.cards, shuffle=shuffle, deal=deal, decks=decks, deck_hours=said)
    return replace(table.submission, cards=cards)


def irregularity_row(table: Table, event: str) -> Irregularity:
    """What the document says about an irregularity that befalls no round."""
    return next(one for one in table.house.rulebook.irregularities.irregularity if one.event == event)


def is_dealt(round_: Round) -> bool:
    """Whether every card of the round has been dealt."""
    return 0 < len(round_.cards.plan.places) == round_.cards.dealt


def is_void(round_: Round) -> bool:
    """Whether the whole round is void."""
    return round_.desk.void == "round"
