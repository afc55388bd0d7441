"""`croupier report`: what a shift or a day won, meters, rulings, decks and awards, from the store of a house."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer

from croupier.cli import report_columns as columns
from croupier.cli.report_money import give_money
from croupier.cli.report_period import (
    Asked,
    Forms,
    Listing,
    Period,
    dim,
    give_list,
    period_of,
    read_limits,
    say_nothing,
    write_lines,
)
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.simulation_options import Csv, Parquet
from croupier.cli.store_options import From, JsonFlag, LinesFlag, OneTable, To
from croupier.cli.stores import StoreUrl, with_store
from croupier.errors import Malformed
from croupier.present import reports

if TYPE_CHECKING:
    from croupier.ledger import PostedEntry
    from croupier.store import Store

__all__ = ["app"]

app = typer.Typer(help="Reports from the store of a house: shift, day, meters, irregularities, decks, awards.")
Day: TypeAlias = Annotated[str | None, typer.Option("--day", metavar="DAY", help="A gaming day, such as 2026-01-01.")]
Thresholds: TypeAlias = Annotated[
    Path | None,
    typer.Option("--thresholds", metavar="FILE", help="What to flag, as TOML; default: our assumptions."),
]


# --- shift and day


@app.command("day")
def report_day(
    url: StoreUrl,
    day: Day = None,
    table: OneTable = None,
    thresholds: Thresholds = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """Report a gaming day: tray, fills, credits, drop, win, hold %, handle, and theo against actual win.

    Without --day it is the last gaming day that has figures. Per table, and for all tables together.

    Exit code 0: the win of tray and drop agrees with play. 1: it does not, or there is no such day.

    Example: [bold]croupier report day house.db --day 2026-01-01[/bold]
    """
    return give_money(url, Asked(table, day=day, newest=True), thresholds, Forms(as_csv, as_parquet, as_json, as_lines))


@app.command("shift")
def report_shift(
    url: StoreUrl,
    start: From = None,
    end: To = None,
    table: OneTable = None,
    thresholds: Thresholds = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """Report a shift, from one time to another: the same figures as for a day.

    Where a round is in play at either end, its stakes that lie in the tray already are shown apart.

    Exit code 0: the win of tray and drop agrees with play. 1: it does not, or there is nothing in these hours.

    Example: [bold]croupier report shift house.db --from 2026-01-01T18:00Z --to 2026-01-02T02:00Z[/bold]
    """
    if start is None and end is None:
        raise Malformed("a shift needs its times: --from, --to or both")
    return give_money(url, Asked(table, start=start, end=end), thresholds, Forms(as_csv, as_parquet, as_json, as_lines))


# --- meters


@app.command("meters")
def report_meters(
    url: StoreUrl,
    day: Day = None,
    start: From = None,
    end: To = None,
    table: OneTable = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """Reconcile every meter: opening, contributions, awards, resets, closing.

    With --table only that table's own meters; else those of links too. Without times, from the first entry on.

    Exit code 0: every meter holds what it should. 1: one does not, and the difference is shown.

    Example: [bold]croupier report meters house.db --day 2026-01-01[/bold]
    """
    from croupier.store import meters_in

    asked, forms = Asked(table, day=day, start=start, end=end), Forms(as_csv, as_parquet, as_json, as_lines)
    forms.check(url)

    async def read(store: Store) -> tuple[Period, Any]:
        period = await period_of(store, asked)
        return period, await meters_in(store, period.spans, links=table is None)

    period, meters = with_store(url, read)
    if not period.spans:
        return say_nothing()
    plain = [reports.meter_json(meter) for meter in meters]
    forms.write(plain, columns.METERS)
    if as_json:
        print_json({"period": period.words, "meters": plain})
    elif as_lines:
        write_lines(plain)
    elif not meters:
        print_line("There is no meter here.")
    else:
        sheet = reports.meter_sheet(meters, title=f"Meters, {period.words}")
        print_sheet(sheet, right=sheet.columns[1:])
    wrong = [meter for meter in meters if meter.difference]
    if wrong:
        names = ", ".join(meter.account for meter in wrong)
        words = "1 meter does not hold what it should" if len(wrong) == 1 else _MORE_METERS.format(len(wrong))
        print(f"croupier report: {words}: {names}", file=sys.stderr)
    elif not as_json and not as_lines and meters:
        dim("Every meter holds what it should: the accounts agree with the events.")
    return 1 if wrong else 0


_MORE_METERS: Final = "{} meters do not hold what they should"


# --- irregularities, decks, awards


@app.command("irregularities")
def report_irregularities(
    url: StoreUrl,
    day: Day = None,
    start: From = None,
    end: To = None,
    table: OneTable = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """List rulings on irregularities by kind: clause, reading, round, who ruled, what was refunded.

    Example: [bold]croupier report irregularities house.db --day 2026-01-01[/bold]
    """
    from croupier.ledger import rulings_of
    from croupier.store import RULING_EVENTS

    def of(entries: list[PostedEntry], period: Period) -> Listing:
        rulings = sorted(rulings_of(entries), key=lambda ruling: (ruling.irregularity, ruling.at, ruling.table))
        sheet = reports.ruling_sheet(rulings, period.names, title=f"Rulings, {period.words}")
        return Listing(
            sheet, [reports.ruling_json(ruling, period.names) for ruling in rulings], ("refunded",), columns.RULINGS
        )

    asked, forms = Asked(table, day=day, start=start, end=end), Forms(as_csv, as_parquet, as_json, as_lines)
    return give_list(url, asked, RULING_EVENTS, of, forms)


@app.command("decks")
def report_decks(
    url: StoreUrl,
    day: Day = None,
    start: From = None,
    end: To = None,
    table: OneTable = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """List the life of every deck: received, inspected, verified, hours in play, removed, and why.

    Example: [bold]croupier report decks house.db --table 7[/bold]
    """
    from croupier.ledger import decks_of
    from croupier.store import DECK_EVENTS

    def of(entries: list[PostedEntry], period: Period) -> Listing:
        decks, until = decks_of(entries), period.until or datetime.now(UTC)
        sheet = reports.deck_sheet(decks, until, title=f"Decks, {period.words}")
        return Listing(sheet, [reports.deck_json(deck, until) for deck in decks], ("hours",), columns.DECKS)

    asked, forms = Asked(table, day=day, start=start, end=end), Forms(as_csv, as_parquet, as_json, as_lines)
    return give_list(url, asked, DECK_EVENTS, of, forms)


@app.command("awards")
def report_awards(
    url: StoreUrl,
    day: Day = None,
    start: From = None,
    end: To = None,
    table: OneTable = None,
    thresholds: Thresholds = None,
    as_csv: Csv = None,
    as_parquet: Parquet = None,
    as_json: JsonFlag = False,
    as_lines: LinesFlag = False,
) -> int:
    """List progressive awards: hand, amount, meter, who verified, validated and paid, flagged above thresholds.

    Example: [bold]croupier report awards house.db --thresholds ours.toml[/bold]
    """
    from croupier.ledger import awards_of
    from croupier.store import AWARD_EVENTS

    rows = read_limits(thresholds)

    def of(entries: list[PostedEntry], period: Period) -> Listing:
        awards = sorted(awards_of(entries, rows), key=lambda award: award.won_at)
        sheet = reports.award_sheet(awards, period.names, title=f"Awards, {period.words}")
        return Listing(sheet, [reports.award_json(award, period.names) for award in awards], (), columns.AWARDS)

    asked, forms = Asked(table, day=day, start=start, end=end), Forms(as_csv, as_parquet, as_json, as_lines)
    return give_list(url, asked, AWARD_EVENTS, of, forms)
