"""The layout of a table as a value: every area that a submission needs, to scale, and none that it does not.

Areas come from the rulebook's `table.toml`. Where a document says nothing of layouts, they are derived from the wagers
offered and from the deal, by the rows `derived` of `geometry.toml`. Places are in inches; `layout_drawing` draws them.

>>> from croupier.rulebook import check, read_submission
>>> house = check(read_submission({"rulebook": "md-high-card-flush", "operator": "Harbor House", "seats": 2})).rules()
>>> drawn = layout(house, Particulars())
>>> [(area.name, area.seat, area.clause) for area in drawn.areas][:4]
[('ante', 1, '2.B(2)'), ('raise', 1, '2.B(2)'), ('ante', 2, '2.B(2)'), ('raise', 2, '2.B(2)')]
>>> all(row.fulfilled for row in check_list(drawn))
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from croupier.documents.geometry import PlacedShape, dealer_places, print_places, seat_spots
from croupier.documents.geometry_data import BoxOnCloth, ClothColors, GeometryDevice, geometry
from croupier.documents.layout_inscriptions import Inscription, inscriptions
from croupier.documents.layout_needs import AreaNeed, area_needs, attested
from croupier.documents.particulars import Particulars
from croupier.documents.sign import Sign, sign_of
from croupier.documents.sign_check import is_of_limit, sign_lacks
from croupier.present import counted, listed
from croupier.rulebook import HouseRules
from croupier.rulebook.names import LayoutPlace, WagerName
from croupier.rulebook.schema import Cited

__all__ = [
    "AreaNeed",
    "Inscription",
    "Layout",
    "LayoutArea",
    "LayoutCheck",
    "LayoutDevice",
    "area_needs",
    "check_list",
    "layout",
]


class LayoutArea(Struct, frozen=True, kw_only=True):
    """One area on the cloth."""

    name: str
    part: int
    seat: int | None
    wager: WagerName | None
    label: str
    """What is printed in it."""
    shape: PlacedShape
    clause: str
    reading: int | None = None
    cards: int = 0


class LayoutDevice(Struct, frozen=True, kw_only=True):
    """A device or box on the dealer's side; `clause` is empty where the document names none."""

    name: str
    shape: PlacedShape
    clause: str = ""


class Layout(Struct, frozen=True, kw_only=True):
    """A table as it is drawn for approval."""

    house: HouseRules
    particulars: Particulars
    needs: tuple[AreaNeed, ...]
    areas: tuple[LayoutArea, ...]
    devices: tuple[LayoutDevice, ...]
    inscriptions: tuple[Inscription, ...]
    cloth: ClothColors


class LayoutCheck(Struct, frozen=True, kw_only=True):
    """A line of the check list: what a clause wants, what the layout has, and whether that is enough."""

    clause: str
    reading: int | None
    wants: str
    has: str
    fulfilled: bool
    also: tuple[str, ...] = ()


def layout(house: HouseRules, particulars: Particulars) -> Layout:
    """Lay out a table for a house."""
    needs = area_needs(house)
    return Layout(
        house=house,
        particulars=particulars,
        needs=needs,
        areas=tuple(_areas(house, needs)),
        devices=tuple(_devices(house)),
        inscriptions=inscriptions(house),
        cloth=_cloth(house),
    )


def _cloth(house: HouseRules) -> ClothColors:
    game, cloths = house.rulebook.source.game, geometry().cloth
    return next((cloth for cloth in cloths if game in cloth.games), cloths[0])


# --- where they lie


def _areas(house: HouseRules, needs: tuple[AreaNeed, ...]) -> Iterator[LayoutArea]:
    by_name = {need.name: need for need in needs}
    cards = {need.name: need.cards for need in needs}
    at_seat = {need.name: need.count for need in needs if need.place == "seat"}
    before_tray = {need.name: need.count for need in needs if need.place == "dealer"}
    for seat, spot, shape in print_places(house.seats, seat_spots(at_seat, cards)):
        yield _area(by_name[spot.name], spot.part, seat, shape)
    for name, part, shape in dealer_places(before_tray, cards):
        yield _area(by_name[name], part, None, shape)
    for need in needs:
        if need.place == "table":
            yield _area(need, 1, None, _box(geometry().name, "name"), label=house.operator)


def _area(need: AreaNeed, part: int, seat: int | None, shape: PlacedShape, label: str = "") -> LayoutArea:
    row = geometry().area_named(need.name)
    return LayoutArea(
        name=need.name,
        part=part,
        seat=seat,
        wager=row.wager(part),
        label=label or need.inscription or row.label(part),
        shape=shape,
        clause=need.clause,
        reading=need.reading,
        cards=need.cards if row.slot else 0,
    )


def _box(box: BoxOnCloth, shape: Literal["name", "cards"] = "cards", x: float | None = None) -> PlacedShape:
    middle = box.x if x is None else x
    return PlacedShape(x=middle, y=box.y + box.height / 2, width=box.width, height=box.height, shape=shape)


