"""Calls for the floor: who may answer them, and that a floorperson who rules at a table has come."""

from __future__ import annotations

from contextlib import suppress

from croupier.errors import CroupierError
from croupier.house import commands, table_role
from croupier.server import Caller, Desk
from croupier.web.dealer_irregularities import RULINGS

__all__ = ["has_ruled", "may_answer"]


def may_answer(desk: Desk, caller: Caller, table_id: str) -> bool:
    """Whether this is somebody whom a dealer calls for."""
    return table_role(desk.table(table_id).table.house, caller.roles, "rule") is not None


async def has_ruled(desk: Desk, caller: Caller, table_id: str, do: str, key: str) -> None:
    """After a ruling no call for the floor is left: whoever ruled is there."""
    called = desk.house.state.floor.calls.get(table_id) is not None
    if called and do in RULINGS and may_answer(desk, caller, table_id):
        with suppress(CroupierError):  # somebody else was faster
            await desk.give_house(caller, commands.AnswerCall(table=table_id), key and f"{key}.came")
