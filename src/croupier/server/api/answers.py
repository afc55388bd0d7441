"""What the API answers with, as types: they are what /openapi.json says, and a test holds every answer against them."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from croupier.ledger import HouseRole

__all__ = [
    "Money",
    "ToldAccount",
    "ToldCommand",
    "ToldDemo",
    "ToldHouseTable",
    "ToldLimits",
    "ToldListed",
    "ToldNew",
    "ToldOffer",
    "ToldPassword",
    "ToldPerson",
    "ToldProof",
    "ToldRecovery",
    "ToldRevoked",
    "ToldRound",
    "ToldSecret",
    "ToldSession",
    "ToldStatus",
    "ToldStory",
    "ToldSubmission",
    "ToldTable",
    "ToldToken",
]

Money: TypeAlias = Annotated[str, Meta(pattern=r"^-?[0-9]+\.[0-9]{2}$", description="dollars")]
Cards: TypeAlias = Annotated[
    str, Meta(pattern=r"^(([2-9TJQKA][cdhs]|\?\?)( |$))*$", description="cards; ?? is one that may not be seen")
]


class ToldStatus(Struct, forbid_unknown_fields=True):
    """How it stands."""

    status: str
    tables: int | UnsetType = UNSET
    troubled: list[str] | UnsetType = UNSET
    """What does not go on by itself now."""


class PersonInSession(Struct, forbid_unknown_fields=True):
    """Somebody whom the house knows."""

    id: str
    name: str
    roles: list[HouseRole]


class ToldSession(Struct, forbid_unknown_fields=True):
    """Who is signed in, and the token that every changing request carries."""

    person: PersonInSession
    csrf: str
    password_until: str | UnsetType = UNSET
    """Until when a password works that somebody else handed out, unless it is changed."""


class ToldRecovery(Struct, forbid_unknown_fields=True):
    """The same, with the recovery codes of a new second factor."""

    person: PersonInSession
    csrf: str
    recovery: list[str]


class ToldDemo(Struct, forbid_unknown_fields=True):
    """A name and a password of a demo; null where somebody has changed it."""

    name: str
    password: str | None
    roles: list[HouseRole]


# --- people


class ToldLimits(Struct, forbid_unknown_fields=True):
    """What a player may lose or play, as it holds now."""

    loss_day: Money | None
    loss_week: Money | None
    loss_month: Money | None
    minutes_day: int | None


class ToldPerson(Struct, forbid_unknown_fields=True):
    """An account."""

    id: str
    name: str
    roles: list[HouseRole]
    suspended: bool
    second_factor: bool
    excluded_until: str | None
    limits: ToldLimits | UnsetType = UNSET


class ToldNew(Struct, forbid_unknown_fields=True):
    """A new account; whoever signed up is signed in."""

    person: dict[str, Any]
    csrf: str | UnsetType = UNSET


class ToldPassword(Struct, forbid_unknown_fields=True):
    """A random password, to be handed over once; or the session after one's own was changed."""

    password: str | UnsetType = UNSET
    person: PersonInSession | UnsetType = UNSET
    csrf: str | UnsetType = UNSET


class ToldSecret(Struct, forbid_unknown_fields=True):
    """A second factor that holds once its first code was given."""

    offer: str
    uri: str


class ToldAccount(Struct, forbid_unknown_fields=True):
    """What a patron has at the cage."""

    patron: str
    balance: Money
    entry: int | UnsetType = UNSET
    """The number of the entry of the cage that was just made: what a reversal names."""


# --- the house


class ToldSubmission(Struct, forbid_unknown_fields=True):
    """A version of a submission."""

    name: str
    version: int
    rulebook: str
    hash: str
    status: str
    drafted_by: str
    judged_by: str | None
    note: str | None
    text: str | UnsetType = UNSET


class ToldChange(Struct, forbid_unknown_fields=True):
    """Rules that are proposed for a table."""

    submission: str
    version: int
    by: str


class ToldHouse(Struct, forbid_unknown_fields=True):
    """The house: its time zone, and when its gaming day begins."""

    demo: bool
    time_zone: str
    day_start: str


class ToldHouseTable(Struct, forbid_unknown_fields=True):
    """A table as the house keeps it."""

    id: str
    submission: str
    version: int
    kind: str
    dealer: str
    pace: int
    status: str
    proposed: ToldChange | None


class ToldToken(Struct, forbid_unknown_fields=True):
    """A token, shown this once."""

    id: str
    token: str
    expires: str


