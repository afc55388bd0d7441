"""`croupier simulate`: a house played by the million, beside the exact figures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.analysis.asking import house_of
from croupier.cli.analysis.showing import percent
from croupier.cli.functions import function_of
from croupier.cli.planning import (
    Bets,
    Csv,
    Mistakes,
    Parquet,
    Plot,
    Seats,
    Seed,
    Submission,
    Workers,
    check_files,
    plan_of,
    progress_of,
    write_rows,
)
from croupier.cli.show import console, print_json, print_table
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, print_dollars

if TYPE_CHECKING:
    from croupier.documents.rows import Row
    from croupier.simulation.plan import Plan
    from croupier.simulation.run import Tally
    from croupier.simulation.turn import Decide

__all__ = ["simulate"]


def simulate(
    submission: Submission,
    rounds: Annotated[int, typer.Option("--rounds", "-n", help="How many rounds.", min=1)] = 1_000_000,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Annotated[
        str, typer.Option(help="optimal, always, a name that croupier strategy lists, or a function as FILE.py:NAME.")
    ] = "optimal",
    mistakes: Mistakes = "0%",
    workers: Workers = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep finished parts here, and go on from what lies there.")
    ] = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    plot: Plot = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Play a house by the million and hold the figures against the exact ones.

    Every round is dealt, decided and settled to the cent; the same seed gives the same figures on one core, on many
    and on a cluster. Ctrl-C stops it and shows what was done so far.

    Example: [bold]croupier simulate house.toml --rounds 10000000 --seed 1[/bold]
    """
    from croupier.simulation.report import report_wagers
    from croupier.simulation.spread import Interrupted

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    stopped = False
    try:
        decide = function_of(strategy) if plan.by_hand else None
        tally = _run(plan, rounds, workers, scheduler, resume, decide)
    except Interrupted as interrupted:
        if interrupted.tally is None:
            raise
        tally, stopped = interrupted.tally, True
    except Malformed as error:
        if os.environ.get("CROUPIER_DEBUG") and error.__cause__ is not None:
            raise error.__cause__ from None  # what a function of the user's ran into
        raise
    write_rows(_rows(plan, tally), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents.swings import draw_edges

        note = f"{tally.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
        draw_edges(report_wagers(plan, tally), plot, title=plan.house.rulebook.source.title, note=note)
    if as_json:
        print_json(_plain(plan, tally))
    else:
        _show(submission, plan, tally)
    return 130 if stopped else 0


def _run(
    plan: Plan, rounds: int, workers: int | None, scheduler: str | None, resume: Path | None, decide: Decide | None
) -> Tally:
    from croupier.simulation.by_hand import play_by
    from croupier.simulation.spread import cores, run_on_cluster, run_parts

    if resume is not None and not resume.is_dir():
        raise Malformed(f"--resume: {resume} is not a folder")
    if decide is not None and (option := _apart(workers, scheduler, resume)):
        raise Malformed(f"{option}: {plan.strategy} plays one round after another, each with the meters of the last")
    with progress_of(rounds) as done:
        if decide is not None:
            return play_by(plan, decide, rounds, done=done)
        if scheduler is not None:
            return run_on_cluster(plan, rounds, scheduler=scheduler, folder=resume, done=done)
        return run_parts(plan, rounds, workers=workers or cores(), folder=resume, done=done)


def _apart(workers: int | None, scheduler: str | None, resume: Path | None) -> str | None:
    """The option that plays rounds apart from each other."""
    asked = {"--scheduler": scheduler is not None, "--resume": resume is not None, "--workers": (workers or 1) > 1}
    return next((option for option, given in asked.items() if given), None)


def _rows(plan: Plan, tally: Tally) -> list[Row]:
    """A row for each wager of each seat."""
    from croupier.simulation.report import report_wagers

    return [
        {
            "seat": one.seat,
            "wager": one.wager,
            "rounds": one.rounds,
            "unit_cents": one.unit,
            "staked_cents": one.staked,
            "net_cents": one.net,
            "house_edge": float(one.edge),
            "standard_error": one.standard_error,
            "low_99": one.interval[0],
            "high_99": one.interval[1],
            "exact_edge": None if one.exact is None else float(one.exact.edge),
            "exact_edge_exact": None if one.exact is None else str(one.exact.edge),
            "agrees": one.agrees,
        }
        for one in report_wagers(plan, tally)
    ]


def _plain(plan: Plan, tally: Tally) -> dict[str, Any]:
    from croupier.simulation.report import report_meters, report_wagers

    return {
        "rounds": tally.rounds,
        "seed": plan.seed,
        "seats": len(plan.seats),
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "wagers": [
            {
                "seat": one.seat,
                "wager": one.wager,
                "rounds": one.rounds,
                "staked": format_dollars(Cents(one.staked)),
                "net": format_dollars(Cents(one.net)),
                "mean": float(-one.edge),
                "standard_error": one.standard_error,
                "house_edge": float(one.edge),
                "house_edge_exact_in_run": str(one.edge),
                "interval_99": list(one.interval),
                "exact_edge": None if one.exact is None else float(one.exact.edge),
                "exact_edge_exact": None if one.exact is None else str(one.exact.edge),
                "agrees": one.agrees,
            }
            for one in report_wagers(plan, tally)
        ],
        "meters": {
            one.name: {
                "contributions": format_dollars(Cents(one.contributed)),
                "hits": one.hits,
                "paid": format_dollars(Cents(one.paid)),
                "final": format_dollars(Cents(one.final)),
                "mean_interval": None if one.interval is None else float(one.interval),
            }
            for one in report_meters(plan, tally)
        },
    }


def _show(submission: Path, plan: Plan, tally: Tally) -> None:
    from croupier.simulation.report import report_meters, report_wagers

    rows = []
    for one in report_wagers(plan, tally):
        low, high = one.interval
        verdict = {None: "", True: "[green]agrees[/green]", False: "[red]outside[/red]"}[one.agrees]
        exact = "" if one.exact is None else percent(one.exact.edge)
        rows.append(
            (str(one.seat), one.wager, percent(one.edge), f"{low:.4%} to {high:.4%}".replace("-", "−"), exact, verdict)
        )
    title = f"{escape(str(submission))}: {tally.rounds:,} rounds, seed {plan.seed}, {escape(plan.strategy)}"
    print_table(("seat", "wager", "house edge", "99% interval", "exactly", ""), rows, title=title)
    meters = report_meters(plan, tally)
    if meters:
        print()
        print_table(
            ("meter", "contributed", "hits", "paid", "rounds between", "at the end"),
            [
                (
                    one.name,
                    print_dollars(Cents(one.contributed)),
                    f"{one.hits:,}",
                    print_dollars(Cents(one.paid)),
                    "" if one.interval is None else f"{float(one.interval):,.1f}",
                    print_dollars(Cents(one.final)),
                )
                for one in meters
            ],
        )
    console().print("[dim]One in a hundred lies outside its interval by chance.[/dim]")
