"""Officers' acts: irregularities with the scope that the document gives, conduct, leaving, corrected cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from croupier.citing import clause
from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.evolve import evolve
from croupier.games.offers import CardsOf, Offer, offer, refuse
from croupier.games.payouts import settle_coupon, without
from croupier.games.playing import check_unseen, unseen
from croupier.games.results import Cause, Outcome, WagerSettled
from croupier.games.reversing import envy_back, restored, reversals, settled_at_last
from croupier.games.round import Box, Round, Void, box_at, hand_of, open_wagers, own_places, voided_by
from croupier.games.wagering import contributions
from croupier.money import Cents
from croupier.rulebook.names import Slot, WagerName
from croupier.rulebook.schema import Cited, Conduct
from croupier.rulebook.schema import Irregularity as Row

__all__ = ["offers"]

IN_A_ROUND: Final = {"deal", "decide", "announce", "reveal", "settle", "close"}
_ALL_VOID: Final = {"round", "main_wagers"}
"""Rulings after which no hand is left."""
_OF_A_SEAT: Final = {"wrong_count_player", "player_card_flashed"}
_BY_SETTING_ASIDE: Final = {"one_card_face_up", "card_drawn_seen"}
"""Irregularities that are ruled on by setting a card aside."""


class _Consequence(NamedTuple):
    void: Void
    cards: str
    side_wagers: str


def _row(state: Round, event: str) -> Row | None:
    """What the document says about an irregularity, if it can befall this house."""
    row, deal = _of_the_document(state, event), state.rules.house.deal
    return row if row is not None and (not row.deal or deal in row.deal) else None


def _of_the_document(state: Round, event: str) -> Row | None:
    rows = state.rules.house.rulebook.irregularities.irregularity
    return next((one for one in rows if one.event == event), None)


def _consequence(state: Round, row: Row) -> _Consequence:
    """What a document's rule comes to in this house: an option of the readings may change it."""
    other = row.instead
    if other is not None and state.rules.house.options.named(other.option) == other.value:
        return _Consequence(other.void, other.cards, "void")
    return _Consequence(row.void, row.cards, row.side_wagers)


# --- irregularities


def _early(slot: Slot) -> Callable[[Round], bool]:
    """Whether cards of a slot lie on the table whose turn to be shown is still to come (readings 102, 139)."""

    def lies_hidden(state: Round) -> bool:
        coming = [one.reveal for one in state.rules.stages[state.at.index + 1 :] if one.reveal is not None]
        return _has(slot)(state) and any(reveal.slot == slot for reveal in coming)

    return lies_hidden


def _before_the_last_decision(state: Round) -> bool:
    """Reading 138."""
    return _has("dealer")(state) and any(one.choice is not None for one in state.rules.stages[state.at.index :])


def _dealing(state: Round) -> bool:
    return state.at.kind == "deal"


def _dealt(state: Round) -> bool:
    return 0 < state.cards.dealt == len(state.cards.plan.places)


def _begun(state: Round) -> bool:
    return state.cards.dealt > 0


def _has(slot: Slot) -> Callable[[Round], bool]:
    return lambda state: any(place < state.cards.dealt for place in state.cards.plan.slots.get(slot, ()))


_MOMENTS: Final[dict[str, Callable[[Round], bool]]] = {
    "cards_face_up": _dealing,
    "card_drawn_unseen": _dealing,
    "player_card_flashed": _begun,
    "wrong_count_player": _begun,
    "wrong_count_community": _has("community"),
    "wrong_count_box": _has("six_card_box"),
    "wrong_count_dealer": _has("dealer"),
    "stub_wrong_misdealt": _dealt,
    "stub_wrong_deck": _dealt,
    "community_exposed": _early("community"),
    "box_exposed": _early("six_card_box"),
    "dealer_exposed": _before_the_last_decision,
    "shoe_failed": _dealing,
    "shoe_failed_after_deal": _dealt,
    "foreign_card": _begun,
}
"""When each irregularity can befall a round; those that are not here never touch one."""
RULED: Final = frozenset(_MOMENTS)
"""The irregularities that can be ruled on."""


