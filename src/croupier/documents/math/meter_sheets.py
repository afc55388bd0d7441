"""The progressive, the strategies and the simulation as sheets of the math workbook."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from croupier.analysis import BASE
from croupier.documents.math.figures import MathFigures
from croupier.documents.math.meters import MathMeter, MathProgressive
from croupier.documents.math.sheets import MathSheet, cell
from croupier.documents.math.simulation import SEED_DIGITS
from croupier.documents.math.wager_sheets import WagerCells
from croupier.money import MILLION, WHOLE, Share, parse_pay
from croupier.present import titled
from croupier.simulation import NINETY_NINE

__all__ = [
    "LIMIT_WIDTHS",
    "METER_WIDTHS",
    "PLAIN_WIDTHS",
    "meter_inputs",
    "write_limit",
    "write_meters",
    "write_simulation",
    "write_strategies",
]

METER_WIDTHS = (34, 17, 17, 22, 22, 16, 16, 13, 13, 13, 17, 19)
PLAIN_WIDTHS = (46, 16, 16, 22, 24, 24, 34, 16, 16, 16)
LIMIT_WIDTHS = (22, 22, 22, 34)
STAKE, FIRST = 3, 6
"""The rows of the stake and of the first meter, from 0: the sheet of the wager refers to them."""


def meter_inputs(progressive: MathProgressive, sheet: str) -> tuple[str, dict[str, str]]:
    """The cells of the stake and of each opening meter on the sheet of the progressive."""
    meters = {meter.terms.name: cell(FIRST + place, 1, sheet) for place, meter in enumerate(progressive.meters)}
    return cell(STAKE, 1, sheet), meters


def write_meters(sheet: MathSheet, progressive: MathProgressive, wager: str, cells: WagerCells) -> None:
    """Break-even, long run and liability, from the lines of the wager's sheet and the meters of the house."""
    record = progressive.record
    sheet.title("Progressive", "Change the amounts and rates of a meter, or the stake, and every figure follows.")
    stake = sheet.given("Stake, in dollars", Fraction(progressive.stake, 100), "money")
    sheet.row = FIRST - 1
    sheet.head(
        (
            "Meter",
            "Opens at",
            "Resets to",
            "Rate",
            "Coefficient",
            "Chance of a full award",
            "Chance of any award",
            "Added per wager",
            "Reseeded per wager",
            "Paid per wager",
            "Wagers per full award",
            "Average meter, 1 player",
        )
    )
    for place, meter in enumerate(progressive.meters):
        _meter(sheet, FIRST + place, progressive, meter, wager=wager, lines=cells.lines, stake=stake)
    last = FIRST + len(progressive.meters) - 1
    sheet.row = last + 2
    fixed = sheet.figure(
        "Fixed return",
        _over_lines(progressive, wager, cells.lines[0], None),
        record.fixed_return or 0,
        "share",
        record.fixed_return,
    )
    opening = f"SUMPRODUCT({cell(FIRST, 1)}:{cell(last, 1)},{cell(FIRST, 4)}:{cell(last, 4)})/{stake}"
    returned = sheet.figure(
        "Return at the opening meters", f"{fixed}+{opening}", 1 - record.edge, "share", 1 - record.edge
    )
    sheet.figure("House edge at the opening meters", f"1-{returned}", record.edge, "share", record.edge)
    run = progressive.long_run
    if run is not None:
        paid = f"SUM({cell(FIRST, 9)}:{cell(last, 9)})/{stake}"
        lasting = sheet.figure("Return in the long run", f"{fixed}+{paid}", run.returned, "share", run.returned)
        sheet.figure("House edge in the long run", f"1-{lasting}", run.edge, "share", run.edge)
    else:
        sheet.say(
            "The long run is not known exactly: this house tops its meters up to the reset (meter.floor).", "note"
        )
    _break_even(sheet, progressive, returned, stake)
    if run is not None:
        _liability(sheet, progressive)
    if progressive.envy:
        _envy(sheet, progressive)


def _meter(
    sheet: MathSheet,
    row: int,
    progressive: MathProgressive,
    meter: MathMeter,
    *,
    wager: str,
    lines: tuple[int, int],
    stake: str,
) -> None:
    terms, run, name = meter.terms, meter.alone, meter.terms.name
    sheet.words(row, 0, name)
    sheet.value(row, 1, Fraction(terms.initial, 100), "money")
    reset = sheet.value(row, 2, Fraction(terms.reset, 100), "money")
    rate = sheet.value(row, 3, Fraction(terms.rate, MILLION), "share")
    share = sheet.formula(row, 4, _over_lines(progressive, wager, lines[0], name), meter.price.coefficient, "fine")
    chances = _chances(progressive, name)
    whole = sheet.formula(row, 5, _chance(progressive, wager, lines[0], name, whole=True), chances[0], "fine")
    sheet.formula(row, 6, _chance(progressive, wager, lines[0], name, whole=False), chances[1], "fine")
    if run is None:
        return
    added = sheet.formula(row, 7, f"{rate}*{stake}", run.contribution / 100, "number")
    reseeded = sheet.formula(row, 8, f"{whole}*{reset}", run.reseed / 100, "number")
    paid = sheet.formula(row, 9, f"{added}+{reseeded}", run.paid / 100, "number")
    if run.whole:
        sheet.formula(row, 10, f"1/{whole}", 1 / run.whole, "number")
    sheet.formula(row, 11, f"{paid}/{share}", meter.alone.mean / 100 if meter.alone else 0, "money")


