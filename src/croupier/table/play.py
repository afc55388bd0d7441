"""The door between a table and its round: who may move, when, with which chips and cards, and what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import Card
from croupier.errors import RuleViolation
from croupier.fairness import Chance
from croupier.games import Action, Round, actions, apply, awaiting, open_round
from croupier.games import events as round_events
from croupier.games.offers import refuse
from croupier.games.playing import WITH_CARDS, look_problem
from croupier.games.round import Faces, plays
from croupier.games.take_and_pay import past_envy
from croupier.progressive import shown
from croupier.rulebook.names import Slot
from croupier.rulebook.schema import Cited
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.awards import awards_back, awards_won, next_step_of, open_awards
from croupier.table.decks import check_hand
from croupier.table.players import own_seat
from croupier.table.ready import due_soon, not_ready
from croupier.table.requests import Request
from croupier.table.state import Award, Table, cite, cited_duty, deck_in_play, deny, patron_at
from croupier.table.stub import column_fixed, stub_open, why_racked

__all__ = ["BY_COUNT", "IN_A_ROUND", "dispensed", "envy_waits", "move", "waits_for"]

IN_A_ROUND: Final = frozenset(actions.ACTIONS)
"""The commands that are moves of a round."""
_OF_A_PLAYER: Final = {"take_back", "place_coupon", "take_back_coupon"}
_AFTER_THE_STUB: Final = {"look", "decide", "declare_undecided", "reveal", "settle", "perform", "close"}
"""Moves that wait until the stub is put away (reading 116)."""
BY_COUNT: Final = {"stub_wrong_misdealt", "stub_wrong_deck"}
"""Irregularities that follow from a count of the stub alone."""


def move(table: Table, command: Struct, order: Request) -> list[table_events.Event]:
    """What a move of the round comes to at this table."""
    state = table.round
    opening: list[table_events.Event] = []
    if state is None:
        if not isinstance(command, commands.PlaceWager):
            raise deny(table, "no_round", order.name, "no round is in play")
        if (problem := not_ready(table, order.at)) is not None:
            raise problem
        state, opening = open_round(table.house), due_soon(table, order.at)
    if (problem := waits_for(table, order.name, order.at)) is not None:
        raise problem
    match command:
        case commands.DealCards():
            if order.by.role == "device" and state.at.kind == "deal" and command.number > dispensed(table, state):
                cited = _by_hand(state) or cited_duty(table.house, "deal")
                raise refuse("not_by_device", cited, "the dealer deals these cards")
            return _deal(table, state, command, order.chance)
        case commands.Reveal():
            return _reveal(table, state, command, order.chance)
        case actions.Settle():
            return _settle(table, state, command)
        case actions.Close():
            return _close(table, state, command)
    if isinstance(command, actions.Rule) and command.irregularity in BY_COUNT:
        raise deny(table, "count_first", "report_holdings", "a wrong stub is found by counting it", reading=115)
    try:
        events = _Recorder(table, state, order.chance).move(_action(table, command, order)).done()
    except RuleViolation as violation:
        if violation.code == "raise_above_limit" and order.by.role != "player":
            cited = Cited(clause=violation.clause, reading=violation.reading)
            raise refuse(violation.code, cited, "the hand does not allow this raise") from None
        raise
    events += awards_back(table, events)
    if isinstance(command, commands.Decide | actions.DeclareUndecided):
        opening = _examined(table, state, command.seat)
    if isinstance(command, commands.Decide) and command.gesture is not None:
        opening = [*opening, _gesture(table, state, command)]
    if order.name == "perform" and state.at.kind == "wagers":
        events += column_fixed(table, state)
    return [*opening, *events]


def _examined(table: Table, state: Round, seat: int) -> list[table_events.Event]:
    """Before the first decision players have examined their cards; of several hands each in its turn (reading 87)."""
    if seat in table.examined:
        return []
    later = {box.seat for box in state.boxes if _is_later(state, box.seat)}
    seats = [box.seat for box in state.boxes if plays(box) and not box.absent and box.seat not in later]
    new = tuple(one for one in seats if one not in table.examined)
    return [table_events.CardsExamined(seats=new, **cite(cited_duty(table.house, "look")))] if new else []


def _is_later(state: Round, seat: int) -> bool:
    problem = look_problem(state, seat, "")
    return problem is not None and problem.code == "one_hand_at_a_time"


def waits_for(table: Table, name: str, at: datetime) -> RuleViolation | None:
    """Why the table does not let the round go on with this move yet, if so."""
    if name in _AFTER_THE_STUB and stub_open(table):
        words = "the wrong count is looked into first" if table.stub == "wrong" else "the stub is put away first"
        return refuse("stub_open", why_racked(table), words, reading=116)
    if name == "perform" and table.round is not None and table.round.at.kind == "wagers":
        return not_ready(table, at)  # the deck's hours may be over, and cards may have been ordered away
    if name in {"deal", "set_aside"} and deck_in_play(table) is None:
        return deny(table, "not_loaded", "load_deck", "no deck is loaded")
    if name == "declare_undecided" and table.asked_at is not None:
        seconds = table.house.options.decision_timeout
        if at - table.asked_at < timedelta(seconds=seconds):
            choice = table.round.at.choice if table.round is not None else None
            cited = choice or cited_duty(table.house, "declare_undecided")
            return refuse("too_early", cited, f"a player has {seconds} seconds to decide", reading=76)
    if name == "close" and open_awards(table):
        award = open_awards(table)[0]
        step = next_step_of(table, award)
        message = f"the award of seat {award.seat} is {award.status}: cards and round stay until it is paid or rejected"
        return deny(table, "award_open", step, message)
    if name == "tell_meter" and table.meters:
        return deny(table, "own_meter", "tell_meter", "this table reads its own meters")
    return None


def _action(table: Table, command: Struct, order: Request) -> Action:
    """A command as the round takes it."""
    match command:
        case commands.PlaceWager():
            patron = own_seat(table, order, command.seat)
            return actions.PlaceWager(command.seat, command.wager, command.amount, patron, command.instrument)
        case commands.Look():
            if order.by.role == "player" and patron_at(table, command.seat) not in ("", order.by.id):
                return actions.Look(
                    command.seat, order.by.id
                )  # the round refuses another player's hand by its own clause
            return actions.Look(command.seat, own_seat(table, order, command.seat))
        case commands.Decide():
            patron = own_seat(table, order, command.seat) if order.by.role == "player" else ""
            return actions.Decide(command.seat, command.choice, command.amount, patron)
    if order.name in _OF_A_PLAYER:
        own_seat(table, order, command.seat)  # type: ignore[attr-defined]
    action: Action = command  # type: ignore[assignment]
    return action


class _Recorder:
    """Makes moves one after another and keeps what is recorded of them: hidden cards sealed, shown ones shown."""

    def __init__(self, table: Table, state: Round, chance: Chance | None = None) -> None:
        self._told: Cited | round_events.CardsRevealed | None = None
        """What has turned up the cards that are told next."""
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
                    self._told = event
                    if not self.state.faces.turning:
                        self._turned += event.places
                        self._show()
        return self

    def _seal(self, event: round_events.CardsIdentified) -> None:
        places = range(event.place, event.place + len(event.cards))
        salts = self._chance.salts(places) if self._chance is not None else ()
        self.events.append(
            table_events.CardsSealed(place=event.place, cards=table_events.Hidden(event.cards, salts), **self._cite())
        )
        if salts:  # what was told is known to the round by now; its salts are not
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
        """Everything that is recorded."""
        self._show()
        return self.events

    def _cite(self) -> dict[str, Any]:
        if self._told is None:
            self._told = cited_duty(self._table.house, "tell")
        return {"clause": self._told.clause, "reading": self._told.reading if isinstance(self._told, Cited) else None}

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
    """Places by whose they are."""
    plan = state.cards.plan
    groups: dict[tuple[Slot, int], list[int]] = {}
    for place in places:
        groups.setdefault((plan.places[place].slot, plan.places[place].seat), []).append(place)
    return tuple((slot, seat, tuple(found)) for (slot, seat), found in groups.items())


def dispensed(table: Table, state: Round) -> int:
    """How many cards a device dispenses next: only from an automated shoe, and not what the dealer deals by hand."""
    by_hand = {step.to for step in state.rules.script.step if step.by_hand}
    coming = [place.slot in by_hand for place in state.cards.plan.places[state.cards.dealt :]]
    return [*coming, True].index(True) if table.house.deal == "automated_shoe" else 0


def _deal(table: Table, state: Round, command: commands.DealCards, chance: Chance | None) -> list[table_events.Event]:
    """Cards to their places; those that the source knows are sealed, those discarded unseen are not even told."""
    recorder, first = _Recorder(table, state, chance), state.cards.dealt
    recorder.move(actions.Deal(command.number))
    if command.hand is not None:
        recorder.events.insert(0, _taken_in_hand(table, state, command))
    if command.cards:
        if len(command.cards) != command.number:
            message = f"{command.number} cards are dealt, {len(command.cards)} are named"
            raise refuse("wrong_number_of_cards", state.rules.script, message)
        # With the last card everything may be over, and nobody looks at it.
        if past_envy(recorder.state).at.kind in WITH_CARDS:
            for place, cards in _runs(state, first, command.cards):
                recorder.move(actions.IdentifyCards(place, cards))
    return recorder.done()


def _by_hand(state: Round) -> Cited | None:
    """What has the dealer deal some cards by hand although a device dispenses the others."""
    return next((one for one in state.rules.script.step if one.by_hand), None)


def _taken_in_hand(table: Table, state: Round, command: commands.DealCards) -> table_events.Event:
    """The hand that takes the rest out of the shoe, where the document has the dealer deal on by hand."""
    step = _by_hand(state)
    if step is None or dispensed(table, state) or table.house.deal != "automated_shoe" or command.hand is None:
        raise refuse("which_hand", step or state.rules.script, "no hand takes these cards out of a shoe")
    check_hand(table, command.hand)
    return table_events.CardsTakenInHand(hand=command.hand, **cite(step))


def _runs(state: Round, first: int, cards: tuple[Card, ...]) -> list[tuple[int, tuple[Card, ...]]]:
    """The cards by runs of places that may be told (reading 105)."""
    runs: list[tuple[int, list[Card]]] = []
    skipped = True
    for offset, card in enumerate(cards):
        discarded = state.cards.plan.places[first + offset].slot == "discard"
        if not discarded:
            if skipped:
                runs.append((first + offset, []))
            runs[-1][1].append(card)
        skipped = discarded
    return [(place, tuple(found)) for place, found in runs]


def _reveal(table: Table, state: Round, command: commands.Reveal, chance: Chance | None) -> list[table_events.Event]:
    """Turn up; where the cards are not known yet, they are named with it or told after."""
    recorder = _Recorder(table, state, chance)
    recorder.move(actions.Reveal(command.slot, command.seat))
    places = recorder.state.faces.turning
    if command.cards and len(command.cards) != len(places):
        known = "the cards are known already" if not places else f"{len(places)} cards are turned up"
        turned = next((one for one in recorder.events if isinstance(one, round_events.CardsRevealed)), None)
        cited = Cited(clause=turned.clause) if turned is not None else cited_duty(table.house, "reveal")
        raise refuse("wrong_number_of_cards", cited, f"{known}, {len(command.cards)} are named")
    for place, card in zip(places, command.cards, strict=False):
        if recorder.state.faces.known[place] is None:
            recorder.move(actions.IdentifyCards(place, (card,)))
    return recorder.done()


def _settle(table: Table, state: Round, command: actions.Settle) -> list[table_events.Event]:
    """Settle what is next; the table answers for its own meters at that very turn."""
    recorder, meters = _Recorder(table, state), {meter.name: meter for meter in table.meters}
    while (asked := awaiting(recorder.state)).kind == "meter" and asked.meter in meters:
        if (command.what, command.seat) != ("hand", asked.seat):
            break
        recorder.move(actions.ReadMeter(asked.meter, shown(meters[asked.meter])))
    if command.what == "envy" and (award := envy_waits(table)) is not None:
        message = f"envy follows the award of seat {award.seat}, which is {award.status}"
        raise deny(table, "award_open", next_step_of(table, award), message, reading=195)
    read = dict(recorder.state.desk.meters)
    recorder.move(command)
    events = recorder.done()
    return [*events, *awards_won(table.meters, read, recorder.state, events)]


def envy_waits(table: Table) -> Award | None:
    """The open award of a hand from which envy is due: what becomes of it comes first."""
    state, waiting = table.round, {one.seat: one for one in open_awards(table)}
    asked = awaiting(state) if state is not None else None
    if state is None or not waiting or asked is None or asked.what != "envy":
        return None
    due = [
        one for one in apply(state, actions.Settle("envy", asked.seat))[1] if isinstance(one, round_events.EnvySettled)
    ]
    holders = {bonus.from_seat for one in due for _, bonuses in one.paid for bonus in bonuses}
    return next((award for seat, award in waiting.items() if seat in holders), None)


def _close(table: Table, state: Round, command: actions.Close) -> list[table_events.Event]:
    """Close the round; a deck that a ruling condemned must leave the table."""
    events, deck = _Recorder(table, state).move(command).done(), deck_in_play(table)
    rows = {one.event: one for one in table.house.rulebook.irregularities.irregularity}
    bad = [rows[name] for name in state.desk.ruled if rows[name].cards == "remove_deck"]
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


def _gesture(table: Table, state: Round, command: commands.Decide) -> table_events.Event:
    rows = [one for one in table.house.rulebook.procedure.gesture if one.gesture == command.gesture]
    decision = state.at.choice.decision if state.at.choice else ""
    row = next((one for one in rows if (one.decision, one.choice) == (decision, command.choice)), None)
    if row is None or command.gesture is None:
        cited = state.at.choice or cited_duty(table.house, "decide")
        raise refuse("other_gesture", cited, f"{command.gesture} does not mean {command.choice} here", reading=93)
    return table_events.GestureShown(seat=command.seat, gesture=command.gesture, **cite(row))
