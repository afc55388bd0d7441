"""The math workbook: the figures of the math report as a spreadsheet with live formulas.

Counts and pays are values, everything that follows from them is a formula, and every formula is stored with the value
it comes to, so that a viewer which does not recalculate shows the same. The same house gives the same bytes.
"""

from __future__ import annotations

import datetime
from io import BytesIO
from typing import Final

from croupier.documents.math.figures import MathFigures, figures_of
from croupier.documents.math.meter_sheets import (
    LIMIT_WIDTHS,
    METER_WIDTHS,
    PLAIN_WIDTHS,
    meter_inputs,
    write_limit,
    write_meters,
    write_simulation,
    write_strategies,
)
from croupier.documents.math.sheets import MathSheet, looks_of, new_book
from croupier.documents.math.wager_sheets import WagerCells, main_widths, side_widths, write_main, write_side
from croupier.documents.particulars import Particulars
from croupier.rulebook import HouseRules

__all__ = ["write_workbook"]

EARLIEST: Final = datetime.date(1980, 1, 1)
"""The day of a workbook whose papers bear none."""
PROGRESSIVE: Final = "Progressive"
NOTES: Final = (
    (
        "Counts, pays, stakes, meters and rates are values; change one, and every figure that depends on it follows. "
        "The counts of the main game are those of best play under the pays of the house: they do not follow a changed "
        "pay."
    ),
    (
        "A spreadsheet calculates with about 15 digits. Counts are exact in their cells up to 2^53, although some "
        "programs show only 15 digits of them; a count beyond 15 digits is written out beside the cell, and every "
        "figure has its exact fraction beside it as text."
    ),
    (
        "Edge, return and spread are of one unit: one ante, one of three equal bets, or one stake. The volatility "
        "index is the standard deviation times the deviations that hold 90% of a normal distribution."
    ),
)


def write_workbook(house: HouseRules, particulars: Particulars) -> bytes:
    """The workbook of a house, as the bytes of an XLSX file."""
    figures, sink = figures_of(house), BytesIO()
    book = new_book(sink)
    day = particulars.date or EARLIEST
    source = house.rulebook.source
    book.set_properties(
        {
            "title": f"{source.title}: math workbook",
            "subject": f"{source.title}, {source.jurisdiction}",
            "author": house.operator,
            "company": house.operator,
            "comments": f"{figures.software}, rules {house.hash}",
            "created": datetime.datetime.combine(day, datetime.time()),
        }
    )
    book.set_calc_mode("auto")
    looks = looks_of(book)
    version = f", version {particulars.version}" if particulars.version else ""
    foot = f"{figures.software} · rules {house.hash[:16]}{version}"

    def sheet(name: str, widths: tuple[int, ...]) -> MathSheet:
        return MathSheet(book, looks, name, top=f"{source.title}, {source.jurisdiction}", foot=foot, widths=widths)

    summary = sheet("Summary", (30, 14, 12, 14, 14, 14, 18, 18, 18, 16))
    cells = {}
    for wager in figures.wagers:
        if wager.is_main:
            cells[wager.title] = write_main(sheet(wager.title, main_widths(wager)), wager)
        elif figures.progressive is not None and wager.record.meters:
            own = sheet(f"{wager.title} Wager", side_widths(wager))
            stake, meters = meter_inputs(figures.progressive, PROGRESSIVE)
            cells[wager.title] = write_side(own, wager, stake=stake, meters=meters)
            write_meters(sheet(PROGRESSIVE, METER_WIDTHS), figures.progressive, own.name, cells[wager.title])
        else:
            cells[wager.title] = write_side(sheet(wager.title, side_widths(wager)), wager)
    write_strategies(sheet("Strategies", PLAIN_WIDTHS), figures, cells[figures.main.title])
    if any(size.loses is not None for size in figures.limit):
        write_limit(sheet("Payout limit", LIMIT_WIDTHS), figures)
    write_simulation(sheet("Simulation", PLAIN_WIDTHS), figures, cells)
    _summary(summary, figures, cells)
    widest = max(len(wager.title) for wager in figures.wagers) + len("Certificate: ")
    _identification(sheet("Identification", (max(28, widest + 4), 100)), figures, particulars)
    book.close()
    return sink.getvalue()


def _summary(sheet: MathSheet, figures: MathFigures, cells: dict[str, WagerCells]) -> None:
    source = figures.house.rulebook.source
    operator = f" for {figures.house.operator}" if figures.house.operator else ""
    sheet.title(
        f"{source.title}, {source.jurisdiction}",
        f"Math workbook{operator}: every figure is a formula over the sheets of the wagers.",
    )
    sheet.head(
        (
            "Wager",
            "Paytable",
            "Unit",
            "House edge",
            "Return to player",
            "Hit frequency",
            "Standard deviation",
            "Volatility index",
            "Average wager",
            "Element of risk",
        ),
        freeze=True,
    )
    for wager in figures.wagers:
        row, record, at = sheet.row, wager.record, cells[wager.title]
        sheet.words(row, 0, wager.title)
        sheet.words(row, 1, record.paytable)
        sheet.words(row, 2, record.unit)
        sheet.formula(row, 3, at.edge, record.edge, "share")
        sheet.formula(row, 4, at.returned, wager.returned, "share")
        sheet.formula(row, 5, at.hit, record.hit, "share")
        sheet.formula(row, 6, at.deviation, record.outcomes.standard_deviation, "number")
        sheet.formula(row, 7, at.index, wager.volatility_index, "number")
        if at.average and record.average_wager is not None and record.element_of_risk is not None:
            sheet.formula(row, 8, at.average, record.average_wager, "number")
            sheet.formula(row, 9, at.risk, record.element_of_risk, "share")
        sheet.row += 1
    sheet.row += 1
    for note in NOTES:
        sheet.paragraph(note, 10, 2)
    for words in figures.unpriced:
        sheet.say(f"Not in this workbook: {words}.", "note")


def _identification(sheet: MathSheet, figures: MathFigures, particulars: Particulars) -> None:
    house, source = figures.house, figures.house.rulebook.source
    sheet.title("Identification")
    facts = {
        "Game": source.title,
        "Operator": house.operator,
        "Regulator": source.regulator,
        "Document": f"{source.document} ({source.edition}, {source.status})",
        "Rulebook": f"{house.rulebook.id}, edition {house.rulebook.edition}",
        "Hash of the rulebook": house.rulebook.hash,
        "Hash of the house rules": house.hash,
        "Submission": particulars.version,
        "Date": particulars.date.isoformat() if particulars.date else "",
        "Software": figures.software,
        "Hash of its source": figures.code,
        "Hash of the simulation": figures.simulation.key,
    }
    certificates = {f"Certificate: {wager.title}": wager.certificate.hash for wager in figures.wagers}
    for name, words in (facts | certificates).items():
        sheet.words(sheet.row, 0, name, "bold")
        sheet.words(sheet.row, 1, words or "none given")
        sheet.row += 1
    sheet.row += 1
    sheet.say(
        "Write the certificates with: croupier certificate write --submission SUBMISSION --output certificates.json",
        "note",
    )
