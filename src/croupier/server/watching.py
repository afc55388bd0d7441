"""Tables that can be watched, and those who watch them.

A watcher never has a queue: it remembers the last entry that it was told, and when it is ready again it gets the
newest view, with the entries since then as far as the table still has them at hand.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from croupier.errors import CroupierError
from croupier.server.pace import Pace, bets_close
from croupier.server.turns import Turns
from croupier.server.writing import TableWriter
from croupier.table import Entry, Person, Table

__all__ = ["RECENT", "TableGone", "Watched", "Watcher", "now"]

RECENT: Final = 400
"""Entries at hand for watchers; one who is slower misses some, and sees the newest view all the same."""
_VIEWS: Final = 2_000
"""Views of one version that are kept."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


class TableGone(CroupierError):
    """The house runs this table no longer."""


class Watched:
    """What every table that can be watched has: watchers, the last entries, and views that several of them share."""

    def __init__(self, turns: Turns | None = None) -> None:
        self._turns: Final = turns or Turns()
        self._watchers: Final[set[Watcher]] = set()
        self._recent: Final[deque[Entry]] = deque(maxlen=RECENT)
        self._shown: Final[dict[Person | None, msgspec.Raw]] = {}
        self._shown_version = -1
        self._writer: Final = TableWriter()
        self.told = 0
        """The last entry that watchers were told."""
        self.is_gone = False
        self.paused = False
        """Whether the house has paused the table."""
        self.pace: Pace | None = None
        """The pace of the automatic dealer, if one deals here."""
        self._closes: datetime | None = None

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
        fresh = []
        for entry in reversed(self._recent):
            if entry.seq <= after:
                break
            fresh.append(entry)
        return fresh[::-1]

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
        table = self._newest()
        made = self._shown.get(audience)
        if made is None:
            made = self._shown[audience] = self._writer.view(table, audience, paused=self.paused, closes=self._closes)
        return table.seq, made

    def recorded(self, audience: Person | None) -> tuple[int, msgspec.Raw]:
        """The same from the record alone, for an answer that must be the same whenever it is given again."""
        table = self._newest()
        if self.paused or self._closes is not None:
            return table.seq, self._writer.view(table, audience)
        return self.shown(audience)

    def _newest(self) -> Table:
        """The table as it is now; what was made of it before is forgotten."""
        table = self.table
        if table.seq != self._shown_version or len(self._shown) > _VIEWS:
            self._shown.clear()
            self._shown_version = table.seq
            self._closes = self.closes()
        return table

    def shown_entries(self, entries: Iterable[Entry], audience: Person | None) -> list[msgspec.Raw]:
        """Those of the entries that this person may see; written once for all who see the same."""
        return self._writer.entries(entries, audience, self.table)

    def show_as(self, *, paused: bool, pace: Pace | None) -> None:
        """The house has set the table up otherwise: everybody who watches is shown so."""
        if (paused, pace) == (self.paused, self.pace):
            return
        self.paused, self.pace = paused, pace
        self._shown_version = -1
        for watcher in self._watchers:
            watcher.wake.set()

    def closes(self) -> datetime | None:
        """When bets close, if it is known; at the latest, as far as nobody knows here who is about.

        Where the table is run, also when a player's time is over, if that is later than the record says.
        """
        state = self.table.round
        if self.pace is None or state is None or state.at.kind != "wagers":
            return None
        return bets_close(self.table, self.table.clock or now(), self.pace)

    def moved_to(self, other: Watched) -> None:
        """Everybody who watches goes on watching somewhere else: the table runs in another process now."""
        if not other._recent:
            if 0 < self.told < other.told:
                other.told = self.told  # what happened in between is told there
            other._recent.extend(entry for entry in self._recent if entry.seq <= other.told)
        for watcher in self._watchers:
            watcher.source = other
            other._watchers.add(watcher)
            watcher.wake.set()
        self._watchers.clear()

    def changed(self, entries: Iterable[Entry]) -> None:
        """Wake everybody who watches, each in their turn."""
        self._recent.extend(entry for entry in entries if entry.seq > self.told)
        self.told = self.table.seq
        self._turns.wake(watcher.look for watcher in self._watchers)

    def gone(self) -> None:
        """Tell everybody who watches that the house runs this table no longer."""
        self.is_gone = True
        for watcher in self._watchers:
            watcher.wake.set()


class Watcher:
    """Somebody who watches a table, and the last entry that they were told."""

    def __init__(self, source: Watched, audience: Person | None) -> None:
        self.source = source
        self.audience: Final = audience
        self.wake: Final = asyncio.Event()
        self.told = source.told
        self.wake.set()  # the first view is shown at once

    def look(self) -> bool:
        """Wake up if something is new; say whether it is."""
        if self.told < self.source.told:
            self.wake.set()
            return True
        return False

    async def is_due(self, seconds: float) -> bool:
        """Whether there is something to show within so many seconds."""
        try:
            async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 can miss that it is cancelled
                await self.wake.wait()
        except TimeoutError:
            return False
        return True

    def change(self) -> dict[str, Any]:
        """The newest view, with the entries since the last one; `TableGone` if there is none to come."""
        self.wake.clear()
        source = self.source
        if source.is_gone:
            raise TableGone("the house runs this table no longer")
        version, shown = source.shown(self.audience)
        entries = source.shown_entries(source.recent(self.told), self.audience)
        self.told = source.told
        return {"version": version, "view": shown, "entries": entries}
