"""The written procedure of a house, led at a table: what is done, what is now and what comes next, with clauses.

The words and clauses are those of the papers (`card_procedure`, `round_procedure`); the table says where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from croupier.documents.card_procedure import card_procedures
from croupier.documents.house_words import cites
from croupier.documents.led_notes import (
    LEFT_OUT,
    act_note,
    award_note,
    deal_note,
    decision_note,
    reveal_note,
    settled_note,
    stub_note,
)
from croupier.documents.paper import Cite, Words
from croupier.documents.round_procedure import deal_steps, round_procedures
from croupier.documents.steps import WrittenProcedure, WrittenStep, duty_of, stage_key
from croupier.games import Box, Round, past_envy
from croupier.money import Cents
from croupier.present import capitalized
from croupier.rulebook import HouseRules
from croupier.table import Award, Deck, Table, count_due, next_step, not_ready, open_awards, stub_open

__all__ = ["LedList", "LedState", "LedStep", "led_list"]

LedState: TypeAlias = Literal["done", "left", "now", "next"]
"""`left`: the round went past it without it."""
_RECEIVED: Final = (
    "receive_deck", "inspect_deck", "verify_deck", "spread_deck", "offer_deck", "turn_down_deck", "wash_deck",
    "stack_deck", "shuffle_deck",
)  # fmt: skip
_SHUFFLED: Final = ("shuffle_deck", "cut_deck", "load_deck")
_FRESH: Final = {"received", "inspected", "verified", "spread", "offered", "turned_down", "washed", "stacked"}
_OF_A_DECK: Final = {"deck_missing", "other_deck", "not_loaded"}
"""Why no round can begin, where a step of a deck is what is missing."""
_STEP_OF: Final = {"pending": 0, "verified": 1, "validated": 2}


class LedStep(Struct, frozen=True, kw_only=True):
    """A step of the procedure, and where the table is with it."""

    text: str
    by: str
    law: tuple[Cite, ...]
    key: str
    state: LedState
    note: str = ""
    """What happened, or what is awaited."""


class LedList(Struct, frozen=True):
    """The procedure as far as it matters now."""

    title: str
    steps: tuple[LedStep, ...]

    @property
    def now(self) -> LedStep | None:
        """The step that is done next."""
        return next((step for step in self.steps if step.state == "now"), None)


def led_list(table: Table, at: datetime) -> LedList:
    """The procedure at a table: opening it, bringing the cards into play, or the round.

    >>> from croupier.rulebook import check, read_submission
    >>> from croupier.table import new_table
    >>> submission = read_submission({"rulebook": "md-mississippi-stud"})
    >>> led = led_list(new_table(submission, check(submission).rules()), datetime(2026, 1, 1))
    >>> led.title, led.now.text, led.now.law[0].clause
    ('Opening the table', 'Assign the dealer and the floorperson of the table', '4.A')
    """
    if table.status == "closed":
        return LedList("Opening the table", tuple(_opening(table)))
    if table.round is None:
        return LedList(
            "Before the next round" if table.played else "Before the first round", tuple(_between(table, at))
        )
    return LedList(f"Round {table.played + 1}", tuple(_round(table, past_envy(table.round))))


# --- steps


@lru_cache(64)
def _of_cards(house: HouseRules) -> tuple[WrittenProcedure, ...]:
    """What is written about the cards: it changes with the house alone."""
    return tuple(card_procedures(house))


@lru_cache(64)
def _written(house: HouseRules) -> Mapping[str, WrittenStep]:
    """Every step that something carries out, by its key; the first of a key is the one that says it."""
    parts = [*_of_cards(house), *round_procedures(house)]
    return {step.key: step for part in reversed(parts) for step in reversed(part.steps) if step.key}


def _led(step: WrittenStep, state: LedState, note: str = "", *, text: str = "") -> LedStep:
    if state == "done" and note in LEFT_OUT:
        state = "left"
    return LedStep(
        text=(text or step.text).rstrip(".:"), by=step.by, law=_clauses(step.law), key=step.key, state=state, note=note
    )


def _clauses(law: Words) -> tuple[Cite, ...]:
    return tuple(part for part in law if isinstance(part, Cite))


def _in_order(steps: Iterable[tuple[WrittenStep, bool]]) -> Iterator[LedStep]:
    """Steps that come one after the other: the first that is not done is now."""
    is_now = False
    for step, is_done in steps:
        state: LedState = "done" if is_done else "next" if is_now else "now"
        is_now = is_now or not is_done
        yield _led(step, state)


# --- opening


def _opening(table: Table) -> Iterator[LedStep]:
    optional = {f"attest {row.what}" for row in table.house.rulebook.procedure.attest if row.optional}
    done = {
        "assign": bool(table.people.dealer and table.people.floor),
        "count_inventory": table.tray.counted is not None,
        "verify_inventory": table.tray.verified,
        **{f"attest {what}": True for what in table.attested},
    }
    steps = [step for step in _of_cards(table.house)[0].steps if step.key not in optional or step.key in done]
    return _in_order((step, done.get(step.key, False)) for step in steps)


# --- between rounds


def _between(table: Table, at: datetime) -> Iterator[LedStep]:
    problem = not_ready(table, at)
    bets = _bets(table.house, "next" if problem is not None else "now")
    spread = table.status == "idle" and bool(table.cards.decks)  # then the decks' own steps lead back to a round
    if problem is not None and problem.code not in _OF_A_DECK and not (problem.code == "idle" and spread):
        law = (Cite(problem.clause, problem.reading),) if problem.clause else ()
        yield LedStep(text=capitalized(str(problem)), by="", law=law, key=_answer_to(problem.code), state="now")
        yield bets
        return
    deck = _deck_of(table, problem.code if problem is not None else "")
    step = next_step(table, deck) if deck is not None else "receive_deck"
    written = _deck_steps(table, deck, step)
    keys = [row.key for row in written]
    place = len(written) if problem is None else keys.index(step) if step in keys else 0
    for number, row in enumerate(written):
        where: LedState = "done" if number < place else "now" if number == place else "next"
        yield _led(row, where, text=row.text.removesuffix(", before play and after every round."))
    yield bets


def _answer_to(code: str) -> str:
    """The command that answers why no round can begin, where it is one."""
    return {
        "idle": "set_idle",
        "not_attested": "attest",
        "suspended": "release_table",
        "deck_condemned": "remove_deck",
        "deck_too_old": "remove_deck",
        "device_failed": "restore_device",
        "out_of_use": "restore_device",
    }.get(code, "")


def _deck_of(table: Table, code: str) -> Deck | None:
    """The deck whose next step is awaited; none where one has to be received first."""
    decks, loaded = table.cards.decks, table.cards.in_play
    if code == "deck_missing":
        return None
    if code == "other_deck":
        return next(deck for deck in decks if deck is not loaded)
    if loaded is not None:
        return loaded
    fresh = [deck for deck in decks if deck.id != table.cards.last_deck]
    return (fresh or list(decks))[0]


def _deck_steps(table: Table, deck: Deck | None, now: str) -> list[WrittenStep]:
    """From its arrival for a new deck, from the shuffle for one that has been in play.

    A shuffler needs no cut; a preshuffled deck is cut all the same.
    """
    _, received, shuffled, *_ = _of_cards(table.house)
    cut = table.house.shuffle == "manual" or now == "cut_deck"
    later = [step for step in shuffled.steps if step.key in _SHUFFLED and (cut or step.key != "cut_deck")]
    if deck is not None and deck.stage not in _FRESH and deck.placed is not None:
        return later
    first = [step for step in received.steps if step.key in _RECEIVED]
    return [*first, *(step for step in later if step.key != "shuffle_deck")]


def _bets(house: HouseRules, state: LedState) -> LedStep:
    law = _clauses(cites(duty_of(house, "place_wager"), house.rulebook.wagers.seated))
    return LedStep(text="Accept the players' bets", by="player", law=law, key="stage 0", state=state)


# --- the round


def _round(table: Table, state: Round) -> Iterator[LedStep]:
    """The whole round; the stub comes after the deal, and an award after the hand that won it."""
    written, at = _written(table.house), state.at.index
    held = stub_open(table) or bool(open_awards(table))
    yield _bets(table.house, "now" if at == 0 else "done")
    for stage in state.rules.stages:
        step = written.get(stage_key(stage.index))
        where: LedState = "done" if stage.index < at else "now" if stage.index == at and not held else "next"
        match stage.kind:
            case "act" | "announce" if step is not None:
                yield _led(step, where, act_note(state, stage.act))
            case "deal":
                yield from _deal(table, state, written, where if at <= stage.index else "done")
                yield from _stub(table, state, written)
            case "decide" if step is not None and stage.choice is not None:
                yield _led(step, where, decision_note(state, stage.choice, awaited=where == "now"))
            case "reveal" if step is not None and stage.reveal is not None:
                yield _led(step, where, reveal_note(state, stage.reveal, stage.shown, is_past=where == "done"))
            case "settle" if stage.settles == "hand":
                yield from _hands(table, state, written, stage.index)
            case "settle" if step is not None:
                yield _led(step, where)
            case "close":
                yield _led(written["close"], where)


def _deal(table: Table, state: Round, written: Mapping[str, WrittenStep], where: LedState) -> Iterator[LedStep]:
    cards, house = state.cards, table.house
    rows = deal_steps(house)
    place = cards.plan.places[cards.dealt] if where == "now" and cards.dealt < len(cards.plan.places) else None
    # A pass that is repeated has the same rows again: the place of the next card says which it is.
    here = next(
        (number for number, row in enumerate(rows) if place and (row.to, row.clause) == (place.slot, place.clause)), 0
    )
    for number, row in enumerate(rows):
        step = written[f"deal {number}"]
        led: LedState = where if where != "now" else "done" if number < here else "now" if number == here else "next"
        yield _led(step, led, deal_note(state, row, here=led == "now"), text=f"Deal {step.text}")


def _stub(table: Table, state: Round, written: Mapping[str, WrittenStep]) -> Iterator[LedStep]:
    cards, is_dealt = table.cards, 0 < len(state.cards.plan.places) == state.cards.dealt
    counted = cards.stub_counted is not None
    if left := stub_note(state, is_out=cards.stub == "out"):
        if "rack_stub" in written:
            yield _led(written["rack_stub"], "done", left)
        return
    if (counted or count_due(table)) and "count_stub" in written:
        waits = stub_open(table) and not counted
        note = f"{cards.stub_counted} cards" if counted else ""
        yield _led(written["count_stub"], "now" if waits else "done" if is_dealt else "next", note)
    if cards.stub == "wrong" and "report_holdings" in written:
        yield _led(written["report_holdings"], "now")
    if "rack_stub" in written:
        waits = stub_open(table)
        first = waits and not (count_due(table) and not counted) and cards.stub != "wrong"
        yield _led(written["rack_stub"], "now" if first else "next" if waits or not is_dealt else "done")


def _hands(table: Table, state: Round, written: Mapping[str, WrittenStep], index: int) -> Iterator[LedStep]:
    """Each hand from the dealer's right; those that lost everything by a fold have no turn."""
    settlement = state.rules.house.rulebook.play.settlement
    law = _clauses(cites(settlement, settlement.turn_up))
    here, waiting = state.at.index == index, open_awards(table)
    for number, box in enumerate(reversed(state.boxes)):
        if _had_no_turn(box):
            continue
        past = state.at.index > index or (here and number < state.turn)
        where: LedState = "done" if past else "now" if here and number == state.turn and not waiting else "next"
        text = f"Seat {box.seat}: take and pay"
        won = [award for award in table.progressive.awards if award.seat == box.seat]
        note = settled_note(box, Cents(sum(award.amount for award in won))) if past else ""
        yield LedStep(text=text, by="dealer", law=law, key="settle", state=where, note=note)
        for award in won:
            if award.status != "rejected":
                yield from _award(award, written, is_first=award in list(waiting)[:1])


def _had_no_turn(box: Box) -> bool:
    early = {"forfeit", "void", "withdrawn"}
    return len(box.results) == len(box.staked) and all(wager.outcome in early for wager in box.results)


def _award(award: Award, written: Mapping[str, WrittenStep], *, is_first: bool) -> Iterator[LedStep]:
    steps: Sequence[str] = ("verify_award", "validate_award", "hand_pay_award" if award.handpay else "pay_award")
    here = _STEP_OF.get(award.status, len(steps))
    for number, key in enumerate(steps):
        if key in written:
            where: LedState = "done" if number < here else "now" if number == here and is_first else "next"
            yield _led(written[key], where, award_note(award))
