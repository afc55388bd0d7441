"""`croupier hold`: what a table keeps in a shift, a day and a month."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
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
    check_files,
    plan_of,
    progress_of,
    read_amount,
    say_stopped,
    write_rows,
)
from croupier.money import Cents, format_dollars, print_dollars

if TYPE_CHECKING:
    from croupier.documents.export import Row
    from croupier.simulation.hold import Hold
    from croupier.simulation.plan import Plan

__all__ = ["hold"]


def hold(
    submission: Submission,
    months: Annotated[int, typer.Option(help="How many months of 30 days.", min=1, max=100_000)] = 24,
    rounds_an_hour: Pace = 60,
    hours: Annotated[int, typer.Option(help="That the table is open a day.", min=1, max=24)] = 24,
    shifts: Annotated[int, typer.Option(help="In a day.", min=1, max=24)] = 3,
    buy_in: Annotated[
        str | None, typer.Option("--buy-in", metavar="AMOUNT", help="Each player a shift buys in so; gives the drop.")
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
    """Tell what a table keeps in a shift, a day and a month, and how far that swings.

    Every round is played; meters and envy count when they are paid. A row of the files is a shift.

    Example: [bold]croupier hold house.toml --seats 5 --months 60 --buy-in 300.00[/bold]
    """
    from croupier.simulation.history import HistoryStopped, keep_history
    from croupier.simulation.hold import Calendar, check_buy_in, hold_of
    from croupier.simulation.parallel import cores
    from croupier.simulation.report import expected_win

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    calendar = Calendar(rounds_an_hour, hours, shifts)
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
        from croupier.documents.simulation_charts import draw_hold

        draw_hold(holds, plot, title=f"{plan.house.rulebook.source.title}, {seats} at the table")
    if as_json:
        print_json(_plain_hold(plan, holds, expected))
    else:
        _show_hold(submission, plan, holds, expected)
    return 130 if stopped else 0


def _shifts(found: Hold) -> list[Row]:
    drops = [None] * len(found.won) if found.drop is None else found.drop.tolist()
    shifts = zip(found.won.tolist(), found.handle.tolist(), drops, strict=True)
    return [
        {"shift": number, "rounds": found.rounds, "won_cents": won, "handle_cents": handle, "drop_cents": drop}
        for number, (won, handle, drop) in enumerate(shifts, start=1)
    ]


def _plain_hold(plan: Plan, holds: tuple[Hold, ...], expected: Fraction | None) -> dict[str, Any]:
    from croupier.simulation.sample import quantiles

    return {
        "rounds": holds[0].rounds * len(holds[0].won),
        "seed": plan.seed,
        "seats": len(plan.seats),
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "periods": {
            one.period: {
                "rounds": one.rounds,
                "periods": len(one.won),
                "mean_win": float(one.mean) / 100,
                "mean_win_exact_in_run": str(one.mean / 100),
                "expected_win": None if expected is None else float(expected * one.rounds / 100),
                "expected_win_exact": None if expected is None else str(expected * one.rounds / 100),
                "standard_deviation": None if one.deviation is None else one.deviation / 100,
                "losing_share": float(one.losing),
                "quantiles": {str(at): format_dollars(Cents(cents)) for at, cents in quantiles(one.won).items()},
                "handle": format_dollars(Cents(int(one.handle.sum()))),
                "hold_of_handle": _plain_share(one, one.handle),
                "drop": None if one.drop is None else format_dollars(Cents(int(one.drop.sum()))),
                "hold_of_drop": None if one.drop is None else _plain_share(one, one.drop),
            }
            for one in holds
        },
    }


def _plain_share(one: Hold, of: Any) -> dict[str, float | None]:  # noqa: ANN401 - an array
    share, deviation = one.share(of)
    return {"mean": float(share), "standard_deviation": deviation}


def _show_hold(submission: Path, plan: Plan, holds: tuple[Hold, ...], expected: Fraction | None) -> None:
    names = [f"a {one.period}" for one in holds]
    rows = [
        ("rounds", *(f"{one.rounds:,}" for one in holds)),
        ("simulated", *(f"{len(one.won):,}" for one in holds)),
        ("won on average", *(_dollars(one.mean) for one in holds)),
        ("by the exact edges", *("" if expected is None else _dollars(expected * one.rounds) for one in holds)),
        ("standard deviation", *("" if one.deviation is None else _dollars(one.deviation) for one in holds)),
        ("the house loses", *(percent(one.losing, places=1) for one in holds)),
        *((f"{at} of 100 win at most", *(_at_most(one, at) for one in holds)) for at in (1, 5, 50, 95, 99)),
        ("hold of the handle", *(_held(one, one.handle) for one in holds)),
    ]
    if holds[0].drop is not None:
        rows.append(("hold of the drop", *("" if one.drop is None else _held(one, one.drop) for one in holds)))
    seats = f"{len(plan.seats)} at the table" if len(plan.seats) > 1 else "one at the table"
    print_table(("", *names), rows, title=f"{escape(str(submission))}: {seats}, seed {plan.seed}, {plan.strategy}")
    console().print("[dim]± is one standard deviation from period to period.[/dim]")


def _at_most(one: Hold, at: int) -> str:
    """A quantile, where at least one period lies beyond it."""
    from croupier.simulation.sample import quantiles

    if len(one.won) * min(at, 100 - at) < 100:
        return ""
    return print_dollars(Cents(quantiles(one.won, (at,))[at]))


def _held(one: Hold, of: Any) -> str:  # noqa: ANN401 - an array
    share, deviation = one.share(of)
    return percent(share, places=2) + ("" if deviation is None else f" ± {deviation:.2%}")


def _dollars(cents: Fraction | float) -> str:
    return print_dollars(Cents(round(cents)))
