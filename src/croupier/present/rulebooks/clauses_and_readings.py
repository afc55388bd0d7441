"""Clauses and readings in words: one of them, or a list of all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from croupier.errors import Malformed
from croupier.present.rulebooks.clause_counts import clause_place
from croupier.present.sheets import Sheet, sheet
from croupier.rulebook import (
    ClauseEntry,
    Reading,
    Rulebook,
    cited_places,
    load_places,
    load_readings,
)
from croupier.wire import clip

__all__ = [
    "clause_list",
    "clause_sheet",
    "clauses_named",
    "is_under",
    "reading_choices",
    "reading_list",
    "reading_named",
    "reading_record",
    "reading_sheet",
    "readings_of",
    "searched",
]

_Item = TypeVar("_Item")


def clause_list(entries: Iterable[ClauseEntry]) -> Sheet:
    """Return every clause of a rulebook with what it says."""
    return sheet(("clause", "kind", "says"), [(entry.clause, entry.kind, entry.summary) for entry in entries])


def clauses_named(entries: Sequence[ClauseEntry], name: str, book: Rulebook) -> list[ClauseEntry]:
    """Return the clause of this number, as printed or as typed in a hurry, or all of those under it as a heading."""
    alike = [entry for entry in entries if entry.clause == name] or [
        entry for entry in entries if _steps(entry.clause) == _steps(name)
    ]
    if named := alike if len(alike) == 1 else [entry for entry in entries if is_under(entry.clause, name)]:
        return named
    raise Malformed(f"{clip(repr(name))} is not a clause of {book.id}: croupier clauses {book.id} lists them")


def is_under(clause: str, heading: str) -> bool:
    """Whether a clause's number begins with this one, or is a range with it.

    >>> [is_under("12.D(1)", heading) for heading in ("12", "12d", "12.D", "1", "")], is_under("12.A(1)-(10)", "12a3")
    ([True, True, True, False, False], True)
    """
    typed, steps = _steps(heading), _steps(clause)
    if typed and steps[: len(typed)] == typed:
        return True
    is_range = re.search(r"\(\d+\)-\(\d+\)$", clause) is not None and typed[-1:] and typed[-1].isdigit()
    return bool(is_range) and typed[:-1] == steps[:-2] and int(steps[-2]) <= int(typed[-1]) <= int(steps[-1])


def _steps(number: str) -> list[str]:
    """
    >>> _steps("12.d1"), _steps("12.D(1)"), _steps(".02B(10)"), _steps("11bis(c)")
    (['12', 'd', '1'], ['12', 'd', '1'], ['2', 'b', '10'], ['11bis', 'c'])
    """
    steps = re.findall(r"\d+bis|\d+|[^\W\d_]+", number.casefold())
    return [step.lstrip("0") or step for step in steps]


def searched(items: Iterable[_Item], words: str, text_of: Callable[[_Item], str]) -> list[_Item]:
    """Return the items whose text has these words as typed, or else all of them in any order; $ and , do not count.

    >>> [searched(["Payout limit: $50,000.", "No limit"], words, str) for words in ("50000 payout", "no limit", "cap")]
    [['Payout limit: $50,000.'], ['No limit'], []]
    """
    phrase = _unpunctuated(words)
    texts = [(item, _unpunctuated(text_of(item))) for item in items]
    as_typed = [item for item, text in texts if phrase in text]
    return as_typed or [item for item, text in texts if all(word in text for word in phrase.split())]


def _unpunctuated(text: str) -> str:
    return re.sub(r"[$,]", "", text.casefold())


def clause_sheet(entry: ClauseEntry, book: Rulebook) -> Sheet:
    """Return what a clause says, where it is in the document, where it is carried out and which tests show it."""
    rows = [("says", entry.summary)]
    rows += [("place", clause_place(entry.clause, load_places(book.id, edition=book.edition)))]
    rows += [("note", entry.note)] if entry.note else []
    rows += [("where", place) for place in entry.where]
    rows += [("test", test) for test in entry.tests]
    below = [clause.id for clause in book.clauses if is_under(clause.id, entry.clause) and clause.id != entry.clause]
    rows += [("below it", ", ".join(below))] if below else []
    return sheet(("", ""), rows, title=f"{entry.rulebook} {entry.clause} ({entry.kind})")


def reading_list(readings: Iterable[Reading]) -> Sheet:
    """Return every reading: its number, what it is about and the clauses behind it."""
    rows = [(str(reading.number), reading.title, reading.clauses) for reading in readings]
    return sheet(("reading", "about", "clauses"), rows)


def reading_choices(readings: Iterable[Reading]) -> Sheet:
    """Return every reading with the choice that it makes."""
    rows = [(str(reading.number), reading.title, reading.answer) for reading in readings]
    return sheet(("reading", "about", "read as"), rows)


def readings_of(book: Rulebook | None, words: str) -> list[Reading]:
    """Return the readings that cite a document, or of all documents, and contain these words."""
    cited = [
        reading
        for reading in load_readings()
        if book is None or any(place.rulebook == book.id for place in cited_places(reading))
    ]
    return searched(cited, words, lambda reading: " ".join(map(str, reading_record(reading).values())))


def reading_record(reading: Reading) -> dict[str, str | int]:
    """Return a reading as a row for programs."""
    return {
        "reading": reading.number,
        "about": reading.title,
        "clauses": reading.clauses,
        "open": reading.question,
        "read": reading.answer,
        "why": reading.why,
        "option": reading.option,
    }


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
