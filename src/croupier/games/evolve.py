"""How each event changes a round. Events are facts: nothing here checks them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import count as numbers
from typing import Any, Final

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.games.dispatch import closed
from croupier.games.progress import onward
from croupier.games.round import (
    Box,
    DealtCards,
    Faces,
    Round,
    box_at,
    boxes_of,
    open_round,
    plays,
)
from croupier.games.rules import Rules, plan_of
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName

__all__ = ["EVOLVE", "evolve", "rebuild", "with_award_rejected"]


def evolve(state: Round, event: round_events.Event) -> Round:
    """The round after an event."""
    return EVOLVE[type(event)](state, event)


def rebuild(house: HouseRules, events: Iterable[round_events.Event]) -> Round:
    """Replay events from the opening of a round."""
    state = open_round(house)
    for event in events:
        state = evolve(state, event)
    return state


def _with_box(state: Round, seat: int, **changes: Any) -> tuple[Box, ...]:
    return tuple([replace(box, **changes) if box.seat == seat else box for box in state.boxes])


def _without_stake(box: Box, wager: WagerName) -> tuple[tuple[WagerName, Cents], ...]:
    return tuple([stake for stake in box.staked if stake[0] != wager])


def _with_stake(box: Box, wager: WagerName, amount: Cents) -> tuple[tuple[WagerName, Cents], ...]:
    if box.stake(wager) is None:
        return (*box.staked, (wager, amount))
    return tuple([(name, amount if name == wager else before) for name, before in box.staked])


def _wager_placed(state: Round, event: round_events.WagerPlaced) -> Round:
    box = box_at(state, event.seat)
    if box is not None:
        staked = _with_stake(box, event.wager, event.amount)
        return replace(state, boxes=_with_box(state, event.seat, staked=staked))
    mine = boxes_of(state, event.patron)
    player = mine[0].player if mine else _new_player(state, event.seat)
    new = Box(event.seat, player, ((event.wager, event.amount),))
    boxes = tuple(sorted((*state.boxes, new), key=lambda box: box.seat))
    faces = state.faces
    if not mine and event.patron != f"seat {player}":
        faces = faces.but(patrons=(*faces.patrons, (player, event.patron)))
    return replace(state, boxes=boxes, faces=faces)


def _new_player(state: Round, seat: int) -> int:
    """The number of a new player: the seat, unless the player who first opened that box still plays another."""
    taken = {box.player for box in state.boxes}
    return next(number for number in numbers(seat, _MOST_SEATS) if number not in taken)


_MOST_SEATS: Final = 100


def _wager_removed(state: Round, event: round_events.WagerTakenBack | round_events.WagerReturned) -> Round:
    boxes, faces = [], state.faces
    for box in state.boxes:
        if box.seat == event.seat:
            left = _without_stake(box, event.wager)
            metered = state.rules.metered
            registered = box.registered and (metered is None or event.wager != metered.name)
            if isinstance(event, round_events.WagerTakenBack) and event.changed:
                left = box.staked  # the new amount replaces it at once
            if left:
                boxes.append(replace(box, staked=left, registered=registered))
        else:
            boxes.append(box)
    proceedings, act = state.proceedings, state.at.act
    if proceedings.lammers is not None and act is not None and act.offered == event.wager:
        proceedings = replace(proceedings, lammers=proceedings.lammers - 1)
    players = {box.player for box in boxes}
    if faces.patrons and not all(player in players for player, _ in faces.patrons):
        faces = faces.but(patrons=tuple([patron for patron in faces.patrons if patron[0] in players]))
    return onward(state.rules, state.at, state.turn, tuple(boxes), state.cards, proceedings, faces)


def _coupon_placed(state: Round, event: round_events.CouponPlaced) -> Round:
    return replace(state, boxes=_with_box(state, event.seat, coupon=event.value))


def _coupon_taken_back(state: Round, event: round_events.CouponTakenBack) -> Round:
    return replace(state, boxes=_with_box(state, event.seat, coupon=Cents(0)))


def _wager_registered(state: Round, event: round_events.WagerRegistered) -> Round:
    return replace(state, boxes=_with_box(state, event.seat, registered=True))


def _act_performed(state: Round, event: round_events.ActPerformed) -> Round:
    cards, proceedings, at, faces = state.cards, state.proceedings, state.at, state.faces
    if at.kind == "wagers":
        cards, at = _planned(state), state.rules.stages[1]
        faces = faces.but(known=(None,) * len(cards.plan.places))
    if event.act == "place_lammers":
        proceedings = replace(proceedings, lammers=event.number)
    return onward(state.rules, state.rules.stages[at.index + 1], 0, state.boxes, cards, proceedings, faces)


def _planned(state: Round) -> DealtCards:
    """The places for the cards of this round, once bets are closed."""
    rules, seats = state.rules, tuple([box.seat for box in state.boxes])
    staked = frozenset([name for box in state.boxes for name, _ in box.staked if rules.judged[name] == "own_and_box"])
    return DealtCards(plan_of(rules, seats, staked))


def _nothing_changes(state: Round, _: round_events.Event) -> Round:
    return state


def _meter_raised(state: Round, event: round_events.MeterRaised) -> Round:
    raised = dict(state.proceedings.raised)
    raised[event.meter] = raised.get(event.meter, 0) + event.units
    return replace(state, proceedings=replace(state.proceedings, raised=tuple(sorted(raised.items()))))


def _cards_dealt(state: Round, event: round_events.CardsDealt) -> Round:
    dealt = state.cards.dealt + event.number
    cards = replace(state.cards, dealt=dealt)
    at = state.rules.stages[state.at.index + (dealt == len(cards.plan.places))]
    return onward(state.rules, at, 0, state.boxes, cards, state.proceedings, state.faces)


def _card_set_aside(state: Round, event: round_events.CardSetAside) -> Round:
    return replace(state, faces=state.faces.but(aside=(*state.faces.aside, event.card)))


def _cards_identified(state: Round, event: round_events.CardsIdentified) -> Round:
    faces, first, after = state.faces, event.place, event.place + len(event.cards)
    known = faces.known[:first] + event.cards + faces.known[after:]
    salts = faces.salts
    if event.salts:
        salts = salts or (b"",) * len(known)
        salts = salts[:first] + event.salts + salts[after:]
    if not faces.awaiting_identity:
        return replace(state, faces=Faces(known, (), faces.aside, salts, faces.patrons))
    unknown = tuple([place for place in faces.awaiting_identity if not first <= place < after])
    done = not unknown and state.at.kind == "reveal"
    at, turn = (state.rules.stages[state.at.index + 1], 0) if done else (state.at, state.turn)
    faces = Faces(known, unknown, faces.aside, salts, faces.patrons)
    return onward(state.rules, at, turn, state.boxes, state.cards, state.proceedings, faces)


def _card_corrected(state: Round, event: round_events.CardCorrected) -> Round:
    known = state.faces.known
    known = (*known[: event.place], event.card, *known[event.place + 1 :])
    salts = state.faces.salts
    if event.salt:
        salts = salts or (b"",) * len(known)
        salts = (*salts[: event.place], event.salt, *salts[event.place + 1 :])
    return replace(state, faces=state.faces.but(known=known, salts=salts))


def _cards_revealed(state: Round, event: round_events.CardsRevealed) -> Round:
    cards, faces = state.cards, state.faces
    known = faces.known
    unknown = tuple([place for place in event.places if known[place] is None])
    cards = DealtCards(cards.plan, cards.dealt, cards.up | frozenset(event.places), cards.rack)
    if unknown:
        faces = faces.but(awaiting_identity=unknown)
    elif state.at.kind == "reveal":
        following = state.rules.stages[state.at.index + 1]
        return onward(state.rules, following, 0, state.boxes, cards, state.proceedings, faces)
    return Round(state.rules, state.at, state.turn, state.boxes, cards, state.proceedings, faces)


def _decision_made(state: Round, event: round_events.DecisionMade) -> Round:
    turn, boxes = state.turn, state.boxes
    box = boxes[turn]
    if event.amount:
        box = replace(box, staked=(*box.staked, (event.decision, event.amount)))
    elif event.choice == "fold":
        box = replace(box, folded_on=event.decision)
    elif event.choice == "withdraw":
        box = replace(box, withdrawn=(*box.withdrawn, event.decision))
    boxes = boxes[:turn] + (box,) + boxes[turn + 1 :]  # noqa: RUF005 - the fastest way, at every move
    if turn + 1 < len(boxes) and plays(boxes[turn + 1]):
        return Round(state.rules, state.at, turn + 1, boxes, state.cards, state.proceedings, state.faces)
    return onward(state.rules, state.at, turn + 1, boxes, state.cards, state.proceedings, state.faces)


def _hand_settled(state: Round, event: round_events.HandSettled) -> Round:
    boxes, seat, place = state.boxes, event.seat, 0
    for index, box in enumerate(boxes):
        if box.seat == seat:
            place = index
            new = replace(box, results=box.results + event.wagers, coupon_result=event.coupon or box.coupon_result)
            boxes = boxes[:index] + (new,) + boxes[index + 1 :]  # noqa: RUF005 - the fastest way, at every turn
    proceedings, at, turn = state.proceedings, state.at, state.turn
    if event.what != "immediate":
        proceedings = replace(proceedings, turns=(*proceedings.turns, (event.what, event.seat)), meters=())
        at = at if at.settles == event.what else state.rules.settling(event.what)
        turn = len(boxes) - place
    elif proceedings.meters:
        proceedings = replace(proceedings, meters=())  # a meter is read for one turn only
    return onward(state.rules, at, turn, boxes, state.cards, proceedings, state.faces)


def _envy_settled(state: Round, event: round_events.EnvySettled) -> Round:
    paid = dict(event.paid)
    boxes = tuple([replace(box, envy=paid.get(box.seat, ())) for box in state.boxes])
    proceedings = replace(state.proceedings, turns=(*state.proceedings.turns, ("envy", 0)))
    following = state.rules.stages[state.rules.settling("envy").index + 1]
    return onward(state.rules, following, 0, boxes, state.cards, proceedings, state.faces)


def with_award_rejected(state: Round, seat: int) -> Round:
    """The round after a hand's award was rejected: it is not paid, and where only a win pays envy, no envy is."""
    return replace(state, boxes=_with_box(state, seat, rejected=True))


