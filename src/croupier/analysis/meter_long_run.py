"""The life of a meter, exactly: how long between hits, what it shows then, what goes in and out in the long run.

Whether a hand hits does not depend on what the meter shows, so the meter is a sum that grows by the same amount with
every wager and loses a share of itself with a fixed chance. Its long-run mean follows from what comes in and goes out:
contribution + chance of a whole award x reset = (chance of each award x its share) x mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import cases_of_house
from croupier.analysis.pricing import price
from croupier.errors import Malformed
from croupier.money import MILLION, WHOLE, Share, parse_pay
from croupier.rulebook import HouseMeter, HouseRules
from croupier.rulebook.house import HouseWager

__all__ = ["MeterLife", "change_meters", "meter_lives"]


class MeterLife(Struct, frozen=True):
    """One meter in the long run; money in cents."""

    name: str
    contribution: Fraction
    """What each wager adds."""
    reset: int
    whole: Fraction
    """The chance of a wager to win all of it."""
    hit: Fraction
    """The chance to win any share of it."""
    drain: Fraction
    """The share of the meter that a wager wins on average."""

    @property
    def mean(self) -> Fraction:
        """What it shows on average, and so at a hit, which comes at any value alike."""
        return (self.contribution + self.whole * self.reset) / self.drain

    @property
    def paid(self) -> Fraction:
        """What a wager wins from it on average: what it brings, and what the house puts in after whole awards."""
        return self.contribution + self.reseed

    @property
    def reseed(self) -> Fraction:
        """What the house puts in at resets, for each wager."""
        return self.whole * self.reset


def meter_lives(
    house: HouseRules, *, rates: Mapping[str, int] | None = None, resets: Mapping[str, int] | None = None
) -> tuple[Fraction, list[MeterLife]]:
    """What each dollar staked returns in the long run, and the life of each meter; rates are in millionths."""
    wager = house.wager("progressive")
    if wager is None or wager.stakes is None:
        raise Malformed("this house offers no progressive")
    if house.options.meter_floor == "reset":
        raise Malformed("readings.meter.floor = reset: a meter that is topped up has no such mean")
    meters = _changed_all(wager, rates or {}, resets or {})
    record = price(next(case for case in cases_of_house(house) if case.wager == "progressive"))[0]
    chances = [(parse_pay(line.pays), Fraction(line.combinations, record.total)) for line in record.lines[:-1]]
    stake = wager.stakes.minimum
    lives = []
    for meter in meters:
        shares = [
            (pay.percent, chance) for pay, chance in chances if isinstance(pay, Share) and pay.meter == meter.name
        ]
        lives.append(
            MeterLife(
                name=meter.name,
                contribution=Fraction(meter.rate * stake, MILLION),
                reset=meter.reset,
                whole=sum((chance for percent, chance in shares if percent == WHOLE), Fraction(0)),
                hit=sum((chance for _, chance in shares), Fraction(0)),
                drain=sum((percent * chance for percent, chance in shares), Fraction(0)) / WHOLE,
            )
        )
    returned = (record.fixed_return or Fraction(0)) + sum((life.paid for life in lives), Fraction(0)) / stake
    return returned, lives


def change_meters(house: HouseRules, *, rates: Mapping[str, int], resets: Mapping[str, int]) -> HouseRules:
    """A house with other rates or resets; whether its document allows them is not asked."""
    return replace(
        house,
        wagers=tuple(
            replace(wager, meters=_changed_all(wager, rates, resets)) if wager.meters else wager
            for wager in house.wagers
        ),
    )


def _changed_all(wager: HouseWager, rates: Mapping[str, int], resets: Mapping[str, int]) -> tuple[HouseMeter, ...]:
    names = [meter.name for meter in wager.meters]
    if unknown := [name for name in (*rates, *resets) if name not in names]:
        raise Malformed(f"this house has no meter {unknown[0]!r}: {', '.join(names)}")
    return tuple(_changed(meter, rates, resets) for meter in wager.meters)


def _changed(meter: HouseMeter, rates: Mapping[str, int], resets: Mapping[str, int]) -> HouseMeter:
    rate, reset = rates.get(meter.name, meter.rate), resets.get(meter.name, meter.reset)
    if not 0 <= rate <= MILLION or reset < 0:
        raise Malformed(f"meter {meter.name}: a rate is between 0 and 1, a reset not below zero")
    return replace(meter, rate=rate, reset=reset)
