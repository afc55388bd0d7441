"""Which entries of each table belong to a period: a gaming day, a time range, or everything.

Times never go back within a stream, so a time is found by bisection on the numbers of its entries, without an index.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final, NamedTuple

from croupier.journal import event_names, micros, read_line
from croupier.store.store import Store
from croupier.table import events as table_events

__all__ = [
    "TABLES",
    "Span",
    "day_at",
    "day_began",
    "entries_before",
    "gaming_days",
    "last_day",
    "names_of",
    "spans_between",
    "spans_of_day",
    "time_of",
]

TABLES: Final = "table/"
_EARLY, _LATE = timedelta(days=2), timedelta(days=3)
"""A gaming day usually begins and ends within these of its date, wherever the house is."""
_REACH: Final = 20_000
"""Entries that are looked through at first, backward, for the beginning of a gaming day."""
_BEGINS: Final = ("table_opened", "gaming_day_changed")


class Span(NamedTuple):
    """The entries of a stream from `after + 1` to `until`."""

    stream: str
    after: int
    until: int

    @property
    def table(self) -> str:
        """The id of the table."""
        return self.stream.removeprefix(TABLES)


def names_of(kinds: Iterable[type]) -> tuple[str, ...]:
    """The names, in every version that was ever written, of these events.

    >>> names_of([table_events.TrayFilled])
    ('tray_filled/1',)
    """
    return _versions([str(kind.__struct_config__.tag).partition("/")[0] for kind in kinds])  # type: ignore[attr-defined]


def _versions(bare: Iterable[str]) -> tuple[str, ...]:
    newest = {name.partition("/")[0]: int(name.partition("/")[2]) for name in event_names()}
    return tuple(f"{name}/{version}" for name in bare for version in range(1, newest[name] + 1))


async def _heads(store: Store, table: str | None) -> list[tuple[str, int]]:
    """Every table and the number of its last entry."""
    rows = await store.read("select stream, seq from head where seq > 0 order by stream")
    wanted = None if table is None else f"{TABLES}{table}"
    return [
        (str(stream), int(seq))
        for stream, seq in rows
        if str(stream).startswith(TABLES) and wanted in (None, str(stream))
    ]


async def entries_before(store: Store, stream: str, at: int, *, last: int) -> int:
    """The number of the last entry of a stream before this time, in microseconds since 1970; 0 if there is none."""
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        rows = await store.read("select at from event where stream = $1 and seq = $2", stream, middle)
        if rows and int(rows[0][0]) < at:
            low = middle
        else:
            high = middle - 1
    return low


async def spans_between(
    store: Store, start: datetime | None, end: datetime | None, *, table: str | None = None
) -> list[Span]:
    """Every table's entries from `start` on and before `end`; without them, from the first or to the last."""
    spans = []
    for stream, last in await _heads(store, table):
        after = 0 if start is None else await entries_before(store, stream, micros(start), last=last)
        until = last if end is None else await entries_before(store, stream, micros(end), last=last)
        if until > after:
            spans.append(Span(stream, after, until))
    return spans


async def last_day(store: Store, table: str | None = None) -> date | None:
    """The last gaming day that has figures."""
    rows = await store.read("select stream, max(day) from total group by stream")
    days = [str(day) for stream, day in rows if table is None or str(stream) == f"{TABLES}{table}"]
    return date.fromisoformat(max(days)) if days else None


async def spans_of_day(store: Store, day: date, *, table: str | None = None) -> list[Span]:
    """Every table's entries of a gaming day: from the entry that began it to the one before the next began."""
    spans = []
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    for stream, last in await _heads(store, table):
        first = await entries_before(store, stream, micros(noon - _EARLY), last=last)
        until = await entries_before(store, stream, micros(noon + _LATE), last=last)
        span = _day_of(stream, await gaming_days(store, Span(stream, first, until)), day, until)
        if span is None or (span.until == until < last):  # it began or ended on some other date
            span = _day_of(stream, await gaming_days(store, Span(stream, 0, last)), day, last)
        if span is not None:
            spans.append(span)
    return spans


async def gaming_days(store: Store, span: Span) -> list[tuple[date, int]]:
    """The gaming days that began within a span, each with the number of its first entry."""
    names = _versions(_BEGINS)
    rows = await store.read(
        f"select seq, line from event where stream = $1 and seq > $2 and seq <= $3 and name in ({_places(names, 4)})"  # noqa: S608 - only places
        " order by seq",
        span.stream,
        span.after,
        span.until,
        *names,
    )
    days: list[tuple[date, int]] = []
    for seq, line in rows:
        event = read_line(bytes(line)).event
        if isinstance(event, table_events.TableOpened | table_events.GamingDayChanged) and (
            not days or days[-1][0] != event.gaming_day
        ):
            days.append((event.gaming_day, int(seq)))
    return days


async def day_at(store: Store, stream: str, seq: int) -> date | None:
    """The gaming day of a table after this entry; None before its first."""
    began = await day_began(store, stream, seq)
    return began[0] if began is not None else None


async def day_began(store: Store, stream: str, seq: int) -> tuple[date, int] | None:
    """The gaming day of a table after this entry, and the number of its first entry; None before the first day."""
    after, reach = seq, _REACH
    while after > 0:
        before, after, reach = after, max(0, after - reach), reach * 4
        if days := await gaming_days(store, Span(stream, after, before)):
            return days[-1]
    return None


async def time_of(store: Store, stream: str, seq: int) -> datetime:
    """When an entry was made."""
    rows = await store.read("select at from event where stream = $1 and seq = $2", stream, seq)
    return datetime.fromtimestamp(int(rows[0][0]) / 1_000_000, UTC)


def _day_of(stream: str, days: list[tuple[date, int]], day: date, last: int) -> Span | None:
    for place, (began, first) in enumerate(days):
        if began == day:
            until = days[place + 1][1] - 1 if place + 1 < len(days) else last
            return Span(stream, first - 1, until)
    return None


def _places(values: tuple[str, ...], first: int) -> str:
    """Parameters for a list of values: `$4, $5`."""
    return ", ".join(f"${first + number}" for number in range(len(values)))