def _lines_of(progressive: MathProgressive, meter: str) -> list[tuple[int, Share]]:
    """The lines that pay from a meter, by place."""
    pays = [parse_pay(line.pays) for line in progressive.record.lines[:-1]]
    return [(place, pay) for place, pay in enumerate(pays) if isinstance(pay, Share) and pay.meter == meter]


def _chances(progressive: MathProgressive, meter: str) -> tuple[Fraction, Fraction]:
    record = progressive.record
    lines = [
        (pay, Fraction(record.lines[place].combinations, record.total)) for place, pay in _lines_of(progressive, meter)
    ]
    whole = sum((chance for pay, chance in lines if pay.percent == WHOLE), Fraction(0))
    return whole, sum((chance for _, chance in lines), Fraction(0))


def _chance(progressive: MathProgressive, wager: str, first: int, meter: str, *, whole: bool) -> str:
    lines = [place for place, pay in _lines_of(progressive, meter) if not whole or pay.percent == WHOLE]
    return "+".join(cell(first + place, 6, wager) for place in lines) or "0"


def _over_lines(progressive: MathProgressive, wager: str, first: int, meter: str | None) -> str:
    """The coefficient of a meter; without a meter the fixed return, which is what every other line gives back."""
    if meter is not None:
        places = [place for place, _ in _lines_of(progressive, meter)]
        return "+".join(f"{cell(first + place, 6, wager)}*{cell(first + place, 2, wager)}" for place in places)
    pays = [parse_pay(line.pays) for line in progressive.record.lines[:-1]]
    places = [place for place, pay in enumerate(pays) if not isinstance(pay, Share)]
    return "+".join(f"{cell(first + place, 6, wager)}*({cell(first + place, 4, wager)}+1)" for place in places) or "0"


def _break_even(sheet: MathSheet, progressive: MathProgressive, returned: str, stake: str) -> None:
    sheet.row += 1
    sheet.say("The meter from which the player has the edge, the others at their opening amounts", "bold")
    heads = ("Meter", "Break-even", "With adapted play", "Break-even exactly, in dollars", "Coefficient, exactly")
    sheet.head(heads)
    for place, meter in enumerate(progressive.meters):
        row, opens, share = sheet.row, cell(FIRST + place, 1), cell(FIRST + place, 4)
        sheet.words(row, 0, meter.terms.name)
        sheet.formula(row, 1, f"MAX(0,{opens}+(1-{returned})*{stake}/{share})", meter.price.break_even, "money")
        if meter.adapted is not None:
            sheet.value(row, 2, Fraction(meter.adapted, 100), "money")
        sheet.exact(row, 3, meter.price.break_even)
        sheet.exact(row, 4, meter.price.coefficient)
        sheet.row += 1
    if any(meter.adapted is not None for meter in progressive.meters):
        sheet.say("Adapted play is worked out over every set of cards and is a value here, not a formula.", "note")


def _liability(sheet: MathSheet, progressive: MathProgressive) -> None:
    sheet.row += 1
    sheet.say("How far a meter grows before it is won, one wager per round, partial awards not taken off", "bold")
    sheet.head(("Meter", "Chance that it is won by then", "Wagers since the reset", "Meter at most"))
    for place, meter in enumerate(progressive.meters):
        for owed in meter.owed:
            row = sheet.row
            sheet.words(row, 0, meter.terms.name)
            chance = sheet.value(row, 1, owed.chance, "share")
            whole = cell(FIRST + place, 5)
            wagers = sheet.formula(row, 2, f"ROUNDUP(LN(1-{chance})/LN(1-{whole}),0)", owed.wagers, "count")
            reset, added = cell(FIRST + place, 2), cell(FIRST + place, 7)
            sheet.formula(row, 3, f"{reset}+{wagers}*{added}", owed.most / 100, "money")
            sheet.row += 1
    sheet.row += 1
    sheet.say("Average meter with every seat taken: counted over hands that win together, a value here", "bold")
    sheet.head(("Meter", "Players", "Average meter", "Exactly, in dollars"))
    for meter in progressive.meters:
        if meter.full is not None:
            sheet.words(sheet.row, 0, meter.terms.name)
            sheet.value(sheet.row, 1, progressive.paces[-1][0], "count")
            sheet.value(sheet.row, 2, meter.full.mean / 100, "money")
            sheet.exact(sheet.row, 3, meter.full.mean / 100)
            sheet.row += 1


