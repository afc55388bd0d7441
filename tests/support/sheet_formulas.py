"""A small calculator for workbooks, written from what the functions are said to do; it trusts no stored value.

Only what the math workbook uses: sums, differences, products, quotients, powers, and the functions of `FUNCTIONS`.
"""

import html
import math
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from statistics import NormalDist
from typing import Any, Final

import openpyxl  # type: ignore[import-untyped]

TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:E[+-]?\d+)?)|(?P<text>\"[^\"]*\")"
    r"|(?P<cell>(?:'[^']+'!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)|(?P<name>[A-Z.]+)(?=\()|(?P<sign>[-+*/^(),]))"
)


def sum_if(cells: list[Any], test: str, values: list[Any]) -> float:
    if test != ">0":
        raise ValueError(f"SUMIF with {test!r} is not calculated here: only >0")
    return math.fsum(value for cell, value in zip(cells, values, strict=True) if cell > 0)


def sum_product(*columns: list[Any]) -> float:
    return math.fsum(math.prod(row) for row in zip(*columns, strict=True))


FUNCTIONS: Final[dict[str, Callable[..., float]]] = {
    "SUM": lambda *parts: math.fsum(value for part in parts for value in (part if isinstance(part, list) else [part])),
    "SUMPRODUCT": sum_product,
    "SUMIF": sum_if,
    "SQRT": math.sqrt,
    "NORMSINV": NormalDist().inv_cdf,
    "MAX": max,
    "LN": math.log,
    "ROUNDUP": lambda value, places: math.ceil(value * 10**places) / 10**places,
}


class Calculator:
    """A workbook whose formulas are worked out when they are asked for."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.book = openpyxl.load_workbook(BytesIO(content))
        self._values: dict[tuple[str, str], Any] = {}

    def formulas(self) -> Iterator[tuple[str, str]]:
        """The sheet and the address of every formula."""
        for sheet in self.book.worksheets:
            for row in sheet.iter_rows():
                for cell in row:
                    if isinstance(cell.value, str) and cell.value.startswith("="):
                        yield sheet.title, cell.coordinate

    def value(self, sheet: str, address: str) -> Any:  # noqa: ANN401 - whatever a cell holds
        """What a cell comes to."""
        key = (sheet, address)
        if key not in self._values:
            held = self.book[sheet][address].value
            is_formula = isinstance(held, str) and held.startswith("=")
            self._values[key] = Formula(self, sheet, held[1:]).result() if is_formula else held
        return self._values[key]


class Formula:
    """One formula, read from left to right."""

    def __init__(self, calculator: Calculator, sheet: str, text: str) -> None:
        self.calculator, self.sheet = calculator, sheet
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                raise ValueError(f"{text[place:]!r} in {text!r} cannot be read")
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            place = match.end()
        self.place = 0

    def result(self) -> Any:  # noqa: ANN401 - a number or a column of them
        value = self.sums()
        if self.place != len(self.tokens):
            raise ValueError(f"{self.tokens[self.place :]} is left over")
        return value

    def next(self, *signs: str) -> str:
        """The next sign, if it is one of these."""
        if self.place < len(self.tokens) and self.tokens[self.place] in [("sign", sign) for sign in signs]:
            self.place += 1
            return self.tokens[self.place - 1][1]
        return ""

    def sums(self) -> Any:  # noqa: ANN401
        value = self.products()
        while sign := self.next("+", "-"):
            other = self.products()
            value = value + other if sign == "+" else value - other
        return value

    def products(self) -> Any:  # noqa: ANN401
        value = self.powers()
        while sign := self.next("*", "/"):
            other = self.powers()
            value = value * other if sign == "*" else value / other
        return value

    def powers(self) -> Any:  # noqa: ANN401
        value = self.single()
        while self.next("^"):
            value **= self.single()
        return value

    def single(self) -> Any:  # noqa: ANN401
        if self.next("-"):
            return -self.single()
        if self.next("("):
            return self.closed()
        kind, text = self.tokens[self.place]
        self.place += 1
        match kind:
            case "number":
                return float(text)
            case "text":
                return text.strip('"')
            case "cell":
                return self.cells(text)
            case "name":
                return FUNCTIONS[text](*self.arguments())
        raise ValueError(f"{text!r} was not expected")

    def closed(self) -> Any:  # noqa: ANN401
        value = self.sums()
        if not self.next(")"):
            raise ValueError("a parenthesis is not closed")
        return value

    def arguments(self) -> list[Any]:
        if not self.next("("):
            raise ValueError("a function without arguments")
        values = [self.sums()]
        while self.next(","):
            values.append(self.sums())
        if not self.next(")"):
            raise ValueError("a parenthesis is not closed")
        return values

    def cells(self, text: str) -> Any:  # noqa: ANN401
        sheet, _, address = text.rpartition("!")
        sheet, address = sheet.strip("'") or self.sheet, address.replace("$", "")
        if ":" not in address:
            return self.calculator.value(sheet, address)
        rows = self.calculator.book[sheet][address]
        return [self.calculator.value(sheet, cell.coordinate) for row in rows for cell in row]


# --- what is stored beside a formula


def differences(calculator: Calculator, shown_by: Mapping[tuple[str, str], Any] | None = None) -> list[str]:
    """Formulas that do not come to what is stored beside them, or shown by another program, to the last printed digit.

    Where a value lies on the border between two printed digits the last bit of a calculation decides between them; a
    difference of less than a billionth is none.
    """
    stored = stored_values(calculator.content) if shown_by is None else shown_by
    wrong = []
    for sheet, address in calculator.formulas():
        shown = stored.get((sheet, address))
        calculated, form = calculator.value(sheet, address), calculator.book[sheet][address].number_format
        if not is_same(calculated, shown, form):
            wrong.append(f"{sheet}!{address}: {shown}, calculated {calculated}")
    return wrong


def is_same(calculated: float, shown: object, form: str) -> bool:
    if not isinstance(shown, int | float) or not math.isclose(calculated, shown, rel_tol=1e-9, abs_tol=1e-15):
        return False
    return printed(calculated, form) == printed(shown, form) or on_border(shown, form)


def stored_values(content: bytes) -> dict[tuple[str, str], float]:
    """What is stored beside each formula, by sheet and address."""
    values = {}
    with zipfile.ZipFile(BytesIO(content)) as file:
        names = re.findall(r'<sheet name="([^"]*)"', file.read("xl/workbook.xml").decode())
        for number, name in enumerate(names, 1):
            text = file.read(f"xl/worksheets/sheet{number}.xml").decode()
            for address, value in re.findall(r'<c r="([A-Z]+[0-9]+)"[^>]*><f>[^<]*</f><v>([^<]*)</v>', text):
                values[html.unescape(name), address] = float(value)
    return values


def places_of(form: str) -> int:
    """The decimals of a number format, those of a percentage as a share."""
    shown = form.strip('"$').partition(".")[2]
    return len(shown.rstrip("%")) + 2 * form.endswith("%")


def printed(value: float, form: str) -> str:
    """A value as a spreadsheet prints it: with this format, and never more than fifteen digits."""
    return f"{float(f'{value:.15g}'):.{places_of(form)}f}"


def on_border(value: float, form: str) -> bool:
    scaled = abs(value) * 10 ** places_of(form)
    return math.isclose(scaled - math.floor(scaled), 0.5, abs_tol=1e-4)
