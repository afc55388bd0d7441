"""A player written from the API's contract alone: one full round at a table, and the money adds up.

python tests/support/contract_player.py URL [ROUNDS]    at every virtual table of a demo
"""

import asyncio
import random
import sys
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Final, NamedTuple

from croupier.client import AllowedCommand, AsyncHouseClient, LiveFeed, Refused, SeenBox, SeenTable, TableAnswer

MAIN: Final = ("ante", "bet_1", "bet_2", "bet_3")
LONGEST: Final = 60.0
"""Seconds that a round may take."""


class PlayedRound(NamedTuple):
    """A round as its player saw it."""

    rulebook: str
    number: int
    wagers: dict[str, Decimal]
    box: SeenBox
    before: Decimal
    after: Decimal


async def play_everywhere(url: str, *, rounds: int = 1, seed: str = "contract") -> list[PlayedRound]:
    """A player of one's own at each virtual table of a demo, all at the same time."""
    async with AsyncHouseClient(url) as house:
        tables = [table for table in await house.tables() if not table.physical and table.status == "open"]
    assert tables, "the house has no open virtual table"
    visits = [visit(url, table.id, rounds, random.Random(f"{seed} {table.id}")) for table in tables]
    return [played for visited in await asyncio.gather(*visits) for played in visited]


async def visit(url: str, table: str, rounds: int, dice: random.Random) -> list[PlayedRound]:
    """Sign up, sit, play, stand up, sign out."""
    async with AsyncHouseClient(url) as house:
        await house.sign_up(f"contract {uuid.uuid4().hex[:8]}", "a long enough password")
        seat = await take_seat(house, table)
        played = [await asyncio.wait_for(play_round(house, table, seat, dice), LONGEST) for _ in range(rounds)]
        left = await house.command(table, "stand_up")
        assert left.view.own_boxes(house.person) == ()
        await house.sign_out()
        return played


async def take_seat(house: AsyncHouseClient, table: str) -> int:
    """Sit at the first open seat, with chips."""
    for offer in (await house.table(table)).offers("sit"):
        for seat in offer.values("seat"):
            try:
                await house.command(table, "sit", seat=seat)
            except Refused:
                continue  # somebody was faster
            view = (await house.command(table, "buy_in", amount="1000.00")).view
            assert view.chips == 1000
            assert [box.seat for box in view.own_boxes(house.person)] == [seat]
            return int(seat)
    raise AssertionError(f"no seat is open at table {table}")


async def play_round(house: AsyncHouseClient, table: str, seat: int, dice: random.Random) -> PlayedRound:
    """Bet on everything that is offered, decide when asked, and count the money when the round is over."""
    async with house.live(table) as live:
        start = await until(live, lambda view: view.awaiting.kind == "wagers" and not bets_at(view, seat))
        assert start.chips is not None
        before, last = start.chips, start.last_round.number if start.last_round else 0
        wagers = await bet(house, table, seat)
        view = (await house.table(table)).view
        while view.last_round is None or view.last_round.number == last or view.last_round.box(seat) is None:
            if view.awaiting.kind == "decision" and view.awaiting.seat == seat:
                view = await decide(house, table, seat, dice)
            else:
                view = (await anext(live)).view
    box, after = view.last_round.box(seat), view.chips
    assert box is not None
    assert after is not None
    check_money(wagers, box, before, after)
    return PlayedRound(view.rulebook, view.last_round.number, wagers, box, before, after)


async def bet(house: AsyncHouseClient, table: str, seat: int) -> dict[str, Decimal]:
    """Bet the minimum on everything that is offered, the main game first."""
    placed: dict[str, Decimal] = {}
    while True:
        offers = wagers_offered(await house.table(table), seat)
        wager = next((name for name in (*MAIN, *offers) if name in offers and name not in placed), None)
        if wager is None:
            assert any(name in placed for name in MAIN), f"no main wager is offered at table {table}"
            return placed
        amount = offers[wager].amount()
        assert amount is not None
        try:
            answer = await house.command(table, "place_wager", seat=seat, wager=wager, amount=str(amount.least))
        except Refused:
            assert any(name in placed for name in MAIN)  # the dealer has closed the bets
            return placed
        placed[wager] = amount.least
        assert bets_at(answer.view, seat)[wager] == amount.least


def wagers_offered(answer: TableAnswer, seat: int) -> dict[str, AllowedCommand]:
    return {
        str(wager): offer
        for offer in answer.offers("place_wager")
        if seat in offer.values("seat")
        for wager in offer.values("wager")
    }


async def decide(house: AsyncHouseClient, table: str, seat: int, dice: random.Random) -> SeenTable:
    """Decide anything that is allowed, folding seldom."""
    offers = [offer for offer in (await house.table(table)).offers("decide") if seat in offer.values("seat")]
    choices = [(choice, offer) for offer in offers for choice in offer.values("choice")]
    assert choices, "the table awaits our decision and allows none"
    choice, offer = dice.choice([pair for pair in choices if pair[0] != "fold"] or choices)
    amount = offer.amount()
    more = {"amount": str(amount.least)} if amount is not None else {}
    return (await house.command(table, "decide", seat=seat, choice=choice, **more)).view


def check_money(wagers: dict[str, Decimal], box: SeenBox, before: Decimal, after: Decimal) -> None:
    """Every wager has its result and its clause, and the chips are what the results say."""
    results = {result.wager: result for result in box.results}
    assert wagers.keys() <= results.keys()
    for wager, staked in wagers.items():
        assert results[wager].staked == staked
    for result in box.results:
        assert result.clause, f"{result.wager} was settled without a clause"
        assert result.outcome in {"win", "lose", "push", "forfeit", "withdrawn", "void"}
    assert after == before + box.net


def bets_at(view: SeenTable, seat: int) -> dict[str, Decimal]:
    box = view.box(seat)
    return box.bets if box is not None else {}


async def until(live: LiveFeed, happened: Callable[[SeenTable], bool]) -> SeenTable:
    """The first view of which this is true."""
    async for change in live:
        if happened(change.view):
            return change.view
    raise AssertionError("the live table ended")


if __name__ == "__main__":
    for played in asyncio.run(play_everywhere(sys.argv[1], rounds=int(sys.argv[2]) if len(sys.argv) > 2 else 1)):
        results = ", ".join(f"{result.wager} {result.outcome}" for result in played.box.results)
        print(f"{played.rulebook} round {played.number}: {played.before} -> {played.after}: {results}")
