"""One hand of practice: dealt and settled by the real engine, from a deck that a seed decides, without table or money.

A hand is a value: the same rules, seed, stake and choices give the same round, so it can be looked at again and nothing
of it has to be stored.

>>> from croupier.rulebook import check, load_rulebook, read_submission_text, starting_submission
>>> text = starting_submission(load_rulebook("md-let-it-ride"))
>>> house = check(read_submission_text(text, name="practice")).rules()
>>> hand = PracticeHand(house=house, seed="example", stake=Cents(1000), choices=("ride",))
>>> round = played(hand)
>>> round.decision, [choice.name for choice in round.options], len(round.own), len(round.board)
('bet_2', ['ride', 'withdraw'], 3, 1)
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.cards import Card
from croupier.errors import Malformed
from croupier.fairness import shuffle
from croupier.games import (
    Round,
    SeatSettled,
    actions,
    apply,
    awaiting,
    box_at,
    open_round,
    own_places,
    raise_limit,
    result,
)
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Decision, Slot, WagerName

__all__ = ["PracticeHand", "PracticeRound", "PracticeStep", "played"]

SEAT: Final = 1
_MOST_STEPS: Final = 200
_RAISE: Final = "raise"


class PracticeHand(Struct, frozen=True, kw_only=True):
    """Everything that a hand of practice follows from."""

    house: HouseRules
    seed: str
    stake: Cents
    """On the first wager, and on those that must equal it."""
    choices: tuple[str, ...] = ()
    """What was decided so far; a raise by how many antes it is: `2x`."""
    cards: tuple[Card, ...] = ()
    """The player's cards and those of the board after them, where the hand is not left to the seed."""


class PracticeStep(NamedTuple):
    """Something that may be decided, and what it adds to the bets."""

    name: str
    amount: Cents


class PracticeRound(NamedTuple):
    """A hand of practice as its player sees it: until the next decision, or to its end."""

    state: Round
    decision: Decision | None
    """What is to be decided; None when the round is over."""
    options: tuple[PracticeStep, ...]
    own: tuple[Card, ...]
    board: tuple[Card, ...]
    """The cards of the board that are turned up."""
    board_down: int
    dealer: tuple[Card, ...]
    dealer_down: int

    @property
    def bets(self) -> tuple[tuple[WagerName, Cents], ...]:
        """What was bet, in the order of the game."""
        box = box_at(self.state, SEAT)
        return box.staked if box is not None else ()

    @property
    def withdrawn(self) -> tuple[WagerName, ...]:
        """Bets that were taken back."""
        box = box_at(self.state, SEAT)
        return box.withdrawn if box is not None else ()

    @property
    def settled(self) -> SeatSettled | None:
        """How the hand was settled, once it is."""
        seats = result(self.state).seats if self.decision is None else ()
        return next((seat for seat in seats if seat.seat == SEAT), None)


def played(hand: PracticeHand) -> PracticeRound:
    """Play a hand as far as its choices go; `Malformed` or a `RuleViolation` for a choice that is not one."""
    state, waiting = _bet(hand), list(hand.choices)
    for _ in range(_MOST_STEPS):
        due = awaiting(state)
        match due.kind:
            case "decision":
                options = _options(state, hand.stake)
                if not waiting:
                    return _seen(state, due.decision, options)
                named = state.at.choice.choices if state.at.choice else ()
                state, _ = apply(state, _decision(waiting.pop(0), options, named))
            case "wagers":
                state, _ = apply(state, actions.Perform("announce"))
            case "act":
                state, _ = apply(state, actions.Perform(due.act or "announce"))
            case "cards":
                state, _ = apply(state, actions.Deal(len(due.places)))
                state, _ = apply(state, actions.IdentifyCards(0, _faces(hand, state)))
            case "reveal":
                state, _ = apply(state, actions.Reveal(due.slot or "community", due.seat))
            case "settlement":
                state, _ = apply(state, _settlement(due.what, due.seat))
            case "close":
                state, _ = apply(state, actions.Close())
            case "nothing":
                if waiting:
                    raise Malformed(f"the round is over before {waiting[0]!r}")
                return _seen(state, None, ())
            case _:
                raise ValueError(f"nobody is here for {due}")
    raise ValueError("the round does not end")


def _bet(hand: PracticeHand) -> Round:
    """The main wager, and every one that must equal it."""
    state = open_round(hand.house)
    rules = state.rules
    equal = [wager.name for wager in hand.house.wagers if rules.wagers[wager.name].stake == "equal"]
    for name in (rules.main.name, *equal):
        state, _ = apply(state, actions.PlaceWager(SEAT, name, hand.stake))
    return state


def _faces(hand: PracticeHand, state: Round) -> tuple[Card, ...]:
    """A card for every place: those of the hand where they are given, else as the deck comes."""
    seed = sha256(b"croupier practice\n" + hand.seed.encode()).digest()
    given = dict(zip((*own_places(state, SEAT), *state.cards.plan.slots["community"]), hand.cards, strict=False))
    if len(given) < len(hand.cards) or len(set(hand.cards)) < len(hand.cards):
        raise Malformed("these cards cannot be dealt")
    rest = iter([card for card in shuffle(seed) if card not in hand.cards])
    return tuple(given[place] if place in given else next(rest) for place in range(state.cards.dealt))


def _options(state: Round, stake: Cents) -> tuple[PracticeStep, ...]:
    """What may be decided: a raise is offered in whole antes, up to what the hand allows."""
    steps: list[PracticeStep] = []
    for name in state.at.choice.choices if state.at.choice else ():
        if name == _RAISE:
            most = raise_limit(state.rules, _cards(state, own_places(state, SEAT))).times
            steps += [PracticeStep(f"{times}x", Cents(times * stake)) for times in range(1, most + 1)]
        else:
            steps.append(PracticeStep(name, Cents(int(name[:-1]) * stake if name.endswith("x") else 0)))
    return tuple(steps)


def _decision(name: str, options: tuple[PracticeStep, ...], named: tuple[str, ...]) -> actions.Decide:
    step = next((step for step in options if step.name == name), None)
    if step is None:
        raise Malformed(f"{name[:20]!r} is not offered here: {', '.join(step.name for step in options)}")
    return actions.Decide(SEAT, name) if name in named else actions.Decide(SEAT, _RAISE, step.amount)


def _settlement(what: str, seat: int) -> actions.Settle:
    match what:
        case "envy":
            return actions.Settle("envy")
        case "last":
            return actions.Settle("last", seat)
    return actions.Settle("hand", seat)


def _cards(state: Round, places: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(card for place in places if (card := state.faces.known[place]) is not None)


def _seen(state: Round, decision: Decision | None, options: tuple[PracticeStep, ...]) -> PracticeRound:
    def up(slot: Slot) -> tuple[int, ...]:
        return tuple(place for place in state.cards.plan.slots[slot] if place in state.cards.up)

    def down(slot: Slot) -> int:
        return len(state.cards.plan.slots[slot]) - len(up(slot))

    return PracticeRound(
        state,
        decision,
        options,
        _cards(state, own_places(state, SEAT)),
        _cards(state, up("community")),
        down("community"),
        _cards(state, up("dealer")),
        down("dealer"),
    )
