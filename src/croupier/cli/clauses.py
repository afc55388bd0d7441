"""`croupier clauses`: the register of clauses."""

from __future__ import annotations

from typing import Annotated, get_args

import typer
from rich.markup import escape

from croupier.cli.rulebook import complete_rulebook
from croupier.cli.shown.console import print_json, print_table
from croupier.errors import Malformed
from croupier.rulebook import clause_entries, is_open
from croupier.rulebook.names import ClauseKind

__all__ = ["clauses"]


def clauses(
    rulebook: Annotated[
        str | None,
        typer.Argument(
            metavar="[RULEBOOK]",
            autocompletion=complete_rulebook,
            help="One rulebook; all without it.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help=f"Only clauses of this kind: {', '.join(get_args(ClauseKind))}.")
    ] = None,
    only_open: Annotated[bool, typer.Option("--open", help="Only clauses that still lack a place or a test.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """List every clause: what it says, where it stands in data or code, which tests show it.

    Example: [bold]croupier clauses md-mississippi-stud --kind configure[/bold]
    """
    if kind is not None and kind not in get_args(ClauseKind):
        raise Malformed(f"{kind!r} is no kind of clause: {', '.join(get_args(ClauseKind))}")
    entries = [
        entry for entry in clause_entries(rulebook) if kind in (None, entry.kind) and (is_open(entry) or not only_open)
    ]
    if as_json:
        print_json(entries)
        return
    print_table(
        ("clause", "kind", "says", "where", "tests"),
        [
            (
                escape(entry.clause if rulebook else f"{entry.rulebook} {entry.clause}"),
                entry.kind,
                escape(entry.summary),
                str(len(entry.where) or "-"),
                str(len(entry.tests) or "-"),
            )
            for entry in entries
        ],
    )
    print(f"{len(entries)} clauses, {sum(map(is_open, entries))} of them open")
