"""Results kept on disk by the hash of what was asked and of the code that answers, so that nothing is priced twice.

Nothing here needs the compiled code: an answer that is kept comes at once.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

import croupier
from croupier.analysis.cases import Case
from croupier.analysis.price import Price

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

__all__ = ["cached_or", "code_hash", "folder", "kept_arrays"]

PARTS: Final = ("analysis", "cards.py", "hands", "money", "rulebook")
"""What a result depends on, beside the rules."""


def folder() -> Path:
    """Where results are kept: CROUPIER_CACHE, or `croupier` in the user's folder for such things."""
    if given := os.environ.get("CROUPIER_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "croupier"


def cached_or(case: Case, price: Callable[[Case], tuple[Price, ...]], *, anew: bool = False) -> tuple[Price, ...]:
    """The records of a case: those that are kept, or what `price` gives, which is then kept."""
    try:
        path = folder() / f"{_key(case)}.json"
        found = None if anew else _read(path)
    except (OSError, RuntimeError):  # no home, or a place that may not be read
        return price(case)
    if found is not None:
        return found
    records = price(case)
    _write(path, msgspec.json.encode(records, enc_hook=_to_plain))
    return records


def kept_arrays(asked: object, make: Callable[[], Sequence[Array]]) -> tuple[Array, ...]:
    """The arrays that `make` gives for what was asked: those that are kept, or new ones, which are then kept."""
    import numpy as np  # noqa: PLC0415 - commands that only show what is kept start without it

    try:
        path = folder() / f"{hashlib.sha256(msgspec.json.encode([asked, code_hash()], order='sorted')).hexdigest()}.npz"
    except RuntimeError:  # no home
        return tuple(make())
    content = _whole(path)
    if content is not None:
        with suppress(ValueError, EOFError, zipfile.BadZipFile), np.load(io.BytesIO(content)) as found:
            return tuple(found[name] for name in found.files)
    arrays, packed = tuple(make()), io.BytesIO()
    np.savez(packed, *arrays)
    _write(path, packed.getvalue())
    return arrays


def _read(path: Path) -> tuple[Price, ...] | None:
    content = _whole(path)
    try:
        return None if content is None else msgspec.json.decode(content, type=tuple[Price, ...], dec_hook=_from_plain)
    except (ValueError, ZeroDivisionError):  # made by something else: as if nothing were kept
        return None


def _whole(path: Path) -> bytes | None:
    """What is kept in a file behind the mark of its content; None where nothing whole is."""
    if not path.is_file():
        return None
    mark, _, content = path.read_bytes().partition(b"\n")
    return content if mark == hashlib.sha256(content).hexdigest().encode() else None


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        Path(file.name).replace(path)
    except OSError:
        return  # keeping is a comfort; a full disk is no reason to withhold an answer


def _key(case: Case) -> str:
    content = {field: getattr(case, field) for field in case.__struct_fields__ if field != "book"}
    content |= {"rulebook": (case.book.id, case.book.hash), "code_hash": code_hash()}
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


@cache
def code_hash() -> str:
    """The hash of everything that has a part in a result."""
    root = Path(croupier.__file__).parent
    files = sorted(
        file for part in PARTS for file in ([root / part] if part.endswith(".py") else (root / part).rglob("*.py"))
    )
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _to_plain(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be kept")


def _from_plain(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's hook
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a {kind.__name__}")
