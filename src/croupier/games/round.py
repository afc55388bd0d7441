"""A round as a value, and what can be seen on it.

The cards of a round lie at numbered places in the order of dealing; a place is filled face down, and which
card lies there may be told at once, when it is turned up, or never.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, NoReturn, TypeAlias

from msgspec import Struct

from croupier.cards import Card
from croupier.games.dealing import DealPlan
from croupier.games.payouts import Showdown
from croupier.games.results import CouponSettled, EnvyPaid, Hand, Out, SeatSettled, Settled, TableCards, WagerSettled
from croupier.games.rules import Memo, Rules, Stage, lay_out_rules, rules_of
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Decision, Irregularity, WagerName
from croupier.rulebook.schema import Cited

__all__ = [
    "Box",
    "DealtCards",
    "Faces",
    "Proceedings",
    "Round",
    "box_at",
    "boxes_of",
    "hand_of",
    "is_known",
    "layout_of",
    "open_round",
    "open_wagers",
    "own_places",
    "patron_of",
    "plays",
    "put_out_by",
    "result",
    "shown_of",
    "voided_by",
]

Void: TypeAlias = Literal["nothing", "box_wagers", "hand", "main_wagers", "round"]
_NO_PLAN: Final = DealPlan((), {}, {}, {})


class Box(Struct, frozen=True, gc=False, cache_hash=True):
    """One betting position and all that lies on it."""

    seat: int
    player: int
    """Whose it is: boxes of one player have one number. Names are no part of a position: see `patron_of`."""
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
    """Its player has left and it is played on without decisions."""
    over_raise: Cents = Cents(0)
    """What a raise was before it was cut down, if it was."""
    flawed: bool = False
    """It was dealt a wrong number of cards."""
    rejected: bool = False
    """Its progressive award was not validated."""

    def stake(self, wager: WagerName) -> Cents | None:
        """What lies on a wager, if anything."""
        for name, amount in self.staked:
            if name == wager:
                return amount
        return None


class DealtCards(Struct, frozen=True, gc=False, cache_hash=True):
    """Where the cards of a round lie, whichever they are."""

    plan: DealPlan = _NO_PLAN
    dealt: int = 0
    up: frozenset[int] = frozenset()
    rack: tuple[int, ...] = ()
    """The places whose cards went to the rack, the first first."""


class Faces:
    """Which cards they are, as far as that has been told, and who plays: what a position does not say.

    A round may be printed, copied to text or stored anywhere, its hidden cards nowhere: this is no struct, and it
    refuses to be pickled or copied, so that no general writer finds its way in.
    """

    __slots__ = ("aside", "known", "patrons", "salts", "turning")

    def __init__(
        self,
        known: tuple[Card | None, ...] = (),
        turning: tuple[int, ...] = (),
        aside: tuple[Card | None, ...] = (),
        salts: tuple[bytes, ...] = (),
        patrons: tuple[tuple[int, str], ...] = (),
    ) -> None:
        self.known: Final = known
        """By place."""
        self.turning: Final = turning
        """Places that were turned up and whose cards have not been told yet."""
        self.aside: Final = aside
        self.salts: Final = salts
        """By place, what opens the commitment to a card; empty where no record was sealed."""
        self.patrons: Final = patrons
        """The players who gave a name."""

    def but(self, **changes: Any) -> Faces:  # noqa: ANN401 - any of the fields above
        """The same, but for these changes."""
        return Faces(**{name: getattr(self, name) for name in _FACES} | changes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Faces) and all(getattr(self, name) == getattr(other, name) for name in _FACES)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in _FACES))

    def __repr__(self) -> str:
        return f"<Faces: {len(self.known) - self.known.count(None)} told>"

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")

    def __getstate__(self) -> NoReturn:
        raise TypeError("hidden cards cannot be copied or stored")


_FACES: Final = ("known", "turning", "aside", "salts", "patrons")


class Proceedings(Struct, frozen=True, gc=False, cache_hash=True):
    """What the dealer and the floor keep beside the cards and the chips."""

    lammers: int | None = None
    meters: tuple[tuple[str, Cents], ...] = ()
    """What meters were said to show at this turn."""
    raised: tuple[tuple[str, int], ...] = ()
    """What this round has added to each meter and to the reserve, in 1/10,000 cent."""
    turns: tuple[tuple[Literal["hand", "envy", "last"], int], ...] = ()
    """What has been settled in turn, so that it can be turned back in reverse order."""
    ruled: tuple[Irregularity, ...] = ()
    void: Void = "nothing"


class Round(Struct, frozen=True, gc=False):
    """A round at one moment."""

    rules: Rules
    at: Stage
    turn: int
    """Whose turn it is: in decisions an index of `boxes`, in settlement a count from the dealer's right."""
    boxes: tuple[Box, ...]
    """From the dealer's left."""
    cards: DealtCards
    desk: Proceedings
    faces: Faces

    @property
    def is_closed(self) -> bool:
        """Whether the round is over."""
        return self.at.kind == "closed"


