"""A simulation held against the exact mathematics: per wager the mean, its error, the edge and whether they agree."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cache import cached_prices
from croupier.analysis.cases import BASE, cases_of_house, meters_of, streets_of
from croupier.analysis.cost_of_play import limit_cost
from croupier.analysis.pricing import price
from croupier.money import Cents
from croupier.money.rounding import UNITS_PER_CENT
from croupier.rulebook.names import WagerName
from croupier.simulation.figures import figures
from croupier.simulation.kernels.compiled_plan import CompiledPlan, lay_out, settle_end
from croupier.simulation.meters.run import MeterRun, average_held
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally
from croupier.simulation.sample import NINETY_NINE

__all__ = ["Exact", "MeterReport", "WagerReport", "expected_win", "report_envy", "report_meters", "report_wagers"]


class Exact(NamedTuple):
    """The edge of a wager, and the variance of one round in units."""

    edge: Fraction
    variance: Fraction


class WagerReport(Struct, frozen=True):
    """One wager at one seat, or the main game of it; results as shares of one ante, bet or stake."""

    seat: int
    wager: str
    rounds: int
    staked: int
    """Cents in all."""
    unit: int
    """One ante, bet or stake, in cents."""
    net: int
    """What the player won more than was staked, in cents."""
    squares: int
    exact: Exact | None
    """What the mathematics gives; None where a meter, the limit or the strategy makes it another."""
    variance: Fraction | None = None
    """Of one round in units, where the chances are exact but the edge is not: at what the meters held on average."""

    @property
    def edge(self) -> Fraction:
        """What the house kept of each unit."""
        return Fraction(-self.net, self.rounds * self.unit)

    @property
    def standard_error(self) -> float | None:
        """Of the edge, by exact chances where they are known: a sample may lack the rarest wins. None of one round."""
        variance = self.exact.variance if self.exact is not None else self.variance
        if variance is not None:
            return sqrt(variance / self.rounds)
        if self.rounds == 1:
            return None
        spread = Fraction(self.squares) - Fraction(self.net**2, self.rounds)
        return sqrt(spread / (self.rounds - 1) / self.rounds) / self.unit

    @property
    def sampled(self) -> bool:
        """Whether its error is told by the sample alone."""
        return self.exact is None and self.variance is None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of 99 %."""
        if self.standard_error is None:
            return None
        edge, error = float(self.edge), NINETY_NINE * self.standard_error
        return edge - error, edge + error

    @property
    def agrees(self) -> bool | None:
        """Whether the exact edge lies in the interval."""
        if self.exact is None or self.interval is None:
            return None
        low, high = self.interval
        return low <= float(self.exact.edge) <= high


class MeterReport(Struct, frozen=True):
    """What became of a meter, in cents; `interval` is the mean number of rounds between awards of any share."""

    name: str
    initial: int
    contributed: int
    reseeded: int
    """What the house put in after awards."""
    hits: int
    taken: int
    """What awards took off; initial, contributed and reseeded less this is what is left."""
    paid: int
    final: int
    interval: Fraction | None


def report_envy(plan: Plan, tally: Tally) -> dict[int, int]:
    """By seat: cents of envy, which belong to no line of a paytable; nothing where a house pays none."""
    if all(wager.envy is None for wager in plan.house.wagers):
        return {}
    return {box.seat: box.envy for box in figures(plan, tally).boxes}


def report_wagers(plan: Plan, tally: Tally) -> list[WagerReport]:
    """Every wager of every seat: the bets of the main game together, then each bonus."""
    layout, reports, sums = lay_out(plan), [], figures(plan, tally)
    by_stakes = cache(lambda stakes: (_exact(plan, dict(stakes)), _at_average(plan, sums.meters, dict(stakes))))
    for place, box in enumerate(sums.boxes):
        exact, variances = by_stakes(layout.seats[place].stakes)
        reports.append(_main_game(layout, place, tally, exact.get(BASE)))
        reports += [
            WagerReport(
                seat=box.seat,
                wager=one.wager,
                rounds=one.sums.rounds,
                staked=one.sums.staked,
                unit=one.sums.staked // one.sums.rounds,
                net=one.sums.net,
                squares=one.sums.squares,
                exact=exact.get(one.wager),
                variance=variances.get(one.wager),
            )
            for number, one in enumerate(box.wagers)
            if number not in _main_places(layout) and one.sums.rounds
        ]
    return reports


