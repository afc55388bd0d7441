"""The math workbook: formulas that other programs recalculate, values that need none, and the same bytes every time."""

import re
import shutil
import subprocess
import zipfile
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pytest
from msgspec.structs import replace

from croupier.analysis import cached_prices, cases_of_house, change_meters, long_run_of
from croupier.documents.math.figures import figures_of
from croupier.documents.math.workbook import write_workbook
from croupier.documents.particulars import Particulars
from croupier.rulebook import rulebook_ids
from support.math_papers import PARTICULARS, full_house
from support.sheet_formulas import Calculator, differences

BOOKS = rulebook_ids()
OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
FORMULA = re.compile(rb"(<f>[^<]*</f>)<v>[^<]*</v>")


@cache
def written(book: str) -> bytes:
    return write_workbook(full_house(book), PARTICULARS)


@cache
def workbook(book: str) -> Calculator:
    return Calculator(written(book))


def find(calculator: Calculator, sheet: str, words: str) -> int:
    """The row of a name in the first column."""
    return int(next(cell.row for cell in calculator.book[sheet]["A"] if cell.value == words))


# --- recalculated


@pytest.mark.parametrize("book", BOOKS)
def test_formulas_come_to_what_is_stored_beside_them(book: str) -> None:
    calculator = workbook(book)
    formulas = [calculator.book[sheet][address].value for sheet, address in calculator.formulas()]
    assert len(formulas) > 500
    assert differences(calculator) == []


