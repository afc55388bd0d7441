"""Rulings on irregularities, each with the scope that the document gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from croupier.errors import RuleViolation
from croupier.games import actions
from croupier.games import events as round_events
from croupier.games.closing_bets import contributions
from croupier.games.corrections import envy_back, reversals, settled_at_last
from croupier.games.evolve import evolve
from croupier.games.offers import Offer, offer, refuse, spoken
from croupier.games.payouts import settle_coupon
from croupier.games.playing import unseen, unseen_problem
from croupier.games.round import ALL_VOID, IN_A_ROUND, Box, Round, Void, box_at, hand_of, own_places
from croupier.games.ruled_wagers import after, because, settled_alike
from croupier.rulebook.names import Slot, WagerName
from croupier.rulebook.schema import Cited
from croupier.rulebook.schema import Irregularity as Row

__all__ = ["RULED", "offers"]

_OF_A_SEAT: Final = {"wrong_count_player", "player_card_flashed"}
_AsideCause: TypeAlias = Literal["card_drawn_seen", "one_card_face_up"]
_BY_SETTING_ASIDE: Final[tuple[_AsideCause, ...]] = get_args(_AsideCause)
"""Irregularities that are ruled on by setting a card aside."""


class _Consequence(NamedTuple):
    void: Void
    cards: str
    side_wagers: str


def _consequence(state: Round, row: Row) -> _Consequence:
    """What a row means in this house: an option of the readings may change it."""
    other = row.instead
    if other is not None and state.rules.house.options.named(other.option) == other.value:
        return _Consequence(other.void, other.cards, "void")
    return _Consequence(row.void, row.cards, row.side_wagers)


# --- when it can happen


def _has_cards(state: Round, slot: Slot) -> bool:
    dealt = state.cards.dealt
    return dealt > 0 and min(state.cards.plan.slots[slot], default=dealt) < dealt


def _dealt_to(slot: Slot) -> Callable[[Round], bool]:
    return lambda state: _has_cards(state, slot)


def _before_its_reveal(slot: Slot) -> Callable[[Round], bool]:
    """Whether cards of a slot lie on the table and are still to be turned up (readings 102, 139)."""

    def is_hidden(state: Round) -> bool:
        coming = state.rules.stages[state.at.index + 1 :]
        return _has_cards(state, slot) and any(
            stage.reveal is not None and stage.reveal.slot == slot for stage in coming
        )

    return is_hidden


def _before_the_last_decision(state: Round) -> bool:
    """Whether the dealer has cards and a decision is still to come (reading 138)."""
    coming = state.rules.stages[state.at.index :]
    return _has_cards(state, "dealer") and any(stage.choice is not None for stage in coming)


def _during_the_deal(state: Round) -> bool:
    return state.at.kind == "deal"


def _after_the_deal(state: Round) -> bool:
    return 0 < state.cards.dealt == len(state.cards.plan.places)


def _after_the_first_card(state: Round) -> bool:
    return state.cards.dealt > 0


_MOMENTS: Final[dict[str, Callable[[Round], bool]]] = {
    "cards_face_up": _during_the_deal,
    "card_drawn_unseen": _during_the_deal,
    "player_card_flashed": _after_the_first_card,
    "wrong_count_player": _after_the_first_card,
    "wrong_count_community": _dealt_to("community"),
    "wrong_count_box": _dealt_to("six_card_box"),
    "wrong_count_dealer": _dealt_to("dealer"),
    "stub_wrong_misdealt": _after_the_deal,
    "stub_wrong_deck": _after_the_deal,
    "community_exposed": _before_its_reveal("community"),
    "box_exposed": _before_its_reveal("six_card_box"),
    "dealer_exposed": _before_the_last_decision,
    "shoe_failed": _during_the_deal,
    "shoe_failed_after_deal": _after_the_deal,
    "foreign_card": _after_the_first_card,
}
"""When each irregularity can happen in a round; the ones that are not listed never touch a round."""
RULED: Final = frozenset(_MOMENTS)
"""The irregularities that can be ruled on."""
_RULED_ON: Final = (*_MOMENTS, *_BY_SETTING_ASIDE)


def _happens_now(state: Round, name: str) -> bool:
    return name in _MOMENTS and _MOMENTS[name](state)


def _can_be_ruled(state: Round, name: str) -> bool:
    """Whether an irregularity can have happened by now; once the round is void, any is recorded (reading 183)."""
    if state.at.kind not in IN_A_ROUND or name not in state.rules.irregularities:
        return False
    return state.proceedings.void in ALL_VOID or _happens_now(state, name)


# --- ruling


def rule_problem(state: Round, action: actions.Rule) -> RuleViolation | None:
    """Why an irregularity cannot be ruled on now, or None."""
    name, row = action.irregularity, state.rules.irregularities.get(action.irregularity)
    if row is None or name not in _RULED_ON:
        rows = state.rules.house.rulebook.irregularities.irregularity
        cited = next((row for row in rows if row.event == name), rows[0])
        message = f"{spoken(name)} is not ruled on during a round here: {_listed(state)}"
        return refuse("no_such_irregularity", cited, message)
    if not _can_be_ruled(state, name):
        return refuse("not_now", row, f"{spoken(name)} cannot have happened at this point: {_listed(state)}")
    if name in _OF_A_SEAT and box_at(state, action.seat) is None:
        return refuse("no_such_seat", row, f"{spoken(name)} needs the seat it happened at")
    if name not in _OF_A_SEAT and action.seat:
        return refuse("no_such_seat", row, f"{spoken(name)} affects the whole table, not one seat")
    return None


def _listed(state: Round) -> str:
    """What can be ruled on now; a wrong stub is found by counting it."""
    names = [name for name in _RULED_ON if _can_be_ruled(state, name)]
    listed = ", ".join(name for name in names if not name.startswith("stub_"))
    return f"possible now: {listed}" if listed else "nothing can be ruled on now"


def rule(state: Round, action: actions.Rule) -> list[round_events.Event]:
    """Rule on an irregularity; one that comes too late to void anything is recorded."""
    row = state.rules.irregularities.get(action.irregularity)
    if row is None:
        raise ValueError(f"{action.irregularity} is not ruled on here")
    if not _happens_now(state, action.irregularity):
        return [_recorded(state, row, action.seat)]
    return _ruled(state, row, action.seat)


def _cited(state: Round, row: Row) -> Cited:
    cited = row.on(state.rules.house.deal)
    return Cited(clause=cited.clause, reading=cited.reading or row.reading)


def _recorded(state: Round, row: Row, seat: int) -> round_events.IrregularityRuled:
    """Record an irregularity that voids nothing further (readings 132, 183)."""
    cited, cards = _cited(state, row), _consequence(state, row).cards
    return round_events.IrregularityRuled(row.event, seat, "nothing", cards, cited.clause, cited.reading)


def _ruled(state: Round, row: Row, seat: int) -> list[round_events.Event]:
    """The ruling and what follows from it; of several in a round the widest counts (reading 183)."""
    effect, cited = _consequence(state, row), _cited(state, row)
    if effect.void == "nothing" or state.proceedings.void == "round":
        return [_recorded(state, row, seat)]
    ruling = round_events.IrregularityRuled(row.event, seat, effect.void, effect.cards, cited.clause, cited.reading)
    events: list[round_events.Event] = [*_reversed(state, effect.void, seat), ruling]
    if effect.void == "hand" and (own := box_at(state, seat)) is not None and own.out != "void":
        events.append(round_events.HandRemoved(seat, "void"))
    ruled = after(state, events)
    voided = [
        event for box in ruled.boxes for event in _void(ruled, box, _voided_wagers(ruled, box, effect, seat), cited)
    ]
    if not voided and state.proceedings.void == effect.void:
        return [_recorded(state, row, seat)]
    return [*because(cited, [*events, *voided]), *_contributions_back(after(ruled, voided), voided)]


def _reversed(state: Round, void: Void, seat: int) -> list[round_events.Event]:
    """Reverse what is no longer good: every turn of a void round, else what depends on void hands (reading 135)."""
    if void == "round":
        return list(reversals(state))
    if void == "main_wagers":
        return _reversed_parts(state, "envy")
    return [*_best_hand_back(state, seat), *envy_back(state, {seat})] if void == "hand" else []


def _reversed_parts(state: Round, part: str) -> list[round_events.Event]:
    return [
        event for event in reversals(state) if isinstance(event, round_events.SettlementReversed) and event.what == part
    ]


def _best_hand_back(state: Round, seat: int) -> list[round_events.Event]:
    """Settled wagers on the best hand of the table, where the void hand was that best hand (reading 140)."""
    without_it = evolve(state, round_events.HandRemoved(seat, "void"))
    settled = [other for part, other in state.proceedings.turns if part == "last"]
    if any(settled_at_last(state, other) != settled_at_last(without_it, other) for other in settled):
        return _reversed_parts(state, "last")
    return []


def _voided_wagers(state: Round, box: Box, effect: _Consequence, seat: int) -> list[WagerName]:
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
    """Return these wagers, lost ones too, but not one that was withdrawn or is void already."""
    returned_before = {wager.wager for wager in box.results if wager.outcome in {"withdrawn", "void"}}
    names = [name for name in names if name not in returned_before]
    if not names:
        return []
    lost = tuple([wager for wager in box.results if wager.wager in names])
    returned = settled_alike(state, box, names, "void", cited, cause="void")
    coupon = settle_coupon(state.rules, hand_of(state, box), returned)
    events: list[round_events.Event] = []
    if lost:
        coupon_back = box.coupon_result if coupon else None
        events.append(round_events.SettlementReversed("immediate", box.seat, lost, coupon_back))
    return [*events, round_events.HandSettled("immediate", box.seat, returned, coupon)]


def _contributions_back(state: Round, events: Sequence[round_events.Event]) -> list[round_events.Event]:
    """Take back what void stakes added to the meters, where the house does so (reading 20).

    A meter that has since paid an award that remains good keeps it: a player has already won that share.
    """
    metered = state.rules.metered
    if metered is None or not state.proceedings.raised or state.rules.house.options.meter_on_void != "reverse":
        return []
    void = [
        wager.staked
        for event in events
        if isinstance(event, round_events.HandSettled)
        for wager in event.wagers
        if wager.wager == metered.name and wager.outcome == "void"
    ]
    standing = {wager.award.meter for box in state.boxes for wager in box.results if wager.award is not None}
    back = contributions(state.rules, void, back=True)
    return [event for event in back if not (isinstance(event, round_events.MeterRaised) and event.meter in standing)]


# --- setting a card aside


def set_aside_problem(state: Round, action: actions.SetAside) -> RuleViolation | None:
    """Why a card may not be set aside now, or None."""
    row = state.rules.irregularities.get(action.irregularity)
    if row is None or not _can_turn_up(state, row):
        return refuse("not_now", row or state.rules.script, "a card may be set aside only during the deal")
    return unseen_problem(state, (action.card,)) if action.card is not None else None


def _can_turn_up(state: Round, row: Row) -> bool:
    """Whether such a card can turn up: during the deal; later only face up, or in a void round (reading 132)."""
    if row.card != "to_rack" or state.at.kind not in IN_A_ROUND:
        return False
    return state.at.kind == "deal" or row.event == "one_card_face_up" or state.proceedings.void in ALL_VOID


def set_aside(state: Round, action: actions.SetAside) -> list[round_events.Event]:
    """Send a card to the rack instead of its place; a second one in a round is a ruling (reading 133)."""
    row = state.rules.irregularities.get(action.irregularity)
    if row is None:
        raise ValueError(f"{action.irregularity} is not ruled on here")
    if state.at.kind != "deal":
        return [_recorded(state, row, 0)]
    aside = round_events.CardSetAside(action.irregularity, action.card, row.clause, row.reading)
    several = state.rules.irregularities.get("cards_face_up")
    if state.faces.aside and several is not None:
        return [aside, *_ruled(evolve(state, aside), several, 0)]
    return [aside]


# --- what is allowed


def offers(state: Round) -> Iterator[Offer]:
    """Which irregularities may be ruled on now, and which cards set aside."""
    seats = tuple(box.seat for box in state.boxes)
    rows = state.rules.irregularities
    for name in _RULED_ON:
        if name in rows and _can_be_ruled(state, name):
            yield offer("rule", irregularity=name, seat=seats if name in _OF_A_SEAT else 0)
    for aside in _BY_SETTING_ASIDE:
        if aside in rows and _can_turn_up(state, rows[aside]):
            yield offer("set_aside", irregularity=aside, card=(None, *unseen(state)))
