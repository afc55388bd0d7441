"""One key at a time from a terminal, without Enter."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

__all__ = ["BACKSPACE", "END", "ENTER", "ESCAPE", "read_key"]

ENTER: Final = "\r"
BACKSPACE: Final = "\x7f"
ESCAPE: Final = "\x1b"
END: Final = ""
"""Nothing more will come."""
_SAME: Final = {"\n": ENTER, "\b": BACKSPACE, "\x04": END, "\x1a": END}


def read_key() -> str:
    """The next key; an arrow or a function key is ESCAPE, Ctrl-D is END, Ctrl-C interrupts."""
    key = _next_key()
    return _SAME.get(key, key)


if sys.platform == "win32":
    import msvcrt

    def _next_key() -> str:
        key = msvcrt.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        if key in "\x00\xe0":
            msvcrt.getwch()
            return ESCAPE
        return key

else:
    import select
    import termios
    import tty

    def _next_key() -> str:
        stdin = sys.stdin.fileno()
        before = termios.tcgetattr(stdin)
        try:
            tty.setcbreak(stdin, termios.TCSADRAIN)  # what was typed ahead stays
            return _decoded(lambda: os.read(stdin, 1), lambda: bool(select.select([stdin], [], [], 0.02)[0]))
        except OSError:  # a terminal that has gone
            return END
        finally:
            termios.tcsetattr(stdin, termios.TCSADRAIN, before)


def _decoded(read: Callable[[], bytes], more: Callable[[], bool]) -> str:
    r"""One key from its bytes: a letter of several bytes, or an escape sequence, which is swallowed whole.

    >>> def keys(data: bytes) -> str:
    ...     left = [bytes([byte]) for byte in data]
    ...     return _decoded(lambda: left.pop(0), lambda: bool(left))
    >>> keys(b"f"), keys("é".encode()), keys(b"\x1b[A"), keys(b"\xff")
    ('f', 'é', '\x1b', '?')
    """
    data = read()
    if data == b"\x1b":
        while more() and not (byte := read()).isalpha() and byte != b"~":
            pass
        return ESCAPE
    for _ in range(3):
        try:
            return data.decode()
        except UnicodeDecodeError:
            if not more():
                break
            data += read()
    return "?" if len(data) == 1 else "�"
