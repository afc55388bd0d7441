"""The title block of a layout: whose table it is, for which rules, and how long an inch is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from croupier.documents.layout import Layout
from croupier.documents.lettering import text_width, wrapped
from croupier.present import counted, listed, spoken, titled
from croupier.rulebook import HouseRules

__all__ = ["title_block"]

TOP: Final = 49.2
"""Where the block begins, in inches from the top of the drawing."""
LEFT, RIGHT, MIDDLE = (4.5, 88.5, 47.0)
INK, QUIET, BRASS = ("#1d1f1e", "#545853", "#80600f")
BAR: Final = 24
"""The length of the scale bar."""


def title_block(layout: Layout) -> Iterator[str]:
    """The block below the table."""
    yield f'<path d="M{LEFT * 100:g} {TOP * 100:g}H{RIGHT * 100:g}" stroke="{BRASS}" stroke-width="8"/>'
    yield from _left(layout)
    yield from _right(layout)
    yield from _scale_bar()


def _left(layout: Layout) -> Iterator[str]:
    house, source = layout.house, layout.house.rulebook.source
    operator = house.operator or "Operator not named"
    size = min(1.7, 40 / max(text_width(operator, 1), 1))
    yield _text(operator, LEFT, TOP + 2.1, size)
    yield _text(f"{source.title} table layout, {source.jurisdiction}", LEFT, TOP + 3.7, 1.0, QUIET)
    wagers = listed(titled(wager.name) for wager in house.wagers)
    for place, line in enumerate(wrapped(wagers, 40 / 0.62)[:3]):
        yield _text(line, LEFT, TOP + 4.9 + place * 0.85, 0.62, QUIET)


def _right(layout: Layout) -> Iterator[str]:
    facts = list(_facts(layout))
    for place, (name, value) in enumerate(facts):
        column, row = divmod(place, 3)
        x, y = MIDDLE + column * 21.5, TOP + 1.2 + row * 1.0
        yield _text(name, x, y, 0.58, QUIET)
        yield _text(value, x + 4.6, y, min(0.62, 16 / max(text_width(value, 1), 1)))
    yield _text("Submission SHA-256", MIDDLE, TOP + 6.4, 0.58, QUIET)
    yield (
        f'<text x="{(MIDDLE + 6.6) * 100:g}" y="{(TOP + 6.4) * 100:g}" font-size="56" fill="{INK}" '
        f"font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\">{layout.house.hash}</text>"
    )


def _facts(layout: Layout) -> Iterator[tuple[str, str]]:
    house, given = layout.house, layout.particulars
    yield "Rulebook", f"{house.rulebook.id}, {house.rulebook.edition}"
    yield "Seats", f"{house.seats}, seat 1 on the dealer's left"
    yield "Cards", _cards(house)
    yield "Version", given.version or "not numbered"
    yield "Date", given.date.isoformat() if given.date else "not dated"
    yield "Approval", dict(house.approvals).get("layout", "to be given")


def _cards(house: HouseRules) -> str:
    return f"{counted(house.decks, 'deck')}, {spoken(house.shuffle)} shuffle, {spoken(house.deal)}"


def _scale_bar() -> Iterator[str]:
    x, y = MIDDLE * 100, (TOP + 4.6) * 100
    for step in range(4):
        fill = INK if step % 2 == 0 else "#fff"
        yield (
            f'<rect x="{x + step * 600:g}" y="{y:g}" width="600" height="30" fill="{fill}" stroke="{INK}" '
            'stroke-width="4"/>'
        )
        yield _text(f"{step * 6}", MIDDLE + step * 6 - 0.1, TOP + 4.45, 0.55)
    yield _text(f"{BAR} inches", MIDDLE + BAR - 0.3, TOP + 4.45, 0.55)
    yield _text("True to scale; all dimensions in inches", MIDDLE + BAR + 4.5, TOP + 4.9, 0.62, QUIET)


def _text(words: str, x: float, y: float, size: float, color: str = INK) -> str:
    return (
        f'<text x="{x * 100:.0f}" y="{y * 100:.0f}" font-size="{size * 100:.0f}" fill="{color}">{escape(words)}</text>'
    )
