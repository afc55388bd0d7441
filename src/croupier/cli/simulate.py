"""`croupier simulate`: a house played by the million, beside the exact figures."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
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
    Parquet,
    Plot,
    Seats,
    Seed,
    Submission,
    Workers,
    check_files,
    plan_of,
    progress_of,
    say_stopped,
    write_rows,
)
from croupier.cli.user_function import function_of, prints_aside
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, print_dollars

if TYPE_CHECKING:
    from croupier.documents.export import Row
    from croupier.simulation.custom.decision_point import Decide
    from croupier.simulation.plan import Plan
    from croupier.simulation.report import MeterReport, WagerReport
    from croupier.simulation.run import Tally

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
    from croupier.simulation.parallel import Interrupted
    from croupier.simulation.report import report_envy, report_meters, report_wagers

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
    write_rows(_rows(wagers, envy), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents.simulation_charts import draw_edges

        note = f"{tally.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
        draw_edges(wagers, plot, title=plan.house.rulebook.source.title, note=note)
    if as_json:
        about = {"rounds": tally.rounds, "asked": rounds, "seed": plan.seed, "seats": len(plan.seats)}
        played = {"strategy": plan.strategy, "rules": plan.house.hash}
        print_json(about | played | _plain(wagers, meters, envy))
    else:
        title = f"{escape(str(submission))}: {tally.rounds:,} rounds, seed {plan.seed}, {escape(plan.strategy)}"
        _show(title, wagers, meters, envy)
    return 130 if stopped else 0


def _run(
    plan: Plan, rounds: int, workers: int | None, scheduler: str | None, resume: Path | None, decide: Decide | None
) -> Tally:
    from croupier.simulation.custom.user_strategy import play_by
    from croupier.simulation.parallel import cores, run_on_cluster, run_parts

    if resume is not None and not resume.is_dir():
        raise Malformed(f"--resume: {resume} is not a folder")
    if decide is not None and (option := _apart(workers, scheduler, resume)):
        raise Malformed(f"{option}: {plan.strategy} plays one round after another, each with the meters of the last")
    if workers is not None and scheduler is not None:
        raise Malformed("--workers: the workers of a cluster are its own; leave it out with --scheduler")
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


def _rows(wagers: Sequence[WagerReport], envy: Mapping[int, int]) -> list[Row]:
    """A row for each wager of each seat, and one for its envy where a house pays any."""
    rows: list[Row] = [
        {
            "seat": one.seat,
            "wager": one.wager,
            "rounds": one.rounds,
            "unit_cents": one.unit,
            "staked_cents": one.staked,
            "net_cents": one.net,
            "house_edge": float(one.edge),
            "standard_error": one.standard_error,
            "low_99": one.interval and one.interval[0],
            "high_99": one.interval and one.interval[1],
            "exact_edge": None if one.exact is None else float(one.exact.edge),
            "exact_edge_exact": None if one.exact is None else str(one.exact.edge),
            "agrees": one.agrees,
        }
        for one in wagers
    ]
    nothing = dict.fromkeys(rows[0])
    told = {"wager": "envy", "rounds": rows[0]["rounds"], "staked_cents": 0}
    return [*rows, *(nothing | told | {"seat": seat, "net_cents": cents} for seat, cents in envy.items())]


def _plain(wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> dict[str, Any]:
    return {
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
                "interval_99": one.interval and list(one.interval),
                "exact_edge": None if one.exact is None else float(one.exact.edge),
                "exact_edge_exact": None if one.exact is None else str(one.exact.edge),
                "agrees": one.agrees,
            }
            for one in wagers
        ],
        "envy": {str(seat): format_dollars(Cents(cents)) for seat, cents in envy.items()},
        "meters": {
            one.name: {
                "initial": format_dollars(Cents(one.initial)),
                "contributions": format_dollars(Cents(one.contributed)),
                "reseeded": format_dollars(Cents(one.reseeded)),
                "hits": one.hits,
                "taken": format_dollars(Cents(one.taken)),
                "paid": format_dollars(Cents(one.paid)),
                "final": format_dollars(Cents(one.final)),
                "mean_interval": None if one.interval is None else float(one.interval),
            }
            for one in meters
        },
    }


def _show(title: str, wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> None:
    rows = []
    for one in wagers:
        spread = "" if one.interval is None else "{:.4%} to {:.4%}".format(*one.interval).replace("-", "−")
        verdict = {None: "", True: "[green]agrees[/green]", False: "[red]outside[/red]"}[one.agrees]
        exact = "" if one.exact is None else percent(one.exact.edge)
        rows.append((str(one.seat), one.wager, percent(one.edge), spread, exact, verdict))
    print_table(("seat", "wager", "house edge", "99% interval", "exactly", ""), rows, title=title)
    if meters:
        print()
        columns = ("meter", "began", "added", "resets", "hits", "taken", "rounds between", "ended")
        print_table(columns, [_meter(one) for one in meters])
    if envy:
        paid = ", ".join(f"seat {seat} {print_dollars(Cents(cents))}" for seat, cents in envy.items())
        console().print(f"Envy, in none of these rows: {paid}.")
    console().print("[dim]One in a hundred lies outside its interval by chance.[/dim]")
    if any(one.sampled and one.interval for one in wagers):
        console().print(
            "[dim]A main game without an exact edge has the spread of the sample, which may lack the rarest wins.[/dim]"
        )


def _meter(one: MeterReport) -> tuple[str, ...]:
    between = "" if one.interval is None else f"{float(one.interval):,.1f}"
    amounts = [print_dollars(Cents(cents)) for cents in (one.initial, one.contributed, one.reseeded)]
    return (
        one.name,
        *amounts,
        f"{one.hits:,}",
        print_dollars(Cents(one.taken)),
        between,
        print_dollars(Cents(one.final)),
    )
