"""The write-ahead log of a SQLite file after a failure: what reading shows may not be on the disk."""

from __future__ import annotations

from typing import Final

import apsw

__all__ = ["rewrite_log"]

_PIECE: Final = 2**16
"""SQLite writes at most 128 KiB at a time, and takes no notice of more."""


def rewrite_log(path: str, vfs: str | None) -> None:
    """Write the write-ahead log again: a sync that failed has forgotten what reading still shows."""
    try:
        log = apsw.VFSFile(vfs or "", f"{path}-wal", [apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_READWRITE, 0])
    except (apsw.CantOpenError, apsw.IOError):  # no log, or no file that it belongs to
        return
    try:
        size = log.xFileSize()
        for start in range(0, size, _PIECE):
            log.xWrite(log.xRead(min(_PIECE, size - start), start), start)
        log.xSync(apsw.SQLITE_SYNC_NORMAL)
    finally:
        log.xClose()
