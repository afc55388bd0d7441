"""Which text a rulebook was read from, and where each clause is in it: lines and pages, never words.

`places.toml` is beside the law, not part of it: the hash of a rulebook stays what old records cite.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

from croupier.errors import RegulationError
from croupier.rulebook.editions import edition_folder
from croupier.rulebook.law import read_toml, typed
from croupier.rulebook.load import load_rulebook
from croupier.rulebook.passages import Passage, find_passages, lead_ins
from croupier.rulebook.schema import RegulationPart, Rulebook

__all__ = ["PLACES", "Chapter", "DocumentPlaces", "DocumentText", "SourceDocument", "load_places", "open_document"]

PLACES: Final = "places.toml"


class DocumentText(RegulationPart, frozen=True, kw_only=True):
    """The text that a rulebook was read from."""

    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    bytes: int
    lines: int
    pages: int | None = None
    """None for a text without pages."""
    page_begins: tuple[int, ...] = ()
    """The first line of each page."""


class Chapter(RegulationPart, frozen=True, kw_only=True):
    """A chapter with a title in our words."""

    number: str
    title: str
    line: int


class DocumentPlaces(RegulationPart, frozen=True, kw_only=True):
    """places.toml."""

    text: DocumentText
    chapter: tuple[Chapter, ...]
    lead_in: dict[str, tuple[int, int]]
    """The words before a list whose items are clauses: first and last line."""
    clause: dict[str, tuple[int, int]]
    """First and last line of every clause."""

    def page(self, line: int) -> int | None:
        """The page that a line is on, counted from the first of the document."""
        return bisect_right(self.text.page_begins, line) or None

    def chapter_title(self, number: str) -> str:
        """The title of a chapter in our words, if it has one."""
        return next((chapter.title for chapter in self.chapter if chapter.number == number), "")


class SourceDocument(RegulationPart, frozen=True, kw_only=True):
    """A text that somebody has, with the clauses found in it."""

    sha256: str
    is_ours: bool
    """Whether it is the very text that the rulebook was read from."""
    lines: tuple[str, ...]
    clauses: dict[str, Passage]
    lead_ins: dict[str, Passage]

    def words(self, passage: Passage) -> list[str]:
        """The lines of a passage that are not blank."""
        return [line.strip() for line in self.lines[passage.first - 1 : passage.last] if line.strip()]

    def before(self, clause: str) -> list[Passage]:
        """The words that lead into a clause which is an item of a list, the outermost first."""
        return [passage for number, passage in self.lead_ins.items() if clause.startswith(f"{number}(")]


def load_places(name: str, *, edition: str | None = None) -> DocumentPlaces | None:
    """Where the clauses of a rulebook are; None for one that does not say.

    >>> places = load_places("md-mississippi-stud")
    >>> places.clause["2.A"], places.page(56), places.chapter_title("13")
    ((56, 56), 3, 'Irregularities')
    """
    path = edition_folder(name, edition) / PLACES
    if not path.is_file():
        return None
    places = typed(read_toml(path), DocumentPlaces, str(path))
    known = {clause.id for clause in load_rulebook(name, edition=edition).clauses}
    if odd := sorted(places.clause.keys() ^ known):
        raise RegulationError([f"{path}: clause: {odd[0]} is not in both this file and clauses.toml"])
    return places


def open_document(book: Rulebook, data: bytes) -> SourceDocument:
    """A user's copy of a document: by the known lines if it is the same text, else searched by number and heading."""
    places = load_places(book.id, edition=book.edition)
    digest, text = hashlib.sha256(data).hexdigest(), data.decode("utf-8", errors="replace")
    is_ours = places is not None and places.text.sha256 == digest
    known = [clause.id for clause in book.clauses]
    return SourceDocument(
        sha256=digest,
        is_ours=is_ours,
        lines=tuple(text.split("\n")),
        clauses=_passages(places.clause) if places and is_ours else find_passages(text, known),
        lead_ins=_passages(places.lead_in) if places and is_ours else lead_ins(text, known),
    )


def _passages(lines: Mapping[str, tuple[int, int]]) -> dict[str, Passage]:
    return {number: Passage(*both) for number, both in lines.items()}
