"""Rules of conduct and players who leave: what a floorperson finds, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.corrections import envy_back
from croupier.games.offers import Offer, offer, refuse
from croupier.games.payouts import settle_coupon
from croupier.games.round import ALL_VOID, IN_A_ROUND, Box, Round, box_at, hand_of, open_wagers, voided_by
from croupier.games.ruled_wagers import after, because, settled_alike
from croupier.rulebook.schema import Cited, Conduct

__all__ = ["offers"]


def _boxes_of_player(state: Round, seat: int) -> list[Box]:
    """All boxes of the player at a seat."""
    box = box_at(state, seat)
    return [other for other in state.boxes if box is not None and other.player == box.player]


def _is_out(state: Round, boxes: Sequence[Box]) -> bool:
    return state.proceedings.void in ALL_VOID or any([box.out for box in boxes])  # noqa: C419 - faster for a few


def _out_problem(state: Round, boxes: Sequence[Box], cited: Cited) -> RuleViolation | None:
    if _is_out(state, boxes):
        return refuse("no_hand", voided_by(state) or cited, "the hand is already out of this round")
    return None


def _settled_seats(state: Round) -> set[int]:
    return {seat for what, seat in state.proceedings.turns if what != "envy"}


def _forfeit_all(
    state: Round, boxes: Sequence[Box], out: Literal["conduct", "left"], cited: Cited, *, rule: str = ""
) -> list[round_events.Event]:
    """Forfeit every open wager and take the hands out of the round."""
    events: list[round_events.Event] = []
    for box in boxes:
        lost = settled_alike(state, box, open_wagers(box), "forfeit", cited, cause=out, rule=rule)
        events.append(round_events.HandRemoved(box.seat, out))
        if lost:
            coupon = settle_coupon(state.rules, hand_of(state, box), lost)
            events.append(round_events.HandSettled("immediate", box.seat, lost, coupon))
    return events


# --- conduct


@clause("md-mississippi-stud 11.A(5)", "ma-mississippi-stud 10(c)")
def conduct_problem(state: Round, action: actions.FindConduct) -> RuleViolation | None:
    """Why a breach of conduct may not be found now, or None."""
    rules, rule = state.rules.conduct, state.rules.conduct.get(action.rule)
    if rule is None:
        message = f"{action.rule} is not a rule of conduct: {', '.join(rules)}"
        return refuse("no_such_rule", state.rules.house.rulebook.play.conduct[0], message)
    if state.at.kind not in IN_A_ROUND or not state.cards.dealt:
        return refuse("not_now", rule, "rules of conduct apply from the first card to the end of the round")
    boxes = _boxes_of_player(state, action.seat)
    if not boxes:
        return refuse("no_such_seat", rule, f"seat {action.seat} is not in this round")
    return _out_problem(state, boxes, rule) if rule.penalty is not None else None


def find_conduct(state: Round, action: actions.FindConduct) -> list[round_events.Event]:
    """Record a breach of conduct; where it has a penalty, all wagers of the player are forfeited."""
    rule, boxes = state.rules.conduct.get(action.rule), _boxes_of_player(state, action.seat)
    if rule is None:
        raise ValueError(f"{action.rule} is not a rule of conduct")
    cited: Cited = rule
    if rule.penalty is not None:
        cited = Cited(clause=rule.penalty.clause, reading=193) if _is_late(state, rule, boxes) else rule.penalty
    finding = round_events.ConductFound(
        action.seat, action.rule, forfeits=rule.penalty is not None, clause=cited.clause, reading=cited.reading
    )
    if rule.penalty is None:
        return [finding]
    back = envy_back(state, {box.seat for box in boxes})
    for box in boxes:
        back += _reopened(state, box)
    reopened = after(state, back)
    boxes = _boxes_of_player(reopened, action.seat)
    return because(cited, [finding, *back, *_forfeit_all(reopened, boxes, "conduct", cited, rule=action.rule)])


def _is_late(state: Round, rule: Conduct, boxes: Sequence[Box]) -> bool:
    """Whether a breach is found after the time in which it can happen, or after settlement (reading 193)."""
    places = state.cards.plan.slots.get("community", ())
    over = rule.until == "last_reveal" and bool(places) and state.cards.up.issuperset(places)
    return over or any(box.seat in _settled_seats(state) for box in boxes)


def _reopened(state: Round, box: Box) -> list[round_events.Event]:
    """Reverse what was settled at the turns of a box, its coupon too."""
    settled = tuple([wager for wager in box.results if wager.outcome in {"win", "lose", "push"}])
    if not settled:
        return []
    main = any(wager.wager == state.rules.main.name for wager in settled)
    return [round_events.SettlementReversed("immediate", box.seat, settled, box.coupon_result if main else None)]


# --- leaving


def leave_problem(state: Round, action: actions.Leave) -> RuleViolation | None:
    """Why a player may not leave now, or None."""
    return _leaving_problem(state, action.seat, _boxes_of_player(state, action.seat))


def _leaving_problem(state: Round, seat: int, boxes: Sequence[Box]) -> RuleViolation | None:
    cited = state.rules.house.rulebook.wagers.leaving
    if not boxes:
        return refuse("no_such_seat", cited, f"seat {seat} is not in this round")
    if state.at.kind not in IN_A_ROUND:
        return refuse("not_now", cited, "a player who leaves before the deal takes the bets back")
    if any(box.absent for box in boxes):
        return refuse("player_left", cited, "the player has already left")
    if problem := _out_problem(state, boxes, cited):
        return problem
    if any(box.seat in _settled_seats(state) for box in boxes) or state.at.kind == "close":
        return refuse("already_settled", cited, "the hand is settled: reverse the settlement first", reading=147)
    return None


def leave(state: Round, action: actions.Leave) -> list[round_events.Event]:
    """Record that a player left; an abandoned hand loses its wagers."""
    cited, boxes = state.rules.house.rulebook.wagers.leaving, _boxes_of_player(state, action.seat)
    events: list[round_events.Event] = [
        round_events.PlayerLeft(box.seat, action.how, cited.clause, cited.reading) for box in boxes
    ]
    if action.how == "play_on":
        return events
    return because(cited, [*events, *_forfeit_all(state, boxes, "left", cited)])


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """Which findings may be made now, and who may leave."""
    rules = tuple(state.rules.conduct) if state.cards.dealt else ()
    harmless = tuple([name for name in rules if state.rules.conduct[name].penalty is None])
    for box in state.boxes:
        boxes = _boxes_of_player(state, box.seat)
        broken = harmless if _is_out(state, boxes) else rules
        if broken:
            yield offer("find_conduct", seat=box.seat, rule=broken)
        if state.at.kind != "close" and _leaving_problem(state, box.seat, boxes) is None:
            yield offer("leave", seat=box.seat, how=("abandon", "play_on"))
