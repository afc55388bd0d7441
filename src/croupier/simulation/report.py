"""A simulation compared with the exact mathematics: per wager the mean, its error, the edge and whether they agree."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Final

from msgspec import Struct

from croupier.analysis import BASE
from croupier.money import UNITS_PER_CENT, Cents
from croupier.simulation.exact_edges import Exact, exact_edges, variance_at_meters
from croupier.simulation.figures import figures, risked
from croupier.simulation.kernels.compiled_plan import CompiledPlan, lay_out, settle_end
from croupier.simulation.meters.run import average_held
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally
from croupier.simulation.sample import NINETY_NINE

__all__ = ["MeterReport", "WagerReport", "report_envy", "report_meters", "report_wagers"]

MOSTLY_UNSEEN: Final = 0.8
"""The share of the variance above which a sample without these results says little."""


class WagerReport(Struct, frozen=True):
    """One wager at one seat, or the main game of it; results as shares of one ante, bet or stake."""

    seat: int
    wager: str
    rounds: int
    staked: int
    """Cents put up in all, bets taken back included."""
    handle: int
    """Cents at risk in all: won on, lost or pushed."""
    unit: int
    """One ante, bet or stake, in cents."""
    net: int
    """What the player won or lost, in cents."""
    squares: int
    exact: Exact | None
    """None where it follows a meter, shares the payout limit, or chance or a function decides."""
    variance: Fraction | None = None
    """The variance of one round in units, where the chances are exact but the edge is not: at the average meters."""

    @property
    def edge(self) -> Fraction:
        """What the house kept of each unit."""
        return Fraction(-self.net, self.rounds * self.unit)

    @property
    def element_of_risk(self) -> Fraction:
        """What the house kept of each cent at risk."""
        return Fraction(-self.net, self.handle)

    @property
    def standard_error(self) -> float | None:
        """The standard error of the edge, exact where known (a sample may lack rare wins); None for one round."""
        variance = self.exact.variance if self.exact is not None else self.variance
        if variance is not None:
            return sqrt(variance / self.rounds)
        if self.rounds == 1:
            return None
        spread = Fraction(self.squares) - Fraction(self.net**2, self.rounds)
        return sqrt(spread / (self.rounds - 1) / self.rounds) / self.unit

    @property
    def sampled(self) -> bool:
        """Whether its error comes from the sample alone."""
        return self.exact is None and self.variance is None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 99% confidence interval of the edge."""
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

    @property
    def conclusive(self) -> bool | None:
        """Whether agreement means anything: the interval is narrower than the edge, and rare wins could occur."""
        if self.exact is None or self.interval is None:
            return None
        low, high = self.interval
        return (high - low) / 2 <= abs(self.exact.edge) and self.exact.unseen(self.rounds) <= MOSTLY_UNSEEN


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
    meters = {name: Cents(round(average_held(run))) for name, run in sums.meters.items()}
    by_stakes = cache(lambda stakes: (exact_edges(plan, dict(stakes)), variance_at_meters(plan, dict(stakes), meters)))
    for place, box in enumerate(sums.boxes):
        exact, variances = by_stakes(layout.seats[place].stakes)
        reports.append(_main_game(layout, place, tally, exact.get(BASE)))
        reports += [
            WagerReport(
                seat=box.seat,
                wager=side.wager,
                rounds=side.sums.rounds,
                staked=side.sums.staked,
                handle=side.sums.staked,
                unit=side.sums.staked // side.sums.rounds,
                net=side.sums.net,
                squares=side.sums.squares,
                exact=exact.get(side.wager),
                variance=variances.get(side.wager),
            )
            for number, side in enumerate(box.wagers)
            if number not in _main_places(layout) and side.sums.rounds
        ]
    return reports


def _main_places(layout: CompiledPlan) -> list[int]:
    """The bets of the main game among the wagers of a seat."""
    offered = layout.rules.offered
    return [place for place, name in enumerate(layout.names) if offered[name].paytables[0].group == BASE]


def _main_game(layout: CompiledPlan, place: int, tally: Tally, exact: Exact | None) -> WagerReport:
    """The main game of a seat: the combined result of its bets in each round."""
    main = _main_places(layout)
    staked = handle = net = squares = 0
    for code, count in tally.ends[place]:
        end = settle_end(layout, place, code)
        brought = sum(end.won[bet] + end.returned[bet] - end.staked[bet] for bet in main)
        staked += count * sum(end.staked[bet] for bet in main)
        handle += count * risked(end, main)
        net, squares = net + count * brought, squares + count * brought**2
    seat = layout.seats[place]
    unit = next(amount for name, amount in seat.stakes if name == layout.names[main[0]])
    return WagerReport(seat.number, BASE, tally.rounds, staked, handle, unit, net, squares, exact)


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
