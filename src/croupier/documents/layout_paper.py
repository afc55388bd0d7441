"""The layout of a table as a paper: the drawing true to scale, and the check list of its clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol

from croupier.documents.paper import LETTER, Cite, Heading, Paper, Paragraph, Plate, Strong, Table, words
from croupier.documents.particulars import Particulars
from croupier.errors import Malformed
from croupier.rulebook import HouseRules

__all__ = ["LayoutLine", "drawn_inches", "layout_paper"]

PER_INCH: Final = {"in": 1.0, "mm": 25.4, "cm": 2.54, "pt": 72.0, "px": 96.0, "": 96.0}


class LayoutLine(Protocol):
    """A line of the check list."""

    @property
    def clause(self) -> str:
        """The clause."""
        ...

    @property
    def reading(self) -> int | None:
        """The reading, where it has one."""
        ...

    @property
    def wants(self) -> str:
        """What the clause wants."""
        ...

    @property
    def has(self) -> str:
        """What the layout has."""
        ...

    @property
    def fulfilled(self) -> bool:
        """Whether that is enough."""
        ...


def layout_paper(house: HouseRules, svg: str, lines: Iterable[LayoutLine], particulars: Particulars) -> Paper:
    """A drawing of a layout with what its document wants of it."""
    source = house.rulebook.source
    width, height = drawn_inches(svg)
    rows = tuple(
        (
            words(Cite(line.clause, line.reading)),
            words(line.wants),
            words(line.has),
            words(Strong("yes" if line.fulfilled else "NO")),
        )
        for line in lines
    )
    marks = [
        particulars.version and f"version {particulars.version}",
        particulars.date and particulars.date.isoformat(),
        f"rules {house.hash}",
    ]
    return Paper(
        title="Table layout",
        subtitle=", ".join(part for part in (house.operator, source.title, source.jurisdiction) if part),
        blocks=(
            Plate(svg, f"Layout of a {source.title} table", width, height),
            Paragraph(words(f"The drawing is true to scale: {width:g} by {height:g} inches.")),
            Heading("Check list"),
            Table(
                ("Clause", "The document wants", "The layout has", "Fulfilled"),
                rows,
                ("left", "left", "left", "center"),
                widths=(3, 7, 7, 2),
            ),
        ),
        sheet=LETTER,
        foot=" · ".join([source.document, *(mark for mark in marks if mark)]),
    )


def drawn_inches(svg: str) -> tuple[float, float]:
    """How large a drawing says it is.

    >>> drawn_inches('<svg xmlns="http://www.w3.org/2000/svg" width="84in" height="960px">')
    (84.0, 10.0)
    """
    opening = re.search(r"<svg\b[^>]*>", svg)
    sizes = [re.search(rf'\s{side}="([0-9.]+)([a-z]*)"', opening[0] if opening else "") for side in ("width", "height")]
    inches = [float(size[1]) / PER_INCH[size[2]] for size in sizes if size is not None and size[2] in PER_INCH]
    if len(inches) != 2:
        raise Malformed("a drawing must say its width and height in inches")
    return inches[0], inches[1]
