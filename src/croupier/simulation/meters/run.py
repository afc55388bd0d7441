"""The meters of a simulation: every contribution and every award in order, by the arithmetic of `croupier.progressive`.

The kernels only say who won which share in which round. What that was worth depends on all rounds before, at every
table that shares the meter, so it is worked out here, in one pass over the hits; the contributions between two hits
are the same in every round. Whether a hand hits does not depend on rates and resets, so the same hits can be taken
from other meters again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from operator import itemgetter, mul

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import Malformed
from croupier.money import UNITS_PER_CENT, WHOLE, Cents, MeterUnits, meter_units, with_breakage
from croupier.progressive import Meter, contribution, house_meters, take
from croupier.rulebook.paytable_arrays import METERS
from croupier.simulation.kernels.compiled_plan import CompiledPlan
from croupier.simulation.kernels.prizes import SHARE
from croupier.simulation.run import Prize, Tally

__all__ = ["JackpotHit", "MeterRun", "average_held", "run_link", "run_meters", "run_varied", "step_of"]


class JackpotHit(Struct, frozen=True):
    """A share of a meter that somebody won."""

    round: int
    """By the numbers of the first table."""
    seat: int
    """By place among the seats, as in `Prize`."""
    percent: int
    amount: Cents
    """What went off the meter."""
    paid: Cents
    """What was handed over: more where the tray pays whole dollars (reading 15)."""
    table: int
    """By place among the tables that share the meter."""
    before: MeterUnits
    """What the meter held."""
    reseed: MeterUnits
    """What the house put in at once: the reset after a whole award, or up to the floor."""


class MeterRun(Struct, frozen=True):
    """What became of a meter."""

    name: str
    initial: Cents
    contributed: MeterUnits
    awards: tuple[JackpotHit, ...]
    final: Meter
    start: int
    rounds: int
    late: bool
    """Whether what a round adds goes in after its awards (reading 19)."""


def run_meters(layout: CompiledPlan, tally: Tally) -> dict[str, MeterRun]:
    """Every meter of the house from its initial amount at the tally's first round to after its last."""
    return run_link(layout, (tally,))


def run_link(layout: CompiledPlan, tallies: Sequence[Tally]) -> dict[str, MeterRun]:
    """Run the meters of linked tables, each with its own tally of the same number of rounds.

    In each round the hits are taken in the order of the tables, and at each table in settlement order.
    """
    metered, first = layout.rules.metered, tallies[0]
    if metered is None:
        return {}
    if any(tally.rounds != first.rounds for tally in tallies):
        raise Malformed("tables that share a meter play as many rounds as each other")
    staked = len(tallies) * sum(amount for seat in layout.seats for name, amount in seat.stakes if name == metered.name)
    hits = _in_order(tallies)
    return {
        meter.name: _run(layout, first, hits, meter, partial(mul, contribution(staked, meter.rate)))
        for meter in house_meters(layout.plan.house, linked=True)
    }


def run_varied(layout: CompiledPlan, tally: Tally, staked: Sequence[int]) -> dict[str, MeterRun]:
    """Run the meters of a table where the stakes change: `staked[n]` cents on the progressive in the first n rounds."""
    hits = _in_order((tally,))

    def run(meter: Meter) -> MeterRun:
        return _run(layout, tally, hits, meter, lambda rounds: contribution(staked[rounds], meter.rate))

    return {meter.name: run(meter) for meter in house_meters(layout.plan.house, linked=True)}


def _in_order(tallies: Sequence[Tally]) -> list[tuple[int, int, Prize]]:
    """Every hit as it is taken: rounds played before, table, event; sorting leaves each table's own order alone."""
    hits = [
        (event.round - tally.start, table, event)
        for table, tally in enumerate(tallies)
        for event in tally.events
        if event.kind == SHARE
    ]
    return sorted(hits, key=itemgetter(0, 1))


def _run(
    layout: CompiledPlan,
    first: Tally,
    hits: Iterable[tuple[int, int, Prize]],
    meter: Meter,
    contributed: Callable[[int], int],
) -> MeterRun:
    """One meter, to which the first so many rounds have `contributed`."""
    late = layout.plan.house.options.meter_increment == "at_close"
    number, initial, added, awards = METERS.index(meter.name), meter.units, 0, []
    for played, table, event in hits:
        if event.source == number:
            due = contributed(played + (not late))
            before = MeterUnits(meter.units + due - added)
            added = due
            meter, amount = take(replace(meter, units=before), percent=event.amount)
            awards.append(
                JackpotHit(
                    round=first.start + played,
                    seat=event.seat,
                    percent=event.amount,
                    amount=amount,
                    paid=_paid(layout, amount, event.amount),
                    table=table,
                    before=before,
                    reseed=MeterUnits(meter.units - before + meter_units(amount)),
                )
            )
    return MeterRun(
        name=meter.name,
        initial=Cents(initial // UNITS_PER_CENT),
        contributed=MeterUnits(contributed(first.rounds)),
        awards=tuple(awards),
        final=replace(meter, units=MeterUnits(meter.units + contributed(first.rounds) - added)),
        start=first.start,
        rounds=first.rounds,
        late=late,
    )


def _paid(layout: CompiledPlan, amount: Cents, percent: int) -> Cents:
    """What is actually paid; a whole meter and a hand pay do not come from the tray (readings 15, 25)."""
    house = layout.plan.house
    whole = percent == WHOLE and house.options.handpay_hundred_percent
    if whole or (house.handpay_threshold is not None and amount >= house.handpay_threshold):
        return amount
    return with_breakage(amount, layout.rules.breakage)


def step_of(award: JackpotHit) -> int:
    """By how much an award moves the meter off its line, in units."""
    return award.reseed - meter_units(award.amount)


def average_held(run: MeterRun) -> Fraction:
    """Cents that a meter held on average when the awards of a round were due, with the part that is not shown."""
    rounds, each = run.rounds, run.contributed // run.rounds
    line = each * (Fraction(rounds - 1, 2) + (not run.late))
    steps = sum(step_of(award) * (rounds - 1 - (award.round - run.start)) for award in run.awards)
    return (meter_units(run.initial) + line + Fraction(steps, rounds)) / UNITS_PER_CENT
