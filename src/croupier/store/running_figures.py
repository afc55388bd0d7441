"""The figures of the gaming day so far at each table, read on from where they were read last.

A day of play is long and a page asks often, so what closed rounds have come to is kept, and only what was recorded
since is read. The figures are those of `figures_in` over the same entries.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from time import monotonic
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.ledger import PostedEntry, TableFigures, figures_of, together
from croupier.store.periods import TABLES, Span, day_began, gaming_days
from croupier.store.reporting import MONEY_EVENTS, held_by_kind, posted_entries, stakes_in_play
from croupier.store.store import Store

__all__ = ["DayFigures", "RunningFigures"]

_STEP: Final = 2_000
"""Entries that are read at once."""
_FRESH: Final = 3.0
"""Seconds for which figures are given again as they were."""


class DayFigures(Struct, frozen=True, kw_only=True):
    """A table's gaming day so far."""

    day: date
    figures: TableFigures
    irregularities: tuple[tuple[str, int], ...]
    """How often each kind was ruled on, the most frequent first."""


class _Running(Struct, kw_only=True):
    """What was read of a day."""

    day: date
    done: int
    """The last entry of the closed rounds that were added up."""
    looked: int
    """The last entry in which a new day was looked for."""
    opening: Mapping[str, int]
    in_play: int
    closed: TableFigures
    ruled: Counter[str]


class RunningFigures:
    """The gaming day so far at the tables of a store."""

    def __init__(self, store: Store, clock: Callable[[], float] = monotonic) -> None:
        self._store: Final = store
        self._clock: Final = clock
        self._running: Final[dict[str, _Running]] = {}
        self._given: Final[dict[str, tuple[float, DayFigures | None]]] = {}
        self._lock: Final = asyncio.Lock()

    async def of(self, table: str) -> DayFigures | None:
        """The figures of a table; None before its first gaming day."""
        stream = f"{TABLES}{table}"
        async with self._lock:
            given = self._given.get(stream)
            if given is not None and self._clock() - given[0] < _FRESH:
                return given[1]
            figures = await self._read(stream)
            self._given[stream] = self._clock(), figures
            return figures

    async def _read(self, stream: str) -> DayFigures | None:
        rows = await self._store.read("select seq from head where stream = $1", stream)
        last = int(rows[0][0]) if rows else 0
        running = await self._begun(stream, last)
        if running is None:
            return None
        while (until := await self._closed_until(stream, running.done, last)) is not None:
            entries = await posted_entries(self._store, Span(stream, running.done, until), MONEY_EVENTS)
            running.closed = together([running.closed, _moved(stream, entries)])
            running.ruled.update(_ruled(entries))
            running.done = until
        open_ = await posted_entries(self._store, Span(stream, running.done, last), MONEY_EVENTS)
        closing = await held_by_kind(self._store, stream, last)
        total, opening = together([running.closed, _moved(stream, open_)]), running.opening
        return DayFigures(
            day=running.day,
            figures=replace(
                total,
                table=stream.removeprefix(TABLES),
                opening=total.opening + opening.get("tray", 0),
                closing=closing.get("tray", 0),
                in_play=await stakes_in_play(self._store, stream, last) - running.in_play,
                owed=closing.get("owed", 0) - opening.get("owed", 0),
                held=closing.get("chips", 0) + closing.get("layout", 0),
            ),
            irregularities=tuple((running.ruled + Counter(_ruled(open_))).most_common()),
        )

    async def _begun(self, stream: str, last: int) -> _Running | None:
        """What is known of the day in which the record stands."""
        running = self._running.get(stream)
        if running is None:
            began = await day_began(self._store, stream, last)
        else:
            days = await gaming_days(self._store, Span(stream, running.looked, last))
            running.looked = last
            began = next((began for began in reversed(days) if began[0] != running.day), None)
        if began is None:
            return running
        before = began[1] - 1
        self._running[stream] = running = _Running(
            day=began[0],
            done=before,
            looked=last,
            opening=await held_by_kind(self._store, stream, before),
            in_play=await stakes_in_play(self._store, stream, before),
            closed=TableFigures(table=""),
            ruled=Counter(),
        )
        return running

    async def _closed_until(self, stream: str, done: int, last: int) -> int | None:
        """The end of a closed round not far after what is done; None if no other has closed."""
        rows = await self._store.read(
            "select max(last) from round where stream = $1 and last > $2 and last <= $3",
            stream,
            done,
            min(last, done + _STEP),
        )
        if rows[0][0] is None:
            rows = await self._store.read(
                "select min(last) from round where stream = $1 and last > $2 and last <= $3", stream, done, last
            )
        return None if rows[0][0] is None else int(rows[0][0])


def _moved(stream: str, entries: list[PostedEntry]) -> TableFigures:
    """What these entries moved, whatever the table held before and after."""
    return figures_of(stream.removeprefix(TABLES), entries, opening={}, closing={})


def _ruled(entries: list[PostedEntry]) -> list[str]:
    events = [posted.entry.event for posted in entries]
    return [event.irregularity for event in events if isinstance(event, round_events.IrregularityRuled)]
