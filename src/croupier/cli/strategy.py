"""`croupier strategy`: play that can be learnt, and exactly what it costs."""

from __future__ import annotations

from typing import Annotated, Final

import typer
from rich.console import Console

from croupier.analysis.cases import BASE
from croupier.cli.case_selection import ask
from croupier.cli.rulebook import complete_rulebook
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.errors import Malformed

__all__ = ["strategy"]

WORDS: Final = {
    "point": "Points: two for each jack, queen, king and ace, one for each card from six to ten.",
    "straight": "Straights in reach: how many different straights all of the known cards fit into.",
    "gap": "Gaps: ranks missing between the lowest and the highest card, the ace low where that is closer.",
    "middle": "Middle cards are six to ten; high cards are jack to ace.",
}
"""What the words of the lists mean."""


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
    with Console(stderr=True).status("pricing strategies"):
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
        for word, meaning in WORDS.items():
            if any(word in row.when for row in chosen_one.rows):
                console().print(f"[dim]{meaning}[/dim]")
    else:
        console().print(f'[dim]croupier strategy {rulebook} "{found[0].name}" shows its rows.[/dim]')
