"""Where the key of a store is kept, and which files belong to a store, so that nothing else is written over them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from croupier.store.keys import FILE
from croupier.store.opening import key_of, store_file

__all__ = ["files_of", "key_file", "place_of"]

_BESIDE: Final = ("", ".lock", "-wal", "-shm", "-journal")


def key_file(url: str) -> Path:
    """Where the house's key of this store is looked for, unless the environment names another place.

    >>> key_file("sqlite:data/house.db")
    PosixPath('data/house.db.key')
    """
    path = store_file(url)
    return key_of(url) if path is None else path.with_name(f"{path.name}.key")


def files_of(url: str) -> tuple[Path, ...]:
    """The files of a store: itself, its lock, its log and its key, wherever that is."""
    path, named = store_file(url), os.environ.get(FILE)
    own = [Path(f"{path.resolve()}{ending}") for ending in _BESIDE] if path is not None else []
    return (*own, key_file(url), *([Path(named)] if named else []))


def place_of(url: str) -> str:
    """The address of a store as it may be shown: without a password.

    >>> place_of("house.db"), place_of("postgresql://house:secret@db/house")
    ('house.db', 'postgresql://db/house')
    """
    if store_file(url) is not None:
        return url
    from croupier.store.postgres_errors import without_password  # noqa: PLC0415 - it loads the driver

    return without_password(url)
