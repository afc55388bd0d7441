"""Options shared by the simulation commands, and the plan made from them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from croupier.cli.rulebook_names import house_argument
from croupier.errors import Malformed, MoneyError, RuleViolation
from croupier.extras import need
from croupier.money import MILLION, MOST_COUNTED, Cents, typed_count, typed_dollars
from croupier.rulebook import HouseRules
from croupier.table_speed import rounds_per_hour

if TYPE_CHECKING:
    from croupier.documents import Columns, Row
    from croupier.simulation import Plan

__all__ = [
    "Bets",
    "Csv",
    "Mistakes",
    "Pace",
    "Parquet",
    "Plot",
    "Rounds",
    "Seats",
    "Seed",
    "Strategy",
    "Submission",
    "Workers",
    "chart_title",
    "check_files",
    "pace_of",
    "plan_of",
    "progress_of",
    "read_amount",
    "read_mistakes",
    "say_stopped",
    "whole_number",
    "write_rows",
]


def whole_number(*names: str, text: str, least: int = 1, most: int = MOST_COUNTED) -> Any:  # noqa: ANN401 - Typer's own
    """An option that takes a whole number in any way people write one: 1000000, 1,000,000, 1e6, 1m, 250k."""
    option = next(name for name in names if name.startswith("--"))

    def read(given: str | int) -> int:
        try:
            return typed_count(str(given), least=least, most=most)
        except MoneyError as error:
            raise typer.BadParameter(str(error), param_hint=option) from None

    return typer.Option(*names, metavar="N", help=text, parser=read)


Submission: TypeAlias = Annotated[
    Path,
    house_argument(
        "Your file, or a rulebook's id for a house with every wager; - is standard input.", metavar="SUBMISSION"
    ),
]
Rounds: TypeAlias = Annotated[int, whole_number("--rounds", "-n", text="Rounds to simulate.", most=1 << 62)]
Seed: TypeAlias = Annotated[
    int, whole_number("--seed", text="The same seed gives the same figures on any number of cores.", least=0)
]
Seats: TypeAlias = Annotated[int, whole_number("--seats", text="Players at the table.", most=7)]
Bets: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--bet",
        "-b",
        metavar="WAGER=AMOUNT",
        help="Such as 25 for the main game, or three_card_bonus=5; repeat for more. Default: each at its minimum.",
    ),
]
Strategy: TypeAlias = Annotated[str, typer.Option(help="optimal, always, or a name listed by croupier strategy.")]
Mistakes: TypeAlias = Annotated[str, typer.Option(help="Share of decisions made at random, e.g. 2%.")]
Workers: TypeAlias = Annotated[int | None, whole_number("--workers", text="Cores to use; default: all.", most=1024)]

Csv: TypeAlias = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write rows as CSV.")]
Parquet: TypeAlias = Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="Write rows as Parquet.")]
Plot: TypeAlias = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw a chart: .svg or .png.")]
Pace: TypeAlias = Annotated[
    int | None,
    whole_number("--rounds-per-hour", text="Default: the table-speed model, by seats and equipment.", most=10_000),
]


@contextmanager
def progress_of(rounds: int) -> Iterator[Callable[[int], None]]:
    """A progress bar with rate and remaining time on a terminal; call what is yielded with the rounds just finished."""
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
    """Say how far a stopped run got."""
    print(f"croupier: stopped after {done:,} of {asked:,} rounds", file=sys.stderr)


def _rate(speed: float) -> str:
    """
    >>> _rate(12_345_678), _rate(950)
    ('12.3 million/s', '950/s')
    """
    return f"{speed / 1e6:,.1f} million/s" if speed >= 1e6 else f"{speed:,.0f}/s"


def plan_of(house: HouseRules, bets: list[str], seats: int, strategy: str, mistakes: str, seed: int) -> Plan:
    """The plan of a house with this number of identical players; `Malformed` says what cannot be played."""
    from croupier.cli.cost import read_bets
    from croupier.simulation import Plan, Seat, box_stakes

    slips = read_mistakes(mistakes)
    if seats > house.seats:
        raise Malformed(f"--seats: {seats}, but this table has {house.seats} seats")
    given = read_bets(bets)
    try:
        stakes = tuple(box_stakes(house, given).items())
    except Malformed as error:
        raise Malformed(f"--bet: {error}") from None
    try:
        return Plan(
            house=house,
            seats=tuple(Seat(number, stakes) for number in range(1, seats + 1)),
            strategy=strategy,
            mistakes=slips,
            seed=seed,
        )
    except RuleViolation as error:  # the house is lawful, what was typed is not
        raise Malformed(f"--bet: {error}") from None


def read_mistakes(text: str) -> int:
    """The share of decisions made at random, in millionths."""
    from croupier.cli.design import read_share

    share = read_share(text, name="--mistakes") * MILLION
    if share < 0 or share.denominator != 1:
        raise Malformed(f"--mistakes: {text} is not a percentage of decisions: 0% to 100%, in whole millionths")
    return int(share)


def pace_of(plan: Plan, given: int | None) -> int:
    """Rounds per hour: what was given, or what the table-speed model says of this table."""
    return given or rounds_per_hour(plan.house, len(plan.seats))


def chart_title(house: HouseRules, submission: Path) -> str:
    """Which game, where, whose, and from which file."""
    source, operator = house.rulebook.source, house.operator
    file = "" if str(submission) == "-" else submission.name
    whose = f"{operator} ({file})" if operator and file else operator or file
    return f"{source.title}, {source.jurisdiction}{': ' * bool(whose)}{whose}"


def read_amount(text: str, option: str) -> Cents:
    """Dollars given to an option."""
    try:
        return typed_dollars(text)
    except Malformed as error:
        raise Malformed(f"{option}: {error}") from None


def check_files(as_csv: Path | None, as_parquet: Path | None, plot: Path | None) -> None:
    """Refuse paths that cannot be written, before the work begins."""
    from croupier.documents import check_place

    if as_parquet is not None:
        need("parquet")
    for path in (as_csv, as_parquet):
        if path is not None and not path.parent.is_dir():
            raise Malformed(f"{path}: there is no folder {path.parent}")
    if plot is not None:
        check_place(plot)


def write_rows(
    rows: Sequence[Row], as_csv: Path | None, as_parquet: Path | None, columns: Columns | None = None
) -> None:
    """Write the files that were asked for."""
    from croupier.documents import write_csv, write_parquet

    if as_csv is not None:
        write_csv(as_csv, rows, columns)
    if as_parquet is not None:
        write_parquet(as_parquet, rows, columns)
