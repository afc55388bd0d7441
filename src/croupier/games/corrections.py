"""Corrections: settlement reversed turn by turn, and a card that was misidentified (reading 147)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal

from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.offers import CardsOf, Offer, offer, refuse
from croupier.games.payouts import settle_hand
from croupier.games.playing import unseen, unseen_problem
from croupier.games.results import WagerSettled
from croupier.games.round import IN_A_ROUND, Box, Round, box_at, hand_of, showdown_of
from croupier.money import Cents

__all__ = ["envy_back", "offers", "reversals", "settled_at_last"]


# --- reversing settlement


def reverse_problem(state: Round, _: actions.ReverseSettlement) -> RuleViolation | None:
    """Why nothing can be reversed now, or None."""
    if _is_reversible(state):
        return None
    settlement = state.rules.house.rulebook.play.settlement
    return refuse("nothing_there", settlement, "there is nothing to reverse: nothing has been settled", reading=147)


def _is_reversible(state: Round) -> bool:
    return bool(state.proceedings.turns) and state.at.kind in {"settle", "close"}


def reverse_settlement(state: Round, _: actions.ReverseSettlement) -> list[round_events.Event]:
    """Reverse what was settled last."""
    last, *rest = reversals(state)
    return [last, *(event for event in rest[:1] if isinstance(event, round_events.RaiseRestored))]


def reversals(state: Round) -> list[round_events.SettlementReversed | round_events.RaiseRestored]:
    """The reversals of every turn of settlement, last first; a raise that was reduced is restored."""
    events: list[round_events.SettlementReversed | round_events.RaiseRestored] = []
    cited = state.rules.house.rulebook.play.rebuild
    for what, seat in reversed(state.proceedings.turns):
        if what == "envy":
            paid = tuple([(box.seat, box.envy) for box in reversed(state.boxes) if box.envy])
            events.append(round_events.SettlementReversed("envy", 0, (), None, paid, cited.clause, 147))
            continue
        box = next(box for box in state.boxes if box.seat == seat)
        settled = tuple([wager for wager in box.results if _by_turn(state, wager, what)])
        main = any(wager.wager == state.rules.main.name for wager in settled)
        coupon = box.coupon_result if main else None
        events.append(round_events.SettlementReversed(what, seat, settled, coupon, (), cited.clause, 147))
        if what == "hand":
            events += _restored_raise(state, box)
    return events


def _by_turn(state: Round, wager: WagerSettled, what: Literal["hand", "last"]) -> bool:
    """Whether a wager was settled at this turn, not immediately by a fold or a ruling."""
    return wager.outcome in {"win", "lose", "push"} and (wager.wager in state.rules.last) == (what == "last")


def envy_back(state: Round, seats: Collection[int]) -> list[round_events.Event]:
    """The reversal of envy that these hands brought or received; the rest is final (readings 41, 135)."""
    paid = [
        (box.seat, tuple([bonus for bonus in box.envy if box.seat in seats or bonus.from_seat in seats]))
        for box in reversed(state.boxes)
    ]
    back = tuple([(seat, bonuses) for seat, bonuses in paid if bonuses])
    return [round_events.SettlementReversed("immediate", 0, (), None, back)] if back else []


def settled_at_last(state: Round, seat: int) -> tuple[WagerSettled, ...]:
    """What the last wagers of a seat pay on the cards now on the table."""
    hand = hand_of(state, next(box for box in state.boxes if box.seat == seat))
    names = [name for name in state.rules.last if hand.stake(name) is not None]
    return settle_hand(showdown_of(state), hand, names, {})


def _restored_raise(state: Round, box: Box) -> list[round_events.RaiseRestored]:
    """A raise that was reduced on cards that no longer count is restored in full."""
    raised = next((name for name, _ in box.staked if state.rules.wagers[name].stake == "raise"), None)
    void = any(wager.wager == raised and wager.outcome == "void" for wager in box.results)
    if not box.over_raise or raised is None or void:
        return []
    cited = state.rules.house.rulebook.play.rebuild
    stake = box.stake(raised) or Cents(0)
    return [round_events.RaiseRestored(box.seat, raised, stake, box.over_raise, cited.clause, 147)]


# --- correcting a card


def correct_problem(state: Round, action: actions.CorrectCard) -> RuleViolation | None:
    """Why a card may not be corrected to this one, or None."""
    return _fixed_problem(state, action.place) or unseen_problem(state, (action.card,))


def _fixed_problem(state: Round, place: int) -> RuleViolation | None:
    """Why the card at a place may not be corrected, or None: nothing settled may depend on it."""
    cited, known = state.rules.house.rulebook.play.rebuild, state.faces.known
    if state.at.kind not in IN_A_ROUND or not 0 <= place < len(known) or known[place] is None:
        return refuse("no_card_there", cited, "no card has been identified at this place", reading=147)
    if _is_settled_on(state, place):
        return refuse("settled_on_it", cited, "reverse the settlement that depends on this card first", reading=147)
    return None


def _is_settled_on(state: Round, place: int) -> bool:
    """Whether something settled depends on the card at a place."""
    turns = state.proceedings.turns
    if not turns:
        return False
    seat = state.cards.plan.places[place].seat
    alone = seat and not any(name in state.rules.limited for name in state.rules.last)
    return not alone or ("hand", seat) in turns or any(what != "hand" for what, _ in turns)


def correct_card(state: Round, action: actions.CorrectCard) -> list[round_events.Event]:
    """Correct a card; a raise that was reduced on the wrong one is restored."""
    was = state.faces.known[action.place]
    if was is None:
        raise ValueError("a card that nobody identified cannot be corrected")
    box, cited = box_at(state, state.cards.plan.places[action.place].seat), state.rules.house.rulebook.play.rebuild
    corrected = round_events.CardCorrected(action.place, was, action.card, clause=cited.clause, reading=147)
    return [corrected, *(_restored_raise(state, box) if box else ())]


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """Whether settlement may be reversed, and which cards may be corrected."""
    if _is_reversible(state):
        yield offer("reverse_settlement")
    known = [place for place, card in enumerate(state.faces.known) if card is not None]
    places = tuple([place for place in known if not _is_settled_on(state, place)])
    if places:
        yield offer("correct_card", place=places, card=CardsOf(unseen(state), 1))
