"""Settlement as moves: one hand after another from the dealer's right, then envy, then the wagers that come last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.evolve import next_turn_in
from croupier.games.offers import Offer, offer, refuse
from croupier.games.payouts import EVALUATORS, Showdown, envy_of, forfeited, settle_coupon, settle_hand, share_won
from croupier.games.playing import raise_limit, raise_problem, raise_stakes
from croupier.games.racking import collected_by, counts_at_last, to_rack
from croupier.games.results import WagerSettled
from croupier.games.round import (
    Box,
    Round,
    hand_of,
    layout_of,
    open_wagers,
    shown_of,
    voided_by,
)
from croupier.games.rules import Rules
from croupier.games.wagering import contributions, raised_by
from croupier.hands import hand_code
from croupier.money import MOST, Cents
from croupier.progressive import meters_showing
from croupier.rulebook import Stakes
from croupier.rulebook.names import CardsJudged, Evaluator, WagerName
from croupier.rulebook.schema import Cited

__all__ = ["SettlementTurn", "next_turn", "offers", "past_envy"]

_OWN: Final = {"own", "own_and_community", "own_and_box"}


class SettlementTurn(Struct, frozen=True, gc=False):
    """What is settled next, and what must be known before."""

    what: Literal["hand", "envy", "last"]
    seat: int
    needs: Literal["", "reveal", "card", "meter", "raise"] = ""
    of: int | str = 0
    """The seat to turn up, the place to tell, or the meter to ask."""
    hands: Sequence[Box] = ()
    """The hands that decide it."""


def past_envy(state: Round) -> Round:
    """The round beyond the turn of envy, where no hand brings any: folds look at no card, so they stop there."""
    if state.at.kind != "settle" or state.turn != len(state.boxes) or _is_envy_due(state):
        return state
    turn = next_turn_in(state.rules, state.turn + 1, state.boxes, state.desk)
    if turn <= 2 * len(state.boxes):
        return replace(state, turn=turn)
    return replace(state, at=state.rules.stages[state.at.index + 1], turn=0)


def _is_envy_due(state: Round) -> bool:
    """Whether any hand brings envy; one whose award was rejected has its turn too, and pays nothing."""
    layout = layout_of(state)
    asked = replace(layout, hands=[replace(hand, rejected=False) for hand in layout.hands])
    return any(envy_of(asked, hand) for hand in asked.hands)


def next_turn(state: Round) -> SettlementTurn | None:
    """Whose turn it is, and what is still missing for it."""
    if state.at.kind != "settle":
        return None
    rules, faces = state.rules, state.faces
    if faces.turning:
        return SettlementTurn(*_who(state), "card", faces.turning[0])
    if state.turn == len(state.boxes):
        return SettlementTurn("envy", 0)
    box = _box_now(state)
    what: Literal["hand", "last"] = "hand" if state.turn < len(state.boxes) else "last"
    known, own = faces.known, state.cards.plan.own
    hands = _hands_needed(state, box)
    for one in hands:
        for place in own[one.seat]:
            if known[place] is None:
                return SettlementTurn(what, box.seat, "reveal", one.seat)
    if what == "hand":
        if rules.raised and rules.house.options.hcf_over_raise == "floor_decision" and _over_raise(state, box):
            return SettlementTurn(what, box.seat, "raise", box.seat)
        if rules.metered is not None and rules.metered.name in open_wagers(box):
            share = share_won(Showdown(rules, (), shown_of(state)), hand_of(state, box))
            if share is not None and share.meter not in dict(state.desk.meters):
                return SettlementTurn(what, box.seat, "meter", share.meter)
    return SettlementTurn(what, box.seat, "", 0, hands)


def _box_now(state: Round) -> Box:
    count = len(state.boxes)
    return state.boxes[count - 1 - state.turn if state.turn < count else 2 * count - state.turn]


def _who(state: Round) -> tuple[Literal["hand", "envy", "last"], int]:
    count, turn = len(state.boxes), state.turn
    if turn < count:
        return "hand", state.boxes[count - 1 - turn].seat
    return ("envy", 0) if turn == count else ("last", state.boxes[2 * count - turn].seat)


def _names(state: Round, box: Box) -> list[WagerName]:
    """The open wagers of a box that are settled together: the limit of a hand may reach one that comes last."""
    rules, left = state.rules, open_wagers(box)
    if not rules.last:
        return [name for name in rules.order if name in left]
    joint = any(name in rules.limited for name in rules.last if name in left)
    if state.turn < len(state.boxes):
        return [name for name in (*rules.order, *(rules.last if joint else ())) if name in left]
    done = {one.wager for one in box.results if one.outcome in {"win", "lose", "push"}}
    again = [name for name in rules.order if joint and name in rules.limited and name in done]
    return [*again, *(name for name in rules.last if name in left)]


def _hands_needed(state: Round, box: Box) -> list[Box]:
    """Whose cards decide what is settled now, from the dealer's right."""
    if not box.results and not state.rules.last and box.folded_on is None:
        return [box]
    rules, names = state.rules, _names(state, box)
    lost = box.folded_on is not None
    own = any(
        rules.judged[name] in _OWN and not (lost and forfeited(rules.house, rules.wagers[name])) for name in names
    )
    if any(rules.judged[name] == "best_at_table" for name in names):
        live = [one for one in state.boxes if counts_at_last(rules, one)]
        return [*reversed(live), *([box] if box not in live and own else [])]
    return [box] if own else []


