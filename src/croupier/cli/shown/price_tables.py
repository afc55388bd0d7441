"""Priced wagers as tables for people and as rows for spreadsheets."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from msgspec import Struct
from rich.console import Console
from rich.markup import escape

from croupier.analysis import CUSTOM, MeterPrice, Price, present
from croupier.cli.shown.console import print_line, print_table
from croupier.money import Cents, format_dollars, print_dollars
from croupier.present import line_words

__all__ = [
    "HouseProgressive",
    "case_words",
    "hand_words",
    "percent",
    "plain_progressive",
    "print_csv",
    "show_record",
    "show_summary",
]


class HouseProgressive(Struct, frozen=True):
    """What the rules of a house add to the price of its progressive."""

    long_run: Fraction | None
    """The house edge at the average meter; None where it is not known exactly."""
    ante: Cents
    break_even: dict[str, Cents]
    """The meters from which it favors a player who adjusts play to it at this ante; empty where folding keeps it."""


def plain_progressive(record: Price, progressive: HouseProgressive | None) -> dict[str, object]:
    """The figures of a house's progressive for programs."""
    if progressive is None or not record.meters:
        return {}
    edge = progressive.long_run
    shown: dict[str, object] = {
        "long_run_house_edge": None if edge is None else float(edge),
        "long_run_house_edge_exact": None if edge is None else str(edge),
    }
    if progressive.break_even:
        shown["adapted_break_even"] = {name: format_dollars(even) for name, even in progressive.break_even.items()}
        shown["adapted_break_even_ante"] = format_dollars(progressive.ante)
    return shown


def percent(share: Fraction, places: int = 4) -> str:
    """
    >>> percent(Fraction(128, 5525)), percent(Fraction(-1, 3), 2)
    ('2.3167%', '−33.33%')
    """
    return f"{float(share * 100):,.{places}f}%".replace("-", "−")


def hand_words(name: str) -> str:
    """
    >>> hand_words("pair_jacks_or_better"), hand_words("mini_royal"), hand_words("nothing")
    ('pair of jacks or better', 'mini-royal', 'nothing')
    """
    return name if name == "nothing" else line_words(name)


def case_words(record: Price) -> str:
    """What distinguishes this record from others of its paytable."""
    words = []
    if record.stake is not None:
        words.append(f"stake {print_dollars(record.stake)}")
    if record.tie_rule:
        words.append(f"ties bet {record.tie_rule}")
    if record.players:
        words.append(f"{record.players} player{'s' if record.players > 1 else ''}")
    if record.variant:
        words.append({"all_hands": "all hands", "forfeit_on_fold": "lost if folded"}[record.variant])
    return ", ".join(words)


def show_summary(console: Console, records: Sequence[Price], progressive: HouseProgressive | None = None) -> None:
    """One row for each record, under the name of its wager."""
    rows: list[tuple[str, ...]] = []
    wager = ""
    for record in records:
        if record.wager != wager:
            rows.append((f"[bold]{record.wager}[/bold]",))
            wager = record.wager
        rows.append(
            (
                f"  {escape(record.paytable)}",
                case_words(record),
                percent(record.edge),
                f"{record.outcomes.standard_deviation:.4g}",
                percent(record.hit, 2),
                str(record.edge),
            )
        )
    print_table(
        ("paytable", "for", "house edge", "std dev", "hits", "exact edge"),
        rows,
        title=" ".join(dict.fromkeys(record.rulebook for record in records)),
        right=("house edge", "std dev", "hits"),
    )
    if units := dict.fromkeys(record.unit for record in records if record.average_wager is not None):
        console.print(f"[dim]House edge of base: share of one {' or '.join(units)}, under optimal play.[/dim]")
    if any(record.tie_rule for record in records):
        console.print("[dim]Ties bet more or less: where two choices are equally good, the player bets either.[/dim]")
    if any(record.meters for record in records):
        opening = "opening meters of the house" if progressive else "minimum meters the document allows"
        console.print(f"[dim]Progressives at the {opening}, unless --meter is given; --lines shows them.[/dim]")
    if progressive and progressive.long_run is not None:
        words = f"[bold]{percent(progressive.long_run)}[/bold], exactly {progressive.long_run}"
        console.print(f"House edge of the progressive in the long run: {words}.")


