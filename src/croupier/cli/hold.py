"""`croupier hold`: expected win, hold % and volatility per shift, day and month."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from croupier.present import counted, simulations

if TYPE_CHECKING:
    from croupier.simulation import Calendar, ExpectedWin, Hold, Plan

__all__ = ["hold"]


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
    write_rows(simulations.hold_records(holds[0]), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents import draw_hold

        length = counted(len(holds[-1].won), holds[-1].period)
        note = simulations.run_words(plan, f"{calendar.rounds_per_hour} rounds per hour", length)
        draw_hold(holds, plot, title=chart_title(plan.house, submission), note=note)
    if as_json:
        print_json(simulations.hold_json(plan, calendar, holds, expected))
    else:
        _show_hold(submission, plan, calendar, holds, expected)
    return 130 if stopped else 0


def _show_hold(
    submission: Path, plan: Plan, calendar: Calendar, holds: tuple[Hold, ...], expected: ExpectedWin
) -> None:
    who = f"{simulations.players_words(plan)}, {calendar.rounds_per_hour} rounds per hour"
    columns = ("", *(f"per {period.period}" for period in holds))
    title = f"{escape(str(submission))}: {who}, seed {plan.seed}, {plan.strategy}"
    print_table(columns, simulations.hold_rows(holds, expected), title=title)
    for words in simulations.hold_notes(expected):
        console().print(f"[dim]{escape(words)}[/dim]")
