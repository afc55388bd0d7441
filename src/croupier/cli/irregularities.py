"""`croupier irregularities`: full table procedure with misdeals and equipment failures, and what they cost."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.design import read_share
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.simulation_options import (
    Bets,
    Csv,
    Mistakes,
    Pace,
    Parquet,
    Seats,
    Seed,
    Strategy,
    Submission,
    check_files,
    plan_of,
    progress_of,
    whole_number,
    write_rows,
)
from croupier.errors import Malformed
from croupier.money import MILLION, Cents, dollars_estimate, format_dollars, print_dollars
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.documents import Row
    from croupier.floor import LoadPlan, LoadRecord, LoadSums

__all__ = ["irregularities"]


def irregularities(
    submission: Submission,
    rounds: Annotated[int, whole_number("--rounds", "-n", text="Rounds to simulate.", most=100_000_000)] = 10_000,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Strategy = "optimal",
    mistakes: Mistakes = "0%",
    rate: Annotated[
        list[str] | None,
        typer.Option(
            "--rate",
            "-r",
            metavar="NAME=SHARE",
            help="Share of rounds with this irregularity: foreign_card=0.1%, all=0%.",
        ),
    ] = None,
    seconds: Annotated[
        list[str] | None,
        typer.Option("--seconds", "-s", metavar="STEP=SECONDS", help="Seconds a step takes: floor_called=120."),
    ] = None,
    rounds_per_hour: Pace = None,
    workers: Annotated[
        int | None, whole_number("--workers", text="Processes for a long run; default: one per core.", most=1024)
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
) -> int:
    """Simulate full table procedure with misdeals and equipment failures: void rounds, refunds, lost time.

    Every card, chip and ruling is a command to the table, so it plays hundreds of rounds per second. An undisturbed
    round takes as long as the table-speed model says.

    Ctrl-C stops it and shows the results so far.

    Example: [bold]croupier irregularities house.toml --seats 3 --rate all=0.1% --seconds floor_called=120[/bold]
    """
    from croupier.floor import LoadPlan, floor_of

    check_files(as_csv, as_parquet, None)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    floor = floor_of(plan, rates=_rates(rate or []), seconds=_seconds(seconds or []), rounds_per_hour=rounds_per_hour)
    procedure = LoadPlan(plan=plan, floor=floor)
    record, stopped = _run(procedure, rounds, workers, scheduler)
    write_rows(_rows(record), as_csv, as_parquet)
    if as_json:
        print_json(_plain(procedure, record))
    else:
        _show(submission, procedure, record)
    return 130 if stopped else 0


def _pairs(texts: list[str], *, option: str, example: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise Malformed(f"{option} {clip(repr(text))}: write {example}")
        if name in pairs:
            raise Malformed(f"{option}: {name} is given twice")
        pairs[name] = value
    return pairs


def _rates(texts: list[str]) -> dict[str, int]:
    rates = {}
    for name, text in _pairs(texts, option="--rate", example="foreign_card=0.1%").items():
        share = read_share(text, name=f"--rate {name}") * MILLION
        if share < 0 or share.denominator != 1:
            raise Malformed(f"--rate {name}: {text} is not a share of rounds: 0% to 100%, in whole millionths")
        rates[name] = int(share)
    return rates


def _seconds(texts: list[str]) -> dict[str, int]:
    pairs = _pairs(texts, option="--seconds", example="floor_called=120")
    for name, text in pairs.items():
        if not (text.isascii() and text.isdecimal() and len(text) <= 9):
            raise Malformed(f"--seconds {name}: {clip(repr(text))} is not a whole number of seconds")
    return {name: int(text) for name, text in pairs.items()}


def _run(procedure: LoadPlan, rounds: int, workers: int | None, scheduler: str | None) -> tuple[LoadRecord, bool]:
    """The record of what was played, and whether it was stopped before the end."""
    from croupier.floor import merge, play_parts
    from croupier.simulation import cores

    evenings: list[LoadRecord] = []
    with progress_of(rounds) as done:
        try:
            for record in play_parts(procedure, rounds, workers=workers or cores(), scheduler=scheduler):
                evenings.append(record)
                done(record.played.rounds)
        except KeyboardInterrupt:
            if not evenings:
                raise
            return merge(evenings), True  # each evening is a table of its own: any of them make a record
    return merge(evenings), False


# --- for programs


def _plain(procedure: LoadPlan, record: LoadRecord) -> dict[str, Any]:
    plan, rates = procedure.plan, {chance.name: chance.rate for chance in procedure.floor.chance}
    return {
        "rounds": record.played.rounds,
        "seed": plan.seed,
        "seats": len(plan.seats),
        "strategy": plan.strategy,
        "rules": plan.house.hash,
        "played": _plain_sums(record.played),
        "undisturbed": _plain_sums(record.undisturbed),
        "irregularities": [
            {
                "name": row.name,
                "clause": row.clause,
                "reading": row.reading,
                "rate": str(Fraction(rates[row.name], MILLION)),
                "times": row.times,
                "rounds_void": row.void,
                "hands_void": row.hands_void,
                "refunded": format_dollars(Cents(row.refunded)),
                "seconds_lost": _number(row.seconds),
            }
            for row in record.happened
        ],
        "seconds": {step.name: _number(step.seconds or Fraction(0)) for step in procedure.floor.step},
    }


def _plain_sums(sums: LoadSums) -> dict[str, Any]:
    return {
        "rounds": sums.rounds,
        "completed": sums.completed,
        "rounds_void": sums.void,
        "hands_void": sums.hands_void,
        "staked": format_dollars(Cents(sums.staked)),
        "refunded": format_dollars(Cents(sums.refunded)),
        "returned": format_dollars(Cents(sums.returned)),
        "won": format_dollars(Cents(sums.won)),
        "house": format_dollars(Cents(sums.house)),
        "meters_raised_units": sums.raised,
        "meters_lowered_units": sums.lowered,
        "seconds": _number(sums.seconds),
        "completed_per_hour": None if (hourly := sums.completed_per_hour) is None else float(hourly),
        "house_per_hour": None if (won := sums.won_per_hour) is None else float(won[0]) / 100,
        "house_per_hour_standard_error": None if won is None or won[1] is None else won[1] / 100,
    }


def _number(seconds: Fraction) -> int | float:
    """A whole number where it is one."""
    return int(seconds) if seconds.denominator == 1 else float(seconds)


def _rows(record: LoadRecord) -> list[Row]:
    return [
        {
            "irregularity": row.name,
            "clause": row.clause,
            "times": row.times,
            "rounds_void": row.void,
            "hands_void": row.hands_void,
            "refunded_cents": row.refunded,
            "seconds_lost": float(row.seconds),
        }
        for row in record.happened
    ]


# --- for people


def _show(submission: Path, procedure: LoadPlan, record: LoadRecord) -> None:
    plan, played, calm = procedure.plan, record.played, record.undisturbed
    rows = [
        (
            row.name.replace("_", " "),
            escape(row.clause),
            f"{row.times:,}",
            f"{row.void:,}",
            f"{row.hands_void:,}",
            print_dollars(Cents(row.refunded)),
            f"{float(row.seconds / 60):,.1f}",
        )
        for row in record.happened
    ]
    title = f"{escape(str(submission))}: {played.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
    columns = ("irregularity", "clause", "times", "rounds\nvoid", "hands\nvoid", "refunded", "minutes\nlost")
    print_table(columns, rows, title=title)
    print()
    refunded = round(Fraction(1000 * played.refunded, played.rounds))
    print_table(
        ("", "with", "without"),
        [
            ("rounds completed per hour", _hourly(played), _hourly(calm)),
            ("house win per hour", _won(played), _won(calm)),
            ("void rounds", f"{played.void:,} of {played.rounds:,}", ""),
            ("refunded per 1,000 rounds", print_dollars(Cents(refunded)), ""),
        ],
    )
    console().print(
        "[dim]Without: the same rounds, each played without its irregularity; only deck changes and jackpots slow "
        "them below the table-speed model. ± is a 99% interval from the rounds played, which may lack the rarest "
        "wins. How often things go wrong and how long steps take is assumed, not measured: use --rate, --seconds and "
        "--rounds-per-hour for your own figures.[/dim]"
    )


def _hourly(sums: LoadSums) -> str:
    return "" if sums.completed_per_hour is None else f"{float(sums.completed_per_hour):,.1f}"


def _won(sums: LoadSums) -> str:
    from croupier.simulation import NINETY_NINE

    if sums.won_per_hour is None:
        return ""
    cents, error = sums.won_per_hour
    return dollars_estimate(cents, None if error is None else NINETY_NINE * error)
