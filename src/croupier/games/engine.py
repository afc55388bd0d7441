"""The one door to a round: what it awaits, what it allows, and what an action does.

>>> from croupier.rulebook import check, read_submission
>>> from croupier.games import actions
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> state = open_round(house)
>>> state, events = apply(state, actions.PlaceWager(seat=1, wager="ante", amount=1000))
>>> str(awaiting(state))
'wagers, until no more bets are taken'
>>> apply(state, actions.Decide(seat=1, choice="fold"))
Traceback (most recent call last):
croupier.errors.RuleViolation: no decision is asked for now
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import DECK
from croupier.errors import RuleViolation
from croupier.games import actions, playing, reversing, rulings, take_and_pay, wagering
from croupier.games.actions import Action
from croupier.games.events import Event
from croupier.games.evolve import EVOLVE
from croupier.games.offers import Offer
from croupier.games.round import Faces, Round, open_round, patron_of
from croupier.rulebook.names import Act, Decision, Slot

__all__ = ["Awaiting", "apply", "awaiting", "legal_actions", "open_round"]

Kind: TypeAlias = Literal[
    "wagers", "act", "cards", "decision", "reveal", "identity", "meter", "ruling", "settlement", "close", "nothing"
]


_ACTS: Final[dict[Act, str]] = {
    "announce": "announce that no more bets are taken",
    "lock_progressive": "lock the progressive",
    "collect_progressive": "collect the progressive chips",
    "count_progressive": "count the progressive chips",
    "progressive_to_tray": "put the progressive chips in the tray",
    "collect_five_card": "collect the Five Card Bonus chips",
    "place_lammers": "place a lammer for each Five Card Bonus",
    "count_five_card": "count the Five Card Bonus chips against the lammers",
    "five_card_to_tray": "put the Five Card Bonus chips in the tray",
}


class Awaiting(Struct, frozen=True):
    """What a round needs next."""

    kind: Kind
    seat: int = 0
    act: Act | None = None
    decision: Decision | None = None
    slot: Slot | None = None
    places: tuple[int, ...] = ()
    meter: str = ""
    what: str = ""

    def __str__(self) -> str:
        match self.kind:
            case "wagers":
                return "wagers, until no more bets are taken"
            case "act":
                return f"the dealer to {_ACTS[self.act or 'announce']}"
            case "cards":
                return f"{len(self.places)} cards to be dealt"
            case "decision":
                return f"seat {self.seat} to decide on {(self.decision or '').replace('_', ' ')}"
            case "reveal":
                whose = f" of seat {self.seat}" if self.seat else ""
                return f"the dealer to turn up the {(self.slot or '').replace('_', ' ')} cards{whose}"
            case "identity":
                return f"which cards lie at {', '.join(map(str, self.places))}"
            case "meter":
                return f"the {self.meter} meter"
            case "ruling":
                return f"a floorperson to reduce the raise of seat {self.seat}"
            case "settlement":
                return "envy to be paid" if self.what == "envy" else f"seat {self.seat} to be settled"
            case "close":
                return "the round to be closed"
        return "nothing: the round is over"


def awaiting(state: Round) -> Awaiting:
    """What the round needs next; rulings and card identities may come at other moments too."""
    state = take_and_pay.past_envy(state)
    at = state.at
    if state.faces.turning and at.kind in playing.WITH_CARDS:
        return Awaiting("identity", places=state.faces.turning)
    match at.kind:
        case "wagers":
            return Awaiting("wagers")
        case "act" | "announce":
            return Awaiting("act", act=at.act.act if at.act else "announce")
        case "deal":
            return Awaiting("cards", places=tuple(range(state.cards.dealt, len(state.cards.plan.places))))
        case "decide":
            return Awaiting(
                "decision", seat=state.boxes[state.turn].seat, decision=at.choice.decision if at.choice else None
            )
        case "reveal":
            return Awaiting("reveal", slot=at.reveal.slot if at.reveal else None)
        case "close":
            return Awaiting("close")
    turn = take_and_pay.next_turn(state)
    if turn is None:
        return Awaiting("nothing")
    match turn.needs:
        case "reveal":
            return Awaiting("reveal", slot="player", seat=int(turn.of))
        case "meter":
            return Awaiting("meter", seat=turn.seat, meter=str(turn.of))
        case "raise":
            return Awaiting("ruling", seat=turn.seat)
    return Awaiting("settlement", seat=turn.seat, what=turn.what)


def legal_actions(state: Round) -> tuple[Offer, ...]:
    """Exactly what `apply` accepts."""
    state = take_and_pay.past_envy(state)
    return (*wagering.offers(state), *playing.offers(state), *take_and_pay.offers(state), *rulings.offers(state))


def apply(state: Round, action: Action) -> tuple[Round, tuple[Event, ...]]:
    """The round after an action, and what happened; a `RuleViolation` refuses it and changes nothing."""
    kind, stage, faces = type(action), state.at.kind, state.faces
    said: Action = action
    if kind is actions.Decide:
        blind = stage == "decide" and action.choice != "raise"  # type: ignore[union-attr]
        if blind and (name := action.patron):  # type: ignore[union-attr]
            blind = name == patron_of(state, state.boxes[state.turn])
            said = actions.Decide(action.seat, action.choice, action.amount)  # type: ignore[union-attr]
    elif kind is actions.Reveal:
        blind = stage == "reveal" and not faces.turning and None not in faces.known
    elif kind is actions.PlaceWager:
        blind = stage == "wagers" and not faces.patrons and not action.patron  # type: ignore[union-attr]
    else:
        blind = kind in _ALWAYS_BLIND and stage != "settle"
    if not blind:
        return _work_out(state, action, state)
    # The same move from the same position leads to the same position, whichever cards lie there and whoever plays:
    # it is worked out with neither, once for a house.
    moves = state.rules.memo.moves
    key = (said, state.at.index, state.turn, state.boxes, state.cards, state.desk)
    found = moves.get(key)
    if found is None:
        found = moves.keep(key, _work_out_blind(state, said))
    at, turn, boxes, cards, desk, laid_out, events = found
    if laid_out is not None:
        faces = laid_out.but(patrons=faces.patrons) if faces.patrons else laid_out
    return Round(state.rules, at, turn, boxes, cards, desk, faces), events


def _work_out_blind(state: Round, action: Action) -> tuple[Any, ...]:
    told = _ANY if type(action) is actions.Reveal else None
    blind = Faces((told,) * len(state.faces.known))
    after, events = _work_out(replace(state, faces=blind), action, state)
    laid_out = after.faces if after.faces is not blind else None
    return after.at, after.turn, after.boxes, after.cards, after.desk, laid_out, events


def _work_out(state: Round, action: Action, seen: Round) -> tuple[Round, tuple[Event, ...]]:
    try:
        here = state if state.turn != len(state.boxes) else take_and_pay.past_envy(state)
        events = tuple(_MOVES[type(action)](here, action))
    except RuleViolation as violation:
        violation.allowed = legal_actions(seen)
        raise
    for event in events:
        state = EVOLVE[type(event)](state, event)
    return state, events


def _reveal(state: Round, action: actions.Reveal) -> list[Event]:
    """A player's hand is turned up at its turn of settlement, everything else where the document says."""
    return take_and_pay.turn_up(state, action) if action.slot == "player" else playing.reveal(state, action)


