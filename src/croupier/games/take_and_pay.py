"""Settlement as moves: the dealer takes and pays hand by hand, then envy, then the wagers that come last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.closing_bets import contributions, stakes_fed
from croupier.games.envy import envy_of
from croupier.games.judging import EVALUATORS
from croupier.games.offers import Offer, offer, refuse
from croupier.games.payouts import Showdown, settle_coupon, settle_hand
from croupier.games.racking import racked_by, to_rack
from croupier.games.raising import over_raise, raise_limit, raise_problem, raise_stakes
from croupier.games.results import WagerSettled
from croupier.games.round import Box, Round, hand_of, open_wagers, showdown_of, table_cards_of, voided_by
from croupier.games.rules import Rules
from croupier.games.settlement_turn import SettlementTurn, hands_needed, next_turn, wagers_due
from croupier.hands import hand_code
from croupier.money import MOST, Cents
from croupier.progressive import meters_showing
from croupier.rulebook import Stakes
from croupier.rulebook.names import CardsJudged, Evaluator
from croupier.rulebook.schema import Cited

__all__ = ["offers"]


# --- settling


@clause("md-mississippi-stud 11.I(2)", "md-mississippi-stud 11.I(3)", "md-high-card-flush 11.B(6)")
@clause("md-let-it-ride .11E", "ma-mississippi-stud 10(i)", "ma-mississippi-stud 12(j)")
def settle_problem(state: Round, action: actions.Settle) -> RuleViolation | None:
    """Why this may not be settled now, or None."""
    turn = next_turn(state)
    if turn is not None and action.seat == turn.seat and action.what == turn.what:
        return _not_ready(state, turn) if turn.needs else None
    settlement = state.rules.house.rulebook.play.settlement
    if turn is None:
        return refuse("not_now", voided_by(state) or settlement, "the round is not ready to be settled")
    later = {"last": settlement.at_last, "envy": state.rules.house.rulebook.play.envy}
    return refuse("out_of_order", later.get(action.what) or settlement, f"{turn} is settled next")


def _not_ready(state: Round, turn: SettlementTurn) -> RuleViolation:
    settlement = state.rules.house.rulebook.play.settlement
    match turn.needs:
        case "reveal":
            return refuse("hand_not_turned_up", settlement.turn_up, f"turn up the hand of seat {turn.hand} first")
        case "card":
            return refuse("card_not_told", settlement.turn_up, f"identify the card at place {turn.place} first")
        case "meter":
            return refuse("meter_not_told", state.rules.metered or settlement, f"read the {turn.meter} meter first")
    limit = raise_limit(state.rules, hand_of(state, state.box).cards)
    return refuse("raise_above_limit", limit, "a floorperson must reduce the raise first", reading=73)


def settle(state: Round, action: actions.Settle) -> list[round_events.Event]:
    """Settle what is next: one hand, all envy, or the last wagers of one seat."""
    if action.what != "envy":
        return _settle_box(state, state.box, action.what)
    showdown = showdown_of(state)
    paid = [(hand.seat, envy_of(showdown, hand)) for hand in reversed(showdown.hands)]
    return [round_events.EnvySettled(tuple([(seat, bonuses) for seat, bonuses in paid if bonuses]))]


def _settle_box(state: Round, box: Box, what: Literal["hand", "last"]) -> list[round_events.Event]:
    rules, own, up = state.rules, state.cards.plan.own, state.cards.up
    events: list[round_events.Event] = []
    for needed in hands_needed(state, box):
        if own[needed.seat][0] not in up:
            events.append(_turned_up(state, needed.seat))  # noqa: PERF401 - a loop is faster for one hand
    special = rules.last or rules.raised or box.results or box.folded_on or box.coupon
    if not special and (judgments := _judgments(rules, box)):
        hand, seat = _settle_by_paytable(state, box, judgments), box.seat
        if hand.announced is not None:
            events.append(round_events.HandAnnounced(seat, hand.made, hand.announced))
        events.append(round_events.HandSettled(what, seat, hand.settled))
        if hand.racked is not None and own[seat][0] not in state.cards.rack:
            events.append(round_events.CardsRacked(own[seat], hand.racked.clause, hand.racked.reading))
        return events
    return [*events, *_settle_in_full(state, box, what)]


def _settle_in_full(state: Round, box: Box, what: Literal["hand", "last"]) -> list[round_events.Event]:
    """Settle a hand with everything that can affect it: folds, raises, coupons, meters, other players' wagers."""
    rules, hand = state.rules, hand_of(state, box)
    events: list[round_events.Event] = []
    if rules.raised and what == "hand" and (reduced := over_raise(state, box)):
        events.append(reduced)
        staked = tuple([(name, reduced.amount if name == reduced.wager else amount) for name, amount in hand.staked])
        hand = replace(hand, staked=staked)
    showdown = showdown_of(state) if rules.last else Showdown(rules, (), table_cards_of(state))
    read = dict(state.proceedings.meters)
    settled = settle_hand(showdown, hand, wagers_due(state, box), meters_showing(rules.house, read) if read else {})
    if rules.last:
        left = open_wagers(box)
        settled = tuple(
            [wager for wager in settled if wager.wager in left and (wager.wager in rules.last) == (what == "last")]
        )
    coupon = settle_coupon(rules, hand, settled) if box.coupon and what == "hand" else None
    if what == "hand" and (cited := _announced_by(rules)) is not None and box.folded_on is None and not box.out:
        events.append(round_events.HandAnnounced(box.seat, _main_hand(state, box), cited))
    events.append(round_events.HandSettled(what, box.seat, settled, coupon))
    if what == "hand":
        events += to_rack(state, box, settled)
    return events


