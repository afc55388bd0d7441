"""What waits at a table that the floor has to do or to see, and how long each deck may still be used."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.games import awaiting
from croupier.money import print_dollars
from croupier.rulebook.names import Duty
from croupier.rulebook.schema import Cited
from croupier.table.awards import next_step_of, open_awards
from croupier.table.deck_steps import hours_rule, is_over_age, needs_cut, next_step, why_leaves
from croupier.table.duties import cited_duty
from croupier.table.house import missing_attestation
from croupier.table.methods import out_of_use
from croupier.table.ready import not_ready
from croupier.table.state import Deck, Table, deck_words
from croupier.table.stub import count_is_next, stub_expected, stub_open, stub_rule, stub_step_clause

__all__ = ["DeckClock", "FloorWork", "StubState", "deck_clocks", "floor_work", "stub_state"]

WorkKind: TypeAlias = Literal[
    "opening",
    "preparation",
    "deck",
    "recut",
    "inventory",
    "stub",
    "ruling",
    "undecided",
    "award",
    "device",
    "suspended",
]


class FloorWork(Struct, frozen=True, kw_only=True):
    """Something that waits at a table: in words, with its clause and the commands that answer it."""

    kind: WorkKind
    words: str
    clause: str
    reading: int | None = None
    do: tuple[Duty, ...] = ()
    deck: str = ""
    seat: int = 0
    may: bool = False
    """It may be done; nobody waits for it."""


class DeckClock(Struct, frozen=True, kw_only=True):
    """How long a deck may still be used."""

    deck: str
    back: str
    stage: str
    until: datetime | None
    """None until it comes into play."""
    left: timedelta | None
    hours: int
    """How many hours it may stay in play."""
    soon: bool
    """It is due, or almost."""
    clause: str
    reading: int | None


class StubState(Struct, frozen=True, kw_only=True):
    """The stub of the round, and when it is counted next."""

    state: str
    due: bool
    """It is counted in this round."""
    counted: int | None
    expected: int | None
    every: int
    """At least once in so many rounds; 0 where the way of shuffling makes a count needless."""
    since: int
    """Rounds since a stub was counted."""
    clause: str
    reading: int | None


def floor_work(table: Table, at: datetime) -> tuple[FloorWork, ...]:
    """Everything that waits at a table now; what nobody waits for comes last."""
    found = [*_of_table(table), *_of_decks(table, at), *_of_round(table, at), *_of_devices(table)]
    problem = not_ready(table, at) if table.round is None and table.status != "closed" and not table.suspended else None
    if problem is not None and not any(not work.may for work in found):
        waits = FloorWork(kind="preparation", words=str(problem), clause=problem.clause, reading=problem.reading)
        found.append(waits)
    return tuple(sorted(found, key=lambda work: work.may))


def _work(kind: WorkKind, words: str, cited: Cited, **more: object) -> FloorWork:
    return FloorWork(kind=kind, words=words, clause=cited.clause, reading=cited.reading, **more)  # type: ignore[arg-type]


def _of_table(table: Table) -> Iterator[FloorWork]:
    house = table.house
    if table.suspended:
        by = table.suspended.replace("_", " ")
        yield _work("suspended", f"suspended by the {by}", cited_duty(house, "suspend_table"), do=("release_table",))
    if table.tray.counted is not None and not table.tray.verified:
        words = f"the dealer counted {print_dollars(table.tray.counted)} in the tray: verify it"
        yield _work("inventory", words, cited_duty(house, "verify_inventory"), do=("verify_inventory",))
    if table.status == "closed":
        missing = missing_attestation(table)
        steps: tuple[Duty, ...] = ("assign", "attest", "receive_deck", "open_table")
        words = f"closed; attest the {missing.what.replace('_', ' ')} first" if missing is not None else "closed"
        yield _work("opening", words, missing or cited_duty(house, "open_table"), do=steps, may=True)


def _of_decks(table: Table, at: datetime) -> Iterator[FloorWork]:
    for deck in table.cards.decks:
        step = next_step(table, deck)
        if deck.stage == "condemned" or is_over_age(deck, at):
            why = deck.why if deck.stage == "condemned" else f"{deck.hours} hours in play"
            words = f"{deck_words(deck.id)} has to be removed: {why.replace('_', ' ')}"
            yield _work("deck", words, why_leaves(table, deck, at), do=("remove_deck",), deck=deck.id)
        elif step == "verify_deck":
            words = f"the dealer inspected {deck_words(deck.id)}: verify it"
            yield _work("deck", words, cited_duty(table.house, "verify_deck"), do=("verify_deck",), deck=deck.id)
        elif deck.ordered and step == "shuffle_deck":
            words = f"{deck_words(deck.id)} has to be shuffled again"
            yield _work("recut", words, cited_duty(table.house, "order_shuffle"), deck=deck.id)
        elif deck.stage in {"cut", "loaded"} and needs_cut(table, deck):
            words = f"{deck_words(deck.id)} is cut {deck.depth} cards deep: order a recut if the cut was not right"
            cited = cited_duty(table.house, "order_recut")
            yield _work("recut", words, cited, do=("order_recut",), deck=deck.id, may=True)


def _of_round(table: Table, at: datetime) -> Iterator[FloorWork]:
    state = table.round
    if state is None:
        return
    if table.cards.stub == "wrong" and stub_open(table):
        counted = table.cards.stub_counted
        words = f"the stub has {counted} cards and should have {stub_expected(state)}: the dealer reports the holdings"
        yield _work("stub", words, stub_step_clause(table), do=("report_holdings", "rule"))
    asked = awaiting(state)
    if asked.kind == "ruling":
        cited = cited_duty(table.house, "reduce_raise")
        yield _work("ruling", str(asked), cited, do=("reduce_raise",), seat=asked.seat)
    seconds = table.house.options.decision_timeout
    late = table.asked_at is not None and at - table.asked_at >= timedelta(seconds=seconds)
    if asked.kind == "decision" and seconds and late:
        words = f"seat {asked.seat} has had {seconds} seconds to decide"
        cited = cited_duty(table.house, "declare_undecided")
        yield _work("undecided", words, cited, do=("declare_undecided",), seat=asked.seat, may=True)
    for award in open_awards(table):
        step = next_step_of(table, award)
        words = f"seat {award.seat} won {print_dollars(award.amount)}: {_STEPS[step]}"
        do: tuple[Duty, ...] = (step, "reject_award")
        yield _work("award", words, cited_duty(table.house, step), do=do, seat=award.seat)


_STEPS = {
    "verify_award": "the dealer verifies the hand and the light",
    "validate_award": "validate it",
    "pay_award": "the dealer pays it from the tray",
    "hand_pay_award": "pay it by hand, with the slip of the cage",
}


def _of_devices(table: Table) -> Iterator[FloorWork]:
    house = table.house
    for device in table.devices.failed:
        words = f"the {device} failed: restore it, or change the method"
        yield _work("device", words, cited_duty(house, "restore_device"), do=("restore_device", "change_method"))
    for device, _, how in table.devices.out_of_use:
        if device in table.devices.failed:
            continue
        words = f"the {device} is out of service ({how})"
        yield _work("device", words, out_of_use(table, device, how), do=("restore_device", "change_method"))
    for deck in table.cards.decks:
        if deck.jammed:
            words = f"the shuffler jammed with {deck_words(deck.id)}: it is shuffled again"
            yield _work("device", words, cited_duty(house, "report_jam"), deck=deck.id)


# --- clocks and counts


def deck_clocks(table: Table, at: datetime) -> tuple[DeckClock, ...]:
    """The clock of each deck at the table."""
    return tuple(_clock(table, deck, at) for deck in table.cards.decks)


def _clock(table: Table, deck: Deck, at: datetime) -> DeckClock:
    rule, until = hours_rule(table, deck), deck.until
    left = None if until is None else max(timedelta(), until - at)
    lead = timedelta(minutes=table.house.options.deck_warning_lead)
    return DeckClock(
        deck=deck.id,
        back=deck.back,
        stage=deck.stage,
        until=until,
        left=left,
        hours=deck.hours or table.house.deck_hours,
        soon=left is not None and left <= lead,
        clause=rule.clause,
        reading=rule.reading,
    )


def stub_state(table: Table) -> StubState:
    """How it stands with the stub."""
    rule, state = stub_rule(table), table.round
    waived = table.house.shuffle in rule.waived_by
    return StubState(
        state=table.cards.stub,
        due=count_is_next(table),
        counted=table.cards.stub_counted,
        expected=stub_expected(state) if state is not None and stub_open(table) else None,
        every=0 if waived else min(rule.rounds, table.house.options.stub_every_n),
        since=max(table.cards.uncounted, 0),  # below zero while the round of the count goes on
        clause=rule.clause,
        reading=rule.reading,
    )
