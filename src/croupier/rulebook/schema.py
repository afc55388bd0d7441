"""What a rulebook is: the shape of every file under `regulations/`.

Each value stands beside the clause it comes from, and beside the number of the reading where the document
is open. A key that is not here is an error, and so is a value without its clause.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from croupier.rulebook import names

__all__ = [
    "Clause",
    "Envy",
    "EnvyRule",
    "Irregularity",
    "Line",
    "MeterMinimum",
    "OptionRule",
    "PayoutLimit",
    "Paytable",
    "Reading",
    "Rulebook",
    "Source",
    "Step",
    "Term",
    "Wager",
]

Count = Annotated[int, Meta(ge=0, le=52)]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything in a regulation file."""


class Cited(Part, frozen=True, kw_only=True):
    """A value of the law: the clause that says it, further clauses, and the reading taken where it is open."""

    clause: str
    also: tuple[str, ...] = ()
    reading: int | None = None


# --- source.toml, clauses.toml, glossary.toml


class Source(Part, frozen=True, kw_only=True):
    """Which document this is."""

    id: str
    title: str
    document: str
    jurisdiction: str
    regulator: str
    game: names.Game
    edition: str
    status: names.DocumentStatus
    abbreviation: str
    refers_to: tuple[str, ...] = ()


class Clause(Part, frozen=True, kw_only=True):
    """One operative clause in our words; `note` says why, when it has no effect in software."""

    id: str
    kind: names.ClauseKind
    summary: str
    note: str = ""


class Term(Cited, frozen=True, kw_only=True):
    """A defined term, in our words."""

    term: str
    meaning: str


class Glossary(Cited, frozen=True, kw_only=True):
    """glossary.toml."""

    term: tuple[Term, ...]


# --- table.toml


class FewerSeats(Cited, frozen=True, kw_only=True):
    """A smaller limit while a wager is offered."""

    offered: names.WagerName
    maximum: Count


class Seats(Cited, frozen=True, kw_only=True):
    """How many betting positions a table may have."""

    maximum: Annotated[int, Meta(ge=1, le=52)]
    fewer: tuple[FewerSeats, ...] = ()


class Boxes(Cited, frozen=True, kw_only=True):
    """How many boxes one player may take: one, or as many adjacent ones as the submission says."""

    limit: Literal["one", "submission"]


class Decks(Cited, frozen=True, kw_only=True):
    """How many decks and cover cards; a second deck only with a shuffler."""

    standard: Annotated[int, Meta(ge=1, le=8)]
    cover_cards: Count
    second: Cited
    alternate: Cited
    backs_differ: Cited


class DeckHours(Cited, frozen=True, kw_only=True):
    """After how many hours a deck is replaced when dealt this way; without hours the submission must say."""

    deal: tuple[names.Deal, ...]
    hours: Annotated[int, Meta(ge=1, le=24)] | None = None


class Cut(Cited, frozen=True, kw_only=True):
    """How deep a cut must be, and where the cover card goes."""

    depth: Annotated[int, Meta(ge=1, le=26)]
    cover_card: Literal["stays_at_bottom", "to_discard_rack"]


class StubCount(Cited, frozen=True, kw_only=True):
    """The stub is counted at least once in so many rounds when dealt this way, unless a shuffler waives it."""

    deal: names.Deal
    rounds: Annotated[int, Meta(ge=1, le=50)]
    waived_by: tuple[names.Shuffle, ...] = ()


class ShuffleMethod(Cited, frozen=True, kw_only=True):
    """A way to shuffle; `approval` names the reference it needs."""

    method: names.Shuffle
    approval: names.Approval | None = None
    approval_required: bool = False
    loads_shoe: Cited | None = None


class DealMethod(Cited, frozen=True, kw_only=True):
    """A way to deal; some need a shuffler."""

    method: names.Deal
    needs_shuffler: Cited | None = None
    approval: names.Approval | None = None


