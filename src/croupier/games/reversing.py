"""Settlement turned back by reversing entries: every turn, the last one, or what rests on one hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.offers import refuse
from croupier.games.payouts import settle_hand
from croupier.games.results import WagerSettled
from croupier.games.round import Box, Round, hand_of, showdown_of
from croupier.money import Cents

__all__ = ["envy_back", "restored", "reversals", "reverse_settlement", "settled_at_last"]


def reverse_settlement(state: Round, _: actions.ReverseSettlement) -> list[round_events.Event]:
    """What was settled last is turned back (reading 147)."""
    if not state.proceedings.turns or state.at.kind not in {"settle", "close"}:
        settlement = state.rules.house.rulebook.play.settlement
        raise refuse("nothing_there", settlement, "nothing was settled that could be turned back", reading=147)
    last, rest = reversals(state)[0], reversals(state)[1:2]
    return [last, *(one for one in rest if isinstance(one, round_events.RaiseRestored))]


def reversals(state: Round) -> list[round_events.SettlementReversed | round_events.RaiseRestored]:
    """What turns back every turn of settlement, the last first; a raise that was cut down stands in full again."""
    found: list[round_events.SettlementReversed | round_events.RaiseRestored] = []
    cited = state.rules.house.rulebook.play.rebuild
    for what, seat in reversed(state.proceedings.turns):
        if what == "envy":
            paid = tuple([(box.seat, box.envy) for box in reversed(state.boxes) if box.envy])
            found.append(round_events.SettlementReversed("envy", 0, (), None, paid, cited.clause, 147))
            continue
        box = next(one for one in state.boxes if one.seat == seat)
        turned = tuple([one for one in box.results if _by_turn(state, one, what)])
        main = any(one.wager == state.rules.main.name for one in turned)
        coupon = box.coupon_result if main else None
        found.append(round_events.SettlementReversed(what, seat, turned, coupon, (), cited.clause, 147))
        if what == "hand":
            found += restored(state, box)
    return found


def envy_back(state: Round, seats: Collection[int]) -> list[round_events.Event]:
    """What turns back the envy that these hands earned or received; other hands' envy stands (readings 41, 135)."""
    paid = [
        (box.seat, tuple([one for one in box.envy if box.seat in seats or one.from_seat in seats]))
        for box in reversed(state.boxes)
    ]
    back = tuple([one for one in paid if one[1]])
    return [round_events.SettlementReversed("immediate", 0, (), None, back)] if back else []


def settled_at_last(state: Round, seat: int) -> tuple[WagerSettled, ...]:
    """What the wagers that come last bring a seat on the cards as they lie."""
    hand = hand_of(state, next(box for box in state.boxes if box.seat == seat))
    names = [name for name in state.rules.last if hand.stake(name) is not None]
    return settle_hand(showdown_of(state), hand, names, {})


def restored(state: Round, box: Box) -> list[round_events.RaiseRestored]:
    """A raise that was cut down on cards that no longer count stands in full again."""
    raised = next((name for name, _ in box.staked if state.rules.wagers[name].stake == "raise"), None)
    void = any(one.wager == raised and one.outcome == "void" for one in box.results)
    if not box.over_raise or raised is None or void:
        return []
    cited = state.rules.house.rulebook.play.rebuild
    return [
        round_events.RaiseRestored(box.seat, raised, box.stake(raised) or Cents(0), box.over_raise, cited.clause, 147)
    ]


def _by_turn(state: Round, one: WagerSettled, what: Literal["hand", "last"]) -> bool:
    """Whether a wager was settled at its turn and not at once."""
    return one.outcome in {"win", "lose", "push"} and (one.wager in state.rules.last) == (what == "last")
