"""Files written completely or not at all."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from croupier.errors import Malformed

__all__ = ["write_whole"]


def write_whole(path: Path, data: bytes) -> None:
    """Write a file: a new one appears complete, an old one keeps its mode and links; a device is written directly."""
    if not path.name:
        raise Malformed(f"{str(path)!r} is not a file name")
    part = path.with_name(f".{path.name[:80]}.{os.getpid()}")
    try:
        target = path.resolve() if path.is_symlink() else path
        part = target.with_name(part.name)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        part.write_bytes(data)
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise Malformed(f"{path}: cannot be written: {error.strerror}") from None