class Area(Cited, frozen=True, kw_only=True):
    """An area of the layout: how many, where, and with which wager (always, if none is named)."""

    name: str
    place: names.LayoutPlace
    count: Count = 1
    inscription: str = ""
    offered: names.WagerName | None = None


class Notice(Cited, frozen=True, kw_only=True):
    """What layout or sign must tell, in our words."""

    says: str
    offered: names.WagerName | None = None
    sign_instead: bool = True


class Table(Part, frozen=True, kw_only=True):
    """table.toml: seats, cards, devices and layout."""

    layout_approval: Cited | None = None
    seats: Seats
    boxes: Boxes
    decks: Decks
    deck_hours: tuple[DeckHours, ...]
    cut: Cut
    stub_count: tuple[StubCount, ...]
    shuffle: tuple[ShuffleMethod, ...]
    deal: tuple[DealMethod, ...]
    area: tuple[Area, ...] = ()
    notice: tuple[Notice, ...] = ()


# --- wagers.toml


class Requirement(Cited, frozen=True, kw_only=True):
    """A wager that must be placed first; `if_offered` asks for it only where the operator offers it."""

    wager: names.WagerName
    if_offered: bool = False


class DealNeeded(Cited, frozen=True, kw_only=True):
    """A wager that can be offered only with these ways to deal, shuffle and set the device."""

    deal: tuple[names.Deal, ...] = ()
    shuffle: tuple[names.Shuffle, ...] = ()
    cover_all_mode: bool = False
    option: str = ""
    approval: names.Approval | None = None


class Fold(Cited, frozen=True, kw_only=True):
    """What becomes of the wager when its player folds."""

    stake: Literal["forfeit", "live"]
    by_decision: bool = False
    """Whether the clause of the decision on which the player folded takes the stake."""
    option: str = ""
    """The option that decides it, where a reading leaves that to the operator."""


class Wager(Cited, frozen=True, kw_only=True):
    """One wager of the game and its conditions."""

    name: names.WagerName
    offered: Literal["always", "option"]
    stake: names.StakeRule
    limits_key: str = ""
    multiples: tuple[Annotated[int, Meta(ge=1, le=3)], ...] = ()
    requires: tuple[Requirement, ...] = ()
    needs: DealNeeded | None = None
    cards: names.CardsJudged
    evaluator: names.Evaluator
    paytables: names.PaytableGroup
    collected: Cited | None = None
    withdraw: Cited | None = None
    fold: Fold | None = None
    closes: Cited
    suggested_minimum: str | None = None
    """The least stake where the submission says nothing, when it is not the usual one."""
    stake_approval: names.Approval | None = None


class Instruments(Cited, frozen=True, kw_only=True):
    """What a wager may be made with."""

    accepted: tuple[names.Instrument, ...]
    verbal_cash: Cited
    coupon: Cited | None = None


class Wagers(Part, frozen=True, kw_only=True):
    """wagers.toml."""

    instruments: Instruments
    seated: Cited
    leaving: Cited
    wager: tuple[Wager, ...]


# --- paytables.toml


class Line(Part, frozen=True, kw_only=True):
    """A hand and what it pays, as printed."""

    hand: names.HandName
    pays: str
    clause: str = ""
    """The clause that decides this line, where it is not the paytable's."""
    reading: int | None = None


class Paytable(Cited, frozen=True, kw_only=True):
    """One paytable exactly as printed. Cover All has one for each number of players."""

    group: names.PaytableGroup
    id: str
    players: Count | None = None
    stakes: tuple[str, ...] = ()
    stakes_reading: int | None = None
    link: Cited | None = None
    evaluator: names.Evaluator | None = None
    cards: names.CardsJudged | None = None
    line: tuple[Line, ...]


class PaytableChoice(Cited, frozen=True, kw_only=True):
    """The clause by which the operator chooses one paytable of a group."""

    group: names.PaytableGroup


class Envy(Cited, frozen=True, kw_only=True):
    """The envy column of a progressive paytable for one stake."""

    paytable: str
    stake: str
    line: tuple[Line, ...]


