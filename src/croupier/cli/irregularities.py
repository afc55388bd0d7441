"""`croupier irregularities`: a house through its whole procedure, and what goes wrong there."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.case_selection import house_of
from croupier.cli.design import read_share
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.cli.simulation_options import (
    Bets,
    Csv,
    Mistakes,
    Parquet,
    Seats,
    Seed,
    Strategy,
    Submission,
    check_files,
    plan_of,
    progress_of,
    write_rows,
)
from croupier.errors import Malformed
from croupier.money import MILLION, Cents, format_dollars, print_dollars
from croupier.wire import clip

if TYPE_CHECKING:
    from croupier.documents.export import Row
    from croupier.floor.load import LoadPlan, LoadRecord, LoadSums

__all__ = ["irregularities"]

HOUR = 3600


def irregularities(
    submission: Submission,
    rounds: Annotated[int, typer.Option("--rounds", "-n", help="How many rounds.", min=1, max=100_000_000)] = 10_000,
    seed: Seed = 0,
    seats: Seats = 1,
    bet: Bets = None,
    strategy: Strategy = "optimal",
    mistakes: Mistakes = "0%",
    rate: Annotated[
        list[str] | None,
        typer.Option("--rate", "-r", metavar="NAME=SHARE", help="In which share of rounds: foreign_card=0.1%, all=0%."),
    ] = None,
    seconds: Annotated[
        list[str] | None,
        typer.Option("--seconds", "-s", metavar="STEP=SECONDS", help="How long a step takes: decision=4."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes to use when it takes long; one a core without it.", min=1, max=1024)
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, such as tcp://10.0.0.1:8786.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
) -> int:
    """Play a house by the whole procedure of a table, with irregularities: rounds void, money refunded, time lost.

    Every card, chip and ruling is a command to the table: hundreds of rounds a second.

    Ctrl-C stops it and shows what was done so far.

    Example: [bold]croupier irregularities house.toml --seats 3 --rate all=0.1% --seconds floor_called=120[/bold]
    """
    from croupier.floor.assumptions import floor_of
    from croupier.floor.load import LoadPlan

    check_files(as_csv, as_parquet, None)
    plan = plan_of(house_of(submission), bet or [], seats, strategy, mistakes, seed)
    floor = floor_of(plan, rates=_rates(rate or []), seconds=_seconds(seconds or []))
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
        name, found, value = (part.strip() for part in text.partition("="))
        if not found or not name:
            raise Malformed(f"{option} {clip(repr(text))}: write {example}")
        if name in pairs:
            raise Malformed(f"{option}: {name} stands twice")
        pairs[name] = value
    return pairs


def _rates(texts: list[str]) -> dict[str, int]:
    rates = {}
    for name, text in _pairs(texts, option="--rate", example="foreign_card=0.1%").items():
        share = read_share(text, name=f"--rate {name}") * MILLION
        if share < 0 or share.denominator != 1:
            raise Malformed(f"--rate {name}: {text} is not a share of rounds: from 0% to 100% in millionths")
        rates[name] = int(share)
    return rates


def _seconds(texts: list[str]) -> dict[str, int]:
    pairs = _pairs(texts, option="--seconds", example="decision=4")
    for name, text in pairs.items():
        if not (text.isascii() and text.isdecimal() and len(text) <= 9):
            raise Malformed(f"--seconds {name}: {clip(repr(text))} is not a whole number of seconds")
    return {name: int(text) for name, text in pairs.items()}


def _run(procedure: LoadPlan, rounds: int, workers: int | None, scheduler: str | None) -> tuple[LoadRecord, bool]:
    """The record of what was played, and whether it was stopped before the end."""
    from croupier.floor.load import merge, play_parts
    from croupier.simulation.parallel import cores

    found: list[LoadRecord] = []
    with progress_of(rounds) as done:
        try:
            for record in play_parts(procedure, rounds, workers=workers or cores(), scheduler=scheduler):
                found.append(record)
                done(record.played.rounds)
        except KeyboardInterrupt:
            if not found:
                raise
            return merge(found), True  # evenings are tables of their own: any of them are a record
    return merge(found), False


# --- for programs


def _plain(procedure: LoadPlan, record: LoadRecord) -> dict[str, Any]:
    plan, rates = procedure.plan, {one.name: one.rate for one in procedure.floor.chance}
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
                "name": one.name,
                "clause": one.clause,
                "reading": one.reading,
                "rate": str(Fraction(rates[one.name], MILLION)),
                "times": one.times,
                "rounds_void": one.void,
                "hands_void": one.hands_void,
                "refunded": format_dollars(Cents(one.refunded)),
                "seconds_lost": one.seconds,
            }
            for one in record.happened
        ],
        "seconds": {one.name: one.seconds for one in procedure.floor.step},
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
        "seconds": sums.seconds,
    }


def _rows(record: LoadRecord) -> list[Row]:
    return [
        {
            "irregularity": one.name,
            "clause": one.clause,
            "times": one.times,
            "rounds_void": one.void,
            "hands_void": one.hands_void,
            "refunded_cents": one.refunded,
            "seconds_lost": one.seconds,
        }
        for one in record.happened
    ]


# --- for people


def _show(submission: Path, procedure: LoadPlan, record: LoadRecord) -> None:
    plan, played, calm = procedure.plan, record.played, record.undisturbed
    rows = [
        (
            one.name.replace("_", " "),
            escape(one.clause),
            f"{one.times:,}",
            f"{one.void:,}",
            f"{one.hands_void:,}",
            print_dollars(Cents(one.refunded)),
            f"{one.seconds / 60:,.1f}",
        )
        for one in record.happened
    ]
    title = f"{escape(str(submission))}: {played.rounds:,} rounds, seed {plan.seed}, {plan.strategy}"
    columns = ("irregularity", "clause", "times", "rounds\nvoid", "hands\nvoid", "refunded", "minutes\nlost")
    print_table(columns, rows, title=title)
    print()
    refunded = round(Fraction(1000 * played.refunded, played.rounds))
    print_table(
        ("", "with them", "without"),
        [
            ("rounds completed an hour", _hourly(played.completed, played), _hourly(calm.completed, calm)),
            ("won by the house an hour", _won(played), _won(calm)),
            ("rounds void", percent(Fraction(played.void, played.rounds)), ""),
            ("refunded in 1,000 rounds", print_dollars(Cents(refunded)), ""),
        ],
    )
    console().print(
        "[dim]Without: the same rounds, each played without its irregularity. How often things go wrong and how long "
        "steps take is assumed, not measured: --rate and --seconds take your own figures.[/dim]"
    )


def _hourly(number: int, sums: LoadSums) -> str:
    return f"{number * HOUR / sums.seconds:,.1f}" if sums.seconds else ""


def _won(sums: LoadSums) -> str:
    return print_dollars(Cents(round(Fraction(sums.house * HOUR, sums.seconds)))) if sums.seconds else ""
