"""A layout as SVG, true to scale: an inch of the table is an inch of the drawing.

Every area is a group with `data-area`, `data-seat` and `data-clause`, so that a program can check the drawing against
its clauses (`layout_check`); what is inscribed by a clause has `data-notice`. The words are text, not outlines.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from croupier.documents.geometry import PlacedShape, Point, cloth_edge, edge, seat_frames
from croupier.documents.geometry_data import geometry
from croupier.documents.layout import Layout, LayoutArea, LayoutDevice
from croupier.documents.lettering import CAP, fit, fit_block, room, text_width
from croupier.documents.title_block import title_block

__all__ = ["DRAWING", "MARGINS", "Ground", "SvgInk", "View", "draw_layout", "seat_view", "whole_view"]

Ground: TypeAlias = Literal["cloth", "paper"]
"""On the cloth as it will look, or in lines on white paper with its dimensions."""
SERIF: Final = "'Libertinus Serif', 'Iowan Old Style', Palatino, 'Palatino Linotype', Georgia, serif"
SANS: Final = SERIF
DRAWING: Final[Point] = (93.0, 57.0)
"""The size of the whole drawing, in inches."""
MARGINS: Final[Point] = (4.5, 4.5)
"""From the corner of the drawing to the table's corner at the dealer."""
PER_INCH: Final = 100


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
    ink = _ink(layout, ground, mark)
    box = " ".join(_n(value) for value in (shown.x, shown.y, shown.width, shown.height))
    whole = view is None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_in(shown.width)}in" height="{_in(shown.height)}in" '
        f'viewBox="{box}" role="img" aria-labelledby="title-{mark}" font-family="{SERIF}" '
        f'data-rulebook="{source.id}" data-submission="{house.hash}" data-seats="{house.seats}">',
        f'<title id="title-{mark}">{escape(title)}</title>',
        f"<desc>{escape(_described(layout))}</desc>",
        _defs(layout, ground, mark),
        f'<rect x="{_n(shown.x)}" y="{_n(shown.y)}" width="{_n(shown.width)}" height="{_n(shown.height)}" fill="#fff"/>'
        if ground == "cloth" or not whole
        else "",
        f'<g id="table-{mark}" transform="translate({_n(DRAWING[0] / 2)} {_n(MARGINS[1])})">',
        *_table(ink),
        *(_device(device, ink) for device in layout.devices),
        *(_drawn_area(area, layout, ink) for area in layout.areas),
        *_inscribed(layout, ink, mark),
        *(_seat_numbers(layout) if whole else ()),
        "</g>",
        *((*_dimensions(), *title_block(layout)) if whole else ()),
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


def whole_view() -> View:
    """The whole drawing, with dimensions and title block."""
    return View(0.0, 0.0, *DRAWING)


def seat_view(layout: Layout) -> View:
    """One seat close up, the one nearest to the middle."""
    frame = min(seat_frames(layout.house.seats), key=lambda seat: abs(seat.turn))
    areas = [area for area in layout.areas if area.seat == frame.seat]
    points = [point for area in areas for point in area.shape.corners()]
    left, right = min(x for x, _ in points) - 1, max(x for x, _ in points) + 1
    top, bottom = min(y for _, y in points) - 1, max(y for _, y in points) + 1
    return View(left + DRAWING[0] / 2, top + MARGINS[1], right - left, bottom - top)


def _described(layout: Layout) -> str:
    table = geometry().table
    return (
        f"{layout.house.seats} seats on a table of {table.width:g} by {table.depth:g} inches, dealer at the top, seat 1 "
        f"on the right. Units are hundredths of an inch."
    )


# --- colors


