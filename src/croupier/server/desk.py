"""What every handler of the server works with: the tables, the people, and how often somebody may ask."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from litestar.connection import ASGIConnection

from croupier.errors import Malformed, RuleViolation
from croupier.house import House, HouseCommand
from croupier.server.callers import Caller, NotFound
from croupier.server.doors import Doors
from croupier.server.hall import Hall
from croupier.server.live import LiveTable, Watched
from croupier.server.metrics import Metrics
from croupier.server.passing import Passing
from croupier.server.plans import plans_of
from croupier.server.rates import Rates
from croupier.server.shown import shown_entries
from croupier.table import Person, Request, Table, read_request

__all__ = ["Desk", "read_command"]

_TAKEN: Final = ("by", "at", "key")
"""What the server says itself of a command."""


class Desk:
    """The running house, for its handlers."""

    def __init__(self, hall: Hall, doors: Doors, passing: Passing, *, demo: bool = False) -> None:
        self.hall, self.doors, self.passing, self.demo = hall, doors, passing, demo
        self.metrics: Final = Metrics()
        self.requests: Final = Rates(per_second=50, burst=200)
        self.commands: Final = Rates(per_second=20, burst=60)
        self.sockets: Final[Counter[str]] = Counter()
        """Open sockets by caller."""
        self.stopping = False

    @property
    def house(self) -> House:
        """The house's own record."""
        return self.doors.people.house

    def table(self, name: str) -> Watched:
        """The table of this id; `NotFound` otherwise."""
        found = self.hall.find(name)
        if found is None:
            raise NotFound("there is no such table")
        return found

    async def admit(self, connection: ASGIConnection[Any, Any, Any, Any], *, token: str | None = None) -> Caller:
        """Whoever sends a request, counted; `token` is what a form carries in place of the header."""
        caller = await self.doors.caller(connection, token=token)
        self.requests.take(caller.id or caller.address)
        connection.scope["state"]["caller_id"] = caller.id
        return caller

    async def command(self, caller: Caller, name: str, body: dict[str, Any], key: str) -> dict[str, Any]:
        """What a command of a caller leads to at a table, as the caller may see it, wherever the table runs."""
        table = self.table(name)
        caller.must_be_somebody()
        self.commands.take(caller.id)
        for word in _TAKEN:
            if word in body:
                raise Malformed(f"{word}: the server knows this itself: leave it out")
        do = body.get("do")
        if not isinstance(do, str):
            raise Malformed("do is missing; `croupier table commands` lists the commands")
        person = caller.giving(table.table, do)
        await self.doors.check_player(person, do, body, self.hall)
        self._check_open(table.table, do)
        key = key or uuid4().hex
        with self.metrics.command(do):
            if not isinstance(table, LiveTable):
                return await self.passing.give(table, person, body, key)
            answer = await table.give(lambda now, at: read_command(now, at, person, body, key))
        return shown_answer(table, answer.entries, person)

    def _check_open(self, table: Table, do: str) -> None:
        """While a table is paused no round begins."""
        run = self.house.state.tables.get(table.id)
        if run is not None and run.run == "paused" and table.round is None and do == "place_wager":
            raise RuleViolation("paused", "this table is paused: no round begins now", clause="")

    async def give_house(self, caller: Caller, command: HouseCommand, key: str) -> None:
        """Carry out a command of the house, and run the tables as it says."""
        self.commands.take(caller.id)
        await self.doors.give(caller, command, key)
        await self.set_up()

    async def set_up(self) -> None:
        """Run the tables that the house's record says are run."""
        await self.hall.set_up(plans_of(self.house.state))

    async def stop(self) -> None:
        """Stop the tables; every round stays as it is."""
        await self.hall.stop()
        await self.passing.close()
        self.doors.people.close()


def shown_answer(table: Watched, entries: Any, person: Person) -> dict[str, Any]:  # noqa: ANN401
    """The answer to a command."""
    version, shown = table.shown(person)
    return {"version": version, "entries": shown_entries(entries, person, table.table), "view": shown}


def read_command(table: Table, at: datetime, person: Person, body: dict[str, Any], key: str) -> Request:
    """A command as a table takes it."""
    by = {"role": person.role, "id": person.id}
    return read_request({**body, "by": by, "at": at.isoformat(), "key": key}, table.house)
