"""The rules, clause by clause: what each says in our words, where it is carried out, which tests show it; readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, groupby
from typing import Annotated, Final, get_args

from litestar import get
from litestar.params import Parameter
from msgspec import Struct

from croupier.present import rulebooks
from croupier.rulebook import (
    CitedPlace,
    ClauseEntry,
    Difference,
    DocumentPlaces,
    Reading,
    Rulebook,
    chapter_of,
    cited_places,
    clause_entries,
    clauses_under,
    diff_rulebooks,
    load_places,
    load_readings,
    load_rulebook,
    readings_about,
    rulebook_ids,
)
from croupier.rulebook.names import ClauseKind
from croupier.rulebook.schema import DocumentSource
from croupier.server import Caller, NotFound
from croupier.web.rendering import Page, clause_path, page, redirect
from croupier.web.shell import NavItem

__all__ = ["NAV", "ROUTES"]

Text = Annotated[str, Parameter(max_length=80)]
Name = Annotated[str, Parameter(max_length=80)]
_AROUND: Final = 3
"""Neighbors of a clause, before it and after it."""
_MOST: Final = 400
"""Clauses in one answer to a search."""


class ClauseRow(Struct, frozen=True, kw_only=True):
    """A clause in a list."""

    entry: ClauseEntry
    readings: tuple[int, ...]


class ClauseChapter(Struct, frozen=True, kw_only=True):
    """The clauses of a chapter."""

    number: str
    title: str
    """In our words; nothing where the rulebook does not say where its clauses are."""
    rows: tuple[ClauseRow, ...]


class ClauseBook(Struct, frozen=True, kw_only=True):
    """A rulebook, and as many of its clauses as are shown."""

    book: Rulebook
    chapters: tuple[ClauseChapter, ...]
    number: int


class RulebookCount(Struct, frozen=True, kw_only=True):
    """A rulebook in figures."""

    book: Rulebook
    clauses: int
    kinds: tuple[tuple[ClauseKind, int], ...]
    tests: int
    readings: int


@get("/clauses")
async def see_clauses(caller: Caller, book: Text = "", kind: Text = "", search: Text = "") -> Page:
    """Every clause that is searched for; at first the documents."""
    chosen = book if book in rulebook_ids() else ""
    of_kind = kind if kind in get_args(ClauseKind) else ""
    words = search.strip()
    asked = bool(chosen or of_kind or words)
    rows = [row for row in _rows() if _is_wanted(row.entry, chosen, of_kind, words)] if asked else []
    return page(
        "clauses",
        caller,
        counts=_counts(),
        books=_in_books(rows[:_MOST]),
        found=len(rows),
        most=_MOST,
        asked=asked,
        chosen=chosen,
        kind=of_kind,
        kinds=rulebooks.CLAUSE_KINDS,
        search=words,
    )


@get("/clauses/{book:str}")
async def see_rulebook(book: Name) -> Page:
    """The clauses of one rulebook."""
    return redirect(f"/clauses?book={_book(book).id}")


@get("/clauses/{book:str}/{number:str}")
async def see_clause(caller: Caller, book: Name, number: Name) -> Page:
    """One clause; a number that stands for several leads to all of them."""
    found = _book(book)
    rows = [row for row in _rows() if row.entry.rulebook == found.id]
    ids = [row.entry.clause for row in rows]
    if number not in ids:
        meant = clauses_under(ids, number)
        if len(meant) == 1:
            return redirect(clause_path(meant[0], found.id))
        if not meant:
            raise NotFound(f"{found.source.title}, {found.source.jurisdiction}, has no clause of this number")
        several = [row for row in rows if row.entry.clause in meant]
        return page("clause_group", caller, source=found.source, number=number, books=_in_books(several), kinds=_KINDS)
    at = ids.index(number)
    entry = rows[at].entry
    lines = _places(found.id)
    below = [row for row in rows if row.entry.clause in clauses_under(ids, number)[1:]]
    return page(
        "clause",
        caller,
        source=found.source,
        entry=entry,
        chapter=chapter_of(entry.clause),
        chapter_title=lines.chapter_title(chapter_of(entry.clause)) if lines else "",
        place=rulebooks.clause_place(entry.clause, lines),
        kind=_KINDS[entry.kind],
        places=[rulebooks.carried_out(place) for place in entry.where],
        tests=[rulebooks.shown_by(test) for test in entry.tests],
        readings=readings_about(found.id, number),
        around=rows[max(0, at - _AROUND) : at + _AROUND + 1],
        before=rows[at - 1].entry if at else None,
        after=rows[at + 1].entry if at + 1 < len(rows) else None,
        below=below,
        kinds=_KINDS,
    )


@get("/readings")
async def see_readings(caller: Caller, search: Text = "", book: Text = "") -> Page:
    """Every point that the documents leave open, and how we read it."""
    words, chosen = search.strip().casefold(), book if book in rulebook_ids() else ""
    readings = [reading for reading in load_readings() if _is_about(reading, words, chosen)]
    return page(
        "readings",
        caller,
        readings=[(reading, _where(reading)) for reading in readings],
        every_document=len(rulebook_ids()),
        every=len(load_readings()),
        search=search.strip(),
        chosen=chosen,
        sources=[load_rulebook(name).source for name in rulebook_ids()],
    )


@get("/readings/{number:int}")
async def see_reading(caller: Caller, number: int) -> Page:
    """One reading."""
    readings = {reading.number: reading for reading in load_readings()}
    if number not in readings:
        raise NotFound("no reading has this number")
    reading = readings[number]
    return page(
        "reading",
        caller,
        reading=reading,
        places=[(load_rulebook(name).source, list(cited)) for name, cited in _by_book(reading)],
        options=_options(number),
        before=readings.get(number - 1),
        after=readings.get(number + 1),
    )


@get("/differences")
async def see_differences(caller: Caller, first: Text = "", second: Text = "", part: Text = "") -> Page:
    """Two documents side by side, value by value."""
    ids = rulebook_ids()
    if first not in ids or second not in ids:
        first, second = _alike()
    differences = _differences(first, second)
    parts = Counter(row.part for row in differences)
    chosen = part if part in parts else ""
    return page(
        "differences",
        caller,
        sources=[load_rulebook(name).source for name in ids],
        first=load_rulebook(first).source,
        second=load_rulebook(second).source,
        parts=parts,
        chosen=chosen,
        groups=[
            (name, [(rulebooks.difference_words(row), row) for row in rows])
            for name, rows in groupby(differences, key=lambda row: row.part)
            if chosen in ("", name)
        ],
        number=len(differences),
    )


# --- clauses


_KINDS: Final = rulebooks.CLAUSE_KINDS


def _book(name: str) -> Rulebook:
    if name not in rulebook_ids():
        raise NotFound("there is no such rulebook")
    return load_rulebook(name)


@cache
def _rows() -> tuple[ClauseRow, ...]:
    return tuple(
        ClauseRow(
            entry=entry,
            readings=tuple(reading.number for reading in readings_about(entry.rulebook, entry.clause)),
        )
        for entry in clause_entries()
    )


def _is_wanted(entry: ClauseEntry, book: str, kind: str, words: str) -> bool:
    if (book and entry.rulebook != book) or (kind and entry.kind != kind):
        return False
    text = f"{entry.clause} {entry.summary}".casefold()
    return all(word in text for word in words.casefold().split())


def _in_books(rows: Iterable[ClauseRow]) -> list[ClauseBook]:
    books = []
    for name, inside in groupby(rows, key=lambda row: row.entry.rulebook):
        listed, places = list(inside), _places(name)
        chapters = tuple(
            ClauseChapter(number=number, title=places.chapter_title(number) if places else "", rows=tuple(part))
            for number, part in groupby(listed, key=lambda row: chapter_of(row.entry.clause))
        )
        books.append(ClauseBook(book=load_rulebook(name), chapters=chapters, number=len(listed)))
    return books


@cache
def _places(name: str) -> DocumentPlaces | None:
    return load_places(name)


@cache
def _counts() -> tuple[RulebookCount, ...]:
    counts = []
    for name in rulebook_ids():
        rows = [row for row in _rows() if row.entry.rulebook == name]
        kinds = Counter(row.entry.kind for row in rows)
        counts.append(
            RulebookCount(
                book=load_rulebook(name),
                clauses=len(rows),
                kinds=tuple((kind, kinds[kind]) for kind in get_args(ClauseKind)),
                tests=len({test for row in rows for test in row.entry.tests}),
                readings=len({number for row in rows for number in row.readings}),
            )
        )
    return tuple(counts)


# --- readings and differences


def _is_about(reading: Reading, words: str, book: str) -> bool:
    if book and book not in {place.rulebook for place in cited_places(reading)}:
        return False
    texts = (reading.title, reading.question, reading.answer, reading.why, reading.option, reading.clauses)
    text = " ".join((str(reading.number), *texts)).casefold()
    return all(word in text for word in words.split())


def _where(reading: Reading) -> list[tuple[DocumentSource, list[str]]]:
    """The clauses of a reading, by document; none where it is about the whole of it."""
    by_book = [(load_rulebook(name).source, places) for name, places in _by_book(reading)]
    return [(source, [place.text for place in places if place.text]) for source, places in by_book]


def _by_book(reading: Reading) -> list[tuple[str, Sequence[CitedPlace]]]:
    return [(name, list(places)) for name, places in groupby(cited_places(reading), key=lambda place: place.rulebook)]


def _options(number: int) -> list[tuple[str, str, list[DocumentSource]]]:
    """The options of a submission that a reading gives: the name, what it decides, and where it is."""
    found: dict[str, tuple[str, list[DocumentSource]]] = {}
    for name in rulebook_ids():
        book = load_rulebook(name)
        for option in book.options:
            if option.rule.reading == number:
                found.setdefault(option.rule.name, (option.rule.about, []))[1].append(book.source)
    return [(name, about, where) for name, (about, where) in found.items()]


def _alike() -> tuple[str, str]:
    """Two rulebooks of one game, if there are any."""
    ids = rulebook_ids()
    games = {name: load_rulebook(name).source.game for name in ids}
    pairs = [pair for pair in combinations(ids, 2) if games[pair[0]] == games[pair[1]]]
    return pairs[0] if pairs else (ids[0], ids[-1])


@cache
def _differences(first: str, second: str) -> tuple[Difference, ...]:
    return tuple(diff_rulebooks(load_rulebook(first), load_rulebook(second)))


NAV: Final = [NavItem("Rules", "/clauses", place=70, also=("/readings", "/differences"))]
ROUTES: Final = [see_clauses, see_rulebook, see_clause, see_readings, see_reading, see_differences]
