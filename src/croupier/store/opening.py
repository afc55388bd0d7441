"""Stores by address: `sqlite:PATH`, or a bare path, or `postgresql://…`."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from croupier.errors import StoreError
from croupier.store.keys import house_key
from croupier.store.sqlite import SqliteEngine
from croupier.store.store import Engine, Store

__all__ = ["open_store"]

_POSTGRES: Final = ("postgresql://", "postgres://")


async def open_store(url: str, *, write: bool = True, make_key: bool = True) -> Store:
    """The store at this address, made if need be; `StoreError` in one line if that cannot be.

    Without `write` nothing is made, locked or changed, and a missing key is no obstacle. Without `make_key` a new store
    waits for its key: that of the store it is a copy of.
    """
    engine: Engine
    if url.startswith(_POSTGRES):
        from croupier.store.postgres import open_postgres

        engine, key = await open_postgres(url, write=write), _key_of(url)
    else:
        path = _path(url)
        if write and _lacks_folder(path):
            raise StoreError(f"{path}: the folder {path.parent} does not exist")
        engine, key = SqliteEngine(path, write=write), path.with_name(f"{path.name}.key")
    try:
        # A key is made only for a store that has sealed nothing yet: a new one would not open what is there.
        unused = write and make_key and not await engine.fetch("select 1 from data_key limit 1")
        store = Store(engine, house_key(key, create=unused))
        if write:
            await store.check_key()
            if make_key:  # a copy brings its own
                await store.identity()
    except BaseException:
        await engine.close()
        raise
    return store


def _path(url: str) -> Path:
    path = Path(url.removeprefix("sqlite:").removeprefix("//") if url.startswith("sqlite:") else url)
    if "://" in url.partition(":")[0] + url[:12] or not path.name:
        raise StoreError(f"{url!r} is not a store: use sqlite:PATH or postgresql://…")
    return path


def _lacks_folder(path: Path) -> bool:
    return not path.exists() and not path.parent.is_dir()


def _key_of(url: str) -> Path:
    """Where the key of a database server's store is kept, unless it is given: in the user's data directory.

    Another password, or another user, is still the same store.
    """
    parts = urlsplit(url)
    store = f"{parts.netloc.rpartition('@')[2]}{parts.path}?{parts.query}"
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return data / "croupier" / f"{hashlib.sha256(store.encode()).hexdigest()[:16]}.key"
