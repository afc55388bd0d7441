"""The installed files and one hash over all of them, compared with the list that a released wheel carries.

The list has the form of `sha256sum`, in the order of the paths' bytes, and the hash is the SHA-256 of that text. So
anybody can make it without this program; docs/regulators.md has the command.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed

__all__ = ["RELEASED", "Fingerprint", "fingerprint", "list_of", "short_hash", "software_hash"]

RELEASED: Final = "released.sha256"
"""The list of released files, in the package. Only a wheel that `make wheel` built has it."""
_HERE: Final = Path(__file__).parent
_ROW: Final = re.compile(r"([0-9a-f]{64})  (\S.*)")


class Fingerprint(Struct, frozen=True, kw_only=True):
    """What is installed, and how it differs from what was released."""

    hash: str
    files: int
    released: str | None
    """The hash of the released list; None for a build without one."""
    differ: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()

    @property
    def is_released(self) -> bool:
        """Whether every installed file is the released one, with none missing and none added."""
        return self.released == self.hash


def fingerprint(folder: Path = _HERE) -> Fingerprint:
    """Hash every file of the package, and compare it with the released list.

    >>> fingerprint().files > 100
    True
    """
    listing = list_of(folder)
    here = _read(listing)
    path = folder / RELEASED
    if not path.is_file():
        return Fingerprint(hash=_digest(listing), files=len(here), released=None)
    released_listing = _text(path)
    released = _read(released_listing)
    return Fingerprint(
        hash=_digest(listing),
        files=len(here),
        released=_digest(released_listing),
        differ=tuple(name for name in released if name in here and here[name] != released[name]),
        missing=tuple(name for name in released if name not in here),
        extra=tuple(name for name in here if name not in released),
    )


def list_of(folder: Path) -> str:
    """Every file below a folder with its SHA-256, as `sha256sum` writes it; caches and the list itself are left out."""
    names = (
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path != folder / RELEASED
    )
    rows = (f"{_hashed(folder / name)}  {name}\n" for name in sorted(names, key=str.encode))
    return "".join(rows)


@cache
def software_hash() -> str:
    """The hash over the installed files."""
    return _digest(list_of(_HERE))


def short_hash(digest: str) -> str:
    """The first 64 bits of a hash, to be read aloud or held against a paper.

    >>> short_hash("0123456789abcdef" * 4)
    '0123-4567-89ab-cdef'
    """
    return "-".join(digest[place : place + 4] for place in range(0, 16, 4))


def _hashed(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        raise Malformed(f"{path}: the list of released files cannot be read") from None


def _read(listing: str) -> dict[str, str]:
    rows = [_ROW.fullmatch(line) for line in listing.splitlines()]
    if not all(rows):
        raise Malformed(f"{RELEASED}: every line must be a SHA-256, two spaces and a path")
    return {row[2]: row[1] for row in rows if row}


def _digest(listing: str) -> str:
    return hashlib.sha256(listing.encode()).hexdigest()
