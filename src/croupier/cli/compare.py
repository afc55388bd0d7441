"""`croupier compare`: two houses, two rulebooks or two paytables, wager by wager, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct
from msgspec.structs import replace
from rich.console import Console
from rich.markup import escape

from croupier.cli.rulebook_names import house_argument
from croupier.cli.shown.console import console, print_json, print_table
from croupier.cli.shown.price_tables import hand_words, percent
from croupier.cli.submission import refuse, submission_of, verdict_on
from croupier.cli.typed_names import typed_name
from croupier.errors import Malformed
from croupier.files import is_missing
from croupier.money import MILLION, format_dollars, print_dollars
from croupier.rulebook import (
    Checked,
    HouseRules,
    load_rulebook,
    neither_file_nor_rulebook,
    rulebook_ids,
    typed_wager,
)
from croupier.rulebook import Submission as Written

if TYPE_CHECKING:
    from croupier.analysis import ComparedWager, Price, PricedWager

__all__ = ["compare"]

PAYTABLES = 4
"""RULEBOOK WAGER PAYTABLE PAYTABLE"""
PERCENT = MILLION // 100


def compare(
    things: Annotated[
        list[str],
        house_argument(
            "Two submissions or rulebooks; or a rulebook, a wager and two of its paytables. - is standard input.",
            metavar="FIRST SECOND",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
    recompute: Annotated[bool, typer.Option("--recompute", help="Recompute everything, ignoring the cache.")] = False,
) -> int:
    """Compare two submissions, two rulebooks or two paytables: both house edges and the exact difference.

    A positive difference is a higher house edge in the second. Progressives are compared at the opening meters and in
    the long run, where rates and resets count. A rulebook stands for the house that `submission new --every-wager`
    writes, with the range of its other paytables. Two paytables can also be tried in a submission of yours.

    [bold]croupier compare house.toml other.toml[/bold]
    [bold]croupier compare md-mississippi-stud ma-mississippi-stud[/bold]
    [bold]croupier compare md-mississippi-stud three_card_bonus A B[/bold]
    [bold]croupier compare house.toml progressive A C[/bold]

    [bold]croupier submission diff[/bold] compares settings; this compares prices. Exit code 1: a submission is not
    valid; every finding is listed.
    """
    from croupier.analysis import compare_houses

    sides, wager = _sides(things)
    verdicts = {side.name: verdict_on(side.written, side.name) for side in sides}
    if not all(verdict.valid for verdict in verdicts.values()):
        refuse({name: verdict for name, verdict in verdicts.items() if not verdict.valid}, as_json=as_json)
        return 1
    first, second = (_rules(verdicts, side) for side in sides)
    ranges = wager is None and all(side.name in rulebook_ids() for side in sides)
    with Console(stderr=True).status("pricing"):
        rows = compare_houses(first, second, wager=wager, ranges=ranges, recompute=recompute)
    if as_json:
        print_json([_plain(row, lines=wager is not None) for row in rows])
        return 0
    _show(rows, [side.heading for side in sides], (first, second), wager)
    return 0


class _Side(Struct, frozen=True):
    """One of the two that are compared: its submission, and its name in messages and above its column."""

    name: str
    heading: str
    written: Written


def _rules(verdicts: dict[str, Checked], side: _Side) -> HouseRules:
    return verdicts[side.name].rules(name=side.name)


def _sides(things: Sequence[str]) -> tuple[tuple[_Side, _Side], str | None]:
    """What is compared, and the wager if it is only one."""
    from croupier.analysis import paytable_choices

    if len(things) == PAYTABLES:
        source, wager, *tables = things
        written = _written(source)
        name = typed_name(wager, written.wagers) or typed_wager(wager)
        if source in rulebook_ids() and name in written.wagers:  # each paytable with its own minimum meters
            written = replace(written, wagers=written.wagers | {name: replace(written.wagers[name], meters={})})
        one, two = paytable_choices(
            load_rulebook(written.rulebook, edition=written.edition), written, name, (tables[0], tables[1])
        )
        ids = [side.wagers[name].paytable or "" for side in (one, two)]
        names = [f"{source} with {name} {table}" for table in ids]
        return (_Side(names[0], ids[0], one), _Side(names[1], ids[1], two)), name
    if len(things) != 2:
        raise Malformed(_too_few_or_many(things[0]))
    first, second = things
    headings = [Path(thing).name for thing in things] if Path(first).name != Path(second).name else things
    again = second if second != first else f"{second} (2)"
    return (_Side(first, headings[0], _written(first)), _Side(again, headings[1], _written(second))), None


def _too_few_or_many(first: str) -> str:
    """What can be compared; for a rulebook, by the names of its own wagers and paytables."""
    message = "give two submissions or rulebooks, or a rulebook, a wager and two of its paytables"
    if first not in rulebook_ids():
        return message
    groups: dict[str, list[str]] = {}
    for table in load_rulebook(first).paytables.paytable:
        groups.setdefault(table.group, []).append(table.id)
    wagers = {name: ids for name, ids in groups.items() if len(set(ids)) > 1}
    if not wagers:
        return message
    name, ids = next(iter(wagers.items()))
    return f"{message}, such as: croupier compare {first} {name} {ids[0]} {ids[1]}; wagers: {', '.join(wagers)}"


def _written(thing: str) -> Written:
    """The submission of a file, or the one that a rulebook starts with."""
    if thing != "-" and is_missing(Path(thing)) and "." not in thing and thing not in rulebook_ids():
        raise Malformed(
            f"{neither_file_nor_rulebook(thing)}; paytables are compared as in md-mississippi-stud three_card_bonus A B"
        )
    return submission_of(Path(thing))


# --- for people


def _show(
    rows: Sequence[ComparedWager], headings: Sequence[str], houses: tuple[HouseRules, HouseRules], wager: str | None
) -> None:
    table = [cells for row in rows for cells in _cells(row)]
    print_table(("wager", *map(escape, headings), "difference", "exactly"), table)
    if wager is not None:
        print_table(
            ("pays", *map(escape, headings)),
            [(hand_words(hand), first or "-", second or "-") for hand, first, second in _lines(rows[0])],
        )
    for words in _notes(rows, headings, houses):
        console().print(f"[dim]{escape(words)}[/dim]")


def _notes(
    rows: Sequence[ComparedWager], headings: Sequence[str], houses: tuple[HouseRules, HouseRules]
) -> Iterator[str]:
    yield "House edges; positive = higher house edge in the second."
    if any(row.has_meters for row in rows):
        for heading, house in zip(headings, houses, strict=True):
            if meters := [meter for wager in house.wagers for meter in wager.meters]:
                words = "; ".join(
                    f"{meter.name} opens at {print_dollars(meter.initial)}, resets to {print_dollars(meter.reset)} "
                    f"and takes {meter.rate / PERCENT:g}% of each bet"
                    for meter in meters
                )
                yield f"{heading}: {words}."
    if any(side.choice for row in rows for side in (row.first, row.second) if side is not None):
        yield "Range: the other paytables of the document, progressives at its minimum meters."


def _cells(row: ComparedWager) -> Iterator[Sequence[str]]:
    """A row for a wager; a progressive has one at the opening meters and one in the long run."""
    edges = (_shown(row.first), _shown(row.second), *_difference(row.difference))
    if not row.has_meters:
        players = f", {row.players} player{'s' if row.players > 1 else ''}" if row.players else ""
        yield (f"{row.wager}{players}", *edges)
    else:
        yield (row.wager, "", "", "", "")
        yield ("  opening meters", *edges)
        runs = [None if side is None else side.long_run for side in (row.first, row.second)]
        yield (
            "  long run",
            *("" if edge is None else percent(edge) for edge in runs),
            *_difference(row.long_run_difference),
        )
    choices = [None if side is None else side.choice for side in (row.first, row.second)]
    if any(choices):
        yield ("  lowest", *(_named(choice.lowest) if choice else "" for choice in choices), "", "")
        yield ("  highest", *(_named(choice.highest) if choice else "" for choice in choices), "", "")


def _shown(side: PricedWager | None) -> str:
    return "not offered" if side is None else _named(side.price)


def _named(record: Price) -> str:
    stake = "" if record.stake is None else f", {print_dollars(record.stake)}"
    return f"{percent(record.edge)} ({escape(record.paytable)}{stake})"


def _difference(difference: Fraction | None) -> tuple[str, str]:
    return ("", "") if difference is None else (percent(difference), str(difference))


def _lines(row: ComparedWager) -> list[tuple[str, str | None, str | None]]:
    """What each hand pays on either paytable, in the order of the first."""
    one, two = (
        {} if side is None else {line.hand: line.pays for line in side.price.lines} for side in (row.first, row.second)
    )
    return [(hand, one.get(hand), two.get(hand)) for hand in _in_order(list(one), list(two))]


def _in_order(first: list[str], second: list[str]) -> list[str]:
    """Both lists in one, each in its order: what only the second has comes behind what it has before that.

    >>> _in_order(["super_royal_other", "flush", "nothing"], ["super_royal", "flush", "pair", "nothing"])
    ['super_royal', 'super_royal_other', 'flush', 'pair', 'nothing']
    """
    merged = list(first)
    for place, name in enumerate(second):
        if name not in merged:
            merged.insert(merged.index(second[place - 1]) + 1 if place else 0, name)
    return merged


# --- for programs


def _plain(row: ComparedWager, *, lines: bool) -> dict[str, object]:
    shown: dict[str, object] = {"wager": row.wager, "for": f"{row.players} players" if row.players else ""}
    for name, side in (("first", row.first), ("second", row.second)):
        shown[name] = None if side is None else _plain_side(side)
    shown |= _plain_difference("difference", row.difference)
    if row.has_meters:
        shown |= _plain_difference("long_run_difference", row.long_run_difference)
    if lines:
        shown["lines"] = [{"hand": hand, "first": first, "second": second} for hand, first, second in _lines(row)]
    return shown


def _plain_side(side: PricedWager) -> dict[str, object]:
    shown: dict[str, object] = {"paytable": side.price.paytable, "house_edge_exact": str(side.price.edge)}
    if side.price.meters:
        shown["meters"] = {meter.name: format_dollars(meter.value) for meter in side.price.meters}
        shown["long_run_house_edge_exact"] = None if side.long_run is None else str(side.long_run)
    if side.choice is not None:
        for name, record in (("lowest", side.choice.lowest), ("highest", side.choice.highest)):
            shown[name] = {"paytable": record.paytable, "house_edge_exact": str(record.edge)}
    return shown


def _plain_difference(name: str, difference: Fraction | None) -> dict[str, object]:
    both = (None, None) if difference is None else (float(difference), str(difference))
    return {name: both[0], f"{name}_exact": both[1]}
