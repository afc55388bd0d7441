"""Where clauses are in the text of a document, found by its chapter headings and the numbering of its paragraphs.

Several editions, layouts and copies of a document exist. Nothing here depends on one of them: lines may have bullets,
printed line numbers, and page headers between them.

>>> text = '''Chapter 1 - Tables.
... A. A table shall have:
... (1) A rack; and
... (2) A sign.
... B. Nobody leans on it.
... '''
>>> find_passages(text, ["1.A(1)", "1.A(2)", "1.B"])
{'1.A(1)': Passage(first=3, last=3), '1.A(2)': Passage(first=4, last=4), '1.B': Passage(first=5, last=5)}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

__all__ = ["ClausePath", "Passage", "clause_path", "find_passages", "lead_ins"]

Labels: TypeAlias = tuple[str, ...]

_CLAUSE: Final = re.compile(
    r"\.?(\d+(?:bis)?)\.?([A-Z]?)((?:\([^()]+\))*)(?:-\((\w+)\))?(?: \[printed as \((\w+)\)\])?(.*)"
)
_BEFORE: Final = re.compile(r"^[\s\-*]*(?:\d{1,2}\s+(?=\S))?[\s\-*]*")
"""What may come before a number: bullets, stars, and the printed number of the line."""
_CONTENTS: Final = re.compile(r"(?:\t|\.{3,}).*\d\W*(?:</b>)?$")
_HEADING: Final = re.compile(r"(?:Chapter (\d+)\s*[-–—:.]|\.(\d\d) +[A-Z]|(?:Section )?(\d{1,2})\. +[A-Z])")
_MARK: Final = re.compile(r"(?:\(?([A-Za-z]{1,5}|\d{1,2})\)|([A-Za-z])\.)\s")
_UNDOTTED: Final = re.compile(r"(A) [A-Z]")
_ROMAN: Final = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_OFTEN: Final = 4
"""A line that appears so often is a header or footer of the pages."""


class Passage(NamedTuple):
    """Lines of a text, counted from 1."""

    first: int
    last: int


class ClausePath(NamedTuple):
    """A clause's number taken apart.

    >>> clause_path("12.C(3)(b)").labels, clause_path(".05E(1)-(2)").through
    (('12', 'C', '3', 'b'), '2')
    >>> clause_path("6(f) Table 1: 3CS-01")
    ClausePath(labels=('6', 'f'), through=None, printed=None, name='Table 1: 3CS-01')
    """

    labels: Labels
    through: str | None = None
    """The last label of a clause that is a range."""
    printed: str | None = None
    """The last label as the document prints it, where it misprints."""
    name: str = ""
    """What comes after the number, such as the name of a table."""

    @property
    def chapter(self) -> str:
        """The chapter, such as `12`."""
        return self.labels[0]


def clause_path(clause: str) -> ClausePath:
    """The labels of a clause's number, the chapter first; a clause without one has only its name."""
    match = _CLAUSE.fullmatch(clause)
    if match is None:
        return ClausePath((clause,))
    chapter, letter, rest, through, printed, name = match.groups()
    labels = (chapter, *([letter] if letter else []), *re.findall(r"\(([^()]+)\)", rest))
    return ClausePath(labels, through, printed, name.strip())


def find_passages(text: str, clauses: Sequence[str]) -> dict[str, Passage]:
    """The passage of every clause that can be found. A clause ends where the next one, listed or not, begins."""
    outline = _outlined(text, clauses)
    found = {clause: outline.passage(clause_path(clause)) for clause in clauses}
    return {clause: passage for clause, passage in found.items() if passage is not None}