_NO_CARDS: Final = DealtCards()
_EMPTY_DESK: Final = Proceedings()
_NO_FACES: Final = Faces()


def open_round(house: HouseRules, *, memo: Memo | None = None) -> Round:
    """A round in which nothing has happened yet; `memo` in place of what the rounds of this house share.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-high-card-flush"})).rules()
    >>> open_round(house).at.kind
    'wagers'
    """
    rules = rules_of(house) if memo is None else lay_out_rules(house, memo)
    return Round(rules, rules.stages[0], 0, (), _NO_CARDS, _EMPTY_DESK, _NO_FACES)


# --- what a round is like


def box_at(state: Round, seat: int) -> Box | None:
    """The box at a seat."""
    for box in state.boxes:
        if box.seat == seat:
            return box
    return None


def open_wagers(box: Box) -> list[WagerName]:
    """The wagers of a box that are not settled yet."""
    if not box.results:
        return [name for name, _ in box.staked]
    if len(box.results) == len(box.staked):
        return []
    done = {one.wager for one in box.results}
    return [name for name, _ in box.staked if name not in done]


def patron_of(state: Round, box: Box) -> str:
    """Who plays a box; a player without a name is known by the seat, such as `seat 3`."""
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
    """Whether all these cards have been told."""
    known = state.faces.known
    return None not in [known[place] for place in places]


def _cards_at(state: Round, places: Iterable[int]) -> tuple[Card, ...]:
    if not places:
        return ()
    known = state.faces.known
    return tuple([card for place in places if (card := known[place]) is not None])


def voided_by(state: Round) -> Cited | None:
    """What made the whole round void, if it is: the clause of every refusal that follows from that (reading 196)."""
    return _ruled_by(state, state.desk.void) if state.desk.void in {"main_wagers", "round"} else None


def put_out_by(state: Round, box: Box) -> Cited | None:
    """What put a hand out of the round, if anything did but its own fold."""
    book = state.rules.house.rulebook
    match box.out:
        case "void":
            return _ruled_by(state, "hand")
        case "conduct":
            return next((one.penalty for one in book.play.conduct if one.penalty is not None), None)
        case "left":
            return book.wagers.leaving
    return None


def _ruled_by(state: Round, void: Void) -> Cited | None:
    """The first ruling of this round that voided so much."""
    house = state.rules.house
    rows = {row.event: row for row in house.rulebook.irregularities.irregularity}
    for row in [rows[name] for name in state.desk.ruled]:
        other = row.instead
        if (other.void if other is not None and house.options.named(other.option) == other.value else row.void) == void:
            cited = row.on(house.deal)
            return Cited(clause=cited.clause, reading=cited.reading or row.reading)
    return None


def hand_of(state: Round, box: Box) -> Hand:
    """A box as settlement looks at it."""
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


def shown_of(state: Round) -> TableCards:
    """The cards of the board, the box and the dealer, as far as they are known."""
    slots = state.cards.plan.slots
    box, dealer = slots["six_card_box"], slots["dealer"]
    return TableCards(
        community=_cards_at(state, slots["community"]),
        six_card_box=_cards_at(state, box) if box else (),
        dealer=_cards_at(state, dealer) if dealer else (),
    )


def layout_of(state: Round) -> Showdown:
    """All that settlement looks at."""
    return Showdown(state.rules, [hand_of(state, box) for box in state.boxes], shown_of(state))


def result(state: Round) -> Settled:
    """What the round has paid so far, as `settle_round` would say it; the meters belong to someone else."""
    order = {name: place for place, name in enumerate((*state.rules.order, *state.rules.last))}
    return Settled(
        seats=tuple(
            SeatSettled(
                seat=box.seat,
                wagers=tuple(sorted(box.results, key=lambda one: order[one.wager])),
                envy=box.envy,
                coupon=box.coupon_result,
            )
            for box in reversed(state.boxes)
        )
    )