@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed: apt-get install libreoffice-calc-nogui")
def test_libreoffice_calculates_the_same(tmp_path: Path) -> None:
    """The stored values are taken out first, so that whatever it shows it has worked out."""
    for book in BOOKS:
        (tmp_path / f"{book}.xlsx").write_bytes(without_values(written(book)))
    made = tmp_path / "made"
    subprocess.run(
        [
            str(OFFICE),
            f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}",
            "--headless",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(made),
            *(str(tmp_path / f"{book}.xlsx") for book in BOOKS),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    for book in BOOKS:
        shown = openpyxl.load_workbook(made / f"{book}.xlsx", data_only=True)
        values = {
            (sheet.title, cell.coordinate): cell.value for sheet in shown.worksheets for row in sheet for cell in row
        }
        assert differences(workbook(book), values) == []


def without_values(content: bytes) -> bytes:
    """A workbook without what its formulas came to."""
    changed, removed = BytesIO(), 0
    with zipfile.ZipFile(BytesIO(content)) as before, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            part, count = FORMULA.subn(rb"\1", before.read(name))
            after.writestr(name, part)
            removed += count
    assert removed > 500
    return changed.getvalue()


# --- live


def test_another_pay_gives_the_price_of_another_paytable() -> None:
    """A and E of Maryland's Three Card Bonus differ by what a flush pays."""
    house, calculator = full_house("md-mississippi-stud"), Calculator(written("md-mississippi-stud"))
    row = find(calculator, "Three Card Bonus", "flush")
    calculator.book["Three Card Bonus"][f"C{row}"] = 3
    other = next(
        table for table in house.rulebook.paytables.paytable if (table.group, table.id) == ("three_card_bonus", "E")
    )
    case = next(case for case in cases_of_house(house) if case.wager == "three_card_bonus")
    (record,) = cached_prices(replace(case, table=other))
    edge = calculator.value("Three Card Bonus", f"B{find(calculator, 'Three Card Bonus', 'House edge')}")
    variance = calculator.value("Three Card Bonus", f"B{find(calculator, 'Three Card Bonus', 'Variance')}")
    assert edge == pytest.approx(float(record.edge), rel=1e-12)
    assert variance == pytest.approx(float(record.outcomes.variance), rel=1e-12)


def test_another_rate_reset_and_opening_give_another_break_even_and_long_run() -> None:
    house, calculator = full_house("md-let-it-ride"), Calculator(written("md-let-it-ride"))
    row = find(calculator, "Progressive", "main")
    for column, value in {"B": 25_000, "C": 20_000, "D": 0.15}.items():
        calculator.book["Progressive"][f"{column}{row}"] = value
    changed = long_run_of(change_meters(house, rates={"main": 150_000}, resets={"main": 2_000_000}))
    case = next(case for case in cases_of_house(house, meters={"main": 2_500_000}) if case.meters)  # type: ignore[dict-item]
    (record,) = cached_prices(case)

    def figure(words: str) -> float:
        return float(calculator.value("Progressive", f"B{find(calculator, 'Progressive', words)}"))

    assert figure("House edge in the long run") == pytest.approx(float(changed.edge), rel=1e-12)
    assert figure("House edge at the opening meters") == pytest.approx(float(record.edge), rel=1e-12)
    assert calculator.value("Progressive", f"L{row}") == pytest.approx(float(changed.meters[0].mean) / 100, rel=1e-12)
    even = [cell.row for cell in calculator.book["Progressive"]["A"] if cell.value == "main"][1]
    assert calculator.value("Progressive", f"B{even}") == pytest.approx(float(record.meters[0].break_even), rel=1e-12)


# --- exact beside


@pytest.mark.parametrize("book", BOOKS)
def test_exact_fractions_and_long_counts_are_written_out(book: str) -> None:
    house, calculator = full_house(book), workbook(book)
    for wager in figures_of(house).wagers:
        sheet = next(name for name in (f"{wager.title} Wager", wager.title) if name in calculator.book.sheetnames)
        texts = {
            str(cell.value) for row in calculator.book[sheet].iter_rows() for cell in row if cell.value is not None
        }
        record = wager.record
        fractions: list[Fraction | None] = [record.edge, record.hit, record.outcomes.variance, record.average_wager]
        assert {str(value) for value in fractions if value is not None} <= texts
        assert {str(line.probability) for line in wager.lines} | {str(line.returned) for line in wager.lines} <= texts
        counts = [line.combinations for line in wager.lines] if not wager.is_main else [end.deals for end in wager.ends]
        assert {str(count) for count in counts if count > 10**15} <= texts
        held = {
            cell.value
            for row in calculator.book[sheet].iter_rows()
            for cell in row
            if isinstance(cell.value, int | float)
        }
        assert {count for count in counts if count < 2**53} <= held


# --- the file


def test_the_same_submission_is_the_same_bytes() -> None:
    content = written("md-high-card-flush")
    assert write_workbook(full_house("md-high-card-flush"), PARTICULARS) == content
    with zipfile.ZipFile(BytesIO(content)) as file:
        assert {part.date_time for part in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not any("vba" in part.filename.lower() or part.filename.endswith(".bin") for part in file.infolist())
        assert b"2026-11-17T00:00:00Z" in file.read("docProps/core.xml")


def test_without_a_day_it_bears_the_same_one_every_day() -> None:
    house = full_house("md-high-card-flush")
    made = openpyxl.load_workbook(BytesIO(write_workbook(house, Particulars())))
    assert made.properties.created == datetime(1980, 1, 1)  # noqa: DTZ001 - a workbook has no time zone
    other = openpyxl.load_workbook(BytesIO(write_workbook(house, Particulars(date=date(2027, 1, 2)))))
    assert other.properties.created == datetime(2027, 1, 2)  # noqa: DTZ001


@pytest.mark.parametrize("book", BOOKS)
def test_sheets_are_ready_to_be_printed(book: str) -> None:
    made = workbook(book).book
    assert made.sheetnames[0] == "Summary"
    assert made.sheetnames[-1] == "Identification"
    for sheet in made.worksheets:
        assert (sheet.page_setup.fitToWidth or 1, sheet.page_setup.fitToHeight) == (1, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.oddFooter.right.text == "&P of &N"
        assert all(sheet.column_dimensions[column].width > 5 for column in ("A", "B"))
    assert made["Summary"].freeze_panes == "B5"


def test_no_cell_is_too_narrow_for_its_number() -> None:
    """A number that does not fit is shown as a row of signs."""
    for book in BOOKS:
        calculator = workbook(book)
        for sheet, address in calculator.formulas():
            cell = calculator.book[sheet][address]
            if "%" not in cell.number_format and "#" in cell.number_format:
                width = calculator.book[sheet].column_dimensions[cell.column_letter].width
                places = len(cell.number_format.strip('"$').partition(".")[2].rstrip("#"))
                assert len(f"{calculator.value(sheet, address):,.{places}f}") <= width, f"{book} {sheet}!{address}"