def lead_ins(text: str, clauses: Sequence[str]) -> dict[str, Passage]:
    r"""The words before a list, by number, where the clauses are the items of the list alone.

    >>> lead_ins("Chapter 1 - Tables.\nA. A table shall have:\n(1) A rack.\n", ["1.A(1)"])
    {'1.A': Passage(first=2, last=2)}
    """
    outline, paths = _outlined(text, clauses), [clause_path(clause) for clause in clauses]
    listed = {path.labels for path in paths}
    above = {path.labels[:depth]: None for path in paths for depth in range(2, len(path.labels))}
    numbers = {_number(clauses, labels): outline.opening(labels) for labels in above if labels not in listed}
    return {number: passage for number, passage in numbers.items() if passage is not None}


def _number(clauses: Sequence[str], labels: Labels) -> str:
    """Labels as the clauses of this document are numbered."""
    clause = next(clause for clause in clauses if clause_path(clause).labels[: len(labels)] == labels)
    first = re.match(r"\.?\d+(?:bis)?\.?[A-Z]?", clause)
    head = first.group() if first else ""
    below = labels[2:] if head[-1:].isupper() else labels[1:]
    return head + "".join(f"({label})" for label in below)


class _Outline:
    """The numbered paragraphs of a text: the line on which each begins."""

    def __init__(self, lines: Sequence[str], starts: dict[Labels, int], listed: Sequence[ClausePath]) -> None:
        self.lines = lines
        self.starts = starts
        self.listed = {path.labels for path in listed}
        self.named: dict[Labels, list[int]] = {path.labels: [] for path in listed if path.name}
        often = Counter(_bare(line) for line in lines)
        self.idle = {text for text, times in often.items() if times >= _OFTEN and not _MARK.match(text + " ")}
        for path in listed:
            if path.name and (line := self.named_line(path)):
                self.named[path.labels].append(line)

    def passage(self, path: ClausePath) -> Passage | None:
        if path.labels not in self.starts:
            return self.term(path)
        first, stops = self.starts[path.labels], self.named.get(path.labels, [])
        last_labels = (*path.labels[:-1], path.through) if path.through else path.labels
        end = self.end(last_labels if last_labels in self.starts else path.labels)
        if path.name:
            end = self.end(path.labels, whole=True)
            first = self.named_line(path) or first
        later = [line for lines in self.named.values() for line in lines if first < line <= end]
        return self.trimmed(first, min([end, *(line - 1 for line in (*stops, *later) if line > first)]))

    def opening(self, labels: Labels) -> Passage | None:
        """A paragraph up to the first one below it."""
        if labels not in self.starts:
            return None
        first = self.starts[labels]
        return self.trimmed(first, min((line for line in self.starts.values() if line > first), default=first + 1) - 1)

    def end(self, labels: Labels, *, whole: bool = False) -> int:
        """The last line of a paragraph, with whatever it contains that is not listed for itself."""
        first = self.starts[labels]
        following = (
            line
            for other, line in self.starts.items()
            if line > first and (other[: len(labels)] != labels or (other in self.listed and not whole))
        )
        return min(following, default=len(self.lines) + 1) - 1

    def named_line(self, path: ClausePath) -> int | None:
        """The line of a table with a name, below the paragraph that it belongs to."""
        if path.labels not in self.starts:
            return None
        name = path.name.partition(":")[0]
        for line in range(self.starts[path.labels] + 1, self.end(path.labels, whole=True) + 1):
            if name in self.lines[line - 1]:
                return line
        return None

    def term(self, path: ClausePath) -> Passage | None:
        """A paragraph of a chapter without numbers: a defined term, or the words before the first."""
        chapter, name = self.starts.get(path.labels[:1]), path.labels[-1]
        if chapter is None or len(path.labels) != 2:
            return None
        paragraphs = [
            line
            for line in range(chapter + 1, self.end(path.labels[:1], whole=True) + 1)
            if _bare(self.lines[line - 1]) and not _bare(self.lines[line - 2])
        ]
        for place, line in enumerate(paragraphs):
            if name == "intro" or _bare(self.lines[line - 1]).startswith(f"{name}--"):
                following = paragraphs[place + 1] if place + 1 < len(paragraphs) else self.end(path.labels[:1]) + 1
                return self.trimmed(line, following - 1)
        return None

    def trimmed(self, first: int, last: int) -> Passage:
        """Without blank lines, and without headers and footers of pages, at the end."""
        while last > first and (not (bare := _bare(self.lines[last - 1])) or bare in self.idle):
            last -= 1
        return Passage(first, last)


