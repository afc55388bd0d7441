"""The door between a table and its round: who may move, when, with which cards, and what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.fairness import Chance
from croupier.games import (
    WITH_CARDS,
    Action,
    Faces,
    Round,
    actions,
    apply,
    awaiting,
    look_problem,
    open_round,
    past_envy,
    plays,
    refuse,
)
from croupier.games import events as round_events
from croupier.progressive import shown
from croupier.rulebook.names import Slot
from croupier.rulebook.schema import Cited
from croupier.table import events as table_events
from croupier.table.awards import awards_back, awards_won, next_step_of, open_awards
from croupier.table.commands import DealCards, Move, RevealCards
from croupier.table.deck_steps import check_hand
from croupier.table.duties import cite, cited_duty
from croupier.table.players import own_seat
from croupier.table.ready import due_soon, not_ready
from croupier.table.requests import Request
from croupier.table.state import Award, Table, deck_in_play, patron_at
from croupier.table.stub import column_fixed, count_is_next, stub_open, stub_step_clause

__all__ = ["BY_COUNT", "FOR_A_PLAYER", "IN_A_ROUND", "dispensed", "envy_waits", "move", "waits_for"]

IN_A_ROUND: Final = frozenset(actions.ACTIONS)
"""The commands that are moves of a round."""
_AFTER_THE_STUB: Final = {"look", "decide", "declare_undecided", "reveal", "settle", "perform", "close"}
"""Moves that wait until the stub is put away (reading 116)."""
FOR_A_PLAYER: Final = frozenset({"place_wager", "take_back", "place_coupon", "take_back_coupon", "look", "decide"})
"""Moves that are made for the player at a seat, whoever makes them."""
BY_COUNT: Final = {"stub_wrong_misdealt", "stub_wrong_deck"}
"""Irregularities that only a count of the stub can find."""


def move(table: Table, command: Move, request: Request) -> list[table_events.Event]:
    """The events of a move of the round at this table."""
    state = table.round
    opening: list[table_events.Event] = []
    if state is None:
        if not isinstance(command, actions.PlaceWager):
            raise refuse("no_round", cited_duty(table.house, request.name), "no round is in play")
        if (problem := not_ready(table, request.at)) is not None:
            raise problem
        state, opening = open_round(table.house), due_soon(table, request.at)
    if (problem := waits_for(table, request.name, request.at)) is not None:
        raise problem
    match command:
        case DealCards():
            if request.by.role == "device" and state.at.kind == "deal" and command.number > dispensed(table, state):
                cited = _by_hand(state) or cited_duty(table.house, "deal")
                raise refuse("not_by_device", cited, "the dealer deals these cards")
            return _deal(table, state, command, request.chance)
        case RevealCards():
            return _reveal(table, state, command, request.chance)
        case actions.Settle():
            return _settle(table, state, command)
        case actions.Close():
            return _close(table, state, command)
    if isinstance(command, actions.Rule) and command.irregularity in BY_COUNT:
        raise refuse(
            "count_first",
            cited_duty(table.house, "report_holdings"),
            "a wrong stub is established by counting it",
            reading=115,
        )
    try:
        events = _Recorder(table, state, request.chance).move(_action(table, command, request)).done()
    except RuleViolation as violation:
        if violation.code == "raise_above_limit" and request.by.role != "player":
            cited = Cited(clause=violation.clause, reading=violation.reading)
            raise refuse(violation.code, cited, "the hand does not allow this raise") from None
        raise
    events += awards_back(table, events)
    if isinstance(command, actions.Decide | actions.DeclareUndecided):
        opening = _examined(table, state, command.seat)
    if isinstance(command, actions.Decide) and command.gesture is not None:
        opening = [*opening, _gesture(table, state, command)]
    if request.name == "perform" and state.at.kind == "wagers":
        events += column_fixed(table, state)
    return [*opening, *events]


def _examined(table: Table, state: Round, seat: int) -> list[table_events.Event]:
    """Before the first decision players have examined their cards; of several hands each in its turn (reading 87)."""
    if seat in table.examined:
        return []
    later = {box.seat for box in state.boxes if _is_later(state, box.seat)}
    seats = [box.seat for box in state.boxes if plays(box) and not box.absent and box.seat not in later]
    new = tuple(seat for seat in seats if seat not in table.examined)
    return [table_events.CardsExamined(seats=new, **cite(cited_duty(table.house, "look")))] if new else []


def _is_later(state: Round, seat: int) -> bool:
    problem = look_problem(state, actions.Look(seat))
    return problem is not None and problem.code == "one_hand_at_a_time"


def waits_for(table: Table, name: str, at: datetime) -> RuleViolation | None:
    """Why the table does not allow this move of the round yet, or None."""
    if name in _AFTER_THE_STUB and stub_open(table):
        words = "resolve the wrong stub count first" if table.cards.stub == "wrong" else "rack the stub first"
        if count_is_next(table):
            words = "count the stub first"
        return refuse("stub_open", stub_step_clause(table), words, reading=116)
    if name == "perform" and table.round is not None and table.round.at.kind == "wagers":
        return not_ready(table, at)  # the deck's hours may be over, or a floorperson may have ordered a shuffle
    if name in {"deal", "set_aside"} and deck_in_play(table) is None:
        return refuse("not_loaded", cited_duty(table.house, "load_deck"), "no deck is loaded")
    if name == "declare_undecided" and table.asked_at is not None:
        seconds = table.house.options.decision_timeout
        if at - table.asked_at < timedelta(seconds=seconds):
            choice = table.round.at.choice if table.round is not None else None
            cited = choice or cited_duty(table.house, "declare_undecided")
            return refuse("too_early", cited, f"a player has {seconds} seconds to decide", reading=76)
    if name == "close" and open_awards(table):
        award = open_awards(table)[0]
        step = next_step_of(table, award)
        message = f"the award at seat {award.seat} is {award.status}: pay or reject it before the round closes"
        return refuse("award_open", cited_duty(table.house, step), message)
    if name == "tell_meter" and table.progressive.meters:
        return refuse("own_meter", cited_duty(table.house, "tell_meter"), "this table reads its own meters")
    return None


def _action(table: Table, action: Action, request: Request) -> Action:
    """An action of the round with the player it is for, where there is one."""
    if request.name not in FOR_A_PLAYER:
        return action
    match action:
        case actions.PlaceWager():
            return replace(action, patron=own_seat(table, request, action.seat))
        case actions.Look():
            if request.by.role == "player" and patron_at(table, action.seat) not in ("", request.by.id):
                # The round refuses another player's hand by its own clause.
                return replace(action, patron=request.by.id)
            return replace(action, patron=own_seat(table, request, action.seat))
        case actions.Decide():
            patron = own_seat(table, request, action.seat) if request.by.role == "player" else ""
            return replace(action, patron=patron)
        case actions.TakeBack() | actions.PlaceCoupon() | actions.TakeBackCoupon():
            own_seat(table, request, action.seat)
    return action


class _Recorder:
    """Makes moves in order and collects the events to record: hidden cards sealed, exposed cards shown."""

    def __init__(self, table: Table, state: Round, chance: Chance | None = None) -> None:
        self._turned_up_by: Cited | round_events.CardsRevealed | None = None
        """What turned up the cards that are identified next."""
        self._table = table
        self._chance = chance
        self._turned: list[int] = []
        """Places whose cards can be seen now and were not shown yet."""
        self.state = state
        self.events: list[table_events.Event] = []

    def move(self, action: Action) -> _Recorder:
        """Make a move."""
        before = self.state
        self.state, events = apply(before, action)
        for event in events:
            if isinstance(event, round_events.CardsIdentified):
                self._seal(event)
            elif isinstance(event, round_events.CardCorrected) and event.place not in before.cards.up:
                self._correct(before, event)
            else:
                self.events.append(event)
                if isinstance(event, round_events.CardsRevealed):
                    self._turned_up_by = event
                    if not self.state.faces.awaiting_identity:
                        self._turned += event.places
                        self._show()
        return self

    def _seal(self, event: round_events.CardsIdentified) -> None:
        places = range(event.place, event.place + len(event.cards))
        salts = self._chance.salts(places) if self._chance is not None else ()
        self.events.append(
            table_events.CardsSealed(place=event.place, cards=table_events.Hidden(event.cards, salts), **self._cite())
        )
        if salts:  # the round knows the cards by now, but not their salts
            self.state = replace(self.state, faces=_salted(self.state.faces, event.place, salts))
        self._turned += [place for place in places if place in self.state.cards.up]

    def _correct(self, before: Round, event: round_events.CardCorrected) -> None:
        old = before.faces.salts[event.place : event.place + 1]
        new = self._chance.salts([event.place]) if self._chance is not None else ()
        was, card = table_events.Hidden((event.was,), old if new else ()), table_events.Hidden((event.card,), new)
        self.events.append(table_events.HiddenCardCorrected(place=event.place, was=was, card=card, **self._cite()))
        if new:
            self.state = replace(self.state, faces=_salted(self.state.faces, event.place, new))

    def done(self) -> list[table_events.Event]:
        """Every event to record."""
        self._show()
        return self.events

    def _cite(self) -> dict[str, Any]:
        if self._turned_up_by is None:
            self._turned_up_by = cited_duty(self._table.house, "tell")
        return {
            "clause": self._turned_up_by.clause,
            "reading": self._turned_up_by.reading if isinstance(self._turned_up_by, Cited) else None,
        }

    def _show(self) -> None:
        if not self._turned:
            return
        faces = self.state.faces
        for slot, seat, places in _by_owner(self.state, self._turned):
            known = tuple(place for place in places if faces.known[place] is not None)
            cards = tuple(card for place in known if (card := faces.known[place]) is not None)
            if cards:
                salts = tuple(faces.salts[place] for place in known) if faces.salts else ()
                shown = table_events.CardsShown(
                    slot=slot, seat=seat, places=known, cards=cards, salts=salts, **self._cite()
                )
                self.events.append(shown)
        self._turned = []


def _salted(faces: Faces, place: int, salts: tuple[bytes, ...]) -> Faces:
    all_salts = faces.salts or (b"",) * len(faces.known)
    return faces.but(salts=(*all_salts[:place], *salts, *all_salts[place + len(salts) :]))


def _by_owner(state: Round, places: Sequence[int]) -> tuple[tuple[Slot, int, tuple[int, ...]], ...]:
    """Places grouped by owner."""
    plan = state.cards.plan
    groups: dict[tuple[Slot, int], list[int]] = {}
    for place in places:
        groups.setdefault((plan.places[place].slot, plan.places[place].seat), []).append(place)
    return tuple((slot, seat, tuple(places)) for (slot, seat), places in groups.items())


def dispensed(table: Table, state: Round) -> int:
    """How many cards a device dispenses next: only from an automated shoe, and not what the dealer deals by hand."""
    by_hand = {step.to for step in state.rules.script.step if step.by_hand}
    coming = [place.slot in by_hand for place in state.cards.plan.places[state.cards.dealt :]]
    return [*coming, True].index(True) if table.house.deal == "automated_shoe" else 0


def _deal(table: Table, state: Round, command: DealCards, chance: Chance | None) -> list[table_events.Event]:
    """Cards to their places; those that the source knows are sealed, those discarded unseen are never identified."""
    recorder, first = _Recorder(table, state, chance), state.cards.dealt
    recorder.move(actions.Deal(command.number))
    if command.hand is not None:
        recorder.events.insert(0, _taken_in_hand(table, state, command))
    if command.cards:
        if len(command.cards) != command.number:
            message = f"{command.number} cards are dealt but {len(command.cards)} are named"
            raise refuse("wrong_number_of_cards", state.rules.script, message)
        # The last card may end the round, and then nobody looks at it.
        if past_envy(recorder.state).at.kind in WITH_CARDS:
            for place, cards in _runs(state, first, command.cards):
                recorder.move(actions.IdentifyCards(place, cards))
    return recorder.done()


def _by_hand(state: Round) -> Cited | None:
    """The step that the dealer deals by hand although a device dispenses the other cards."""
    return next((step for step in state.rules.script.step if step.by_hand), None)


def _taken_in_hand(table: Table, state: Round, command: DealCards) -> table_events.Event:
    """The hand that takes the rest out of the shoe, where the document has the dealer deal on by hand."""
    step = _by_hand(state)
    if step is None or dispensed(table, state) or table.house.deal != "automated_shoe" or command.hand is None:
        raise refuse(
            "which_hand",
            step or state.rules.script,
            "`hand` is only for taking the rest of the cards out of an automated shoe",
        )
    check_hand(table, command.hand)
    return table_events.CardsTakenInHand(hand=command.hand, **cite(step))


def _runs(state: Round, first: int, cards: tuple[Card, ...]) -> list[tuple[int, tuple[Card, ...]]]:
    """The cards in runs of places that may be identified (reading 105)."""
    runs: list[tuple[int, list[Card]]] = []
    skipped = True
    for offset, card in enumerate(cards):
        discarded = state.cards.plan.places[first + offset].slot == "discard"
        if not discarded:
            if skipped:
                runs.append((first + offset, []))
            runs[-1][1].append(card)
        skipped = discarded
    return [(place, tuple(run)) for place, run in runs]


def _reveal(table: Table, state: Round, command: RevealCards, chance: Chance | None) -> list[table_events.Event]:
    """Turn cards up; cards that are not known yet are named with the command or identified after it."""
    recorder = _Recorder(table, state, chance)
    recorder.move(actions.Reveal(command.slot, command.seat))
    places = recorder.state.faces.awaiting_identity
    if command.cards and len(command.cards) != len(places):
        known = "the cards are already known" if not places else f"{len(places)} cards are turned up"
        turned = next((event for event in recorder.events if isinstance(event, round_events.CardsRevealed)), None)
        cited = Cited(clause=turned.clause) if turned is not None else cited_duty(table.house, "reveal")
        raise refuse("wrong_number_of_cards", cited, f"{known}, but {len(command.cards)} are named")
    for place, card in zip(places, command.cards, strict=False):
        if recorder.state.faces.known[place] is None:
            recorder.move(actions.IdentifyCards(place, (card,)))
    return recorder.done()


def _settle(table: Table, state: Round, command: actions.Settle) -> list[table_events.Event]:
    """Settle what is next; the table reads its own meters at that turn."""
    recorder, meters = _Recorder(table, state), {meter.name: meter for meter in table.progressive.meters}
    while (asked := awaiting(recorder.state)).kind == "meter" and asked.meter in meters:
        if (command.what, command.seat) != ("hand", asked.seat):
            break
        recorder.move(actions.ReadMeter(asked.meter, shown(meters[asked.meter])))
    if command.what == "envy" and (award := envy_waits(table)) is not None:
        message = f"envy follows the award at seat {award.seat}, which is {award.status}"
        raise refuse("award_open", cited_duty(table.house, next_step_of(table, award)), message, reading=195)
    read = dict(recorder.state.proceedings.meters)
    recorder.move(command)
    events = recorder.done()
    return [*events, *awards_won(table.progressive.meters, read, recorder.state, events)]


def envy_waits(table: Table) -> Award | None:
    """The open award of a hand that owes envy: the award must be finished first."""
    state, waiting = table.round, {award.seat: award for award in open_awards(table)}
    asked = awaiting(state) if state is not None else None
    if state is None or not waiting or asked is None or asked.what != "envy":
        return None
    due = [
        event
        for event in apply(state, actions.Settle("envy", asked.seat))[1]
        if isinstance(event, round_events.EnvySettled)
    ]
    holders = {bonus.from_seat for event in due for _, bonuses in event.paid for bonus in bonuses}
    return next((award for seat, award in waiting.items() if seat in holders), None)


def _close(table: Table, state: Round, command: actions.Close) -> list[table_events.Event]:
    """Close the round; a deck that a ruling condemned must leave the table."""
    events, deck = _Recorder(table, state).move(command).done(), deck_in_play(table)
    rows = {row.event: row for row in table.house.rulebook.irregularities.irregularity}
    bad = [rows[name] for name in state.proceedings.ruled if rows[name].cards == "remove_deck"]
    if deck is not None and bad:
        cited = bad[0].on(table.house.deal)
        reading = cited.reading or bad[0].reading
        condemned = table_events.DeckCondemned(
            deck=deck.id, cause=_CAUSES[bad[0].event], clause=cited.clause, reading=reading
        )
        return [*events, condemned]
    return events


_CAUSES: Final[dict[str, Literal["stub_count", "foreign_card"]]] = {
    "stub_wrong_deck": "stub_count",
    "foreign_card": "foreign_card",
}


def _gesture(table: Table, state: Round, command: actions.Decide) -> table_events.Event:
    rows = [row for row in table.house.rulebook.procedure.gesture if row.gesture == command.gesture]
    decision = state.at.choice.decision if state.at.choice else ""
    row = next((row for row in rows if (row.decision, row.choice) == (decision, command.choice)), None)
    if row is None or command.gesture is None:
        cited = state.at.choice or cited_duty(table.house, "decide")
        raise refuse("other_gesture", cited, f"{command.gesture} does not mean {command.choice} here", reading=93)
    return table_events.GestureShown(seat=command.seat, gesture=command.gesture, **cite(row))
