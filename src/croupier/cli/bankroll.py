"""`croupier bankroll`: how a player's money lasts, and the risk of ruin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.chosen_house import say_which_house
from croupier.cli.first_figures import first_figures
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
from croupier.money import Cents, dollars_estimate, format_dollars, print_dollars
from croupier.present import simulations

if TYPE_CHECKING:
    from croupier.simulation import Plan, Visits

__all__ = ["bankroll"]

PERCENTILES: Final = {
    5: "5th percentile",
    25: "25th percentile",
    50: "median",
    75: "75th percentile",
    95: "95th percentile",
}


def bankroll(
    submission: Submission,
    money: Annotated[str, typer.Option("--bankroll", "-m", metavar="AMOUNT", help="The player's starting money.")],
    hours: Annotated[int, whole_number("--hours", text="Length of a visit in hours.", most=10_000)] = 4,
    visits: Annotated[int, whole_number("--visits", text="Visits to simulate.", most=10_000_000)] = 10_000,
    rounds_per_hour: Pace = None,
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
    """How a player's money goes up and down over a visit, and the risk of ruin.

    Ruin means that the money no longer covers the opening bets of a round. A round that takes more than is left is
    played for what is left, in proportion. Every visit begins with the meters as filed.

    The player sits at seat 1; the files have one row per visit.

    Example: [bold]croupier bankroll house.toml --bankroll 500 --hours 4 --bet ante=10[/bold]
    """
    from croupier.simulation import HistoryStopped, check_bankroll, cores, keep_history, visits_of

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    pace = pace_of(plan, rounds_per_hour)
    cents, length = read_amount(money, "--bankroll"), hours * pace
    check_bankroll(plan, cents)
    stopped = False
    try:
        with progress_of(visits * length) as done:
            first_figures(plan, visits * length)
            history = keep_history(plan, visits * length, workers=workers or cores(), restart=length, done=done)
    except HistoryStopped as interrupted:
        rounds = 0 if interrupted.history is None else interrupted.history.rounds
        say_stopped(rounds, visits * length)
        if interrupted.history is None or rounds < length:
            raise
        history, stopped = interrupted.history, True
    played = visits_of(history, bankroll=cents, rounds=length)
    ends = enumerate(zip(played.played.tolist(), played.left.tolist(), strict=True), start=1)
    write_rows(
        [{"visit": number, "rounds": rounds, "left_cents": left} for number, (rounds, left) in ends],
        as_csv,
        as_parquet,
    )
    if plot is not None:
        from croupier.documents import draw_visits

        note = simulations.run_words(plan, f"{pace} rounds per hour")
        draw_visits(played, plot, rounds_per_hour=pace, title=chart_title(plan.house, submission), note=note)
    if as_json:
        print_json(_plain_visits(plan, played, pace))
    else:
        _show_visits(submission, plan, played, pace)
        say_which_house(submission, plan.house)
    return 130 if stopped else 0


def _plain_visits(plan: Plan, visits: Visits, pace: int) -> dict[str, Any]:
    from croupier.simulation import quantiles

    return {
        "visits": len(visits.left),
        "rounds_a_visit": visits.rounds,
        "rounds_per_hour": pace,
        "seed": plan.seed,
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "bankroll": format_dollars(Cents(visits.bankroll)),
        "opening_bets": format_dollars(Cents(visits.opening)),
        "needed_for_a_round": format_dollars(Cents(visits.need)),
        "ruined": visits.ruined,
        "risk_of_ruin": float(visits.ruin),
        "risk_of_ruin_99": list(visits.ruin_interval),
        "short_of_a_round_share": float(visits.short_of_a_round),
        "ahead_share": float(visits.ahead),
        "mean_left": float(visits.left.mean()) / 100,
        "mean_left_standard_error": None if visits.mean_error is None else visits.mean_error / 100,
        "left_quantiles": {str(at): format_dollars(Cents(cents)) for at, cents in quantiles(visits.left).items()},
        "rounds_to_ruin_quantiles": _rounds_to_ruin(visits),
        "fan": [
            {"round": time, **{str(at): format_dollars(Cents(cents)) for at, cents in row.items()}}
            for time, row in zip(visits.times, visits.fan, strict=True)
        ],
    }


def _rounds_to_ruin(visits: Visits) -> dict[str, int] | None:
    from croupier.simulation import quantiles

    rounds = visits.played[visits.left < visits.opening]
    return {str(at): played for at, played in quantiles(rounds).items()} if len(rounds) else None


def _show_visits(submission: Path, plan: Plan, visits: Visits, pace: int) -> None:
    from croupier.simulation import NINETY_NINE, quantiles

    low, high = visits.ruin_interval
    ruin, left = _rounds_to_ruin(visits), quantiles(visits.left)
    opening, need = print_dollars(Cents(visits.opening)), print_dollars(Cents(visits.need))
    error = None if visits.mean_error is None else NINETY_NINE * visits.mean_error
    rows = [
        ("visits", f"{len(visits.left):,} of {visits.rounds / pace:g} hours, {visits.rounds:,} rounds"),
        ("risk of ruin", f"{percent(visits.ruin, places=1)}, 99% interval {low:.1%} to {high:.1%}"),
        ("median time to ruin", "no ruin" if ruin is None else f"{ruin['50'] / pace:.1f} hours"),
        *([(f"ever below {need}", percent(visits.short_of_a_round, places=1))] if visits.need > visits.opening else []),
        ("leaves ahead", percent(visits.ahead, places=1)),
        *((f"leaves with, {words}", print_dollars(Cents(left[at]))) for at, words in PERCENTILES.items()),
        ("leaves with, on average", dollars_estimate(visits.left.mean(), error)),
    ]
    title = f"{escape(str(submission))}: {print_dollars(Cents(visits.bankroll))}, {pace} rounds per hour"
    print_table(("", ""), rows, title=f"{title}, seed {plan.seed}, {plan.strategy}")
    rule = f"Ruin: the money no longer covers the opening bets of {opening}; then the player leaves."
    if visits.need > visits.opening:
        rule += f" A round can cost {need}; with less, it is played in proportion to what is left."
    if any(wager.meters for wager in plan.house.wagers):
        rule += " Every visit begins with the meters as filed."
    console().print(f"[dim]{simulations.bets_words(plan)}.\n{rule}[/dim]")
