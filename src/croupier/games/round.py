"""A round as a value, and the questions it answers.

The cards of a round lie at numbered places in dealing order. A card goes to its place face down and may be
identified at once, when it is turned up, or never.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, NoReturn, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.games.dealing import DealPlan
from croupier.games.payouts import Showdown
from croupier.games.results import CouponSettled, EnvyPaid, Hand, Out, SeatSettled, Settled, TableCards, WagerSettled
from croupier.games.rules import Memo, Rules, SettlementPart, Stage, StageKind, lay_out_rules, rules_of
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Decision, Irregularity, WagerName
from croupier.rulebook.schema import Cited

__all__ = [
    "ALL_VOID",
    "IN_A_ROUND",
    "Box",
    "DealtCards",
    "Faces",
    "Proceedings",
    "Round",
    "box_at",
    "boxes_of",
    "hand_of",
    "is_known",
    "open_round",
    "open_wagers",
    "own_places",
    "patron_of",
    "plays",
    "put_out_by",
    "result",
    "showdown_of",
    "table_cards_of",
    "voided_by",
]

Void: TypeAlias = Literal["nothing", "box_wagers", "hand", "main_wagers", "round"]
IN_A_ROUND: Final[set[StageKind]] = {"deal", "decide", "announce", "reveal", "settle", "close"}
"""Stages at which officers may rule."""
ALL_VOID: Final = {"main_wagers", "round"}
"""Scopes of a ruling that leave no hand."""
_NO_PLAN: Final = DealPlan((), {}, {}, {})


class Box(Struct, frozen=True, gc=False, cache_hash=True):
    """One betting position and everything on it."""

    seat: int
    player: int
    """Whose box it is: all boxes of one player have the same number. Names are kept apart: see `patron_of`."""
    staked: tuple[tuple[WagerName, Cents], ...]
    results: tuple[WagerSettled, ...] = ()
    folded_on: Decision | None = None
    withdrawn: tuple[WagerName, ...] = ()
    out: Out = ""
    registered: bool = False
    coupon: Cents = Cents(0)
    coupon_result: CouponSettled | None = None
    envy: tuple[EnvyPaid, ...] = ()
    absent: bool = False
    """Its player has left, and the hand is played on without decisions."""
    over_raise: Cents = Cents(0)
    """The raise before it was reduced, if it was."""
    flawed: bool = False
    """It was dealt the wrong number of cards."""
    rejected: bool = False
    """Its progressive award was not validated."""

    @property
    def main(self) -> Cents:
        """The main wager: it opens the box, so it is the first stake."""
        return self.staked[0][1]

    def stake(self, wager: WagerName) -> Cents | None:
        """The stake on a wager, if there is one."""
        for name, amount in self.staked:
            if name == wager:
                return amount
        return None


class DealtCards(Struct, frozen=True, gc=False, cache_hash=True):
    """Where the cards of a round lie, whatever they are."""

    plan: DealPlan = _NO_PLAN
    dealt: int = 0
    up: frozenset[int] = frozenset()
    rack: tuple[int, ...] = ()
    """The places whose cards went to the rack, in that order."""


class Faces:
    """The identified cards and the names of the players: what a position leaves out.

    A round may be printed or stored anywhere; its hidden cards may not. So this is not a struct, and it refuses to be
    pickled or copied: no general-purpose writer can reach the cards.
    """

    __slots__ = ("aside", "awaiting_identity", "known", "patrons", "salts")

    def __init__(
        self,
        known: tuple[Card | None, ...] = (),
        awaiting_identity: tuple[int, ...] = (),
        aside: tuple[Card | None, ...] = (),
        salts: tuple[bytes, ...] = (),
        patrons: tuple[tuple[int, str], ...] = (),
    ) -> None:
        self.known: Final = known
        """The cards by place."""
        self.awaiting_identity: Final = awaiting_identity
        """Places that were turned up and whose cards are not identified yet."""
        self.aside: Final = aside
        self.salts: Final = salts
        """By place, the salt that opens the commitment to a card; empty where nothing was sealed."""
        self.patrons: Final = patrons
        """The players who gave a name."""

    def but(self, **changes: Any) -> Faces:  # noqa: ANN401 - any of the fields above
        """A copy with these changes."""
        return Faces(**{name: getattr(self, name) for name in _FACES} | changes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Faces) and all(getattr(self, name) == getattr(other, name) for name in _FACES)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _FACES))

    def __repr__(self) -> str:
        return f"<Faces: {len(self.known) - self.known.count(None)} known>"

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")

    def __getstate__(self) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")


_FACES: Final = ("known", "awaiting_identity", "aside", "salts", "patrons")


class Proceedings(Struct, frozen=True, gc=False, cache_hash=True):
    """What a round keeps besides its cards and chips: lammers, meters, settled turns, rulings."""

    lammers: int | None = None
    meters: tuple[tuple[str, Cents], ...] = ()
    """The meters read for this turn."""
    raised: tuple[tuple[str, int], ...] = ()
    """What this round has added to each meter and to the reserve, in 1/10,000 cent."""
    turns: tuple[tuple[SettlementPart, int], ...] = ()
    """What has been settled, in order, so that it can be reversed last first."""
    ruled: tuple[Irregularity, ...] = ()
    void: Void = "nothing"


class Round(Struct, frozen=True, gc=False):
    """A round at one moment."""

    rules: Rules
    at: Stage
    turn: int
    """How many boxes have had their turn at this stage: from the dealer's left, in settlement from the right."""
    boxes: tuple[Box, ...]
    """From the dealer's left."""
    cards: DealtCards
    proceedings: Proceedings
    faces: Faces

    @property
    def box(self) -> Box:
        """The box whose turn it is."""
        return self.boxes[-1 - self.turn if self.at.kind == "settle" else self.turn]

    @property
    def is_closed(self) -> bool:
        """Whether the round is over."""
        return self.at.kind == "closed"

    def __repr__(self) -> str:
        seats = ", ".join(str(box.seat) for box in self.boxes) or "none"
        return f"<Round of {self.rules.house.rulebook.id}: {self.at.kind}; seats {seats}>"


