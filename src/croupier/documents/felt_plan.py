"""Where things lie on a felt in the browser: the printed layout's rows, placed for one seat on one kind of screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap
from typing import Final

from msgspec import Struct

from croupier.documents.geometry import Spot, seat_spots
from croupier.documents.geometry_data import geometry
from croupier.documents.geometry_screen import ScreenSeat, screen_edge, screen_places
from croupier.documents.layout_inscriptions import inscriptions
from croupier.documents.layout_needs import AreaNeed, area_needs
from croupier.games import card_counts
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Slot, WagerName

__all__ = ["FeltPlan", "FeltSlot", "FeltSpot", "felt_layout"]

WIDE, TALL = (1200.0, 740.0), (390.0, 586.0)
_PLANS: Final[dict[tuple[str, int | None, bool], FeltPlan]] = {}
_KEPT: Final = 500
_NARROW: Final = 54
"""Letters of an inscription that a narrow felt has room for."""
_MANY_LINES: Final = 3
_AMPLE: Final = 150.0
"""How high the place of many inscriptions is where they need not stand close together."""
_LABEL: Final = 82.0
"""Pixels of the longest label of a box on a narrow felt."""
_TRAY: Final = ((1000, 5), (500, 8), (100, 16), (25, 18), (5, 18), (5, 14), (1, 17))


class FeltSpot(Struct, frozen=True):
    """An area of a seat, and the wager that it is for."""

    spot: Spot
    wager: WagerName
    label: str


class FeltSlot(Struct, frozen=True, kw_only=True):
    """A place for one of the dealer's cards, from its upper left corner."""

    slot: Slot
    x: float
    y: float
    width: float
    label: str = ""
    span: float = 0
    """How wide the area is that the label is for, where that is more than this card."""


class FeltPlan(Struct, frozen=True, kw_only=True):
    """Where things lie on one house's felt, for one seat."""

    width: float
    height: float
    tall: bool
    edge: str
    inner: str
    line: str
    seats: tuple[ScreenSeat, ...]
    spots: tuple[FeltSpot, ...]
    slots: tuple[FeltSlot, ...]
    hand: int
    """Cards of a player's hand."""
    cloth: str
    operator: str
    inscribed: tuple[str, ...]
    print_at: tuple[float, float]
    """From where to where the operator's name and the inscriptions have room."""
    meter_at: tuple[float, float]
    tray: tuple[tuple[int, float, float, float], ...]
    """Tubes of the tray: the chip, where it begins, how wide it is, how far it is filled."""

    @property
    def room(self) -> float:
        """How high the place of the operator's name and the inscriptions is."""
        return self.print_at[1] - self.print_at[0]

    @property
    def is_crowded(self) -> bool:
        """Whether the inscriptions stand close together."""
        return len(self.inscribed) > _MANY_LINES and self.room < _AMPLE

    @property
    def lines(self) -> tuple[str, ...]:
        """The inscriptions, where all of them have room; none of them otherwise."""
        apart, name = (16, 20) if self.tall else (15, 24) if self.is_crowded else (21, 24)
        return self.inscribed if self.room - name >= apart * len(self.inscribed) else ()


# --- where things lie


def felt_layout(house: HouseRules, own: int | None, *, tall: bool) -> FeltPlan:
    """The plan of a house's felt with this seat at the bottom, or with all seats alike."""
    key = (house.hash, own, tall)
    if key not in _PLANS:
        if len(_PLANS) >= _KEPT:
            _PLANS.clear()
        _PLANS[key] = _plan(house, own, TALL if tall else WIDE, tall=tall)
    return _PLANS[key]


