"""Lines that somebody types, or a pipe sends: with a prompt, and completion where the terminal has readline."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence

from croupier.errors import Malformed

__all__ = ["LONGEST_LINE", "NoMoreLines", "TypedLines", "piped_line"]

LONGEST_LINE = 4_000
"""Characters of a line that are read; nobody types more."""
LONGEST_PIPED = 1 << 20
"""Characters after which a line of a pipe is taken for one that never ends."""


class NoMoreLines(Exception):
    """The end of the input: Ctrl-D, or the end of a pipe."""


class TypedLines:
    """Asks for one line after the other."""

    def __init__(self, complete: Callable[[str], Sequence[str]] | None = None) -> None:
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        if self.is_terminal:
            _set_up_readline(complete)

    def ask(self, prompt: str) -> str:
        """The next line, without spaces around it; what a pipe sends is shown, as a terminal would show it."""
        if self.is_terminal:
            try:
                return _clean(input(f"{prompt} > "))
            except EOFError:
                print()
                raise NoMoreLines from None
            except KeyboardInterrupt:
                print()
                raise
        print(f"{prompt} > ", end="")
        text = piped_line()
        if not text:
            print()
            raise NoMoreLines
        line = _clean(text)
        print(line)
        return line


def piped_line() -> str:
    """The next line of standard input, empty at its end; one that does not end is `Malformed`."""
    text = sys.stdin.readline(LONGEST_PIPED) if sys.stdin is not None else ""
    if len(text) == LONGEST_PIPED:
        raise Malformed(f"standard input: a line is longer than {LONGEST_PIPED:,} characters")
    return text


def _clean(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST_LINE]).strip()


def _set_up_readline(complete: Callable[[str], Sequence[str]] | None) -> None:
    """Let the terminal edit lines, remember them, and complete words with Tab, where Python has readline."""
    if complete is None:
        return
    try:
        import readline  # noqa: PLC0415 - not on Windows
    except ImportError:
        return

    def match(_word: str, number: int) -> str | None:
        matches = complete(readline.get_line_buffer()[: readline.get_endidx()])
        return matches[number] if number < len(matches) else None

    readline.set_completer_delims(" ")
    readline.set_completer(match)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
