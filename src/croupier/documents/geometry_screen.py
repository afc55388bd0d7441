"""The projection of a table to a screen, by seat: your own seat is at the bottom and large.

Nobody passes a neighbor: lower numbers stay on your right, higher ones on your left. Whoever only watches sees all
seats alike. Sizes follow the width and height of the felt itself. A narrow felt is tall: the other seats are a shallow
row in their true order above your own, which keeps its gap there.

>>> from croupier.documents.geometry import seat_spots
>>> seats = screen_places(3, 2, 1000, 700, spots=seat_spots({"ante": 1, "raise": 1}), cards=7)
>>> [(seat.seat, round(seat.x), seat.own) for seat in seats]
[(1, 857, False), (2, 500, True), (3, 143, False)]
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import cos, hypot, radians, sin
from typing import Final

from msgspec import Struct

from croupier.documents.geometry import ROUND, Point, Spot, arc, edge, reach
from croupier.documents.geometry_data import Most, geometry

__all__ = ["ScreenSeat", "screen_edge", "screen_places", "screen_spot"]

SHRINK: Final = 0.95
"""By how much the other seats shrink until none touches another."""
SMALLEST: Final = 0.15
FINE: Final = 112
MOST_SHOWN: Final = 3.6
"""Hands of more cards than this overlap more."""


class SeatContents(Struct, frozen=True):
    """What is shown at every seat: its spots and how many cards, and how much smaller at the others'."""

    spots: Sequence[Spot]
    cards: int
    scale: float = 1.0


class ScreenSeat(Struct, frozen=True, kw_only=True):
    """A seat on the screen, in pixels: where its spots have their origin, and the box that is its own."""

    seat: int
    x: float
    y: float
    turn: float
    own: bool
    unit: float
    """Pixels in a spot unit; 0 where spots are not shown."""
    card: float
    """The width of a card."""
    left: float
    top: float
    right: float
    bottom: float

    def touches(self, other: ScreenSeat, space: float = 0) -> bool:
        """Whether two boxes come closer than this."""
        return not (
            self.right + space <= other.left
            or other.right + space <= self.left
            or self.bottom + space <= other.top
            or other.bottom + space <= self.top
        )


def screen_edge(width: float, height: float, inset: float = 0) -> list[Point]:
    """The table's edge on the felt, from its upper left corner."""
    table, screen = geometry().table, geometry().screen
    points = edge(
        width,
        height,
        shoulder=height * screen.center_y,
        exponent=table.exponent,
        corner=min(26.0, width * 0.04),
        inset=inset,
    )
    return [(x + width / 2, y) for x, y in points]


def screen_spot(spot: Spot, seat: ScreenSeat) -> tuple[float, float, float]:
    """Where a spot of a seat lies, in pixels: the middle and the size."""
    at, x, y = radians(seat.turn), spot.u * seat.unit, -spot.v * seat.unit
    right, down = x * cos(at) - y * sin(at), x * sin(at) + y * cos(at)
    return round(seat.x + right, 1), round(seat.y + down, 1), round(spot.width * seat.unit, 1)


def screen_places(
    seats: int, own_seat: int | None, width: float, height: float, *, spots: Sequence[Spot], cards: int
) -> tuple[ScreenSeat, ...]:
    """Where every seat lies on a felt of this size, in order of number; `own_seat` is None for who only watches.

    `spots` are the areas of a seat and `cards` the cards of a hand: no two seats touch.
    """
    wagers = [spot for spot in spots if spot.shape != "cards"]
    shown = SeatContents(wagers, cards)
    while True:
        placed = _placed(seats, own_seat, (width, height), shown)
        touching = any(seat.touches(other, geometry().screen.space) for seat, other in combinations(placed, 2))
        if not touching or shown.scale < SMALLEST:
            return placed
        shown = SeatContents(wagers, cards, shown.scale * SHRINK)


def _placed(seats: int, own_seat: int | None, felt: Point, shown: SeatContents) -> tuple[ScreenSeat, ...]:
    tall = felt[0] < geometry().screen.tall_below
    places = []
    for seat, (x, y, turn) in enumerate(_row(seats, felt) if tall else _around(seats, own_seat, felt), 1):
        if seat == own_seat:
            places.append(_own(seat, seats, felt, shown))
        elif tall:
            places.append(_in_row(seat, (x, y), felt[0] / seats, shown))
        else:
            places.append(_other(seat, (x, y, turn), felt, shown))
    return tuple(places)


def _row(seats: int, felt: Point) -> list[tuple[float, float, float]]:
    """On a tall felt: seat 1 on the right, the last on the left."""
    step, screen = felt[0] / seats, geometry().screen
    across = [felt[0] - step * (seat - 0.5) for seat in range(1, seats + 1)]
    return [(x, screen.strip + screen.bow * (1 - (2 * x / felt[0] - 1) ** 2), 0.0) for x in across]


def _around(seats: int, own_seat: int | None, felt: Point) -> list[tuple[float, float, float]]:
    screen = geometry().screen
    if own_seat is None:
        angles = _spread(seats, *screen.alike)
    else:
        before, after = own_seat - 1, seats - own_seat
        turned = _lean(seats, own_seat) * screen.lean_turn
        right = _spread(before, screen.right[0] - turned, screen.right[1] if before > 2 else screen.few[0])
        left = _spread(after, screen.left[0] - turned, screen.left[1] if after > 2 else screen.few[1])
        angles = [*reversed(_evened(right, felt)), 90.0, *_evened(left, felt)]
    return [(*_on_arc(angle, felt), (angle - 90) * screen.turn) for angle in angles]