def show_record(record: Price, progressive: HouseProgressive | None = None) -> None:
    """A record in the trade's layout: the total in the lower right."""
    case = f" ({case_words(record)})" if case_words(record) else ""
    custom = "custom " if record.clause == CUSTOM else ""
    title = f"{record.rulebook} {record.wager}, {custom}paytable {record.paytable}{case}"
    rows: list[tuple[str, ...]] = []
    for line in record.lines:
        share = Fraction(line.combinations, record.total)
        rows.append(
            (hand_words(line.hand), line.pays, f"{line.combinations:,}", percent(share), percent(line.returned))
        )
    total = ("total", "", f"{record.total:,}", percent(Fraction(1)), percent(-record.edge))
    rows.append(tuple(f"[bold]{cell}[/bold]" if cell else "" for cell in total))
    figures = ("combinations", "probability", "return")
    print_table(("hand", "pays", *figures), rows, title=escape(title), right=figures)
    for name, value in _figures(record, progressive if record.meters else None):
        print_line(f"  [dim]{name:<22}[/dim] {value}")


def _figures(record: Price, progressive: HouseProgressive | None) -> list[tuple[str, str]]:
    at = " at the meters below" if record.meters else ""
    figures = [("house edge", f"[bold]{percent(record.edge)}[/bold] of one {record.unit}{at}, exactly {record.edge}")]
    if progressive and progressive.long_run is not None:
        figures.append(
            ("in the long run", f"[bold]{percent(progressive.long_run)}[/bold], exactly {progressive.long_run}")
        )
    if record.average_wager is not None and record.element_of_risk is not None:
        figures.append(
            ("average wager", f"{float(record.average_wager):.6f} {record.unit}s, exactly {record.average_wager}")
        )
        figures.append(("element of risk", f"{percent(record.element_of_risk)} of all money wagered"))
    figures.append(
        ("standard deviation", f"{record.outcomes.standard_deviation:.4f}, skewness {record.outcomes.skewness:.2f}")
    )
    figures.append(("hit frequency", _hits(record)))
    if record.folded is not None:
        figures.append(("folded", percent(record.folded)))
    if record.fixed_return is not None:
        figures.append(("fixed return", f"{percent(record.fixed_return)} regardless of the meters"))
    for meter in record.meters:
        adds = f"{print_dollars(meter.value)}: adds {percent(meter.coefficient * meter.value / (record.stake or 1))}"
        figures.append((f"meter {meter.name}", f"{adds}; {_ahead(record, meter, progressive)}"))
    if record.envy is not None:
        figures.append(("envy", f"adds {percent(record.envy)} for every other player"))
    return [*figures, ("clause", f"{escape(record.clause)}; {record.method}")]


def _hits(record: Price) -> str:
    if not record.hit:
        return "never"
    stake = "" if record.hit == record.wins else f"; {percent(record.wins)} win more than the stake"
    return f"{percent(record.hit)}, once in {float(1 / record.hit):,.2f}{stake}"


def _ahead(record: Price, meter: MeterPrice, progressive: HouseProgressive | None) -> str:
    """The meter above which the wager favors the player; where folding forfeits it, also with play adjusted to it."""
    even = print_dollars(Cents(ceil(meter.break_even * 100)))
    if record.variant != "forfeit_on_fold":
        return f"the player has the edge from {even}"
    words = f"the player has the edge from {even} with best play of the main game"
    if progressive is None or meter.name not in progressive.break_even:
        return f"{words}, sooner with play adjusted to it (croupier cost)"
    adapted = print_dollars(progressive.break_even[meter.name])
    return f"{words}, from {adapted} with play adjusted to it at a {print_dollars(progressive.ante)} ante"


def print_csv(records: Sequence[Price], *, lines: bool) -> None:
    """A row for each record, or for each line of each."""
    rows = [_flat(record) for record in records]
    if lines:
        rows = [
            {**{name: row[name] for name in _NAMES}, **line}
            for row, record in zip(rows, records, strict=True)
            for line in present(record)["lines"]  # type: ignore[attr-defined]
        ]
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


_NAMES = ("rulebook", "wager", "paytable", "tie_rule", "players", "variant", "stake")


def _flat(record: Price) -> dict[str, object]:
    shown = present(record)
    flat: dict[str, object] = {name: shown.pop(name, "") for name in _NAMES}
    meters = shown.pop("meters", {})
    shown.pop("lines")
    flat |= shown
    if isinstance(meters, dict):
        flat |= {f"{name}_{key}": value for name, meter in meters.items() for key, value in meter.items()}
    return flat
