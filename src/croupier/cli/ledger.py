"""`croupier ledger`: what every account of a store holds and what moved it, and whether it follows from the record."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.simulation_options import whole_number
from croupier.cli.store_options import JsonFlag
from croupier.cli.stores import StoreUrl, with_store
from croupier.present import counted, reports

__all__ = ["app"]

app = typer.Typer(help="Show the accounts of a store, and check them against its record.")
MOST_SHOWN = 20


@app.callback()
def ledger() -> None:
    """Show the accounts of a store, and check them against its record."""


@app.command()
def check(store: StoreUrl, as_json: JsonFlag = False) -> int:
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


@app.command("accounts")
def list_accounts(
    store: StoreUrl,
    beginning: Annotated[
        str, typer.Argument(metavar="BEGINNING", help="Only accounts whose names begin like this, such as patron/.")
    ] = "",
    as_json: JsonFlag = False,
) -> int:
    """List what every account holds: trays, chips, drop, patrons at the cage, meters. No key is needed.

    Accounts that hold nothing are listed with --json alone.

    Exit code 0: listed. 1: no account has such a name.

    Example: [bold]croupier ledger accounts house.db patron/[/bold]
    """
    from croupier.store import accounts_in

    accounts = with_store(store, lambda open_: accounts_in(open_, beginning))
    if as_json:
        print_json([reports.account_json(account) for account in accounts])
    elif held := [account for account in accounts if account.amount]:
        print_sheet(reports.account_sheet(held), right=("holds",))
    else:
        print_line("No such account holds anything." if accounts else "There is no such account.")
    return 0 if accounts else 1


@app.command("account")
def show_account(
    store: StoreUrl,
    name: Annotated[str, typer.Argument(metavar="ACCOUNT", help="Such as patron/ann or table/7/tray.")],
    limit: Annotated[int, whole_number("--limit", text="At most this many postings.", most=100_000)] = 20,
    as_json: JsonFlag = False,
) -> None:
    """Show an account and what moved it, the newest first: each posting with its entry, and what was held after it.

    The number of an entry of the cage is what croupier house cage reverse takes.

    Exit code 0: shown. 1: there is no such account.

    Example: [bold]croupier ledger account house.db patron/ann[/bold]
    """
    from croupier.store import moves_of

    account, moves = with_store(store, lambda open_: moves_of(open_, name, limit=limit))
    if as_json:
        plain = [reports.move_json(account, move) for move in moves]
        print_json(reports.account_json(account) | {"postings": plain})
    else:
        print_sheet(reports.move_sheet(account, moves), right=("amount", "holds"))
