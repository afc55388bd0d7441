"""`croupier report`: what a shift or a day won, meters, rulings, decks and awards, from the store of a house."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

import typer
from msgspec import Struct
from rich.markup import escape

from croupier.cli.report_period import (
    Asked,
    Listing,
    Period,
    dim,
    give_list,
    period_of,
    read_limits,
    say_nothing,
    write_files,
)
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.simulation_options import Csv, Parquet, check_files, write_rows
from croupier.cli.store_options import From, JsonFlag, OneTable, To
from croupier.cli.stores import StoreUrl, with_store
from croupier.errors import Malformed
from croupier.present import reports

if TYPE_CHECKING:
    from croupier.ledger import CashFlag, PeriodTheo, PostedEntry, TableFigures, Threshold
    from croupier.store import Span, Store

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
) -> int:
    """Report a gaming day: tray, fills, credits, drop, win, hold %, handle, and theo against actual win.

    Without --day it is the last gaming day that has figures. Per table, and for all tables together.

    Exit code 0: the win of tray and drop agrees with play. 1: it does not, or there is no such day.

    Example: [bold]croupier report day house.db --day 2026-01-01[/bold]
    """
    return _money(url, Asked(table, day=day, newest=True), thresholds, as_csv, as_parquet, as_json=as_json)


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
) -> int:
    """Report a shift, from one time to another: the same figures as for a day.

    Where a round is in play at either end, its stakes that lie in the tray already are shown apart.

    Exit code 0: the win of tray and drop agrees with play. 1: it does not, or there is nothing in these hours.

    Example: [bold]croupier report shift house.db --from 2026-01-01T18:00Z --to 2026-01-02T02:00Z[/bold]
    """
    if start is None and end is None:
        raise Malformed("a shift needs its times: --from, --to or both")
    return _money(url, Asked(table, start=start, end=end), thresholds, as_csv, as_parquet, as_json=as_json)


class _Money(Struct, frozen=True):
    """The figures of a shift or a day."""

    period: Period
    figures: list[TableFigures]
    everything: TableFigures
    theos: list[PeriodTheo]
    theo: PeriodTheo
    cash: tuple[CashFlag, ...]


def _money(
    url: str,
    asked: Asked,
    thresholds: Path | None,
    as_csv: Path | None,
    as_parquet: Path | None,
    *,
    as_json: bool,
) -> int:
    check_files(as_csv, as_parquet, None)
    rows = read_limits(thresholds)
    money = with_store(url, lambda store: _count(store, asked, rows))
    if money is None:
        return say_nothing()
    named = zip((*money.figures, money.everything), (*money.theos, money.theo), strict=True)
    tables = [reports.figures_json(table, theo) for table, theo in named]
    write_rows([_flat(table) for table in tables], as_csv, as_parquet)
    if as_json:
        cash = [reports.cash_json(flag, money.period.names) for flag in money.cash]
        print_json({"period": money.period.words, "tables": tables[:-1], "all": tables[-1], "cash": cash})
    else:
        _show_money(money)
    return 1 if any(table.difference for table in money.figures) else 0


async def _count(store: Store, asked: Asked, thresholds: Sequence[Threshold]) -> _Money | None:
    from croupier.ledger import cash_flags, theo_of, together
    from croupier.store import MONEY_EVENTS, HouseShelf, figures_in, posted_entries

    period = await period_of(store, asked)
    if not period.spans:
        return None
    houses = await HouseShelf.read(store)
    entries = [await posted_entries(store, span, MONEY_EVENTS) for span in period.spans]
    figures = [await figures_in(store, *given) for given in zip(period.spans, entries, strict=True)]
    return _Money(
        period,
        figures,
        together(figures),
        [theo_of(own, houses) for own in entries],
        theo_of([entry for own in entries for entry in own], houses),
        cash_flags(await _by_day(store, period.spans, entries), thresholds),
    )


async def _by_day(
    store: Store, spans: Sequence[Span], entries: Sequence[Sequence[PostedEntry]]
) -> dict[str, list[PostedEntry]]:
    """The entries of each gaming day, all tables together."""
    from croupier.store import day_at, gaming_days

    days: dict[str, list[PostedEntry]] = {}
    for span, own in zip(spans, entries, strict=True):
        before = await day_at(store, span.stream, span.after)
        began = [*([(before, 0)] if before is not None else []), *await gaming_days(store, span)]
        for posted in own:
            day = next((str(day) for day, first in reversed(began) if first <= posted.entry.seq), "before opening")
            days.setdefault(day, []).append(posted)
    return dict(sorted(days.items()))


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a file: money in dollars as text, and no lists."""
    compared = {name: value for name, value in table["compared"].items() if isinstance(value, float)}
    plain = {name: value for name, value in table.items() if not isinstance(value, list | dict)}
    return {"table": table["table"] or "all", **{name: plain[name] for name in plain if name != "table"}, **compared}