def _announced_by(rules: Rules) -> str | None:
    """The clause that has the dealer announce each hand, where the document does."""
    cited = rules.house.rulebook.play.settlement.announced
    return cited.clause if cited is not None else None


def _main_hand(state: Round, box: Box) -> str:
    """What the cards of a box make in the main game."""
    rules, main = state.rules, state.rules.main
    places = state.cards.plan.judged[rules.judged[main.name], box.seat]
    cards = tuple([card for place in places if (card := state.faces.known[place]) is not None])
    return hand_code(EVALUATORS[main.evaluator](rules.house, cards).hand)


def _judgments(rules: Rules, box: Box) -> tuple[tuple[Evaluator, CardsJudged], ...]:
    """The evaluators and cards that the wagers of a box need, if paytables alone settle them."""
    judgments = rules.memo.judgments.get(box.staked)
    if judgments is None:
        needed = {rules.paytable_only.get(name) for name, _ in box.staked}
        judgments = tuple(sorted(pair for pair in needed if pair)) if None not in needed else ()
        rules.memo.judgments.keep(box.staked, judgments)
    return judgments


class _HandByPaytable(NamedTuple):
    """A hand settled by paytables alone, and what follows from it at any seat."""

    settled: tuple[WagerSettled, ...]
    made: str
    announced: str | None
    racked: Cited | None


def _settle_by_paytable(state: Round, box: Box, judgments: Sequence[tuple[Evaluator, CardsJudged]]) -> _HandByPaytable:
    """Settle a hand by paytables alone: equal stakes on equal hands pay equal cents, so each is worked out once."""
    rules, known, judged = state.rules, state.faces.known, state.cards.plan.judged
    parts: list[object] = [box.staked]
    for evaluator, which in judgments:
        cards = tuple([known[place] for place in judged[which, box.seat]])
        parts.append(EVALUATORS[evaluator](rules.house, cards))  # type: ignore[arg-type]
    key = tuple(parts)
    hand: _HandByPaytable | None = rules.memo.hands.get(key)
    if hand is None:
        showdown = Showdown(rules, (), table_cards_of(state))
        settled = settle_hand(showdown, hand_of(state, box), wagers_due(state, box), {})
        racked = racked_by(rules, box, settled)
        hand = _HandByPaytable(settled, _main_hand(state, box), _announced_by(rules), racked)
        rules.memo.hands.keep(key, hand)
    return hand


# --- turning up


def turn_up_problem(state: Round, action: actions.Reveal) -> RuleViolation | None:
    """Why a player's hand may not be turned up now, or None."""
    turn = next_turn(state)
    if turn is not None and action.seat == _hand_to_turn_up(state, turn) != 0:
        return None
    cited = voided_by(state) or state.rules.house.rulebook.play.settlement.turn_up
    return refuse("reveal_not_now", cited, f"seat {action.seat}'s hand is not the next to be turned up")


def turn_up(state: Round, action: actions.Reveal) -> list[round_events.Event]:
    """Turn up a player's hand."""
    return [_turned_up(state, action.seat)]


def _turned_up(state: Round, seat: int) -> round_events.CardsRevealed:
    cited = state.rules.house.rulebook.play.settlement.turn_up
    return round_events.CardsRevealed("player", seat, state.cards.plan.own[seat], cited.clause)


def _hand_to_turn_up(state: Round, turn: SettlementTurn) -> int:
    """The seat whose hand is turned up next, 0 if none; a known hand may also be turned up as it is settled."""
    if turn.what == "envy" or turn.needs == "card":
        return 0
    if turn.needs == "reveal":
        return turn.hand
    own, up = state.cards.plan.own, state.cards.up
    return next((box.seat for box in hands_needed(state, state.box) if own[box.seat][0] not in up), 0)