def _envy(sheet: MathSheet, progressive: MathProgressive) -> None:
    sheet.row += 1
    sheet.say("Envy: everybody at the table bets the progressive and plays best", "bold")
    each = progressive.record.envy or Fraction(0)
    per_player = sheet.given("Envy adds for every other player", each, "share", each)
    sheet.head(("Players", "Envy adds"))
    for players, added in progressive.envy:
        count = sheet.value(sheet.row, 0, players, "count")
        sheet.formula(sheet.row, 1, f"({count}-1)*{per_player}", added, "share")
        sheet.row += 1


# --- strategies and the simulation


def write_strategies(sheet: MathSheet, figures: MathFigures, main: WagerCells) -> None:
    """What each strategy costs; its house edge is that of best play and the cost."""
    sheet.title("Strategies of the main game", "Costs are worked out over every set of cards and are values here.")
    sheet.head(
        ("Strategy", "Cost", "House edge", "Average wager", "Cost, exactly", "Average wager, exactly", "Source"),
        freeze=True,
    )
    for strategy in figures.strategies:
        row = sheet.row
        sheet.words(row, 0, strategy.name)
        cost = sheet.value(row, 1, strategy.cost, "fine")
        sheet.formula(row, 2, f"{main.edge}+{cost}", -strategy.expectation, "share")
        sheet.value(row, 3, strategy.average_wager, "number")
        sheet.exact(row, 4, strategy.cost)
        sheet.exact(row, 5, strategy.average_wager)
        sheet.words(row, 6, strategy.source)
        sheet.row += 1


def write_simulation(sheet: MathSheet, figures: MathFigures, cells: Mapping[str, WagerCells]) -> None:
    """The simulated edge and its interval, from the sums in whole cents; the exact edge is the wager's."""
    run = figures.simulation
    sheet.title(
        "Simulation",
        f"croupier simulate SUBMISSION --rounds {run.rounds} --seed {run.seed}; the hash of the house rules begins "
        f"with this seed, in hexadecimal digits {figures.house.hash[:SEED_DIGITS]}.",
    )
    sheet.head(
        (
            "Wager",
            "Rounds",
            "Unit, in cents",
            "Players' net, in cents",
            "Variance of a round",
            "Simulated edge",
            "From, 99%",
            "To, 99%",
            "Exact edge",
            "Deviations",
        ),
        freeze=True,
    )
    for report in run.wagers:
        row = sheet.row
        sheet.words(row, 0, "Main Game" if report.wager == "base" else titled(report.wager))
        rounds, unit = sheet.value(row, 1, report.rounds, "count"), sheet.value(row, 2, report.unit, "count")
        net = sheet.value(row, 3, report.net, "count")
        edge = sheet.formula(row, 5, f"-{net}/({rounds}*{unit})", report.edge, "share")
        variance = report.exact.variance if report.exact is not None else report.variance
        if variance is not None:
            spread = sheet.value(row, 4, variance, "number")
            error = NINETY_NINE * float(variance / report.rounds) ** 0.5
            wide = f"NORMSINV(0.995)*SQRT({spread}/{rounds})"
            sheet.formula(row, 6, f"{edge}-{wide}", float(report.edge) - error, "share")
            sheet.formula(row, 7, f"{edge}+{wide}", float(report.edge) + error, "share")
            if report.exact is not None:
                key = (report.wager, report.exact.edge)
                at = next(cells[row.title] for row in figures.wagers if (row.record.wager, row.record.edge) == key)
                exact = sheet.formula(row, 8, at.edge, report.exact.edge, "share")
                away = float(report.edge - report.exact.edge) / float(variance / report.rounds) ** 0.5
                sheet.formula(row, 9, f"({edge}-{exact})/SQRT({spread}/{rounds})", away, "number")
        sheet.row += 1
    sheet.row += 1
    sheet.say("The variance is exact where it is known, because a sample may lack the rarest wins.", "note")
    sheet.say("Deviations: how far the simulated edge is from the exact one, in standard deviations.", "note")


def write_limit(sheet: MathSheet, figures: MathFigures) -> None:
    """What the payout limit takes from bets of each size."""
    sheet.title("Payout limit", "Worked out over every set of cards: values here, not formulas.")
    names = list(dict.fromkeys(name for size in figures.limit for name, _ in size.bets))
    titles = ["Main bet" if name == BASE else titled(name) for name in names]
    sheet.head((*titles, "Takes per round", "Exactly, in cents"), freeze=True)
    for size in figures.limit:
        bets = dict(size.bets)
        for column, name in enumerate(names):
            if name in bets:
                sheet.value(sheet.row, column, Fraction(bets[name], 100), "money")
        if size.loses is not None:
            sheet.value(sheet.row, len(names), size.loses / 100, "fine_money")
            sheet.exact(sheet.row, len(names) + 1, size.loses)
        sheet.row += 1
