"""`croupier clauses`: the register of clauses, and its summaries beside the document's own words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.markup import escape

from croupier.cli.rulebook_names import rulebook_argument
from croupier.cli.shown.beside_document import print_beside, read_document
from croupier.cli.shown.console import console, print_csv, print_json, print_line, print_sheet
from croupier.errors import Malformed
from croupier.present import any_of, counted, rulebooks, sheet
from croupier.rulebook import (
    ClauseEntry,
    Rulebook,
    clause_entries,
    clauses_under,
    is_open,
    load_places,
    load_rulebook,
    rulebook_ids,
)
from croupier.rulebook.names import ClauseKind

__all__ = ["clauses"]


def clauses(
    names: Annotated[
        list[str] | None,
        rulebook_argument(
            "One rulebook, and clauses or chapters of it; default: all.", metavar="[RULEBOOK] [CLAUSE]..."
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help=f"Only clauses of this kind: {', '.join(get_args(ClauseKind))}.")
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Only clauses whose number or summary contains all of these words."),
    ] = None,
    only_open: Annotated[bool, typer.Option("--open", help="Only clauses that still lack code or a test.")] = False,
    document: Annotated[
        Path | None,
        typer.Option(
            "--document",
            metavar="FILE",
            help="Your copy of the document, as text: show its words beside our summaries.",
            show_default=False,
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Numbers of clauses: by kind, or by chapter of one rulebook.")
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output, with page and lines.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> int:
    """List clauses: what each says, where data or code carries it out, and which tests show it.

    Without a rulebook or a filter it counts them by kind. With --document it first says whether your file is the text
    that we read, by its SHA-256. Any other text is searched by number and heading.

    Exit code 1: the file given with --document is another text, or a clause is not in it.

    Examples: [bold]croupier clauses md-mississippi-stud --search "envy bonus"[/bold],
    [bold]croupier clauses md-mississippi-stud 12.B --document rules.txt[/bold]
    """
    if as_csv + as_json + summary > 1 and not (summary and as_json and not as_csv):
        raise Malformed("--csv, --json or --summary, not several")
    kind = None if kind is None else kind.lower()
    if kind is not None and kind not in get_args(ClauseKind):
        raise Malformed(f"{kind!r} is not a kind of clause: {', '.join(get_args(ClauseKind))}")
    data = read_document(document) if document else None
    book, numbers = _asked(names or [], data)
    is_narrowed = bool(numbers or kind or search or only_open)
    entries = [
        entry for entry in _entries(book, numbers) if kind in {None, entry.kind} and (is_open(entry) or not only_open)
    ]
    entries = rulebooks.searched(entries, search or "", lambda entry: f"{entry.clause} {entry.summary}")
    if document and data is not None and book:
        return print_beside(document, data, book, entries if is_narrowed else None, as_json=as_json)
    if summary or not (book or is_narrowed or as_csv or as_json):
        _print_summary(book, entries, as_json=as_json)
    elif as_json:
        print_json(entries)
    elif as_csv:
        _print_csv(entries)
    elif search and not entries:
        print_line("no clause contains all of these words; try fewer, or words such as cap, limit, void or sign")
        if readings := rulebooks.readings_of(book, search):  # what a document leaves open is not in its clauses
            where = f"croupier rulebook readings {f'{book.id} ' if book else ''}--search {escape(shlex.quote(search))}"
            print_line(f"{counted(len(readings), 'reading')} with them: {where}")
    else:
        _print_list(entries, is_titled=book is None)
    return 0


def _asked(names: list[str], data: bytes | None) -> tuple[Rulebook | None, list[str]]:
    """The rulebook and the clauses that were asked for; a document that we know names its rulebook itself."""
    if names and names[0] in rulebook_ids():
        return load_rulebook(names[0]), names[1:]
    if data is not None:
        if book := rulebooks.rulebook_of_text(data):
            return book, names
        raise Malformed(f"this text is not one that we read: say which rulebook it is: {', '.join(rulebook_ids())}")
    if names and (books := _having(names)):
        raise Malformed(f"which rulebook? {any_of(f'croupier clauses {book} {names[0]}' for book in books)}")
    return (load_rulebook(names[0]), names[1:]) if names else (None, [])


def _having(numbers: Sequence[str]) -> list[str]:
    """The rulebooks with all of these clauses, for somebody who named none."""
    known = {name: [entry.clause for entry in clause_entries(name)] for name in rulebook_ids()}
    return [name for name, clauses in known.items() if all(clauses_under(clauses, number) for number in numbers)]


def _entries(book: Rulebook | None, numbers: Sequence[str]) -> list[ClauseEntry]:
    entries = clause_entries(book.id if book else None)
    if not (book and numbers):
        return entries
    known = [entry.clause for entry in entries]
    wanted: set[str] = set()
    for number in numbers:
        printed = clauses_under(known, number) or [
            entry.clause for entry in rulebooks.clauses_named(entries, number, book)
        ]
        wanted |= {clause for name in printed for clause in clauses_under(known, name)}
    return [entry for entry in entries if entry.clause in wanted]


def _print_list(entries: Sequence[ClauseEntry], *, is_titled: bool) -> None:
    for name in dict.fromkeys(entry.rulebook for entry in entries):
        rows = [_row(entry) for entry in entries if entry.rulebook == name]
        print_sheet(sheet(("clause", "kind", "says", "where", "tests"), rows, title=name if is_titled else ""))
    print(f"{counted(len(entries), 'clause')}, {sum(map(is_open, entries))} of them open")
    if entries and console().is_terminal:  # for somebody who reads, not for a program
        shown = f"{entries[0].rulebook} clause {entries[0].clause}"
        print_line(f"[dim]croupier rulebook show {shown}: its page and line, data, code and tests.[/dim]")


def _row(entry: ClauseEntry) -> tuple[str, ...]:
    return entry.clause, entry.kind, entry.summary, str(len(entry.where) or "-"), str(len(entry.tests) or "-")


def _print_csv(entries: Sequence[ClauseEntry]) -> None:
    places = {name: load_places(name) for name in dict.fromkeys(entry.rulebook for entry in entries)}
    rows = (rulebooks.clause_record(entry, places[entry.rulebook]) for entry in entries)
    print_csv(rulebooks.CLAUSE_COLUMNS, rows)


def _print_summary(book: Rulebook | None, entries: Sequence[ClauseEntry], *, as_json: bool) -> None:
    books = [book] if book else [load_rulebook(name) for name in dict.fromkeys(entry.rulebook for entry in entries)]
    by_book = {shown.id: [entry for entry in entries if entry.rulebook == shown.id] for shown in books}
    if as_json:
        print_json([rulebooks.clause_counts(shown, by_book[shown.id]) for shown in books])
        return
    if book:
        print_sheet(rulebooks.overview_of_text(book))
        print()
        print_sheet(rulebooks.chapter_sheet(entries, load_places(book.id)), right=("page", "clauses"))
        print()
        print_sheet(rulebooks.kind_meanings(entries), right=("clauses",))
        print(f"{counted(len(entries), 'clause')}, {sum(map(is_open, entries))} of them open")
        return
    names = [shown.source.abbreviation for shown in books]
    print_sheet(rulebooks.kind_sheet(books, by_book), right=(*names, "all"))
    print()
    print_sheet(sheet(("", "rulebook"), [(shown.source.abbreviation, shown.id) for shown in books]))
    print_line("croupier clauses RULEBOOK lists one, and --summary counts it by chapter. --search WORDS looks in all.")
