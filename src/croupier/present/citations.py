"""The clause and the reading behind an answer, in one form."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, NamedTuple

from croupier.rulebook.schema import Cited

__all__ = ["Told", "cited", "cited_by", "sources", "uncited"]


class Told(NamedTuple):
    """A sentence, and the clause and reading behind it."""

    words: str
    clause: str = ""
    reading: int | None = None


_READING: Final = re.compile(r"(?:, )?reading (\d+)")


def cited(clause: str | None, reading: int | None = None) -> str:
    """Return a citation, or nothing where there is none.

    >>> cited("12.A(1)-(10)"), cited("7.F(3)", 184), cited(None)
    ('(12.A(1)-(10))', '(7.F(3), reading 184)', '')
    """
    if not clause:
        return ""
    return f"({clause}{f', reading {reading}' if reading else ''})"


def sources(value: Cited) -> str:
    """Name every clause behind a value of the law, and the reading.

    >>> sources(Cited(clause="7.A", also=("7.B",), reading=3))
    '7.A, 7.B, reading 3'
    """
    return ", ".join([value.clause, *value.also, *([f"reading {value.reading}"] if value.reading else [])])


def cited_by(words: str, clause: str | None, reading: int | None = None) -> str:
    """Put the citation behind a sentence.

    >>> cited_by("The deck is washed", "5.B(3)")
    'The deck is washed (5.B(3))'
    """
    return f"{words} {cited(clause, reading)}".rstrip()


def uncited(sentence: str, known: Container[str]) -> Told:
    """Take the citation off a sentence again, if it is one of these clauses: what `cited_by` has put there.

    >>> uncited("The deck is washed (5.B(3), reading 7)", {"5.B(3)"})
    Told(words='The deck is washed', clause='5.B(3)', reading=7)
    >>> uncited("Seat 3 (Ann) folds", {"5.B(3)"}), uncited("Seat 3 (Ann)", {"5.B(3)"}).clause
    (Told(words='Seat 3 (Ann) folds', clause='', reading=None), '')
    """
    if not sentence.endswith(")"):
        return Told(sentence)
    depth = 0
    for place in range(len(sentence) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(sentence[place], 0)
        if depth == 0 and sentence[place - 1] == " ":
            inside = sentence[place + 1 : -1]
            reading = _READING.search(inside)
            clause = inside[: reading.start()] if reading is not None else inside
            if clause not in known:
                return Told(sentence)
            return Told(sentence[: place - 1], clause, int(reading.group(1)) if reading is not None else None)
    return Told(sentence)
