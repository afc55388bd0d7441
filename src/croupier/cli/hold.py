"""`croupier hold`: expected win, hold % and volatility per shift, day and month."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.simulation_options import (
    Bets,
    Csv,
    Mistakes,
    Pace,
    Parquet,
    Plot,
    Seats,
    Seed,
    Strategy,
    Submission,
    Workers,
    chart_title,
    check_files,
    pace_of,
    plan_of,
    progress_of,
    read_amount,
    say_stopped,
    whole_number,
    write_rows,
)
from croupier.money import Cents, dollars_estimate, format_dollars, percent_estimate, round_dollars

if TYPE_CHECKING:
    from croupier.documents import Row
    from croupier.simulation import Calendar, ExpectedWin, Hold, HoldShare, Plan

__all__ = ["hold"]

PERCENTILES: Final = {
    1: "1st percentile",
    5: "5th percentile",
    50: "median",
    95: "95th percentile",
    99: "99th percentile",
}
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: amounts are shown in whole dollars."""


def hold(
    submission: Submission,
    months: Annotated[int, whole_number("--months", text="Months to simulate, 30 days each.", most=100_000)] = 24,
    rounds_per_hour: Pace = None,
    hours: Annotated[int, whole_number("--hours", text="Hours open per day.", most=24)] = 24,
    shifts: Annotated[int, whole_number("--shifts", text="Shifts per day.", most=24)] = 3,
    buy_in: Annotated[
        str | None,
        typer.Option("--buy-in", metavar="AMOUNT", help="Buy-in per player per shift; used to estimate drop."),
    ] = None,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Strategy = "optimal",
    mistakes: Mistakes = "0%",
    workers: Workers = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    plot: Plot = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Expected win, hold % and volatility per shift, day and month.

    Every round is played; jackpots and envy count when they are paid. The files have one row per shift.

    Example: [bold]croupier hold house.toml --seats 5 --months 60 --buy-in 300.00[/bold]
    """
    from croupier.simulation import Calendar, HistoryStopped, check_buy_in, cores, expected_win, hold_of, keep_history

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    calendar = Calendar(pace_of(plan, rounds_per_hour), hours, shifts)
    rounds = calendar.periods["month"] * months
    money = None if buy_in is None else read_amount(buy_in, "--buy-in")
    if money is not None:
        check_buy_in(plan, money)
    stopped = False
    try:
        with progress_of(rounds) as done:
            history = keep_history(plan, rounds, workers=workers or cores(), done=done)
    except HistoryStopped as interrupted:
        say_stopped(0 if interrupted.history is None else interrupted.history.rounds, rounds)
        if interrupted.history is None or interrupted.history.rounds < calendar.periods["shift"]:
            raise
        history, stopped = interrupted.history, True
    holds = hold_of(history, calendar, buy_in=money)
    expected = expected_win(plan)
    write_rows(_shifts(holds[0]), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents import draw_hold

        draw_hold(holds, plot, title=f"{chart_title(plan, submission)}, {_players(plan)}")
    if as_json:
        print_json(_plain_hold(plan, calendar, holds, expected))
    else:
        _show_hold(submission, plan, calendar, holds, expected)
    return 130 if stopped else 0


def _players(plan: Plan) -> str:
    return f"{len(plan.seats)} players" if len(plan.seats) > 1 else "1 player"


def _shifts(shift: Hold) -> list[Row]:
    drops = [None] * len(shift.won) if shift.drop is None else shift.drop.tolist()
    shifts = zip(shift.won.tolist(), shift.handle.tolist(), drops, strict=True)
    return [
        {"shift": number, "rounds": shift.rounds, "won_cents": won, "handle_cents": handle, "drop_cents": drop}
        for number, (won, handle, drop) in enumerate(shifts, start=1)
    ]


# --- for programs


def _plain_hold(plan: Plan, calendar: Calendar, holds: tuple[Hold, ...], expected: ExpectedWin) -> dict[str, Any]:
    return {
        "rounds": holds[0].rounds * len(holds[0].won),
        "rounds_per_hour": calendar.rounds_per_hour,
        "seed": plan.seed,
        "seats": len(plan.seats),
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "expected_win_is_long_run": expected.long_run,
        "expected_win_missing": list(expected.missing),
        "periods": {period.period: _plain_period(period, expected.cents) for period in holds},
    }


def _plain_period(period: Hold, expected: Fraction | None) -> dict[str, Any]:
    from croupier.simulation import supported_quantiles

    return {
        "rounds": period.rounds,
        "periods": len(period.won),
        "mean_win": float(period.mean) / 100,
        "mean_win_exact_in_run": str(period.mean / 100),
        "standard_error": period.standard_error / 100,
        "expected_win": None if expected is None else float(expected * period.rounds / 100),
        "expected_win_exact": None if expected is None else str(expected * period.rounds / 100),
        "standard_deviation": None if period.deviation is None else period.deviation / 100,
        "losing_periods": period.losses,
        "losing_share": period.losses / len(period.won),
        "quantiles": {
            str(at): None if cents is None else format_dollars(Cents(cents))
            for at, cents in supported_quantiles(period.won).items()
        },
        "handle": format_dollars(Cents(round(period.handle.mean()))),
        "hold_of_handle": _plain_share(period.hold_of_handle),
        "drop": None if period.drop is None else format_dollars(Cents(round(period.drop.mean()))),
        "hold_of_drop": None if period.hold_of_drop is None else _plain_share(period.hold_of_drop),
    }


def _plain_share(share: HoldShare) -> dict[str, float | None]:
    return {
        "mean": float(share.mean),
        "standard_deviation": share.deviation,
        "standard_error": share.standard_error,
    }


# --- for people


def _show_hold(
    submission: Path, plan: Plan, calendar: Calendar, holds: tuple[Hold, ...], expected: ExpectedWin
) -> None:
    from croupier.simulation import NINETY_NINE

    errors = [NINETY_NINE * period.standard_error for period in holds]
    rows = [
        ("rounds", *(f"{period.rounds:,}" for period in holds)),
        ("periods simulated", *(f"{len(period.won):,}" for period in holds)),
        ("average win", *(dollars_estimate(period.mean, error) for period, error in zip(holds, errors, strict=True))),
        ("expected win", *(_expected(expected.cents, period) for period in holds)),
        ("standard deviation", *(_deviation(period, error) for period, error in zip(holds, errors, strict=True))),
        ("losing periods", *(f"{period.losses:,} of {len(period.won):,}" for period in holds)),
        *(
            (words, *(_percentile(period, at, error) for period, error in zip(holds, errors, strict=True)))
            for at, words in PERCENTILES.items()
        ),
        ("win ÷ handle", *(_share(period.hold_of_handle) for period in holds)),
    ]
    if holds[0].drop is not None:
        shares = ("" if period.hold_of_drop is None else _share(period.hold_of_drop) for period in holds)
        rows.append(("hold % (win ÷ drop)", *shares))
    title = f"{escape(str(submission))}: {_players(plan)}, {calendar.rounds_per_hour} rounds per hour, seed {plan.seed}"
    columns = ("", *(f"per {period.period}" for period in holds))
    print_table(columns, rows, title=f"{title}, {plan.strategy}")
    for words in _notes(expected):
        console().print(f"[dim]{escape(words)}[/dim]")


def _notes(expected: ExpectedWin) -> Iterator[str]:
    yield "± is the 99% interval of the average over the rounds played. Handle is money at risk: won, lost or pushed."
    if expected.missing:
        yield f"No expected win: {'; '.join(expected.missing)}."
    else:
        progressive = ", the progressive at its long-run return" if expected.long_run else ""
        yield f"Expected win: from exact edges{progressive}."


def _expected(cents: Fraction | None, period: Hold) -> str:
    return "not exact" if cents is None else round_dollars(cents * period.rounds, WHOLE_DOLLARS)


def _deviation(period: Hold, error: float) -> str:
    return "" if period.deviation is None else round_dollars(period.deviation, error)


def _percentile(period: Hold, at: int, error: float) -> str:
    from croupier.simulation import supported_quantiles

    cents = supported_quantiles(period.won)[at]
    return "too few" if cents is None else round_dollars(cents, error)


def _share(share: HoldShare) -> str:
    from croupier.simulation import NINETY_NINE

    return percent_estimate(share.mean, None if share.standard_error is None else NINETY_NINE * share.standard_error)
