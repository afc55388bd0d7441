"""`croupier recall`: rounds of a store, found by who, where, when and what; and the whole story of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from croupier.cli.json_lines import write_line
from croupier.cli.report_columns import ROUNDS
from croupier.cli.shown.console import print_line, print_table
from croupier.cli.simulation_options import Csv, Parquet, whole_number, write_rows
from croupier.cli.store_options import From, OneTable, To, read_time
from croupier.cli.stores import StoreUrl, check_targets, with_store
from croupier.cli.table.words import answer_lines
from croupier.errors import Malformed
from croupier.money import Cents, format_dollars
from croupier.present import CardPlaces, counted, dollars, gain, line_words, listed, reports, spoken
from croupier.table import write_entry

if TYPE_CHECKING:
    from croupier.store import RecalledRound, RoundSearch, Store, Story

__all__ = ["recall"]


def recall(
    url: StoreUrl,
    patron: Annotated[str | None, typer.Option(metavar="ID", help="Rounds that this patron played.")] = None,
    table: OneTable = None,
    round_: Annotated[int | None, whole_number("--round", text="The number of the round.", most=1 << 62)] = None,
    hand: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Rounds in which this hand won, such as full_house; not where it lost."),
    ] = None,
    clause: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Rounds in which this clause applied, such as 11.I.")
    ] = None,
    irregularity: Annotated[
        str | None, typer.Option(metavar="NAME", help="Rounds with a ruling on this, such as foreign_card.")
    ] = None,
    start: From = None,
    end: To = None,
    limit: Annotated[int, whole_number("--limit", text="At most this many, the newest first.", most=100_000)] = 20,
    story: Annotated[bool, typer.Option("--story", help="Everything that happened in each round.")] = False,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines on standard output, one per round.")] = False,
) -> int:
    """Find rounds in a store, the newest first: by table, number, patron, hand, clause, irregularity or time.

    Cards that stayed face down stay hidden, and the house's key is not needed. It works while the house runs. A file
    has a row for each seat of a round.

    Exit code 0: found. 1: no such round. 2: the store cannot be read.

    Examples: [bold]croupier recall house.db --patron ann --limit 50[/bold],
    [bold]croupier recall house.db --table 7 --round 31 --story[/bold]
    """
    from croupier.store import RoundSearch

    check_targets(url, as_csv, as_parquet)
    search = RoundSearch(
        table=table,
        number=round_,
        patron=patron,
        hand=_name(hand),
        clause=clause,
        irregularity=_name(irregularity),
        start=read_time(start, "--from"),
        end=read_time(end, "--to"),
        limit=limit,
    )
    rounds, stories, names = with_store(url, lambda store: _find(store, search, story=story))
    rows = [row for recalled in rounds for row in _rows(_plain(recalled, names))]
    write_rows(rows, as_csv, as_parquet, ROUNDS)
    if not rounds:
        print("croupier recall: no such round", file=sys.stderr)
        return 1
    if as_json:
        for place, recalled in enumerate(rounds):
            told = {"story": [write_entry(entry) for entry in stories[place].entries]} if story else {}
            write_line(sys.stdout.buffer, _plain(recalled, names) | told)
    elif story:
        for told_round in stories:
            _tell(told_round, names)
    else:
        _show(rounds, names, patron)
        if len(rounds) == limit:
            print_line(f"[dim]The newest {counted(limit, 'round')}; --limit shows more, --story what happened.[/dim]")
    return 0


def _name(text: str | None) -> str | None:
    """A name as the record has it: people may write it with spaces."""
    if text is None:
        return None
    if "|" in text:
        raise Malformed(f"{text!r} is not a name")
    return text.strip().lower().replace(" ", "_").replace("-", "_")


async def _find(
    store: Store, search: RoundSearch, *, story: bool
) -> tuple[list[RecalledRound], list[Story], dict[str, str]]:
    from croupier.store import HouseShelf, find_rounds, names_in, story_of

    rounds = await find_rounds(store, search)
    houses = await HouseShelf.read(store) if story and rounds else None
    stories = [await story_of(store, recalled, houses=houses) for recalled in rounds] if story else []
    return rounds, stories, await names_in(store)


def _plain(found: RecalledRound, names: dict[str, str]) -> dict[str, Any]:
    return {
        "table": found.table,
        "round": found.number,
        "opened": reports.iso(found.opened),
        "closed": reports.iso(found.closed),
        "rules": found.rules,
        "void": found.void,
        "staked": format_dollars(Cents(found.staked)),
        "paid": format_dollars(Cents(found.paid)),
        "hands": list(found.hands),
        "clauses": list(found.clauses),
        "irregularities": list(found.irregularities),
        "entries": [found.first, found.last],
        "seats": [
            {
                "seat": seat.seat,
                "patron": seat.patron,
                "name": names.get(seat.patron),
                "staked": format_dollars(Cents(seat.staked)),
                "paid": format_dollars(Cents(seat.paid)),
            }
            for seat in found.seats
        ],
    }


def _rows(plain: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file: one for each seat of a round."""
    first, last = plain["entries"]
    shared = {"round_staked": plain["staked"], "round_paid": plain["paid"], "first_entry": first, "last_entry": last}
    shared |= {name: "; ".join(plain[name]) for name in ("hands", "clauses", "irregularities")}
    return [{name: both[name] for name in ROUNDS} for seat in plain["seats"] for both in [{**plain, **shared, **seat}]]


