"""JSON lines in, JSON lines out: the one loop behind every command that answers a stream."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import BinaryIO, Final

import msgspec

from croupier.errors import Malformed
from croupier.wire import decode_json

__all__ = ["answer_lines"]

LONGEST: Final = 1 << 20
"""The longest line that is read, in bytes."""


def answer_lines(source: BinaryIO, target: BinaryIO, answer: Callable[[bytes], object]) -> int:
    """Answer each line in its place, at once; give back how many could not be read.

    `answer` raises `Malformed` or a msgspec error for a line that it cannot read; the line then
    answers `{"error": …}`, naming its number. Blank lines are passed over.
    """
    bad = number = 0
    while line := source.readline(LONGEST + 1):
        number += 1
        try:
            if len(line) > LONGEST:
                while line and not line.endswith(b"\n"):
                    line = source.readline(LONGEST)
                raise Malformed(f"the line is longer than {LONGEST:,} bytes")
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if not line.strip():
                continue
            decode_json(line)
            reply = msgspec.json.encode(answer(line))
        except (Malformed, msgspec.MsgspecError, ValueError, RecursionError) as error:
            bad += 1
            reply = msgspec.json.encode({"error": f"line {number}: {_short(str(error))}"})
        target.write(reply + b"\n")
        target.flush()
    return bad


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:200]} … {text[-90:]}"
