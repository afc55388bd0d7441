"""The clause and the reading behind an answer, in one form."""

from __future__ import annotations

from croupier.rulebook.schema import Cited

__all__ = ["cited", "cited_by", "sources"]


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
