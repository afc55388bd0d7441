"""A starting script: one round, from the first attestation to the closed table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from msgspec import Struct

from croupier.cards import DECK
from croupier.driver import Staff, TableRunner, next_request
from croupier.games import awaiting
from croupier.money import Cents
from croupier.rulebook import HouseRules, Submission
from croupier.table import Person, Request, commands, new_table
from croupier.table.accounts import TRAY, balance
from croupier.table.codec import write_order
from croupier.table.stub import stub_open

__all__ = ["example"]

START: Final = datetime(2026, 1, 1, 18, tzinfo=UTC)
ANN: Final = Person("player", "Ann")
_STAFF: Final = Staff(dealer="d1", floorperson="f1", manager="p1", tray=Cents(10_000_000))
_GIVE_UP: Final = {"bet_1": "withdraw", "bet_2": "withdraw"}


def example(submission: Submission, house: HouseRules) -> Iterator[dict[str, Any]]:
    """Yield the commands of that script, each deal with its cards."""
    run, now = TableRunner(new_table(submission, house)), START

    def give(by: Person, command: Struct) -> dict[str, Any]:
        nonlocal now
        now += timedelta(seconds=20)
        order = Request(by, now, command)
        run.handle(order)
        return write_order(order)

    def staff(*, close_bets: bool = False) -> Iterator[dict[str, Any]]:
        while (order := next_request(run.table, now, staff=_STAFF, close_bets=close_bets)) is not None:
            if isinstance(order.do, commands.DealCards):
                order = Request(order.by, order.at, commands.DealCards(order.do.number, DECK[: order.do.number]))
            yield give(order.by, order.do)

    yield from staff()
    yield give(ANN, commands.Sit(1))
    yield give(ANN, commands.BuyIn(Cents(50_000)))
    yield from staff()
    for wager in house.wagers:
        if wager.stakes is not None and wager.paytables[0].group == "base":
            yield give(ANN, commands.PlaceWager(1, wager.name, wager.stakes.minimum))
    yield from staff(close_bets=True)
    while run.table.round is not None:
        asked = awaiting(run.table.round)
        if asked.kind == "decision" and not stub_open(run.table):
            yield give(ANN, commands.Decide(1, _GIVE_UP.get(asked.decision or "", "fold")))
        yield from staff()
    yield give(ANN, commands.StandUp())
    dealer, floor = Person("dealer", run.table.dealer), Person("floorperson", run.table.floor[0])
    for deck in run.table.decks:
        yield give(dealer, commands.RemoveDeck(deck.id))
    yield give(dealer, commands.CountInventory(balance(run.table.books, TRAY)))
    yield give(floor, commands.VerifyInventory())
    yield give(floor, commands.CloseTable())
