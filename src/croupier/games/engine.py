"""The one door to a round: what it allows, why it refuses, and what an action does.

>>> from croupier.rulebook import check, read_submission
>>> from croupier.games import actions, awaiting, open_round
>>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
>>> state = open_round(house)
>>> state, events = apply(state, actions.PlaceWager(seat=1, wager="ante", amount=1000))
>>> str(awaiting(state))
'wagers, until no more bets are taken'
>>> apply(state, actions.Decide(seat=1, choice="fold"))
Traceback (most recent call last):
croupier.errors.RuleViolation: no decision is due now
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier.cards import DECK
from croupier.errors import RuleViolation
from croupier.games import (
    actions,
    closing_bets,
    conduct,
    corrections,
    irregularities,
    playing,
    take_and_pay,
    wagering,
)
from croupier.games.actions import Action
from croupier.games.dispatch import closed
from croupier.games.events import Event
from croupier.games.evolve import EVOLVE
from croupier.games.offers import Offer
from croupier.games.progress import past_envy
from croupier.games.round import IN_A_ROUND, Faces, Round, patron_of
from croupier.games.rules import StageKind

__all__ = ["apply", "legal_actions", "problem"]


def legal_actions(state: Round) -> tuple[Offer, ...]:
    """Exactly the actions that `apply` accepts: what the stage leaves open, the `problem` of a move is asked."""
    state = past_envy(state)
    return tuple(offer for offers, kinds in _OFFERS if state.at.kind in kinds for offer in offers(state))


def problem(state: Round, action: Action) -> RuleViolation | None:
    """Why `apply` would refuse an action, or None."""
    return _MOVES[type(action)].problem(past_envy(state), action)


def apply(state: Round, action: Action) -> tuple[Round, tuple[Event, ...]]:
    """The round after an action, with what happened; a `RuleViolation` refuses it and changes nothing."""
    stage, faces, unnamed = state.at.kind, state.faces, action
    if type(action) is actions.Decide:
        blind = stage == "decide" and action.choice != "raise"
        if blind and action.patron:
            blind = action.patron == patron_of(state, state.box)
            unnamed = actions.Decide(action.seat, action.choice, action.amount)
    elif type(action) is actions.Reveal:
        blind = stage == "reveal" and not faces.awaiting_identity and None not in faces.known
    elif type(action) is actions.PlaceWager:
        blind = stage == "wagers" and not faces.patrons and not action.patron
    else:
        blind = type(action) in _ALWAYS_BLIND and stage != "settle"
    if not blind:
        return _work_out(state, action, state)
    # The same move from the same position gives the same result, whatever the cards and whoever plays:
    # it is worked out once per house, without either.
    moves = state.rules.memo.moves
    key = (unnamed, state.at.index, state.turn, state.boxes, state.cards, state.proceedings)
    outcome = moves.get(key)
    if outcome is None:
        outcome = moves.keep(key, _work_out_blind(state, unnamed))
    at, turn, boxes, cards, proceedings, new_faces, events = outcome
    if new_faces is not None:
        faces = new_faces.but(patrons=faces.patrons) if faces.patrons else new_faces
    return Round(state.rules, at, turn, boxes, cards, proceedings, faces), events


def _work_out_blind(state: Round, action: Action) -> tuple[Any, ...]:
    card = _ANY if type(action) is actions.Reveal else None
    blind = Faces((card,) * len(state.faces.known))
    after, events = _work_out(replace(state, faces=blind), action, state)
    new_faces = after.faces if after.faces is not blind else None
    return after.at, after.turn, after.boxes, after.cards, after.proceedings, new_faces, events


def _work_out(state: Round, action: Action, seen: Round) -> tuple[Round, tuple[Event, ...]]:
    here = state if state.at.settles != "envy" else past_envy(state)
    find_problem, list_events = _MOVES[type(action)]
    violation = find_problem(here, action)
    if violation is not None:
        violation.allow_instead(partial(legal_actions, seen))
        raise violation
    events = tuple(list_events(here, action))
    for event in events:
        state = EVOLVE[type(event)](state, event)
    return state, events


class _Move(NamedTuple):
    """One kind of action: the check that may refuse it, and what it does when allowed."""

    problem: Callable[[Round, Any], RuleViolation | None]
    events: Callable[[Round, Any], list[Event]]


def _reveal_problem(state: Round, action: actions.Reveal) -> RuleViolation | None:
    """A player's hand is turned up at its turn of settlement, everything else where the document says."""
    to_problem = take_and_pay.turn_up_problem if action.slot == "player" else playing.reveal_problem
    return to_problem(state, action)


