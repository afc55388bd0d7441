"""JSON lines in, JSON lines out: the one loop behind every command that answers a stream."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from typing import BinaryIO, Final

import msgspec

from croupier.errors import Malformed

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
            reply = answer(line)
            json.loads(line, object_pairs_hook=_no_key_twice)
        except (Malformed, msgspec.MsgspecError, ValueError, RecursionError) as error:
            bad += 1
            reply = {"error": f"line {number}: {_short(str(error))}"}
        target.write(msgspec.json.encode(reply) + b"\n")
        target.flush()
    return bad


def _no_key_twice(pairs: list[tuple[str, object]]) -> None:
    """Programs differ in which of two equal keys they believe, so neither is."""
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the key {twice!r} stands twice")


def _short(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:200]} … {text[-90:]}"