def rule(state: Round, action: actions.Rule) -> list[round_events.Event]:
    row = _row(state, action.irregularity)
    if row is None or action.irregularity not in {*_MOMENTS, *_BY_SETTING_ASIDE}:
        rows = state.rules.house.rulebook.irregularities.irregularity
        cited = _of_the_document(state, action.irregularity) or rows[0]
        raise refuse(
            "no_such_irregularity", cited, f"{_say(action.irregularity)} is no matter of a round here: {_listed(state)}"
        )
    if not _can_be_ruled(state, action.irregularity):
        message = f"{_say(action.irregularity)} cannot have happened now: {_listed(state)}"
        raise refuse("not_now", row, message)
    if (action.irregularity in _OF_A_SEAT) != (box_at(state, action.seat) is not None) or (
        action.irregularity not in _OF_A_SEAT and action.seat
    ):
        words = "names the seat it befell" if action.irregularity in _OF_A_SEAT else "befalls the whole table"
        raise refuse("no_such_seat", row, f"{_say(action.irregularity)} {words}")
    return (
        _ruled(state, row, action.seat) if _may_be(state, action.irregularity) else [_recorded(state, row, action.seat)]
    )


def _can_be_ruled(state: Round, name: str) -> bool:
    """Whether an irregularity can have happened by now; once the round is void, any is recorded (reading 183)."""
    if state.at.kind not in IN_A_ROUND or _row(state, name) is None:
        return False
    return state.desk.void in _ALL_VOID or _may_be(state, name)


def _may_be(state: Round, name: str) -> bool:
    return name in _MOMENTS and _MOMENTS[name](state)


def _recorded(state: Round, row: Row, seat: int) -> round_events.IrregularityRuled:
    """A record of what was found too late to void anything more (readings 132, 183)."""
    cited = row.on(state.rules.house.deal)
    cards = _consequence(state, row).cards
    return round_events.IrregularityRuled(row.event, seat, "nothing", cards, cited.clause, cited.reading or row.reading)


def _listed(state: Round) -> str:
    """What can be ruled on now; a wrong stub is found by counting it."""
    names = [name for name in (*_MOMENTS, *sorted(_BY_SETTING_ASIDE)) if _can_be_ruled(state, name)]
    listed = ", ".join(name for name in names if not name.startswith("stub_"))
    return f"now it may be {listed}" if listed else "nothing can be ruled on now"


def _ruled(state: Round, row: Row, seat: int) -> list[round_events.Event]:
    """The ruling and what follows from it; of several in a round the widest counts (reading 183)."""
    effect = _consequence(state, row)
    if effect.void == "nothing" or state.desk.void == "round":
        return [_recorded(state, row, seat)]
    cited = row.on(state.rules.house.deal)
    reading = cited.reading or row.reading
    said = round_events.IrregularityRuled(row.event, seat, effect.void, effect.cards, cited.clause, reading)
    found: list[round_events.Event] = [*_turned_back(state, effect.void, seat), said]
    if effect.void == "hand" and (own := box_at(state, seat)) is not None and own.out != "void":
        found.append(round_events.HandRemoved(seat, "void"))
    after = _fold(state, found)
    voided: list[round_events.Event] = []
    for box in after.boxes:
        names = _voided(after, box, effect, seat)
        voided += _void(after, box, names, Cited(clause=cited.clause, reading=reading))
    if not voided and state.desk.void == effect.void:
        return [_recorded(state, row, seat)]
    cause = Cited(clause=cited.clause, reading=reading)
    return [*_because(cause, [*found, *voided]), *_contributions_back(_fold(after, voided), voided)]


def _because(cited: Cited, events: Sequence[round_events.Event]) -> list[round_events.Event]:
    """What is turned back or taken out, by the clause of its cause (reading 196)."""
    return [
        replace(event, clause=cited.clause, reading=cited.reading)
        if isinstance(event, round_events.SettlementReversed | round_events.RaiseRestored | round_events.HandRemoved)
        else event
        for event in events
    ]


def _turned_back(state: Round, void: Void, seat: int) -> list[round_events.Event]:
    """What was settled and does not stand: every turn of a void round, else only what rests on void hands (135)."""
    if void == "round":
        return list(reversals(state))
    if void == "main_wagers":
        return [
            one for one in reversals(state) if isinstance(one, round_events.SettlementReversed) and one.what == "envy"
        ]
    return [*_last_back(state, seat), *envy_back(state, {seat})] if void == "hand" else []