def _ink(layout: Layout, ground: Ground, mark: str) -> SvgInk:
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
        table.width, table.depth, shoulder=table.shoulder, exponent=table.exponent, corner=table.corner + table.rail
    )
    yield f'<path d="{_path(outer)}" fill="{ink.rail}" stroke="#00000055" stroke-width="4"/>'
    yield f'<path d="{_path(cloth_edge())}" fill="{ink.cloth}" stroke="#00000088" stroke-width="6"/>'
    yield (
        f'<path d="{_path(cloth_edge(table.margin * 0.6))}" fill="none" stroke="{ink.faint}" stroke-opacity=".45" '
        'stroke-width="4"/>'
    )


def _path(points: Sequence[Point]) -> str:
    (x, y), *others = points
    return f"M{_n(x)} {_n(y)}" + "".join(f"L{_n(x)} {_n(y)}" for x, y in others) + "Z"


def _device(device: LayoutDevice, ink: SvgInk) -> str:
    shape = device.shape
    label = fit(device.name.capitalize(), lambda y: room(shape, y), largest=0.8)
    lines = "" if label.size < 0.3 else _lines(label.lines, label.size, label.baselines(), ink.device_text)
    below = ""
    if not lines:  # too small for its name, which stands below it
        below = _lines((device.name.capitalize(),), 0.55, (shape.height / 2 + 0.75,), ink.faint)
    clause = f" data-clause={quoteattr(device.clause)}" if device.clause else ""
    return (
        f"<g data-device={quoteattr(device.name)}{clause} {_moved(shape)}>{_rectangle(shape, 0.25)}"
        f' fill="{ink.device}" stroke="{ink.device_line}" stroke-width="5"/>{_tubes(device, ink)}{lines}{below}</g>'
    )


def _tubes(device: LayoutDevice, ink: SvgInk) -> str:
    """The rows of a tray, which nothing else has."""
    if device.shape.width < 20:
        return ""
    w, h, tubes = device.shape.width, device.shape.height, 10
    step = (w - 1.2) / tubes
    rows = (
        f'<rect x="{_n(-w / 2 + 0.6 + step * tube + 0.15)}" y="{_n(-h / 2 + 0.7)}" width="{_n(step - 0.3)}" '
        f'height="{_n(h - 1.4)}" rx="{_n(0.5)}" fill="none" stroke="{ink.device_line}" stroke-width="3"/>'
        for tube in range(tubes)
    )
    return "".join(rows)


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
    return f"<g {attributes} {_moved(area.shape)}>{_outline(area, ink)}{_label(area, layout, ink)}</g>"


def _parts(area: LayoutArea, layout: Layout) -> int:
    return next((need.count for need in layout.needs if need.name == area.name), 1)


def _outline(area: LayoutArea, ink: SvgInk) -> str:
    shape, half = area.shape, area.shape.width / 2
    match shape.shape:
        case "ring":
            return f'<circle r="{_n(half - 0.03)}" fill="none" stroke="{ink.line}" stroke-width="6"/>'
        case "device":
            return (
                f'<circle r="{_n(half - 0.04)}" fill="{ink.progressive}" stroke="{ink.line}" stroke-width="8"/>'
                f'<circle r="{_n(half - 0.18)}" fill="none" stroke="{ink.lamp}" stroke-width="3"/>'
            )
        case "lamp":
            return (
                f'<circle r="{_n(half - 0.02)}" fill="{ink.progressive}" stroke="{ink.line}" stroke-width="4"/>'
                f'<circle r="{_n(half * 0.5)}" fill="{ink.lamp}"/>'
            )
        case "square":
            return f'<path d="{_soft_square(half - 0.03)}" fill="none" stroke="{ink.line}" stroke-width="5"/>'
        case "cards":
            return f'{_rectangle(shape, 0.18)} fill="none" stroke="{ink.line}" stroke-width="4"/>{_cards(area, ink)}'
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
        path += f"{'L' if place else 'M'}{_n(start[0])} {_n(start[1])}L{_n(end[0])} {_n(end[1])}Q{_n(bx)} {_n(by)} "
        (cx, cy) = sides[(place + 1) % 4][1]
        path += f"{_n(bx + (cx - bx) * near)} {_n(by + (cy - by) * near)}"
    return path + "Z"


