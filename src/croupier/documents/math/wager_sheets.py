"""A priced wager as a sheet of the math workbook: counts and pays as values, everything else by formulas."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from croupier.analysis import wager_of
from croupier.documents.math.figures import MathLine, MathWager
from croupier.documents.math.sheets import EXACT, Look, MathSheet, cell, write_ranges
from croupier.documents.math.spread import LEVELS, deviations
from croupier.documents.math.tables import end_words, priced_at
from croupier.money import Dollars, For, Pay, Push, Share, To, parse_pay
from croupier.present import capitalized, line_words

__all__ = ["WagerCells", "main_widths", "side_widths", "write_main", "write_side"]

SIDE_HEADS = (
    "Hand",
    "Pays",
    "Amount",
    "Basis",
    "Net result, in stakes",
    "Combinations",
    "Probability",
    "Contribution",
    "Part of variance",
    "Hit",
    "Probability, exactly",
    "Contribution, exactly",
)
LONG_HEADS = (*SIDE_HEADS, "Combinations, exactly")


class WagerCells(Struct, frozen=True, kw_only=True):
    """Where the figures of a wager are, for other sheets."""

    edge: str
    returned: str
    hit: str
    deviation: str
    index: str
    average: str = ""
    risk: str = ""
    lines: tuple[int, int] = (0, 0)
    """The first and the last row of the lines, from 0."""


# --- bonuses and progressives


def side_widths(wager: MathWager) -> tuple[int, ...]:
    """The widths of the columns, wide enough for the longest count and the longest fraction."""
    chances = _fraction_width(line.probability for line in wager.lines)
    parts = _fraction_width(line.returned for line in wager.lines)
    counts = _count_width(wager.record.total)
    return (31, 18, 13, 17, 15, counts, 15, 15, 15, 6, chances, parts, counts)


def main_widths(wager: MathWager) -> tuple[int, ...]:
    """The same for the main game."""
    chances = _fraction_width(line.probability for line in wager.lines)
    parts = _fraction_width(line.returned for line in wager.lines)
    counts, deals = _count_width(wager.record.total), _count_width(wager.record.outcomes.total)
    return (31, 20, 13, max(counts, 15), 15, max(deals, parts), max(chances, 15), 15, 15, deals)


def _count_width(count: int) -> int:
    """Wide enough for a total in bold."""
    return max(15, round(len(f"{count:,}") * 1.15) + 2)


def _fraction_width(values: Iterable[Fraction]) -> int:
    return max(15, *(len(str(value)) + 3 for value in values))


def write_side(
    sheet: MathSheet, wager: MathWager, *, stake: str = "", meters: dict[str, str] | None = None
) -> WagerCells:
    """A bonus or progressive; `stake` and `meters` are cells of other sheets, where a progressive has its own."""
    record, last = wager.record, len(wager.lines) - 1
    sheet.title(
        wager.title, f"Paytable {record.paytable}, {record.clause}. {capitalized(priced_at(wager))}".rstrip(". ") + "."
    )
    if not stake:
        stake = sheet.given("Stake, in dollars", Fraction(wager.case.stake, 100), "money")
        sheet.row += 1
    sheet.head(LONG_HEADS if record.total > EXACT else SIDE_HEADS, freeze=True)
    first = sheet.row
    end, total = first + last, first + last + 1
    for place, line in enumerate(wager.lines):
        _side_line(sheet, first + place, line, total, wager=wager, stake=stake, meters=meters or {})
    sheet.words(total, 0, "total", "bold")
    sheet.formula(total, 5, f"SUM({_column(5, first, end)})", record.total, "total")
    sheet.formula(total, 6, f"SUM({_column(6, first, end)})", 1, "fine")
    mean = sheet.formula(total, 7, f"SUM({_column(7, first, end)})", -record.edge, "fine")
    variance = sheet.formula(total, 8, f"SUM({_column(8, first, end)})", record.outcomes.variance, "number")
    if record.total > EXACT:
        sheet.exact(total, 12, record.total)
    sheet.row = total + 2
    hit = f"SUMPRODUCT({_column(6, first, end)},{_column(9, first, end)})"
    return _figures(sheet, wager, mean=mean, variance=variance, hit=hit, lines=(first, end))


def _column(column: int, first: int, last: int) -> str:
    return f"{cell(first, column)}:{cell(last, column)}"


def _side_line(
    sheet: MathSheet, row: int, line: MathLine, total: int, *, wager: MathWager, stake: str, meters: dict[str, str]
) -> None:
    is_last = line is wager.lines[-1]
    pay = None if is_last else parse_pay(line.pays)
    sheet.words(row, 0, line_words(line.hand))
    sheet.words(row, 1, line.printed)
    amount, basis, look = _amount(pay)
    at = sheet.value(row, 2, amount, look)
    sheet.words(row, 3, basis, "beside")
    net = sheet.formula(row, 4, _net(pay, at, wager, stake, meters), line.net or 0, "net")
    count = sheet.value(row, 5, line.combinations, "count")
    chance = sheet.formula(row, 6, f"{count}/{_fixed(total, 5)}", line.probability, "fine")
    sheet.formula(row, 7, f"{chance}*{net}", line.returned, "fine")
    away = ((line.net or 0) + wager.record.edge) ** 2 * line.probability
    sheet.formula(row, 8, f"{chance}*({net}-{_fixed(total, 7)})^2", away, "number")
    sheet.value(row, 9, 0 if pay is None or isinstance(pay, Push) else 1, "count")
    sheet.exact(row, 10, line.probability)
    sheet.exact(row, 11, line.returned)
    if wager.record.total > EXACT:
        sheet.exact(row, 12, line.combinations)


def _fixed(row: int, column: int) -> str:
    """A cell of the total, whose row stays when a formula is copied down."""
    address = cell(row, column)
    return f"{address.rstrip('0123456789')}${row + 1}"


def _amount(pay: Pay | None) -> tuple[Fraction | int, str, Look]:
    """The number in a pay, what it is a number of, and how it is shown."""
    match pay:
        case To(multiple):
            return multiple, "to 1", "count"
        case For(multiple):
            return multiple, "stakes in all", "count"
        case Dollars(cents):
            return Fraction(cents, 100), "prize", "money"
        case Share(percent, meter):
            return Fraction(percent, 100), f"of the {meter} meter", "share"
        case Push():
            return 0, "push", "count"
        case None:
            return -1, "loses", "count"


def _net(pay: Pay | None, amount: str, wager: MathWager, stake: str, meters: dict[str, str]) -> str:
    """The net result in stakes, by the basis of the pay."""
    collected = wager_of(wager.case.book, wager.case.wager).collected is not None
    match pay:
        case For():
            return f"{amount}-1"
        case Dollars():
            return f"{amount}/{stake}-1" if collected else f"{amount}/{stake}"
        case Share(_, meter):
            return f"{amount}*{meters[meter]}/{stake}-1"
    return amount


# --- the main game


def write_main(sheet: MathSheet, wager: MathWager) -> WagerCells:
    """The main game: its lines, and every way in which a round ends under best play."""
    record = wager.record
    unit = record.unit
    sheet.title(
        wager.title, f"Paytable {record.paytable}, {record.clause}. {capitalized(priced_at(wager))}".rstrip(". ") + "."
    )
    sheet.say("Lines: how many hands or deals fall on each", "bold")
    sheet.head(
        ("Hand", "Pays", "Wins per bet", "Combinations", "Probability", "Contribution, exactly", "Probability, exactly")
    )
    odds, total = _main_lines(sheet, wager), sum(end.deals for end in wager.ends)
    sheet.row += 1
    sheet.say("Every way in which a round ends under best play", "bold")
    deals_exactly = ["Deals, exactly"] if total > EXACT else []
    sheet.head(
        (
            "Round ends with",
            "Wins per bet",
            f"{unit.title()}s that count",
            f"{unit.title()}s at risk",
            f"Net result, in {unit}s",
            "Deals",
            "Probability",
            "Contribution",
            "Part of variance",
            *deals_exactly,
        )
    )
    first = sheet.row
    last, below = first + len(wager.ends) - 1, first + len(wager.ends)
    for row, end in enumerate(wager.ends, first):
        sheet.words(row, 0, end_words(end))
        wins = sheet.formula(row, 1, odds[end.hand], end.odds, "count")
        counts, _ = sheet.value(row, 2, end.counted, "count"), sheet.value(row, 3, end.wagered, "count")
        net = sheet.formula(row, 4, f"{wins}*{counts}", end.net, "count")
        deals = sheet.value(row, 5, end.deals, "count")
        chance = sheet.formula(row, 6, f"{deals}/{_fixed(below, 5)}", Fraction(end.deals, total), "fine")
        sheet.formula(row, 7, f"{chance}*{net}", Fraction(end.deals * end.net, total), "fine")
        away = (end.net + record.edge) ** 2 * Fraction(end.deals, total)
        sheet.formula(row, 8, f"{chance}*({net}-{_fixed(below, 7)})^2", away, "number")
        if total > EXACT:
            sheet.exact(row, 9, end.deals)
    sheet.words(below, 0, "total", "bold")
    sheet.formula(below, 5, f"SUM({_column(5, first, last)})", total, "total")
    sheet.formula(below, 6, f"SUM({_column(6, first, last)})", 1, "fine")
    mean = sheet.formula(below, 7, f"SUM({_column(7, first, last)})", -record.edge, "fine")
    variance = sheet.formula(below, 8, f"SUM({_column(8, first, last)})", record.outcomes.variance, "number")
    if total > EXACT:
        sheet.exact(below, 9, total)
    sheet.row = below + 2
    folds = [row for row, end in enumerate(wager.ends, first) if end.fold]
    return _figures(
        sheet,
        wager,
        mean=mean,
        variance=variance,
        hit=f'SUMIF({_column(4, first, last)},">0",{_column(6, first, last)})',
        average=f"SUMPRODUCT({_column(3, first, last)},{_column(6, first, last)})",
        folded=f"SUM({_column(6, folds[0], folds[-1])})" if folds and record.folded is not None else "",
        lines=(first, last),
    )


def _main_lines(sheet: MathSheet, wager: MathWager) -> dict[str, str]:
    """The lines; for each hand the cell of what it wins per bet."""
    odds = {end.hand: end.odds for end in wager.ends}
    cells: dict[str, str] = {}
    first = sheet.row
    total = first + len(wager.lines)
    for row, line in enumerate(wager.lines, first):
        sheet.words(row, 0, line_words(line.hand))
        sheet.words(row, 1, line.printed)
        cells[line.hand] = _absolute(sheet.value(row, 2, odds.get(line.hand, 0), "count"))
        count = sheet.value(row, 3, line.combinations, "count")
        sheet.formula(row, 4, f"{count}/{_fixed(total, 3)}", line.probability, "fine")
        sheet.exact(row, 5, line.returned)
        sheet.exact(row, 6, line.probability)
    sheet.words(total, 0, "total", "bold")
    sheet.formula(total, 3, f"SUM({_column(3, first, total - 1)})", wager.record.total, "total")
    sheet.formula(total, 4, f"SUM({_column(4, first, total - 1)})", 1, "fine")
    sheet.exact(total, 5, -wager.record.edge)
    sheet.row = total + 1
    return cells


def _absolute(address: str) -> str:
    letters = address.rstrip("0123456789")
    return f"${letters}${address[len(letters) :]}"


# --- figures


def _figures(
    sheet: MathSheet,
    wager: MathWager,
    *,
    mean: str,
    variance: str,
    hit: str,
    lines: tuple[int, int],
    average: str = "",
    folded: str = "",
) -> WagerCells:
    record, outcomes = wager.record, wager.record.outcomes
    edge = sheet.figure("House edge", f"-{mean}", record.edge, "share", record.edge)
    returned = sheet.figure("Return to player", f"1-{edge}", wager.returned, "share", wager.returned)
    cells = {"average": "", "risk": ""}
    if average and record.average_wager is not None and record.element_of_risk is not None:
        name = f"Average wager, in {record.unit}s"
        cells["average"] = sheet.figure(name, average, record.average_wager, "number", record.average_wager)
        risk = f"{edge}/{cells['average']}"
        cells["risk"] = sheet.figure("Element of risk", risk, record.element_of_risk, "share", record.element_of_risk)
    hits = sheet.figure("Hit frequency", hit, record.hit, "share", record.hit)
    if folded and record.folded is not None:
        sheet.figure("Folded by best play", folded, record.folded, "share", record.folded)
    spread = sheet.figure("Variance", variance, outcomes.variance, "number", outcomes.variance)
    deviation = sheet.figure("Standard deviation", f"SQRT({spread})", outcomes.standard_deviation, "number")
    level = sheet.given("Confidence of the index", LEVELS[0], "share")
    quantile = sheet.figure("Its standard deviations", f"NORMSINV((1+{level})/2)", deviations(LEVELS[0]), "number")
    index = sheet.figure("Volatility index", f"{quantile}*{deviation}", wager.volatility_index, "number")
    sheet.given("Normal from, in rounds", wager.normal_from, "count")
    write_ranges(sheet, wager.ranges, edge=edge, deviation=deviation, unit=record.unit)
    return WagerCells(edge=edge, returned=returned, hit=hits, deviation=deviation, index=index, lines=lines, **cells)