def _last_back(state: Round, seat: int) -> list[round_events.Event]:
    """Wagers on the best hand of the table that were settled, where the void hand was that best hand (reading 140)."""
    last = [one for one in reversals(state) if isinstance(one, round_events.SettlementReversed) and one.what == "last"]
    without_it = evolve(state, round_events.HandRemoved(seat, "void"))
    if not last or not any(settled_at_last(state, one.seat) != settled_at_last(without_it, one.seat) for one in last):
        return []
    return list(last)


def _fold(state: Round, events: Sequence[round_events.Event]) -> Round:
    for event in events:
        state = evolve(state, event)
    return state


def _voided(state: Round, box: Box, effect: _Consequence, seat: int) -> list[WagerName]:
    """Which wagers of a box a ruling voids (readings 136, 137, 140)."""
    judged, staked = state.rules.judged, [name for name, _ in box.staked]
    match effect.void:
        case "round":
            return staked
        case "hand":
            return [name for name in staked if box.seat == seat and judged[name] not in {"community", "best_at_table"}]
        case "box_wagers":
            return [name for name in staked if judged[name] == "own_and_box"]
    main = [name for name in staked if state.rules.wagers[name].paytables == "base"]
    complete = not box.flawed and all(place < state.cards.dealt for place in own_places(state, box.seat))
    return main if complete and effect.side_wagers != "void" else staked


def _void(state: Round, box: Box, names: Sequence[WagerName], cited: Cited) -> list[round_events.Event]:
    """The wagers go back; also those that were lost before, but not what was withdrawn or is void already."""
    stands = {one.wager for one in box.results if one.outcome in {"withdrawn", "void"}}
    names = [name for name in names if name not in stands]
    if not names:
        return []
    lost = tuple([one for one in box.results if one.wager in names])
    back = _results(state, box, names, "void", cited, cause="void")
    coupon = settle_coupon(state.rules, hand_of(state, box), back)
    found: list[round_events.Event] = []
    if lost:
        found.append(
            round_events.SettlementReversed("immediate", box.seat, lost, box.coupon_result if coupon else None)
        )
    return [*found, round_events.HandSettled("immediate", box.seat, back, coupon)]


def _results(
    state: Round, box: Box, names: Sequence[WagerName], outcome: Outcome, cited: Cited, *, cause: Cause, rule: str = ""
) -> tuple[WagerSettled, ...]:
    order = [name for name in (*state.rules.order, *state.rules.last) if name in names]
    return tuple(
        [
            without(
                state.rules.wagers[name],
                (stake := box.stake(name) or Cents(0)),
                outcome,
                cited,
                cause,
                rule=rule or None,
                returned=stake if outcome == "void" else Cents(0),
            )
            for name in order
        ]
    )


def _contributions_back(state: Round, events: Sequence[round_events.Event]) -> list[round_events.Event]:
    """What void stakes had added to the meters is taken off again, where the house does so (reading 20).

    A meter that has paid an award since, which stands, keeps it: somebody has won that share by now.
    """
    metered = state.rules.metered
    if metered is None or not state.desk.raised or state.rules.house.options.meter_on_void != "reverse":
        return []
    void = [
        one.staked
        for event in events
        if isinstance(event, round_events.HandSettled)
        for one in event.wagers
        if one.wager == metered.name and one.outcome == "void"
    ]
    standing = {one.award.meter for box in state.boxes for one in box.results if one.award is not None}
    back = contributions(state.rules, void, back=True)
    return [one for one in back if not (isinstance(one, round_events.MeterRaised) and one.meter in standing)]


def set_aside(state: Round, action: actions.SetAside) -> list[round_events.Event]:
    row = _row(state, action.irregularity)
    if row is None or row.card != "to_rack" or state.at.kind not in IN_A_ROUND or not _may_turn_up(state, row):
        cited = row or state.rules.script
        raise refuse("not_now", cited, "a card is set aside only while cards are dealt")
    if action.card is not None:
        check_unseen(state, (action.card,))
    if state.at.kind != "deal":
        return [_recorded(state, row, 0)]
    found: list[round_events.Event] = [
        round_events.CardSetAside(action.irregularity, action.card, row.clause, row.reading)
    ]
    several = _row(state, "cards_face_up")
    if state.faces.aside and several is not None:
        found += _ruled(evolve(state, found[0]), several, 0)  # a second one in the round (reading 133)
    return found