def _settlement_reversed(state: Round, event: round_events.SettlementReversed) -> Round:
    reopened = {wager.wager for wager in event.wagers}
    boxes = []
    for box in state.boxes:
        if box.seat == event.seat:
            kept = tuple([wager for wager in box.results if wager.wager not in reopened])
            coupon = None if event.coupon else box.coupon_result
            box = replace(box, results=kept, coupon_result=coupon, rejected=False)  # noqa: PLW2901 - the box as it is now
        boxes.append(_without_envy(box, event))
    at, turn, proceedings = state.at, state.turn, state.proceedings
    if event.what == "immediate":
        proceedings = replace(
            proceedings, turns=tuple([turn for turn in proceedings.turns if _still_stands(state.rules, boxes, *turn)])
        )
    else:
        at = state.rules.settling(event.what)
        turn = 0 if event.what == "envy" else [box.seat for box in reversed(boxes)].index(event.seat)
        proceedings = replace(proceedings, turns=proceedings.turns[:-1], meters=())
    return Round(state.rules, at, turn, tuple(boxes), state.cards, proceedings, state.faces)


def _without_envy(box: Box, event: round_events.SettlementReversed) -> Box:
    back = [bonus for seat, bonuses in event.envy if seat == box.seat for bonus in bonuses]
    if event.what == "envy":
        return replace(box, envy=())
    return replace(box, envy=tuple([bonus for bonus in box.envy if bonus not in back])) if back else box


