"""JSON lines in, JSON lines out: the loop behind every command that answers a stream."""

from __future__ import annotations

import codecs
import gc
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

import msgspec

from croupier.cli.stdout import nobody_reads
from croupier.errors import Malformed
from croupier.files import LARGEST
from croupier.present import counted
from croupier.wire import decode_json

__all__ = ["answer_lines", "answer_standard_input", "read_lines", "write_line"]

LONGEST: Final = 1 << 20
"""The longest line that is read, in bytes."""
SELDOM: Final = 100_000
"""New objects between two searches for garbage: answers leave next to none that is not freed at once."""


def answer_lines(source: BinaryIO, target: BinaryIO, answer: Callable[[bytes], object]) -> int:
    """Answer each line in its place, at once; return how many could not be read.

    `answer` reads a line strictly (`decode_json`). It raises `Malformed` or a msgspec error for one that it cannot
    read; the line then answers `{"error": …}`, naming its number. Blank lines are skipped.
    """
    gc.freeze()  # what is loaded stays: no need to look through it again and again
    gc.set_threshold(SELDOM)
    bad = 0
    for number, line in read_lines(source):
        try:
            if isinstance(line, Malformed):
                raise line
            reply = answer(line)
        except (Malformed, msgspec.MsgspecError, ValueError, RecursionError) as error:
            bad += 1
            reply = {"error": f"line {number}: {_short(str(error))}"}
        write_line(target, reply)
        if nobody_reads():
            break
    return bad


def answer_standard_input(command: str, answer: Callable[[bytes], object], *, instead: str) -> int:
    """Answer the lines of standard input and return the exit code; `instead` says what to type at a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        raise Malformed(f"{instead}, or send JSON lines to standard input")

    def strictly(line: bytes) -> object:
        decode_json(line)
        return answer(line)

    bad = answer_lines(sys.stdin.buffer, sys.stdout.buffer, strictly)
    if bad:
        print(f"croupier {command}: {counted(bad, 'line')} could not be read", file=sys.stderr)
    return 2 if bad else 0


def read_lines(source: BinaryIO) -> Iterator[tuple[int, bytes | Malformed]]:
    """Yield the lines with their numbers, without blank ones; a line that is too long is an error in its place."""
    number = 0
    while line := source.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            skipped = len(line)
            while line and not line.endswith(b"\n") and skipped <= LARGEST:
                line = source.readline(LONGEST)
                skipped += len(line)
            yield number, Malformed(f"the line is longer than {LONGEST:,} bytes")
            if skipped > LARGEST and not line.endswith(b"\n"):  # it may never end, as that of /dev/zero
                return
            continue
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if line.strip():
            yield number, line


def write_line(target: BinaryIO, value: object) -> None:
    """Write a value as a line of JSON, at once."""
    target.write(msgspec.json.encode(value) + b"\n")
    target.flush()


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:200]} … {text[-90:]}"
