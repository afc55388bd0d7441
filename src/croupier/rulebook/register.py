"""The register of clauses: what each says, where it is implemented, and which tests prove it.

`where` and `tests` are collected from marks (`clause = …` in the regulations, `@clause` in code, the pytest
marker `clause`) by `tools/register.py`, which writes `regulations/register.json`; a test fails if that is out of
date.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec
from msgspec import Struct

from croupier.rulebook.editions import SHIPPED, editions, rulebook_ids
from croupier.rulebook.load import load_rulebook
from croupier.rulebook.names import ClauseKind
from croupier.rulebook.schema import Rulebook

__all__ = ["MUST_SHOW", "ClauseEntry", "Marks", "clause_entries", "is_open", "load_register"]

MUST_SHOW: Final[frozenset[ClauseKind]] = frozenset({"enforce", "compute", "record", "display", "configure"})
"""The kinds of clauses that software implements: each needs a place and a test."""


class Marks(Struct, frozen=True):
    """Where one clause is implemented and tested."""

    where: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


class ClauseRegister(Struct, frozen=True):
    """The generated file."""

    open: dict[str, int]
    clauses: dict[str, dict[str, Marks]]


class ClauseEntry(Struct, frozen=True):
    """A clause with everything known about it."""

    rulebook: str
    clause: str
    kind: ClauseKind
    summary: str
    where: tuple[str, ...]
    tests: tuple[str, ...]
    note: str


@cache
def load_register() -> ClauseRegister:
    """The generated register."""
    return msgspec.json.decode((SHIPPED / "register.json").read_bytes(), type=ClauseRegister)


def clause_entries(rulebook: str | None = None, *, edition: str | None = None) -> list[ClauseEntry]:
    """Every clause of one rulebook or of all, in the document's order.

    Places and tests are known for the newest editions only; for an older one they are empty.

    >>> len(clause_entries())
    880
    >>> clause_entries("md-mississippi-stud")[11].summary
    'At most six betting positions along one side; dealer stands opposite.'
    """
    books = [load_rulebook(name, edition=edition) for name in ([rulebook] if rulebook else rulebook_ids())]
    marks = {book.id: _marks(book) for book in books}
    return [
        ClauseEntry(
            rulebook=book.id,
            clause=clause.id,
            kind=clause.kind,
            summary=clause.summary,
            where=marks[book.id].get(clause.id, Marks()).where,
            tests=marks[book.id].get(clause.id, Marks()).tests,
            note=clause.note,
        )
        for book in books
        for clause in book.clauses
    ]


def _marks(book: Rulebook) -> dict[str, Marks]:
    return load_register().clauses.get(book.id, {}) if book.edition == editions(book.id)[0] else {}


def is_open(entry: ClauseEntry) -> bool:
    """Whether a clause that software must implement still lacks its place or its test."""
    return entry.kind in MUST_SHOW and not (entry.where and entry.tests)
