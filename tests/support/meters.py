"""Meters as a test follows them beside the program."""

from msgspec.structs import replace

from croupier.money import WHOLE, Cents, MeterUnits, meter_units
from croupier.progressive import Meter

__all__ = ["give_back"]


def give_back(meter: Meter, award: Cents, *, percent: int) -> Meter:
    """The meter with an award put back that was reversed (reading 188), where no floor had filled it up."""
    units = meter.units + meter_units(award)
    if percent == WHOLE:
        units -= meter_units(meter.reset)
    return replace(meter, units=MeterUnits(units))
