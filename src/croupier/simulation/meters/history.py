"""The history of a meter in a simulation: time between awards, what they were, what went in and out, and the return.

Between two awards a meter rises by the same amount in every round, so its path is a line with steps, and every sum over
all rounds is a sum over the awards.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from typing import Final

from msgspec import Struct

from croupier.errors import Malformed
from croupier.money import WHOLE, Cents, MeterUnits, displayed, meter_units
from croupier.progressive import contribution, shown
from croupier.rulebook.names import WagerName
from croupier.simulation.kernels.compiled_plan import CompiledPlan, lay_out, settle_end
from croupier.simulation.meters.linked_tables import LinkedTables
from croupier.simulation.meters.run import MeterRun, average_held, run_link, step_of
from croupier.simulation.plan import Plan
from croupier.simulation.run import Tally
from croupier.simulation.sample import Sample, sample_of

__all__ = ["LinkHistory", "MeterHistory", "MeterPeriod", "award_rows", "history_of", "meter_history"]

POINTS: Final = 400
"""On the path of a meter, beside its beginning."""


class MeterHistory(Struct, frozen=True, kw_only=True):
    """One meter over a run: `initial` + `contributed` + `reseeded` - `taken` = `final`, exactly."""

    name: str
    rounds: int
    """At each table."""
    awards: int
    """Awards of any share."""
    between: Sample | None
    """Rounds from one whole award to the next, the first counted from the opening; 0 in the same round."""
    amounts: Sample | None
    """Cents of each whole award."""
    initial: MeterUnits
    contributed: MeterUnits
    reseeded: MeterUnits
    """What the house put in after awards."""
    taken: MeterUnits
    """What awards took off."""
    final: MeterUnits
    paid: Cents
    """What was handed over for the awards."""
    average: Fraction
    """Its average value in cents when awards were due, including the part not shown."""
    largest: Cents
    """The highest value it ever showed: the liability to cover."""
    path: tuple[tuple[int, Cents], ...]
    """Rounds played, evenly spaced from none to all, and what it showed then."""

    @property
    def whole(self) -> int:
        """The number of full jackpots."""
        return 0 if self.amounts is None else self.amounts.count


class MeterPeriod(Struct, frozen=True):
    """Some rounds of all tables; cents of the wager that feeds the meters."""

    rounds: int
    """At each table."""
    staked: int
    fixed: int
    """What its lines with fixed pays gave back; envy is not in it."""
    awarded: int

    @property
    def returned(self) -> Fraction:
        """The return per dollar staked."""
        return Fraction(self.fixed + self.awarded, self.staked)


class LinkHistory(Struct, frozen=True, kw_only=True):
    """The meters of a link, and the player return over time."""

    tables: int
    meters: tuple[MeterHistory, ...]
    periods: tuple[MeterPeriod, ...]
    reserve: MeterUnits
    """What the reserve rate of the house set aside."""

    @property
    def so_far(self) -> tuple[MeterPeriod, ...]:
        """Totals from the opening to the end of each period."""
        return tuple(accumulate(self.periods, _together))

    @property
    def total(self) -> MeterPeriod:
        """Totals from the opening to the end."""
        return self.so_far[-1]


def _together(one: MeterPeriod, other: MeterPeriod) -> MeterPeriod:
    return MeterPeriod(
        one.rounds + other.rounds, one.staked + other.staked, one.fixed + other.fixed, one.awarded + other.awarded
    )


def history_of(link: LinkedTables, plan: Plan | None = None) -> tuple[LinkHistory, dict[str, MeterRun]]:
    """The history of a link and the awards behind it.

    `plan` may be another whose house differs in rates, resets or initial amounts alone: its meters take the same hits.
    """
    layout = lay_out(plan or link.plan)
    if layout.metered < 0 or not any(name == layout.names[layout.metered] for name, _ in _stakes(layout)):
        raise Malformed("nobody stakes on a meter here: give at least one seat a progressive bet")
    runs = run_link(layout, link.tables)
    periods = tuple(_periods(layout, link, runs))
    offered = layout.rules.offered[layout.names[layout.metered]]
    staked = sum(period.staked for period in periods)
    history = LinkHistory(
        tables=len(link.periods[0]),
        meters=tuple(map(meter_history, runs.values())),
        periods=periods,
        reserve=contribution(staked, offered.reserve_rate),
    )
    return history, runs


def _stakes(layout: CompiledPlan) -> Iterator[tuple[WagerName, Cents]]:
    return (stake for seat in layout.seats for stake in seat.stakes)


def meter_history(run: MeterRun) -> MeterHistory:
    """The history of one meter from its awards."""
    whole = [award for award in run.awards if award.percent == WHOLE]
    ends = [award.round - run.start + 1 for award in whole]
    showed = [displayed(award.before, run.final.unit) for award in run.awards]
    return MeterHistory(
        name=run.name,
        rounds=run.rounds,
        awards=len(run.awards),
        between=sample_of([end - before for before, end in pairwise([0, *ends])]),
        amounts=sample_of([award.amount for award in whole]),
        initial=meter_units(run.initial),
        contributed=run.contributed,
        reseeded=MeterUnits(sum(award.reseed for award in run.awards)),
        taken=MeterUnits(sum(meter_units(award.amount) for award in run.awards)),
        final=run.final.units,
        paid=Cents(sum(award.paid for award in run.awards)),
        average=average_held(run),
        largest=max(displayed(meter_units(run.initial), run.final.unit), *showed, shown(run.final)),
        path=tuple(_path(run)),
    )


def _path(run: MeterRun) -> Iterator[tuple[int, Cents]]:
    """The path of what the meter showed between rounds."""
    each = run.contributed // run.rounds
    ends = [award.round - run.start + 1 for award in run.awards]
    levels = list(accumulate(map(step_of, run.awards), initial=int(meter_units(run.initial))))
    for played in dict.fromkeys(run.rounds * point // POINTS for point in range(POINTS + 1)):
        units = each * played + levels[bisect_left(ends, played + 1)]
        yield played, displayed(MeterUnits(units), run.final.unit)


def _periods(layout: CompiledPlan, link: LinkedTables, runs: Mapping[str, MeterRun]) -> Iterator[MeterPeriod]:
    start, end = link.periods[0][0].start, 0
    awards = sorted((award.round, award.paid) for run in runs.values() for award in run.awards)
    rounds = [hit for hit, _ in awards]
    paid = list(accumulate((cents for _, cents in awards), initial=0))
    settled = cache(lambda seat, code: _stake_and_pay(layout, seat, code))
    for tallies in link.periods:
        begin, end = end, end + tallies[0].rounds
        staked = fixed = 0
        for seat, counts in enumerate(_ends(tallies)):
            for code, count in counts.items():
                stake, pay = settled(seat, code)
                staked, fixed = staked + count * stake, fixed + count * pay
        awarded = paid[bisect_left(rounds, start + end)] - paid[bisect_left(rounds, start + begin)]
        yield MeterPeriod(end - begin, staked, fixed, awarded)


def _ends(tallies: Sequence[Tally]) -> list[Counter[int]]:
    """The outcomes by place of the seat, over all tables."""
    counts: list[Counter[int]] = [Counter() for _ in tallies[0].ends]
    for tally in tallies:
        for seat, counted in zip(counts, tally.ends, strict=True):
            seat.update(dict(counted))
    return counts


def _stake_and_pay(layout: CompiledPlan, seat: int, code: int) -> tuple[int, int]:
    """The stakes and fixed pays of the metered wager, without what a meter pays."""
    end = settle_end(layout, seat, code)
    return end.staked[layout.metered], end.won[layout.metered] + end.returned[layout.metered]


def award_rows(plan: Plan, runs: Mapping[str, MeterRun]) -> Iterator[dict[str, str | int]]:
    """A row for each award, for other programs; tables and rounds are counted from one, money is in cents."""
    seats = lay_out(plan).seats
    for run in runs.values():
        last = run.start - 1
        for award in run.awards:
            yield {
                "meter": run.name,
                "table": award.table + 1,
                "round": award.round - run.start + 1,
                "seat": seats[award.seat].number,
                "percent": award.percent,
                "amount_cents": award.amount,
                "paid_cents": award.paid,
                "shown_before_cents": displayed(award.before, run.final.unit),
                "rounds_since_whole_award": award.round - last,
            }
            if award.percent == WHOLE:
                last = award.round
