"""The cash of patrons behind a report: at every table and at the cage, over the whole gaming days that it touches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct

from croupier.days import gaming_day
from croupier.journal import micros
from croupier.ledger import (
    BookEntry,
    CageReversed,
    CashMove,
    HouseBegun,
    SettingsChanged,
    cash_at_cage,
    cash_at_table,
    read_book_line,
)
from croupier.store.periods import Span, day_began, entries_before, gaming_days, spans_between, spans_of_day
from croupier.store.reporting import posted_entries
from croupier.store.store import Store
from croupier.table import events as table_events

__all__ = ["CashPeriod", "cash_moves"]

_CAGE: Final = "cage"
_CASH_EVENTS: Final = (table_events.PlayerBoughtIn, table_events.PlayerStoodUp)
_EARLIER: Final = timedelta(days=3)
"""A gaming day began within this time, unless nobody changed the day of a table."""


class CashPeriod(Struct, frozen=True, kw_only=True):
    """What is looked at: a gaming day, or from one time to another; one table, or all and the cage."""

    day: date | None = None
    start: datetime | None = None
    end: datetime | None = None
    table: str | None = None


async def cash_moves(store: Store, period: CashPeriod) -> list[CashMove]:
    """The cash of every gaming day that the period touches, from the beginning of the day to the end of the period."""
    return [*await _at_tables(store, period), *await _at_the_cage(store, period)]


async def _at_tables(store: Store, period: CashPeriod) -> list[CashMove]:
    if period.day is not None:
        spans = own = await spans_of_day(store, period.day)
    else:
        own = await spans_between(store, period.start, period.end)
        spans = await _from_the_days_beginning(store, period)
    after = {span.stream: span.after for span in own if period.table in (None, span.table)}
    moves = []
    for span in spans:
        began = await _days_of(store, span)
        for posted in await posted_entries(store, span, _CASH_EVENTS):
            if (cash := cash_at_table(posted.entry.event)) is not None:
                seq = posted.entry.seq
                day = next((str(day) for day, first in reversed(began) if first <= seq), "before opening")
                is_reported = span.stream in after and seq > after[span.stream]
                moves.append(CashMove(day=day, **cash._asdict(), is_reported=is_reported))
    return moves


async def _from_the_days_beginning(store: Store, period: CashPeriod) -> list[Span]:
    """Every table's entries up to the end, from before the gaming day in which the period starts."""
    if period.start is None:
        return await spans_between(store, None, period.end)
    early = await spans_between(store, period.start - _EARLIER, period.end)
    spans = []
    for span in early:
        start = await entries_before(store, span.stream, micros(period.start), last=span.until)
        began = await day_began(store, span.stream, start)
        spans.append(span if began is None else span._replace(after=min(span.after, began[1] - 1)))
    return spans


async def _days_of(store: Store, span: Span) -> list[tuple[date, int]]:
    """The gaming days of a span, each with the number of its first entry; the first may have begun before."""
    before = await day_began(store, span.stream, span.after)
    return [*([before] if before is not None else []), *await gaming_days(store, span)]


# --- the cage


async def _at_the_cage(store: Store, period: CashPeriod) -> list[CashMove]:
    start, end = period.start, period.end
    if period.day is not None:
        noon = datetime(period.day.year, period.day.month, period.day.day, 12, tzinfo=UTC)
        start, end = noon, noon + _EARLIER
    heads = await store.read("select seq from head where stream = $1", _CAGE)
    last = int(heads[0][0]) if heads else 0
    after = await entries_before(store, _CAGE, micros(start - _EARLIER), last=last) if start is not None else 0
    until = await entries_before(store, _CAGE, micros(end), last=last) if end is not None else last
    # A reversal counts for the day of what it reverses, whenever it was made.
    rows = await store.read(_ENTRIES, _CAGE, after, until)
    entries = [read_book_line(bytes(line)) for (line,) in rows]
    reversed_ = {entry.event.entry for entry in entries if isinstance(entry.event, CageReversed)}
    settings = await _settings(store)
    moves = []
    for entry in entries:
        if entry.seq in reversed_ or (cash := cash_at_cage(entry)) is None:
            continue
        day = _day(entry, settings)
        in_hours = period.day in (None, day) and (period.start is None or period.start <= entry.at)
        moves.append(
            CashMove(day=str(day), **cash._asdict(), is_reported=in_hours and period.table is None),
        )
    return moves


_ENTRIES: Final = (
    "select line from event where stream = $1 and seq > $2 and (seq <= $3 or name = 'cage_reversed/1')"
    " and name in ('deposited/1', 'withdrawn/1', 'chips_redeemed/1', 'cage_reversed/1') order by seq"
)


async def _settings(store: Store) -> list[BookEntry]:
    """The entries that set the time zone of the house and the beginning of its day."""
    rows = await store.read(
        "select line from event where stream = 'house' and name in ('house_begun/1', 'settings_changed/1') order by seq"
    )
    return [read_book_line(bytes(line)) for (line,) in rows]


def _day(entry: BookEntry, settings: Sequence[BookEntry]) -> date:
    """The gaming day of an entry of the cage; in a store without a house it is the date in UTC."""
    for setting in reversed(settings):
        event = setting.event
        if isinstance(event, HouseBegun | SettingsChanged) and setting.at <= entry.at:
            return gaming_day(entry.at, event.time_zone, event.day_start)
    return entry.at.date()