def _cards(area: LayoutArea, ink: SvgInk) -> str:
    """Where each card of an area for several lies, faintly."""
    card, row = geometry().card, geometry().area_named(area.name)
    if area.cards < 2 or area.seat is not None:
        return ""
    left, top = -area.shape.width / 2 + card.margin, -area.shape.height / 2 + card.margin
    return "".join(
        f'<rect x="{_n(left + place * row.step * card.width)}" y="{_n(top)}" width="{_n(card.width)}" '
        f'height="{_n(card.height)}" rx="12" fill="none" stroke="{ink.faint}" stroke-opacity=".45" stroke-width="3"/>'
        for place in range(area.cards)
    )


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
        return _lines(fitted.lines, fitted.size, tuple(down + base for base in fitted.baselines()), ink.text)
    largest = 1.0 if len(area.label) < 3 else 0.42
    fitted = fit(area.label, lambda y: room(shape, y), largest=largest)
    color = ink.faint if shape.shape == "cards" else ink.text
    return _lines(fitted.lines, fitted.size, fitted.baselines(), color)


def _name(area: LayoutArea, layout: Layout, ink: SvgInk) -> str:
    shape, logo = area.shape, layout.particulars.logo
    if logo:
        data = b64encode(logo.encode()).decode()
        return (
            f'<image x="{_n(-shape.width / 2)}" y="{_n(-shape.height / 2)}" width="{_n(shape.width)}" '
            f'height="{_n(shape.height)}" preserveAspectRatio="xMidYMid meet" href="data:image/svg+xml;base64,{data}">'
            f"<title>{escape(area.label)}</title></image>"
        )
    words, spacing = area.label.upper(), 0.14
    size = min(1.9, shape.width / max(text_width(words, 1, spacing), 1))
    return (
        f'<text y="{_n(size * CAP / 2)}" text-anchor="middle" font-size="{_n(size)}" '
        f'letter-spacing="{_n(size * spacing)}" fill="{ink.line}">{escape(words)}</text>'
    )


# --- what is inscribed in the middle


def _inscribed(layout: Layout, ink: SvgInk, mark: str) -> Iterator[str]:
    box = geometry().inscriptions
    texts = [text.text for text in layout.inscriptions]
    height = box.height - box.bow * box.width
    block = fit_block(texts, box.width, height, largest=box.largest, line=box.line)
    lines, y = list(block.lines), box.y + block.size
    for inscription in layout.inscriptions:
        drawn, words = [], ""
        while words != inscription.text:
            line = lines.pop(0)
            words = f"{words} {line}".strip()
            drawn.append(_curved(line, block.size, y, f"{mark}-{len(lines)}"))
            y += block.size * box.line
        yield (
            f"<g data-notice={quoteattr(inscription.clause)} data-purpose={quoteattr(inscription.purpose)} "
            f'fill="{ink.text}" font-size="{_n(block.size)}" text-anchor="middle">{"".join(drawn)}</g>'
        )


def _curved(line: str, size: float, y: float, mark: str) -> str:
    """A line on an arc that bends toward the players; all arcs have one middle."""
    box = geometry().inscriptions
    half, bow = box.width / 2 + 2, box.bow * box.width
    radius = (half * half + bow * bow) / (2 * bow)
    path = f"M{_n(box.x - half)} {_n(y)}A{_n(radius)} {_n(radius)} 0 0 0 {_n(box.x + half)} {_n(y)}"
    return (
        f'<path id="arc-{mark}" d="{path}" fill="none"/>'
        f'<text><textPath href="#arc-{mark}" startOffset="50%">{escape(line)}</textPath></text>'
    )


# --- around the table


