"""How the simulation's functions are compiled.

Numba keeps machine code on disk by the file of the function alone, and does not see a change in what was compiled into
it from another file. So only what Python calls is kept, and it has `SOURCES`, the hash of all files that have a part in
it, as a closure variable: that is part of the key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import numba

from croupier.rulebook import paytable_arrays

__all__ = ["SOURCES", "Kernel", "Whole", "compiled", "compiled_and_kept", "compiled_apart", "i64", "u8", "u32", "u64"]

Function = TypeVar("Function", bound=Callable[..., Any])
Whole: TypeAlias = Any
"""A whole number whose size is the compiler's business: signed, unsigned, 32 or 64 bits."""
Kernel: TypeAlias = Callable[..., tuple[int, int]]

u8: Final[Any] = numba.uint8
u32: Final[Any] = numba.uint32
u64: Final[Any] = numba.uint64
i64: Final[Any] = numba.int64


def _hash_of_sources() -> int:
    files = [*sorted(Path(__file__).parent.glob("*.py")), Path(paytable_arrays.__file__)]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).digest()
    return int.from_bytes(digest[:6], "big")


SOURCES: Final = _hash_of_sources()


def compiled(function: Function) -> Function:
    """Compile into every caller; Python itself cannot call it."""
    made: Function = _jit(forceinline=True, **_INSIDE)(function)
    return made


def compiled_apart(function: Function) -> Function:
    """The same for what is long or seldom called: callers jump to it, and compile faster."""
    made: Function = _jit(**_INSIDE)(function)
    return made


def compiled_and_kept(function: Function) -> Function:
    """Compile at the first call, and keep the code on disk where there is a place for it; it has to use `SOURCES`."""
    # Numba opens the index of a name before it compares versions, so code of other sources must have another name.
    function.__qualname__ += f"_{SOURCES:012x}"
    try:
        made: Function = _jit(cache=True)(function)
    except RuntimeError:  # numba finds no folder that it may write to
        made = _jit()(function)
    return made


_INSIDE: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_jit: Final[Any] = partial(numba.njit, nogil=True, boundscheck=False)
