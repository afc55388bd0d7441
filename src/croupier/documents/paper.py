"""What a paper says, apart from how it is printed: blocks of words, tables and pictures that every writer can read.

A paper is made from house rules by one function for each kind; `typst_writer` turns it into PDF and `html_writer` into
a page. Neither knows what a wager is, and no paper knows a typeface.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

__all__ = [
    "LETTER",
    "Align",
    "Block",
    "Boxed",
    "Cell",
    "Cite",
    "Facts",
    "Grid",
    "Heading",
    "Inline",
    "Items",
    "Mono",
    "OwnPage",
    "PageBreak",
    "PageSize",
    "Paper",
    "Paragraph",
    "Picture",
    "SideBySide",
    "Strong",
    "Together",
    "Words",
    "plain",
    "unbroken",
    "words",
]

Align: TypeAlias = Literal["left", "center", "right"]


class Strong(Struct, frozen=True):
    """Words that stand out."""

    text: str


class Mono(Struct, frozen=True):
    """A hash, an address or something typed: may be broken anywhere, is never hyphenated."""

    text: str


class Cite(Struct, frozen=True):
    """A clause of the document, and the reading that decided where the document is open."""

    clause: str
    reading: int | None = None


Inline: TypeAlias = str | Strong | Mono | Cite
Words: TypeAlias = tuple[Inline, ...]
Cell: TypeAlias = Words


class Heading(Struct, frozen=True):
    """A heading; level 1 is a part of the paper, and is listed in its contents."""

    text: str
    level: int = 1


class Paragraph(Struct, frozen=True):
    """A paragraph of words. `lead` is larger, `note` is smaller and quieter."""

    words: Words
    style: Literal["body", "lead", "note"] = "body"


class Items(Struct, frozen=True):
    """A list; steps in order are numbered."""

    items: tuple[Words, ...]
    numbered: bool = False


class Facts(Struct, frozen=True):
    """Names and values in two columns."""

    facts: tuple[tuple[str, Words], ...]


class Grid(Struct, frozen=True):
    """A table whose head is repeated on every page; a row is never broken between pages."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    align: tuple[Align, ...]
    """One for each column."""
    caption: str = ""
    widths: tuple[int, ...] = ()
    """Parts of the whole width; without them columns are as wide as what they hold."""
    note: Words = ()
    tall: bool = False
    """Whether its rows leave room to write in."""


class Picture(Struct, frozen=True):
    """A drawing, as SVG; `alt` says what it shows."""

    svg: str
    alt: str
    width: float = 1.0
    """Of the width that there is."""
    caption: str = ""


class PageBreak(Struct, frozen=True):
    """What follows begins on a new page."""


class Boxed(Struct, frozen=True):
    """Blocks that belong together in a frame, and are not broken between pages."""

    blocks: tuple[Block, ...]
    title: str = ""


class SideBySide(Struct, frozen=True):
    """Columns of blocks beside each other; they stand below each other where there is no room."""

    columns: tuple[tuple[Block, ...], ...]
    widths: tuple[int, ...] = ()
    """Parts of the whole width; without them all columns are alike."""


class Together(Struct, frozen=True):
    """Blocks that stay on one page as long as they fit on one."""

    blocks: tuple[Block, ...]


class OwnPage(Struct, frozen=True):
    """A page of its own at its real size, set by a style sheet of its own, with a heading in its margin.

    Where nothing is typeset, as in a browser, the blocks say the same.
    """

    heading: str
    style: str
    """The style sheet, whose function `posted` sets the data."""
    data: Mapping[str, object]
    blocks: tuple[Block, ...]


Block: TypeAlias = (
    Heading | Paragraph | Items | Facts | Grid | Picture | PageBreak | Boxed | SideBySide | Together | OwnPage
)


class PageSize(Struct, frozen=True):
    """The size of a page, its margins and its type, in inches and points."""

    width: float
    height: float
    margin: float
    type: float
    """The size of body type in points."""
    name: str = ""


LETTER = PageSize(8.5, 11.0, 0.9, 10.0, "letter")


class Paper(Struct, frozen=True):
    """A paper as it is printed: the same value is the same bytes."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    sheet: PageSize = LETTER
    foot: str = ""
    """Small at the foot of every page, beside the page number: hashes, version, date."""
    contents: bool = False
    """Whether the headings of level 1 and 2 are listed after the title, with their pages."""
    cover: bool = False
    """Whether the title has a page of its own."""
    front: tuple[Block, ...] = ()
    """What stands below the title, before the contents; on the title's page where it has one."""
    language: str = "en-US"


def words(*parts: Inline) -> Words:
    """Words with what stands out among them.

    >>> words("pays ", Strong("3 to 1"))
    ('pays ', Strong(text='3 to 1'))
    """
    return parts


def plain(said: Words) -> str:
    """Words without their dress.

    >>> plain(words("pays ", Strong("3 to 1"), " ", Cite("12.B", 16)))
    'pays 3 to 1 12.B (reading 16)'
    """
    return "".join(_plain(part) for part in said)


def _plain(part: Inline) -> str:
    match part:
        case str():
            return part
        case Cite(clause, None):
            return clause
        case Cite(clause, reading):
            return f"{clause} (reading {reading})"
        case Strong(text) | Mono(text):
            return text


_ODDS: Final = re.compile(r"(?<=\d) (to|for) (?=\d)")
_PAYTABLE: Final = re.compile(r"\b(paytable) (?=[A-Z]\b)")
_HARD: Final = "\N{NO-BREAK SPACE}"


def unbroken(text: str) -> str:
    r"""Words whose odds stay on one line: no reader should find `1 to` at the end of one and `1` on the next.

    >>> unbroken("pays 3 to 1 by paytable A, from $5 to $10")
    'pays 3\xa0to\xa01 by paytable\xa0A, from $5 to $10'
    """
    return _PAYTABLE.sub(rf"\1{_HARD}", _ODDS.sub(rf"{_HARD}\1{_HARD}", text))
