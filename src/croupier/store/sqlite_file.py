"""The file of a SQLite store: how it is opened, by whom, and what its errors mean."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

from croupier.errors import StoreError

__all__ = ["APPLICATION", "check_ours", "connect", "connect_to_read", "has_content", "own", "words"]

APPLICATION: Final = 0x43524F55
"""`CROU`: how a file says that it is a store of Croupier."""

_BUSY_MS: Final = 5_000
_SHUT: Final = (apsw.CantOpenError, apsw.ReadOnlyError)


def connect(path: str, flags: int, vfs: str | None = None) -> apsw.Connection:
    """A connection that waits a moment for others."""
    connection = apsw.Connection(path, flags=flags, vfs=vfs)
    connection.set_busy_timeout(_BUSY_MS)
    return connection


def connect_to_read(path: str) -> apsw.Connection:
    """A connection that only reads; also where nothing can be written, as long as no log waits to be read in."""
    connection = connect(path, apsw.SQLITE_OPEN_READONLY)
    try:
        connection.pragma("schema_version")
    except _SHUT:
        connection.close(force=True)
        if not has_content(path) or (closed := _closed(path)) is None:
            raise
        if has_content(f"{path}-wal") or has_content(f"{path}-journal"):
            raise StoreError(
                f"{path}: its log has to be read in, but {closed}: copy all files of the store to another folder"
            ) from None
        # Nobody writes here: SQLite can do without the files that it would put beside this one.
        address = f"{Path(path).absolute().as_uri()}?immutable=1"
        return connect(address, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    except BaseException:
        connection.close(force=True)
        raise
    return connection


def _closed(path: str) -> str | None:
    """Why no file can be made beside this one, if that is so."""
    folder = Path(path).absolute().parent
    return None if os.access(folder, os.W_OK) else f"nothing can be written in {folder}"


def has_content(path: str) -> bool:
    """Whether there is a file with anything in it."""
    return Path(path).is_file() and Path(path).stat().st_size > 0


def check_ours(connection: apsw.Connection, path: str) -> None:
    """Refuse a database of something else; whoever made a store may have stopped before anything was in it."""
    foreign = connection.pragma("application_id") != APPLICATION
    if foreign and list(connection.execute("select 1 from sqlite_schema limit 1")):
        raise StoreError(f"{path}: it is a SQLite file, but not a store of Croupier")


def own(path: str, *, create: bool = True) -> apsw.Connection:
    """Hold the file `PATH.lock`: one process writes to a store. The system lets go when the process ends."""
    if path == ":memory:":
        raise StoreError(f"{path}: nothing is kept in memory; a store is a file")
    if (closed := _closed(path)) is not None:
        raise StoreError(f"{path}: {closed}")
    lock = f"{Path(path).resolve()}.lock"
    try:
        if not Path(lock).exists() and has_content(path):
            _look_into(path)
        owner = apsw.Connection(lock)
        owner.execute("begin exclusive")
        if create:
            _make_private(path)
    except apsw.BusyError:
        raise StoreError(f"{path}: another process is using this store") from None
    except (apsw.NotADBError, apsw.CorruptError) as error:
        raise StoreError(f"{path}: {words(error)}") from None
    except apsw.Error as error:
        raise StoreError(f"{path}: cannot be opened: {words(error)}") from None
    except UnicodeEncodeError:
        raise StoreError(f"{path}: the name of this file is not UTF-8 text") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot be made: {error.strerror}") from None
    return owner


def _make_private(path: str) -> None:
    """Make a new store's file one that only its owner reads; SQLite gives the files beside it the same rights."""
    with suppress(FileExistsError):
        os.close(os.open(Path(path).resolve(), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _look_into(path: str) -> None:
    """Refuse a file of something else before a lock is put beside it."""
    with suppress(apsw.ReadOnlyError, apsw.BusyError):  # a half-made change of a store waits to be taken back
        reader = connect_to_read(path)
        try:
            check_ours(reader, path)
        except (apsw.NotADBError, apsw.CorruptError) as error:
            raise StoreError(f"{path}: {words(error)}") from None
        finally:
            reader.close(force=True)


def words(error: apsw.Error | UnicodeError) -> str:
    """What an error means, for people."""
    match error:
        case UnicodeEncodeError():
            return "what is asked for is not text"
        case apsw.NotADBError():
            return "it is not a store of Croupier: not a SQLite file"
        case apsw.CorruptError() | UnicodeDecodeError():
            return "the file is damaged"
        case apsw.FullError():
            return "the disk is full"
        case apsw.CantOpenError():
            return "the file cannot be opened"
        case apsw.ReadOnlyError():
            return "the file cannot be written"
    return str(error) or type(error).__name__
