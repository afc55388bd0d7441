"""source.toml, clauses.toml and glossary.toml."""

from __future__ import annotations

import datetime

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, RegulationPart

__all__ = ["Clause", "DocumentSource", "Glossary", "Term"]


class DocumentSource(RegulationPart, frozen=True, kw_only=True):
    """Which document this is."""

    id: str
    title: str
    document: str
    jurisdiction: str
    regulator: str
    game: names.Game
    edition: str
    """What the document calls itself, in words."""
    date: datetime.date
    """The date of this edition, and the name of its folder."""
    date_of: names.DateOf
    status: names.DocumentStatus
    abbreviation: str
    refers_to: tuple[str, ...] = ()


class Clause(RegulationPart, frozen=True, kw_only=True):
    """One operative clause in our words; `note` says why, if it has no effect in software."""

    id: str
    kind: names.ClauseKind
    summary: str
    note: str = ""


class Term(Cited, frozen=True, kw_only=True):
    """A defined term, in our words."""

    term: str
    meaning: str


class Glossary(Cited, frozen=True, kw_only=True):
    """glossary.toml."""

    term: tuple[Term, ...]
