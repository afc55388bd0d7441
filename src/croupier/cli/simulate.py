"""`croupier simulate`: a house played by the million, beside the exact figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from croupier.cli.analysis.asking import house_of
from croupier.cli.analysis.showing import percent
from croupier.cli.planning import plan_of
from croupier.cli.show import console, print_json, print_table
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars, print_dollars

if TYPE_CHECKING:
    from croupier.simulation.plan import Plan
    from croupier.simulation.run import Tally

__all__ = ["simulate"]


def simulate(
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION", help="The house; - is standard input.")],
    rounds: Annotated[int, typer.Option("--rounds", "-n", help="How many rounds.", min=1)] = 1_000_000,
    seed: Annotated[
        int, typer.Option(help="The same seed gives the same figures, however the work is split.", min=0)
    ] = 0,
    seats: Annotated[int, typer.Option(help="How many play.", min=1, max=7)] = 1,
    bet: Annotated[
        list[str] | None,
        typer.Option("--bet", "-b", metavar="WAGER=AMOUNT", help="base=10.00 …; without it each wager at its minimum."),
    ] = None,
    strategy: Annotated[str, typer.Option(help="optimal, always, or a name that croupier strategy lists.")] = "optimal",
    mistakes: Annotated[str, typer.Option(help="The share of decisions that chance takes instead: 2%.")] = "0%",
    workers: Annotated[int | None, typer.Option(help="Cores to use; all without it.", min=1, max=1024)] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep finished parts here, and go on from what lies there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """Play a house by the million and hold the figures against the exact ones.

    Every round is dealt, decided and settled to the cent; the same seed gives the same figures on one core, on many
    and on a cluster. Ctrl-C stops it and shows what was done so far.

    Example: [bold]croupier simulate house.toml --rounds 10000000 --seed 1[/bold]
    """
    from croupier.simulation.spread import Interrupted

    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    stopped = False
    try:
        tally = _run(plan, rounds, workers, scheduler, resume)
    except Interrupted as interrupted:
        if interrupted.tally is None:
            raise
        tally, stopped = interrupted.tally, True
    if as_json:
        print_json(_plain(plan, tally))
    else:
        _show(submission, plan, tally)
    return 130 if stopped else 0


def _run(plan: Plan, rounds: int, workers: int | None, scheduler: str | None, resume: Path | None) -> Tally:
    from croupier.simulation.spread import cores, run_on_cluster, run_parts

    screen = Console(stderr=True)
    columns = (
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} rounds"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task("", total=rounds, rate="preparing")

        def done(finished: int) -> None:
            speed = progress.tasks[task].speed
            progress.update(task, advance=finished, rate=f"{speed / 1e6:,.1f} million/s" if speed else "")

        if scheduler is not None:
            return run_on_cluster(plan, rounds, scheduler=scheduler, done=done)
        if resume is not None and not resume.is_dir():
            raise Malformed(f"--resume: {resume} is not a folder")
        return run_parts(plan, rounds, workers=workers or cores(), folder=resume, done=done)


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
    title = f"{escape(str(submission))}: {tally.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
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
