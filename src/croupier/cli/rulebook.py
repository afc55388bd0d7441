"""`croupier rulebook`: ask the rulebooks anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Final, NamedTuple

import typer

from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.console import print_csv, print_json, print_line, print_sheet
from croupier.cli.typed_names import typed_name
from croupier.errors import Malformed
from croupier.present import Sheet, any_of, counted, rulebooks, sheet
from croupier.rulebook import (
    Rulebook,
    clause_entries,
    diff_rulebooks,
    editions,
    load_places,
    load_readings,
    load_rulebook,
    rulebook_ids,
)

__all__ = ["app"]

app = typer.Typer(help="Look up wagers, paytables, dealing, clauses and readings, and compare rulebooks.")


def _complete_part(incomplete: str) -> list[str]:
    return [part for part in _PARTS if part.startswith(incomplete)]


def _complete_difference(incomplete: str) -> list[str]:
    return [part for part in rulebooks.DIFFERENCE_PARTS if part.startswith(incomplete)]


RulebookName = Annotated[str, rulebook_argument()]
Edition = Annotated[
    str | None, typer.Option(metavar="DATE", help="An older edition; default: the newest.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


@app.command("list")
def list_rulebooks(as_json: Json = False) -> None:
    """List the rulebooks and all their editions, newest first.

    Example: [bold]croupier rulebook list[/bold]
    """
    books = [load_rulebook(name, edition=date) for name in rulebook_ids() for date in editions(name)]
    if as_json:
        print_json([_listed(book) for book in books])
        return
    print_sheet(rulebooks.document_sheet(books))
    print("default: used when a submission names no edition")
    if any(book.source.date_of == "intake" for book in books):
        print("*        the document is undated: this is the date it was added")


def _listed(book: Rulebook) -> dict[str, object]:
    return {
        "rulebook": book.id,
        "edition": book.edition,
        "default": rulebooks.is_default(book),
        "clauses": len(book.clauses),
        "hash": book.hash,
        "source": book.source,
    }


@app.command()
def show(
    rulebook: RulebookName,
    part: Annotated[
        str,
        typer.Argument(
            metavar="PART",
            autocompletion=_complete_part,
            help="Such as wagers, paytables, dealing, clause or reading; the overview lists them all. "
            "A wager shows its paytables.",
        ),
    ] = "overview",
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Which paytables, irregularity, clause or reading; default: all of them.",
            show_default=False,
        ),
    ] = None,
    edition: Edition = None,
    as_json: Json = False,
) -> None:
    """Show a rulebook, or one part of it.

    Examples: [bold]croupier rulebook show md-mississippi-stud wagers[/bold],
    [bold]croupier rulebook show md-let-it-ride paytables progressive[/bold],
    [bold]croupier rulebook show md-high-card-flush clause 12.D[/bold]
    """
    book = load_rulebook(rulebook, edition=edition)
    if part not in _PARTS and name is None:
        part, name = _part_of_one_word(book, part)
    part = typed_name(part, _PARTS) or typed_name(part.removesuffix("s"), _PARTS) or part
    if part not in _PARTS:
        raise Malformed(f"{part!r} is not a part of a rulebook: {', '.join(_PARTS)}")
    if name is not None and part not in _NAMED:
        raise Malformed(f"{part} takes no name; {any_of(_NAMED)} does")
    shown = _PARTS[part](book, name)
    if as_json:
        print_json(shown.value)
        return
    for place, part_sheet in enumerate(shown.sheets):
        if place:
            print()
        print_sheet(part_sheet)


@app.command()
def readings(
    rulebook: Annotated[
        str | None,
        rulebook_argument(
            "Only readings of this rulebook, or one reading by its number; default: all.", metavar="[RULEBOOK]"
        ),
    ] = None,
    search: Annotated[str, typer.Option(metavar="WORDS", help="Only readings that contain all of these words.")] = "",
    full: Annotated[bool, typer.Option("--full", help="Each with its clauses, question, reason and option.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output.")] = False,
    as_json: Json = False,
) -> None:
    """List the readings: what the documents leave open, how it is read, why, and what an operator may choose instead.

    Example: [bold]croupier rulebook readings md-let-it-ride --search meter --full[/bold]
    """
    if as_csv and as_json:
        raise Malformed("--json or --csv, not both")
    if rulebook is not None and rulebook.isdecimal():
        chosen, full = [rulebooks.reading_named(load_readings(), rulebook)], True
    else:
        chosen = rulebooks.readings_of(load_rulebook(rulebook) if rulebook else None, search)
    records = [rulebooks.reading_record(reading) for reading in chosen]
    if as_json:
        print_json(records)
    elif as_csv:
        print_csv(list(rulebooks.reading_record(load_readings()[0])), [list(record.values()) for record in records])
    elif full:
        for reading in chosen:
            print_sheet(rulebooks.reading_sheet(reading))
            print()
        print(counted(len(chosen), "reading"))
    else:
        print_sheet(rulebooks.reading_choices(chosen))
        print(counted(len(chosen), "reading"))


@app.command()
def diff(
    first: RulebookName,
    second: Annotated[str, rulebook_argument("The rulebook to compare it with.", metavar="OTHER")],
    edition: Edition = None,
    other_edition: Annotated[
        str | None, typer.Option(metavar="DATE", help="The edition of the other rulebook.", show_default=False)
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            "--part",
            metavar="NAME",
            autocompletion=_complete_difference,
            help=f"Everything in one part: {', '.join(rulebooks.DIFFERENCE_PARTS)}.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything in every part, money first.")] = False,
    as_json: Json = False,
) -> None:
    """Compare two rulebooks, or two editions of one: what matters most in words, money first.

    --part and --all show every value side by side with its clause.

    Example: [bold]croupier rulebook diff md-mississippi-stud ma-mississippi-stud[/bold]
    """
    part = None if part is None else typed_name(part, rulebooks.DIFFERENCE_PARTS) or part
    if part is not None and part not in rulebooks.DIFFERENCE_PARTS:
        raise Malformed(f"{part!r} is not a part: {', '.join(rulebooks.DIFFERENCE_PARTS)}")
    books = load_rulebook(first, edition=edition), load_rulebook(second, edition=other_edition)
    differences = diff_rulebooks(*books)
    if as_json:
        print_json(
            [
                {"part": row.part, "key": row.key, "first": row.first, "second": row.second}
                for row in differences
                if part in {None, row.part}
            ]
        )
        return
    names = [book.edition if first == second else book.id for book in books]
    if part is not None or everything:
        parts = [part] if part is not None else rulebooks.DIFFERENCE_PARTS
        shown = [name for name in parts if rulebooks.difference_rows(differences, name)]
        for name in shown:
            print_sheet(rulebooks.difference_table(differences, name, names))
            print()
        print(counted(sum(row.part in parts for row in differences), "difference"))
        return
    for summary, where in rulebooks.difference_summary(*books, differences, names):
        if not where:
            print_line(f"[bold]{summary.title}[/bold]")
            continue
        print_sheet(summary)
        print_line(f"[dim]all of them: {where}[/dim]")
        print()
    print_line(f"{counted(len(differences), 'difference')}; --part NAME shows everything in a part, --all everything")


# --- the parts of a rulebook


def _part_of_one_word(book: Rulebook, word: str) -> tuple[str, str | None]:
    """A clause by its number alone, or a wager by its name: 3.C is a clause, 3 card bonus is not."""
    is_number = word.strip(".")[:1].isdigit()
    if is_number and any(rulebooks.is_under(clause.id, word) for clause in book.clauses):
        return "clause", word
    if wager := typed_name(word, rulebooks.paytable_groups(book)):
        return "paytables", wager
    return ("clause", word) if is_number else (word, None)


class Shown(NamedTuple):
    """A part of a rulebook: the value for programs, the sheets for people."""

    value: object
    sheets: Sequence[Sheet]


def _overview(book: Rulebook, _: str | None) -> Shown:
    places = load_places(book.id, edition=book.edition)
    value = {
        "source": book.source,
        "text": places.text if places else None,
        "default": rulebooks.is_default(book),
        "hash": book.hash,
        "clauses": len(book.clauses),
    }
    parts = sheet(("", ""), [("parts", ", ".join(_PARTS))])
    return Shown(value, [rulebooks.overview_sheet(book), parts])


def _paytables(book: Rulebook, name: str | None) -> Shown:
    groups = rulebooks.paytable_groups(book)
    wager = None if name is None else typed_name(name, groups)
    if name is not None and wager is None:
        raise Malformed(f"{name!r} has no paytable: {', '.join(groups)}")
    shown = [group for group in groups if wager in (None, group)]
    sheets = [rulebooks.paytable_sheet(book, group) for group in shown]
    if "progressive" in shown:
        sheets.append(rulebooks.progressive_sheet(book))
    return Shown([table for table in book.paytables.paytable if table.group in shown], sheets)


def _irregularities(book: Rulebook, name: str | None) -> Shown:
    rows = book.irregularities.irregularity
    if name is None:
        return Shown(book.irregularities, [rulebooks.irregularity_sheet(rows)])
    named = [row for row in rows if row.event == name.replace(" ", "_")]
    if not named:
        raise Malformed(f"{name!r} is not an irregularity: {', '.join(dict.fromkeys(row.event for row in rows))}")
    return Shown(named, [rulebooks.irregularity_sheet(named)])


def _clause(book: Rulebook, name: str | None) -> Shown:
    entries = clause_entries(book.id, edition=book.edition)
    if name is None:
        return Shown(entries, [rulebooks.clause_list(entries)])
    named = rulebooks.clauses_named(entries, name, book)
    if len(named) > 1:  # a heading
        return Shown(named, [rulebooks.clause_list(named)])
    return Shown(named[0], [rulebooks.clause_sheet(named[0], book)])


def _reading(book: Rulebook, name: str | None) -> Shown:
    if name is None:
        readings = rulebooks.readings_of(book, "")
        return Shown(readings, [rulebooks.reading_list(readings)])
    reading = rulebooks.reading_named(load_readings(), name)
    return Shown(reading, [rulebooks.reading_sheet(reading)])


_NAMED: Final = ("paytables", "irregularities", "clause", "reading")
_PARTS: Final[dict[str, Callable[[Rulebook, str | None], Shown]]] = {
    "overview": _overview,
    "table": lambda book, _: Shown(book.table, [rulebooks.table_sheet(book)]),
    "wagers": lambda book, _: Shown(book.wagers, [rulebooks.wager_sheet(book)]),
    "paytables": _paytables,
    "dealing": lambda book, _: Shown(book.dealing, rulebooks.dealing_sheets(book)),
    "play": lambda book, _: Shown(book.play, [rulebooks.play_sheet(book)]),
    "irregularities": _irregularities,
    "procedure": lambda book, _: Shown(book.procedure, [rulebooks.procedure_sheet(book)]),
    "glossary": lambda book, _: Shown(book.glossary, [rulebooks.glossary_sheet(book)]),
    "options": lambda book, _: Shown(book.options, [rulebooks.option_sheet(book)]),
    "clause": _clause,
    "reading": _reading,
}
