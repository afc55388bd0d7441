"""What the commands that read a store share: its address, times, and the way to run them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from croupier.errors import Malformed
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.store import Store

__all__ = ["From", "JsonFlag", "OneTable", "StoreUrl", "To", "read_day", "read_time", "reading"]

T = TypeVar("T")
StoreUrl: TypeAlias = Annotated[
    str, typer.Argument(metavar="URL", help="The store: sqlite:PATH (a bare path is that) or postgresql://…")
]
OneTable: TypeAlias = Annotated[str | None, typer.Option("--table", metavar="ID", help="Only this table.")]
From: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="TIME", help="From this time on, such as 2026-01-01T18:00Z; UTC if no zone is given."
    ),
]
To: TypeAlias = Annotated[str | None, typer.Option("--to", metavar="TIME", help="Before this time.")]
JsonFlag: TypeAlias = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
FIRST_YEAR, LAST_YEAR = 1970, 2999


def reading(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    """Open a store for reading, do the work, close it: also while the house runs, and without its key."""
    from croupier.store import open_store

    async def run() -> T:
        store = await open_store(url, write=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


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


def read_day(text: str | None) -> date | None:
    """A gaming day given to `--day`."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise Malformed(f"--day: {clip(repr(text))} is not a day such as 2026-01-01") from None
