"""Clauses and readings in words: one of them, or a list of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.errors import Malformed
from croupier.present.rulebooks.clause_counts import clause_place
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import ClauseEntry, Reading, Rulebook, load_places

__all__ = ["clause_list", "clause_named", "clause_sheet", "reading_list", "reading_named", "reading_sheet"]


def clause_list(entries: Iterable[ClauseEntry]) -> Sheet:
    """Return every clause of a rulebook with what it says."""
    return sheet(("clause", "kind", "says"), [(entry.clause, entry.kind, entry.summary) for entry in entries])


def clause_named(entries: Sequence[ClauseEntry], name: str, book: Rulebook) -> ClauseEntry:
    """Return the clause of this number; `Malformed` suggests the ones that begin like it."""
    entry = next((entry for entry in entries if entry.clause == name), None)
    if entry is not None:
        return entry
    near = [clause.id for clause in book.clauses if clause.id.startswith(name)][:8]
    hint = f"; did you mean {', '.join(near)}?" if near else "; croupier clauses lists them"
    raise Malformed(f"{name!r} is not a clause of {book.id}{hint}")


def clause_sheet(entry: ClauseEntry, book: Rulebook) -> Sheet:
    """Return what a clause says, where it is in the document, where it is carried out and which tests show it."""
    rows = [("says", entry.summary)]
    rows += [("place", clause_place(entry.clause, load_places(book.id, edition=book.edition)))]
    rows += [("note", entry.note)] if entry.note else []
    rows += [("where", place) for place in entry.where]
    rows += [("test", test) for test in entry.tests]
    return sheet(("", ""), rows, title=f"{entry.rulebook} {entry.clause} ({entry.kind})")


def reading_list(readings: Iterable[Reading]) -> Sheet:
    """Return every reading: its number, what it is about and the clauses behind it."""
    rows = [(str(reading.number), reading.title, reading.clauses) for reading in readings]
    return sheet(("reading", "about", "clauses"), rows)


def reading_named(readings: Sequence[Reading], number: str) -> Reading:
    """Return the reading of this number."""
    reading = next((reading for reading in readings if str(reading.number) == number), None)
    if reading is None:
        raise Malformed(f"{number!r} is not a reading: use a number from 1 to {len(readings)}")
    return reading


def reading_sheet(reading: Reading) -> Sheet:
    """Return a reading: what the document leaves open, how it is read, why, and the option it gives."""
    texts = (
        ("clauses", reading.clauses),
        ("open", reading.question),
        ("read", reading.answer),
        ("why", reading.why),
        ("option", reading.option),
    )
    return sheet(("", ""), [row for row in texts if row[1]], title=f"Reading {reading.number}. {reading.title}")
