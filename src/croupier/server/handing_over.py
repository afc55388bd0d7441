"""A person takes a table over: ordered in the house's record, and taken on duty by the table.

The table records who ordered it, in their role. The command has a key made from the house's own entry, so a dealer is
taken on once, however often the house opens.
"""

from __future__ import annotations

from datetime import datetime

from croupier.server.live import LiveTable
from croupier.server.plans import TablePlan
from croupier.table import Person, Request, Table
from croupier.table.commands import Assign

__all__ = ["take_on"]


async def take_on(table: LiveTable, plan: TablePlan) -> None:
    """Let the person deal to whom the house has handed the table over; whoever deals there is relieved."""
    order = plan.handed
    if order is None or table.table.people.dealer == order.person:
        return

    def read(_: Table, at: datetime) -> Request:
        by = Person(order.role, order.by)  # type: ignore[arg-type] # a role of the table
        return Request(by, at, Assign("dealer", order.person), key=f"house/{order.entry}/dealer")

    await table.give(read)
