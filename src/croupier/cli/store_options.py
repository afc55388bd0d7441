"""What the commands that look into a store share: which table, and from when to when."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, TypeAlias

import typer

from croupier.errors import Malformed
from croupier.wire import clip

__all__ = ["From", "JsonFlag", "LinesFlag", "OneTable", "To", "read_day", "read_time"]

OneTable: TypeAlias = Annotated[str | None, typer.Option("--table", metavar="ID", help="Only this table.")]
From: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="TIME", help="From this time on, such as 2026-01-01T18:00Z; UTC if no zone is given."
    ),
]
To: TypeAlias = Annotated[str | None, typer.Option("--to", metavar="TIME", help="Before this time.")]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
LinesFlag: TypeAlias = Annotated[bool, typer.Option("--lines", help="JSON lines on standard output, one per row.")]
FIRST_YEAR, LAST_YEAR = 1970, 2999


def read_time(text: str | None, option: str) -> datetime | None:
    """A time given to an option: a day begins at midnight, and a time without a zone is UTC.

    >>> read_time("2026-01-01", "--from"), read_time("2026-01-01T20:00-05:00", "--from").hour
    (datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc), 1)
    """
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text.strip())
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        at = None
    if at is None or not FIRST_YEAR <= at.year <= LAST_YEAR:
        raise Malformed(f"{option}: {clip(repr(text))} is not a time such as 2026-01-01T20:00Z")
    return at


def read_day(text: str, option: str) -> date:
    """A gaming day given to an option."""
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        day = None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise Malformed(f"{option}: {clip(repr(text))} is not a day such as 2026-01-01")
    return day
