"""Sheets of the math workbook: cells that hold values, and formulas beside the value they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from xlsxwriter import Workbook  # type: ignore[import-untyped]
from xlsxwriter.utility import xl_rowcol_to_cell  # type: ignore[import-untyped]

from croupier.documents.math.spread import LEVELS, ROUNDS, WinRange, deviations

if TYPE_CHECKING:
    from io import BytesIO

    from xlsxwriter.format import Format  # type: ignore[import-untyped]
    from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]

__all__ = ["EXACT", "Look", "MathSheet", "Number", "cell", "looks_of", "new_book", "write_ranges"]

Number: TypeAlias = Fraction | int | float
Look: TypeAlias = Literal[
    "title",
    "note",
    "head",
    "words_head",
    "beside_head",
    "paragraph",
    "text",
    "beside",
    "bold",
    "exact",
    "count",
    "number",
    "share",
    "fine",
    "money",
    "fine_money",
    "net",
    "total",
]

LETTER, TABLOID, WIDE = 1, 17, 210
"""Two sheets of paper as workbooks number them, and the width of the columns from which the larger is needed."""
EXACT: Final = 10**15
"""Spreadsheets show fifteen digits; a count beyond that is written out as text too."""

_HEAD: Final = {"bold": True, "text_wrap": True, "valign": "vcenter", "bg_color": "#E8EDE9", "bottom": 1, "top": 1}
_WORDS: Final = frozenset({"Hand", "Meter", "Pays", "Paytable", "Round ends with", "Strategy", "Unit", "Wager"})
"""The heads of columns of words; those of fractions, which are text too, say `exactly`."""
_BESIDE: Final = frozenset({"Basis", "Source"})
"""Those that stand close after a column of numbers."""
_FORMATS: Final[Mapping[Look, Mapping[str, object]]] = {
    "title": {"bold": True, "font_size": 16, "font_color": "#0F3D2E"},
    "note": {"italic": True, "font_color": "#565B66", "valign": "top"},
    "head": _HEAD | {"align": "right"},
    "words_head": _HEAD,
    "beside_head": _HEAD | {"indent": 1},
    "paragraph": {"italic": True, "font_color": "#565B66", "valign": "top", "text_wrap": True},
    "text": {},
    "beside": {"indent": 1},
    "bold": {"bold": True},
    "exact": {"font_name": "Consolas", "font_size": 9, "indent": 1},
    "count": {"num_format": "#,##0"},
    "number": {"num_format": "#,##0.000000"},
    "share": {"num_format": "0.0000%"},
    "fine": {"num_format": "0.00000000%"},
    "money": {"num_format": "$#,##0.00"},
    "fine_money": {"num_format": "$#,##0.0000"},
    "net": {"num_format": "#,##0.######"},
    "total": {"bold": True, "num_format": "#,##0", "top": 1},
}


def new_book(sink: BytesIO) -> Workbook:
    """A workbook in memory: nothing of the machine or the hour gets into its bytes, and no text becomes a formula."""
    return Workbook(sink, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})


def looks_of(book: Workbook) -> dict[Look, Format]:
    """The formats of a workbook."""
    return {look: book.add_format(dict(_FORMATS[look])) for look in _FORMATS}


def cell(row: int, column: int, sheet: str = "") -> str:
    """The address of a cell, from another sheet with its name.

    >>> cell(0, 0), cell(4, 2, "Main Game")
    ('A1', "'Main Game'!C5")
    """
    address: str = xl_rowcol_to_cell(row, column)
    return f"'{sheet}'!{address}" if sheet else address


class MathSheet:
    """One sheet, written from the top."""

    def __init__(
        self, book: Workbook, looks: Mapping[Look, Format], name: str, *, top: str, foot: str, widths: Sequence[int]
    ) -> None:
        self.name = name
        self._looks = looks
        self._sheet: Worksheet = book.add_worksheet(name)
        self._sheet.set_landscape()
        self._sheet.set_paper(LETTER if sum(widths) <= WIDE else TABLOID)
        self._sheet.fit_to_pages(1, 0)
        self._sheet.set_margins(left=0.5, right=0.5, top=0.75, bottom=0.75)
        self._sheet.set_header("&L&B" + _plain(top) + "&R&A")
        self._sheet.set_footer("&L&8" + _plain(foot) + "&R&8&P of &N")
        self._sheet.hide_gridlines(2)
        for column, width in enumerate(widths):
            self._sheet.set_column(column, column, width)
        self.row = 0

    def title(self, words: str, note: str = "") -> None:
        """The heading of a sheet."""
        self._sheet.write_string(0, 0, words, self._looks["title"])
        if note:
            self._sheet.write_string(1, 0, note, self._looks["note"])
        self.row = 3

    def say(self, words: str, look: Look = "text") -> None:
        """A line of words."""
        self._sheet.write_string(self.row, 0, words, self._looks[look])
        self.row += 1

    def paragraph(self, words: str, columns: int, rows: int) -> None:
        """Words over so many columns, so many lines high."""
        self._sheet.merge_range(self.row, 0, self.row, columns - 1, "", self._looks["paragraph"])
        self._sheet.write_string(self.row, 0, words, self._looks["paragraph"])
        self._sheet.set_row(self.row, 15 * rows)
        self.row += 1

    def head(self, names: Sequence[str], *, freeze: bool = False) -> None:
        """The head of a table; with `freeze` it stays in sight and is printed on every page."""
        for column, name in enumerate(names):
            look: Look = "words_head" if name in _WORDS else "head"
            if name in _BESIDE or "exactly" in name.lower():
                look = "beside_head"
            self._sheet.write_string(self.row, column, name, self._looks[look])
        self._sheet.set_row(self.row, 30)
        self.row += 1
        if freeze:
            self._sheet.freeze_panes(self.row, 1)
            self._sheet.repeat_rows(self.row - 1)

    def words(self, row: int, column: int, words: str, look: Look = "text") -> None:
        """Words in a cell."""
        if words:
            self._sheet.write_string(row, column, words, self._looks[look])

    def value(self, row: int, column: int, value: Number, look: Look) -> str:
        """A number in a cell; its address."""
        self._sheet.write_number(row, column, float(value) if isinstance(value, Fraction) else value, self._looks[look])
        return cell(row, column)

    def formula(self, row: int, column: int, formula: str, value: Number, look: Look) -> str:
        """A formula in a cell, with what it comes to; the address of the cell."""
        self._sheet.write_formula(row, column, f"={formula}", self._looks[look], float(value))
        return cell(row, column)

    def exact(self, row: int, column: int, value: Number) -> None:
        """A fraction as text."""
        self.words(row, column, str(value), "exact")

    def figure(self, name: str, formula: str, value: Number, look: Look, exact: Number | None = None) -> str:
        """A named figure in a row of its own, its fraction beside it; the address of the figure from any sheet."""
        self.words(self.row, 0, name, "bold")
        address = self.formula(self.row, 1, formula, value, look)
        if exact is not None:
            self.exact(self.row, 2, exact)
        self.row += 1
        return f"'{self.name}'!{address}"

    def given(self, name: str, value: Number, look: Look, exact: Number | None = None) -> str:
        """A named value in a row of its own; its address."""
        self.words(self.row, 0, name, "bold")
        address = self.value(self.row, 1, value, look)
        if exact is not None:
            self.exact(self.row, 2, exact)
        self.row += 1
        return address


def _plain(words: str) -> str:
    """Words in a header or footer, where an ampersand begins a code."""
    return words.replace("&", "&&")


def write_ranges(sheet: MathSheet, ranges: Sequence[WinRange], *, edge: str, deviation: str, unit: str) -> None:
    """What the house wins over many rounds, from the cells of the edge and the standard deviation."""
    sheet.row += 1
    sheet.say(f"What the house wins, in {unit}s, by the normal distribution", "bold")
    heads = ("Rounds", "Confidence", "Deviations", "Expected win", "From", "To", "From, per round", "To, per round")
    sheet.head(heads)
    for row in ranges:
        at = sheet.row
        rounds, level = sheet.value(at, 0, row.rounds, "count"), sheet.value(at, 1, row.level, "share")
        error = abs(row.high - float(row.expected))
        spread = sheet.formula(at, 2, f"NORMSINV((1+{level})/2)", deviations(row.level), "number")
        win = sheet.formula(at, 3, f"{rounds}*{edge}", row.expected, "count")
        low = sheet.formula(at, 4, f"{win}-{spread}*{deviation}*SQRT({rounds})", float(row.expected) - error, "count")
        high = sheet.formula(at, 5, f"{win}+{spread}*{deviation}*SQRT({rounds})", float(row.expected) + error, "count")
        sheet.formula(at, 6, f"{low}/{rounds}", row.low / row.rounds, "share")
        sheet.formula(at, 7, f"{high}/{rounds}", row.high / row.rounds, "share")
        sheet.row += 1
    if len(ranges) != len(ROUNDS) * len(LEVELS):
        raise ValueError("a range for every number of rounds and every level was expected")
