"""Other rules for a table: agreed on in the house's record, taken by the table between rounds.

The table records them as proposed and confirmed by the same two people. Both commands have keys made from the house's
own entry, so a change is taken once, however often the house opens.
"""

from __future__ import annotations

from datetime import datetime

from croupier.rulebook import submission_text
from croupier.server.live import LiveTable
from croupier.server.plans import TablePlan
from croupier.table import Person, Request, Table
from croupier.table.commands import Command, ConfirmRules, ProposeRules
from croupier.wire import decode_json

__all__ = ["take_rules"]


async def take_rules(table: LiveTable, plan: TablePlan) -> bool:
    """Let a table take the last change of its rules; False while a round is in play."""
    change = plan.confirmed
    if change is None:
        return True
    if table.table.round is not None:
        return False
    proposed = ProposeRules(decode_json(submission_text(plan.submission)), plan.approval)
    steps: tuple[tuple[Person, Command, str], ...] = (
        (Person("operator", change.proposed_by), proposed, "proposed"),
        (Person(change.role, change.by), ConfirmRules(), "confirmed"),  # type: ignore[arg-type] # a role of the table
    )
    for person, command, step in steps:
        key = f"house/{change.entry}/{step}"

        def read(
            _: Table, at: datetime, person: Person = person, command: Command = command, key: str = key
        ) -> Request:
            return Request(person, at, command, key=key)

        await table.give(read)
    return True
