"""How large the type of a paper may be that has to fit on one page.

No typesetter is asked: the height of every block is estimated from its letters, a little on the tall side, and the
largest type whose estimate fits is taken. The same blocks get the same type.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from croupier.documents.paper import (
    Block,
    Boxed,
    Facts,
    Grid,
    Heading,
    Items,
    PageSize,
    Paragraph,
    SideBySide,
    Together,
    Words,
    plain,
)

__all__ = ["balanced", "one_page"]

POINTS: Final = 72
LETTER_WIDTH: Final = 0.41
"""The mean width of a letter, and below heights of lines and spaces, all in sizes of the type."""
LINE, GAP, HEADING, TITLE, GUTTER, INSET = 1.23, 0.85, 2.5, 5.2, 1.8, 1.8
CELL_LINE, CELL_GAP, CELL_INSET = 1.07, 0.76, 1.0
STEP: Final = 0.1


def one_page(blocks: Sequence[Block], sheet: PageSize, *, smallest: float) -> PageSize:
    """The sheet with the largest type, up to its own, at which these blocks fit on one page below a title.

    >>> few = one_page([Heading("A round", 2)], PageSize(8.5, 11.0, 0.5, 10.0), smallest=6.0)
    >>> few.type
    10.0
    """
    width, height = ((side - 2 * sheet.margin) * POINTS for side in (sheet.width, sheet.height))
    size = sheet.type
    while size - STEP >= smallest and (TITLE + _all(blocks, width / size)) * size > height:
        size = round(size - STEP, 2)
    return PageSize(sheet.width, sheet.height, sheet.margin, size, sheet.name)


def balanced(parts: Sequence[Sequence[Block]], sheet: PageSize) -> SideBySide:
    """Parts in two columns, in their order, broken where the taller column is the shortest."""
    width = ((sheet.width - 2 * sheet.margin) * POINTS / sheet.type - GUTTER) / 2
    heights = [_all(part, width) for part in parts]
    at = min(range(1, len(parts)), key=lambda place: max(sum(heights[:place]), sum(heights[place:])))
    left, right = ([block for part in column for block in part] for column in (parts[:at], parts[at:]))
    return SideBySide((tuple(left), tuple(right)))


def _all(blocks: Sequence[Block], width: float) -> float:
    return sum(_height(block, width) for block in blocks)


def _height(block: Block, width: float) -> float:
    match block:
        case Heading():
            return HEADING
        case Paragraph(said, style):
            return _lines(said, width, 0.84 if style == "note" else 1.0) * LINE + GAP
        case Items(items):
            return sum(_lines(item, width - 2) * LINE for item in items) + GAP
        case Facts(facts):
            return sum(_lines(said, 0.7 * width) * LINE for _, said in facts) + GAP
        case Grid():
            return _table(block, width)
        case Boxed(inner, title):
            return _all(inner, width - INSET) + INSET + (HEADING if title else 0)
        case Together(inner):
            return _all(inner, width)
        case SideBySide(columns, widths):
            parts = widths or (1,) * len(columns)
            room = width - GUTTER * (len(columns) - 1)
            return max(_all(column, room * part / sum(parts)) for column, part in zip(columns, parts, strict=True))
    raise ValueError("a paper of one page has words alone")


def _table(table: Grid, width: float) -> float:
    parts = table.widths or (1,) * len(table.align)
    rooms = [width * part / sum(parts) - CELL_INSET for part in parts]
    rows = sum(
        max(_lines(cell, room, 0.95) for cell, room in zip(row, rooms, strict=True)) * CELL_LINE + CELL_GAP
        for row in table.rows
    )
    caption = LINE + 0.6 if table.caption else 0
    note = _lines(table.note, width, 0.84) * CELL_LINE * 0.84 + 0.5 if table.note else 0
    return rows + CELL_LINE + CELL_GAP + caption + note + GAP


def _lines(said: Words, width: float, size: float = 1.0) -> int:
    """How many lines these words need: the last word of a line rarely fits exactly."""
    letters = len(plain(said)) * LETTER_WIDTH * size
    return max(1, ceil(letters / max(width - 1.2, 1)))