def _still_stands(rules: Rules, boxes: Iterable[Box], what: str, seat: int) -> bool:
    """Whether anything settled at a turn is still in effect and could be reversed."""
    if what == "envy":
        return any(box.envy for box in boxes)
    return any(
        wager.outcome in {"win", "lose", "push"} and (wager.wager in rules.last) == (what == "last")
        for box in boxes
        if box.seat == seat
        for wager in box.results
    )


def _meter_read(state: Round, event: round_events.MeterRead) -> Round:
    return replace(state, proceedings=replace(state.proceedings, meters=((event.meter, event.shown),)))


def _cards_racked(state: Round, event: round_events.CardsRacked) -> Round:
    cards = state.cards
    return replace(state, cards=DealtCards(cards.plan, cards.dealt, cards.up, cards.rack + event.places))


_WIDTH: Final[dict[str, int]] = {"nothing": 0, "box_wagers": 1, "hand": 2, "main_wagers": 3, "round": 4}


def _irregularity_ruled(state: Round, event: round_events.IrregularityRuled) -> Round:
    proceedings, at, turn, boxes, faces = state.proceedings, state.at, state.turn, state.boxes, state.faces
    wider = _WIDTH[event.void] > _WIDTH[proceedings.void]
    proceedings = replace(
        proceedings, ruled=(*proceedings.ruled, event.irregularity), void=event.void if wider else proceedings.void
    )
    if event.irregularity == "wrong_count_player":
        boxes = _with_box(state, event.seat, flawed=True)
    goes_to = {"main_wagers": "settle", "round": "close"}.get(event.void if wider else "nothing")
    if goes_to:
        at = next(stage for stage in state.rules.stages if stage.kind == goes_to)
        turn, faces = 0, faces.but(awaiting_identity=())
    return Round(state.rules, at, turn, boxes, state.cards, proceedings, faces)


