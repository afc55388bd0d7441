"""A user's copy of a document beside our summaries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.text import Text

from croupier.cli.shown.console import console, print_json, print_sheet, read_data
from croupier.errors import Malformed
from croupier.present import rulebooks, sheet
from croupier.rulebook import (
    ClauseEntry,
    DocumentPlaces,
    Passage,
    Rulebook,
    SourceDocument,
    chapter_of,
    load_places,
    open_document,
)

__all__ = ["print_beside", "read_document"]

_UNPRINTABLE: Final = re.compile(r"[^\t\x20-\x7e\xa0-\U0010ffff]")


def read_document(file: Path) -> bytes:
    """The bytes of a document's text."""
    data = read_data(file)
    if data.startswith(b"%PDF"):
        raise Malformed(f"{file}: this is a PDF; make a text of it first, such as with pdftotext -layout")
    if b"\0" in data:
        raise Malformed(f"{file}: this is not text")
    return data


def print_beside(
    file: Path, data: bytes, book: Rulebook, entries: Sequence[ClauseEntry] | None, *, as_json: bool
) -> int:
    """Print what a document says beside what we say; without entries only which text it is."""
    opened, places = open_document(book, data), load_places(book.id, edition=book.edition)
    missing = [clause.id for clause in book.clauses if clause.id not in opened.clauses]
    if as_json:
        shown = [] if entries is None else [_record(entry, opened, places) for entry in entries]
        print_json({**_verdict(file, book, opened, places), "not_found": missing, "clauses": shown})
    else:
        _print_verdict(file, book, opened, places, missing)
        for entry in entries or ():
            _print_passage(entry, opened, places)
        if entries is not None and not entries:
            print("no clause matches")
    absent = [entry for entry in entries or () if entry.clause not in opened.clauses]
    return 0 if opened.is_ours and not absent else 1


def _verdict(file: Path, book: Rulebook, opened: SourceDocument, places: DocumentPlaces | None) -> dict[str, object]:
    return {
        "file": str(file),
        "rulebook": book.id,
        "edition": book.edition,
        "document": book.source.document,
        "sha256": opened.sha256,
        "expected_sha256": places.text.sha256 if places else None,
        "same_text": opened.is_ours,
    }


def _print_verdict(
    file: Path, book: Rulebook, opened: SourceDocument, places: DocumentPlaces | None, missing: Sequence[str]
) -> None:
    out, found = console(), len(book.clauses) - len(missing)
    name = f"{book.source.document} ({book.source.edition}), {book.source.regulator}"
    if opened.is_ours:
        out.print(Text(f"{file} is the text that {book.id} was read from: {name}."))
        out.print(Text(f"SHA-256 {opened.sha256}"), soft_wrap=True)
    else:
        ours = places.text.sha256 if places else "not recorded"
        out.print(Text(f"{file} is ANOTHER TEXT than the one that {book.id} was read from: {name}."))
        out.print(Text(f"its SHA-256 {opened.sha256}\nours        {ours}"), soft_wrap=True)
        out.print("Clauses are searched by number and heading; compare with care.")
    out.print(f"{found} of {len(book.clauses)} clauses found in it")
    if missing:
        out.print(Text(f"not found: {', '.join(missing[:12])}{' …' if len(missing) > 12 else ''}"))


def _print_passage(entry: ClauseEntry, opened: SourceDocument, places: DocumentPlaces | None) -> None:
    out, passage = console(), opened.clauses.get(entry.clause)
    out.print()
    where = rulebooks.clause_place(entry.clause, places) if opened.is_ours else _found_at(entry.clause, passage)
    out.print(Text.assemble((entry.clause, "bold"), f", {where} ({entry.kind})"))
    words = [line for before in opened.before(entry.clause) for line in opened.words(before)]
    words += opened.words(passage) if passage else ["not found in this file"]
    rows = [("we say", entry.summary), *(("" if place else "document", line) for place, line in enumerate(words))]
    print_sheet(sheet(("", ""), [(head, _UNPRINTABLE.sub("?", line.expandtabs())) for head, line in rows]))


def _found_at(clause: str, passage: Passage | None) -> str:
    lines = f", lines {passage.first}-{passage.last}" if passage else ""
    return f"chapter {chapter_of(clause)}{lines}"


def _record(entry: ClauseEntry, opened: SourceDocument, places: DocumentPlaces | None) -> dict[str, object]:
    passage = opened.clauses.get(entry.clause)
    return {
        "clause": entry.clause,
        "kind": entry.kind,
        "summary": entry.summary,
        "lines": passage,
        "page": places.page(passage.first) if places and passage and opened.is_ours else None,
        "lead_in": [opened.words(before) for before in opened.before(entry.clause)],
        "passage": opened.words(passage) if passage else None,
    }
