"""`croupier simulate`: millions of rounds at a house, beside the exact figures."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.first_figures import first_figures, short_run
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.simulation_options import (
    Bets,
    Csv,
    Mistakes,
    Parquet,
    Plot,
    Rounds,
    Seats,
    Seed,
    Submission,
    Workers,
    chart_title,
    check_files,
    plan_of,
    progress_of,
    say_stopped,
    write_rows,
)
from croupier.cli.user_function import function_of, prints_aside
from croupier.errors import Malformed
from croupier.present import simulations

if TYPE_CHECKING:
    from croupier.simulation import DecisionFunction, MeterReport, Plan, Tally, WagerReport

__all__ = ["simulate"]

_COLORED: Final = {"agrees": "[green]agrees[/green]", "outside": "[red]outside[/red]"}


def simulate(
    submission: Submission,
    rounds: Rounds = 1_000_000,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Annotated[
        str, typer.Option(help="optimal, always, a name listed by croupier strategy, or a function as FILE.py:NAME.")
    ] = "optimal",
    mistakes: Mistakes = "0%",
    workers: Workers = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address of a Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save finished parts here, and continue from what is there.")
    ] = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    plot: Plot = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Play millions of rounds and compare the results with the exact figures.

    Every round is dealt, decided and settled to the cent; the same seed gives the same figures on one core, on many
    and on a cluster. Ctrl-C stops it and shows the results so far.

    Example: [bold]croupier simulate house.toml --rounds 10000000 --seed 1[/bold]
    """
    from croupier.simulation import Interrupted, report_envy, report_meters, report_wagers

    check_files(as_csv, as_parquet, plot)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    stopped = False
    try:
        with prints_aside():
            decide = function_of(strategy) if plan.by_hand else None
            tally = _run(plan, rounds, workers, scheduler, resume, decide)
    except Interrupted as interrupted:
        say_stopped(0 if interrupted.tally is None else interrupted.tally.rounds, rounds)
        if interrupted.tally is None:
            raise
        tally, stopped = interrupted.tally, True
    except Malformed as error:
        if os.environ.get("CROUPIER_DEBUG") and error.__cause__ is not None:
            raise error.__cause__ from None  # what a function of the user's ran into
        raise
    wagers, meters, envy = report_wagers(plan, tally), report_meters(plan, tally), report_envy(plan, tally)
    write_rows(simulations.edge_records(wagers, envy), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents import draw_edges
        from croupier.simulation import long_run_edges

        note = simulations.run_words(plan, f"{tally.rounds:,} rounds")
        title = chart_title(plan.house, submission)
        draw_edges(wagers, plot, title=title, note=note, long_run=long_run_edges(plan))
    if as_json:
        about = {"rounds": tally.rounds, "asked": rounds, "seed": plan.seed, "seats": len(plan.seats)}
        played = {"strategy": plan.strategy, "rules": plan.house.hash}
        print_json(about | played | simulations.edge_json(wagers, meters, envy))
    else:
        title = f"{escape(str(submission))}: {tally.rounds:,} rounds, seed {plan.seed}, {escape(plan.strategy)}"
        _show(title, wagers, meters, envy)
    return 130 if stopped else 0


def _run(
    plan: Plan,
    rounds: int,
    workers: int | None,
    scheduler: str | None,
    resume: Path | None,
    decide: DecisionFunction | None,
) -> Tally:
    from croupier.simulation import cores, play_by, run_on_cluster, run_parts

    if resume is not None and not resume.is_dir():
        raise Malformed(f"--resume: {resume} is not a folder")
    if decide is not None and (option := _apart(workers, scheduler, resume)):
        raise Malformed(
            f"{option}: {plan.strategy} plays one round after another, each with the meters that the last one left"
        )
    if workers is not None and scheduler is not None:
        raise Malformed("--workers: a cluster has its own workers; leave this out with --scheduler")
    with progress_of(rounds) as done:
        if decide is not None:
            return play_by(plan, decide, rounds, done=done)
        if scheduler is not None:
            return run_on_cluster(plan, rounds, scheduler=scheduler, folder=resume, done=done)
        if (tally := short_run(plan, rounds)) is not None:
            return tally
        first_figures(plan, rounds)
        return run_parts(plan, rounds, workers=workers or cores(), folder=resume, done=done)


def _apart(workers: int | None, scheduler: str | None, resume: Path | None) -> str | None:
    """The option that plays rounds independently, if one was given."""
    asked = {"--scheduler": scheduler is not None, "--resume": resume is not None, "--workers": (workers or 1) > 1}
    return next((option for option, given in asked.items() if given), None)


def _show(title: str, wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> None:
    rows = [(*cells[:-1], _COLORED.get(cells[-1], cells[-1])) for cells in map(simulations.edge_cells, wagers)]
    print_table(simulations.EDGE_COLUMNS, rows, title=title)
    if meters:
        print()
        print_table(simulations.METER_COLUMNS, [simulations.meter_cells(meter) for meter in meters])
    if envy:
        console().print(simulations.envy_words(envy))
    for words in simulations.edge_notes(wagers):
        console().print(f"[dim]{words}[/dim]")
