"""`croupier compare`: two houses, wager by wager, in exact terms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from croupier.analysis.cases import cases_of_house
from croupier.analysis.price import Price
from croupier.cli.case_selection import house_of, price_all
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.money import print_dollars

__all__ = ["compare"]


def compare(
    first: Annotated[Path, typer.Argument(metavar="FILE", help="A submission; - is standard input.")],
    second: Annotated[Path, typer.Argument(metavar="FILE", help="The other one.")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    recompute: Annotated[bool, typer.Option("--recompute", help="Price everything anew, whatever is kept.")] = False,
) -> None:
    """Compare what two submissions are worth, wager by wager: both edges, and the difference exactly.

    Example: [bold]croupier compare house.toml other.toml[/bold]

    [bold]croupier submission diff[/bold] compares their words; this compares their prices.
    """
    one, two = (_records(path, anew=recompute) for path in (first, second))
    rows = [(key, one.get(key), two.get(key)) for key in dict.fromkeys([*one, *two])]
    if as_json:
        print_json([_plain(*row) for row in rows])
        return
    print_table(
        ("wager", "for", escape(str(first)), escape(str(second)), "difference", "exactly"),
        [
            (
                wager,
                case,
                _edge(a),
                _edge(b),
                percent(b.edge - a.edge) if a and b else "",
                str(b.edge - a.edge) if a and b else "",
            )
            for (wager, case), a, b in rows
        ],
    )
    console().print("[dim]House edges; a difference above zero favours the house of the second file.[/dim]")


def _records(path: Path, *, anew: bool) -> dict[tuple[str, str], Price]:
    """One record for each wager, and for each number of players at Cover All; ties bet more."""
    found: dict[tuple[str, str], Price] = {}
    for _, record in price_all(cases_of_house(house_of(path)), anew=anew):
        found.setdefault((record.wager, f"{record.players} players" if record.players else ""), record)
    return found


def _edge(record: Price | None) -> str:
    if record is None:
        return "not offered"
    stake = "" if record.stake is None else f", {print_dollars(record.stake)}"
    return f"{percent(record.edge)} ({record.paytable}{stake})"


def _plain(key: tuple[str, str], one: Price | None, two: Price | None) -> dict[str, object]:
    shown: dict[str, object] = {"wager": key[0], "for": key[1]}
    for name, record in (("first", one), ("second", two)):
        shown[name] = None if record is None else {"paytable": record.paytable, "house_edge_exact": str(record.edge)}
    difference = two.edge - one.edge if one and two else None
    both = {"difference": float(difference), "difference_exact": str(difference)} if difference is not None else {}
    return shown | (both or {"difference": None, "difference_exact": None})