def _main_places(layout: CompiledPlan) -> list[int]:
    """The bets of the main game among the wagers of a seat."""
    offered = layout.rules.offered
    return [place for place, name in enumerate(layout.names) if offered[name].paytables[0].group == BASE]


def _main_game(layout: CompiledPlan, place: int, tally: Tally, exact: Exact | None) -> WagerReport:
    """The main game of a seat: what its bets brought together in each round."""
    main = _main_places(layout)
    staked = net = squares = 0
    for code, count in tally.ends[place]:
        end = settle_end(layout, place, code)
        brought = sum(end.won[one] + end.returned[one] - end.staked[one] for one in main)
        staked += count * sum(end.staked[one] for one in main)
        net, squares = net + count * brought, squares + count * brought**2
    seat = layout.seats[place]
    unit = next(amount for name, amount in seat.stakes if name == layout.names[main[0]])
    return WagerReport(seat.number, BASE, tally.rounds, staked, unit, net, squares, exact)


def _at_average(plan: Plan, runs: Mapping[str, MeterRun], stakes: Mapping[WagerName, Cents]) -> dict[str, Fraction]:
    """The variance of a round of the wager that feeds the meters, as if they always held what they did on average."""
    meters = {name: Cents(round(average_held(run))) for name, run in runs.items()}
    cases = [case for case in cases_of_house(plan.house, meters=meters) if meters_of(case.table)] if meters else []
    bets = {str(name): stake for name, stake in stakes.items()}
    return {
        case.wager: price(replace(case, stake=bets[case.wager]))[0].outcomes.variance
        for case in cases
        if case.wager in bets
    }


def expected_win(plan: Plan) -> Fraction | None:
    """What the house wins in a round by the exact edges, in cents; None where some wager has none."""
    total = Fraction(0)
    for seat in plan.seats:
        stakes = dict(seat.stakes)
        exact = _exact(plan, stakes)
        main = {wager.name for wager in plan.house.wagers if wager.paytables[0].group == BASE}
        units = {BASE: next(iter(stakes.values()))} | {name: stakes[name] for name in stakes if name not in main}
        if any(name not in exact for name in units):
            return None
        total += sum(exact[name].edge * unit for name, unit in units.items())
    return total


def _exact(plan: Plan, stakes: Mapping[WagerName, Cents]) -> dict[str, Exact]:
    """What holds for this plan whatever the meters do: bonuses, and the main game when it is played best."""
    house, found = plan.house, {}
    players = len(plan.seats)
    main = next(iter(stakes.values()))
    bets = {BASE: main} | {str(name): stake for name, stake in stakes.items()}
    limit = limit_cost(house, bets)
    for case in cases_of_house(house):
        if case.table.players not in (None, players) or case.wager not in bets or meters_of(case.table):
            continue
        record = cached_prices(replace(case, stake=bets[case.wager]))[0]
        if case.wager in {BASE, *house.rulebook.play.payout_limit.wagers}:
            if limit is None or (limit and case.wager != BASE):
                continue  # several wagers share what the limit takes
            if case.wager == BASE and (plan.strategy != "optimal" or plan.mistakes):
                continue
        if case.wager == BASE and limit and streets_of(house.rulebook):
            continue
        found[case.wager] = Exact(record.edge, record.outcomes.variance)
    return found


def report_meters(plan: Plan, tally: Tally) -> list[MeterReport]:
    """What became of each meter; a hit is any award from it."""
    return [
        MeterReport(
            name=name,
            initial=run.initial,
            contributed=run.contributed // UNITS_PER_CENT,
            reseeded=sum(award.reseed for award in run.awards) // UNITS_PER_CENT,
            hits=len(run.awards),
            taken=sum(award.amount for award in run.awards),
            paid=sum(award.paid for award in run.awards),
            final=run.final.units // UNITS_PER_CENT,
            interval=Fraction(tally.rounds, len(run.awards)) if run.awards else None,
        )
        for name, run in figures(plan, tally).meters.items()
    ]
