"""A progressive in the long run, exactly: time between hits, the average meter, what goes in and out, the return.

Whether a hand hits does not depend on what the meter shows. In every round each wager adds the same amount, then the
hands at the table take their shares in turn. So a round takes the same share of the meter on average, and leaves the
same share of a reset on it: mean x share taken = contributions + reset x share left.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import cases_of_house
from croupier.analysis.joint_hits import RoundShares, round_shares
from croupier.analysis.pricing import price
from croupier.errors import Malformed
from croupier.money import MILLION, WHOLE, Cents, Share, parse_pay
from croupier.rulebook import HouseMeter, HouseRules, HouseWager

__all__ = ["LongRun", "MeterLongRun", "change_meters", "has_long_run", "long_run_of"]


class MeterLongRun(Struct, frozen=True, kw_only=True):
    """One meter in the long run; money in cents."""

    name: str
    contribution: Fraction
    """What each wager adds."""
    reset: Cents
    whole: Fraction
    """The chance that a wager wins all of it."""
    hit: Fraction
    """The chance that a wager wins any share of it."""
    drain: Fraction
    """The share of the meter that a wager wins on average."""
    mean: Fraction
    """The average meter when the awards of a round are paid."""

    @property
    def paid(self) -> Fraction:
        """What a wager wins from it on average: what it contributes, and what the house puts in at resets."""
        return self.contribution + self.reseed

    @property
    def reseed(self) -> Fraction:
        """What the house puts in at resets, per wager."""
        return self.whole * self.reset


class LongRun(Struct, frozen=True, kw_only=True):
    """A progressive wager over all the rounds its meters will ever see, envy not counted."""

    stake: Cents
    fixed: Fraction
    """The return per dollar from lines that pay no share of a meter."""
    reserve: Fraction
    """What each wager sets aside in the reserve, in cents; it is not on a meter, nor in the return."""
    meters: tuple[MeterLongRun, ...]

    @property
    def returned(self) -> Fraction:
        """What each dollar staked returns."""
        return self.fixed + sum((meter.paid for meter in self.meters), Fraction(0)) / self.stake

    @property
    def edge(self) -> Fraction:
        """What the house keeps of each dollar staked."""
        return 1 - self.returned


def has_long_run(house: HouseRules) -> bool:
    """Whether the house offers a progressive whose long run is known."""
    wager = house.wager("progressive")
    return wager is not None and wager.stakes is not None and house.options.meter_floor != "reset"


def long_run_of(
    house: HouseRules,
    *,
    players: int = 1,
    rates: Mapping[str, int] | None = None,
    resets: Mapping[str, int] | None = None,
) -> LongRun:
    """The progressive of a house in the long run; rates are in millionths of a stake, resets in cents.

    The return does not depend on how many players bet at a table. The average meter does, by a little: two of them can
    win in one round, and the second is paid from what the first has left.
    """
    wager = house.wager("progressive")
    if wager is None or wager.stakes is None:
        raise Malformed("this house offers no progressive: add [wagers.progressive] to its submission")
    if not has_long_run(house):
        raise Malformed("readings.meter.floor = reset: the long run of a meter that is topped up is not known exactly")
    case = next(case for case in cases_of_house(house) if case.wager == "progressive")
    record = price(case)[0]
    chances = [(parse_pay(line.pays), Fraction(line.combinations, record.total)) for line in record.lines[:-1]]
    stake = wager.stakes.minimum
    meters = []
    for meter in _changed_all(wager, rates or {}, resets or {}):
        shares = [
            (pay.percent, chance) for pay, chance in chances if isinstance(pay, Share) and pay.meter == meter.name
        ]
        contribution = Fraction(meter.rate * stake, MILLION)
        whole = sum((chance for percent, chance in shares if percent == WHOLE), Fraction(0))
        drain = sum((percent * chance for percent, chance in shares), Fraction(0)) / WHOLE
        together = round_shares(case, meter.name, players, single=RoundShares(taken=drain, left=whole))
        meters.append(
            MeterLongRun(
                name=meter.name,
                contribution=contribution,
                reset=meter.reset,
                whole=whole,
                hit=sum((chance for _, chance in shares), Fraction(0)),
                drain=drain,
                mean=(players * contribution + together.left * meter.reset) / together.taken,
            )
        )
    return LongRun(
        stake=stake,
        fixed=record.fixed_return or Fraction(0),
        reserve=Fraction(wager.reserve_rate * stake, MILLION),
        meters=tuple(meters),
    )


def change_meters(house: HouseRules, *, rates: Mapping[str, int], resets: Mapping[str, int]) -> HouseRules:
    """A house with other rates or resets, whether or not its document allows them."""
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
        raise Malformed(f"meter {meter.name}: a rate must be between 0 and 1, and a reset not negative")
    return replace(meter, rate=rate, reset=Cents(reset))