def _outlined(text: str, clauses: Sequence[str]) -> _Outline:
    lines, listed = text.split("\n"), [clause_path(clause) for clause in clauses]
    return _Outline(lines, dict(_starts(lines, listed)), listed)


def _starts(lines: Sequence[str], listed: Sequence[ClausePath]) -> Iterator[tuple[Labels, int]]:
    """Every numbered paragraph and its line."""
    known = {path.labels[:depth] for path in listed for depth in range(1, len(path.labels) + 1)}
    misprints = {(*path.labels[:-1], path.printed): path.labels[-1] for path in listed if path.printed}
    chapters = list(dict.fromkeys(path.chapter for path in listed))
    current: list[str] = []
    for number, line in enumerate(lines, 1):
        bare = _bare(line)
        if not _CONTENTS.search(line) and (chapter := _chapter(bare, chapters)):
            del chapters[: chapters.index(chapter) + 1]
            current = [chapter]
            yield tuple(current), number
        elif current and (mark := _MARK.match(f"{bare} ") or (_UNDOTTED.match(bare) if len(current) == 1 else None)):
            label = next(part for part in mark.groups() if part)
            taken = _placed(current, label, known) or _misprinted(current, label, misprints)
            if taken:
                current = taken
                yield tuple(current), number


def _chapter(bare: str, left: Sequence[str]) -> str | None:
    """The chapter that a line is the heading of, if it is one that is still to come; a second 11 is 11bis."""
    match = _HEADING.match(bare)
    if match is None:
        return None
    number = next(part for part in match.groups() if part)
    return next((chapter for chapter in (number, f"{number}bis") if chapter in left), None)


def _placed(current: Sequence[str], label: str, known: set[Labels]) -> list[str] | None:
    """The labels of a paragraph, given those of the one before: next in an open list, or the first of a new one."""
    places = [
        [*current[:depth], label] for depth in range(len(current) - 1, 0, -1) if _follows(current[depth], label) == 1
    ]
    places += [[*current, label]] if label in {"A", "1", "a", "i"} else []
    skipping = [
        [*current[:depth], label] for depth in range(len(current) - 1, 0, -1) if _follows(current[depth], label) > 1
    ]
    certain = [place for place in (*places, *skipping) if tuple(place) in known]
    return next(iter((*certain, *places)), None)


def _misprinted(current: Sequence[str], label: str, misprints: dict[Labels, str]) -> list[str] | None:
    for depth in range(len(current) - 1, 0, -1):
        if right := misprints.get((*current[:depth], label)):
            return [*current[:depth], right]
    return None


def _follows(before: str, label: str) -> int:
    """How many steps after another label this one comes in a list; 0 if they are of two kinds.

    >>> _follows("h", "i"), _follows("i", "ii"), _follows("3", "5"), _follows("b", "1")
    (1, 1, 2, 0)
    """
    if before.isdigit() and label.isdigit():
        return int(label) - int(before)
    if before in _ROMAN and label in _ROMAN and (len(label) > 1 or len(before) > 1 or label == "v"):
        return _ROMAN.index(label) - _ROMAN.index(before)
    if len(before) == len(label) == 1 and before.isalpha() and label.isalpha() and before.isupper() == label.isupper():
        return ord(label) - ord(before)
    return 0


def _bare(line: str) -> str:
    """A line without bullets, stars and its printed number.

    >>> _bare("- 12 **(1) A rack;** "), _bare("- 25")
    ('(1) A rack;', '')
    """
    return _BEFORE.sub("", line, count=1).strip(" *\r") if line.strip(" -*\t\r0123456789") else ""
