"""`croupier analyze`: what every wager is worth, exactly."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from croupier.analysis import BASE, Price, present
from croupier.cli.case_selection import chosen_cases, house_of, long_run_edge, price_all
from croupier.cli.completions import complete_wager
from croupier.cli.rulebook_names import house_option, rulebook_argument
from croupier.cli.shown.console import console, print_json
from croupier.cli.shown.price_tables import (
    HouseProgressive,
    plain_progressive,
    print_csv,
    show_record,
    show_summary,
)
from croupier.cli.simulation_options import chart_title
from croupier.errors import Malformed
from croupier.rulebook import HouseRules

__all__ = ["analyze"]

FEW = 4
"""Up to this many records are shown line by line without being asked for."""


def analyze(
    rulebooks: Annotated[
        list[str] | None, rulebook_argument("Such as md-mississippi-stud; by default all.", metavar="[RULEBOOK]...")
    ] = None,
    wager: Annotated[
        str | None,
        typer.Option("--wager", "-w", autocompletion=complete_wager, help="base or a bonus, such as three_card_bonus."),
    ] = None,
    paytable: Annotated[
        str | None, typer.Option("--paytable", "-p", help="One paytable, as printed: A, 3CS-01 …")
    ] = None,
    submission: Annotated[
        Path | None, house_option("--submission", "-s", text="Price the wagers of this house instead.")
    ] = None,
    custom: Annotated[
        Path | None, typer.Option("--custom", "--own", metavar="FILE", help="Price your own paytables, in TOML.")
    ] = None,
    stake: Annotated[str | None, typer.Option(help="Stake to use where a prize is a fixed amount: 5.00")] = None,
    meter: Annotated[
        list[str] | None, typer.Option("--meter", metavar="NAME=AMOUNT", help="Current meter value: main=12345.67")
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", "-l", help="Show every line of every paytable.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON on standard output, every figure as a fraction.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV; with --lines, one row per paytable line.")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw a chart, as .svg or .png.", show_default=False)
    ] = None,
    recompute: Annotated[bool, typer.Option("--recompute", help="Recompute everything, ignoring the cache.")] = False,
) -> None:
    """Exact house edge, volatility and hit frequency for any wager, line by line. Results are cached.

    Main games under optimal play; every bonus and progressive of every paytable. A progressive is priced at its meters:
    the minimum the document allows, the house's opening meters, or --meter. With --submission also in the long
    run.

    [bold]croupier analyze md-mississippi-stud[/bold]
    [bold]croupier analyze md-let-it-ride --wager progressive --paytable B --meter 9500[/bold]
    [bold]croupier analyze --submission house.toml --plot house.svg[/bold]
    """
    if as_json and as_csv:
        raise Malformed("--json or --csv, not both")
    house = house_of(submission) if submission else None
    cases = chosen_cases(
        rulebooks or (), house, custom, wager=wager, paytable=paytable, stake=stake, meters=meter or ()
    )
    records = [record for _, record in price_all(cases, recompute=recompute)]
    if custom is not None:
        _warn_of_idle_lines(records)
    progressive = progressive_of(house) if house and any(record.meters for record in records) else None
    if plot is not None:
        _draw(records, plot, chart_title(house, submission) if house and submission else "", progressive)
    if as_json:
        print_json([present(record) | plain_progressive(record, progressive) for record in records])
    elif as_csv:
        print_csv(records, lines=lines)
    else:
        _show(records, progressive, lines=lines)


def _warn_of_idle_lines(records: list[Price]) -> None:
    for record in records:
        for line in record.lines[:-1]:
            if not line.combinations:
                words = f"{record.paytable}: {line.hand} is never reached; the lines above it cover all such hands"
                print(f"croupier analyze: {words}", file=sys.stderr)


def progressive_of(house: HouseRules) -> HouseProgressive:
    """What the rules of a house add to the price of its progressive, at its minimum bets."""
    from croupier.analysis import adapted_break_even

    bets = {
        BASE if wager.paytables[0].group == BASE else wager.name: wager.stakes.minimum
        for wager in house.wagers
        if wager.stakes is not None
    }
    bets = {name: bets[name] for name in (BASE, "progressive")}
    return HouseProgressive(long_run_edge(house), bets[BASE], adapted_break_even(house, bets))


def _show(records: list[Price], progressive: HouseProgressive | None, *, lines: bool) -> None:
    if lines or len(records) <= FEW:
        for place, record in enumerate(records):
            if place:
                print()
            show_record(record, progressive)
        return
    for place, book in enumerate(dict.fromkeys(record.rulebook for record in records)):
        if place:
            print()
        show_summary(console(), [record for record in records if record.rulebook == book], progressive)


def _draw(records: list[Price], plot: Path, house: str, progressive: HouseProgressive | None) -> None:
    from croupier.documents import draw

    edge = None if progressive is None else progressive.long_run
    draw(records, plot, house=house, long_run={} if edge is None else {"progressive": edge})
