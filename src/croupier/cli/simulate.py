"""`croupier simulate`: millions of rounds at a house, beside the exact figures."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
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
from croupier.money import Cents, format_dollars, percent_places, print_dollars

if TYPE_CHECKING:
    from croupier.documents import Row
    from croupier.simulation import DecisionFunction, MeterReport, Plan, Tally, WagerReport

__all__ = ["simulate"]


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
    write_rows(_rows(wagers, envy), as_csv, as_parquet)
    if plot is not None:
        from croupier.documents import draw_edges

        note = f"{tally.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
        draw_edges(wagers, plot, title=chart_title(plan, submission), note=note)
    if as_json:
        about = {"rounds": tally.rounds, "asked": rounds, "seed": plan.seed, "seats": len(plan.seats)}
        played = {"strategy": plan.strategy, "rules": plan.house.hash}
        print_json(about | played | _plain(wagers, meters, envy))
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
        return run_parts(plan, rounds, workers=workers or cores(), folder=resume, done=done)


def _apart(workers: int | None, scheduler: str | None, resume: Path | None) -> str | None:
    """The option that plays rounds independently, if one was given."""
    asked = {"--scheduler": scheduler is not None, "--resume": resume is not None, "--workers": (workers or 1) > 1}
    return next((option for option, given in asked.items() if given), None)


def _rows(wagers: Sequence[WagerReport], envy: Mapping[int, int]) -> list[Row]:
    """One row per wager and seat, and one for its envy where a house pays any."""
    rows: list[Row] = [
        {
            "seat": wager.seat,
            "wager": wager.wager,
            "rounds": wager.rounds,
            "unit_cents": wager.unit,
            "staked_cents": wager.staked,
            "net_cents": wager.net,
            "house_edge": float(wager.edge),
            "standard_error": wager.standard_error,
            "low_99": wager.interval and wager.interval[0],
            "high_99": wager.interval and wager.interval[1],
            "exact_edge": None if wager.exact is None else float(wager.exact.edge),
            "exact_edge_exact": None if wager.exact is None else str(wager.exact.edge),
            "agrees": wager.agrees,
        }
        for wager in wagers
    ]
    nothing = dict.fromkeys(rows[0])
    paid = {"wager": "envy", "rounds": rows[0]["rounds"], "staked_cents": 0}
    return [*rows, *(nothing | paid | {"seat": seat, "net_cents": cents} for seat, cents in envy.items())]


def _plain(wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> dict[str, Any]:
    return {
        "wagers": [
            {
                "seat": wager.seat,
                "wager": wager.wager,
                "rounds": wager.rounds,
                "staked": format_dollars(Cents(wager.staked)),
                "handle": format_dollars(Cents(wager.handle)),
                "net": format_dollars(Cents(wager.net)),
                "mean": float(-wager.edge),
                "standard_error": wager.standard_error,
                "house_edge": float(wager.edge),
                "house_edge_exact_in_run": str(wager.edge),
                "element_of_risk": float(wager.element_of_risk),
                "interval_99": wager.interval and list(wager.interval),
                "exact_edge": None if wager.exact is None else float(wager.exact.edge),
                "exact_edge_exact": None if wager.exact is None else str(wager.exact.edge),
                "agrees": wager.agrees,
                "conclusive": wager.conclusive,
            }
            for wager in wagers
        ],
        "envy": {str(seat): format_dollars(Cents(cents)) for seat, cents in envy.items()},
        "meters": {
            meter.name: {
                "initial": format_dollars(Cents(meter.initial)),
                "contributions": format_dollars(Cents(meter.contributed)),
                "reseeded": format_dollars(Cents(meter.reseeded)),
                "hits": meter.hits,
                "taken": format_dollars(Cents(meter.taken)),
                "paid": format_dollars(Cents(meter.paid)),
                "final": format_dollars(Cents(meter.final)),
                "mean_interval": None if meter.interval is None else float(meter.interval),
            }
            for meter in meters
        },
    }


def _show(title: str, wagers: Sequence[WagerReport], meters: Sequence[MeterReport], envy: Mapping[int, int]) -> None:
    rows = []
    for wager in wagers:
        low, high = wager.interval or (None, None)
        places = percent_places(None if low is None or high is None else (high - low) / 2)
        spread = "" if low is None or high is None else f"{low:.{places}%} to {high:.{places}%}".replace("-", "−")
        exact = "not exact" if wager.exact is None else percent(wager.exact.edge)
        rows.append((str(wager.seat), wager.wager, percent(wager.edge, places), spread, exact, _verdict(wager)))
    print_table(("seat", "wager", "house edge", "99% interval", "exact edge", ""), rows, title=title)
    if meters:
        print()
        columns = ("meter", "began", "added", "resets", "hits", "taken", "rounds between", "ended")
        print_table(columns, [_meter(meter) for meter in meters])
    if envy:
        paid = ", ".join(f"seat {seat} {print_dollars(Cents(cents))}" for seat, cents in envy.items())
        console().print(f"Envy, not included in any row: {paid}.")
    for words in _notes(wagers):
        console().print(f"[dim]{words}[/dim]")


def _verdict(wager: WagerReport) -> str:
    """The verdict; containing the exact edge proves little if the interval is wide or rare wins could not show up."""
    if wager.agrees is None:
        return ""
    if not wager.agrees:
        return "[red]outside[/red]"
    return "[green]agrees[/green]" if wager.conclusive else "too few rounds"


def _notes(wagers: Sequence[WagerReport]) -> Iterator[str]:
    yield "Expect about 1 in 100 results to fall outside its interval by chance."
    if any(wager.agrees and not wager.conclusive for wager in wagers):
        yield (
            "Too few rounds: the exact edge is in the interval, but that proves little. The interval is wider than "
            "the edge, or most of it is due to wins too rare for this many rounds."
        )
    if any(wager.exact is None for wager in wagers):
        yield (
            "Not exact: the edge of a progressive moves with its meter (croupier meter has the long run), and a payout "
            "limit, a strategy function or mistakes can leave a wager without an exact edge."
        )
    if any(wager.sampled and wager.interval for wager in wagers):
        yield "A main game without an exact edge has the spread of the sample, which may lack the rarest wins."


def _meter(meter: MeterReport) -> tuple[str, ...]:
    between = "" if meter.interval is None else f"{float(meter.interval):,.1f}"
    amounts = [print_dollars(Cents(cents)) for cents in (meter.initial, meter.contributed, meter.reseeded)]
    return (
        meter.name,
        *amounts,
        f"{meter.hits:,}",
        print_dollars(Cents(meter.taken)),
        between,
        print_dollars(Cents(meter.final)),
    )
