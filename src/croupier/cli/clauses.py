"""`croupier clauses`: the register of clauses."""

from __future__ import annotations

from typing import Annotated, get_args

import typer

from croupier.cli.completions import complete_rulebook
from croupier.cli.shown.console import print_json, print_sheet
from croupier.errors import Malformed
from croupier.present import counted, sheet
from croupier.rulebook import ClauseEntry, clause_entries, is_open
from croupier.rulebook.names import ClauseKind

__all__ = ["clauses"]


def clauses(
    rulebook: Annotated[
        str | None,
        typer.Argument(
            metavar="RULEBOOK",
            autocompletion=complete_rulebook,
            help="One rulebook; default: all of them.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help=f"Only clauses of this kind: {', '.join(get_args(ClauseKind))}.")
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="WORDS", help="Only clauses whose number or summary contains these words.")
    ] = None,
    only_open: Annotated[bool, typer.Option("--open", help="Only clauses that still lack code or a test.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List every clause: what it says, where data or code carries it out, and which tests show it.

    Example: [bold]croupier clauses md-mississippi-stud --search "envy bonus"[/bold]
    """
    if kind is not None and kind not in get_args(ClauseKind):
        raise Malformed(f"{kind!r} is not a kind of clause: {', '.join(get_args(ClauseKind))}")
    entries = [
        entry
        for entry in clause_entries(rulebook)
        if kind in (None, entry.kind) and _has(entry, search or "") and (is_open(entry) or not only_open)
    ]
    if as_json:
        print_json(entries)
        return
    for name in dict.fromkeys(entry.rulebook for entry in entries):
        rows = [_row(entry) for entry in entries if entry.rulebook == name]
        print_sheet(sheet(("clause", "kind", "says", "where", "tests"), rows, title="" if rulebook else name))
    print(f"{counted(len(entries), 'clause')}, {sum(map(is_open, entries))} of them open")


def _has(entry: ClauseEntry, words: str) -> bool:
    return words.casefold() in f"{entry.clause} {entry.summary}".casefold()


def _row(entry: ClauseEntry) -> tuple[str, ...]:
    return entry.clause, entry.kind, entry.summary, str(len(entry.where) or "-"), str(len(entry.tests) or "-")