def _reveal(state: Round, action: actions.Reveal) -> list[Event]:
    return take_and_pay.turn_up(state, action) if action.slot == "player" else playing.reveal(state, action)


_ANY: Final = DECK[0]
"""Any card, where a move asks only whether a card is known."""
_ALWAYS_BLIND: Final = frozenset({actions.Perform, actions.Deal, actions.RegisterWager})
"""Moves that do not depend on the cards or the player."""
_OFFERS: Final[tuple[tuple[Callable[[Round], Iterator[Offer]], Collection[StageKind]], ...]] = (
    (wagering.offers, {"wagers"}),
    (closing_bets.offers, {"wagers", "act", "announce"}),
    (playing.offers, playing.WITH_CARDS),
    (take_and_pay.offers, {"settle", "close"}),
    (irregularities.offers, IN_A_ROUND),
    (corrections.offers, IN_A_ROUND),
    (conduct.offers, IN_A_ROUND),
)
"""The offers of each kind, and the stages at which they can occur."""
_KINDS: Final[dict[type, _Move]] = {
    actions.PlaceWager: _Move(wagering.place_problem, wagering.place_wager),
    actions.TakeBack: _Move(wagering.take_back_problem, wagering.take_back),
    actions.PlaceCoupon: _Move(wagering.place_coupon_problem, wagering.place_coupon),
    actions.TakeBackCoupon: _Move(wagering.take_back_coupon_problem, wagering.take_back_coupon),
    actions.RegisterWager: _Move(wagering.register_problem, wagering.register),
    actions.Perform: _Move(closing_bets.perform_problem, closing_bets.perform),
    actions.CancelWager: _Move(closing_bets.cancel_problem, closing_bets.cancel_wager),
    actions.Deal: _Move(playing.deal_problem, playing.deal),
    actions.SetAside: _Move(irregularities.set_aside_problem, irregularities.set_aside),
    actions.IdentifyCards: _Move(playing.identify_problem, playing.identify_cards),
    actions.CorrectCard: _Move(corrections.correct_problem, corrections.correct_card),
    actions.Look: _Move(playing.look_problem, playing.look),
    actions.Reveal: _Move(_reveal_problem, _reveal),
    actions.Decide: _Move(playing.decide_problem, playing.decide),
    actions.DeclareUndecided: _Move(playing.undecided_problem, playing.declare_undecided),
    actions.ReadMeter: _Move(take_and_pay.read_meter_problem, take_and_pay.read_meter),
    actions.Settle: _Move(take_and_pay.settle_problem, take_and_pay.settle),
    actions.Close: _Move(take_and_pay.close_problem, take_and_pay.close),
    actions.Rule: _Move(irregularities.rule_problem, irregularities.rule),
    actions.FindConduct: _Move(conduct.conduct_problem, conduct.find_conduct),
    actions.Leave: _Move(conduct.leave_problem, conduct.leave),
    actions.ReduceRaise: _Move(take_and_pay.reduce_raise_problem, take_and_pay.reduce_raise),
    actions.ReverseSettlement: _Move(corrections.reverse_problem, corrections.reverse_settlement),
}
_MOVES: Final = closed(_KINDS, Action)