def _player_left(state: Round, event: round_events.PlayerLeft) -> Round:
    return replace(state, boxes=_with_box(state, event.seat, absent=True))


def _hand_removed(state: Round, event: round_events.HandRemoved) -> Round:
    boxes = _with_box(state, event.seat, out=event.out)
    return onward(state.rules, state.at, state.turn, boxes, state.cards, state.proceedings, state.faces)


def _raise_changed(state: Round, event: round_events.RaiseReduced | round_events.RaiseRestored) -> Round:
    box = box_at(state, event.seat)
    staked = box.staked if box else ()
    left = tuple([(name, event.amount if name == event.wager else amount) for name, amount in staked])
    before = box.over_raise if box else Cents(0)
    over = (before or event.was) if isinstance(event, round_events.RaiseReduced) else Cents(0)
    return replace(state, boxes=_with_box(state, event.seat, staked=left, over_raise=over))


def _round_closed(state: Round, _: round_events.RoundClosed) -> Round:
    return replace(state, at=state.rules.stages[-1])


_HANDLERS: Final[dict[type, Callable[[Round, Any], Round]]] = {
    round_events.WagerPlaced: _wager_placed,
    round_events.WagerTakenBack: _wager_removed,
    round_events.WagerReturned: _wager_removed,
    round_events.CouponPlaced: _coupon_placed,
    round_events.CouponTakenBack: _coupon_taken_back,
    round_events.WagerRegistered: _wager_registered,
    round_events.ActPerformed: _act_performed,
    round_events.CountMismatched: _nothing_changes,
    round_events.MeterRaised: _meter_raised,
    round_events.CardsDealt: _cards_dealt,
    round_events.CardSetAside: _card_set_aside,
    round_events.CardsIdentified: _cards_identified,
    round_events.CardCorrected: _card_corrected,
    round_events.CardsViewed: _nothing_changes,
    round_events.CardsRevealed: _cards_revealed,
    round_events.DecisionMade: _decision_made,
    round_events.HandAnnounced: _nothing_changes,
    round_events.HandLeftExposed: _nothing_changes,
    round_events.HandSettled: _hand_settled,
    round_events.EnvySettled: _envy_settled,
    round_events.SettlementReversed: _settlement_reversed,
    round_events.MeterRead: _meter_read,
    round_events.CardsRacked: _cards_racked,
    round_events.IrregularityRuled: _irregularity_ruled,
    round_events.ConductFound: _nothing_changes,
    round_events.PlayerLeft: _player_left,
    round_events.HandRemoved: _hand_removed,
    round_events.RaiseReduced: _raise_changed,
    round_events.RaiseRestored: _raise_changed,
    round_events.RoundClosed: _round_closed,
}
EVOLVE: Final = closed(_HANDLERS, round_events.Event)
"""What each event does."""
