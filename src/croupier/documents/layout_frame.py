"""What stands around the table on a drawing: dimensions, seat numbers, and the title block."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from typing import Final
from xml.sax.saxutils import escape

from croupier.documents.geometry import Point, seat_frames
from croupier.documents.geometry_data import geometry
from croupier.documents.layout import Layout
from croupier.documents.lettering import text_width, wrapped
from croupier.documents.svg_parts import box, units
from croupier.present import counted, listed, spoken, titled
from croupier.rulebook import HouseRules

__all__ = ["DRAWING", "MARGINS", "dimensions", "seat_numbers", "title_block"]

DRAWING: Final[Point] = (93.0, 57.0)
"""The size of the whole drawing, in inches."""
MARGINS: Final[Point] = (4.5, 4.5)
"""From the corner of the drawing to the table's corner at the dealer."""

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
    yield _text("House rules SHA-256", MIDDLE, TOP + 6.4, 0.58, QUIET)
    yield (
        f'<text x="{(MIDDLE + 7.0) * 100:g}" y="{(TOP + 6.4) * 100:g}" font-size="56" fill="{INK}" '
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


# --- around the table


def seat_numbers(layout: Layout) -> Iterator[str]:
    """The number of each seat, on the rail behind it."""
    table = geometry().table
    half, bottom = table.width / 2 - table.rail / 2, table.depth - table.rail / 2 - table.shoulder
    for frame in seat_frames(layout.house.seats):
        away = (-sin(radians(frame.turn)), cos(radians(frame.turn)))
        x, y = frame.x, frame.y
        while (abs(x) / half) ** table.exponent + (max(y - table.shoulder, 0) / bottom) ** table.exponent < 1:
            x, y = x + away[0] * 0.05, y + away[1] * 0.05
        yield (
            f'<g transform="translate({units(x)} {units(y)})"><circle r="110" fill="#fbfaf6" stroke="{BRASS}" '
            f'stroke-width="6"/><text y="42" text-anchor="middle" font-size="120" fill="{INK}">{frame.seat}</text></g>'
        )


def dimensions() -> Iterator[str]:
    """Dimension lines: the table, the cloth and the rail."""
    table = geometry().table
    left, top = MARGINS
    middle, bottom = DRAWING[0] / 2, top + table.depth
    yield '<g stroke="#545853" stroke-width="4" fill="#1d1f1e" font-size="80">'
    yield _measure((left, top - 2.2), (left + table.width, top - 2.2), f"{table.width:g} in")
    cloth = (left + table.rail, left + table.width - table.rail)
    words = f"cloth {table.width - 2 * table.rail:g} in, rail {table.rail:g} in"
    yield _measure((cloth[0], top - 0.9), (cloth[1], top - 0.9), words)
    yield _measure((left - 2.0, top), (left - 2.0, bottom), f"{table.depth:g} in")
    yield "</g>"
    place = f'x="{units(middle)}" y="{units(top - 3.05)}" text-anchor="middle"'
    yield f'<text {place} font-size="90" fill="{QUIET}">Dealer</text>'


def _measure(start: Point, end: Point, words: str) -> str:
    (ax, ay), (bx, by) = start, end
    level = ay == by
    tick = (0.0, 0.35) if level else (0.35, 0.0)
    ticks = "".join(
        f'<path d="M{units(x - tick[0])} {units(y - tick[1])}L{units(x + tick[0])} {units(y + tick[1])}"/>'
        for x, y in (start, end)
    )
    x, y = (ax + bx) / 2, (ay + by) / 2
    turned = "" if level else f' transform="rotate(-90 {units(x)} {units(y)})"'
    width = text_width(words, 0.8) + 0.4
    back = f'<rect {box(x - width / 2, y - 0.5, width, 1)} fill="#fff" stroke="none"/>'
    text = f'<text x="{units(x)}" y="{units(y + 0.28)}" text-anchor="middle" stroke="none">{words}</text>'
    return f'<path d="M{units(ax)} {units(ay)}L{units(bx)} {units(by)}"/>{ticks}<g{turned}>{back}{text}</g>'
