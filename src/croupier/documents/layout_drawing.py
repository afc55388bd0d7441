"""A layout as SVG, true to scale: an inch of the table is an inch of the drawing.

Every area is a group with `data-area`, `data-seat` and `data-clause`, so that a program can check the drawing against
its clauses (`layout_check`); what is inscribed by a clause has `data-notice`. The words are text, not outlines.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct
from msgspec.structs import replace

from croupier.documents.geometry import PlacedShape, cloth_edge, edge
from croupier.documents.geometry_data import geometry
from croupier.documents.layout import Layout, LayoutArea, LayoutDevice
from croupier.documents.layout import layout as lay_out
from croupier.documents.layout_frame import DRAWING, MARGINS, dimensions, seat_numbers, title_block
from croupier.documents.lettering import CAP, Fitted, fit, room, text_width, wrapped
from croupier.documents.svg_parts import at, box, centered_lines, closed_path, moved, rectangle_start, short, units
from croupier.errors import Malformed
from croupier.present import counted

__all__ = ["Ground", "SvgInk", "View", "draw_layout", "draw_seat", "whole_view"]

Ground: TypeAlias = Literal["cloth", "paper"]
"""On the cloth as it will look, or in lines on white paper with its dimensions."""
FINE: Final = 6
"""How many times finer than on a screen the edges of a table are drawn: no straight piece is seen at full size."""
SMALLEST_NAME: Final = 0.4
"""The type of the operator's name on the cloth, in inches."""
SERIF: Final = "'Libertinus Serif', 'Iowan Old Style', Palatino, 'Palatino Linotype', Georgia, serif"


class View(Struct, frozen=True):
    """Which part of the drawing is shown, in inches from its corner."""

    x: float
    y: float
    width: float
    height: float


class SvgInk(Struct, frozen=True, kw_only=True):
    """The colors of a drawing."""

    rail: str
    cloth: str
    line: str
    faint: str
    text: str
    device: str
    device_line: str
    device_text: str
    progressive: str
    lamp: str


