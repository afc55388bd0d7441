"""The tables of a house in one process: those that it runs, and those that it only shows because others run them.

With SQLite there is one process, and it runs everything. With PostgreSQL each table is held by a lease: whoever holds
it runs the table, everybody else follows its record and passes commands on to the holder. A holder that is gone is
noticed within seconds, and another process goes on with the same round; one that was only paused finds its epoch
outdated, and writes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final

from msgspec import Struct

from croupier.driver import CardsByHand, CardSource, FairShuffler, Staff
from croupier.errors import Conflict, CroupierError, StoreError
from croupier.fairness import SYSTEM
from croupier.games import patron_of
from croupier.rulebook import HouseRules, Submission
from croupier.server.follow import FollowedTable
from croupier.server.live import LiveTable, Watched, now
from croupier.server.pace import Pace
from croupier.store import Cage, Link, Store, open_table
from croupier.table import new_table

__all__ = ["Hall", "TablePlan"]

LEASE: Final = 3.0
"""Seconds that a table is held for; it is renewed three times as often."""


class TablePlan(Struct, frozen=True, kw_only=True):
    """A table of the house, as it is set up."""

    id: str
    submission: Submission
    rules: HouseRules
    virtual: bool = True
    automatic: bool = True
    pace: Pace = Pace()

    @property
    def stream(self) -> str:
        """The stream of its record."""
        return f"table/{self.id}"


class Hall:
    """All tables of the house, by id."""

    def __init__(
        self, store: Store, cage: Cage, *, clock: Callable[[], datetime] = now, play_chips: bool = False
    ) -> None:
        self.store: Final = store
        self.cage: Final = cage
        self._clock, self._play_chips = clock, play_chips
        self._plans: dict[str, TablePlan] = {}
        self._links: dict[str, Link] = {}
        self.live: Final[dict[str, LiveTable]] = {}
        """Tables that this process runs."""
        self.followed: Final[dict[str, FollowedTable]] = {}
        """Tables that another process runs."""
        self._setting_up: Final = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._shared = store.engine.name != "sqlite"
        self.problems: Final[dict[str, str]] = {}
        """Tables that could not be opened, and why."""

    @property
    def plans(self) -> dict[str, TablePlan]:
        """How the tables are set up."""
        return self._plans

    def find(self, name: str) -> LiveTable | FollowedTable | None:
        """The table of this id, wherever it runs."""
        return self.live.get(name) or self.followed.get(name)

    def tables(self) -> list[LiveTable | FollowedTable]:
        """Every table, in order."""
        found = [self.find(name) for name in sorted(self._plans)]
        return [table for table in found if table is not None]

    def at_risk(self, patron: str) -> int:
        """What a player has on the layouts of all tables, in cents."""
        return sum(
            amount
            for table in self.tables()
            if (state := table.table.round) is not None
            for box in state.boxes
            if patron_of(state, box) == patron
            for _, amount in box.staked
        )

    def time_of(self, table: Watched) -> datetime:
        """The time at a table: its clock never goes back."""
        at, clock = self._clock(), table.table.clock
        return at if clock is None else max(at, clock)

    # --- opening and closing

    async def set_up(self, plans: Iterable[TablePlan]) -> None:
        """Run, or follow, exactly these tables."""
        async with self._setting_up:
            before, self._plans = self._plans, {plan.id: plan for plan in plans}
            for name in self.live.keys() - self._plans.keys():
                await self._close(name)
            for plan in self._plans.values():
                table = self.live.get(plan.id)
                if table is None:
                    await self._open(plan)
                elif before.get(plan.id) != plan:
                    table.deal(Staff() if plan.automatic else None, plan.pace)

    async def _close(self, name: str) -> None:
        table = self.live.pop(name)
        await table.stop()
        if self._shared:
            await self.store.release([table.stored.stream])

    def start(self) -> None:
        """Begin to keep house: checkpoints, leases, and what other processes append."""
        self._tasks = [asyncio.create_task(self._keep_house(), name="housekeeping")]
        if self._shared:
            self._tasks.append(asyncio.create_task(self._hold(), name="leases"))
            self._tasks.append(asyncio.create_task(self._hear(), name="news"))

    async def stop(self) -> None:
        """Stop every clock and let go of every table: rounds stay as they are, and go on wherever they open next."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*[table.stop() for table in self.live.values()])
        if self._shared and self.live:
            with suppress(CroupierError):
                await self.store.release([table.stored.stream for table in self.live.values()])
        self.live.clear()
        self.followed.clear()

    async def _open(self, plan: TablePlan) -> None:
        """Run the table if nobody else does, otherwise follow it."""
        staff = Staff() if plan.automatic else None
        try:
            stored = await open_table(
                self.store,
                new_table(plan.submission, plan.rules, id=plan.id),
                lambda _used: _source(plan),
                at=self._clock(),
                automatic=staff,
                seconds=LEASE if self._shared else 0,
                links=self._links,
            )
        except Conflict:
            if plan.id not in self.followed:
                self.followed[plan.id] = await FollowedTable.open(self.store, plan.stream)
            return
        except CroupierError as error:
            self.problems[plan.id] = str(error)
            return
        self.problems.pop(plan.id, None)
        table = LiveTable(
            stored, self.cage, automatic=staff, pace=plan.pace, clock=self._clock, play_chips=self._play_chips
        )
        before = self.followed.pop(plan.id, None)
        self.live[plan.id] = table
        if before is not None:
            before.moved_to(table)
        table.start()

    # --- keeping house

    async def _keep_house(self) -> None:
        while True:
            await asyncio.sleep(1)
            with suppress(StoreError):
                await self.store.engine.checkpoint()

    async def _hold(self) -> None:
        """Renew what is ours, give up what is not, and take what nobody holds."""
        while True:
            await asyncio.sleep(LEASE / 3)
            with suppress(StoreError):
                streams = {table.stored.stream: name for name, table in self.live.items()}
                kept = set(await self.store.renew(list(streams), seconds=LEASE))
                for stream in streams.keys() - kept:
                    await self._lose(streams[stream])
                for plan in list(self._plans.values()):
                    if plan.id not in self.live:
                        await self._open(plan)

    async def _lose(self, name: str) -> None:
        """Somebody else runs this table now: follow it."""
        table = self.live.pop(name)
        await table.stop()
        followed = self.followed[name] = await FollowedTable.open(self.store, table.stored.stream)
        table.moved_to(followed)

    async def _hear(self) -> None:
        queue = self.store.listen()
        try:
            while True:
                stream, seq = await queue.get()
                for table in list(self.followed.values()):
                    if stream in {"*", table.stream} and (seq == 0 or seq > table.table.seq):
                        with suppress(CroupierError):
                            await table.catch_up()
        finally:
            self.store.unlisten(queue)


def _source(plan: TablePlan) -> CardSource:
    return FairShuffler(salts=SYSTEM) if plan.virtual else CardsByHand(salts=SYSTEM)
