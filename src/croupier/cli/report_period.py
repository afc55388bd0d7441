"""What a report is asked for: a gaming day, a time range or everything; one table or all. And how lists are given."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from croupier.cli.json_lines import write_line
from croupier.cli.shown.console import print_json, print_line, print_sheet, read_file
from croupier.cli.simulation_options import write_rows
from croupier.cli.store_options import read_day, read_time
from croupier.cli.stores import check_targets, with_store
from croupier.errors import Malformed
from croupier.present import Sheet, reports

if TYPE_CHECKING:
    from croupier.documents import Columns
    from croupier.ledger import PostedEntry, Threshold
    from croupier.store import Span, Store

__all__ = [
    "Asked",
    "Forms",
    "Listing",
    "Period",
    "dim",
    "flat_row",
    "give_list",
    "period_of",
    "read_limits",
    "say_nothing",
    "write_lines",
]


class Asked(Struct, frozen=True):
    """The options of a report as they were typed."""

    table: str | None = None
    day: str | None = None
    start: str | None = None
    end: str | None = None
    newest: bool = False
    """Without a day or times: the last gaming day instead of everything."""


class Forms(Struct, frozen=True):
    """In which forms a report is given: files beside the screen, JSON or JSON lines."""

    as_csv: Path | None = None
    as_parquet: Path | None = None
    as_json: bool = False
    as_lines: bool = False

    def check(self, url: str) -> None:
        """Refuse what cannot be given, before the work begins."""
        if self.as_json and self.as_lines:
            raise Malformed("give --json or --lines, not both")
        check_targets(url, self.as_csv, self.as_parquet)

    def write(self, rows: Sequence[Mapping[str, Any]], columns: Columns) -> None:
        """Write the files that were asked for."""
        write_rows([flat_row(row) for row in rows], self.as_csv, self.as_parquet, columns)


class Period(Struct, frozen=True):
    """The period in words, its entries, and the names of people."""

    words: str
    spans: list[Span]
    names: dict[str, str]
    until: datetime | None
    """Its end: the last entry in it."""
    day: date | None
    start: datetime | None
    end: datetime | None


async def period_of(store: Store, asked: Asked) -> Period:
    """The entries that were asked for."""
    from croupier.store import last_day, names_in, spans_between, spans_of_day, time_of

    start, end = read_time(asked.start, "--from"), read_time(asked.end, "--to")
    day = None if asked.day is None else read_day(asked.day, "--day")
    if day is not None and (start is not None or end is not None):
        raise Malformed("give a gaming day or times, not both")
    if asked.newest and day is None and start is None and end is None:
        day = await last_day(store, asked.table)
    if day is not None:
        spans = await spans_of_day(store, day, table=asked.table)
        words = f"gaming day {day}"
    else:
        spans = await spans_between(store, start, end, table=asked.table)
        words = _between(start, end)
    if asked.table is not None:
        words = f"{words}, table {asked.table}"
    ends = [await time_of(store, span.stream, span.until) for span in spans]
    return Period(words, spans, await names_in(store), max(ends) if ends else None, day, start, end)


def _between(start: datetime | None, end: datetime | None) -> str:
    if start is None and end is None:
        return "from the first entry to the last"
    words = [f"from {reports.when(start)}"] if start is not None else []
    words += [f"to {reports.when(end)}"] if end is not None else []
    return f"{' '.join(words)} UTC"


def say_nothing() -> int:
    """Say that the period is empty; the exit code."""
    print("croupier report: nothing is recorded for this period and these tables", file=sys.stderr)
    return 1


def read_limits(path: Path | None) -> tuple[Threshold, ...]:
    """The thresholds of a file, or our assumptions."""
    from croupier.ledger import default_thresholds, read_thresholds

    return default_thresholds() if path is None else read_thresholds(read_file(path), name=str(path))


def dim(words: str) -> None:
    """Print a note."""
    print_line(f"[dim]{words}[/dim]")


def write_lines(rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as JSON lines."""
    for row in rows:
        write_line(sys.stdout.buffer, row)


def flat_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a file: a list in a cell becomes words, and who did something two columns."""
    return {name: cell for key, value in row.items() for name, cell in _cells(key, value)}


def _cells(key: str, value: object) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [(f"{key}_{name}", cell) for name, cell in value.items()]
    if isinstance(value, list):
        return [(key, "; ".join(map(str, value)))]
    return [(key, value)]


class Listing(Struct, frozen=True):
    """A report that is a list."""

    sheet: Sheet
    rows: list[dict[str, Any]]
    right: tuple[str, ...]
    """Columns of figures."""
    columns: Columns
    """Those of a file."""


Lister: TypeAlias = "Callable[[list[PostedEntry], Period], Listing]"


def give_list(
    url: str,
    asked: Asked,
    kinds: Sequence[type],
    of: Lister,
    forms: Forms,
) -> int:
    """Read the entries of these kinds, list them, and give the list in the form that was asked for."""
    from croupier.store import posted_entries

    forms.check(url)

    async def read(store: Store) -> tuple[Period, list[PostedEntry]]:
        period = await period_of(store, asked)
        return period, [entry for span in period.spans for entry in await posted_entries(store, span, kinds)]

    period, entries = with_store(url, read)
    if not period.spans:
        return say_nothing()
    listing = of(entries, period)
    forms.write(listing.rows, listing.columns)
    if forms.as_json:
        print_json({"period": period.words, "rows": listing.rows})
    elif forms.as_lines:
        write_lines(listing.rows)
    elif not listing.rows:
        print_line(f"{listing.sheet.title}: none.")
    else:
        print_sheet(listing.sheet, right=listing.right)
    return 0
