"""A house on a disk in memory and in simulated time, with live tables and players at them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from msgspec.structs import replace

from croupier.money import Cents
from croupier.rulebook import check, load_rulebook, read_submission_text, starting_submission
from croupier.server.hall import Hall
from croupier.server.live import LiveTable
from croupier.server.pace import Pace
from croupier.server.plans import TablePlan
from croupier.store import Cage
from croupier.table import Person, Request, Table, commands
from support.disk import Disk
from support.disk_house import plain_store
from support.simulated_time import clock, simulated

ANN, BOB, CARL = (Person("player", name) for name in ("ann", "bob", "carl"))
BEAT = Pace().beat.total_seconds()


def plan(
    name: str = "1",
    *,
    rulebook: str = "md-mississippi-stud",
    timeout: int = 30,
    boxes: int = 1,
    **more: Any,  # noqa: ANN401 - of a plan
) -> TablePlan:
    text = starting_submission(load_rulebook(rulebook), every_wager=True)
    filed = read_submission_text(text, name="a house")
    submission = replace(filed, boxes=boxes, readings=filed.readings | {"decision.timeout": timeout})
    return TablePlan(id=name, submission=submission, rules=check(submission).rules(), **more)


@asynccontextmanager
async def a_hall(*plans: TablePlan) -> AsyncIterator[Hall]:
    """A house on a disk in memory."""
    disk = Disk()
    store = plain_store(disk)
    hall = Hall(store, Cage(store), clock=clock, play_chips=True)
    await hall.set_up(plans or [plan()])
    hall.start()
    try:
        await asyncio.sleep(1)  # the staff open the tables
        yield hall
    finally:
        await hall.stop()
        await store.close()
        disk.remove()


async def give(table: LiveTable, by: Person, command: commands.Command, key: str = "") -> Table:
    return (await table.give(lambda _table, at: Request(by, at, command, key=key))).table


async def seat(table: LiveTable, *players: Person) -> None:
    for number, player in enumerate(players, 1):
        await give(table, player, commands.Sit(number))
        await give(table, player, commands.BuyIn(Cents(100_000)))


def seat_of(table: LiveTable, player: Person) -> int:
    return next(number for number, patron in table.table.people.seats if patron == player.id)


async def bet(table: LiveTable, player: Person) -> None:
    await give(table, player, commands.PlaceWager(seat_of(table, player), "ante", Cents(1_000)))


async def until(holds: Callable[[], bool], seconds: float = 600) -> float:
    """The simulated seconds until this holds."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while not holds():
        assert loop.time() < began + seconds, "it never happens"
        await asyncio.sleep(0.05)
    return loop.time() - began


def deals(table: LiveTable) -> bool:
    return table.table.round is not None and table.table.round.at.kind != "wagers"


def is_over(table: LiveTable) -> bool:
    return table.table.round is None


def in_a_house(work: Callable[[Hall, LiveTable], Awaitable[None]], *plans: TablePlan) -> None:
    async def run() -> None:
        async with a_hall(*plans) as hall:
            await work(hall, hall.live[next(iter(hall.live))])

    simulated(run)
