"""What every handler of the server works with: the tables, the people, and how often somebody may ask."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

from litestar.connection import ASGIConnection

from croupier.errors import CroupierError, Malformed, RuleViolation, StoreError
from croupier.house import House, HouseCommand, place_of
from croupier.ledger import BookEntry
from croupier.server.callers import Caller, NotFound
from croupier.server.doors import Doors
from croupier.server.hall import Hall
from croupier.server.live import LiveTable, Watched
from croupier.server.metrics import Metrics
from croupier.server.passing import Passing
from croupier.server.plans import plans_of
from croupier.server.rates import Rates
from croupier.server.replays import table_at
from croupier.server.shown import shown_entries, shown_view
from croupier.table import Person, Request, Table, read_request, view
from croupier.table.commands import COMMANDS
from croupier.wire import clip

__all__ = ["Desk"]

_SWEPT: Final = 600.0
"""Seconds between two looks for sessions that are over."""
_TAKEN: Final = ("by", "at", "key")
"""What the server says itself of a command."""


class Desk:
    """The running house, for its handlers."""

    def __init__(self, hall: Hall, doors: Doors, passing: Passing, *, demo: bool = False) -> None:
        self.hall, self.doors, self.passing, self.demo = hall, doors, passing, demo
        self.metrics: Final = Metrics()
        self.requests: Final = Rates(per_second=50, burst=200)
        """By caller, or by address for strangers."""
        self.commands: Final = Rates(per_second=20, burst=60)
        self.replays: Final = Rates(per_second=1, burst=20)
        """Answers from long ago: each is found by reading the record again."""
        self.sockets: Final[Counter[str]] = Counter()
        """Open sockets by caller."""
        self.stopping = False
        self.described = b""
        """The API described, once somebody has asked."""
        self._tasks: list[asyncio.Task[None]] = []

    async def caller(self, connection: ASGIConnection[Any, Any, Any, Any]) -> Caller:
        """Whoever sends a request, if they do not ask too often."""
        place = place_of(connection.client.host if connection.client is not None else "")
        try:
            caller = await self.doors.caller(connection)
        except CroupierError:
            self.requests.take(place)  # whoever tries keys at the door is a stranger
            raise
        self.requests.take(caller.id or place)
        connection.scope["state"]["caller_id"] = caller.id
        return caller

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

    async def command(self, caller: Caller, name: str, body: dict[str, Any], key: str) -> dict[str, Any]:
        """What a command of a caller leads to at a table, as the caller may see it, wherever the table runs."""
        table = self.table(name)
        caller.must_be_somebody()
        self.commands.take(caller.id)
        for word in _TAKEN:
            if word in body:
                raise Malformed(f"{word}: the server knows this itself: leave it out")
        do = body.get("do")
        if not isinstance(do, str) or do not in COMMANDS:
            words = f"do: {clip(repr(do))} is not a command" if "do" in body else "do is missing"
            raise Malformed(f"{words}; `croupier table commands` lists them")
        person = caller.giving(table.table, do)
        await self.doors.check_player(person, do, body, self.hall)
        self._check_open(table.table, do)
        key = key or uuid4().hex
        with self.metrics.command(do):
            if not isinstance(table, LiveTable):
                return await self.passing.give(table, person, body, key)
            return await self.given(table, person, body, key)

    async def given(self, table: LiveTable, person: Person, body: dict[str, Any], key: str) -> dict[str, Any]:
        """What a command leads to at a table of this process; sent again with its key, what it led to then."""
        before = table.table.seq
        answer = await table.give(lambda now, at: read_command(now, at, person, body, key))
        last = answer.entries[-1].seq if answer.entries else before
        if last > before or last == table.table.seq:
            return shown_answer(table, answer.entries, person)
        self.replays.take(person.id)
        then = await table_at(self.hall.store, table.stored.stream, last)
        if then is None:
            return shown_answer(table, answer.entries, person)
        return {
            "version": then.seq,
            "entries": shown_entries(answer.entries, person, then),
            "view": shown_view(view(then, person)),
        }

    def _check_open(self, table: Table, do: str) -> None:
        """While a table is paused no round begins."""
        run = self.house.state.tables.get(table.id)
        if run is not None and run.run == "paused" and table.round is None and do == "place_wager":
            raise RuleViolation("paused", "this table is paused: no round begins now", clause="")

    async def give_house(self, caller: Caller, command: HouseCommand, key: str) -> tuple[BookEntry, ...]:
        """Carry out a command of the house, and run the tables as it says."""
        caller.must_be_person()
        self.commands.take(caller.id)
        entries = await self.doors.give(caller, command, key)
        await self.set_up()
        return entries

    async def set_up(self) -> None:
        """Run the tables that the house's record says are run."""
        await self.hall.set_up(plans_of(self.house.state))

    def start(self) -> None:
        """Begin to keep house."""
        self.hall.start()
        self._tasks = [
            asyncio.create_task(self.house.follow(), name="the house's record"),
            asyncio.create_task(self._sweep(), name="sessions that are over"),
        ]

    async def _sweep(self) -> None:
        while True:
            with suppress(StoreError):
                await self.doors.people.sweep(self.doors.now())
            await asyncio.sleep(_SWEPT)

    async def stop(self) -> None:
        """Stop the tables; every round stays as it is."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