def draw_layout(layout: Layout, *, ground: Ground = "cloth", view: View | None = None) -> str:
    """Draw a layout; the same layout is the same text."""
    shown = view or whole_view()
    source, house = layout.house.rulebook.source, layout.house
    title = f"Table layout: {source.title}, {house.operator or 'operator not named'}, {source.jurisdiction}"
    mark = f"{house.hash[:8]}-{ground}-{round(shown.x)}"
    ink = _ink(ground, mark)
    corners = " ".join(units(value) for value in (shown.x, shown.y, shown.width, shown.height))
    whole = view is None
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{short(shown.width)}in" height="{short(shown.height)}in" '
        f'viewBox="{corners}" role="img" aria-labelledby="title-{mark}" font-family="{SERIF}" '
        f'data-rulebook="{source.id}" data-submission="{house.hash}" data-seats="{house.seats}">'
    )
    parts = [
        head,
        f'<title id="title-{mark}">{escape(title)}</title>',
        f"<desc>{escape(_described(layout))}</desc>",
        _defs(layout, ground, mark),
        f'<rect {box(shown.x, shown.y, shown.width, shown.height)} fill="#fff"/>',
        f'<g id="table-{mark}" transform="translate({units(DRAWING[0] / 2)} {units(MARGINS[1])})">',
        *_table(ink),
        *(_device(device, ink) for device in layout.devices if _seen(device.shape, shown)),
        *(_drawn_area(area, layout, ink) for area in layout.areas if _seen(area.shape, shown)),
        *(_inscribed(layout, ink) if whole else ()),
        *(seat_numbers(layout) if whole else ()),
        "</g>",
        *((*dimensions(), *title_block(layout)) if whole else ()),
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


def whole_view() -> View:
    """The whole drawing, with dimensions and title block."""
    return View(0.0, 0.0, *DRAWING)


def draw_seat(layout: Layout, *, ground: Ground = "paper") -> tuple[str, float]:
    """Draw one seat close up, as its player sees it; and how wide the drawing is, in inches."""
    alone = lay_out(replace(layout.house, seats=1), layout.particulars).areas
    points = [point for area in alone if area.seat for point in area.shape.corners()]
    left, right = min(x for x, _ in points) - 1, max(x for x, _ in points) + 1
    top, bottom = min(y for _, y in points) - 1, max(y for _, y in points) + 1
    view = View(left + DRAWING[0] / 2, top + MARGINS[1], right - left, bottom - top)
    return draw_layout(replace(layout, areas=alone), ground=ground, view=view), view.width


def _seen(shape: PlacedShape, view: View) -> bool:
    x, y = shape.x + DRAWING[0] / 2, shape.y + MARGINS[1]
    return view.x <= x <= view.x + view.width and view.y <= y <= view.y + view.height


def _described(layout: Layout) -> str:
    table = geometry().table
    size = f"{table.width:g} by {table.depth:g} inches"
    seats = counted(layout.house.seats, "seat")
    return f"{seats} on a table of {size}, dealer at the top, seat 1 on the right. A unit is a hundredth of an inch."


# --- colors


def _ink(ground: Ground, mark: str) -> SvgInk:
    if ground == "cloth":
        return SvgInk(
            rail=f"url(#rail-{mark})",
            cloth=f"url(#lamp-{mark})",
            line="#ecdcb2",
            faint="#d0c49d",
            text="#f3ecd9",
            device="#14100d",
            device_line="#6b5a3a",
            device_text="#e9dcc0",
            progressive="#14100d",
            lamp="#d8523f",
        )
    return SvgInk(
        rail="#ece8df",
        cloth="#fff",
        line="#1d1f1e",
        faint="#8b8f89",
        text="#1d1f1e",
        device="#f3f0e8",
        device_line="#60645e",
        device_text="#545853",
        progressive="#f3f0e8",
        lamp="#80600f",
    )


def _defs(layout: Layout, ground: Ground, mark: str) -> str:
    if ground != "cloth":
        return ""
    cloth = layout.cloth
    stops = ((0, cloth.lit), (0.55, cloth.middle), (1, cloth.deep))
    lamp = "".join(f'<stop offset="{at}" stop-color="{color}"/>' for at, color in stops)
    return (
        f'<defs><radialGradient id="lamp-{mark}" cx="50%" cy="22%" r="85%">{lamp}</radialGradient>'
        f'<linearGradient id="rail-{mark}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#150e0a"/>'
        '<stop offset="1" stop-color="#2a1d15"/></linearGradient></defs>'
    )


# --- the table


def _table(ink: SvgInk) -> Iterator[str]:
    table = geometry().table
    outer = edge(
        table.width,
        table.depth,
        shoulder=table.shoulder,
        exponent=table.exponent,
        corner=table.corner + table.rail,
        fine=FINE,
    )
    yield f'<path d="{closed_path(outer)}" fill="{ink.rail}" stroke="#00000055" stroke-width="4"/>'
    yield f'<path d="{closed_path(cloth_edge(fine=FINE))}" fill="{ink.cloth}" stroke="#00000088" stroke-width="6"/>'
    printed = closed_path(cloth_edge(table.margin * 0.6, fine=FINE))
    yield f'<path d="{printed}" fill="none" stroke="{ink.faint}" stroke-opacity=".45" stroke-width="4"/>'


def _device(device: LayoutDevice, ink: SvgInk) -> str:
    shape, words = device.shape, device.name.capitalize()
    label = fit(words, lambda y: room(shape, y), largest=0.8)
    if shape.height < 2 * label.size:  # too low for its name, which stands below it
        lines = centered_lines((words,), 0.55, (shape.height / 2 + 0.75,), ink.device_text)
    else:
        lines = centered_lines(label.lines, label.size, label.baselines(), ink.device_text)
    clause = f" data-clause={quoteattr(device.clause)}" if device.clause else ""
    return (
        f"<g data-device={quoteattr(device.name)}{clause} {moved(shape)}>{rectangle_start(shape, 0.25)}"
        f' fill="{ink.device}" stroke="{ink.device_line}" stroke-width="5"/>{_tubes(device, ink)}{lines}</g>'
    )


def _tubes(device: LayoutDevice, ink: SvgInk) -> str:
    """The rows of a tray, which nothing else has."""
    if device.shape.width < 20:
        return ""
    w, h, tubes = device.shape.width, device.shape.height, 10
    step = (w - 1.2) / tubes
    rows = (
        f'<rect x="{units(-w / 2 + 0.6 + step * tube + 0.15)}" y="{units(-h / 2 + 0.7)}" width="{units(step - 0.3)}" '
        f'height="{units(h - 1.4)}" rx="{units(0.5)}" fill="none" stroke="{ink.device_line}" stroke-width="3"/>'
        for tube in range(tubes)
    )
    plate = PlacedShape(x=0, y=0, width=6.0, height=1.6)
    return "".join(rows) + f'{rectangle_start(plate, 0.3)} fill="{ink.device}"/>'


# --- areas


def _drawn_area(area: LayoutArea, layout: Layout, ink: SvgInk) -> str:
    known = {
        "data-area": area.name,
        "data-part": str(area.part) if _parts(area, layout) > 1 else "",
        "data-seat": str(area.seat) if area.seat else "",
        "data-wager": area.wager or "",
        "data-clause": area.clause,
        "data-reading": str(area.reading or ""),
    }
    attributes = " ".join(f"{name}={quoteattr(value)}" for name, value in known.items() if value)
    return f"<g {attributes} {moved(area.shape)}>{_outline(area, ink)}{_label(area, layout, ink)}</g>"


def _parts(area: LayoutArea, layout: Layout) -> int:
    return next((need.count for need in layout.needs if need.name == area.name), 1)


def _outline(area: LayoutArea, ink: SvgInk) -> str:
    shape, half = area.shape, area.shape.width / 2
    match shape.shape:
        case "ring":
            return f'<circle r="{units(half - 0.03)}" fill="none" stroke="{ink.line}" stroke-width="6"/>'
        case "device":
            return (
                f'<circle r="{units(half - 0.04)}" fill="{ink.progressive}" stroke="{ink.line}" stroke-width="8"/>'
                f'<circle r="{units(half - 0.18)}" fill="none" stroke="{ink.lamp}" stroke-width="3"/>'
            )
        case "lamp":
            return (
                f'<circle r="{units(half - 0.02)}" fill="{ink.progressive}" stroke="{ink.line}" stroke-width="4"/>'
                f'<circle r="{units(half * 0.5)}" fill="{ink.lamp}"/>'
            )
        case "square":
            return f'<path d="{_soft_square(half - 0.03)}" fill="none" stroke="{ink.line}" stroke-width="5"/>'
        case "cards":
            return (
                f'{rectangle_start(shape, 0.18)} fill="none" stroke="{ink.line}" stroke-width="4"/>{_cards(area, ink)}'
            )
    return ""


def _soft_square(half: float) -> str:
    """A square on its corner, the corners rounded."""
    soft = half * 0.16
    tips = [(half, 0.0), (0.0, half), (-half, 0.0), (0.0, -half)]
    sides = list(zip(tips, [*tips[1:], tips[0]], strict=True))
    path = ""
    for place, ((ax, ay), (bx, by)) in enumerate(sides):
        near, far = soft / half, 1 - soft / half
        start = (ax + (bx - ax) * near, ay + (by - ay) * near)
        end = (ax + (bx - ax) * far, ay + (by - ay) * far)
        (cx, cy) = sides[(place + 1) % 4][1]
        after = at(bx + (cx - bx) * near, by + (cy - by) * near)
        path += f"{'L' if place else 'M'}{at(*start)}L{at(*end)}Q{at(bx, by)} {after}"
    return path + "Z"


def _cards(area: LayoutArea, ink: SvgInk) -> str:
    """Where each card of an area for several lies, faintly."""
    card, row = geometry().card, geometry().area_named(area.name)
    if area.cards < 2 or area.seat is not None:
        return ""
    left, top = -area.shape.width / 2 + card.margin, -area.shape.height / 2 + card.margin
    drawn = (
        f'<rect {box(left + place * row.step * card.width, top, card.width, card.height)} rx="12" fill="none" '
        f'stroke="{ink.faint}" stroke-opacity=".45" stroke-width="3"/>'
        for place in range(area.cards)
    )
    return "".join(drawn)


def _label(area: LayoutArea, layout: Layout, ink: SvgInk) -> str:
    shape, card = area.shape, geometry().card
    if shape.shape == "name":
        return _name(area, layout, ink)
    if not area.label:
        return ""
    if shape.shape == "cards" and area.seat is None:  # below the card
        strip = PlacedShape(x=0, y=0, width=shape.width, height=card.label)
        fitted = fit(area.label, lambda y: room(strip, y), largest=0.46)
        down = shape.height / 2 - card.margin - card.label / 2 + 0.04
        return centered_lines(fitted.lines, fitted.size, tuple(down + base for base in fitted.baselines()), ink.text)
    largest = 1.0 if len(area.label) < 3 else 0.42
    fitted = fit(area.label, lambda y: room(shape, y), largest=largest)
    return centered_lines(fitted.lines, fitted.size, fitted.baselines(), ink.text)


def _name(area: LayoutArea, layout: Layout, ink: SvgInk) -> str:
    shape, logo = area.shape, layout.particulars.logo
    if logo:
        data = b64encode(logo.encode()).decode()
        return (
            f"<image {box(-shape.width / 2, -shape.height / 2, shape.width, shape.height)} "
            f'preserveAspectRatio="xMidYMid meet" href="data:image/svg+xml;base64,{data}">'
            f"<title>{escape(area.label)}</title></image>"
        )
    lines, size, spacing = _spaced(area.label.upper(), shape)
    bases = Fitted(lines, size).baselines(1.2)
    texts = (
        f'<text y="{units(base)}" text-anchor="middle" font-size="{units(size)}" '
        f'letter-spacing="{units(size * spacing)}" fill="{ink.line}">{escape(line)}</text>'
        for line, base in zip(lines, bases, strict=True)
    )
    return "".join(texts)


def _spaced(words: str, shape: PlacedShape) -> tuple[tuple[str, ...], float, float]:
    """A name in spaced capitals, on as many lines as make it largest."""
    best: tuple[tuple[str, ...], float] = ((words,), 0.0)
    spacing = 0.14
    for width in range(4, 60):
        lines = wrapped(words, width, spacing)
        widest = max(text_width(line, 1, spacing) for line in lines)
        size = min(1.9, shape.width / max(widest, 1), shape.height / (1.2 * len(lines)))
        if size > best[1]:
            best = (lines, round(size, 2))
    if best[1] < SMALLEST_NAME:
        raise Malformed(
            f"the operator's name does not fit on the cloth in letters of {SMALLEST_NAME:g} inches: give a logo instead"
        )
    return *best, spacing


# --- what is inscribed in the middle


def _inscribed(layout: Layout, ink: SvgInk) -> Iterator[str]:
    """Straight lines: words on a curve are lost in some programs, and these are required."""
    for text in layout.inscriptions:
        lines = (
            f'<text x="{units(shape.x)}" y="{units(shape.y + text.size * CAP / 2)}">{escape(line)}</text>'
            for line, shape in text.lines
        )
        yield (
            f"<g data-notice={quoteattr(text.clause)} data-purpose={quoteattr(text.purpose)} "
            f'fill="{ink.text}" font-size="{units(text.size)}" text-anchor="middle">{"".join(lines)}</g>'
        )
