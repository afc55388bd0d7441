"""A random round of a house, played by the engine from the first bet to the last pay; a round is its seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from msgspec import Struct

from croupier.cards import DECK, Card
from croupier.errors import RuleViolation
from croupier.games import Event, Offer, Round, actions, apply, awaiting, legal_actions, open_round
from croupier.money import Cents
from croupier.progressive import house_meters, shown
from croupier.rulebook import HouseRules, Stakes

__all__ = ["PlayedRound", "play_round"]

_MOST_MOVES: Final = 400
_TRIES: Final = 12
"""Decks that are looked at for a round in which something is paid."""
_FOLDS: Final = 0.12
_SIDE_BETS: Final = 0.6
_UNITS: Final = (1, 2, 3, 5)
"""How many times the minimum players bet."""


class PlayedRound(Struct, frozen=True):
    """A round that was played to its end, with everything that happened in settlement."""

    before: Round
    """As it lay when the dealer began to take and pay."""
    after: Round
    settled: tuple[Event, ...]
    """What settlement led to, in its order."""
    turns: tuple[tuple[str, int], ...]
    """What was settled, in its order: `hand`, `envy` or `last`, and the seat."""


def play_round(house: HouseRules, seed: int) -> PlayedRound:
    """A round with two to four players; of several decks the first in which a bet wins."""
    dice = Random(seed)  # noqa: S311 - a training round, not a game for money
    played = None
    for _ in range(_TRIES):
        played = _play(house, dice)
        if any(wager.won for box in played.after.boxes for wager in box.results):
            break
    if played is None:
        raise ValueError("no round was played")
    return played


def _play(house: HouseRules, dice: Random) -> PlayedRound:
    state = _bets(house, dice)
    deck = dice.sample(DECK, len(DECK))
    before: Round | None = None
    settled: list[Event] = []
    turns: list[tuple[str, int]] = []
    for _ in range(_MOST_MOVES):
        asked = awaiting(state)
        if asked.kind in {"settlement", "meter"} and before is None:
            before = state
        if asked.kind in {"close", "nothing"}:
            return PlayedRound(before or state, state, tuple(settled), tuple(turns))
        action = _move(state, deck, dice)
        state, events = apply(state, action)
        if isinstance(action, actions.Deal):
            cards = tuple(deck[: len(state.cards.plan.places)])
            for place, card in _named(state, cards):
                state, _ = apply(state, actions.IdentifyCards(place, (card,)))
        if isinstance(action, actions.Settle):
            settled += events
            turns.append((action.what, action.seat))
    raise ValueError("the round does not end")


def _named(state: Round, cards: tuple[Card, ...]) -> Iterator[tuple[int, Card]]:
    """The cards that may be named: what is discarded unseen is not."""
    for place, card in enumerate(cards):
        if state.cards.plan.places[place].slot != "discard":
            yield place, card


# --- bets


def _bets(house: HouseRules, dice: Random) -> Round:
    state = open_round(house)
    seats = sorted(dice.sample(range(1, house.seats + 1), min(house.seats, dice.randint(2, 4))))
    for seat in seats:
        times = dice.choice(_UNITS)
        for wager in house.wagers:
            if wager.stakes is None:
                continue
            is_main = wager.paytables[0].group == house.wagers[0].paytables[0].group
            if not is_main and dice.random() > _SIDE_BETS:
                continue
            amount = _stake(wager.stakes, times if is_main else dice.choice(_UNITS))
            try:
                state, _ = apply(state, actions.PlaceWager(seat, wager.name, amount, f"player {seat}"))
            except RuleViolation:
                if is_main:
                    raise  # a side bet may need another one that this player did not make
    for box in state.boxes:
        for offered in legal_actions(state):
            if offered.do == "register" and dict(offered.fields)["seat"] == box.seat:
                state, _ = apply(state, actions.RegisterWager(box.seat))
                break
    return state


def _stake(stakes: Stakes, times: int) -> Cents:
    amount = min(stakes.minimum * times, stakes.maximum)
    return Cents(amount - (amount - stakes.minimum) % stakes.increment)


# --- moves


def _move(state: Round, deck: list[Card], dice: Random) -> actions.Action:
    asked = awaiting(state)
    match asked.kind:
        case "wagers":
            return actions.Perform("announce")
        case "act":
            return _act(state)
        case "cards":
            return actions.Deal(len(asked.places))
        case "decision":
            return _decision(state, dice)
        case "reveal" if asked.slot is not None:
            return actions.Reveal(asked.slot, asked.seat)
        case "identity":
            place = asked.places[0]
            return actions.IdentifyCards(place, (deck[place],))
        case "meter":
            meters = {meter.name: shown(meter) for meter in house_meters(state.rules.house)}
            return actions.ReadMeter(asked.meter, meters[asked.meter])
        case "ruling":
            offered = next(each for each in legal_actions(state) if each.do == "reduce_raise")
            return actions.ReduceRaise(asked.seat, _fields(offered)["amount"].minimum)
    return actions.Settle(asked.what or "hand", asked.seat)  # type: ignore[arg-type] # as the round awaits it


def _fields(offered: Offer) -> dict[str, Any]:
    """What an offer allows, by name."""
    return dict(offered.fields)


def _act(state: Round) -> actions.Perform:
    """The act that is due; a count finds what was bet."""
    offered = next(each for each in legal_actions(state) if each.do == "perform")
    fields = _fields(offered)
    if fields["chips"] is None:
        return actions.Perform(fields["act"])
    row = state.at.act
    wager = row.offered if row is not None else None
    bets = sum(wager is not None and box.stake(wager) is not None for box in state.boxes)
    return actions.Perform(fields["act"], bets)


def _decision(state: Round, dice: Random) -> actions.Decide:
    offers = [each for each in legal_actions(state) if each.do == "decide"]
    offered = dice.choice(offers)
    fields = _fields(offered)
    return actions.Decide(fields["seat"], _choice(offered, dice), _amount(fields.get("amount")))


def _choice(offered: Offer, dice: Random) -> str:
    allowed = _fields(offered)["choice"]
    choices: tuple[str, ...] = allowed if isinstance(allowed, tuple) else (allowed,)
    others = [choice for choice in choices if choice != "fold"]
    return dice.choice(others) if others and dice.random() > _FOLDS else dice.choice(choices)


def _amount(allowed: object) -> Cents | None:
    return allowed.minimum if isinstance(allowed, Stakes) else None
