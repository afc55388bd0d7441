"""The figures of a shift or a day in every form, with theo and the cash to look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.markup import escape

from croupier.cli.report_columns import FIGURES
from croupier.cli.report_period import Asked, Forms, Period, dim, period_of, read_limits, say_nothing, write_lines
from croupier.cli.shown.console import print_json, print_line, print_sheet
from croupier.cli.stores import with_store
from croupier.present import reports

if TYPE_CHECKING:
    from croupier.ledger import CashFlag, PeriodTheo, TableFigures, Threshold
    from croupier.store import Store

__all__ = ["give_money"]


class _Money(Struct, frozen=True):
    """The figures of a shift or a day."""

    period: Period
    figures: list[TableFigures]
    everything: TableFigures
    theos: list[PeriodTheo]
    theo: PeriodTheo
    cash: tuple[CashFlag, ...]


def give_money(url: str, asked: Asked, thresholds: Path | None, forms: Forms) -> int:
    """Count the period and give its figures; the exit code says whether tray and play agree."""
    forms.check(url)
    rows = read_limits(thresholds)
    money = with_store(url, lambda store: _count(store, asked, rows))
    if money is None:
        return say_nothing()
    named = zip((*money.figures, money.everything), (*money.theos, money.theo), strict=True)
    tables = [reports.figures_json(table, theo) for table, theo in named]
    cash = [reports.cash_json(flag, money.period.names) for flag in money.cash]
    warnings = [_warnings(table, theo) for table, theo in zip(money.figures, money.theos, strict=True)]
    warnings.append(_warnings(money.everything, money.theo))
    forms.write(
        [_row(table, words, cash if not table["table"] else ()) for table, words in zip(tables, warnings, strict=True)],
        FIGURES,
    )
    if forms.as_json:
        print_json({"period": money.period.words, "tables": tables[:-1], "all": tables[-1], "cash": cash})
    elif forms.as_lines:
        kinds = [*("table" for _ in tables[:-1]), "all"]
        write_lines([{"row": kind, **table} for kind, table in zip(kinds, tables, strict=True)])
        write_lines([{"row": "cash", **flag} for flag in cash])
    else:
        _show_money(money)
    return 1 if any(table.difference for table in money.figures) else 0


async def _count(store: Store, asked: Asked, thresholds: Sequence[Threshold]) -> _Money | None:
    from croupier.ledger import cash_flags, theo_of, together
    from croupier.store import MONEY_EVENTS, CashPeriod, HouseShelf, cash_moves, figures_in, posted_entries

    period = await period_of(store, asked)
    hours = CashPeriod(day=period.day, start=period.start, end=period.end, table=asked.table)
    moves = await cash_moves(store, hours)
    if not period.spans and not any(move.is_reported for move in moves):
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
        cash_flags(moves, thresholds),
    )


def _warnings(table: TableFigures, theo: PeriodTheo) -> list[str]:
    """What a reader of the figures has to know: trays that do not agree with play, and win too far from theo."""
    of = f"Table {table.table}" if table.table else "All tables together"
    notes = list(reports.notes_on_figures([table])) if table.table else []
    return [*notes, *(words for words, _ in reports.notes_on_theo(theo, of=of))]


def _row(table: Mapping[str, Any], warnings: Sequence[str], cash: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The row of a file: money in dollars as text, and what is said beside the figures in words."""
    flags = [f"{flag['day']} {flag['patron']}: {flag['flag']}, {flag['amount']} in {flag['times']}" for flag in cash]
    both = {**table, **table["compared"], "warnings": " ".join(warnings), "cash_flags": "; ".join(flags)}
    return {name: both[name] for name in FIGURES} | {"table": table["table"] or "all"}


def _show_money(money: _Money) -> None:
    if money.figures:
        _show_figures(money)
    else:
        print_line("No table has figures here; the cage has.")
    if money.cash:
        print()
        print_sheet(reports.cash_sheet(money.cash, money.period.names), right=("amount", "times"))


def _show_figures(money: _Money) -> None:
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


def _theo_notes(table: TableFigures, theo: PeriodTheo) -> list[tuple[str, bool]]:
    return list(reports.notes_on_theo(theo, of=f"Table {table.table}"))
