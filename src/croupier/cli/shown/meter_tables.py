"""The meters of a house in the long run and as they were played: tables for people, values for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from croupier.cli.shown.console import console, print_table
from croupier.cli.shown.price_tables import percent
from croupier.money import UNITS_PER_CENT, Cents, MeterUnits, format_dollars, print_dollars
from croupier.rulebook import HouseRules

if TYPE_CHECKING:
    from croupier.analysis.meter_long_run import MeterLife
    from croupier.documents.export import Row
    from croupier.simulation.meters.history import LinkHistory, MeterHistory
    from croupier.simulation.meters.run import MeterRun
    from croupier.simulation.plan import Plan
    from croupier.simulation.sample import Sample

__all__ = ["Outlook", "SimulatedMeter", "plain_outlooks", "rows_of", "show_outlooks"]


WORDS = ("deviation", "least", "5th percentile", "median", "95th percentile", "most")
"""Of a sample."""
FEW: Final = 20
"""Awards: with fewer, percentiles say nothing."""


class SimulatedMeter(Struct, frozen=True):
    """What was simulated."""

    plan: Plan
    history: LinkHistory
    runs: dict[str, MeterRun]


class Outlook(Struct, frozen=True, kw_only=True):
    """A house, as filed or changed, with the long run of its meters."""

    label: str
    house: HouseRules
    tables: int
    wagers: int
    """In a round, of all tables."""
    pace: int
    """Rounds an hour at each table."""
    returned: Fraction
    lives: tuple[MeterLife, ...]
    played: SimulatedMeter | None = None

    @property
    def an_hour(self) -> int:
        """Wagers of all tables."""
        return self.wagers * self.pace


# --- for programs


def plain_outlooks(outlooks: Sequence[Outlook]) -> dict[str, Any]:
    """The house that was asked for and, where that is a changed one, the house as filed."""
    asked = _plain(outlooks[-1])
    return asked if len(outlooks) == 1 else asked | {"filed": _plain(outlooks[0])}


def _plain(one: Outlook) -> dict[str, Any]:
    exact = {
        "tables": one.tables,
        "wagers_per_hour": one.an_hour,
        "long_run_return": float(one.returned),
        "long_run_return_exact": str(one.returned),
        "meters": {
            life.name: {
                "contribution_per_wager_exact": str(life.contribution / 100),
                "reset": format_dollars(Cents(life.reset)),
                "whole_award_probability_exact": str(life.whole),
                "any_award_probability_exact": str(life.hit),
                "wagers_between_whole_awards": float(1 / life.whole) if life.whole else None,
                "hours_between_whole_awards": float(1 / life.whole / one.an_hour) if life.whole else None,
                "mean_shown_exact": str(life.mean / 100),
                "mean_shown": float(life.mean / 100),
                "reseed_per_wager_exact": str(life.reseed / 100),
                "paid_per_wager_exact": str(life.paid / 100),
            }
            for life in one.lives
        },
    }
    return exact if one.played is None else exact | {"simulated": _plain_played(one, one.played)}


def _plain_played(one: Outlook, played: SimulatedMeter) -> dict[str, Any]:
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
        "meters": {meter.name: _plain_meter(meter, one.pace) for meter in history.meters},
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
"""Of a row for each award."""


def rows_of(outlooks: Sequence[Outlook]) -> list[Row]:
    """A row for each award, `rules` telling the house as filed from the changed one."""
    from croupier.simulation.meters.history import award_rows

    return [
        {"rules": one.label, **row}
        for one in outlooks
        if one.played is not None
        for row in award_rows(one.played.plan, one.played.runs)
    ]


# --- for people


def show_outlooks(outlooks: Sequence[Outlook]) -> None:
    """The exact table, then each meter as it was played."""
    _show_long_run(outlooks)
    played = [(one, one.played) for one in outlooks if one.played is not None]
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
        "a wager adds",
        "reset",
        "wagers between whole awards",
        "time",
        "shows on average",
        "house adds a wager",
    )
    rows = [
        (life.name, *([one.label] if several else []), *_long_run(one, life))
        for name in _names(outlooks)
        for one in outlooks
        for life in one.lives
        if life.name == name
    ]
    print_table(columns, rows, title=_pace(outlooks))
    for one in outlooks:
        share = f"[bold]{percent(one.returned)}[/bold]{f' {one.label}' if several else ''}"
        console().print(f"In the long run each dollar staked returns {share}, exactly {one.returned}.")
    console().print(
        "[dim]A hit comes at any value alike, so an award is on average the share of what is shown on average.[/dim]"
    )


def _names(outlooks: Sequence[Outlook]) -> list[str]:
    return list(dict.fromkeys(life.name for one in outlooks for life in one.lives))


def _pace(outlooks: Sequence[Outlook]) -> str:
    first, *others = outlooks
    changed = [f", {one.an_hour:,} {one.label}" for one in others if one.an_hour != first.an_hour]
    return f"{first.an_hour:,} wagers an hour{f' {first.label}' if changed else ''}{''.join(changed)}"


def _long_run(one: Outlook, life: MeterLife) -> tuple[str, ...]:
    between = 1 / life.whole if life.whole else None
    return (
        _fine(life.contribution),
        print_dollars(Cents(life.reset)),
        "never" if between is None else f"{float(between):,.0f}",
        _time(between and between / one.an_hour),
        _round(life.mean),
        _fine(life.reseed),
    )


def _show_meter(name: str, played: Sequence[tuple[Outlook, SimulatedMeter]]) -> None:
    """One meter: of each house the long run and what was simulated."""
    columns, found = [""], []
    for one, what in played:
        for life in one.lives:
            if life.name == name:
                meter = next(meter for meter in what.history.meters if meter.name == name)
                columns += [f"{one.label}\nlong run", "\nsimulated"] if len(played) > 1 else ["long run", "simulated"]
                found.append(list(_meter_rows(one, life, meter)))
    rows = [(same[0][0], *(cell for _, *cells in same for cell in cells)) for same in zip(*found, strict=True)]
    first = played[0][1]
    title = f"{name}: {first.history.total.rounds:,} rounds at each table, seed {first.plan.seed}"
    print_table(columns, [row for row in rows if any(row[1:])], title=title)


def _meter_rows(one: Outlook, life: MeterLife, meter: MeterHistory) -> Iterator[tuple[str, str, str]]:
    """Figure, long run, simulated."""
    wagers = one.wagers * meter.rounds
    between = 1 / (life.whole * one.wagers) if life.whole else None
    rounds = None if meter.between is None else meter.between.mean
    yield "tables", f"{one.tables:,}", f"{one.tables:,}"
    yield "any awards", f"{float(wagers * life.hit):,.1f}", f"{meter.awards:,}"
    yield "whole awards", f"{float(wagers * life.whole):,.1f}", f"{meter.whole:,}"
    yield "rounds between", _number(between), _number(rounds)
    yield from _sample_rows(meter.between, _number)
    yield "time between", _time(between and between / one.pace), _time(rounds and rounds / one.pace)
    yield "amount of one", _round(life.mean), _round(None if meter.amounts is None else meter.amounts.mean)
    yield from _sample_rows(meter.amounts, _round)
    yield "shown on average", _round(life.mean), _round(meter.average)
    yield "largest shown", "", print_dollars(meter.largest)
    yield "began with", "", _units(meter.initial)
    yield "+ contributed", _round(wagers * life.contribution), _units(meter.contributed)
    yield "+ put in at resets", _round(wagers * life.reseed), _units(meter.reseeded)
    yield "- taken by awards", _round(wagers * life.paid), _units(meter.taken)
    yield "= ended with", "", _units(meter.final)
    more = meter.paid * UNITS_PER_CENT != meter.taken  # where the tray pays whole dollars
    yield "paid for them", "", print_dollars(meter.paid) if more else ""


def _sample_rows(
    sample: Sample | None, say: Callable[[Fraction | float | None], str]
) -> Iterator[tuple[str, str, str]]:
    if sample is None or sample.count < FEW:
        return ((f"  {words}", "", "") for words in WORDS)
    at = sample.quantiles
    values = (sample.deviation, sample.least, at[5], at[50], at[95], sample.most)
    return ((f"  {words}", "", say(value)) for words, value in zip(WORDS, values, strict=True))


def _show_returns(played: Sequence[tuple[Outlook, SimulatedMeter]]) -> None:
    """What each dollar staked brought back, period by period."""
    columns = ["rounds played"]
    for one, _ in played:
        columns += [f"{one.label}\nin the period", "\nso far"] if len(played) > 1 else ["in the period", "so far"]
    histories = [what.history for _, what in played]
    rows = []
    for place, so_far in enumerate(histories[0].so_far):
        cells = [(history.periods[place].returned, history.so_far[place].returned) for history in histories]
        rows.append((f"{so_far.rounds:,}", *(percent(share, 2) for pair in cells for share in pair)))
    rows.append(("long run", *(cell for one, _ in played for cell in ("", percent(one.returned, 2)))))
    print_table(columns, rows, title="Each dollar staked returned, envy not counted")
    for one, what in played:
        if what.history.reserve:
            console().print(f"The reserve took in {_units(what.history.reserve)} {one.label}.")


def _cents(units: MeterUnits) -> Cents:
    return Cents(units // UNITS_PER_CENT)


def _units(units: MeterUnits) -> str:
    return print_dollars(_cents(units))


def _number(value: Fraction | float | None) -> str:
    return "" if value is None else f"{float(value):,.0f}"


def _round(cents: Fraction | float | None) -> str:
    return "" if cents is None else print_dollars(Cents(round(cents / 100) * 100))


def _fine(cents: Fraction) -> str:
    return f"${float(cents) / 100:,.4f}"


def _time(hours: Fraction | None) -> str:
    if hours is None:
        return ""
    return f"{float(hours):,.1f} hours" if hours < 48 else f"{float(hours / 24):,.1f} days"
