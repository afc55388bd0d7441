"""Rounds played at a table of a running demo, through the desk: for pages that tell of them afterwards."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import uuid4

from croupier.house.first_start import demo_id
from croupier.ledger import HouseRole
from croupier.server import Caller, Desk
from croupier.table import Table, view

_PATIENCE: Final = 400
_BEAT: Final = 0.02


def the_caller(name: str, role: HouseRole = "player") -> Caller:
    """Somebody of the demo, signed in."""
    return Caller(id=demo_id(name), name=name, roles=(role,))


async def play_rounds(desk: Desk, table: str, name: str = "ann", *, rounds: int = 1, choose: str = "") -> int:
    """Sit down, play so many rounds by the first choice or by this one, and return the number of the last."""
    caller = the_caller(name)
    for _ in range(rounds):
        before = _table(desk, table).played
        await bet(desk, table, name)
        await _decide(desk, caller, table, before, choose)
    return _table(desk, table).played


async def bet(desk: Desk, table: str, name: str = "ann") -> None:
    """Sit down if need be, and bet the least on the main wagers."""
    caller = the_caller(name)
    if not any(box.own for box in view(_table(desk, table), caller.at_table).seats):
        await give(desk, caller, table, do="sit", seat=1)
        await give(desk, caller, table, do="buy_in", amount="500.00")
    await _bet(desk, caller, table)


async def void_round(desk: Desk, table: str, name: str = "ann") -> int:
    """A round in which a floorperson rules that a card of the board was exposed; returns its number."""
    before = _table(desk, table).played
    await bet(desk, table, name)
    for _ in range(_PATIENCE):
        state = _table(desk, table)
        if state.round is not None and view(state, None).awaiting.kind == "decision":
            floor = the_caller("floorperson", "floorperson")
            await give(desk, floor, table, do="rule", irregularity="community_exposed", seat=0)
        if state.played > before and state.round is None:
            return state.played
        await asyncio.sleep(_BEAT)
    raise AssertionError("the round was not closed")


def _table(desk: Desk, name: str) -> Table:
    return desk.table(name).table


async def give(desk: Desk, caller: Caller, table: str, **body: object) -> None:
    """A command of somebody at a table."""
    await desk.command(caller, table, dict(body), uuid4().hex)


async def _bet(desk: Desk, caller: Caller, table: str) -> None:
    for _ in range(_PATIENCE):
        offers = [offer for offer in desk.offers(caller, desk.table(table)) if offer.do == "place_wager"]
        if offers:
            break
        await asyncio.sleep(_BEAT)
    house = _table(desk, table).house
    for wager in house.wagers:
        needed = wager.name == house.wagers[0].name or wager.name.startswith("bet_")
        if wager.stakes is not None and needed:
            amount = f"{wager.stakes.minimum / 100:.2f}"
            await give(desk, caller, table, do="place_wager", seat=1, wager=wager.name, amount=amount)


async def _decide(desk: Desk, caller: Caller, table: str, before: int, choose: str) -> None:
    seen = view(_table(desk, table), caller.at_table)
    for _ in range(_PATIENCE):
        seen = view(_table(desk, table), caller.at_table)
        if _table(desk, table).played > before and _table(desk, table).round is None:
            return
        if seen.awaiting.kind == "decision" and seen.awaiting.patron == caller.id:
            choices = {each.choice: each for each in seen.awaiting.choices}
            named = choose if choose in choices else next(name for name in choices if name != "fold")
            amount = {"amount": f"{choices[named].least / 100:.2f}"} if named == "raise" else {}
            await give(desk, caller, table, do="decide", seat=seen.awaiting.seat, choice=named, **amount)
        await asyncio.sleep(_BEAT)
    raise AssertionError(seen.awaiting.words)
