"""`croupier strategy`: play that can be learnt, and exactly what it costs."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.analysis.cases import BASE
from croupier.cli.analysis.asking import ask
from croupier.cli.analysis.showing import percent
from croupier.cli.rulebook import complete_rulebook
from croupier.cli.show import console, print_json, print_table
from croupier.errors import Malformed

__all__ = ["strategy"]


def strategy(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", autocompletion=complete_rulebook, help="Such as md-mississippi-stud.")
    ],
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Show the rows of this one.", show_default=False)
    ] = None,
    paytable: Annotated[str | None, typer.Option("--paytable", "-p", help="The base paytable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output, with every row.")] = False,
) -> None:
    """List strategies that people can learn, published and derived, with their exact cost against best play.

    [bold]croupier strategy md-let-it-ride[/bold]
    [bold]croupier strategy md-let-it-ride "best list"[/bold]
    """
    from croupier.analysis.strategies import strategies_of

    case = ask([rulebook], wager=BASE, paytable=paytable)[0]
    with console().status("pricing strategies"):
        found = strategies_of(case.book, case.table)
    if name is not None:
        chosen = [one for one in found if one.name == name]
        if not chosen:
            raise Malformed(f"there is no strategy {name!r}: {', '.join(one.name for one in found)}")
        found = chosen
    if as_json:
        print_json(
            [
                {"strategy": one.name, "source": one.source, "cost": float(one.cost), "cost_exact": str(one.cost)}
                | {"expectation_exact": str(one.expectation), "average_wager_exact": str(one.average_wager)}
                | {"rows": one.rows}
                for one in found
            ]
        )
        return
    rows = [
        (one.name, percent(one.cost), percent(-one.expectation), f"{float(one.average_wager):.4f}", str(one.cost))
        for one in found
    ]
    title = f"{rulebook}, paytable {case.table.id}"
    print_table(("strategy", "costs", "house edge", "wagers", "costs exactly"), rows, title=title)
    if name is not None:
        chosen_one = found[0]
        print()
        print_table(("cards", "when", "do"), [(str(row.cards), row.when, row.do) for row in chosen_one.rows])
        console().print(f"[dim]The first row that fits decides. Source: {chosen_one.source}.[/dim]")
    else:
        console().print(f'[dim]croupier strategy {rulebook} "{found[0].name}" shows its rows.[/dim]')
