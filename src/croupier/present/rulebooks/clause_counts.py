"""How many clauses a document has, by kind and by chapter; and where each of them is in its text."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, get_args

from croupier.present.names import counted
from croupier.present.rulebooks.register_words import CLAUSE_KINDS
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import (
    ClauseEntry,
    DocumentPlaces,
    Rulebook,
    chapter_of,
    is_open,
    load_places,
    load_rulebook,
    rulebook_ids,
)
from croupier.rulebook.names import ClauseKind

__all__ = [
    "CLAUSE_COLUMNS",
    "chapter_sheet",
    "clause_counts",
    "clause_place",
    "clause_record",
    "kind_meanings",
    "kind_sheet",
    "overview_of_text",
    "rulebook_of_text",
    "text_identity",
]

_KINDS: Final[tuple[ClauseKind, ...]] = get_args(ClauseKind)
CLAUSE_COLUMNS: Final = (
    *("rulebook", "clause", "chapter", "page", "first_line", "last_line"),
    *("kind", "summary", "where", "tests", "note"),
)
"""The columns of the register as CSV."""


def kind_sheet(books: Sequence[Rulebook], entries: Mapping[str, Sequence[ClauseEntry]]) -> Sheet:
    """Return how many clauses of each kind the documents have, and how many are open."""
    counts = [Counter(entry.kind for entry in entries[book.id]) for book in books]
    rows = [_numbers(kind, [count[kind] for count in counts]) for kind in _KINDS]
    rows.append(_numbers("all", [count.total() for count in counts]))
    rows.append(_numbers("open", [sum(map(is_open, entries[book.id])) for book in books]))
    return sheet(("kind", *(book.source.abbreviation for book in books), "all"), rows)


def _numbers(name: str, numbers: Sequence[int]) -> tuple[str, ...]:
    return name, *(str(number or "-") for number in (*numbers, sum(numbers)))


def chapter_sheet(entries: Sequence[ClauseEntry], places: DocumentPlaces | None) -> Sheet:
    """Return the chapters of a document: page, title in our words, and how many clauses of each kind."""
    rows = []
    for chapter in dict.fromkeys(chapter_of(entry.clause) for entry in entries):
        inside = [entry for entry in entries if chapter_of(entry.clause) == chapter]
        kinds = ", ".join(f"{number} {kind}" for kind, number in Counter(entry.kind for entry in inside).most_common())
        line = next((row.line for row in places.chapter if row.number == chapter), 0) if places else 0
        page = str((places.page(line) if places and line else None) or "-")
        title = places.chapter_title(chapter) if places else ""
        rows.append((chapter, title, page, str(len(inside)), kinds))
    return sheet(("chapter", "about", "page", "clauses", "kinds"), rows)


def kind_meanings(entries: Sequence[ClauseEntry]) -> Sheet:
    """Return each kind of clause, what it asks for, and how many there are."""
    counts = Counter(entry.kind for entry in entries)
    return sheet(
        ("kind", "clauses", "means"),
        [(kind, str(counts[kind]), meaning) for kind, (_, meaning) in CLAUSE_KINDS.items() if counts[kind]],
    )


def clause_counts(book: Rulebook, entries: Sequence[ClauseEntry]) -> dict[str, object]:
    """Return the numbers of a rulebook's clauses, for programs."""
    places = load_places(book.id, edition=book.edition)
    chapters = dict.fromkeys(chapter_of(entry.clause) for entry in entries)
    return {
        "rulebook": book.id,
        "text": places.text if places else None,
        "clauses": len(entries),
        "open": sum(map(is_open, entries)),
        "kinds": Counter(entry.kind for entry in entries),
        "chapters": [
            {
                "chapter": chapter,
                "title": places.chapter_title(chapter) if places else "",
                "kinds": Counter(entry.kind for entry in entries if chapter_of(entry.clause) == chapter),
            }
            for chapter in chapters
        ],
    }


def overview_of_text(book: Rulebook) -> Sheet:
    """Return which document a rulebook is, and which text of it was read."""
    source = book.source
    rows = [
        ("document", source.document),
        ("regulator", source.regulator),
        ("edition", f"{source.edition}; {source.status}"),
        ("text", text_identity(load_places(book.id, edition=book.edition))),
    ]
    return sheet(("", ""), rows)


def rulebook_of_text(data: bytes) -> Rulebook | None:
    """Return the rulebook that was read from exactly this text."""
    digest = hashlib.sha256(data).hexdigest()
    for name in rulebook_ids():
        places = load_places(name)
        if places is not None and places.text.sha256 == digest:
            return load_rulebook(name)
    return None


def text_identity(places: DocumentPlaces | None) -> str:
    """Return which text a rulebook was read from, in a line."""
    if places is None:
        return "not recorded"
    text = places.text
    pages = f"{counted(text.pages, 'page')}, " if text.pages else ""
    return f"{pages}{text.lines:,} lines, {text.bytes:,} bytes, SHA-256 {text.sha256}"


def clause_place(clause: str, places: DocumentPlaces | None) -> str:
    """Return where a clause is in the text that its rulebook was read from.

    >>> clause_place("2.A", load_places("md-mississippi-stud"))
    'chapter 2, page 3, line 56'
    """
    if places is None:
        return f"chapter {chapter_of(clause)}"
    first, last = places.clause[clause]
    page = f", page {places.page(first)}" if places.page(first) else ""
    lines = f"line {first}" if first == last else f"lines {first}-{last}"
    return f"chapter {chapter_of(clause)}{page}, {lines}"


def clause_record(entry: ClauseEntry, places: DocumentPlaces | None) -> tuple[str | int | None, ...]:
    """Return a clause as a row under `CLAUSE_COLUMNS`."""
    first, last = places.clause[entry.clause] if places else (None, None)
    page = places.page(first) if places and first else None
    where, tests = (" | ".join(names) for names in (entry.where, entry.tests))
    place = (entry.rulebook, entry.clause, chapter_of(entry.clause), page, first, last)
    return *place, entry.kind, entry.summary, where, tests, entry.note
