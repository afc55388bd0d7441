"""The meters of a house in the long run and as they were played: tables for people, values for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from croupier.cli.shown.console import console, print_table
from croupier.cli.shown.price_tables import percent
from croupier.money import UNITS_PER_CENT, Cents, MeterUnits, format_dollars, print_dollars
from croupier.present import small_dollars
from croupier.rulebook import HouseRules

if TYPE_CHECKING:
    from croupier.analysis import LongRun, MeterLongRun
    from croupier.documents import Row
    from croupier.simulation import LinkHistory, MeterHistory, MeterRun, Plan, Sample

__all__ = ["Outlook", "SimulatedMeter", "plain_outlooks", "rows_of", "show_outlooks"]


FIGURES = ("standard deviation", "minimum", "5th percentile", "median", "95th percentile", "maximum")
"""The figures shown for a sample."""

ENOUGH = 20
"""Awards from which their spread is shown."""


class SimulatedMeter(Struct, frozen=True):
    """What was simulated."""

    plan: Plan
    history: LinkHistory
    runs: dict[str, MeterRun]


class Outlook(Struct, frozen=True, kw_only=True):
    """A house, as filed or changed, with its progressive in the long run."""

    label: str
    house: HouseRules
    tables: int
    players: int
    """At each table."""
    pace: int
    """Rounds per hour at each table."""
    long_run: LongRun
    played: SimulatedMeter | None = None

    @property
    def wagers(self) -> int:
        """Wagers per round at all tables."""
        return self.tables * self.players

    @property
    def per_hour(self) -> int:
        """Wagers per hour at all tables."""
        return self.wagers * self.pace


# --- for programs


def plain_outlooks(outlooks: Sequence[Outlook]) -> dict[str, Any]:
    """The house asked for and, if that is a changed one, the house as filed."""
    asked = _plain(outlooks[-1])
    return asked if len(outlooks) == 1 else asked | {"filed": _plain(outlooks[0])}


def _plain(outlook: Outlook) -> dict[str, Any]:
    long_run = outlook.long_run
    exact = {
        "tables": outlook.tables,
        "players": outlook.players,
        "rounds_per_hour": outlook.pace,
        "wagers_per_hour": outlook.per_hour,
        "long_run_return": float(long_run.returned),
        "long_run_return_exact": str(long_run.returned),
        "long_run_house_edge_exact": str(long_run.edge),
        "reserve_per_wager_exact": str(long_run.reserve / 100),
        "meters": {
            meter.name: {
                "contribution_per_wager_exact": str(meter.contribution / 100),
                "reset": format_dollars(meter.reset),
                "whole_award_probability_exact": str(meter.whole),
                "any_award_probability_exact": str(meter.hit),
                "wagers_between_whole_awards": float(1 / meter.whole) if meter.whole else None,
                "hours_between_whole_awards": float(1 / meter.whole / outlook.per_hour) if meter.whole else None,
                "mean_shown_exact": str(meter.mean / 100),
                "mean_shown": float(meter.mean / 100),
                "reseed_per_wager_exact": str(meter.reseed / 100),
                "paid_per_wager_exact": str(meter.paid / 100),
            }
            for meter in long_run.meters
        },
    }
    return exact if outlook.played is None else exact | {"simulated": _plain_played(outlook, outlook.played)}


def _plain_played(outlook: Outlook, played: SimulatedMeter) -> dict[str, Any]:
    plan, history, total = played.plan, played.history, played.history.total
    return {
        "rounds": total.rounds,
        "tables": history.tables,
        "players": len(plan.seats),
        "seed": plan.seed,
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "staked": format_dollars(Cents(total.staked)),
        "fixed_pays": format_dollars(Cents(total.fixed)),
        "awarded": format_dollars(Cents(total.awarded)),
        "return": float(total.returned),
        "return_exact_in_run": str(total.returned),
        "reserve": format_dollars(_cents(history.reserve)),
        "periods": [
            {
                "rounds": period.rounds,
                "staked": format_dollars(Cents(period.staked)),
                "fixed_pays": format_dollars(Cents(period.fixed)),
                "awarded": format_dollars(Cents(period.awarded)),
                "return": float(period.returned),
                "return_so_far": float(so_far.returned),
            }
            for period, so_far in zip(history.periods, history.so_far, strict=True)
        ],
        "meters": {meter.name: _plain_meter(meter, outlook.pace) for meter in history.meters},
    }


def _plain_meter(meter: MeterHistory, pace: int) -> dict[str, Any]:
    parts = ("initial", "contributed", "reseeded", "taken", "final")
    return {
        "awards": meter.awards,
        "whole_awards": meter.whole,
        "rounds_between_whole_awards": None if meter.between is None else _plain_sample(meter.between, 1),
        "hours_between_whole_awards": None if meter.between is None else _plain_sample(meter.between, pace),
        "whole_award_amount": None if meter.amounts is None else _plain_sample(meter.amounts, 100),
        **{part: format_dollars(_cents(getattr(meter, part))) for part in parts},
        "units": {part: getattr(meter, part) for part in parts},
        "paid": format_dollars(meter.paid),
        "average_shown": float(meter.average / 100),
        "average_shown_exact": str(meter.average / 100),
        "largest_shown": format_dollars(meter.largest),
        "path": [{"rounds": rounds, "shown": format_dollars(shown)} for rounds, shown in meter.path],
    }


def _plain_sample(sample: Sample, unit: int) -> dict[str, Any]:
    return {
        "mean": float(sample.mean / unit),
        "mean_exact_in_run": str(sample.mean / unit),
        "standard_deviation": None if sample.deviation is None else sample.deviation / unit,
        "least": sample.least / unit,
        "quantiles": {str(at): value / unit for at, value in sample.quantiles.items()},
        "most": sample.most / unit,
    }


COLUMNS: Final = {
    "rules": str,
    "meter": str,
    "table": int,
    "round": int,
    "seat": int,
    "percent": int,
    "amount_cents": int,
    "paid_cents": int,
    "shown_before_cents": int,
    "rounds_since_whole_award": int,
}
"""The columns of the award rows."""


def rows_of(outlooks: Sequence[Outlook]) -> list[Row]:
    """A row for each award; `rules` says whether the house is as filed or changed."""
    from croupier.simulation import award_rows

    return [
        {"rules": outlook.label, **row}
        for outlook in outlooks
        if outlook.played is not None
        for row in award_rows(outlook.played.plan, outlook.played.runs)
    ]


# --- for people


def show_outlooks(outlooks: Sequence[Outlook]) -> None:
    """The exact table, then each meter as it was played."""
    _show_long_run(outlooks)
    played = [(outlook, outlook.played) for outlook in outlooks if outlook.played is not None]
    if played:
        for name in _names(outlooks):
            print()
            _show_meter(name, played)
        print()
        _show_returns(played)


def _show_long_run(outlooks: Sequence[Outlook]) -> None:
    several = len(outlooks) > 1
    columns = (
        "meter",
        *([""] if several else []),
        "contribution\nper bet",
        "reset",
        "bets per\nfull\njackpot",
        "time",
        "average\nmeter",
        "reseed\ncost\nper bet",
    )
    rows = [
        (meter.name, *([outlook.label] if several else []), *_long_run(outlook, meter))
        for name in _names(outlooks)
        for outlook in outlooks
        for meter in outlook.long_run.meters
        if meter.name == name
    ]
    print_table(columns, rows, title=_pace(outlooks[0]))
    for outlook in outlooks:
        long_run, label = outlook.long_run, f" {outlook.label}" if several else ""
        share = f"[bold]{percent(long_run.returned)}[/bold]{label}"
        console().print(f"Long-run player return per dollar bet: {share}, exactly {long_run.returned}.")
        if outlook.players > 1 and any(wager.envy is not None for wager in outlook.house.wagers):
            console().print("Envy bonuses come on top: croupier cost --players counts them.")
        if long_run.reserve:
            reserve = small_dollars(long_run.reserve)
            console().print(f"Set aside in the reserve: {reserve} per bet{label}, not in the return.")
    console().print(
        "[dim]Hits don't depend on the meter value, so the average award equals that share of the average meter.[/dim]"
    )


def _names(outlooks: Sequence[Outlook]) -> list[str]:
    return list(dict.fromkeys(meter.name for outlook in outlooks for meter in outlook.long_run.meters))


def _pace(outlook: Outlook) -> str:
    players = f"{outlook.players} player{'s' if outlook.players > 1 else ''}"
    where = f"{outlook.tables:,} tables, {players} each" if outlook.tables > 1 else f"1 table, {players}"
    return f"{where}, {outlook.pace:,} rounds per hour: {outlook.per_hour:,} bets per hour"


def _long_run(outlook: Outlook, meter: MeterLongRun) -> tuple[str, ...]:
    between = 1 / meter.whole if meter.whole else None
    return (
        small_dollars(meter.contribution),
        print_dollars(meter.reset),
        "never" if between is None else f"{float(between):,.0f}",
        _time(between and between / outlook.per_hour),
        _round(meter.mean),
        small_dollars(meter.reseed),
    )


def _show_meter(name: str, played: Sequence[tuple[Outlook, SimulatedMeter]]) -> None:
    """One meter: for each house the long run and what was simulated."""
    columns, sides = [""], []
    for outlook, simulated in played:
        for exact in outlook.long_run.meters:
            if exact.name == name:
                meter = next(meter for meter in simulated.history.meters if meter.name == name)
                several = len(played) > 1
                columns += [f"{outlook.label}\nlong run", "\nsimulated"] if several else ["long run", "simulated"]
                sides.append(list(_meter_rows(outlook, exact, meter)))
    rows = [(same[0][0], *(cell for _, *cells in same for cell in cells)) for same in zip(*sides, strict=True)]
    first = played[0][1]
    title = f"{name}: {first.history.total.rounds:,} rounds at each table, seed {first.plan.seed}"
    print_table(columns, [row for row in rows if any(row[1:])], title=title)


def _meter_rows(outlook: Outlook, exact: MeterLongRun, meter: MeterHistory) -> Iterator[tuple[str, str, str]]:
    """Figure, long run, simulated."""
    wagers = outlook.wagers * meter.rounds
    between = 1 / (exact.whole * outlook.wagers) if exact.whole else None
    rounds = None if meter.between is None else meter.between.mean
    yield "tables", f"{outlook.tables:,}", f"{outlook.tables:,}"
    yield "awards of any size", f"{float(wagers * exact.hit):,.1f}", f"{meter.awards:,}"
    yield "full jackpots", f"{float(wagers * exact.whole):,.1f}", f"{meter.whole:,}"
    yield "rounds between", _number(between), _number(rounds)
    yield from _sample_rows(meter.between, _number)
    yield "time between", _time(between and between / outlook.pace), _time(rounds and rounds / outlook.pace)
    yield "average full jackpot", _round(exact.mean), _round(None if meter.amounts is None else meter.amounts.mean)
    yield from _sample_rows(meter.amounts, _round)
    yield "average meter", _round(exact.mean), _round(meter.average)
    yield "largest meter", "", print_dollars(meter.largest)
    yield "opened at", "", _units(meter.initial)
    yield "+ contributions", _round(wagers * exact.contribution), _units(meter.contributed)
    yield "+ reseeds", _round(wagers * exact.reseed), _units(meter.reseeded)
    yield "- awards", _round(wagers * exact.paid), _units(meter.taken)
    yield "= ended at", "", _units(meter.final)
    more = meter.paid * UNITS_PER_CENT != meter.taken  # where the tray pays whole dollars
    yield "paid for awards", "", print_dollars(meter.paid) if more else ""


def _sample_rows(
    sample: Sample | None, say: Callable[[Fraction | float | None], str]
) -> Iterator[tuple[str, str, str]]:
    """The spread of a sample; a small sample has no percentiles worth printing."""
    if sample is None or sample.count < ENOUGH:
        return ((f"  {words}", "", "") for words in FIGURES)
    at = sample.quantiles
    values = (sample.deviation, sample.least, at[5], at[50], at[95], sample.most)
    return ((f"  {words}", "", say(value)) for words, value in zip(FIGURES, values, strict=True))


def _show_returns(played: Sequence[tuple[Outlook, SimulatedMeter]]) -> None:
    """What each dollar bet returned, period by period."""
    columns = ["rounds played"]
    for outlook, _ in played:
        columns += [f"{outlook.label}\nin the period", "\nso far"] if len(played) > 1 else ["in the period", "so far"]
    histories = [simulated.history for _, simulated in played]
    rows = []
    for place, so_far in enumerate(histories[0].so_far):
        cells = [(history.periods[place].returned, history.so_far[place].returned) for history in histories]
        rows.append((f"{so_far.rounds:,}", *(percent(share, 2) for pair in cells for share in pair)))
    rows.append(("long run", *(cell for outlook, _ in played for cell in ("", percent(outlook.long_run.returned, 2)))))
    print_table(columns, rows, title="Player return per dollar bet, envy not counted")
    for outlook, simulated in played:
        if simulated.history.reserve:
            label = f" {outlook.label}" if len(played) > 1 else ""
            console().print(f"The reserve took in {_units(simulated.history.reserve)}{label}.")


def _cents(units: MeterUnits) -> Cents:
    return Cents(units // UNITS_PER_CENT)


def _units(units: MeterUnits) -> str:
    return print_dollars(_cents(units))


def _number(value: Fraction | float | None) -> str:
    return "" if value is None else f"{float(value):,.0f}"


def _round(cents: Fraction | float | None) -> str:
    return "" if cents is None else print_dollars(Cents(round(cents / 100) * 100))


def _time(hours: Fraction | None) -> str:
    if hours is None:
        return ""
    return f"{float(hours):,.1f} hours" if hours < 48 else f"{float(hours / 24):,.1f} days"
