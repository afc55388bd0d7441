"""A table as a small picture of itself: its edge, its cloth, and which seats are taken, open or one's own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from croupier.documents import felt_layout, screen_edge, screen_places
from croupier.rulebook import HouseRules

__all__ = ["SmallFelt", "SmallSeat", "small_felt"]

WIDTH, HEIGHT = 1200.0, 560.0
_DEEPER: Final = 1.12
"""Seats lie on a somewhat deeper table than is shown: the picture ends just below them."""
_PLACES: Final[dict[str, tuple[tuple[int, float, float], ...]]] = {}
_KEPT: Final = 500


class SmallSeat(Struct, frozen=True):
    """A seat in the picture."""

    seat: int
    x: float
    y: float
    state: str
    """`open`, `taken`, or `own`."""


class SmallFelt(Struct, frozen=True, kw_only=True):
    """The picture of a table."""

    width: float
    height: float
    edge: str
    line: str
    cloth: str
    seats: tuple[SmallSeat, ...]


def small_felt(house: HouseRules, taken: Collection[int], own: Collection[int]) -> SmallFelt:
    """The picture of a table with these seats taken, and these by whoever looks at it."""
    return SmallFelt(
        width=WIDTH,
        height=HEIGHT,
        edge=_path(0),
        line=_path(30),
        cloth=felt_layout(house, None, tall=False).cloth,
        seats=tuple(
            SmallSeat(seat, x, y, "own" if seat in own else "taken" if seat in taken else "open")
            for seat, x, y in _places(house)
        ),
    )


def _places(house: HouseRules) -> tuple[tuple[int, float, float], ...]:
    if house.hash not in _PLACES:
        if len(_PLACES) >= _KEPT:
            _PLACES.clear()
        plan = felt_layout(house, None, tall=False)
        spots = [each.spot for each in plan.spots]
        seats = screen_places(house.seats, None, WIDTH, HEIGHT * _DEEPER, spots=spots, cards=plan.hand)
        _PLACES[house.hash] = tuple((seat.seat, round(seat.x, 1), round(seat.y, 1)) for seat in seats)
    return _PLACES[house.hash]


def _path(inset: float) -> str:
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in screen_edge(WIDTH, HEIGHT, inset)) + "Z"
