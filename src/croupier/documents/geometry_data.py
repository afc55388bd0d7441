"""The rows of `geometry.toml`, typed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from croupier.errors import Malformed
from croupier.rulebook.names import Attested, Deal, Game, Shuffle, Slot, WagerName

__all__ = ["CardSize", "ClothColors", "Geometry", "GeometryArea", "GeometryDevice", "ScreenSizes", "Shape", "geometry"]

Shape: TypeAlias = Literal["ring", "square", "device", "lamp", "cards", "name"]
"""A ring for a main wager, a square on its corner for a side wager, the device of a progressive and its light."""
Most: TypeAlias = tuple[float, float, float]
"""Pixels at most, of the height, of the width; 0 sets no bound."""


class GeometryRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything in the file."""


class TableSize(GeometryRow, frozen=True, kw_only=True):
    """The table, in inches."""

    width: float
    depth: float
    rail: float
    shoulder: float
    exponent: float
    corner: float
    margin: float


class SeatSize(GeometryRow, frozen=True, kw_only=True):
    """How seats lie along the arc, in inches."""

    unit: float
    from_rail: float
    first: float
    focus: float
    facing: float
    clearance: float


class FigureSource(GeometryRow, frozen=True, kw_only=True):
    """Where figures come from."""

    figures: tuple[str, ...]
    says: str
    origin: str = msgspec.field(name="from")
    also: tuple[str, ...] = ()


class CardSize(GeometryRow, frozen=True, kw_only=True):
    """A card and the room around it, in inches."""

    width: float
    height: float
    margin: float
    label: float


class SeatRow(GeometryRow, frozen=True, kw_only=True):
    """A row of areas at a seat, in spot units."""

    name: str
    v: float
    gap: float
    bow: float = 0.0


class DealerLine(GeometryRow, frozen=True, kw_only=True):
    """A line of areas before the tray, in inches."""

    name: str
    x: float
    y: float
    gap: float
    anchor: Literal["center", "left"]


class GeometryArea(GeometryRow, frozen=True, kw_only=True):
    """The one row of an area: where it stands in its row, its shape, and what it is for."""

    name: str
    row: str
    shape: Shape
    order: int = 0
    size: float = 1.0
    step: float = 1.0
    """From card to card, in widths of a card."""
    wagers: tuple[WagerName, ...] = ()
    """One for each of its parts."""
    accepts: WagerName | None = None
    """The wager that this device accepts."""
    slot: Slot | None = None
    labels: tuple[str, ...] = ()
    """One for each of its parts."""

    def label(self, part: int) -> str:
        """What is printed in its part, where no document says so."""
        return self.labels[part - 1] if part <= len(self.labels) else ""

    def wager(self, part: int) -> WagerName | None:
        """The wager of its part."""
        return self.wagers[part - 1] if part <= len(self.wagers) else None


class DerivedAreas(GeometryRow, frozen=True, kw_only=True):
    """What a table needs where its document has no layout."""

    areas: tuple[str, ...]
    slot: Slot | None = None
    cards: int | None = None


class BoxOnCloth(GeometryRow, frozen=True, kw_only=True):
    """A rectangle on the cloth: the middle of its upper edge, and its size."""

    x: float
    y: float
    width: float
    height: float


class InscriptionBox(BoxOnCloth, frozen=True, kw_only=True):
    """Where inscriptions stand, and in which type."""

    largest: float
    line: float


class DeviceAside(GeometryRow, frozen=True, kw_only=True):
    """Where a device goes instead, with these dealing methods."""

    deal: tuple[Deal, ...]
    x: float


class GeometryDevice(BoxOnCloth, frozen=True, kw_only=True):
    """A device or box on the dealer's side, and when there is one."""

    name: str
    serves: Literal["deal", "shuffle"] | None = None
    """Whose clause it has: that of the dealing method or of the shuffle."""
    attested: Attested | None = None
    """Or that of what is attested before the table opens."""
    deal: tuple[Deal, ...] = ()
    shuffle: tuple[Shuffle, ...] = ()
    offered: WagerName | None = None
    aside: tuple[DeviceAside, ...] = ()


class ClothColors(GeometryRow, frozen=True, kw_only=True):
    """The colors of the cloth of some games."""

    games: tuple[Game, ...]
    name: str
    deep: str
    middle: str
    lit: str


class ScreenSizes(GeometryRow, frozen=True, kw_only=True):
    """What the projection to the screen follows."""

    tall_below: float
    radius_x: float
    radius_y: float
    center_y: float
    turn: float
    alike: tuple[float, float]
    right: tuple[float, float]
    left: tuple[float, float]
    few: tuple[float, float]
    in_line: int
    lean: float
    lean_turn: float
    own_unit: Most
    own_unit_tall: Most
    other_unit: Most
    own_card: Most
    own_card_tall: Most
    other_card: Most
    other_card_tall: Most
    card_ratio: float
    tag: float
    foot: float
    foot_tall: float
    strip: float
    bow: float
    space: float


class Geometry(GeometryRow, frozen=True, kw_only=True, dict=True):
    """The whole file."""

    source: tuple[FigureSource, ...]
    table: TableSize
    seat: SeatSize
    card: CardSize
    row: tuple[SeatRow, ...]
    line: tuple[DealerLine, ...]
    area: tuple[GeometryArea, ...]
    derived: tuple[DerivedAreas, ...]
    name: BoxOnCloth
    inscriptions: InscriptionBox
    device: tuple[GeometryDevice, ...]
    cloth: tuple[ClothColors, ...]
    screen: ScreenSizes

    def area_named(self, name: str) -> GeometryArea:
        """The row of an area; an area that a rulebook names needs one."""
        area = next((row for row in self.area if row.name == name), None)
        if area is None:
            known = ", ".join(repr(row.name) for row in self.area)
            raise Malformed(f"geometry.toml has no row for the area {name!r}; it has {known}")
        return area


@cache
def geometry() -> Geometry:
    """The rows that come with Croupier."""
    text = files("croupier.documents").joinpath("geometry.toml").read_text()
    try:
        return msgspec.toml.decode(text, type=Geometry)
    except msgspec.ValidationError as error:
        raise Malformed(f"geometry.toml: {error}") from None
