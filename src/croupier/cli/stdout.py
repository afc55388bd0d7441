"""Standard output that ends well: a closed pipe is not an error, and a full disk is one line.

Where nobody reads any more, as in `croupier … | head`, the command goes on unseen: what it records is recorded whole,
and its exit code is the answer.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from croupier.errors import CroupierError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

__all__ = ["CannotWrite", "nobody_reads", "open_output"]

STDOUT = 1


class CannotWrite(CroupierError):
    """Standard output is closed or full."""


class _Output(io.FileIO):
    is_unread = False

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            # What is still buffered has nowhere to go; without this Python would complain about it at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
            if isinstance(error, BrokenPipeError):
                self.is_unread = True
                return memoryview(data).nbytes
            raise CannotWrite(f"standard output: {error.strerror}") from None


def nobody_reads() -> bool:
    """Whether the reader of standard output has left: whoever only answers can stop."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Output) and raw.is_unread


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