_NO_CARDS: Final = DealtCards()
_NO_PROCEEDINGS: Final = Proceedings()
_NO_FACES: Final = Faces()


def open_round(house: HouseRules, *, memo: Memo | None = None) -> Round:
    """Open a round; `memo` replaces the cache that the rounds of this house share.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-high-card-flush"})).rules()
    >>> open_round(house).at.kind
    'wagers'
    """
    rules = rules_of(house) if memo is None else lay_out_rules(house, memo)
    return Round(rules, rules.stages[0], 0, (), _NO_CARDS, _NO_PROCEEDINGS, _NO_FACES)


# --- questions


def box_at(state: Round, seat: int) -> Box | None:
    """The box at a seat."""
    for box in state.boxes:
        if box.seat == seat:
            return box
    return None


def open_wagers(box: Box) -> list[WagerName]:
    """The wagers of a box that are not settled."""
    if not box.results:
        return [name for name, _ in box.staked]
    if len(box.results) == len(box.staked):
        return []
    settled = {wager.wager for wager in box.results}
    return [name for name, _ in box.staked if name not in settled]


def patron_of(state: Round, box: Box) -> str:
    """The player of a box; a player who gave no name goes by the seat, such as `seat 3`."""
    for player, name in state.faces.patrons:
        if player == box.player:
            return name
    return f"seat {box.player}"


def boxes_of(state: Round, patron: str) -> list[Box]:
    """The boxes of a player."""
    for player, name in state.faces.patrons:
        if name == patron:
            return [box for box in state.boxes if box.player == player]
    named = {player for player, _ in state.faces.patrons}
    return [box for box in state.boxes if box.player not in named and patron == f"seat {box.player}"]


def plays(box: Box) -> bool:
    """Whether a box takes part in the decisions."""
    return box.folded_on is None and not box.out


def own_places(state: Round, seat: int) -> tuple[int, ...]:
    """Where the cards of a seat lie."""
    return state.cards.plan.own.get(seat, ())


def is_known(state: Round, places: Iterable[int]) -> bool:
    """Whether all these cards are identified."""
    known = state.faces.known
    return None not in [known[place] for place in places]


def _cards_at(state: Round, places: Iterable[int]) -> tuple[Card, ...]:
    if not places:
        return ()
    known = state.faces.known
    return tuple([card for place in places if (card := known[place]) is not None])


def voided_by(state: Round) -> Cited | None:
    """The ruling that voided the whole round, if any: every refusal that follows cites it (reading 196)."""
    return _ruled_by(state, state.proceedings.void) if state.proceedings.void in ALL_VOID else None


def put_out_by(state: Round, box: Box) -> Cited | None:
    """What took a hand out of the round, other than its own fold, or None."""
    book = state.rules.house.rulebook
    match box.out:
        case "void":
            return _ruled_by(state, "hand")
        case "conduct":
            return next((rule.penalty for rule in book.play.conduct if rule.penalty is not None), None)
        case "left":
            return book.wagers.leaving
    return None


def _ruled_by(state: Round, void: Void) -> Cited | None:
    """The first ruling of this round with this scope."""
    house = state.rules.house
    rows = {row.event: row for row in house.rulebook.irregularities.irregularity}
    for row in [rows[name] for name in state.proceedings.ruled]:
        other = row.instead
        if (other.void if other is not None and house.options.named(other.option) == other.value else row.void) == void:
            cited = row.on(house.deal)
            return Cited(clause=cited.clause, reading=cited.reading or row.reading)
    return None


def hand_of(state: Round, box: Box) -> Hand:
    """A box as settlement sees it."""
    return Hand(
        seat=box.seat,
        patron=patron_of(state, box),
        staked=box.staked,
        cards=_cards_at(state, state.cards.plan.own[box.seat]),
        folded=box.folded_on is not None,
        folded_on=box.folded_on,
        withdrawn=box.withdrawn,
        out=box.out,
        coupon=box.coupon,
        rejected=box.rejected,
    )


def table_cards_of(state: Round) -> TableCards:
    """The known cards of the board, the six-card box and the dealer."""
    slots = state.cards.plan.slots
    box, dealer = slots["six_card_box"], slots["dealer"]
    return TableCards(
        community=_cards_at(state, slots["community"]),
        six_card_box=_cards_at(state, box) if box else (),
        dealer=_cards_at(state, dealer) if dealer else (),
    )


def showdown_of(state: Round) -> Showdown:
    """Everything that settlement needs."""
    return Showdown(state.rules, [hand_of(state, box) for box in state.boxes], table_cards_of(state))


def result(state: Round) -> Settled:
    """What the round has paid so far, as `settle_round` reports it; the meters are not part of a round."""
    order = {name: place for place, name in enumerate((*state.rules.order, *state.rules.last))}
    return Settled(
        seats=tuple(
            SeatSettled(
                seat=box.seat,
                wagers=tuple(sorted(box.results, key=lambda wager: order[wager.wager])),
                envy=box.envy,
                coupon=box.coupon_result,
            )
            for box in reversed(state.boxes)
        )
    )
