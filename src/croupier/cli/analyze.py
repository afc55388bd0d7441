"""`croupier analyze`: what every wager is worth, exactly."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from croupier.analysis.cases import wagers_of
from croupier.analysis.price import Price, present
from croupier.cli.case_selection import chosen_cases, price_all
from croupier.cli.rulebook import complete_rulebook
from croupier.cli.shown.console import console, print_json
from croupier.cli.shown.price_tables import print_csv, show_record, show_summary
from croupier.errors import Malformed
from croupier.rulebook import load_rulebook, rulebook_ids

__all__ = ["analyze"]

FEW = 4
"""Up to so many records are shown line by line without being asked for."""


def complete_wager(incomplete: str) -> list[str]:
    """The wagers of all rulebooks that begin so."""
    names = dict.fromkeys(name for book in rulebook_ids() for name in wagers_of(load_rulebook(book)))
    return [name for name in names if name.startswith(incomplete)]


def analyze(
    rulebooks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULEBOOK]...",
            autocompletion=complete_rulebook,
            help="Such as md-mississippi-stud; all without it.",
            show_default=False,
        ),
    ] = None,
    wager: Annotated[
        str | None,
        typer.Option("--wager", "-w", autocompletion=complete_wager, help="base or a bonus, such as three_card_bonus."),
    ] = None,
    paytable: Annotated[
        str | None, typer.Option("--paytable", "-p", help="One paytable, as printed: A, 3CS-01 …")
    ] = None,
    submission: Annotated[
        Path | None, typer.Option("--submission", "-s", metavar="FILE", help="Price the wagers of this house instead.")
    ] = None,
    custom: Annotated[
        Path | None, typer.Option("--custom", "--own", metavar="FILE", help="Price paytables of your own, in TOML.")
    ] = None,
    stake: Annotated[str | None, typer.Option(help="The stake, where a prize is a fixed amount: 5.00")] = None,
    meter: Annotated[
        list[str] | None, typer.Option("--meter", metavar="NAME=AMOUNT", help="A meter as it shows: main=12345.67")
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", "-l", help="Show every line of every paytable.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON on standard output, every figure as a fraction.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV; with --lines a row for each line.")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it too, as .svg or .png.", show_default=False)
    ] = None,
    recompute: Annotated[bool, typer.Option("--recompute", help="Price everything anew, whatever is kept.")] = False,
) -> None:
    """Price wagers exactly: house edge, spread, hit frequency, break-even meters, line by line.

    Main games under best play; every bonus and progressive of every paytable. Results are kept, so that asking again is
    instant.

    [bold]croupier analyze md-mississippi-stud[/bold]
    [bold]croupier analyze md-let-it-ride --wager progressive --paytable B --meter 9500[/bold]
    [bold]croupier analyze --submission house.toml --plot house.svg[/bold]
    """
    if as_json and as_csv:
        raise Malformed("--json or --csv, not both")
    cases = chosen_cases(
        rulebooks or (), submission, custom, wager=wager, paytable=paytable, stake=stake, meters=meter or ()
    )
    records = [record for _, record in price_all(cases, anew=recompute)]
    if custom is not None:
        _warn_of_idle_lines(records)
    if plot is not None:
        _draw(records, plot)
    if as_json:
        print_json([present(record) for record in records])
    elif as_csv:
        print_csv(records, lines=lines)
    else:
        _show(records, lines=lines)


def _warn_of_idle_lines(records: list[Price]) -> None:
    for record in records:
        for line in record.lines[:-1]:
            if not line.combinations:
                words = f"{record.paytable}: {line.hand} never comes up, the lines above it take all such hands"
                print(f"croupier analyze: {words}", file=sys.stderr)


def _show(records: list[Price], *, lines: bool) -> None:
    if lines or len(records) <= FEW:
        for place, record in enumerate(records):
            if place:
                print()
            show_record(console(), record)
        return
    for place, book in enumerate(dict.fromkeys(record.rulebook for record in records)):
        if place:
            print()
        show_summary(console(), [record for record in records if record.rulebook == book])


def _draw(records: list[Price], plot: Path) -> None:
    from croupier.documents.price_charts import draw

    draw(records, plot)