def _lean(seats: int, own_seat: int) -> float:
    """How far your seat moves toward its emptier side, where the other is crowded: 1 is all the way to the right."""
    before, after = own_seat - 1, seats - own_seat
    return (after - before) / (seats - 1) if max(before, after) > geometry().screen.in_line else 0.0


def _on_arc(angle: float, felt: Point) -> Point:
    screen, (x, y) = geometry().screen, arc(angle, geometry().table.exponent)
    across, down = 0.5 + screen.radius_x * x, screen.center_y + screen.radius_y * y
    return round(felt[0] * across, ROUND), round(felt[1] * down, ROUND)


def _evened(angles: Sequence[float], felt: Point) -> list[float]:
    """The angles of a side; of more seats than stand in line by angle, those that are equally far apart."""
    if len(angles) <= geometry().screen.in_line:
        return list(angles)
    fine = [angles[0] + (angles[-1] - angles[0]) * step / FINE for step in range(FINE + 1)]
    points = [_on_arc(angle, felt) for angle in fine]
    along = [0.0]
    for (ax, ay), (bx, by) in pairwise(points):
        along.append(along[-1] + hypot(bx - ax, by - ay))
    wanted = [along[-1] * place / (len(angles) - 1) for place in range(len(angles))]
    return [fine[min(range(FINE + 1), key=lambda at: abs(along[at] - distance))] for distance in wanted]


def _spread(count: int, nearest: float, farthest: float) -> list[float]:
    if count == 1:
        return [(nearest + farthest) / 2]
    return [nearest + (farthest - nearest) * place / (count - 1) for place in range(count)]


def _least(most: Most, felt: Point) -> float:
    pixels, of_height, of_width = most
    bounds = [felt[1] * of_height] * bool(of_height) + [felt[0] * of_width] * bool(of_width)
    return min([pixels, *bounds])


def _own(seat: int, seats: int, felt: Point, shown: SeatContents) -> ScreenSeat:
    screen, (width, height) = geometry().screen, felt
    tall = width < screen.tall_below
    x = width * (0.5 if tall else 0.5 + screen.lean * _lean(seats, seat))
    unit = _least(screen.own_unit_tall if tall else screen.own_unit, felt)
    card = _least(screen.own_card_tall if tall else screen.own_card, felt)
    left, right, bottom, top = reach(shown.spots)
    foot = screen.foot_tall if tall else screen.foot
    unit = min(unit, width * 0.96 / (right - left))
    y = height - foot - card * screen.card_ratio - 30 + bottom * unit
    half = max(_hand(card, shown.cards) / 2, (right - left) * unit / 2)
    half = min(half, width / 2)
    return ScreenSeat(
        seat=seat,
        x=round(x, 1),
        y=round(y, 1),
        turn=0.0,
        own=True,
        unit=unit,
        card=card,
        left=round(x - half, 1),
        top=round(y - top * unit, 1),
        right=round(x + half, 1),
        bottom=height,
    )


def _other(seat: int, place: tuple[float, float, float], felt: Point, shown: SeatContents) -> ScreenSeat:
    screen, (x, y, turn) = geometry().screen, place
    unit, card = _least(screen.other_unit, felt) * shown.scale, _least(screen.other_card, felt) * shown.scale
    bare = ScreenSeat(seat=seat, x=x, y=y, turn=turn, own=False, unit=unit, card=card, left=x, top=y, right=x, bottom=y)
    spots = [screen_spot(spot, bare) for spot in shown.spots]
    half = _hand(card, shown.cards) / 2
    return ScreenSeat(
        seat=seat,
        x=x,
        y=y,
        turn=round(turn, 1),
        own=False,
        unit=round(unit, 2),
        card=round(card, 2),
        left=round(min([x - half, *(spot[0] - spot[2] / 2 for spot in spots)]), 1),
        top=round(min(spot[1] - spot[2] / 2 for spot in spots), 1),
        right=round(max([x + half, *(spot[0] + spot[2] / 2 for spot in spots)]), 1),
        bottom=round(
            max(spot[1] + spot[2] / 2 for spot in spots) + card * screen.card_ratio + screen.tag * shown.scale, 1
        ),
    )


def _in_row(seat: int, place: Point, step: float, shown: SeatContents) -> ScreenSeat:
    screen, (x, y) = geometry().screen, place
    card = min(screen.other_card_tall[0], step * 0.84 / min(shown.cards, MOST_SHOWN)) * shown.scale
    half = (step - screen.space) / 2
    return ScreenSeat(
        seat=seat,
        x=x,
        y=y,
        turn=0.0,
        own=False,
        unit=0.0,
        card=round(card, 2),
        left=x - half,
        top=y,
        right=x + half,
        bottom=y + card * screen.card_ratio + 2 * screen.tag,
    )


def _hand(card: float, cards: int) -> float:
    """The width of a hand: cards beside each other, or overlapping where there are many."""
    return card * (cards * 1.08 if cards <= MOST_SHOWN else 0.88 * (1 + (cards - 1) * 0.5))
