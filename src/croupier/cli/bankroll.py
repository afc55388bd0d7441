"""`croupier bankroll`: visits of a player with so much money."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.shown.console import print_json, print_table
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
    from croupier.simulation.bankroll import Visits
    from croupier.simulation.plan import Plan

__all__ = ["bankroll"]


def bankroll(
    submission: Submission,
    money: Annotated[str, typer.Option("--bankroll", "-m", metavar="AMOUNT", help="What the player brings.")],
    hours: Annotated[int, typer.Option(help="How long the player wants to stay.", min=1, max=10_000)] = 4,
    visits: Annotated[int, typer.Option(help="How many visits to play.", min=1, max=10_000_000)] = 10_000,
    rounds_an_hour: Pace = 60,
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
    """Tell how a player's money goes up and down, and the risk that it is gone before it is time to leave.

    A player who cannot pay for the most that a round may ask leaves.

    The player sits at seat 1, and a row of the files is a visit.

    Example: [bold]croupier bankroll house.toml --bankroll 500.00 --hours 4 --bet base=10.00[/bold]
    """
    from croupier.simulation.bankroll import visits_of
    from croupier.simulation.history import HistoryStopped, keep_history
    from croupier.simulation.hold import check_buy_in
    from croupier.simulation.parallel import cores

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    cents, length = read_amount(money, "--bankroll"), hours * rounds_an_hour
    check_buy_in(plan, cents)
    stopped = False
    try:
        with progress_of(visits * length) as done:
            history = keep_history(plan, visits * length, workers=workers or cores(), done=done)
    except HistoryStopped as interrupted:
        rounds = 0 if interrupted.history is None else interrupted.history.rounds
        say_stopped(rounds, visits * length)
        if interrupted.history is None or rounds < length:
            raise
        history, stopped = interrupted.history, True
    found = visits_of(history, bankroll=cents, rounds=length)
    ends = enumerate(zip(found.played.tolist(), found.left.tolist(), strict=True), start=1)
    write_rows(
        [{"visit": one, "rounds": played, "left_cents": left} for one, (played, left) in ends], as_csv, as_parquet
    )
    if plot is not None:
        from croupier.documents.simulation_charts import draw_visits

        draw_visits(found, plot, rounds_an_hour=rounds_an_hour, title=plan.house.rulebook.source.title)
    if as_json:
        print_json(_plain_visits(plan, found))
    else:
        _show_visits(submission, plan, found, rounds_an_hour)
    return 130 if stopped else 0


def _plain_visits(plan: Plan, found: Visits) -> dict[str, Any]:
    from croupier.simulation.sample import quantiles

    return {
        "visits": len(found.left),
        "rounds_a_visit": found.rounds,
        "seed": plan.seed,
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "bankroll": format_dollars(Cents(found.bankroll)),
        "needed_for_a_round": format_dollars(Cents(found.need)),
        "ruined": found.ruined,
        "risk_of_ruin": float(found.ruin),
        "risk_of_ruin_99": list(found.ruin_interval),
        "ahead_share": float(found.ahead),
        "mean_left": float(found.left.mean()) / 100,
        "left_quantiles": {str(at): format_dollars(Cents(cents)) for at, cents in quantiles(found.left).items()},
        "rounds_to_ruin_quantiles": _rounds_to_ruin(found),
        "fan": [
            {"round": time, **{str(at): format_dollars(Cents(cents)) for at, cents in row.items()}}
            for time, row in zip(found.times, found.fan, strict=True)
        ],
    }


def _rounds_to_ruin(found: Visits) -> dict[str, int] | None:
    from croupier.simulation.sample import quantiles

    short = found.played[found.played < found.rounds]
    return {str(at): rounds for at, rounds in quantiles(short).items()} if len(short) else None


def _show_visits(submission: Path, plan: Plan, found: Visits, rounds_an_hour: int) -> None:
    from croupier.simulation.sample import quantiles

    low, high = found.ruin_interval
    ruin = _rounds_to_ruin(found)
    left = quantiles(found.left)
    hours = found.rounds / rounds_an_hour
    rows = [
        ("visits", f"{len(found.left):,} of {hours:g} hours, {found.rounds:,} rounds"),
        ("a round may ask", print_dollars(Cents(found.need))),
        ("risk of ruin", f"{percent(found.ruin, places=2)}, 99% interval {low:.2%} to {high:.2%}"),
        ("half of the ruined within", "" if ruin is None else f"{ruin['50'] / rounds_an_hour:.1f} hours"),
        ("leaves with more", percent(found.ahead, places=1)),
        *((f"{at} of 100 leave with at most", print_dollars(Cents(left[at]))) for at in (5, 25, 50, 75, 95)),
        ("left on average", print_dollars(Cents(round(found.left.mean())))),
    ]
    title = f"{escape(str(submission))}: {print_dollars(Cents(found.bankroll))}, seed {plan.seed}, {plan.strategy}"
    print_table(("", ""), rows, title=title)
