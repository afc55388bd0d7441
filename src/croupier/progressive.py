"""A progressive meter: what stakes add to it, and what an award takes off.

A meter is a value and every change gives a new one, so that its owner (one table, or a link of many) decides the
order of changes.

>>> from croupier.money import Cents
>>> meter = open_meter("main", initial=Cents(1_000_000), reset=Cents(1_000_000), rate=120_000)
>>> meter = accrue(meter, Cents(100))
>>> shown(meter)
1000012
>>> meter, award = take(meter, percent=10)
>>> award, shown(meter)
(100002, 900010)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.citing import clause
from croupier.errors import MoneyError
from croupier.money import (
    MILLION,
    UNITS_PER_CENT,
    WHOLE,
    Cents,
    DisplayUnit,
    MeterUnits,
    PercentRounding,
    displayed,
    meter_units,
    share_of_meter,
)
from croupier.rulebook import HouseRules

__all__ = [
    "Floor",
    "Meter",
    "accrue",
    "contribution",
    "house_meters",
    "meters_showing",
    "moved",
    "open_meter",
    "shown",
    "take",
]

Floor: TypeAlias = Literal["none", "reset"]


class Meter(Struct, frozen=True, kw_only=True):
    """A meter's value in 1/10,000 cent, and how it is run (readings 16, 18, 22)."""

    name: str
    units: MeterUnits
    reset: Cents
    rate: int
    """Millionths of each stake."""
    unit: DisplayUnit = "cent"
    rounding: PercentRounding = "up"
    floor: Floor = "none"


def open_meter(
    name: str,
    *,
    initial: Cents,
    reset: Cents,
    rate: int,
    unit: DisplayUnit = "cent",
    rounding: PercentRounding = "up",
    floor: Floor = "none",
) -> Meter:
    """A new meter at its initial amount."""
    if not 0 <= rate <= MILLION:
        raise MoneyError(f"{rate} millionths: a rate is at most the whole stake")
    units = meter_units(initial)
    return Meter(name=name, units=units, reset=reset, rate=rate, unit=unit, rounding=rounding, floor=floor)


def shown(meter: Meter) -> Cents:
    """What the meter shows (reading 16)."""
    return displayed(meter.units, meter.unit)


def contribution(stake: int, rate: int) -> MeterUnits:
    """What a stake adds to a meter at a rate in millionths, exactly; whole dollars always can (reading 16).

    >>> contribution(Cents(500), 1)
    5
    """
    units, rest = divmod(stake * rate * UNITS_PER_CENT, MILLION)
    if stake < 0 or rest:
        raise MoneyError(f"{stake} cents at {rate} millionths do not add a whole number of units")
    return MeterUnits(units)


def accrue(meter: Meter, stake: Cents) -> Meter:
    """The meter with a stake's contribution added."""
    return moved(meter, contribution(stake, meter.rate))


def moved(meter: Meter, units: int) -> Meter:
    """The meter with units added or taken back."""
    return replace(meter, units=MeterUnits(meter.units + units)) if units else meter


@clause(
    "md-mississippi-stud 12.C(4)", "md-high-card-flush 12.E(3)", "md-let-it-ride .12G", "ma-mississippi-stud 11bis(g)"
)
def take(meter: Meter, *, percent: int) -> tuple[Meter, Cents]:
    """The meter after an award, and the award (readings 2, 16, 21 to 23, 188).

    A share is taken off at once. The whole meter is paid as shown, the meter resets at once, and the part that was
    not shown is carried over.
    """
    award = share_of_meter(shown(meter), percent=percent, rounding=meter.rounding)
    left = meter.units - meter_units(award)
    if percent == WHOLE:
        left += meter_units(meter.reset)
    elif meter.floor == "reset":
        left = max(left, meter_units(meter.reset))
    return replace(meter, units=MeterUnits(left)), award


def house_meters(house: HouseRules, *, linked: bool = False) -> tuple[Meter, ...]:
    """The meters that a table of this house owns, at their initial amounts; with `linked` those of a link too."""
    return tuple(
        open_meter(
            meter.name,
            initial=meter.initial,
            reset=meter.reset,
            rate=meter.rate,
            unit=house.options.meter_display_unit,
            rounding=house.options.meter_percent_rounding,
            floor=house.options.meter_floor,
        )
        for wager in house.wagers
        if linked or not wager.link
        for meter in wager.meters
    )


def meters_showing(house: HouseRules, amounts: Mapping[str, Cents]) -> dict[str, Meter]:
    """The named meters of a house, each set to the amount it shows, including linked ones."""
    meters = _meters_by_name(house)
    return {name: replace(meters[name], units=meter_units(amount)) for name, amount in amounts.items()}


@lru_cache(maxsize=256)
def _meters_by_name(house: HouseRules) -> Mapping[str, Meter]:
    return {meter.name: meter for meter in house_meters(house, linked=True)}
