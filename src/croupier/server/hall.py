"""The tables of a house in one process: those that it runs, and those that it only shows because others run them.

With SQLite there is one process, and it runs everything. With PostgreSQL each table is held by a lease: whoever holds
it runs the table, everybody else follows its record and passes commands on to the holder. A holder that is gone is
noticed within seconds, and another process goes on with the same round; one that was only paused finds its epoch
outdated, and writes nothing. Processes share the tables evenly; one that has more than its share lets go of tables
between rounds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Final

from croupier.driver import CardsByHand, CardSource, FairShuffler
from croupier.errors import Conflict, CroupierError, StoreError
from croupier.fairness import SYSTEM
from croupier.games import patron_of
from croupier.server.chores import Chores
from croupier.server.follow import FollowedTable
from croupier.server.handing_over import take_on
from croupier.server.live import LiveTable
from croupier.server.plans import TablePlan
from croupier.server.rules_changes import take_rules
from croupier.server.shares import surplus, to_take
from croupier.server.turns import Turns
from croupier.server.watching import Watched, now
from croupier.store import Cage, Link, Store, open_table
from croupier.table import new_table

__all__ = ["Hall"]

_LOG: Final = logging.getLogger("croupier.server")
LEASE: Final = 2.0
"""Seconds that a table is held for, unless that is renewed."""
BEAT: Final = 0.4
"""Seconds between two renewals, and between two looks at who runs what."""
_OPENING_AGAIN: Final = 10.0
"""Seconds until a table that could not be opened is tried again."""
_TABLES: Final = "table/"
_NO_TIME_LIMIT: Final = "without decision.timeout its automatic dealer waits for an absent player until the floor acts"


class Hall:
    """All tables of the house, by id."""

    def __init__(
        self,
        store: Store,
        cage: Cage,
        *,
        clock: Callable[[], datetime] = now,
        play_chips: bool = False,
        address: str = "",
    ) -> None:
        self.store: Final = store
        self.cage: Final = cage
        self._clock, self._play_chips, self._address = clock, play_chips, address
        self._plans: dict[str, TablePlan] = {}
        self._links: dict[str, Link] = {}
        self.live: Final[dict[str, LiveTable]] = {}
        """Tables that this process runs."""
        self.followed: Final[dict[str, FollowedTable]] = {}
        """Tables that another process runs, or nobody yet."""
        self._lock: Final = asyncio.Lock()
        self._opening: Final[set[str]] = set()
        """Streams that are claimed and being read: they are renewed as well."""
        self._not_before: Final[dict[str, float]] = {}
        """When a table that could not be opened is tried again."""
        self._free_since: dict[str, float] = {}
        self._news: asyncio.Queue[tuple[str, int]] | None = None
        self._taken: Final[dict[str, int]] = {}
        """The last change of rules that each table has taken."""
        self._taken_on: Final[dict[str, int]] = {}
        """The last order to hand it over that each table has carried out."""
        self.chores: Final = Chores()
        self.turns: Final = Turns()
        self.is_shared: Final = store.engine.name != "sqlite"
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

    async def read_on(self) -> None:
        """Read what other processes have recorded at their tables until now."""
        heads = (await self.store.holdings(_TABLES, seconds=LEASE)).heads
        for table in list(self.followed.values()):
            if heads.get(table.stream, 0) > table.seq:
                await table.catch_up()

    def time_of(self, table: Watched) -> datetime:
        """The time at a table: its clock never goes back."""
        at, clock = self._clock(), table.table.clock
        return at if clock is None else max(at, clock)

    def troubles(self) -> dict[str, str]:
        """What does not go on by itself, and why."""
        clocks = {f"table {name}": table.failure for name, table in self.live.items() if table.failure}
        return {f"table {name}": why for name, why in self.problems.items()} | clocks | self.chores.troubles

    # --- opening and closing

    async def set_up(self, plans: Iterable[TablePlan]) -> None:
        """Run, or follow, exactly these tables."""
        async with self._lock:
            before, self._plans = self._plans, {plan.id: plan for plan in plans}
            for name in (self.live.keys() | self.followed.keys() | self.problems.keys()) - self._plans.keys():
                await self._close(name)
            for plan in self._plans.values():
                table = self.live.get(plan.id)
                if table is not None and before.get(plan.id) != plan:
                    table.deal(plan.staff, plan.pace)
                elif table is None and self.is_shared and plan.id not in self.followed:
                    await self._follow(plan)
                elif table is None and not self.is_shared:
                    await self._open(plan)
                if (shown := self.find(plan.id)) is not None:
                    plan.show(shown)
        if self.is_shared:
            await self._spread()

    async def _close(self, name: str) -> None:
        """The house runs this table no longer; whoever watches is told."""
        table, followed = self.live.pop(name, None), self.followed.pop(name, None)
        self.problems.pop(name, None)
        self._not_before.pop(name, None)
        if followed is not None:
            followed.gone()
        if table is not None:
            await table.stop()
            table.gone()
            await self._release([table])

    async def _take_rules(self) -> None:
        """Let tables take the rules that were agreed on for them, between rounds."""
        for name, table in list(self.live.items()):
            plan = self._plans.get(name)
            change = plan.confirmed if plan is not None else None
            if plan is None or change is None or self._taken.get(name) == change.entry:
                continue
            try:
                if await take_rules(table, plan):
                    self._taken[name] = change.entry
                    self.chores.troubles.pop(f"rules of table {name}", None)
            except Conflict:
                continue  # it is run elsewhere by now, and takes them there
            except CroupierError as error:
                self.chores.troubles[f"rules of table {name}"] = str(error)

    async def take_dealers_on(self) -> None:
        """Let tables take the people on duty to whom the house has handed them over."""
        for name, table in list(self.live.items()):
            plan = self._plans.get(name)
            order = plan.handed if plan is not None else None
            if plan is None or order is None or self._taken_on.get(name) == order.entry:
                self.chores.troubles.pop(f"dealer of table {name}", None)
                continue
            try:
                await take_on(table, plan)
                self._taken_on[name] = order.entry
            except Conflict:
                continue  # it is run elsewhere by now, and takes them on there
            except CroupierError as error:
                self.chores.troubles[f"dealer of table {name}"] = str(error)

    def start(self) -> None:
        """Begin to keep house: rules, leases, and what other processes append."""
        self.chores.every(BEAT, "rules", self._take_rules)
        self.chores.every(BEAT, "dealers", self.take_dealers_on)
        if self.is_shared:
            self.chores.every(60.0, "processes", self.store.forget_processes)
            self.chores.every(BEAT, "leases", self._renew)
            self.chores.always("news", self._hear)
        self.chores.every(BEAT, "tables", self._spread if self.is_shared else self._open_again)

    async def stop(self) -> None:
        """Stop every clock and let go of every table: rounds stay as they are, and go on wherever they open next."""
        await self.chores.stop()
        async with self._lock:
            tables = list(self.live.values())
            await asyncio.gather(*[table.stop() for table in tables])
            if self.is_shared:
                with suppress(StoreError):
                    await self.store.retire()
            await self._release(tables)
            self.live.clear()
            self.followed.clear()

    async def _release(self, tables: Iterable[LiveTable]) -> None:
        streams = [table.stored.stream for table in tables]
        if self.is_shared and streams:
            with suppress(StoreError):  # its lease ends by itself
                await self.store.release(streams)

    async def _open(self, plan: TablePlan) -> None:
        """Run the table if nobody else does, otherwise follow it."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._not_before.get(plan.id, 0.0):
            return
        staff = plan.staff
        self._opening.add(plan.stream)
        try:
            stored = await open_table(
                self.store,
                new_table(plan.submission, plan.rules, id=plan.id),
                lambda _used: _source(plan),
                at=self._clock(),
                automatic=staff,
                seconds=LEASE if self.is_shared else 0,
                links=self._links,
                any_rules=True,
            )
        except Conflict:
            return  # somebody else was first
        except Exception as error:  # noqa: BLE001 - the other tables go on
            words = str(error) if isinstance(error, CroupierError) else type(error).__name__
            trace = None if isinstance(error, CroupierError) else error
            if self.problems.get(plan.id) != words:
                _LOG.error("table %s could not be opened: %s", plan.id, words, exc_info=trace)
            self.problems[plan.id] = words
            self._not_before[plan.id] = loop.time() + _OPENING_AGAIN
            return
        finally:
            self._opening.discard(plan.stream)
        self.problems.pop(plan.id, None)
        self._not_before.pop(plan.id, None)
        table = LiveTable(
            stored,
            self.cage,
            automatic=staff,
            pace=plan.pace,
            clock=self._clock,
            play_chips=self._play_chips,
            virtual=plan.virtual,
            turns=self.turns,
        )
        plan.show(table)
        if plan.automatic and not plan.rules.options.decision_timeout:
            _LOG.warning("table %s: %s", plan.id, _NO_TIME_LIMIT)
        before = self.followed.pop(plan.id, None)
        self.live[plan.id] = table
        if before is not None:
            before.moved_to(table)
        table.start()

    async def _follow(self, plan: TablePlan, live: LiveTable | None = None) -> None:
        """Show a table that others run."""
        new = new_table(plan.submission, plan.rules, id=plan.id)
        known = live.table if live is not None else None
        followed = FollowedTable(self.store, plan.stream, new, known, turns=self.turns)
        plan.show(followed)
        self.followed[plan.id] = followed
        if live is not None:
            live.moved_to(followed)
        elif self._news is None:
            with suppress(CroupierError):  # what was not read now is read with the next beat
                await followed.catch_up()
        else:
            self._news.put_nowait((plan.stream, 0))

    # --- keeping house

    async def _open_again(self) -> None:
        """Open what could not be opened before."""
        async with self._lock:
            for plan in self._plans.values():
                if plan.id not in self.live:
                    await self._open(plan)

    async def _renew(self) -> None:
        """Hold what is ours for longer, and give up what is not ours any more."""
        await self.store.announce(self._address)
        tables = dict(self.live)
        streams = [table.stored.stream for table in tables.values()]
        kept = set(await self.store.renew([*streams, *self._opening], seconds=LEASE))
        for name, table in tables.items():
            if table.stored.stream not in kept and self.live.get(name) is table:
                _LOG.warning("table %s: another process runs it now", name)
                del self.live[name]
                if (plan := self._plans.get(name)) is not None:
                    await self._follow(plan, table)
                self.chores.once(f"the end of table {name} here", table.stop())

    async def _spread(self) -> None:
        """Take what nobody holds, as far as it is our share, and let go of what is more than that."""
        holdings = await self.store.holdings(_TABLES, seconds=LEASE)
        self._look_behind(holdings.heads)
        us = self.store.engine.owner
        async with self._lock:
            held = {plan.id: holdings.holders.get(plan.stream, "") for plan in self._plans.values()}
            running = dict.fromkeys({*holdings.processes, us}, 0)
            for name, holder in held.items():
                holder = us if name in self.live else holder  # noqa: PLW2901 - as we know better
                if holder in running:
                    running[holder] += 1
            free = [name for name, holder in held.items() if not holder and name not in self.live]
            for name in self._due(free, to_take(free, running, us)):
                await self._open(self._plans[name])
            if self.problems.keys() >= set(free):  # otherwise somebody is about to take them
                await self._give_away(surplus(running, us))

    def _due(self, free: list[str], ours: list[str]) -> list[str]:
        """Our share of what is free, and whatever nobody has taken for long."""
        clock = asyncio.get_running_loop().time()
        self._free_since = {name: self._free_since.get(name, clock) for name in free}
        return [name for name in free if name in ours or clock - self._free_since[name] > LEASE]

    async def _give_away(self, number: int) -> None:
        """Let go of so many tables, those with nobody at them first, and none in the middle of a round."""
        for table in sorted(self.live.values(), key=lambda table: (len(table.table.people.seats), table.watchers)):
            if number <= 0:
                return
            name = table.table.id
            if table.table.round is None and await table.leave():
                self.live.pop(name, None)
                await self._follow(self._plans[name], table)
                await self._release([table])
                number -= 1

    def _look_behind(self, heads: dict[str, int]) -> None:
        """Whatever was not heard is found here."""
        for table in self.followed.values():
            if self._news is not None and heads.get(table.stream, 0) > table.seq:
                self._news.put_nowait((table.stream, heads[table.stream]))

    async def _hear(self) -> None:
        self._news = queue = self.store.listen()
        try:
            while True:
                told = [await queue.get()]
                while not queue.empty():
                    told.append(queue.get_nowait())
                streams = {stream for stream, _ in told}
                for table in list(self.followed.values()):
                    if "*" in streams or table.stream in streams:
                        await self._catch_up(table)
        finally:
            self._news = None
            self.store.unlisten(queue)

    async def _catch_up(self, table: FollowedTable) -> None:
        name = f"news of {table.stream}"
        try:
            await table.catch_up()
        except CroupierError as error:
            if self.chores.troubles.get(name) != str(error):
                _LOG.warning("%s: %s", name, error)
            self.chores.troubles[name] = str(error)
        else:
            self.chores.troubles.pop(name, None)


def _source(plan: TablePlan) -> CardSource:
    return FairShuffler(salts=SYSTEM) if plan.virtual else CardsByHand(salts=SYSTEM)
