"""The stub: racked unseen, counted when a count is due, and what a wrong count means."""

from __future__ import annotations

from typing import Final

from croupier.cards import DECK
from croupier.citing import clause
from croupier.games import Round, actions, apply, refuse
from croupier.games import events as round_events
from croupier.rulebook.names import Slot
from croupier.rulebook.schema import Cited, StubCount
from croupier.table import commands
from croupier.table import events as table_events
from croupier.table.duties import cite, cited_duty
from croupier.table.requests import Request
from croupier.table.state import Table, deck_in_play, is_dealt, is_void

__all__ = [
    "MOST_COUNTED",
    "column_fixed",
    "count_due",
    "count_is_next",
    "stub_expected",
    "stub_open",
    "stub_rule",
    "stub_step_clause",
]


MOST_COUNTED: Final = 2 * len(DECK)
"""The maximum number of cards in a stub count."""


def stub_rule(table: Table) -> StubCount:
    """How often the stub is counted when dealt this way."""
    return next(rule for rule in table.house.rulebook.table.stub_count if rule.deal == table.house.deal)


def count_due(table: Table) -> bool:
    """Whether the stub of this round must be counted (readings 113, 114, 117)."""
    rule, deck = stub_rule(table), deck_in_play(table)
    if table.house.shuffle in rule.waived_by:
        return False
    rounds = min(rule.rounds, table.house.options.stub_every_n)
    return max(table.cards.uncounted, deck.uncounted if deck else 0) >= rounds - 1


def count_is_next(table: Table) -> bool:
    """Whether the next step for the stub is to count it."""
    return table.cards.stub == "out" and count_due(table)


def stub_open(table: Table) -> bool:
    """Whether the stub must still be racked before the round continues (reading 116)."""
    state = table.round
    return (
        state is not None and table.cards.stub in {"out", "right", "wrong"} and is_dealt(state) and not is_void(state)
    )


def stub_expected(state: Round) -> int:
    """How many cards the stub should have (reading 115)."""
    return len(DECK) - state.cards.dealt - len(state.faces.aside)


def stub_step_clause(table: Table) -> Cited:
    """The clause of the next step for the stub: a wrong count resolved, a count, or the rack."""
    if table.cards.stub == "wrong":
        return cited_duty(table.house, "report_holdings")
    if table.cards.stub == "right":
        return stub_rule(table).right
    return stub_rule(table) if count_due(table) else cited_duty(table.house, "rack_stub")


def _round(table: Table, name: str) -> Round:
    if table.round is None or not stub_open(table):
        raise refuse("no_stub", cited_duty(table.house, name), "there is no stub to rack")
    return table.round


def count_stub(table: Table, command: commands.CountStub, _: Request) -> list[table_events.Event]:
    state, cited = _round(table, "count_stub"), cited_duty(table.house, "count_stub")
    if not 0 <= command.cards <= MOST_COUNTED:
        raise refuse("no_count", cited, f"{command.cards} is not a number of cards")
    if table.cards.stub == "right":
        raise refuse("counted", cited, "the stub was already counted, and the count is right")
    return [table_events.StubCounted(counted=command.cards, expected=stub_expected(state), **cite(cited))]


def report_holdings(table: Table, command: commands.ReportHoldings, _: Request) -> list[table_events.Event]:
    """Whether the cards were misdealt, and what follows: the dealer counts seat by seat."""
    cited = cited_duty(table.house, "report_holdings")
    state = _round(table, "report_holdings")
    if table.cards.stub != "wrong":
        raise refuse("count_first", cited, "report holdings only after a wrong count of the stub")
    plan = state.cards.plan
    slots: dict[Slot, int | None] = {
        "community": command.community,
        "six_card_box": command.six_card_box,
        "dealer": command.dealer,
    }
    expected = {slot: len(plan.slots[slot]) for slot in slots}
    wrong = [slot for slot, cards in slots.items() if (cards is not None) != bool(expected[slot])]
    if set(command.seats) != set(plan.own) or wrong:
        words = [*(f"seat {seat}" for seat in plan.own), *(slot for slot, cards in expected.items() if cards)]
        raise refuse("incomplete", cited, f"say how many cards are at {', '.join(words).replace('_', ' ')}")
    counts = [*command.seats.values(), *(cards for cards in slots.values() if cards is not None)]
    if any(not 0 <= cards <= len(DECK) for cards in counts):
        raise refuse("no_count", cited, f"each place must have 0 to {len(DECK)} cards")
    discarded = len(plan.slots["discard"])
    in_all = sum(counts) + discarded + len(state.faces.aside) + (table.cards.stub_counted or 0)
    misdealt = any(cards != len(plan.own[seat]) for seat, cards in command.seats.items()) or any(
        cards is not None and cards != expected[slot] for slot, cards in slots.items()
    )
    reported: list[table_events.Event] = [
        table_events.HoldingsReported(
            seats=tuple(sorted(command.seats.items())),
            community=command.community,
            six_card_box=command.six_card_box,
            dealer=command.dealer,
            in_all=in_all,
            misdealt=misdealt,
            **cite(cited),
        )
    ]
    ruling = actions.Rule("stub_wrong_misdealt" if in_all == len(DECK) else "stub_wrong_deck")
    ruled = apply(state, ruling)[1]
    return [*reported, *(event for event in ruled if not isinstance(event, round_events.CardsIdentified))]


def rack_stub(table: Table, *_: object) -> list[table_events.Event]:
    _round(table, "rack_stub")
    cited = stub_step_clause(table)
    if table.cards.stub == "wrong":
        raise refuse("count_wrong", cited, "the count was wrong: report the holdings first")
    if count_is_next(table):
        raise refuse("count_due", cited, "the stub must be counted in this round")
    return [table_events.StubRacked(**cite(cited))]


@clause("ma-mississippi-stud 12(e)")
def column_fixed(table: Table, state: Round) -> list[table_events.Event]:
    """What the device shows before the deal: the number of hands, and what the wager pays with that number."""
    column = table.house.rulebook.procedure.column
    offered = table.house.wager(column.offered) if column is not None else None
    if column is None or offered is None:
        return []
    hands = len(state.boxes)
    paytable = next((table for table in offered.paytables if table.players == hands), offered.paytables[0])
    pays = tuple((line.hand, line.pays) for line in paytable.line)
    return [table_events.CoverAllColumnFixed(wager=column.offered, hands=hands, pays=pays, **cite(column))]
