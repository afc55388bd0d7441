"""`croupier ledger`: does the money of a store follow from its record?"""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.shown.console import print_json, print_line
from croupier.cli.stores import StoreUrl, with_store
from croupier.present import counted

__all__ = ["app"]

app = typer.Typer(help="Check the money of a store against its record.")
MOST_SHOWN = 20


@app.callback()
def ledger() -> None:
    """Check the money of a store against its record."""


@app.command()
def check(
    store: StoreUrl, as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False
) -> int:
    """Make the ledger again from the record alone, and compare: accounts, postings, running totals, rounds and seats.

    Every unit must sum to zero, and every meter of a link must agree with the link's own record. No key is needed.

    Exit code 0: everything follows from the record. 1: something does not, and each difference is listed.

    Example: [bold]croupier ledger check house.db[/bold]
    """
    from croupier.store import check_ledger

    report = with_store(store, check_ledger)
    if as_json:
        print_json(report._asdict() | {"holds": not report.problems})
        return 1 if report.problems else 0
    for problem in report.problems[:MOST_SHOWN]:
        print_line(f"[red]{problem}[/red]")
    if len(report.problems) > MOST_SHOWN:
        print_line(f"… and {len(report.problems) - MOST_SHOWN:,} more; --json lists them all")
    figures = (
        f"{report.entries:,} entries in {counted(report.streams, 'stream')},"
        f" {counted(report.postings, 'posting')}, {counted(report.accounts, 'account')},"
        f" {counted(report.rounds, 'round')}"
    )
    verdict = f"{counted(len(report.problems), 'difference')} found" if report.problems else "every account follows"
    print_line(f"{figures}: {verdict}")
    return 1 if report.problems else 0
