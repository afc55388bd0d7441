"""The moments of a round, as the engine itself passes through them: what can have gone wrong at each.

A round is played with one hand that stays to the end, card by card, and asked at every step what may be ruled on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from croupier.cards import DECK
from croupier.errors import RuleViolation
from croupier.games import Offer, Round, actions, apply, awaiting, legal_actions, open_round
from croupier.games import events as round_events
from croupier.rulebook import HouseRules, Stakes
from croupier.rulebook.names import Irregularity

__all__ = ["BEFORE_THE_DEAL", "DURING_THE_DEAL", "SETTLEMENT", "Ruled", "moments_of", "ruled_at"]

BEFORE_THE_DEAL: Final = "before_the_deal"
DURING_THE_DEAL: Final = "during_the_deal"
SETTLEMENT: Final = "settlement"
_SEAT: Final = 1
_MOST_STEPS: Final = 200


class Ruled(NamedTuple):
    """What the engine does when an irregularity is ruled on."""

    voids: str
    """`nothing`, `hand`, `box_wagers`, `main_wagers` or `round`."""
    sets_aside: bool
    """Whether the card goes to the rack instead of its place."""


def moments_of(house: HouseRules) -> tuple[str, ...]:
    """The moments of a round in their order: before and during the deal, each decision, settlement.

    >>> from croupier.rulebook import check, read_submission
    >>> moments_of(check(read_submission({"rulebook": "md-mississippi-stud"})).rules())
    ('before_the_deal', 'during_the_deal', 'third_street', 'fourth_street', 'fifth_street', 'settlement')
    """
    decisions = [row.decision for row in house.rulebook.play.choice]
    return (BEFORE_THE_DEAL, DURING_THE_DEAL, *decisions, SETTLEMENT)


def ruled_at(house: HouseRules) -> dict[tuple[str, Irregularity], Ruled]:
    """Which irregularities can be ruled on at which moment, and what the engine does then."""
    ruled: dict[tuple[str, Irregularity], Ruled] = {}
    for moment, state in _states(house):
        for offered in legal_actions(state):
            if offered.do in {"rule", "set_aside"}:
                fields: dict[str, Any] = dict(offered.fields)
                ruled.setdefault((moment, fields["irregularity"]), _tried(state, offered.do, fields))
    return ruled


def _tried(state: Round, do: str, fields: dict[str, Any]) -> Ruled:
    seat = fields.get("seat", 0)
    rule = actions.Rule(fields["irregularity"], seat[0] if isinstance(seat, tuple) else seat)
    _, events = apply(state, rule if do == "rule" else actions.SetAside(fields["irregularity"]))
    voids = [event.void for event in events if isinstance(event, round_events.IrregularityRuled)]
    aside = any(isinstance(event, round_events.CardSetAside) for event in events)
    return Ruled(voids[-1] if voids else "nothing", aside)


def _states(house: HouseRules) -> Iterator[tuple[str, Round]]:
    state, moment = _bets(house), BEFORE_THE_DEAL
    for _ in range(_MOST_STEPS):
        asked = awaiting(state)
        match asked.kind:
            case "cards":
                moment = DURING_THE_DEAL
            case "decision":
                moment = asked.decision or moment
            case "settlement" | "meter" | "close":
                moment = SETTLEMENT
        if asked.kind not in {"reveal", "identity"}:
            yield moment, state
        if moment == SETTLEMENT:
            return
        state, _ = apply(state, _next(state))
    raise ValueError("the round does not reach settlement")


def _bets(house: HouseRules) -> Round:
    """Every wager that needs no device, at its minimum."""
    state = open_round(house)
    for wager in house.wagers:
        if wager.stakes is not None and not wager.meters:
            try:
                state, _ = apply(state, actions.PlaceWager(_SEAT, wager.name, wager.stakes.minimum, "player"))
            except RuleViolation:  # it needs a wager that is not made here
                continue
    return state


def _next(state: Round) -> actions.Action:
    asked = awaiting(state)
    match asked.kind:
        case "wagers":
            return actions.Perform("announce")
        case "act":
            return _act(state)
        case "cards":
            return actions.Deal(1)
        case "identity":
            return actions.IdentifyCards(asked.places[0], (DECK[asked.places[0]],))
        case "decision":
            return _stay(state)
    return actions.Reveal(asked.slot or "player", asked.seat)


def _act(state: Round) -> actions.Perform:
    """The act that is due; a count finds what was bet."""
    fields = _fields(next(each for each in legal_actions(state) if each.do == "perform"))
    wager = state.at.act.offered if state.at.act is not None else None
    bets = sum(wager is not None and box.stake(wager) is not None for box in state.boxes)
    return actions.Perform(fields["act"], None if fields["chips"] is None else bets)


def _stay(state: Round) -> actions.Decide:
    """The first decision that keeps the hand in the round, at its least amount."""
    fields = _fields(next(each for each in legal_actions(state) if each.do == "decide"))
    allowed = fields["choice"]
    amount = fields.get("amount")
    return actions.Decide(
        fields["seat"],
        allowed[0] if isinstance(allowed, tuple) else allowed,
        amount.minimum if isinstance(amount, Stakes) else None,
    )


def _fields(offered: Offer) -> dict[str, Any]:
    return dict(offered.fields)
