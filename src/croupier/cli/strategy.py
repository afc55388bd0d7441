"""`croupier strategy`: strategies to memorize, and exactly what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from croupier.analysis import BASE
from croupier.cli.case_selection import ask
from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.cli.typed_names import typed_name
from croupier.errors import Malformed
from croupier.present import strategy_terms

if TYPE_CHECKING:
    from croupier.analysis import Listed

__all__ = ["strategy"]


def strategy(
    rulebook: Annotated[str, rulebook_argument()],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Show the rows of this strategy.", show_default=False)
    ] = None,
    paytable: Annotated[str | None, typer.Option("--paytable", "-p", help="The base paytable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, with every row.")] = False,
) -> None:
    """List strategies you can memorize, published and derived, with their exact cost against optimal play.

    [bold]croupier strategy md-let-it-ride[/bold]
    [bold]croupier strategy md-let-it-ride "best list"[/bold]
    """
    from croupier.analysis import main_unit, strategies_of, streets_of

    case = ask([rulebook], wager=BASE, paytable=paytable)[0]
    with Console(stderr=True).status("pricing strategies"):
        strategies = strategies_of(case.book, case.table)
    names = ", ".join(f'"{listed.name}"' for listed in strategies)
    if name is not None:
        meant = typed_name(name, [listed.name for listed in strategies])
        strategies = [listed for listed in strategies if listed.name == meant]
    if not strategies:
        raise Malformed(f"there is no strategy {name!r}: {names}")
    if as_json:
        print_json([_plain(listed) for listed in strategies])
        return
    rows = [
        (
            listed.name,
            percent(listed.cost),
            percent(-listed.expectation),
            f"{float(listed.average_wager):.4f}",
            str(listed.cost),
        )
        for listed in strategies
    ]
    title = f"{rulebook}, paytable {case.table.id}"
    print_table(("strategy", "costs", "house edge", "wagers", "exact cost"), rows, title=title)
    if name is None:
        unit = main_unit(streets_of(case.book))
        console().print(f"[dim]Costs and house edge per {unit}; wagers: how many per round.[/dim]")
        console().print(f'[dim]croupier strategy {rulebook} "{strategies[0].name}" shows its rows.[/dim]')
    else:
        _show_rows(strategies[0])


def _plain(listed: Listed) -> dict[str, object]:
    return {
        "strategy": listed.name,
        "source": listed.source,
        "cost": float(listed.cost),
        "cost_exact": str(listed.cost),
        "expectation_exact": str(listed.expectation),
        "average_wager_exact": str(listed.average_wager),
        "rows": listed.rows,
    }


def _show_rows(listed: Listed) -> None:
    print()
    print_table(("cards", "when", "do"), [(str(row.cards), row.when, row.do) for row in listed.rows])
    console().print(f"[dim]The first row that fits decides. Source: {listed.source}.[/dim]")
    for meaning in strategy_terms(row.when for row in listed.rows):
        console().print(f"[dim]{meaning}[/dim]")
