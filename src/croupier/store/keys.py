"""Where the house's key comes from: a command, a file, or a file beside the store that only its owner can read.

CROUPIER_KEY_COMMAND   a command that prints the key: the client of a key service
CROUPIER_KEY_FILE      a file with the key: a secret that the system provides
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from croupier.errors import StoreError
from croupier.journal import KEY_BYTES, HouseKey

__all__ = ["house_key"]

COMMAND: Final = "CROUPIER_KEY_COMMAND"
FILE: Final = "CROUPIER_KEY_FILE"
_SECONDS: Final = 60


def house_key(beside: Path, *, create: bool, environment: Mapping[str, str] = os.environ) -> HouseKey | None:
    """The house's key, or None if there is none and none may be made.

    >>> house_key(Path("nowhere/house.db.key"), create=False, environment={}) is None
    True
    """
    if command := environment.get(COMMAND):
        return HouseKey(_read(_printed(command), f"{COMMAND}: its output"))
    if named := environment.get(FILE):
        return HouseKey(_read(_contents(Path(named)), f"{FILE}: {named}"))
    if beside.exists():
        if os.name == "posix" and beside.stat().st_mode & 0o077:
            raise StoreError(f"{beside}: others can read this key; make it private: chmod 600 {beside}")
        return HouseKey(_read(_contents(beside), str(beside)))
    return HouseKey(_made(beside)) if create else None


def _made(path: Path) -> bytes:
    """A new key, in a file that only its owner can read; of two processes at once, the first one's key counts."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(secrets.token_bytes(KEY_BYTES).hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(part, path)  # whole, or not at all
        finally:
            part.unlink()
        _sync(path.parent)
    except OSError as error:
        raise StoreError(f"{path}: the house's key cannot be written: {error.strerror}") from None
    return _read(_contents(path), str(path))


def _sync(folder: Path) -> None:
    """Make the name of a new file durable: a key that a power cut takes away is gone with all it sealed."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _contents(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise StoreError(f"{path}: the house's key cannot be read: {why}") from None


def _printed(command: str) -> str:
    try:
        done = subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=_SECONDS, check=True)  # noqa: S603 - the operator's own command
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise StoreError(f"{COMMAND}: the house's key cannot be read: {_words(error)}") from None
    return done.stdout


def _words(error: Exception) -> str:
    match error:
        case OSError():
            return f"{error.strerror}"
        case subprocess.TimeoutExpired():
            return f"the command takes more than {_SECONDS} seconds"
        case subprocess.CalledProcessError():
            return f"the command ended with {error.returncode}"
        case UnicodeDecodeError():
            return "it is not text"
    return str(error)


def _read(text: str, where: str) -> bytes:
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise StoreError(f"{where} is not a key: {2 * KEY_BYTES} hexadecimal digits are expected")
    return key
