"""A layout to hand in: PDF and HTML with the drawing, one seat close up, every area's size, and the check list."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Final

from croupier.documents.layout import Layout, LayoutArea, check_list
from croupier.documents.layout_drawing import draw_layout, draw_seat
from croupier.documents.layout_frame import DRAWING
from croupier.documents.paper import OwnPage, Picture
from croupier.documents.typst_writer import compile_pdf, source_with
from croupier.present import cited, counted

__all__ = ["SCALE", "layout_html", "layout_pdf", "layout_sheet"]

SCALE: Final = 6
"""The PDF has an inch for this many inches of the table, so that a drawing fits a sheet of 11 by 17 inches."""


def layout_pdf(layout: Layout) -> bytes:
    """The layout as PDF on sheets of 11 by 17 inches, and on a last page at its full size.

    The same layout is the same bytes.
    """
    return compile_pdf(source_with("layout_pages.typ", _said(layout)))


def layout_sheet(layout: Layout, heading: str) -> OwnPage:
    """The drawing as a page within another paper, at the scale that it states."""
    svg, alt = draw_layout(layout), _alt(layout)
    size = {"wide": DRAWING[0] / SCALE, "scale": f"Scale 1 : {SCALE}", "width": 17.0, "height": 11.0, "margin": 0.65}
    data = {"svg": svg, "alt": alt, **size}
    return OwnPage(heading, "drawing.typ", data, (Picture(svg, alt),))


def _said(layout: Layout) -> dict[str, object]:
    house, source = layout.house, layout.house.rulebook.source
    seat, seat_width = draw_seat(layout)
    return {
        "title": f"{source.title} table layout",
        "operator": house.operator or "Operator not named",
        "foot": " · ".join(_foot(layout)),
        "scales": [f"Scale 1 : {SCALE}", f"Scale 1 : {SCALE}", "Seat 2 : 3", ""],
        "alt": _alt(layout),
        "cloth": draw_layout(layout),
        "paper": draw_layout(layout, ground="paper"),
        "seat": seat,
        "seat_alt": "One seat close up",
        "seat_note": _seat_note(layout),
        "seat_width": seat_width,
        "full": DRAWING,
        "areas": [list(row) for row in _area_rows(layout)],
        "devices": [list(row) for row in _device_rows(layout)],
        "list_note": _list_note(layout),
        "checks": [list(row) for row in _check_rows(layout)],
    }


def layout_html(layout: Layout) -> str:
    """The layout as one page that needs nothing else."""
    house, source = layout.house, layout.house.rulebook.source
    style = files("croupier.documents").joinpath("layout_pages.css").read_text()
    title = f"{source.title} table layout, {house.operator or 'operator not named'}"
    areas = _html_table(("area", "inscribed", "at", "inches", "clause"), _area_rows(layout))
    devices = _html_table(("device", "inches", "clause"), _device_rows(layout))
    checks = _html_table(("clause", "wants", "the layout has", ""), _check_rows(layout))
    seat, _ = draw_seat(layout)
    return f"""<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{escape(house.operator or "Operator not named")}</h1>
<p class="lead">{escape(source.title)} table layout, {escape(source.jurisdiction)}</p>
<figure class="table">
{draw_layout(layout)}</figure>
<section>
<h2>One seat</h2>
<figure class="seat">
{seat}</figure>
<p>{escape(_seat_note(layout))}</p>
</section>
<section>
<h2>Check list</h2>
<p>{escape(_list_note(layout))}</p>
{checks}
</section>
<section>
<h2>Areas and their sizes</h2>
{areas}
{devices}
</section>
<footer>{escape(" · ".join(_foot(layout)))}</footer>
</main>
</body>
</html>
"""


def _html_table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


# --- words


def _alt(layout: Layout) -> str:
    house = layout.house
    offered = f"{counted(len(layout.areas), 'area')}, {counted(house.seats, 'seat')}"
    return f"Table layout of {house.operator or 'the house'} for {house.rulebook.source.title}: {offered}"


def _foot(layout: Layout) -> Iterator[str]:
    given = layout.particulars
    if given.version:
        yield f"version {given.version}"
    if given.date:
        yield given.date.isoformat()
    yield f"rules {layout.house.hash}"


def _seat_note(layout: Layout) -> str:
    return f"Every one of the {counted(layout.house.seats, 'seat')} has these areas, turned to face the dealer."


def _list_note(layout: Layout) -> str:
    book = layout.house.rulebook
    if book.table.area:
        return f"Every clause of {book.source.document} about the layout, and what this layout has for it."
    nothing = f"{book.source.document} says nothing about layouts."
    return f"{nothing} The areas are derived from the wagers offered and from the deal."


def _area_rows(layout: Layout) -> Iterator[tuple[str, ...]]:
    """Each kind of area once: what it is, what is inscribed, where, how large, and by which clause."""
    seen: dict[tuple[str, int], LayoutArea] = {}
    for area in layout.areas:
        seen.setdefault((area.name, area.part if area.wager else 0), area)
    for area in seen.values():
        where = "each seat" if area.seat else "the tray" if area.cards else "the middle"
        yield area.name, area.label, where, _size(area.shape.width, area.shape.height), area.clause


def _device_rows(layout: Layout) -> Iterator[tuple[str, ...]]:
    for device in layout.devices:
        yield device.name, _size(device.shape.width, device.shape.height), device.clause or "–"


def _size(width: float, height: float) -> str:
    return f"{width:.2f} × {height:.2f}"


def _check_rows(layout: Layout) -> Iterator[tuple[str, ...]]:
    for row in check_list(layout):
        clause = cited(row.clause, row.reading).strip("()") if row.reading else row.clause
        yield clause, row.wants, row.has, "✓" if row.fulfilled else "✗ missing"
