"""Stores by address: `sqlite:PATH`, or a bare path, or `postgresql://…`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from croupier.errors import StoreError
from croupier.store.keys import house_key
from croupier.store.sqlite import SqliteEngine
from croupier.store.store import Store

__all__ = ["open_store"]

_POSTGRES: Final = ("postgresql://", "postgres://")


async def open_store(url: str, *, write: bool = True, make_key: bool = True) -> Store:
    """The store at this address, made if need be; `StoreError` in one line if that cannot be.

    Without `write` nothing is made, locked or changed, and a missing key is no obstacle. Without `make_key` a new store
    waits for its key: that of the store it is a copy of.
    """
    if url.startswith(_POSTGRES):
        from croupier.store.postgres import open_postgres

        engine = await open_postgres(url, write=write)
        return await _prepared(Store(engine, house_key(_key_of(url), create=write and make_key)), write=write)
    path = Path(url.removeprefix("sqlite:").removeprefix("//") if url.startswith("sqlite:") else url)
    if "://" in url.partition(":")[0] + url[:12] or not path.name:
        raise StoreError(f"{url!r} is not a store: use sqlite:PATH or postgresql://…")
    fresh = write and _is_new(path)
    sqlite = SqliteEngine(path, write=write)
    try:
        key = house_key(path.with_name(f"{path.name}.key"), create=fresh and make_key)
        return await _prepared(Store(sqlite, key), write=write)
    except BaseException:
        await sqlite.close()
        raise


def _is_new(path: Path) -> bool:
    if not path.parent.is_dir():
        raise StoreError(f"{path}: the folder {path.parent} does not exist")
    return not path.exists()


async def _prepared(store: Store, *, write: bool) -> Store:
    if write:
        await store.identity()
    return store


def _key_of(url: str) -> Path:
    """Where the key of a database server's store is kept, unless it is given: in the user's data directory."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "croupier" / f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.key"