def _plan(house: HouseRules, own: int | None, size: tuple[float, float], *, tall: bool) -> FeltPlan:
    width, height = size
    needs = area_needs(house)
    at_seat = {need.name: need.count for need in needs if need.place == "seat"}
    cards = {need.name: need.cards for need in needs}
    hand = card_counts(house)["player"]
    spots = seat_spots(at_seat, cards)
    seats = screen_places(house.seats, own, width, height, spots=spots, cards=hand)
    slots = tuple(_slots(needs, width, tall=tall))
    told = 14 if any(slot.slot == "dealer" for slot in slots) else 0  # what the dealer's hand makes stands below it
    top = max((slot.y + slot.width * 1.4 for slot in slots), default=90.0) + 24 + told
    if tall:  # the other seats are a row below the dealer's cards
        top = max([top, *(seat.bottom - 6 for seat in seats if not seat.own)])
    bottom = min((seat.top - 38 for seat in seats if seat.own), default=height * (0.95 if tall else 0.62))
    return FeltPlan(
        width=width,
        height=height,
        tall=tall,
        edge=_path(_edge(width, height, 0, tall=tall)),
        inner=_path(_edge(width, height, 13, tall=tall)),
        line=_path(_edge(width, height, 22, tall=tall)),
        seats=seats,
        spots=tuple(_spots(spots)),
        slots=slots,
        hand=hand,
        cloth=_cloth(house),
        operator=house.operator,
        inscribed=tuple(
            line
            for each in inscriptions(house)
            if each.purpose != "sign"
            for line in (_lines(each.text) if tall else (each.text,))
        ),
        print_at=(top, bottom),
        meter_at=(12.0, 10.0) if tall else (min((slot.x for slot in slots), default=400.0) - 204, 84.0),
        tray=() if tall else tuple(_tubes(width)),
    )


def _edge(width: float, height: float, inset: float, *, tall: bool) -> Sequence[tuple[float, float]]:
    """The table's edge; a narrow screen is all cloth."""
    if tall:
        return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    return screen_edge(width, height, inset)


def _lines(text: str) -> list[str]:
    """An inscription in lines of about the same length, for a narrow felt."""
    return wrap(text, len(text) // ceil(len(text) / _NARROW) + 8)


def _cloth(house: HouseRules) -> str:
    cloths, game = geometry().cloth, house.rulebook.source.game
    return next((cloth.name for cloth in cloths if game in cloth.games), cloths[0].name)


def _spots(spots: Sequence[Spot]) -> Iterator[FeltSpot]:
    for spot in spots:
        row = geometry().area_named(spot.name)
        wager = row.wager(spot.part)
        if wager is not None and spot.shape in {"ring", "square", "device"}:
            yield FeltSpot(spot, wager, row.label(spot.part))


def _slots(needs: Sequence[AreaNeed], width: float, *, tall: bool) -> Iterator[FeltSlot]:
    """The dealer's areas: those of the board in the middle, boxes to their right."""
    rows = [(need, geometry().area_named(need.name)) for need in needs if need.place == "dealer"]
    board = sorted((pair for pair in rows if pair[1].row == "board"), key=lambda pair: pair[1].order)
    box = [pair for pair in rows if pair[1].row != "board"]
    many = sum(need.count * need.cards for need, _ in board) > 4
    card = (42.0 if many else 60.0) if tall else (58.0 if many else 84.0)
    gap, y = (5.0 if tall else 10.0), (66.0 if tall else 78.0)
    cells = [(row, place) for need, row in board for place in range(need.count * need.cards)]
    x = (width - len(cells) * card - (len(cells) - 1) * gap) / 2
    for row, place in cells:
        single = len(row.labels) == 1 and sum(1 for other, _ in cells if other is row) > 1
        label = "" if single else row.label(place + 1)
        yield FeltSlot(slot=row.slot or "community", x=x, y=y, width=card, label=label)
        x += card + gap
    small = 26.0 if tall else 50.0
    for need, row in box:
        step = small * (0.62 if tall else 0.6)
        span = small + step * (need.cards - 1)
        left = width - 14 - max(span, _LABEL) / 2 - span / 2 if tall else max(x + 40, width * 0.72)
        for place in range(need.cards):
            label = row.label(1) if place == 0 else ""
            yield FeltSlot(slot=row.slot or "dealer", x=left + place * step, y=y, width=small, label=label, span=span)


def _tubes(width: float) -> Iterator[tuple[int, float, float, float]]:
    wide = min(420.0, width * 0.44)
    each = (wide - 24) / len(_TRAY)
    for place, (value, full) in enumerate(_TRAY):
        yield value, round((width - wide) / 2 + 12 + place * each, 1), round(each - 5, 1), full / 20


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"
