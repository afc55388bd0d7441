"""What a dealer does now, as a page shows it: one instruction with what it needs, from the table's own offers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier.cards import RANKS, SUITS
from croupier.documents import LedList, LedStep
from croupier.games import Round
from croupier.games import events as round_events
from croupier.money import Cents
from croupier.present import (
    any_of,
    capitalized,
    counted,
    dollars,
    hand_words,
    listed,
    spoken,
    the_wager,
)
from croupier.table import Table
from croupier.table.views import CARD_BACK, TableView
from croupier.web.dealer_pays import SeatPays, foreseen, pays_of
from croupier.web.form_shapes import FormChoice, FormField, OfferForm
from croupier.web.posting import new_key

__all__ = ["CardDue", "DealerTask", "card_pad", "task_of"]

_AT_ROUND: Final[dict[str, tuple[str, ...]]] = {
    "wagers": ("perform",),
    "act": ("perform",),
    "cards": ("deal",),
    "decision": ("decide",),
    "reveal": ("reveal",),
    "settlement": ("reveal", "settle"),
    "meter": ("tell_meter", "reveal", "settle"),
    "ruling": ("reduce_raise",),
    "close": ("close",),
}
"""The commands that answer what a round awaits, the first that is offered first."""
_SLOTS: Final = {
    "community": "community cards",
    "six_card_box": "Six Card Bonus box",
    "dealer": "dealer's hand",
    "player": "hand",
}


_DEALT_TO: Final = {
    "community": "board",
    "six_card_box": "Six Card Bonus box",
    "dealer": "dealer's hand",
    "discard": "discard rack",
}
_MOST_RUNS: Final = 12
"""Stops of a deal that are listed."""


class CardDue(NamedTuple):
    """A card as it lies, or one that is awaited."""

    card: str
    label: str
    due: bool
    caption: str = ""


class DealerTask(Struct, frozen=True, kw_only=True):
    """One instruction."""

    title: str
    lead: str = ""
    clause: str = ""
    reading: int | None = None
    form: OfferForm | None = None
    """What confirms it; None where somebody else is awaited."""
    also: tuple[OfferForm, ...] = ()
    """Other answers to the same question."""
    cards: tuple[CardDue, ...] = ()
    need: int = 0
    """How many cards are to be named."""
    pays: tuple[SeatPays, ...] = ()
    waits: str = ""
    """Who is awaited, where it is not whoever looks."""
    button: str = ""


class _Scene(NamedTuple):
    table: Table
    seen: TableView
    led: LedList
    forms: Sequence[OfferForm]
    at: datetime


def task_of(table: Table, seen: TableView, led: LedList, forms: Sequence[OfferForm], at: datetime) -> DealerTask:
    """What is done now."""
    scene, now = _Scene(table, seen, led, forms, at), led.now
    state, kind = table.round, seen.awaiting.kind
    if state is None or kind not in {*_AT_ROUND, "identity"} or (now is not None and now.key.endswith("_award")):
        return _by_step(scene, now)
    if kind == "identity":
        return _identity(scene, state)
    answers = _answers(scene, _AT_ROUND[kind])
    form = answers[0] if answers else None
    if kind == "decision":
        return _decision(scene, answers)
    if kind == "cards":
        return _deal(scene, state, form)
    if kind == "reveal" or (form is not None and form.do == "reveal"):
        return _reveal(scene, state, form)
    if kind in {"settlement", "meter"}:
        return _settlement(scene, form)
    return _plain(scene, now, form, answers[1:])


def _answers(scene: _Scene, names: Iterable[str]) -> list[OfferForm]:
    return [form for name in names for form in scene.forms if form.do == name]


def _cited(step: LedStep | None) -> tuple[str, int | None]:
    return (step.law[0].clause, step.law[0].reading) if step is not None and step.law else ("", None)


# --- steps that one command carries out


def _by_step(scene: _Scene, now: LedStep | None) -> DealerTask:
    """A step of opening, of the cards, of the stub or of an award: its key names the command."""
    do, _, which = (now.key if now is not None else "").partition(" ")
    if do == "stage":
        return _plain(scene, now, None, ())
    forms = _answers(scene, [do]) if do else []
    if which:
        chosen = [form for form in forms if any(field.value == which for field in form.fields)]
        forms = chosen or forms
    return _plain(scene, now, forms[0] if forms else None, forms[1:])


def _plain(scene: _Scene, now: LedStep | None, form: OfferForm | None, also: Sequence[OfferForm]) -> DealerTask:
    awaited = scene.seen.awaiting
    clause, reading = _cited(now)
    if form is not None and form.do == "perform":  # whoever counts says how many
        form = replace(form, fields=(*form.fields, *(replace(each, required=True) for each in form.more)), more=())
    title = now.text if now is not None else capitalized(awaited.words)
    lead = now.note if now is not None else ""
    waits = ""
    if awaited.kind == "wagers":
        bets = sum(bool(box.bets) for box in scene.seen.seats)
        title, lead = "Accept the players' bets", "When every player has bet, announce that no more bets are taken."
        lead = f"Bets at {counted(bets, 'seat')} so far. {lead}" if bets else lead
        waits = "" if form or any(box.patron for box in scene.seen.seats) else "Nobody sits here yet."
        also = _answers(scene, ["register"])
        lead += " Register the progressive bets before: what is not registered by then goes back." if also else ""
    elif form is None:
        waits = _waits_for(scene, now)
    if awaited.kind == "close":
        lead = _give_back(scene.seen) or lead
    if now is not None and now.key == "verify_inventory" and scene.table.tray.counted is not None:
        lead = f"The tray was counted at {dollars(scene.table.tray.counted)}."
    return DealerTask(
        title=title,
        lead=capitalized(lead),
        clause=clause,
        reading=reading,
        form=form,
        also=tuple(also),
        waits=waits,
        button=_button(scene, form),
    )


def _waits_for(scene: _Scene, now: LedStep | None) -> str:
    """Who has to act, where it is not whoever looks."""
    if now is None or not now.by:
        return "Waiting."
    if now.key == "offer_deck" and not scene.table.people.seats:
        return "Nobody is seated yet. Seat the first player under Players, then show them the cards."
    return f"Waiting for {'the' if now.by.startswith(('dealer', 'player')) else 'a'} {now.by}."


def _give_back(seen: TableView) -> str:
    """What goes back to each seat of a void round."""
    back = [(box.seat, sum(each.returned for each in box.results if each.outcome == "void")) for box in seen.seats]
    said = listed(f"{dollars(Cents(amount))} to seat {seat}" for seat, amount in back if amount)
    return f"First give back {said}." if said else ""


def _button(scene: _Scene, form: OfferForm | None) -> str:
    if form is None:
        return ""
    if form.do == "perform" and scene.seen.awaiting.kind == "wagers":
        return "No more bets"
    return {"perform": "Done", "close": "Close the round"}.get(form.do, form.button)


# --- decisions


def _decision(scene: _Scene, answers: Sequence[OfferForm]) -> DealerTask:
    awaited, now = scene.seen.awaiting, scene.led.now
    clause, reading = _cited(now)
    answers = sorted((_asking(scene, form) for form in answers), key=_gives_up)
    choices = any_of(_choice(each.choice, each.least, each.most) for each in awaited.choices)
    waits = "" if answers else f"Waiting for seat {awaited.seat} to decide."
    return DealerTask(
        title=f"Seat {awaited.seat} decides on {the_wager(awaited.decision or '')}",
        lead=f"The player may choose {choices}." if choices else "",
        clause=clause,
        reading=reading,
        form=answers[0] if answers else None,
        also=tuple(answers[1:]),
        cards=_lying(scene.seen, "community", 0, ()),
        waits=waits,
    )


def _asking(scene: _Scene, form: OfferForm) -> OfferForm:
    """A decision with its amount asked for, and with gestures only where the document knows any."""
    amounts = tuple(replace(field, required=True) for field in form.more if field.name == "amount")
    gestures = tuple(field for field in form.more if field.name == "gesture")
    known = gestures if scene.table.house.rulebook.procedure.gesture else ()
    return replace(form, fields=(*form.fields, *amounts), more=known)


def _gives_up(form: OfferForm) -> bool:
    """Whether a form folds and nothing else: it is never what a key confirms."""
    return any(field.name == "choice" and field.value == "fold" for field in form.fields)


def _choice(choice: str, least: Cents, most: Cents) -> str:
    if not most:
        return spoken(choice)
    amount = dollars(least) if least == most else f"{dollars(least)} to {dollars(most)}"
    return f"{choice}\u00a0({amount})"  # a multiple is not torn from its amount at the end of a line


# --- cards


def _deal(scene: _Scene, state: Round, form: OfferForm | None) -> DealerTask:
    """The cards that are still to be dealt, and where they go."""
    places = state.cards.plan.places[state.cards.dealt :]
    clause, reading = _cited(scene.led.now)
    runs: list[tuple[str, int]] = []
    for place in places:
        where = f"seat {place.seat}" if place.seat else f"the {_DEALT_TO[place.slot]}"
        if runs and runs[-1][0] == where:
            runs[-1] = where, runs[-1][1] + 1
        else:
            runs.append((where, 1))
    said = ", ".join(f"{number} to {where}" for where, number in runs[:_MOST_RUNS])
    further = f", and so on, {len(places)} in all" if len(runs) > _MOST_RUNS else ""
    if form is not None:
        asked = tuple(field for field in form.fields if field.name != "cards")
        form = replace(form, fields=asked, more=(*(each for each in form.fields if each not in asked), *form.more))
    return DealerTask(
        title=f"Deal {counted(len(places), 'card')}",
        lead=f"All face down, in this order: {said}{further}.",
        clause=clause,
        reading=reading,
        form=form,
        waits="" if form is not None else "Waiting for the dealer.",
        button="Cards are dealt",
    )


def _reveal(scene: _Scene, state: Round, form: OfferForm | None) -> DealerTask:
    awaited, now = scene.seen.awaiting, scene.led.now
    slot, seat = awaited.slot or "player", awaited.seat
    row, known = state.at.reveal, state.faces.known
    if slot == "player" or row is None:
        slot = "player"
        places = state.cards.plan.own[seat]
        title, cited = f"Turn up the hand of seat {seat}", state.rules.house.rulebook.play.settlement.turn_up
        clause, reading = cited.clause, cited.reading
    else:
        places = state.cards.plan.slots[row.slot][state.at.shown : state.at.shown + row.number]
        title = now.text if now is not None else f"Turn up the {_SLOTS[slot]}"
        clause, reading = _cited(now)
    need = sum(known[place] is None for place in places)
    lead = f"Enter the {counted(need, 'card')} that you turn up." if need > 1 else "Enter the card that you turn up."
    cards = _lying(scene.seen, slot, seat, [_nth(state, slot, seat, place) for place in places])
    board = _lying(scene.seen, "community", 0, ()) if slot == "player" else ()
    return DealerTask(
        title=title,
        lead=lead if need else "The cards are known.",
        clause=clause,
        reading=reading,
        form=form,
        cards=(*cards, *board),
        need=need if form is not None else 0,
        waits="" if form is not None else "Waiting for the dealer.",
        button=("Confirm the card" if need == 1 else f"Confirm {need} cards") if need else "Turned up",
    )


def _identity(scene: _Scene, state: Round) -> DealerTask:
    """Cards were turned up while nobody could name them: they are named now."""
    places = state.faces.awaiting_identity
    run = [place for offset, place in enumerate(places) if place == places[0] + offset]
    spot = state.cards.plan.places[run[0]]
    may = any(form.do == "tell" for form in scene.forms)
    slot, seat = spot.slot, spot.seat
    whose = f"seat {seat}" if seat else f"the {_SLOTS[slot]}"
    form = OfferForm(
        id="tell",
        do="tell",
        title="Name the cards",
        about="",
        key=new_key(),
        fields=(
            FormField(name="place", label="Place", kind="hidden", value=str(run[0])),
            FormField(name="cards", label="Cards", kind="cards"),
        ),
        button="Confirm",
    )
    return DealerTask(
        title="Which card is it?" if len(run) == 1 else f"Which {len(run)} cards are they?",
        lead=(
            f"It was turned up at {whose} and has not been entered yet."
            if len(run) == 1
            else f"They were turned up at {whose} and have not been entered yet."
        ),
        clause=spot.clause,
        form=form if may else None,
        cards=_lying(scene.seen, slot, seat, [_nth(state, slot, seat, place) for place in run]),
        need=len(run) if may else 0,
        waits="" if may else "Waiting for the dealer to enter what was turned up.",
        button="Confirm the card" if len(run) == 1 else f"Confirm {len(run)} cards",
    )


def _nth(state: Round, slot: str, seat: int, place: int) -> int:
    places = state.cards.plan.own[seat] if slot == "player" else state.cards.plan.slots[slot]  # type: ignore[index]
    return places.index(place)


def _lying(seen: TableView, slot: str, seat: int, due: Sequence[int]) -> tuple[CardDue, ...]:
    """The cards of a hand or of the board as they lie; those that are awaited are marked."""
    hands = {box.seat: box.cards for box in seen.seats}
    cards = hands.get(seat, ()) if slot == "player" else dict(seen.cards).get(slot, ())  # type: ignore[call-overload]
    label = f"Seat {seat}" if slot == "player" else capitalized(_SLOTS[slot])
    short = {"player": "hand", "community": "community"}.get(slot, "")
    return tuple(
        CardDue(card, f"{label}, card {number}", number - 1 in due and card == CARD_BACK, f"{short} {number}".strip())
        for number, card in enumerate(cards, 1)
    )


def card_pad(seen: TableView) -> tuple[tuple[FormChoice, ...], ...]:
    """The 52 cards by suit; those that have been seen cannot be chosen."""
    shown = {card for _, cards in seen.cards for card in cards} | {card for box in seen.seats for card in box.cards}
    rows = ([f"{rank}{suit}" for rank in reversed(RANKS)] for suit in reversed(SUITS))
    return tuple(tuple(FormChoice(card, card, card in shown, card[1]) for card in row) for row in rows)


# --- take and pay


def _settled_by(scene: _Scene) -> str:
    """Who is awaited before a seat can be settled."""
    if scene.seen.awaiting.kind == "meter":
        return f"Waiting for the progressive system to read the {scene.seen.awaiting.meter} meter."
    return "Waiting for the dealer."


def _settlement(scene: _Scene, form: OfferForm | None) -> DealerTask:
    awaited, now = scene.seen.awaiting, scene.led.now
    clause, reading = _cited(now)
    what, seat = awaited.what or "hand", awaited.seat
    events, problem = foreseen(scene.table, scene.at, what, seat)
    made = next((event.hand for event in events if isinstance(event, round_events.HandAnnounced)), "")
    pays = pays_of(scene.table, events)
    title = "Pay the envy bonuses" if what == "envy" else f"Seat {seat}: {hand_words(made) if made else 'take and pay'}"
    said = f"Announce “{hand_words(made)},” then " if made else ""
    paid, taken = Cents(sum(each.paid for each in pays)), Cents(sum(each.taken for each in pays))
    chips = [f"take {dollars(taken)}"] * bool(taken) + [f"pay {dollars(paid)}"] * bool(paid)
    lead = f"{said}{listed(chips) or 'leave the bets as they are'}, in this order." if pays else problem
    return DealerTask(
        title=title,
        lead=capitalized(lead),
        clause=clause,
        reading=reading,
        form=form,
        cards=(*_lying(scene.seen, "player", seat, ()), *_lying(scene.seen, "community", 0, ())) if seat else (),
        pays=pays,
        waits="" if form is not None else _settled_by(scene),
        button=f"Seat {seat} is paid" if paid else f"Seat {seat} is settled" if seat else "Envy is paid",
    )