def _show_money(money: _Money) -> None:
    figures, period = money.figures, money.period
    title = f"{period.words[:1].upper()}{period.words[1:]}"
    sheet = reports.figures_sheet(figures, money.everything, money.theos, money.theo, title=title)
    print_sheet(sheet, right=sheet.columns[1:])
    dim("Win = closing tray + credits + drop − opening tray − fills.")
    differences = [table for table in figures if table.difference]
    if not differences:
        dim("It agrees with play at every table: handle − stakes returned − paid, and reversals the other way.")
    for words in reports.notes_on_figures(figures):
        print_line(f"[bold red]{escape(words)}[/bold red]" if differences else f"[dim]{escape(words)}[/dim]")
    print()
    sheet = reports.theo_sheet(money.theo, title="Theo against actual win")
    print_sheet(sheet, right=sheet.columns[2:])
    dim("Theo: the exact edge times what was bet, for best play; a progressive at its long-run return.")
    dim("Apart: standard deviations from theo, with bets taken as independent. Hand pays are deducted from win here.")
    notes = [note for table, theo in zip(figures, money.theos, strict=True) for note in _theo_notes(table, theo)]
    if len(figures) > 1:
        notes += [note for note in reports.notes_on_theo(money.theo, of="All tables together") if note[1]]
    for words, is_warning in notes:
        print_line(f"[bold red]{escape(words)}[/bold red]" if is_warning else f"[yellow]{escape(words)}[/yellow]")
    if money.cash:
        print()
        print_sheet(reports.cash_sheet(money.cash, period.names), right=("amount", "times"))


def _theo_notes(table: TableFigures, theo: PeriodTheo) -> list[tuple[str, bool]]:
    return list(reports.notes_on_theo(theo, of=f"Table {table.table}"))


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
) -> int:
    """Reconcile every meter: opening, contributions, awards, resets, closing.

    With --table only that table's own meters; else those of links too. Without times, from the first entry on.

    Exit code 0: every meter holds what it should. 1: one does not, and the difference is shown.

    Example: [bold]croupier report meters house.db --day 2026-01-01[/bold]
    """
    from croupier.store import meters_in

    check_files(as_csv, as_parquet, None)
    asked = Asked(table, day=day, start=start, end=end)

    async def read(store: Store) -> tuple[Period, Any]:
        period = await period_of(store, asked)
        return period, await meters_in(store, period.spans, links=table is None)

    period, meters = with_store(url, read)
    if not period.spans:
        return say_nothing()
    plain = [reports.meter_json(meter) for meter in meters]
    write_files(plain, as_csv, as_parquet)
    if as_json:
        print_json({"period": period.words, "meters": plain})
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
    elif not as_json and meters:
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
) -> int:
    """List rulings on irregularities by kind: clause, reading, round, who ruled, what was refunded.

    Example: [bold]croupier report irregularities house.db --day 2026-01-01[/bold]
    """
    from croupier.ledger import rulings_of
    from croupier.store import RULING_EVENTS

    def of(entries: list[PostedEntry], period: Period) -> Listing:
        rulings = sorted(rulings_of(entries), key=lambda ruling: (ruling.irregularity, ruling.at, ruling.table))
        sheet = reports.ruling_sheet(rulings, period.names, title=f"Rulings, {period.words}")
        return Listing(sheet, [reports.ruling_json(ruling, period.names) for ruling in rulings], ("refunded",))

    asked = Asked(table, day=day, start=start, end=end)
    return give_list(url, asked, RULING_EVENTS, of, (as_csv, as_parquet), as_json=as_json)


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
) -> int:
    """List the life of every deck: received, inspected, verified, hours in play, removed, and why.

    Example: [bold]croupier report decks house.db --table 7[/bold]
    """
    from croupier.ledger import decks_of
    from croupier.store import DECK_EVENTS

    def of(entries: list[PostedEntry], period: Period) -> Listing:
        decks, until = decks_of(entries), period.until or datetime.now(UTC)
        sheet = reports.deck_sheet(decks, until, title=f"Decks, {period.words}")
        return Listing(sheet, [reports.deck_json(deck, until) for deck in decks], ("hours",))

    asked = Asked(table, day=day, start=start, end=end)
    return give_list(url, asked, DECK_EVENTS, of, (as_csv, as_parquet), as_json=as_json)


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
        return Listing(sheet, [reports.award_json(award, period.names) for award in awards], ())

    asked = Asked(table, day=day, start=start, end=end)
    return give_list(url, asked, AWARD_EVENTS, of, (as_csv, as_parquet), as_json=as_json)
