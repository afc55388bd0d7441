"""Files written completely or not at all, and whether one is there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from croupier.errors import Malformed

__all__ = ["LARGEST", "is_missing", "read_whole", "whole_file", "write_whole"]

LARGEST: Final = 64 << 20
"""Bytes of a file that are read at once: far more than any submission, round, certificate or drawing has."""


def is_missing(path: Path) -> bool:
    """Whether there is no such file; one that cannot be looked up is not missing: whoever reads it says why.

    >>> is_missing(Path("no-such-file")), is_missing(Path("x" * 5000))
    (True, False)
    """
    try:
        return not path.exists()
    except OSError:
        return False


def read_whole(file: BinaryIO) -> bytes:
    """All that a file has; `Malformed` where it does not end, as `/dev/zero` does not.

    >>> import io
    >>> read_whole(io.BytesIO(b"ten dollars"))
    b'ten dollars'
    """
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise Malformed(f"it is larger than {LARGEST >> 20} MB")
    return data


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to: a new one appears complete, an old one keeps its mode and links.

    A device is written directly. Where the work with it fails, the file is as it was before.
    """
    if not path.name:
        raise Malformed(f"{str(path)!r} is not a file name")
    part = path.with_name(f".{path.name[:80]}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                yield device
            return
        target = path.resolve() if path.is_symlink() else path
        part = target.with_name(part.name)
        with part.open("wb") as file:
            yield file
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        raise Malformed(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file as `whole_file` does."""
    with whole_file(path) as file:
        file.write(data)
