"""Results cached on disk by the hash of what was asked and of the code that answers, so that nothing is priced twice.

Nothing here needs the compiled code: a cached answer is immediate.
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
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import msgspec

import croupier
from croupier.analysis.cases import Case
from croupier.analysis.prices import Price

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

__all__ = ["cached_arrays", "cached_prices", "code_hash", "folder"]

Answer = TypeVar("Answer")

PARTS: Final = ("analysis", "cards.py", "hands", "money", "rulebook")
"""What a result depends on, apart from the rules."""


def folder() -> Path:
    """The cache folder: CROUPIER_CACHE, or `croupier` in the user's cache folder."""
    if given := os.environ.get("CROUPIER_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "croupier"


def cached_prices(case: Case, *, recompute: bool = False) -> tuple[Price, ...]:
    """The records of a case: from the cache, or from `price` and then cached."""
    asked = {field: getattr(case, field) for field in case.__struct_fields__ if field != "book"}
    asked |= {"rulebook": (case.book.id, case.book.hash), "code_hash": code_hash()}
    return _cached(asked, tuple[Price, ...], lambda: _price(case), recompute=recompute)


def _price(case: Case) -> tuple[Price, ...]:
    from croupier.analysis.pricing import price  # noqa: PLC0415 - compiled code is loaded when something must be priced

    return price(case)


def _cached(asked: object, kind: type[Answer], compute: Callable[[], Answer], *, recompute: bool = False) -> Answer:
    try:
        path = folder() / f"{hashlib.sha256(msgspec.json.encode(asked, order='sorted')).hexdigest()}.json"
        content = None if recompute else _whole(path)
    except RuntimeError:  # no home
        return compute()
    if content is not None:
        with suppress(ValueError, ZeroDivisionError):  # made by something else: as if nothing were cached
            return msgspec.json.decode(content, type=kind, dec_hook=_from_plain)
    answer = compute()
    _write(path, msgspec.json.encode(answer, enc_hook=_to_plain))
    return answer


def cached_arrays(asked: object, make: Callable[[], Sequence[Array]]) -> tuple[Array, ...]:
    """The arrays for what was asked: from the cache, or made by `make` and then cached.

    They are the caller's own, to write into, either way: numba compiles a kernel once more for arrays that are not.
    """
    import numpy as np  # noqa: PLC0415 - commands that only show what is cached start without it

    try:
        path = folder() / f"{hashlib.sha256(msgspec.json.encode([asked, code_hash()], order='sorted')).hexdigest()}.npz"
    except RuntimeError:  # no home
        return tuple(array.copy() for array in make())
    content = _whole(path)
    if content is not None:
        with suppress(ValueError, EOFError, zipfile.BadZipFile), np.load(io.BytesIO(content)) as arrays_by_name:
            return tuple(arrays_by_name[name] for name in arrays_by_name.files)
    arrays, packed = tuple(array.copy() for array in make()), io.BytesIO()
    np.savez(packed, *arrays)
    _write(path, packed.getvalue())
    return arrays


def _whole(path: Path) -> bytes | None:
    """The content of a file behind its hash; None where it is missing, damaged or may not be read."""
    try:
        mark, _, content = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    return content if mark == hashlib.sha256(content).hexdigest().encode() else None


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        Path(file.name).replace(path)
    except OSError:
        return  # a full disk is no reason to withhold an answer


@cache
def code_hash() -> str:
    """The hash of all code that a result depends on."""
    root = Path(croupier.__file__).parent
    files = sorted(
        file for part in PARTS for file in ([root / part] if part.endswith(".py") else (root / part).rglob("*.py"))
    )
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _to_plain(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be cached")


def _from_plain(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's hook
    if kind is Fraction and isinstance(value, str):
        return Fraction(value)
    raise TypeError(f"{value!r} is not a {kind.__name__}")
