"""A whole store in another place: a backup while the house runs, its restoration, or a move to another engine.

All three are one copy, row by row, of the store as it stood at one moment, and the copy is checked against it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from hashlib import sha256
from typing import Final

from croupier.errors import StoreError
from croupier.store.chains import chained, check_heads
from croupier.store.store import Store
from croupier.store.values import COLUMNS, Fetch, Row

__all__ = ["copy_store"]

_AT_ONCE: Final = 10_000
_WHOLE: Final = {
    "head": ("stream", "seq", "hash", "epoch"),
    "data_key": ("id", "day", "wrapped", "destroyed"),
    "checkpoint": ("number", "body", "signer", "signature"),
    "law": ("name", "text"),
    "account": ("name", "unit", "floor", "amount"),
    "total": ("stream", "day", "name", "amount"),
    "person": ("id", "name"),
    "event_name": ("name",),
    "secret": tuple(COLUMNS["secret"]),
    "snapshot": tuple(COLUMNS["snapshot"]),
    "credential": ("person", "login", "password", "changed", "totp", "totp_key", "totp_step", "recovery"),
    "token": ("id", "hash"),
    "familiar": ("person", "place", "seen"),
    "draft": ("person", "name", "rulebook", "fields", "kept"),
    "practice": ("person", "kept", "saved"),
}
"""Tables that are small enough to be read at once, with their columns. Sessions stay behind: people sign in again."""
_PAGED: Final = {"event": "seq", "command": "first", "round": "number", "played": "number", "reveal": "seq"}
"""Tables that grow with every round, each with the number that it is read by, stream by stream."""
Progress = Callable[[str, int], None]


async def copy_store(source: Store, target: Store, progress: Progress = lambda _table, _rows: None) -> int:
    """Copy everything into an empty store, and compare each row; returns how many entries were copied.

    A record whose chain does not hold is not copied: `BrokenRecord` says where, and an older backup stays the last one.
    """
    if await target.streams() or await target.read("select 1 from law limit 1"):
        raise StoreError("the new store is not empty: a copy goes into a store of its own")
    async with source.as_it_stands() as standing:
        await _check_chains(standing)
        fetch = standing.read
        for table, columns in _WHOLE.items():
            rows = await fetch(f"select {', '.join(columns)} from {table}")
            names: tuple[str, ...] = columns
            if table == "head":  # nobody holds the streams of a copy
                names, rows = (*columns, "owner", "until"), [(*row, "", 0) for row in rows]
            await target.engine.insert(table, names, rows)
            progress(table, len(rows))
        for table in _PAGED:
            async for rows in _pages(fetch, table):
                await target.engine.insert(table, tuple(COLUMNS[table]), rows)
                progress(table, len(rows))
        # Last of all: a store without its id is a copy that was not finished, and does not open.
        await target.engine.insert("meta", ("key", "value"), await fetch("select key, value from meta"))
        return await _compare(fetch, target.read)


async def _check_chains(store: Store) -> None:
    await check_heads(store)
    for stream in await store.streams():
        async for _ in chained(store, stream):
            pass


async def _pages(fetch: Fetch, table: str) -> AsyncIterator[list[Row]]:
    number, columns = _PAGED[table], ", ".join(COLUMNS[table])
    most = f"select coalesce(max({number}), 0) from {table} where stream = $1"
    page = f"select {columns} from {table} where stream = $1 and {number} > $2 and {number} <= $3"
    for (stream,) in await fetch("select stream from head order by stream"):
        last = int((await fetch(most, stream))[0][0])
        for after in range(0, last, _AT_ONCE):
            yield await fetch(page, stream, after, after + _AT_ONCE)


async def _compare(there: Fetch, here: Fetch) -> int:
    """Every row of every table must be the same; returns how many entries there are."""
    for table, columns in {**_WHOLE, "meta": ("key", "value")}.items():
        sql = f"select {', '.join(columns)} from {table}"
        if _digest(await there(sql)) != _digest(await here(sql)):
            raise _differs(table)
    for table in _PAGED:
        sql = f"select count(*) from {table}"
        sums = [[_digest(rows) async for rows in _pages(fetch, table)] for fetch in (there, here)]
        if sum(sums[0]) != sum(sums[1]) or await there(sql) != await here(sql):
            raise _differs(table)
    return int((await there("select count(*) from event"))[0][0])


def _differs(table: str) -> StoreError:
    return StoreError(f"the copy differs from the store: the table {table} is not the same")


def _digest(rows: Iterable[Row]) -> int:
    """A digest of rows, in whatever order they come."""
    return sum([int.from_bytes(sha256(repr(tuple(row)).encode()).digest(), "big") for row in rows])