# --- meters and raises


def read_meter_problem(state: Round, action: actions.ReadMeter) -> RuleViolation | None:
    """Why a reading of a meter is not accepted, or None."""
    turn, cited = next_turn(state), _meter_rule(state)
    if turn is None or turn.needs != "meter" or turn.meter != action.meter:
        return refuse("not_now", cited, f"the {action.meter} meter is not due to be read now")
    if not _readings(state).admits(action.shown):
        words = "whole dollars" if _readings(state).increment > 1 else "dollars and cents"
        return refuse("no_amount", cited, f"a meter shows {words}, zero or more", reading=16)
    return None


def read_meter(state: Round, action: actions.ReadMeter) -> list[round_events.Event]:
    """Record what a meter shows at this turn."""
    cited = _meter_rule(state)
    return [round_events.MeterRead(action.meter, action.shown, cited.clause, cited.reading)]


def _meter_rule(state: Round) -> Cited:
    return state.rules.metered or state.rules.house.rulebook.play.settlement


def _readings(state: Round) -> Stakes:
    """The amounts a meter of this house can show (reading 16)."""
    unit = 100 if state.rules.house.options.meter_display_unit == "dollar" else 1
    return Stakes(Cents(0), MOST, Cents(unit))


def reduce_raise_problem(state: Round, action: actions.ReduceRaise) -> RuleViolation | None:
    """Why a raise may not be reduced to this amount, or None."""
    turn = next_turn(state)
    if turn is None or turn.needs != "raise" or turn.seat != action.seat:
        wagers, settlement = state.rules.wagers.values(), state.rules.house.rulebook.play.settlement
        cited = next((wager for wager in wagers if wager.stake == "raise"), settlement)
        return refuse("not_now", cited, "no raise is over the limit for its hand", reading=73)
    return raise_problem(state.rules, hand_of(state, state.box).cards, action.amount, state.box.main)


def reduce_raise(state: Round, action: actions.ReduceRaise) -> list[round_events.Event]:
    """Reduce a raise that the hand does not allow."""
    over = over_raise(state, state.box)
    if over is None:
        raise ValueError("no raise is over the limit for its hand")
    return [replace(over, amount=action.amount)]


# --- closing


def close_problem(state: Round, _: actions.Close) -> RuleViolation | None:
    """Why the round may not be closed yet, or None."""
    if state.at.kind == "close":
        return None
    return refuse("not_now", state.rules.house.rulebook.play.settlement, "the round is not settled yet")


def close(state: Round, _: actions.Close) -> list[round_events.Event]:
    """Feed the meters where that happens now, collect the last cards, and total what was staked and paid."""
    rules, rebuild = state.rules, state.rules.house.rulebook.play.rebuild
    events: list[round_events.Event] = []
    if rules.metered and rules.house.options.meter_increment == "at_close" and state.proceedings.void != "round":
        events += contributions(rules, stakes_fed(rules, [box for box in state.boxes if not _is_void(state, box)]))
    dealt, rack = state.cards.dealt, state.cards.rack
    left = tuple([place for place in state.cards.plan.rack_order if place < dealt and place not in rack])
    if left:
        events.append(round_events.CardsRacked(left, rebuild.clause, rebuild.reading))
    staked = paid = 0
    metered = rules.metered.name if rules.metered else None
    for box in state.boxes:
        for wager in box.results:
            staked += wager.staked
            paid += wager.returned + (0 if box.rejected and wager.wager == metered else wager.won)
        paid += sum([bonus.won for bonus in box.envy]) + (box.coupon_result.won if box.coupon_result else 0)
    events.append(round_events.RoundClosed(Cents(staked), Cents(paid), rebuild.clause, rebuild.reading))
    return events


def _is_void(state: Round, box: Box) -> bool:
    """Whether the progressive wager of a box is void."""
    name = state.rules.metered.name if state.rules.metered else ""
    return any(wager.wager == name and wager.outcome == "void" for wager in box.results)


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """What may be done in settlement now."""
    turn = next_turn(state)
    if turn is not None:
        if not turn.needs:
            yield offer("settle", what=turn.what, seat=turn.seat)
        if turn.needs == "meter":
            yield offer("tell_meter", meter=turn.meter, shown=_readings(state))
        if turn.needs == "raise":
            for stakes in raise_stakes(state.rules, hand_of(state, state.box).cards, state.box.main):
                if reduce_raise_problem(state, actions.ReduceRaise(turn.seat, stakes.minimum)) is None:
                    yield offer("reduce_raise", seat=turn.seat, amount=stakes)
        if seat := _hand_to_turn_up(state, turn):
            yield offer("reveal", slot="player", seat=seat)
    if state.at.kind == "close":
        yield offer("close")
