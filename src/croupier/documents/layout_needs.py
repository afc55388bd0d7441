"""Which areas a table must have: those of its document, or where it has no layout those that wagers and deal need."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from croupier.documents.geometry_data import geometry
from croupier.games import card_counts, deal_order
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Attested, LayoutPlace, Slot, WagerName
from croupier.rulebook.schema import Cited

__all__ = ["AreaNeed", "area_needs", "attested"]


class AreaNeed(Struct, frozen=True, kw_only=True):
    """An area that a table must have: how many at each place, and by which clause."""

    name: str
    place: LayoutPlace
    count: int
    clause: str
    also: tuple[str, ...] = ()
    reading: int | None = None
    inscription: str = ""
    """What the document wants inscribed in it."""
    offered: WagerName | None = None
    derived: bool = False
    """Whether it follows from the wagers and the deal, because the document has no layout."""
    cards: int = 1
    """How many cards it holds."""


def area_needs(house: HouseRules) -> tuple[AreaNeed, ...]:
    """Every area that this house's table must have, in the document's order."""
    dealt = Counter(card_counts(house))
    needs = [
        AreaNeed(
            name=area.name,
            place=area.place,
            count=area.count,
            clause=area.clause,
            also=area.also,
            reading=area.reading,
            inscription=area.inscription,
            offered=area.offered,
        )
        for area in house.rulebook.table.area
        if area.offered is None or house.wager(area.offered)
    ]
    needs += _derived_wagers(house, {need.name for need in needs})
    needs += _derived_places(house, needs, dealt)
    return tuple(_holding(need, needs, dealt) for need in needs)


def _derived_wagers(house: HouseRules, named: set[str]) -> Iterator[AreaNeed]:
    """An area for each wager that no area of the document is for, and for the device that accepts it."""
    for wager in house.rulebook.wagers.wager:
        rows = [row for row in geometry().area if wager.name in row.wagers]
        if house.wager(wager.name) is None or any(row.name in named for row in rows):
            continue
        if rows:
            yield _derived(rows[0].name, "seat", wager, count=len(rows[0].wagers))
        for row in geometry().area:
            if row.accepts == wager.name and wager.registered and row.name not in named:
                yield _derived(row.name, "seat", wager.registered)


def _derived_places(house: HouseRules, needs: list[AreaNeed], dealt: Counter[Slot]) -> Iterator[AreaNeed]:
    """An area for each place that cards are dealt to without one, and the operator's name."""
    named = {need.name for need in needs}
    places = deal_order(house, seats=[1])
    for row in geometry().derived:
        areas = [geometry().area_named(name) for name in row.areas]
        if row.slot is None:
            cited = attested(house, "layout") or house.rulebook.table.seats
            yield from (_derived(area.name, "table", cited) for area in areas if area.name not in named)
        elif dealt[row.slot] and row.cards in {None, dealt[row.slot]} and row.slot not in _slots(named):
            clause = next(place.clause for place in places if place.slot == row.slot)
            for area in areas:
                yield _derived(area.name, "dealer", Cited(clause=clause), count=max(len(area.labels), 1))


def _slots(named: set[str]) -> set[Slot | None]:
    return {geometry().area_named(name).slot for name in named}


def _derived(name: str, place: LayoutPlace, cited: Cited, *, count: int = 1) -> AreaNeed:
    return AreaNeed(
        name=name,
        place=place,
        count=count,
        clause=cited.clause,
        also=cited.also,
        reading=cited.reading,
        derived=True,
    )


def _holding(need: AreaNeed, needs: list[AreaNeed], dealt: Counter[Slot]) -> AreaNeed:
    """The need with the number of cards that each of its areas holds."""
    slot = geometry().area_named(need.name).slot
    if slot is None:
        return need
    areas = sum(other.count for other in needs if geometry().area_named(other.name).slot == slot)
    return replace(need, cards=max(dealt[slot] // areas, 1))


def attested(house: HouseRules, what: Attested) -> Cited | None:
    """The clause of what is attested before a table opens, where the document has one."""
    return next((row for row in house.rulebook.procedure.attest if row.what == what), None)
