"""Where things lie on a table: arithmetic on `geometry.toml`, no drawing.

There are two projections of the same rows: to scale, in inches, for the printed layout, and by seat, in pixels, for the
screen. The dealer is at the top. Seat 1 is farthest to the dealer's left, which is the right of the drawing; the deal
runs clockwise, along the arc from right to left. Angles are degrees, clockwise, as in SVG.

>>> [(spot.name, spot.u, spot.v) for spot in seat_spots({"ante": 1, "raise": 1})]
[('ante', -0.6, -0.0072), ('raise', 0.6, -0.0072)]
>>> [round(frame.turn) for frame in seat_frames(3)]
[-53, 0, 53]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin
from typing import Final, TypeAlias

from msgspec import Struct

from croupier.documents.geometry_data import GeometryArea, Shape, geometry

__all__ = [
    "PlacedShape",
    "Point",
    "SeatFrame",
    "Spot",
    "cloth_edge",
    "dealer_places",
    "edge",
    "inside",
    "overlap",
    "print_places",
    "reach",
    "seat_frames",
    "seat_spots",
]

Point: TypeAlias = tuple[float, float]
ROUND: Final = 4
"""Decimals that places are given with: a sum may end in different last digits on different processors."""
FACETS: Final = 24
SLACK: Final = 0.001
"""Inches by which a rounded place may lie beyond an edge."""


class Spot(Struct, frozen=True):
    """One area of a seat, in spot units: u to the player's right, v toward the dealer."""

    name: str
    part: int
    """Which of the areas of this name, from 1."""
    u: float
    v: float
    width: float
    height: float
    shape: Shape


class SeatFrame(Struct, frozen=True):
    """Where a seat is, in inches, and how far it is turned to face the dealer."""

    seat: int
    x: float
    y: float
    turn: float


class PlacedShape(Struct, frozen=True, kw_only=True):
    """A shape on the table, in inches: its middle, its size and its turn."""

    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    shape: Shape = "cards"

    def corners(self) -> tuple[Point, ...]:
        """Its outline as a convex polygon; of a ring one that encloses it."""
        return tuple(_turned(point, self.turn, (self.x, self.y)) for point in self._outline())

    def _outline(self) -> list[Point]:
        w, h = self.width / 2, self.height / 2
        match self.shape:
            case "ring" | "device" | "lamp":
                beyond = 1 / cos(pi / FACETS)
                turns = [2 * pi * (facet + 0.5) / FACETS for facet in range(FACETS)]
                return [(w * beyond * cos(at), h * beyond * sin(at)) for at in turns]
            case "square":  # it stands on its corner
                return [(w, 0), (0, h), (-w, 0), (0, -h)]
            case "cards" | "name":
                return [(w, h), (-w, h), (-w, -h), (w, -h)]


# --- the table's edge


def arc(angle: float, exponent: float) -> Point:
    """A point of half a superellipse: between a half circle and a half box."""
    across, down = cos(radians(angle)), sin(radians(angle))
    return _root(across, exponent), _root(down, exponent)


def _root(share: float, exponent: float) -> float:
    return (abs(share) ** (2 / exponent)) * (1 if share > 0 else -1) if abs(share) > 1e-12 else 0.0


def edge(
    width: float, depth: float, *, shoulder: float, exponent: float, corner: float, inset: float = 0, fine: int = 1
) -> list[Point]:
    """An edge flat at the dealer and a full arc at the players, as a polygon; x runs from the middle.

    A plotter cuts what it is given: for its size the polygon is `fine` times as fine as for a screen.

    >>> points = edge(84, 42, shoulder=8.4, exponent=2.6, corner=3)
    >>> min(x for x, _ in points), max(x for x, _ in points), max(y for _, y in points)
    (-42.0, 42.0, 42.0)
    """
    half, bottom = width / 2 - inset, depth - shoulder - inset
    bend = max(corner - inset, 0.2)
    quarter = [radians(step * 7.5 / fine) for step in range(12 * fine + 1)]
    right = [(half - bend + bend * sin(at), inset + bend - bend * cos(at)) for at in quarter]
    curve = [arc(step / fine, exponent) for step in range(1, 180 * fine)]
    below = [(half * x, shoulder + bottom * y) for x, y in curve]
    left = [(-x, y) for x, y in reversed(right)]
    points = [*right, (half, shoulder), *below, (-half, shoulder), *left]
    return [(round(x, ROUND), round(y, ROUND)) for x, y in points]


