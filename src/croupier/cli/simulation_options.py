"""What the commands that simulate have in common: a plan from what was typed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from croupier.errors import Malformed, RuleViolation
from croupier.money import MILLION, Cents, parse_dollars
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName

if TYPE_CHECKING:
    from croupier.documents.export import Columns, Row
    from croupier.simulation.plan import Plan

__all__ = [
    "Bets",
    "Csv",
    "Mistakes",
    "Pace",
    "Parquet",
    "Plot",
    "Seats",
    "Seed",
    "Strategy",
    "Submission",
    "Workers",
    "check_files",
    "plan_of",
    "progress_of",
    "read_amount",
    "say_stopped",
    "write_rows",
]

Submission: TypeAlias = Annotated[Path, typer.Argument(metavar="SUBMISSION", help="The house; - is standard input.")]
Seed: TypeAlias = Annotated[
    int, typer.Option(help="The same seed gives the same figures, however the work is split.", min=0)
]
Seats: TypeAlias = Annotated[int, typer.Option(help="How many play.", min=1, max=7)]
Bets: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--bet", "-b", metavar="WAGER=AMOUNT", help="base=10.00 …; without it each wager at its minimum."),
]
Strategy: TypeAlias = Annotated[str, typer.Option(help="optimal, always, or a name that croupier strategy lists.")]
Mistakes: TypeAlias = Annotated[str, typer.Option(help="The share of decisions that chance takes instead: 2%.")]
Workers: TypeAlias = Annotated[int | None, typer.Option(help="Cores to use; all without it.", min=1, max=1024)]

Csv: TypeAlias = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Rows as CSV.")]
Parquet: TypeAlias = Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="The same rows as Parquet.")]
Plot: TypeAlias = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="A picture: .svg or .png.")]
Pace: TypeAlias = Annotated[int, typer.Option("--rounds-an-hour", help="How fast the table deals.", min=1, max=10_000)]


@contextmanager
def progress_of(rounds: int) -> Iterator[Callable[[int], None]]:
    """A bar with rate and remaining time, where somebody is looking; what is given is told of rounds just finished."""
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
            progress.update(task, advance=finished, rate=_rate(speed) if speed else "")

        yield done


def say_stopped(done: int, asked: int) -> None:
    """Tell what a run that was stopped is about."""
    print(f"croupier: stopped after {done:,} of {asked:,} rounds", file=sys.stderr)


def _rate(speed: float) -> str:
    """
    >>> _rate(12_345_678), _rate(950)
    ('12.3 million/s', '950/s')
    """
    return f"{speed / 1e6:,.1f} million/s" if speed >= 1e6 else f"{speed:,.0f}/s"


def plan_of(house: HouseRules, bets: list[str], seats: int, strategy: str, mistakes: str, seed: int) -> Plan:
    """The plan of a house with so many alike at the table; `Malformed` says what cannot be played."""
    from croupier.cli.cost import read_bets
    from croupier.cli.design import read_share
    from croupier.simulation.plan import Plan, Seat

    share = read_share(mistakes, name="--mistakes") * MILLION
    if share < 0 or share.denominator != 1:
        raise Malformed(f"--mistakes: {mistakes} is not a share of decisions: from 0% to 100% in millionths")
    if seats > house.seats:
        raise Malformed(f"--seats: {seats}, but this table has {house.seats}")
    stakes = tuple(_stakes(house, read_bets(bets)).items())
    try:
        return Plan(
            house=house,
            seats=tuple(Seat(number, stakes) for number in range(1, seats + 1)),
            strategy=strategy,
            mistakes=int(share),
            seed=seed,
        )
    except RuleViolation as error:  # the house is lawful, what was typed is not
        raise Malformed(f"--bet: {error}") from None


def _stakes(house: HouseRules, bets: dict[str, Cents]) -> dict[WagerName, Cents]:
    """What lies on a box: the bets given, the main ones by `base`, or every wager at its least."""
    stakes: dict[WagerName, Cents] = {}
    for wager in house.wagers:
        name = "base" if wager.paytables[0].group == "base" else wager.name
        if wager.stakes is not None and (not bets or name in bets):
            stakes[wager.name] = bets.get(name, wager.stakes.minimum)
    known = {"base", *(wager.name for wager in house.wagers if wager.paytables[0].group != "base")}
    if unknown := [name for name in bets if name not in known]:
        raise Malformed(f"--bet: {unknown[0]!r} is not offered: {', '.join(sorted(known))}")
    return stakes


def read_amount(text: str, option: str) -> Cents:
    """Dollars given to an option."""
    try:
        return parse_dollars(text)
    except Malformed as error:
        raise Malformed(f"{option}: {error}") from None


def check_files(as_csv: Path | None, as_parquet: Path | None, plot: Path | None) -> None:
    """Whether files can be written there, told before the work begins."""
    from croupier.documents.pictures import check_place

    for path in (as_csv, as_parquet):
        if path is not None and not path.parent.is_dir():
            raise Malformed(f"{path}: there is no folder {path.parent}")
    if plot is not None:
        check_place(plot)


def write_rows(
    rows: Sequence[Row], as_csv: Path | None, as_parquet: Path | None, columns: Columns | None = None
) -> None:
    """Write what is asked for."""
    from croupier.documents.export import write_csv, write_parquet

    if as_csv is not None:
        write_csv(as_csv, rows, columns)
    if as_parquet is not None:
        write_parquet(as_parquet, rows, columns)