def _may_turn_up(state: Round, row: Row) -> bool:
    """Whether a card of the stub can be found: while cards are dealt; after that face up, or in a void round (132)."""
    return state.at.kind == "deal" or row.event == "one_card_face_up" or state.desk.void in _ALL_VOID


def correct_card(state: Round, action: actions.CorrectCard) -> list[round_events.Event]:
    if problem := _correction_problem(state, action.place):
        raise problem
    check_unseen(state, (action.card,))
    was = state.faces.known[action.place]
    if was is None:
        raise ValueError("a card that nobody told cannot be corrected")
    box = box_at(state, state.cards.plan.places[action.place].seat)
    cited = state.rules.house.rulebook.play.rebuild
    corrected = round_events.CardCorrected(action.place, was, action.card, clause=cited.clause, reading=147)
    return [corrected, *(restored(state, box) if box else ())]


def _correction_problem(state: Round, place: int) -> RuleViolation | None:
    """A card can be corrected while nothing that was settled depends on it (reading 147)."""
    cited = state.rules.house.rulebook.play.rebuild
    known = state.faces.known
    if state.at.kind not in IN_A_ROUND or not 0 <= place < len(known) or known[place] is None:
        return refuse("no_card_there", cited, "no card was told for this place", reading=147)
    seat = state.cards.plan.places[place].seat
    turns = state.desk.turns
    alone = seat and not any(name in state.rules.limited for name in state.rules.last)
    if turns and (not alone or ("hand", seat) in turns or any(what != "hand" for what, _ in turns)):
        return refuse("settled_on_it", cited, "what was settled on this card is turned back first", reading=147)
    return None


# --- conduct and leaving


@clause("md-mississippi-stud 11.A(5)", "ma-mississippi-stud 10(c)")
def find_conduct(state: Round, action: actions.FindConduct) -> list[round_events.Event]:
    found = _conduct(state, action.rule)
    if isinstance(found, RuleViolation):
        raise found
    boxes = _boxes_of(state, action.seat)
    if not boxes:
        raise refuse("no_such_seat", found, f"seat {action.seat} is not in this round")
    penalty = found.penalty
    if penalty is None:
        return [
            round_events.ConductFound(
                action.seat, action.rule, forfeits=False, clause=found.clause, reading=found.reading
            )
        ]
    if problem := _gone(state, boxes, found):
        raise problem
    late = _is_late(state, found, boxes)
    cited = Cited(clause=penalty.clause, reading=193) if late else penalty
    said = round_events.ConductFound(
        action.seat, action.rule, forfeits=True, clause=cited.clause, reading=cited.reading
    )
    back = envy_back(state, {box.seat for box in boxes})
    for box in boxes:
        back += _paid_back(state, box)
    after = _fold(state, back)
    boxes = _boxes_of(after, action.seat)
    return _because(cited, [said, *back, *_take_all(after, boxes, "conduct", cited, rule=action.rule)])


def _is_late(state: Round, rule: Conduct, boxes: Sequence[Box]) -> bool:
    """Whether a breach is found after the time in which it happened, or after the hand was settled (reading 193)."""
    places = state.cards.plan.slots.get("community", ())
    over = rule.until == "last_reveal" and bool(places) and state.cards.up.issuperset(places)
    settled = {seat for what, seat in state.desk.turns if what != "envy"}
    return over or any(box.seat in settled for box in boxes)


def _paid_back(state: Round, box: Box) -> list[round_events.Event]:
    """What the turns of a box have settled is open again, its coupon too."""
    turned = tuple([one for one in box.results if one.outcome in {"win", "lose", "push"}])
    if not turned:
        return []
    main = any(one.wager == state.rules.main.name for one in turned)
    return [round_events.SettlementReversed("immediate", box.seat, turned, box.coupon_result if main else None)]


def _conduct(state: Round, name: str) -> Conduct | RuleViolation:
    """The rule of conduct, if it binds now."""
    rules = state.rules.house.rulebook.play.conduct
    found = next((one for one in rules if one.rule == name), None)
    if found is None:
        return refuse("no_such_rule", rules[0], f"{name} is no rule of conduct: {', '.join(one.rule for one in rules)}")
    if state.at.kind not in IN_A_ROUND or not _begun(state):
        return refuse("not_now", found, "rules of conduct bind from the first card to the end of the round")
    return found