class ToldTokenHeld(Struct, forbid_unknown_fields=True):
    """What a device may do with its token."""

    id: str
    device: str
    scope: list[str]
    tables: list[str]
    """None: every table."""
    expires: str
    revoked: bool


class ToldRevoked(Struct, forbid_unknown_fields=True):
    """A token that was taken back."""

    token: str
    status: str


# --- tables


class LimitsOfWager(Struct, forbid_unknown_fields=True):
    """What may be bet on a wager."""

    minimum: Money
    maximum: Money
    step: Money


class ToldListed(Struct, forbid_unknown_fields=True):
    """A table, as a passerby sees it."""

    id: str
    rulebook: str
    operator: str
    status: str
    seats: int
    open_seats: list[int]
    limits: dict[str, LimitsOfWager]
    meters: dict[str, Money]
    rounds: int
    rules: str
    physical: bool


class ToldOffer(Struct):
    """Something that may be done now: `do`, and beside it what each argument may be."""

    do: str


class ToldChoice(Struct, forbid_unknown_fields=True):
    """One answer to a decision, and what it adds to the bets."""

    choice: str
    least: Money
    most: Money
    step: Money


class ToldAwaited(Struct, forbid_unknown_fields=True):
    """What has to happen next."""

    kind: str
    words: str
    seat: int | None
    patron: str | None
    decision: str | None
    choices: list[ToldChoice]
    act: str | None
    slot: str | None
    meter: str | None
    since: str | None
    deadline: str | None
    clause: str | None
    reading: int | None


class ToldBox(Struct, forbid_unknown_fields=True):
    """A betting position: bets, cards and results."""

    seat: int
    patron: str | None
    own: bool
    bets: dict[str, Money]
    withdrawn: list[str]
    coupon: Money | None
    lit: bool
    folded: bool
    out: str | None
    cards: Cards
    results: list[dict[str, Any]]
    coupon_result: dict[str, Any] | None
    envy: list[dict[str, Any]]


class ToldCards(Struct, forbid_unknown_fields=True):
    """The cards that belong to nobody at a seat."""

    board: Cards
    box: Cards
    dealer: Cards


class ToldLastRound(Struct, forbid_unknown_fields=True):
    """The round that was closed last."""

    number: int
    seats: list[ToldBox]
    cards: ToldCards


class ToldView(Struct, forbid_unknown_fields=True):
    """A table as its viewer may see it; `staff` for the staff and officials alone."""

    status: str
    rulebook: str
    operator: str
    rounds: int
    awaiting: ToldAwaited
    seats: list[ToldBox]
    cards: ToldCards
    meters: dict[str, Money]
    commitment: str | None
    last_round: ToldLastRound | None
    chips: Money | None
    staff: dict[str, Any] | UnsetType = UNSET


class ToldTable(Struct, forbid_unknown_fields=True):
    """A table, and what its viewer may do there now."""

    version: int
    view: ToldView
    allowed: list[ToldOffer]


class WhoDid(Struct, forbid_unknown_fields=True):
    """Who did something, in which role; of the staff, outsiders see the role alone."""

    role: str
    id: str


class ToldEntry(Struct):
    """A line of a table's record, as its viewer may see it: event, time, author, clause, and the event's own fields."""

    event: str
    at: str
    by: WhoDid
    clause: str | None
    reading: int | None


class ToldCommand(Struct, forbid_unknown_fields=True):
    """What a command led to, and the table after it."""

    version: int
    entries: list[ToldEntry]
    view: ToldView


# --- the record


class ToldSeat(Struct, forbid_unknown_fields=True):
    """What was staked and paid at a seat."""

    seat: int
    patron: str
    staked: Money
    paid: Money


class ToldRound(Struct, forbid_unknown_fields=True):
    """A round that was played."""

    id: str
    table: str
    round: int
    opened: str
    closed: str
    rules: str
    void: bool
    hands: list[str]
    clauses: list[str]
    irregularities: list[str]
    seats: list[ToldSeat]


class ToldStory(ToldRound, forbid_unknown_fields=True, kw_only=True):
    """A round with everything that its reader may see of it."""

    story: list[ToldEntry]


class ToldProof(Struct, forbid_unknown_fields=True):
    """The proof of a shuffle, where it is recorded, and whether it holds."""

    table: str
    entry: int
    depth: int | None
    proof: dict[str, Any]
    holds: bool
