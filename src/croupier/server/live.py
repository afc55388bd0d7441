"""One live table: commands are judged, stored, and only then shown to whoever watches.

A watcher never has a queue: it remembers the last version that it was shown, and when it is ready again it gets the
newest view, with the entries since then as far as the table still has them at hand.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from croupier.driver import Staff
from croupier.errors import CroupierError, RuleViolation
from croupier.ledger import Author
from croupier.money import Cents
from croupier.server.pace import Pace, next_due
from croupier.server.shown import shown_entries, shown_view
from croupier.store import Cage, StoredTable
from croupier.table import Entry, Person, Request, Table, view
from croupier.table.commands import BuyIn, StandUp

__all__ = ["Answer", "LiveTable", "Watched", "Watcher", "now"]

_RECENT: Final = 400
"""Entries at hand for watchers; one who is slower misses some, and sees the newest view all the same."""
_RETRY: Final = 5.0
"""Seconds until the clock tries again what failed."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class Answer(NamedTuple):
    """What a command led to."""

    entries: Sequence[Entry]
    table: Table


class Watched:
    """What every table that can be watched has: watchers, the last entries, and views that several of them share."""

    def __init__(self) -> None:
        self._watchers: Final[set[Watcher]] = set()
        self._recent: Final[deque[Entry]] = deque(maxlen=_RECENT)
        self._shown: dict[Person | None, tuple[int, msgspec.Raw]] = {}

    @property
    def table(self) -> Table:
        """The table as it is stored."""
        raise NotImplementedError

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

    def recent(self, after: int) -> list[Entry]:
        """The entries after this one that are at hand."""
        return [entry for entry in self._recent if entry.seq > after]

    def watch(self, audience: Person | None) -> Watcher:
        """Somebody who is shown every change."""
        watcher = Watcher(self, audience)
        self._watchers.add(watcher)
        return watcher

    def unwatch(self, watcher: Watcher) -> None:
        """Show no more."""
        self._watchers.discard(watcher)

    def shown(self, audience: Person | None) -> tuple[int, msgspec.Raw]:
        """The version, and the view as this person sees it; made once for all who see the same."""
        version, made = self.table.seq, self._shown.get(audience)
        if made is not None and made[0] == version:
            return made
        if len(self._shown) > 2 * len(self._watchers) + 8:
            self._shown.clear()
        self._shown[audience] = made = (
            version,
            msgspec.Raw(msgspec.json.encode(shown_view(view(self.table, audience)))),
        )
        return made

    def moved_to(self, other: Watched) -> None:
        """Everybody who watches goes on watching somewhere else: the table runs in another process now."""
        for watcher in self._watchers:
            watcher.source = other
            other._watchers.add(watcher)
            watcher.wake.set()
        self._watchers.clear()

    def changed(self, entries: Iterable[Entry]) -> None:
        """Wake everybody who watches."""
        self._recent.extend(entries)
        for watcher in self._watchers:
            watcher.wake.set()


class Watcher:
    """Somebody who watches a table, and the last version that they were shown."""

    def __init__(self, source: Watched, audience: Person | None) -> None:
        self.source = source
        self.audience: Final = audience
        self.wake: Final = asyncio.Event()
        self.version = source.table.seq
        self.wake.set()  # the first view is shown at once

    async def next_change(self) -> dict[str, Any]:
        """The newest view once there is one, with the entries since the last."""
        await self.wake.wait()
        self.wake.clear()
        version, shown = self.source.shown(self.audience)
        entries = shown_entries(self.source.recent(self.version), self.audience, self.source.table)
        self.version = version
        return {"version": version, "view": shown, "entries": entries}


class LiveTable(Watched):
    """A table that this process runs: one command after the other, and the clock of the automatic dealer."""

    def __init__(
        self,
        stored: StoredTable,
        cage: Cage,
        *,
        automatic: Staff | None = None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        clock: Callable[[], datetime] = now,
        play_chips: bool = False,
    ) -> None:
        super().__init__()
        self.stored: Final = stored
        self._cage, self._automatic, self._pace, self._clock = cage, automatic, pace, clock
        self._play_chips = play_chips
        self._moved: Final = asyncio.Event()
        self._since = stored.table.seq
        self._task: asyncio.Task[None] | None = None
        self.failure = ""
        """Why the clock is not running, if it failed."""

    @property
    def table(self) -> Table:
        """The table as it is stored."""
        return self.stored.table

    # --- commands

    async def give(self, read: Callable[[Table, datetime], Request]) -> Answer:
        """Carry out a command and show what came of it; `read` makes it for the table and the time that it meets."""
        request = read(self.table, self._time())
        entries = await self._handled(request)
        last = self._recent[-1].seq if self._recent else 0
        fresh = [entry for entry in entries if entry.seq > max(last, self._since)]
        if fresh:
            self._moved.set()
            self.changed(fresh)
        return Answer(entries, self.table)

    async def _handled(self, request: Request) -> list[Entry]:
        """A player's chips come from the cage and go there; at a table everything else is the table's own."""
        if request.by.role == "player" and isinstance(request.command, BuyIn):
            brought = msgspec.structs.replace(request.command, brought=True)
            buying = msgspec.structs.replace(request, command=brought)
            try:
                return await self._cage.buy_in(self.stored, buying)
            except RuleViolation as refused:
                if refused.code != "short_account" or not self._play_chips:
                    raise  # nothing is given for what the table does not allow
            await self._top_up(request.by.id, brought.amount, request)
            return await self._cage.buy_in(self.stored, buying)
        if request.by.role == "player" and isinstance(request.command, StandUp):
            return await self._cage.cash_out(self.stored, request)
        return await self.stored.handle(request)

    async def _top_up(self, patron: str, amount: Cents, request: Request) -> None:
        """In a demo chips are free: the cage gives what is missing."""
        missing = Cents(amount - await self._cage.balance(patron))
        if missing > 0:
            given = Author("device", "play chips")
            await self._cage.deposit(patron, missing, by=given, at=request.at, reference="play chips")

    def _time(self) -> datetime:
        """Now; a table's clock never goes back, whatever the machine's does."""
        at, clock = self._clock(), self.table.clock
        return at if clock is None else max(at, clock)

    # --- the clock

    def start(self) -> None:
        """Let the automatic dealer begin, if this table has one."""
        if self._automatic is not None and self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"clock of {self.stored.stream}")

    def deal(self, automatic: Staff | None, pace: Pace) -> None:
        """Let somebody else deal from now on, or at another pace."""
        self._automatic, self._pace = automatic, pace
        self.stored.deal_by(automatic)
        self._moved.set()
        self.start()

    async def stop(self) -> None:
        """Stop the clock. What is being stored is stored; the round stays as it is."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _run(self) -> None:
        while True:
            self._moved.clear()
            try:
                wait = await self._tick()
                self.failure = ""
            except CroupierError as error:
                self.failure, wait = str(error), _RETRY
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), wait)

    async def _tick(self) -> float:
        """Do what is due; returns the seconds until something else may be."""
        staff = self._automatic
        if staff is None:
            return _RETRY
        at = self._time()
        due = next_due(self.table, at, self._pace, staff)
        if due.request is None or due.at > at:
            return max((due.at - at).total_seconds(), 0.01)
        request = due.request
        with suppress(RuleViolation):
            await self.give(lambda _table, at: msgspec.structs.replace(request, at=at))
            return 0.0
        return _RETRY