class MeterMinimum(Cited, frozen=True, kw_only=True):
    """The least initial and reset amount of a meter; without an amount the submission must still set it."""

    paytable: str
    meter: Literal["main", "mega", "major", "minor"]
    amount: str | None = None
    warn_below: str | None = None


class Rate(Cited, frozen=True, kw_only=True):
    """The submission states the rate of progression."""


class LinkRule(Cited, frozen=True, kw_only=True):
    """What tables on one linked meter must have in common."""

    same: tuple[Literal["paytable", "stake", "decks"], ...]


class Paytables(Part, frozen=True, kw_only=True):
    """paytables.toml."""

    choice: tuple[PaytableChoice, ...] = ()
    paytable: tuple[Paytable, ...]
    envy: tuple[Envy, ...] = ()
    envy_choice: Cited | None = None
    minimum: tuple[MeterMinimum, ...] = ()
    rate: Rate | None = None
    link: LinkRule | None = None


# --- dealing.toml


class Step(Cited, frozen=True, kw_only=True):
    """Cards that go face down to a place; to the players means to each in turn before the next step."""

    to: names.Slot
    cards: Annotated[int, Meta(ge=1, le=7)]
    offered: names.WagerName | None = None


class Script(Cited, frozen=True, kw_only=True):
    """The order of dealing with one device. `passes` repeats the steps; `option` names the choice it needs."""

    deal: names.Deal
    title: str
    passes: Annotated[int, Meta(ge=1, le=7)] = 1
    shuffle: tuple[names.Shuffle, ...] = ()
    option: str = ""
    step: tuple[Step, ...]


class BeforeDeal(Cited, frozen=True, kw_only=True):
    """An act before the first card, for one way to deal; `offered` names the wager that makes it necessary."""

    deal: names.Deal
    act: names.Act
    offered: names.WagerName | None = None


class Announce(Cited, frozen=True, kw_only=True):
    """When the dealer says that no more bets are taken."""

    says: names.Announcement
    before: Literal["deal", "first_reveal", "second_reveal", "third_reveal"]


class Dealing(Part, frozen=True, kw_only=True):
    """dealing.toml."""

    announcement: tuple[Announce, ...]
    before_deal: tuple[BeforeDeal, ...]
    script: tuple[Script, ...]


# --- play.toml


class Choice(Cited, frozen=True, kw_only=True):
    """A decision of each player in turn."""

    decision: names.Decision
    choices: tuple[str, ...]


class Reveal(Cited, frozen=True, kw_only=True):
    """Cards turned up, and after which decision."""

    slot: names.Slot
    number: Count = 1
    after: names.Decision


class RaiseLimit(Cited, frozen=True, kw_only=True):
    """The largest raise, in antes, for a flush of this length."""

    shortest: Annotated[int, Meta(ge=2, le=7)]
    longest: Annotated[int, Meta(ge=2, le=7)]
    times: Annotated[int, Meta(ge=1, le=3)]


class Qualify(Cited, frozen=True, kw_only=True):
    """The least hand with which the dealer plays, and what happens below it."""

    length: Annotated[int, Meta(ge=2, le=7)]
    ranks: tuple[Annotated[int, Meta(ge=2, le=14)], ...]
    below: Literal["ante_paid_raise_returned"]


class Versus(Cited, frozen=True, kw_only=True):
    """A hand against the dealer's: higher wins by this clause, the other cases have their own."""

    below: Cited
    lower: Cited
    equal: Cited


class Settlement(Cited, frozen=True, kw_only=True):
    """Wagers in the order in which one player's are settled; `last` come after every player's."""

    direction: Literal["right_to_left"]
    order: tuple[names.WagerName, ...]
    last: tuple[names.WagerName | Literal["envy"], ...] = ()
    lose: Cited | None = None
    """What collects a losing main wager, where a clause of its own does."""


