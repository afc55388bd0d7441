"""The meters of a simulation: every contribution and every award in order, by the arithmetic of `croupier.progressive`.

The kernels only say who won which share in which round. What that was worth depends on all rounds before, so it is
worked out here, in one pass over the hits; the contributions between two hits are the same in every round.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.money import Cents, MeterUnits, with_breakage
from croupier.progressive import MILLION, UNITS, Meter, house_meters, take
from croupier.rulebook.flat import METERS
from croupier.simulation.kernels.events import SHARE
from croupier.simulation.layout import Layout
from croupier.simulation.run import Tally

__all__ = ["Award", "MeterRun", "run_meters"]

WHOLE: Final = 100


class Award(Struct, frozen=True):
    """A share of a meter that somebody won."""

    round: int
    seat: int
    """By place among the seats, as in `Event`."""
    percent: int
    amount: Cents
    """What went off the meter."""
    paid: Cents
    """What was handed over: more where the tray pays whole dollars (reading 15)."""


class MeterRun(Struct, frozen=True):
    """What became of a meter."""

    name: str
    initial: Cents
    contributed: MeterUnits
    awards: tuple[Award, ...]
    final: Meter


def run_meters(layout: Layout, tally: Tally) -> dict[str, MeterRun]:
    """Every meter of the house from its initial amount at the tally's first round to after its last."""
    house, offered = layout.plan.house, layout.rules.offered.get("progressive")
    if offered is None or layout.rules.metered is None:
        return {}
    staked = sum(amount for seat in layout.seats for name, amount in seat.stakes if name == layout.rules.metered.name)
    late = house.option("meter.increment") == "at_close"
    runs = {}
    for meter in house_meters(house, linked=True):
        each = staked * meter.rate * UNITS // MILLION
        runs[meter.name] = _run(layout, tally, meter, each, late=late)
    return runs


def _run(layout: Layout, tally: Tally, meter: Meter, each: int, *, late: bool) -> MeterRun:
    number, initial, added, awards = METERS.index(meter.name), meter.units, 0, []
    for event in tally.events:
        if event.kind == SHARE and event.source == number:
            due = each * (event.round - tally.start + (not late))
            meter = replace(meter, units=MeterUnits(meter.units + due - added))
            added = due
            meter, amount = take(meter, percent=event.amount)
            awards.append(Award(event.round, event.seat, event.amount, amount, _paid(layout, amount, event.amount)))
    meter = replace(meter, units=MeterUnits(meter.units + each * tally.rounds - added))
    return MeterRun(meter.name, Cents(initial // UNITS), MeterUnits(each * tally.rounds), tuple(awards), meter)


def _paid(layout: Layout, amount: Cents, percent: int) -> Cents:
    """What is handed over; a whole meter and a hand-pay do not come from the tray (readings 15, 25)."""
    house = layout.plan.house
    whole = percent == WHOLE and house.option("handpay.hundred_percent") is not False
    if whole or (house.handpay_threshold is not None and amount >= house.handpay_threshold):
        return amount
    return with_breakage(amount, layout.rules.breakage)