# --- settling


@clause("md-mississippi-stud 11.I(2)", "md-mississippi-stud 11.I(3)", "md-high-card-flush 11.B(6)")
@clause("md-let-it-ride .11E", "ma-mississippi-stud 10(i)", "ma-mississippi-stud 12(j)")
def settle(state: Round, action: actions.Settle) -> list[round_events.Event]:
    turn = next_turn(state)
    if turn is None or action.seat != turn.seat or action.what != turn.what:
        settlement = state.rules.house.rulebook.play.settlement
        if turn is None:
            raise refuse("not_now", voided_by(state) or settlement, "the round is not ready to be settled")
        later = {"last": settlement.at_last, "envy": state.rules.house.rulebook.play.envy}
        cited = later.get(action.what) or settlement
        raise refuse("out_of_order", cited, f"{_say_turn(turn)} is settled next")
    if turn.needs:
        raise _not_ready(state, turn)
    if turn.what == "envy":
        layout = layout_of(state)
        paid = [(hand.seat, envy_of(layout, hand)) for hand in reversed(layout.hands)]
        return [round_events.EnvySettled(tuple([one for one in paid if one[1]]))]
    return _settle_box(state, _box_now(state), turn.what, turn.hands)


def _settle_box(
    state: Round, box: Box, what: Literal["hand", "last"], hands: Sequence[Box]
) -> list[round_events.Event]:
    rules, own, up = state.rules, state.cards.plan.own, state.cards.up
    found: list[round_events.Event] = []
    for one in hands:
        if own[one.seat][0] not in up:
            found.append(_turned_up(state, one.seat))  # noqa: PERF401 - a loop is faster for one hand
    if not (rules.last or rules.raised or box.results or box.folded_on or box.coupon) and (looks := _looks(rules, box)):
        plain, seat = _settle_plainly(state, box, looks), box.seat
        if plain.announced is not None:
            found.append(round_events.HandAnnounced(seat, plain.made, plain.announced))
        found.append(round_events.HandSettled(what, seat, plain.settled))
        if plain.racked is not None and own[seat][0] not in state.cards.rack:
            found.append(round_events.CardsRacked(own[seat], plain.racked.clause, plain.racked.reading))
        return found
    hand = hand_of(state, box)
    if rules.raised and what == "hand" and (limit := _over_raise(state, box)):
        found.append(limit)
        cut = tuple([(name, limit.amount if name == limit.wager else amount) for name, amount in hand.staked])
        hand = replace(hand, staked=cut)
    names = _names(state, box)
    layout = layout_of(state) if rules.last else Showdown(rules, (), shown_of(state))
    meters = meters_showing(rules.house, dict(state.desk.meters)) if state.desk.meters else {}
    settled = settle_hand(layout, hand, names, meters)
    if rules.last:
        left = open_wagers(box)
        settled = tuple([one for one in settled if one.wager in left and (one.wager in rules.last) == (what == "last")])
    coupon = settle_coupon(rules, hand, settled) if box.coupon and what == "hand" else None
    if what == "hand" and (cited := _announced(rules)) is not None and box.folded_on is None and not box.out:
        found.append(round_events.HandAnnounced(box.seat, _main_hand(state, box), cited))
    found.append(round_events.HandSettled(what, box.seat, settled, coupon))
    if what == "hand":
        found += to_rack(state, box, settled)
    return found


def _announced(rules: Rules) -> str | None:
    """The clause that has the dealer announce each hand, where the document does."""
    cited = rules.house.rulebook.play.settlement.announced
    return cited.clause if cited is not None else None


