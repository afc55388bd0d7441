"""Evenings with the automatic staff, for whoever looks at each of their steps before it is done."""

import random
from collections.abc import Callable
from typing import Any

from croupier.driver import TableRunner
from croupier.errors import RuleViolation
from croupier.games import actions, legal_actions
from croupier.money import Cents
from croupier.table import Request, Table, commands
from support.table_harness import TableHarness, counting_shuffler


def deal_evening(table: Table, dice: random.Random, rounds: int, look: Callable[[Table, Request | None], None]) -> None:
    """Play rounds; `look` sees the table with what the staff do next, or with None where a player decides."""
    at = TableHarness(TableRunner(table, counting_shuffler()))

    def staff(*, close_bets: bool = False) -> None:
        while (request := at.staff_request(close_bets=close_bets)) is not None:
            look(at.table, request)
            at.handle(request)

    staff()
    seats = sorted(dice.sample(range(1, at.table.house.seats + 1), 2))
    for seat in seats:
        at.player(f"player {seat}", commands.Sit(seat, f"player {seat}"))
        at.player(f"player {seat}", commands.BuyIn(Cents(5_000_000), f"player {seat}", brought=True))
    for _ in range(rounds):
        staff()
        for seat in seats:
            _bet(at, seat)
        staff(close_bets=True)
        while at.table.round is not None:
            look(at.table, None)
            _decide(at, dice)
            staff()


def _bet(at: TableHarness, seat: int) -> None:
    """Every bet at its minimum, as far as this house takes it."""
    for wager in at.table.house.wagers:
        if wager.stakes is not None:
            try:
                at.player(f"player {seat}", actions.PlaceWager(seat, wager.name, wager.stakes.minimum))
            except RuleViolation:
                continue


def _decide(at: TableHarness, dice: random.Random) -> None:
    assert at.table.round is not None
    decide = next(each for each in legal_actions(at.table.round) if each.do == "decide")
    fields: dict[str, Any] = dict(decide.fields)
    choices = fields["choice"] if isinstance(fields["choice"], tuple) else (fields["choice"],)
    amount = fields["amount"].minimum if fields.get("amount") is not None else None
    at.player(f"player {fields['seat']}", actions.Decide(fields["seat"], dice.choice(choices), amount))
