"""The figures of the gaming day so far, for whoever may read them."""

from __future__ import annotations

from msgspec import Struct

from croupier.server.callers import Caller
from croupier.server.desk import Desk
from croupier.store import DayFigures

__all__ = ["ShiftRow", "shift_for"]


class ShiftRow(Struct, frozen=True, kw_only=True):
    """A table that the house runs, what it plays, and its gaming day so far; None before its first."""

    table: str
    rulebook: str
    virtual: bool
    """Whether its chips come from the cage alone: then nothing is dropped here."""
    so_far: DayFigures | None


async def shift_for(desk: Desk, caller: Caller) -> list[ShiftRow]:
    """Every table that runs, with its gaming day so far."""
    caller.must_be_person()
    caller.must_read("figures")
    return [
        ShiftRow(
            table=watched.table.id,
            rulebook=watched.table.house.rulebook.id,
            virtual=desk.hall.plans[watched.table.id].virtual,
            so_far=await desk.day_figures.of(watched.table.id),
        )
        for watched in desk.hall.tables()
    ]
