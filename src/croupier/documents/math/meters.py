"""The progressive of a house for its math report: each meter at its opening, in the long run, and as a liability."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log, log1p
from typing import Final

from msgspec import Struct

from croupier.analysis import (
    BASE,
    LongRun,
    MeterLongRun,
    MeterPrice,
    Price,
    adapted_break_even,
    cached_prices,
    cases_of_house,
    has_long_run,
    long_run_of,
)
from croupier.documents.meter_outlook import MeterOwed
from croupier.money import Cents, Dollars, Share, parse_pay
from croupier.rulebook import HouseMeter, HouseRules, HouseWager
from croupier.table_speed import rounds_per_hour

__all__ = ["MathMeter", "MathProgressive", "MeterOwed", "Outlay", "progressive_of"]

CHANCES: Final = (Fraction(1, 2), Fraction(95, 100), Fraction(99, 100))
"""The chances with which a full award comes before the meter has grown to what is shown."""


class MathMeter(Struct, frozen=True, kw_only=True):
    """One meter."""

    terms: HouseMeter
    price: MeterPrice
    """At the opening meters."""
    adapted: Cents | None
    """The break-even for a player who plays the main game with an eye on it, where folding forfeits the wager."""
    alone: MeterLongRun | None
    """In the long run with one player at the table."""
    full: MeterLongRun | None
    """In the long run with every seat taken."""
    owed: tuple[MeterOwed, ...]


class Outlay(Struct, frozen=True):
    """The most that one hand can cost the house beside the meters, at this stake."""

    fixed: Cents
    """The largest prize that no meter pays."""
    envy: Cents
    """The largest envy bonus, paid to one other player."""


class MathProgressive(Struct, frozen=True, kw_only=True):
    """The progressive wager."""

    wager: HouseWager
    record: Price
    stake: Cents
    ante: Cents
    """The main bet at which the adapted break-even is worked out: the minimum."""
    meters: tuple[MathMeter, ...]
    long_run: LongRun | None
    """None where an option leaves it without an exact figure."""
    mean_deviation: float | None
    """The standard deviation of one round with every meter at its long-run average, one player at the table."""
    paces: tuple[tuple[int, int], ...]
    """Players, and the rounds per hour that the table-speed model gives for them: one, and every seat taken."""
    envy: tuple[tuple[int, Fraction], ...]
    """Players who all bet it, and what envy adds to each staked dollar."""
    outlay: Outlay


def progressive_of(house: HouseRules, record: Price) -> MathProgressive:
    """The progressive of a house; the record has its price at the opening meters."""
    wager = next(wager for wager in house.wagers if wager.meters)
    if wager.stakes is None:
        raise ValueError(f"{wager.name}: a progressive has a stake")
    known = has_long_run(house)
    alone = long_run_of(house) if known else None
    full = long_run_of(house, players=house.seats) if known else None
    bets = {BASE: _main_bet(house), wager.name: wager.stakes.minimum}
    adapted = adapted_break_even(house, bets)
    runs = {meter.name: meter for meter in alone.meters} if alone else {}
    full_runs = {meter.name: meter for meter in full.meters} if full else {}
    terms = {meter.name: meter for meter in wager.meters}
    return MathProgressive(
        wager=wager,
        record=record,
        stake=wager.stakes.minimum,
        ante=bets[BASE],
        meters=tuple(
            MathMeter(
                terms=terms[price.name],
                price=price,
                adapted=adapted.get(price.name),
                alone=runs.get(price.name),
                full=full_runs.get(price.name),
                owed=_owed(runs.get(price.name)),
            )
            for price in record.meters
        ),
        long_run=alone,
        mean_deviation=_mean_deviation(house, wager, alone) if alone else None,
        paces=tuple((players, rounds_per_hour(house, players)) for players in sorted({1, house.seats})),
        envy=tuple((players, record.envy * (players - 1)) for players in range(1, house.seats + 1))
        if record.envy is not None and wager.envy is not None
        else (),
        outlay=_outlay(record, wager, wager.stakes.minimum),
    )


def _main_bet(house: HouseRules) -> Cents:
    return next(wager.stakes.minimum for wager in house.wagers if wager.paytables[0].group == BASE and wager.stakes)


def _owed(meter: MeterLongRun | None) -> tuple[MeterOwed, ...]:
    if meter is None or not meter.whole:
        return ()
    owed = []
    for chance in CHANCES:
        wagers = ceil(log(1 - chance) / log1p(-meter.whole))
        owed.append(MeterOwed(chance, wagers, meter.reset + wagers * meter.contribution))
    return tuple(owed)


def _mean_deviation(house: HouseRules, wager: HouseWager, long_run: LongRun) -> float:
    means = {meter.name: Cents(round(meter.mean)) for meter in long_run.meters}
    case = next(case for case in cases_of_house(house, meters=means) if case.wager == wager.name)
    return cached_prices(case)[0].outcomes.standard_deviation


def _outlay(record: Price, wager: HouseWager, stake: Cents) -> Outlay:
    fixed = max(
        (line.returned * record.total / line.combinations + 1) * stake
        for line in record.lines[:-1]
        if line.combinations and not isinstance(parse_pay(line.pays), Share)
    )
    pays = [parse_pay(line.pays) for line in wager.envy.line] if wager.envy else []
    return Outlay(Cents(int(fixed)), Cents(max((pay.cents for pay in pays if isinstance(pay, Dollars)), default=0)))