def _boxes_of(state: Round, seat: int) -> list[Box]:
    """All boxes of the patron at a seat."""
    box = box_at(state, seat)
    return [one for one in state.boxes if box is not None and one.player == box.player]


def _gone(state: Round, boxes: Sequence[Box], cited: Cited) -> RuleViolation | None:
    if any(box.out for box in boxes) or state.desk.void in _ALL_VOID:
        return refuse("no_hand", voided_by(state) or cited, "the hand is out of this round already")
    return None


def _out_problem(state: Round, boxes: Sequence[Box], cited: Cited) -> RuleViolation | None:
    if problem := _gone(state, boxes, cited):
        return problem
    settled = {seat for what, seat in state.desk.turns if what != "envy"}
    if any(box.seat in settled for box in boxes) or state.at.kind == "close":
        return refuse("already_settled", cited, "the hand is settled: that is turned back first", reading=147)
    return None


def _take_all(
    state: Round, boxes: Sequence[Box], out: Literal["conduct", "left"], cited: Cited, *, rule: str = ""
) -> list[round_events.Event]:
    """Every wager that is still open is lost."""
    found: list[round_events.Event] = []
    for box in boxes:
        lost = _results(state, box, open_wagers(box), "forfeit", cited, cause=out, rule=rule)
        found.append(round_events.HandRemoved(box.seat, out))
        if lost:
            found.append(
                round_events.HandSettled(
                    "immediate", box.seat, lost, settle_coupon(state.rules, hand_of(state, box), lost)
                )
            )
    return found


def leave(state: Round, action: actions.Leave) -> list[round_events.Event]:
    cited, boxes = state.rules.house.rulebook.wagers.leaving, _boxes_of(state, action.seat)
    if not boxes:
        raise refuse("no_such_seat", cited, f"seat {action.seat} is not in this round")
    if problem := _leave_problem(state, boxes):
        raise problem
    said: list[round_events.Event] = [
        round_events.PlayerLeft(box.seat, action.how, cited.clause, cited.reading) for box in boxes
    ]
    if action.how == "play_on":
        return said
    return _because(cited, [*said, *_take_all(state, boxes, "left", cited)])


def _leave_problem(state: Round, boxes: Sequence[Box]) -> RuleViolation | None:
    cited = state.rules.house.rulebook.wagers.leaving
    if state.at.kind not in IN_A_ROUND:
        return refuse("not_now", cited, "who leaves before the deal takes the bets back")
    if any(box.absent for box in boxes):
        return refuse("player_left", cited, "that player has left already")
    return _out_problem(state, boxes, cited)


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """Which rulings may be given now."""
    if state.at.kind not in IN_A_ROUND:
        return
    seats = tuple(box.seat for box in state.boxes)
    aside = sorted(_BY_SETTING_ASIDE)
    for name in (*_MOMENTS, *aside):
        if _can_be_ruled(state, name):
            yield offer("rule", irregularity=name, seat=seats if name in _OF_A_SEAT else 0)
    for name in aside:
        row = _row(state, name)
        if row is not None and _may_turn_up(state, row):
            yield offer("set_aside", irregularity=name, card=(None, *unseen(state)))
    yield from _correction_offers(state)
    rules = [_conduct(state, one.rule) for one in state.rules.house.rulebook.play.conduct]
    binding = [one for one in rules if isinstance(one, Conduct)]
    for box in state.boxes:
        boxes = _boxes_of(state, box.seat)
        leaves = _leave_problem(state, boxes) is None
        is_in = _gone(state, boxes, state.rules.main) is None
        open_to = tuple(one.rule for one in binding if one.penalty is None or is_in)
        if open_to:
            yield offer("find_conduct", seat=box.seat, rule=open_to)
        if leaves:
            yield offer("leave", seat=box.seat, how=("abandon", "play_on"))


def _correction_offers(state: Round) -> Iterator[Offer]:
    told = [place for place, card in enumerate(state.faces.known) if card is not None]
    places = tuple(place for place in told if _correction_problem(state, place) is None)
    if places:
        yield offer("correct_card", place=places, card=CardsOf(unseen(state), 1))


def _say(name: str) -> str:
    return name.replace("_", " ")