def cloth_edge(inset: float = 0, *, fine: int = 1) -> list[Point]:
    """The edge of the cloth, in inches, or a line this far inside it."""
    table = geometry().table
    points = edge(
        table.width - 2 * table.rail,
        table.depth - table.rail,
        shoulder=table.shoulder,
        exponent=table.exponent,
        corner=table.corner,
        inset=inset,
        fine=fine,
    )
    return [(x, max(y, 0.0)) for x, y in points]


# --- seats, to scale


def seat_frames(seats: int) -> tuple[SeatFrame, ...]:
    """Where the seats of a table are, in order of their numbers: evenly along the arc, each facing the dealer."""
    table, seat = geometry().table, geometry().seat
    half = table.width / 2 - table.rail - seat.from_rail
    bottom = table.depth - table.rail - seat.from_rail - table.shoulder
    curve = [arc(step / 4, table.exponent) for step in range(721)]
    line = [(half, seat.first), *((half * x, table.shoulder + bottom * y) for x, y in curve), (-half, seat.first)]
    line = [point for point in line if point[1] >= seat.first]
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)]
    share = sum(lengths) / seats
    middles = [_along(line, lengths, share * (number - 0.5)) for number in range(1, seats + 1)]
    ahead = [_along(line, lengths, share * (number - 0.5) + 1) for number in range(1, seats + 1)]
    behind = [_along(line, lengths, share * (number - 0.5) - 1) for number in range(1, seats + 1)]
    return tuple(_frame(*row) for row in zip(range(1, seats + 1), middles, behind, ahead, strict=True))


def _along(line: Sequence[Point], lengths: Sequence[float], distance: float) -> Point:
    for ((ax, ay), (bx, by)), length in zip(pairwise(line), lengths, strict=True):
        if distance <= length:
            part = distance / length if length else 0.0
            return ax + (bx - ax) * part, ay + (by - ay) * part
        distance -= length
    return line[-1]


def _frame(number: int, point: Point, behind: Point, ahead: Point) -> SeatFrame:
    """Between facing away from the rail, so that a row follows the edge, and facing the dealer."""
    (x, y), seat = point, geometry().seat
    to_dealer = degrees(atan2(-x, y - seat.focus))
    from_rail = degrees(atan2(behind[1] - ahead[1], behind[0] - ahead[0]))
    turn = seat.facing * to_dealer + (1 - seat.facing) * from_rail
    return SeatFrame(number, round(x, ROUND), round(y, ROUND), round(turn, ROUND) + 0.0)


def seat_spots(areas: Mapping[str, int], cards: Mapping[str, int] | None = None) -> tuple[Spot, ...]:
    """Place the areas of a seat, given with their counts, in rows beside each other.

    `cards` says how many cards an area for cards holds.
    """
    data, spots = geometry(), []
    for row in data.row:
        here = sorted((data.area_named(name) for name in areas if data.area_named(name).row == row.name), key=_order)
        sized = [
            (area, part, *_size(area, (cards or {}).get(area.name, 1)))
            for area in here
            for part in range(1, areas[area.name] + 1)
        ]
        u = -(sum(width for _, _, width, _ in sized) + row.gap * (len(sized) - 1)) / 2
        for area, part, width, height in sized:
            middle = u + width / 2
            v = row.v - row.bow * middle * middle
            spots.append(Spot(area.name, part, round(middle, ROUND), round(v, ROUND), width, height, area.shape))
            u += width + row.gap
    return tuple(spots)


def _order(area: GeometryArea) -> int:
    return area.order


def _size(area: GeometryArea, cards: int) -> tuple[float, float]:
    if area.shape != "cards":
        return area.size, area.size
    width, height = _cards_size(area, cards)
    unit = geometry().seat.unit
    return round(width / unit, ROUND), round(height / unit, ROUND)


def _cards_size(area: GeometryArea, cards: int) -> Point:
    card = geometry().card
    return card.width * (1 + (cards - 1) * area.step) + 2 * card.margin, card.height + 2 * card.margin


def print_places(seats: int, spots: Sequence[Spot]) -> tuple[tuple[int, Spot, PlacedShape], ...]:
    """Every area of every seat, to scale: its seat, its spot and its place in inches."""
    unit = geometry().seat.unit
    return tuple((frame.seat, spot, _to_table(spot, frame, unit)) for frame in seat_frames(seats) for spot in spots)