def _main_hand(state: Round, box: Box) -> str:
    """What the cards of a box make in the main game."""
    rules, main = state.rules, state.rules.main
    places = state.cards.plan.judged[rules.judged[main.name], box.seat]
    cards = tuple([card for place in places if (card := state.faces.known[place]) is not None])
    return hand_code(EVALUATORS[main.evaluator](rules.house, cards).hand)


def _looks(rules: Rules, box: Box) -> tuple[tuple[Evaluator, CardsJudged], ...]:
    """What the wagers of a box look at, if paytables alone settle them."""
    looks = rules.memo.judgements.get(box.staked)
    if looks is None:
        found = {rules.plain.get(name) for name, _ in box.staked}
        looks = tuple(sorted(one for one in found if one)) if None not in found else ()
        rules.memo.judgements.keep(box.staked, looks)
    return looks


class _Plain(NamedTuple):
    """A hand that paytables alone have settled, and what follows from that whoever holds it."""

    settled: tuple[WagerSettled, ...]
    made: str
    announced: str | None
    racked: Cited | None


def _settle_plainly(state: Round, box: Box, looks: Sequence[tuple[Evaluator, CardsJudged]]) -> _Plain:
    """Equal stakes on equal hands pay equal cents, so each such hand is worked out once for a house."""
    rules, known, judged = state.rules, state.faces.known, state.cards.plan.judged
    key: list[object] = [box.staked]
    for evaluator, which in looks:
        cards = tuple([known[place] for place in judged[which, box.seat]])
        key.append(EVALUATORS[evaluator](rules.house, cards))  # type: ignore[arg-type]
    hand = tuple(key)
    plain: _Plain | None = rules.memo.hands.get(hand)
    if plain is None:
        settled = settle_hand(Showdown(rules, (), shown_of(state)), hand_of(state, box), _names(state, box), {})
        racked = collected_by(rules, box, settled)
        plain = _Plain(settled, _main_hand(state, box), _announced(rules), racked)
        rules.memo.hands.keep(hand, plain)
    return plain


def _lies_down(state: Round, box: Box) -> bool:
    """Whether a hand still lies face down."""
    return state.cards.plan.own[box.seat][0] not in state.cards.up


def _turned_up(state: Round, seat: int) -> round_events.CardsRevealed:
    cited = state.rules.house.rulebook.play.settlement.turn_up
    return round_events.CardsRevealed("player", seat, state.cards.plan.own[seat], cited.clause)


def _over_raise(state: Round, box: Box) -> round_events.RaiseReduced | None:
    """A raise that the cards, once turned up, do not allow; the excess goes back (reading 73)."""
    rules = state.rules
    for name, amount in box.staked:
        if rules.wagers[name].stake == "raise" and name in open_wagers(box):
            ante = box.stake(rules.main.name) or Cents(0)
            limit = raise_limit(rules, hand_of(state, box).cards)
            most = Cents(limit.times * ante)
            if amount > most:
                return round_events.RaiseReduced(box.seat, name, amount, most, limit.clause, 73)
    return None


def turn_up(state: Round, action: actions.Reveal) -> list[round_events.Event]:
    if action.seat not in _to_turn_up(state):
        cited = voided_by(state) or state.rules.house.rulebook.play.settlement.turn_up
        raise refuse("reveal_not_now", cited, f"it is not the turn of seat {action.seat} to be turned up")
    return [_turned_up(state, action.seat)]


def _to_turn_up(state: Round) -> tuple[int, ...]:
    """The hand that is turned up next; one whose cards are known may also be turned up as it is settled."""
    turn = next_turn(state)
    if turn is None or turn.what == "envy" or turn.needs == "card":
        return ()
    if turn.needs == "reveal":
        return (int(turn.of),)
    down = [one.seat for one in _hands_needed(state, _box_now(state)) if _lies_down(state, one)]
    return tuple(down[:1])


def tell_meter(state: Round, action: actions.ReadMeter) -> list[round_events.Event]:
    turn = next_turn(state)
    cited = state.rules.house.rulebook.play.settlement
    if turn is None or turn.needs != "meter" or turn.of != action.meter:
        raise refuse("not_now", state.rules.metered or cited, f"the {action.meter} meter is not asked for now")
    if not 0 <= action.shown <= MOST or action.shown % _unit(state):
        words = "a meter shows an amount of money, here in whole dollars" if _unit(state) > 1 else "a meter shows money"
        raise refuse("no_amount", state.rules.metered or cited, words, reading=16)
    read = state.rules.metered or cited
    return [round_events.MeterRead(action.meter, action.shown, read.clause, read.reading)]


