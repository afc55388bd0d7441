"""Standard output that ends well: a closed pipe is not an error, and a full disk is one line."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from croupier.errors import CroupierError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["CannotWrite", "open_output"]

STDOUT = 1


class CannotWrite(CroupierError):
    """Standard output is closed or full."""


class _Output(io.FileIO):
    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            # What is still buffered has nowhere to go; without this Python would complain about it at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
            if isinstance(error, BrokenPipeError):
                raise SystemExit(0) from None  # as in `croupier … | head`
            raise CannotWrite(f"standard output: {error.strerror}") from None


def open_output() -> None:
    """Replace standard output by one that ends well; characters that the terminal lacks become `?`."""
    if sys.stdout is None:
        raise CannotWrite("standard output is closed")
    if not isinstance(sys.stdout, io.TextIOWrapper):
        return  # a test, a notebook
    raw = _Output(STDOUT, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=sys.stdout.encoding, errors="replace", line_buffering=raw.isatty()
    )
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