def _to_table(spot: Spot, frame: SeatFrame, unit: float) -> PlacedShape:
    x, y = _turned((spot.u * unit, -spot.v * unit), frame.turn, (frame.x, frame.y))
    width, height = round(spot.width * unit, ROUND), round(spot.height * unit, ROUND)
    return PlacedShape(x=x, y=y, width=width, height=height, turn=frame.turn, shape=spot.shape)


def _turned(point: Point, turn: float, around: Point) -> Point:
    at = radians(turn)
    x, y = point[0] * cos(at) - point[1] * sin(at), point[0] * sin(at) + point[1] * cos(at)
    return round(around[0] + x, ROUND), round(around[1] + y, ROUND)


def reach(spots: Sequence[Spot]) -> tuple[float, float, float, float]:
    """How far a seat's areas reach, in spot units: left, right, bottom, top.

    >>> reach(seat_spots({"ante": 1, "raise": 1}))
    (-1.1, 1.1, -0.5072, 0.4928)
    """
    return (
        round(min(spot.u - spot.width / 2 for spot in spots), ROUND),
        round(max(spot.u + spot.width / 2 for spot in spots), ROUND),
        round(min(spot.v - spot.height / 2 for spot in spots), ROUND),
        round(max(spot.v + spot.height / 2 for spot in spots), ROUND),
    )


# --- the dealer's side, to scale


def dealer_places(areas: Mapping[str, int], cards: Mapping[str, int]) -> Iterator[tuple[str, int, PlacedShape]]:
    """The areas before the tray, given with their counts and with the cards that each holds."""
    data = geometry()
    for line in data.line:
        here = sorted((data.area_named(name) for name in areas if data.area_named(name).row == line.name), key=_order)
        sized = [
            (area, part, *_cards_size(area, cards.get(area.name, 1)))
            for area in here
            for part in range(1, areas[area.name] + 1)
        ]
        whole = sum(width for _, _, width, _ in sized) + line.gap * (len(sized) - 1)
        x = line.x - whole / 2 if line.anchor == "center" else line.x
        for area, part, width, height in sized:
            tall = height + data.card.label
            middle = (round(x + width / 2, ROUND), round(line.y + tall / 2, ROUND))
            placed = PlacedShape(x=middle[0], y=middle[1], width=round(width, ROUND), height=round(tall, ROUND))
            yield area.name, part, placed
            x += width + line.gap


# --- whether shapes touch


def overlap(first: PlacedShape, second: PlacedShape, *, clearance: float = 0) -> bool:
    """Whether two shapes come closer than the clearance.

    >>> ring = PlacedShape(x=0, y=0, width=2, height=2, shape="ring")
    >>> beside = PlacedShape(x=2.1, y=0, width=2, height=2, shape="square")
    >>> overlap(ring, beside), overlap(ring, beside, clearance=0.2)
    (False, True)
    """
    far = (hypot(first.width, first.height) + hypot(second.width, second.height)) / 2 + clearance
    if hypot(first.x - second.x, first.y - second.y) >= far:
        return False
    return not _apart(first.corners(), second.corners(), clearance)


def _apart(first: Sequence[Point], second: Sequence[Point], clearance: float) -> bool:
    """Whether some side of one of them separates two convex polygons."""
    for polygon in (first, second):
        for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            length = hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length, (ax - bx) / length
            of_first = [x * nx + y * ny for x, y in first]
            of_second = [x * nx + y * ny for x, y in second]
            if min(of_second) - max(of_first) >= clearance or min(of_first) - max(of_second) >= clearance:
                return True
    return False


def inside(shape: PlacedShape, around: Sequence[Point]) -> bool:
    """Whether a shape lies within a convex edge."""
    sides = [
        ((ax, ay), (bx - ax, by - ay), hypot(bx - ax, by - ay))
        for (ax, ay), (bx, by) in zip(around, [*around[1:], around[0]], strict=True)
        if (ax, ay) != (bx, by)
    ]
    corners = shape.corners()
    way = 1 if sum(ax * dy - ay * dx for (ax, ay), (dx, dy), _ in sides) > 0 else -1
    return all(
        way * (dx * (y - ay) - dy * (x - ax)) >= -SLACK * length
        for (ax, ay), (dx, dy), length in sides
        for x, y in corners
    )