def _devices(house: HouseRules) -> Iterator[LayoutDevice]:
    for device in geometry().device:
        fits = (not device.deal or house.deal in device.deal) and (
            not device.shuffle or house.shuffle in device.shuffle
        )
        if fits and (device.offered is None or house.wager(device.offered)):
            x = next((aside.x for aside in device.aside if house.deal in aside.deal), None)
            cited = _device_clause(house, device)
            yield LayoutDevice(name=device.name, shape=_box(device, x=x), clause=cited.clause if cited else "")


def _device_clause(house: HouseRules, device: GeometryDevice) -> Cited | None:
    """The clause that has a device there: that of the dealing method or shuffle it serves, or of its attestation."""
    table = house.rulebook.table
    match device.serves:
        case "deal":
            return next(row for row in table.deal if row.method == house.deal)
        case "shuffle":
            return next(row for row in table.shuffle if row.method == house.shuffle)
    return attested(house, device.attested) if device.attested else None


# --- the check list


def check_list(drawn: Layout) -> tuple[LayoutCheck, ...]:
    """Every clause of this rulebook about its layout, with what the layout has for it."""
    return (*_area_checks(drawn), *_notice_checks(drawn), *_device_checks(drawn))


def _area_checks(drawn: Layout) -> Iterator[LayoutCheck]:
    house, needs = drawn.house, {need.name: need for need in drawn.needs}
    for area in house.rulebook.table.area:
        need = needs.get(area.name)
        if need is not None:
            yield _area_check(drawn, need)
        else:
            have = sum(placed.name == area.name for placed in drawn.areas)
            has = f"not offered, {counted(have, 'area') if have else 'so none'}"
            wants = _wanted(area.name, area.count, area.place, area.inscription)
            yield _check(area, wants, has, fulfilled=not have)
    yield from (_area_check(drawn, need) for need in drawn.needs if need.derived)


def _area_check(drawn: Layout, need: AreaNeed) -> LayoutCheck:
    here = [area for area in drawn.areas if area.name == need.name]
    places: set[int | None] = set(range(1, drawn.house.seats + 1)) if need.place == "seat" else {None}
    per_place = Counter(area.seat for area in here)
    enough = set(per_place) == places and set(per_place.values()) == {need.count}
    inscribed = all(need.inscription in area.label for area in here)
    if need.place == "table":
        inscribed = all(area.label or drawn.particulars.logo for area in here)
    at = f" at {counted(len(per_place), 'seat')}" if need.place == "seat" else ""
    wants = _wanted(need.name, need.count, need.place, need.inscription)
    return LayoutCheck(
        clause=need.clause,
        also=need.also,
        reading=need.reading,
        wants=wants + " (derived)" * need.derived,
        has=f"{counted(len(here), 'area')}{at}",
        fulfilled=enough and inscribed,
    )


def _wanted(name: str, count: int, place: LayoutPlace, inscription: str) -> str:
    where = {"seat": "at each seat", "dealer": "before the tray", "table": "on the cloth"}[place]
    number = f", {counted(count, 'area')}" if count > 1 else ""
    inscribed = f', inscribed "{inscription}"' if inscription else ""
    return f"{name} {where}{number}{inscribed}"


def _check(cited: Cited, wants: str, has: str, *, fulfilled: bool) -> LayoutCheck:
    return LayoutCheck(
        clause=cited.clause, also=cited.also, reading=cited.reading, wants=wants, has=has, fulfilled=fulfilled
    )


def _notice_checks(drawn: Layout) -> Iterator[LayoutCheck]:
    printed = {text.clause for text in drawn.inscriptions}
    posted = sign_of(drawn.house, drawn.particulars)
    for notice in drawn.house.rulebook.table.notice:
        if notice.offered is not None and drawn.house.wager(notice.offered) is None:
            yield _check(notice, notice.says, "not offered", fulfilled=True)
        elif notice.sign_instead:
            has, fulfilled = _posted(drawn, posted, notice.says)
            yield _check(notice, notice.says, has, fulfilled=fulfilled)
        else:
            has = "inscribed on the cloth" if notice.clause in printed else "not inscribed"
            yield _check(notice, notice.says, has, fulfilled=notice.clause in printed)


def _posted(drawn: Layout, posted: Sign, wanted: str) -> tuple[str, bool]:
    """What the sign has of a notice: the sign itself is looked at, not only that the cloth refers to it."""
    if is_of_limit(wanted) and drawn.house.payout_limit is None:
        return "no limit is submitted", True
    if is_of_limit(wanted) and any(text.purpose == "limit" for text in drawn.inscriptions):
        return "inscribed on the cloth", True
    lacking = sign_lacks(drawn.house, posted, wanted)
    if lacking:
        return f"the posted sign lacks {listed(lacking)}", False
    if not any(text.purpose == "sign" for text in drawn.inscriptions):
        return "on the posted sign, to which nothing refers", False
    return "on the posted sign, to which the cloth refers", True


def _device_checks(drawn: Layout) -> Iterator[LayoutCheck]:
    at = {device.name: device for device in drawn.devices}
    for row in geometry().device:
        cited = _device_clause(drawn.house, row)
        if cited is not None and row.name in at:
            side = "left" if at[row.name].shape.x > 0 else "right"
            yield _check(cited, row.name, f"on the dealer's {side}", fulfilled=True)