_ANY: Final = DECK[0]
"""Some card, where a move looks only at whether a card was told."""
_MOVES: Final[dict[type, Callable[[Round, Any], list[Event]]]] = {
    actions.PlaceWager: wagering.place_wager,
    actions.TakeBack: wagering.take_back,
    actions.PlaceCoupon: wagering.place_coupon,
    actions.TakeBackCoupon: wagering.take_back_coupon,
    actions.RegisterWager: wagering.register,
    actions.Perform: wagering.perform,
    actions.CancelWager: wagering.cancel_wager,
    actions.Deal: playing.deal,
    actions.SetAside: rulings.set_aside,
    actions.IdentifyCards: playing.tell,
    actions.CorrectCard: rulings.correct_card,
    actions.Look: playing.look,
    actions.Reveal: _reveal,
    actions.Decide: playing.decide,
    actions.DeclareUndecided: playing.declare_undecided,
    actions.ReadMeter: take_and_pay.tell_meter,
    actions.Settle: take_and_pay.settle,
    actions.Close: take_and_pay.close,
    actions.Rule: rulings.rule,
    actions.FindConduct: rulings.find_conduct,
    actions.Leave: rulings.leave,
    actions.ReduceRaise: take_and_pay.reduce_raise,
    actions.ReverseSettlement: reversing.reverse_settlement,
}
_ALWAYS_BLIND: Final = frozenset({actions.Perform, actions.Deal, actions.RegisterWager})
"""Moves that are the same whichever cards lie on the table and whoever plays."""
