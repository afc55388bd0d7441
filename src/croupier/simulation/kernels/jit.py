"""How the simulation's functions are compiled.

Numba keeps machine code on disk by the file of the function alone, and does not see a change in what was compiled into
it from another file. So only what Python calls is kept, and it has `SOURCES`, the hash of all files that have a part in
it, as a closure variable: that is part of the key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeAlias, TypeVar

import numba

from croupier.rulebook import paytable_arrays

__all__ = [
    "SOURCES",
    "Kernel",
    "Whole",
    "compiled",
    "compiled_and_kept",
    "compiled_apart",
    "i64",
    "interpreted",
    "is_compiled",
    "u8",
    "u32",
    "u64",
]

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


def is_compiled(kernel: Any) -> bool:  # noqa: ANN401 - numba has no types
    """Whether a kernel can play without being compiled first: it was compiled here, or kept by an earlier run."""
    kept, name = kernel.stats.cache_path, kernel.py_func.__qualname__.rpartition(".")[2]
    module = kernel.py_func.__module__.rpartition(".")[2]
    return bool(kernel.signatures) or (kept is not None and any(Path(kept).glob(f"{module}.*{name}-*.nbi")))


@cache
def interpreted(kernel: Any) -> Any:  # noqa: ANN401 - the same
    """The same function as plain Python, with everything that it calls: far slower, and there at once."""
    plain = kernel.py_func
    called = {name: plain.__globals__[name] for name in plain.__code__.co_names if name in plain.__globals__}
    scope = plain.__globals__ | {name: interpreted(part) for name, part in called.items() if hasattr(part, "py_func")}
    return FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__, plain.__closure__)


_INSIDE: Final = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_jit: Final[Any] = partial(numba.njit, nogil=True, boundscheck=False)
