"""`croupier compare`: two houses, wager by wager, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct
from rich.markup import escape

from croupier.analysis import Price, cases_of_house
from croupier.cli.case_selection import house_of, long_run_edge, price_all
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import percent
from croupier.money import format_dollars, print_dollars

__all__ = ["compare"]


def compare(
    first: Annotated[Path, typer.Argument(metavar="FILE", help="A submission; - is standard input.")],
    second: Annotated[Path, typer.Argument(metavar="FILE", help="The submission to compare it with.")],
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    recompute: Annotated[bool, typer.Option("--recompute", help="Recompute everything, ignoring the cache.")] = False,
) -> None:
    """Compare what two submissions are worth, wager by wager: both house edges and the exact difference.

    Progressives are compared at the opening meters and in the long run, where rates and resets count.

    Example: [bold]croupier compare house.toml other.toml[/bold]

    [bold]croupier submission diff[/bold] compares their settings; this compares their prices.
    """
    left, right = (_priced(path, recompute=recompute) for path in (first, second))
    rows = [(key, left.get(key), right.get(key)) for key in dict.fromkeys([*left, *right])]
    if as_json:
        print_json([_plain(*row) for row in rows])
        return
    names = [path.name if first.name != second.name else str(path) for path in (first, second)]
    table = [cells for row in rows for cells in _cells(*row)]
    print_table(("wager", *map(escape, names), "difference", "exactly"), table)
    console().print("[dim]House edges; positive = higher house edge in the second file.[/dim]")


class Compared(Struct, frozen=True):
    """A wager of a house: its price and, for a progressive, its edge in the long run."""

    record: Price
    long_run: Fraction | None


def _priced(path: Path, *, recompute: bool) -> dict[tuple[str, str], Compared]:
    """One price for each wager, and for each number of players at Cover All; ties bet more."""
    house, priced = house_of(path), dict[tuple[str, str], Compared]()
    for _, record in price_all(cases_of_house(house), recompute=recompute):
        key = (record.wager, f"{record.players} players" if record.players else "")
        if key not in priced:
            priced[key] = Compared(record, long_run_edge(house) if record.meters else None)
    return priced


def _cells(key: tuple[str, str], left: Compared | None, right: Compared | None) -> Iterator[Sequence[str]]:
    """A row for a wager; a progressive has left at the opening meters and left in the long run."""
    wager, case = key
    edges = (_shown(left), _shown(right), *_difference(_edge(left), _edge(right)))
    if not _has_meters(left, right):
        yield (f"{wager}, {case}" if case else wager, *edges)
        return
    yield (wager, "", "", "", "")
    yield ("  opening meters", *edges)
    long_runs = _long_run(left), _long_run(right)
    yield ("  long run", *("" if edge is None else percent(edge) for edge in long_runs), *_difference(*long_runs))


def _edge(priced: Compared | None) -> Fraction | None:
    return None if priced is None else priced.record.edge


def _long_run(priced: Compared | None) -> Fraction | None:
    return None if priced is None else priced.long_run


def _has_meters(*both: Compared | None) -> bool:
    return any(priced is not None and priced.record.meters for priced in both)


def _shown(priced: Compared | None) -> str:
    if priced is None:
        return "not offered"
    record = priced.record
    stake = "" if record.stake is None else f", {print_dollars(record.stake)}"
    return f"{percent(record.edge)} ({record.paytable}{stake})"


def _difference(left: Fraction | None, right: Fraction | None) -> tuple[str, str]:
    return ("", "") if left is None or right is None else (percent(right - left), str(right - left))


def _plain(key: tuple[str, str], left: Compared | None, right: Compared | None) -> dict[str, object]:
    shown: dict[str, object] = {"wager": key[0], "for": key[1]}
    for name, priced in (("first", left), ("second", right)):
        shown[name] = None if priced is None else _plain_price(priced)
    shown |= _plain_difference("difference", _edge(left), _edge(right))
    if _has_meters(left, right):
        shown |= _plain_difference("long_run_difference", _long_run(left), _long_run(right))
    return shown


def _plain_price(priced: Compared) -> dict[str, object]:
    shown: dict[str, object] = {"paytable": priced.record.paytable, "house_edge_exact": str(priced.record.edge)}
    if priced.record.meters:
        shown["meters"] = {meter.name: format_dollars(meter.value) for meter in priced.record.meters}
        shown["long_run_house_edge_exact"] = None if priced.long_run is None else str(priced.long_run)
    return shown


def _plain_difference(name: str, left: Fraction | None, right: Fraction | None) -> dict[str, object]:
    difference = None if left is None or right is None else right - left
    both = (None, None) if difference is None else (float(difference), str(difference))
    return {name: both[0], f"{name}_exact": both[1]}
