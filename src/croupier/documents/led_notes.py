"""What happened at each step of a round that is being dealt, in a few words: bets, decisions, cards, pays."""

from __future__ import annotations

from typing import Final

from croupier.games import Box, Round
from croupier.money import Cents
from croupier.present import cards_words, counted, dollars, listed
from croupier.rulebook.schema import BeforeDeal, Choice, DealStep, RevealRow
from croupier.table import Award

__all__ = [
    "LEFT_OUT",
    "act_note",
    "award_note",
    "deal_note",
    "decision_note",
    "reveal_note",
    "settled_note",
    "stub_note",
]


_NO_BET: Final = "nobody bet on it"
_NOT_DECIDED: Final = "not decided: the round is void"
_VOID, _NEEDLESS = "not turned up: the round is void", "not turned up: no bet depends on it"
_NOT_DEALT: Final = "not dealt to the end: the round is void"
_STUB_LEFT: Final = "not put away: the round is void"
LEFT_OUT: Final = frozenset({_NO_BET, _NOT_DECIDED, _VOID, _NEEDLESS, _NOT_DEALT, _STUB_LEFT})
"""Notes of a step that the round goes past without it."""


def act_note(state: Round, act: BeforeDeal | None) -> str:
    """That an act before the deal has nothing to act on, or how many bets it concerns."""
    if act is None or act.offered is None or state.at.index == 0:
        return ""
    bet = [box for box in state.boxes if box.stake(act.offered) is not None]
    loose = [box.seat for box in bet if not box.registered] if act.act == "lock_progressive" else []
    if loose:
        seats = f"seat{'s' if len(loose) > 1 else ''} {listed(loose)}"
        return f"{counted(len(bet), 'bet')}, not registered at {seats}: what is not registered goes back"
    return counted(len(bet), "bet") if bet else _NO_BET


def deal_note(state: Round, row: DealStep, *, here: bool) -> str:
    """How far the deal is, and that nobody bet on cards that are not dealt."""
    places = [number for number, place in enumerate(state.cards.plan.places) if place.slot == row.to]
    if state.cards.plan.places and not places:
        return _NO_BET
    if state.proceedings.void == "round" and (not places or places[-1] >= state.cards.dealt):
        return _NOT_DEALT
    if here and state.cards.dealt:
        return f"{state.cards.dealt} of {len(state.cards.plan.places)} cards dealt"
    passes = state.rules.script.passes
    return f"{passes} times over" if passes > 1 else ""


def stub_note(state: Round, *, is_out: bool) -> str:
    """That the stub of a void round was not put away by itself: it is collected with the cards."""
    return _STUB_LEFT if state.proceedings.void == "round" and is_out else ""


def decision_note(state: Round, choice: Choice, *, awaited: bool) -> str:
    """What each player decided, and whose turn it is."""
    said = [f"seat {box.seat} {words}" for box in state.boxes if (words := _decided(box, choice))]
    if awaited and state.at.kind == "decide":
        said.append(f"seat {state.box.seat} is next")
    if not said and not awaited and state.proceedings.void == "round":
        return _NOT_DECIDED
    return ", ".join(said)


def _decided(box: Box, choice: Choice) -> str:
    if box.folded_on == choice.decision:
        return "folds"
    if choice.decision in box.withdrawn:
        return "takes it back"
    amount = box.stake(choice.decision)
    multiples = any(name.endswith("x") or name == "raise" for name in choice.choices)
    return f"bets {dollars(amount)}" if amount is not None and multiples else ""


def reveal_note(state: Round, row: RevealRow, shown: int, *, is_past: bool) -> str:
    """Which cards were turned up."""
    places = state.cards.plan.slots.get(row.slot, ())[shown : shown + row.number]
    known = state.faces.known
    up = [known[place] for place in places if place in state.cards.up]
    if up:
        return cards_words(up) if None not in up else "not named yet"
    if not is_past or not places:
        return ""
    return _VOID if state.proceedings.void == "round" else _NEEDLESS


def settled_note(box: Box, award: Cents) -> str:
    """What was taken and paid at a seat; an award has steps of its own."""
    taken = sum(wager.staked for wager in box.results if wager.outcome in {"lose", "forfeit"})
    paid = sum(wager.won for wager in box.results) + (box.coupon_result.won if box.coupon_result else 0) - award
    words = [f"took {dollars(Cents(taken))}"] * bool(taken) + [f"paid {dollars(Cents(paid))}"] * bool(paid)
    return listed(words) or "nothing to take or pay"


def award_note(award: Award) -> str:
    """Whose award it is, and how much."""
    return f"seat {award.seat}, {dollars(award.amount)}"
