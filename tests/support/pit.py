"""A table with real cards in a running house, staffed by the people of a demo, brought to where a test begins."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from croupier.driver import Staff, next_request
from croupier.games import awaiting
from croupier.house import HouseRequest, commands
from croupier.server import Desk
from croupier.server.live import LiveTable
from croupier.table import Person, Table, write_request

STAFF: Final = Staff(dealer="dealer-1", floorperson="floorperson-1", manager="pit-manager-1")
ANN: Final = Person("player", "ann-1")
ROYAL: Final = (("Qh", "Jh", "Th"), "Ah Kh")
"""The board, card by card, and Ann's hand: the whole meter."""


async def make_table(desk: Desk, table: str, submission: str = "md-mississippi-stud") -> None:
    """A table with real cards that the house runs."""
    made = commands.MakeTable(table=table, submission=submission, version=1, kind="physical", dealer="person")
    for command in (made, commands.OpenPlay(table=table)):
        await desk.house.give(HouseRequest(by="operator-1", at=desk.doors.now(), command=command))
    await desk.set_up()


def live(desk: Desk, table: str) -> LiveTable:
    return desk.hall.live[table]


async def give(desk: Desk, table: str, by: Person, do: str, **fields: object) -> Table:
    """A command at a table, by somebody."""
    await desk.given(live(desk, table), by, {"do": do, **fields}, uuid4().hex)
    return live(desk, table).table


async def staff_on(desk: Desk, table: str, *, until: str = "", close_bets: bool = False) -> None:
    """Let the staff go on until a player or a card is awaited, or until they would give this command."""
    for _ in range(200):
        now = live(desk, table).table
        if now.round is not None and awaiting(now.round).kind in {"reveal", "identity"}:
            return
        request = next_request(now, desk.hall.time_of(live(desk, table)), staff=STAFF, close_bets=close_bets)
        if request is None or request.name == until:
            return
        sent = {name: value for name, value in write_request(request).items() if name not in {"by", "at", "key"}}
        await desk.given(live(desk, table), request.by, sent, uuid4().hex)
    raise AssertionError("the staff never came to an end")


async def open_for_ann(desk: Desk, table: str) -> None:
    """The table is open, and Ann sits at seat 1 with chips."""
    await staff_on(desk, table)
    await give(desk, table, ANN, "sit", seat=1, patron=ANN.id)
    await give(desk, table, ANN, "buy_in", amount="500.00")
    await staff_on(desk, table)


async def ann_plays(desk: Desk, table: str, *, progressive: bool = False, until: str = "close") -> None:
    """Ann bets, holds a royal flush, and the staff settle up to this command."""
    await give(desk, table, ANN, "place_wager", seat=1, wager="ante", amount="10.00")
    if progressive:
        await give(desk, table, ANN, "place_wager", seat=1, wager="progressive", amount="1.00")
    await staff_on(desk, table, close_bets=True)
    board, hand = ROYAL
    dealer = Person("dealer", "dealer-1")
    for card in board:
        await give(desk, table, ANN, "decide", seat=1, choice="1x")
        await staff_on(desk, table)
        await give(desk, table, dealer, "reveal", slot="community", cards=card)
    await staff_on(desk, table, until=until)
    if awaiting_reveal(live(desk, table).table):
        await give(desk, table, dealer, "reveal", slot="player", seat=1, cards=hand)
    await staff_on(desk, table, until=until)


def awaiting_reveal(table: Table) -> bool:
    return table.round is not None and awaiting(table.round).kind == "reveal"