def _show(rounds: list[RecalledRound], names: dict[str, str], patron: str | None) -> None:
    day = reports.one_day(recalled.closed for recalled in rounds)
    net = "house" if patron is None else escape(reports.person_words(patron, names))
    rows = []
    for recalled in rounds:
        own = [seat for seat in recalled.seats if seat.patron == patron]
        staked = recalled.staked if patron is None else sum(seat.staked for seat in own)
        paid = recalled.paid if patron is None else sum(seat.paid for seat in own)
        rows.append(
            (
                reports.clock(recalled.closed, day),
                escape(recalled.table),
                f"{recalled.number}",
                escape(_players(recalled, names)) if patron is None else listed(seat.seat for seat in own),
                dollars(staked),
                dollars(paid),
                gain(staked - paid if patron is None else paid - staked),
                escape(_what(recalled)),
            )
        )
    columns = ("closed", "table", "round", "players" if patron is None else "seat", "staked", "paid", net, "what")
    title = f"{day}, UTC" if day is not None else "times in UTC"
    print_table(columns, rows, right=("round", "staked", "paid", net), title=title)


def _players(found: RecalledRound, names: dict[str, str]) -> str:
    return ", ".join(dict.fromkeys(reports.person_words(seat.patron, names) for seat in found.seats))


def _what(found: RecalledRound) -> str:
    words = ["void"] if found.void else []
    words += [spoken(name) for name in found.irregularities]
    words += [line_words(name) for name in found.hands]
    return ", ".join(words)


def _tell(story: Story, names: dict[str, str]) -> None:
    found = story.found
    print_line(f"[bold]Table {escape(found.table)}, round {found.number}, {reports.when(found.closed)} UTC[/bold]")
    seats = [
        f"seat {seat.seat} {reports.person_words(seat.patron, names)}"
        + (f" ({seat.patron})" if seat.patron in names else "")
        + f": staked {dollars(seat.staked)}, paid {dollars(seat.paid)}"
        for seat in found.seats
    ]
    print_line(f"[dim]{escape('; '.join(seats))}[/dim]")
    if found.void or found.irregularities:
        print_line(f"[yellow]{escape(listed(_what(found).split(', ')))}[/yellow]")
    places = CardPlaces(story.layout)
    for entry in story.entries:
        for line in answer_lines(entry, places):
            print_line(line)
    print_line("")