def _unit(state: Round) -> int:
    """The least that a meter of this house shows (reading 16)."""
    return 100 if state.rules.house.options.meter_display_unit == "dollar" else 1


def reduce_raise(state: Round, action: actions.ReduceRaise) -> list[round_events.Event]:
    turn = next_turn(state)
    cited = state.rules.house.rulebook.play.settlement
    if turn is None or turn.needs != "raise" or turn.seat != action.seat:
        raised = next((one for one in state.rules.wagers.values() if one.stake == "raise"), cited)
        raise refuse("not_now", raised, "no raise is above what its hand allows", reading=73)
    box = _box_now(state)
    over, ante = _over_raise(state, box), box.stake(state.rules.main.name) or Cents(0)
    if problem := raise_problem(state.rules, hand_of(state, box).cards, action.amount, ante):
        raise problem
    if over is None:
        raise ValueError("no raise is above what its hand allows")
    return [round_events.RaiseReduced(box.seat, over.wager, over.was, action.amount, over.clause, 73)]


def _not_ready(state: Round, turn: SettlementTurn) -> RuleViolation:
    settlement = state.rules.house.rulebook.play.settlement
    match turn.needs:
        case "reveal":
            return refuse("hand_not_turned_up", settlement.turn_up, f"the hand of seat {turn.of} is turned up first")
        case "card":
            return refuse("card_not_told", settlement.turn_up, f"which card lies at place {turn.of} is told first")
        case "meter":
            return refuse("meter_not_told", state.rules.metered or settlement, f"the {turn.of} meter is asked first")
    limit = raise_limit(state.rules, hand_of(state, _box_now(state)).cards)
    return refuse("raise_above_limit", limit, "a floorperson reduces the raise first", reading=73)


def _say_turn(turn: SettlementTurn) -> str:
    return {"hand": f"the hand of seat {turn.seat}", "envy": "envy"}.get(
        turn.what, f"the last wager of seat {turn.seat}"
    )


# --- closing


def close(state: Round, _: actions.Close) -> list[round_events.Event]:
    play = state.rules.house.rulebook.play
    if state.at.kind != "close":
        raise refuse("not_now", play.settlement, "a round is closed when everything is settled")
    found: list[round_events.Event] = []
    if state.rules.metered and state.rules.house.options.meter_increment == "at_close" and state.desk.void != "round":
        fed = [box for box in state.boxes if not _is_void(state, box)]
        found += contributions(state.rules, raised_by(state.rules, fed))
    dealt, rack = state.cards.dealt, state.cards.rack
    left = tuple([place for place in state.cards.plan.rack_order if place < dealt and place not in rack])
    if left:
        found.append(round_events.CardsRacked(left, play.rebuild.clause, play.rebuild.reading))
    staked = paid = 0
    metered = state.rules.metered.name if state.rules.metered else None
    for box in state.boxes:
        for one in box.results:
            staked += one.staked
            paid += one.returned + (0 if box.rejected and one.wager == metered else one.won)
        paid += sum([one.won for one in box.envy]) + (box.coupon_result.won if box.coupon_result else 0)
    found.append(round_events.RoundClosed(Cents(staked), Cents(paid), play.rebuild.clause, play.rebuild.reading))
    return found


def _is_void(state: Round, box: Box) -> bool:
    name = state.rules.metered.name if state.rules.metered else ""
    return any(one.wager == name and one.outcome == "void" for one in box.results)


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """What may be done in settlement now."""
    turn = next_turn(state)
    if turn is not None:
        match turn.needs:
            case "":
                yield offer("settle", what=turn.what, seat=turn.seat)
            case "meter":
                yield offer("tell_meter", meter=turn.of, shown=Stakes(Cents(0), MOST, Cents(_unit(state))))
            case "raise":
                box = _box_now(state)
                for stakes in raise_stakes(state.rules, hand_of(state, box).cards, box.staked[0][1]):
                    yield offer("reduce_raise", seat=turn.seat, amount=stakes)
        for seat in _to_turn_up(state):
            yield offer("reveal", slot="player", seat=seat)
    if state.desk.turns and state.at.kind in {"settle", "close"}:
        yield offer("reverse_settlement")
    if state.at.kind == "close":
        yield offer("close")