def _seat_numbers(layout: Layout) -> Iterator[str]:
    table = geometry().table
    half, bottom = table.width / 2 - table.rail / 2, table.depth - table.rail / 2
    for frame in seat_frames(layout.house.seats):
        far = 1.0
        while (abs(frame.x * far) / half) ** table.exponent + (
            max(frame.y * far - table.shoulder, 0) / (bottom - table.shoulder)
        ) ** table.exponent < 1:
            far += 0.005
        x, y = frame.x * far, frame.y * far
        yield (
            f'<g transform="translate({_n(x)} {_n(y)})"><circle r="110" fill="#fbfaf6" stroke="#80600f" '
            f'stroke-width="6"/><text y="42" text-anchor="middle" font-size="120" fill="#1d1f1e">{frame.seat}</text></g>'
        )


def _dimensions() -> Iterator[str]:
    """Dimension lines: the table, the cloth and the rail."""
    table = geometry().table
    left, top = MARGINS
    middle, bottom = DRAWING[0] / 2, top + table.depth
    yield '<g stroke="#545853" stroke-width="4" fill="#1d1f1e" font-size="80">'
    yield _measure((left, top - 2.2), (left + table.width, top - 2.2), f"{table.width:g} in")
    cloth = (left + table.rail, left + table.width - table.rail)
    yield _measure((cloth[0], top - 0.9), (cloth[1], top - 0.9), f"cloth {table.width - 2 * table.rail:g} in")
    yield _measure((left - 2.0, top), (left - 2.0, bottom), f"{table.depth:g} in")
    yield _measure((middle + 46.5 - 2.6, bottom - table.rail), (middle + 46.5 - 2.6, bottom), f"{table.rail:g} in")
    yield "</g>"
    yield (
        f'<text x="{_n(middle)}" y="{_n(top - 2.9)}" text-anchor="middle" font-size="90" fill="#545853">Dealer</text>'
    )


def _measure(start: Point, end: Point, words: str) -> str:
    (ax, ay), (bx, by) = start, end
    level = ay == by
    tick = (0.0, 0.35) if level else (0.35, 0.0)
    ticks = "".join(
        f'<path d="M{_n(x - tick[0])} {_n(y - tick[1])}L{_n(x + tick[0])} {_n(y + tick[1])}"/>'
        for x, y in (start, end)
    )
    x, y = (ax + bx) / 2, (ay + by) / 2
    turned = "" if level else f' transform="rotate(-90 {_n(x)} {_n(y)})"'
    width = text_width(words, 0.8) + 0.4
    back = f'<rect x="{_n(x - width / 2)}" y="{_n(y - 0.5)}" width="{_n(width)}" height="100" fill="#fff" stroke="none"/>'
    text = f'<text x="{_n(x)}" y="{_n(y + 0.28)}" text-anchor="middle" stroke="none">{words}</text>'
    return f'<path d="M{_n(ax)} {_n(ay)}L{_n(bx)} {_n(by)}"/>{ticks}<g{turned}>{back}{text}</g>'


# --- SVG


def _lines(lines: Sequence[str], size: float, bases: Sequence[float], color: str) -> str:
    texts = (
        f'<text y="{_n(base)}" text-anchor="middle" font-size="{_n(size)}" fill="{color}">{escape(line)}</text>'
        for line, base in zip(lines, bases, strict=True)
    )
    return "".join(texts)


def _moved(shape: PlacedShape) -> str:
    turn = f" rotate({_short(shape.turn)})" if shape.turn else ""
    return f'transform="translate({_n(shape.x)} {_n(shape.y)}){turn}"'


def _rectangle(shape: PlacedShape, corner: float) -> str:
    w, h = shape.width, shape.height
    return f'<rect x="{_n(-w / 2)}" y="{_n(-h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(corner)}"'


def _n(inches: float) -> str:
    """Inches in the units of the drawing."""
    return _short(inches * PER_INCH)


def _in(inches: float) -> str:
    return _short(inches)


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
