"""Stores by address: `sqlite:PATH`, or a bare path, or `postgresql://…`."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from croupier.errors import BrokenRecord, StoreError
from croupier.journal import HouseKey, check_known, event_names
from croupier.ledger import book_event_names
from croupier.store.keys import house_key
from croupier.store.sqlite import SqliteEngine
from croupier.store.store import Engine, Store

__all__ = ["key_of", "open_store", "store_file", "user_folder"]

_POSTGRES: Final = ("postgresql://", "postgres://")


async def open_store(url: str, *, write: bool = True, create: bool = True, make_key: bool = True) -> Store:
    """The store at this address; `StoreError` in one line if it cannot be opened.

    Without `write` nothing is made, locked or changed, and a missing key is no obstacle. Without `create` a store that
    is not there is not made. Without `make_key` a new store waits for its key: that of the store it is a copy of.
    """
    engine: Engine
    path = store_file(url)
    if path is None:
        from croupier.store.postgres import open_postgres

        engine, key = await open_postgres(url, write=write, create=create), key_of(url)
    else:
        _check_file(path, create=write and create)
        key = path.with_name(f"{path.name}.key")
        if write and create and not path.exists():
            house_key(key, create=False)  # whatever is wrong with it is said before a file is made
        engine = SqliteEngine(path, write=write, create=create)
    try:
        await _check_names(engine)
        await _check_finished(engine)
        # A key is made only for a store that has sealed nothing yet: a new one would not open what is there.
        sealed = "select 1 from data_key union all select 1 from meta where key = 'signing_key' limit 1"
        unused = write and make_key and not await engine.fetch(sealed)
        store = Store(engine, _key(key, create=unused, needed=write))
        if not await store.has_its_key():
            if write:  # it would seal what nobody can open together
                raise StoreError("the house's key given here is not the one of this store")
            store = Store(engine, None)
        if write and make_key:  # a copy brings its own
            await store.identity()
    except BaseException:
        await engine.close()
        raise
    return store


def store_file(url: str) -> Path | None:
    """The file of the store at this address; None if a server has it.

    >>> store_file("sqlite:house.db"), store_file("postgresql://house@db/house")
    (PosixPath('house.db'), None)
    """
    if url.startswith(_POSTGRES):
        return None
    path = Path(url.removeprefix("sqlite:"))
    if "://" in url or not path.name:
        shown = re.sub(r"(?<=://)[^/]*@", "…@", url)  # whoever mistypes an address has not asked to print its password
        raise StoreError(f"{shown!r} is not a store: use sqlite:PATH or postgresql://…")
    return path


def _check_file(path: Path, *, create: bool) -> None:
    """Refuse what cannot be the file of a store, before anything is made beside it."""
    try:
        size = path.stat().st_size if path.exists() else None
        if size is not None and not path.is_file():
            raise StoreError(f"{path}: it is not a file")
        if not size and not create:
            raise StoreError(f"{path}: no such store{': the file is empty' if size == 0 else ''}")
        if size is None and not path.parent.is_dir():
            raise StoreError(f"{path}: the folder {path.parent} does not exist")
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from None


async def _check_names(engine: Engine) -> None:
    """Refuse a record with an event that this version does not know, before anything is done with it."""
    try:
        names = [str(row[0]) for row in await engine.fetch("select name from event_name")]
        check_known(names, (*event_names(), *book_event_names()))
    except BrokenRecord as error:
        raise StoreError(f"{engine.where}: {error}") from None


async def _check_finished(engine: Engine) -> None:
    """Refuse a copy that stopped halfway: its id is written last of all."""
    if await engine.fetch("select 1 from meta where key = 'store'"):
        return
    if await engine.fetch("select 1 from head where seq > 0 union all select 1 from law limit 1"):
        raise StoreError(
            f"{engine.where}: a copy into it was not finished:"
            " drop this database and create it again, or delete the file; then copy again"
        )


def _key(path: Path, *, create: bool, needed: bool) -> HouseKey | None:
    """The house's key; whoever only reads can do without, also if it is not theirs to read."""
    try:
        return house_key(path, create=create)
    except StoreError:
        if needed:
            raise
        return None


def key_of(url: str) -> Path:
    """Where the key of a database server's store is kept, unless it is given: in the user's data directory.

    Another password, or another user, is still the same store.
    """
    parts = urlsplit(url)
    store = f"{parts.netloc.rpartition('@')[2]}{parts.path}?{parts.query}"
    return user_folder() / f"{hashlib.sha256(store.encode()).hexdigest()[:16]}.key"


def user_folder() -> Path:
    """The folder of the user's own data: stores that nobody has named a place for, and keys of servers' stores."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "croupier"