class PayoutLimit(Cited, frozen=True, kw_only=True):
    """The most that one hand may win on the named wagers."""

    amount: str | None = None
    minimum_bet: Cited | None = None
    wagers: tuple[names.WagerName, ...]
    lower: Literal["approval", "never", "free"]


class EnvyRule(Cited, frozen=True, kw_only=True):
    """Who is paid envy, and for whose hand."""

    folded_holder: bool
    own_hand: Cited
    several: Cited
    stake: Cited


class Conduct(Cited, frozen=True, kw_only=True):
    """A rule of conduct, and what breaking it costs."""

    rule: Literal["own_hand", "touching", "view", "communication", "hands_off"]
    penalty: Cited | None = None


class Handpay(Cited, frozen=True, kw_only=True):
    """A whole meter is never paid from the tray."""


class Play(Part, frozen=True, kw_only=True):
    """play.toml."""

    choice: tuple[Choice, ...]
    reveal: tuple[Reveal, ...]
    raise_limit: tuple[RaiseLimit, ...] = ()
    qualify: Qualify | None = None
    versus: Versus | None = None
    settlement: Settlement
    payout_limit: PayoutLimit
    envy: EnvyRule | None = None
    handpay: Handpay | None = None
    conduct: tuple[Conduct, ...]
    rebuild: Cited


# --- irregularities.toml


class Irregularity(Cited, frozen=True, kw_only=True):
    """What one irregularity voids, refunds, replaces or removes."""

    event: names.Irregularity
    void: Literal["nothing", "hand", "main_wagers", "round"]
    refund: Literal["nothing", "hand", "main_wagers", "all"]
    card: Literal["none", "to_rack", "is_next"] = "none"
    cards: Literal["play_on", "reshuffle", "remove_deck", "reshuffle_device"]
    side_wagers: Literal["void", "settle", "settle_if_complete"] = "void"
    attest: tuple[Literal["covered", "signed", "removed"], ...] = ()


class Irregularities(Part, frozen=True, kw_only=True):
    """irregularities.toml."""

    irregularity: tuple[Irregularity, ...]


# --- readings.toml and options.toml, shared by all rulebooks


class Reading(Part, frozen=True, kw_only=True):
    """A point that the documents leave open, and what Croupier does."""

    number: int
    title: str
    clauses: str
    question: str = ""
    answer: str
    why: str = ""
    option: str


class OptionRule(Part, frozen=True, kw_only=True):
    """An operator's option of a reading: what it is about and which values it may have."""

    name: str
    reading: int
    type: Literal["choice", "choices", "bool", "count", "labels"]
    values: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0
    offered: names.WagerName | None = None
    approval: names.Approval | None = None
    deal: tuple[names.Deal, ...] = ()
    shuffle: tuple[names.Shuffle, ...] = ()
    """The devices with which another value than the default can be chosen."""
    about: str


OptionValue: TypeAlias = bool | int | str | tuple[str, ...] | tuple[tuple[str, str], ...]
"""A labels option is pairs of a name and its label."""


class OptionDefault(Cited, frozen=True, kw_only=True):
    """An option that a rulebook has, and its default there; `values` are those of the rule that it allows."""

    name: str
    default: bool | int | str | tuple[str, ...] | dict[str, str]
    values: tuple[str, ...] = ()
    fixed: bool = False


class Option(Cited, frozen=True, kw_only=True):
    """An option with its rule and this rulebook's default."""

    rule: OptionRule
    default: OptionValue
    fixed: bool


class Rulebook(Struct, frozen=True, kw_only=True):
    """One document, loaded and checked."""

    source: Source
    clauses: tuple[Clause, ...]
    glossary: Glossary
    table: Table
    wagers: Wagers
    paytables: Paytables
    dealing: Dealing
    play: Play
    irregularities: Irregularities
    options: tuple[Option, ...]
    hash: str

    @property
    def id(self) -> str:
        """Such as `md-mississippi-stud`."""
        return self.source.id
