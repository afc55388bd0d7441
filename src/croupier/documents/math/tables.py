"""A priced wager as blocks of the math report: its figures, its lines, their fractions, and what the house may win."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.documents.math.ends import MainEnd
from croupier.documents.math.figures import MathWager
from croupier.documents.math.spread import LEVELS, ROUNDS, WinRange, deviations
from croupier.documents.math.words import decimal, exactly, fine_percent, number, once_in, share, strong, text, together
from croupier.documents.paper import Block, Cell, Cite, Facts, Grid, Paragraph, Words, words
from croupier.money import MINUS, print_dollars
from croupier.present import counted, line_words, spoken

__all__ = ["end_words", "ends_table", "exact_table", "fact_rows", "priced_at", "summary_table", "wager_blocks"]


def wager_blocks(wager: MathWager) -> Iterator[Block]:
    """Everything about one priced wager."""
    yield Facts(tuple(fact_rows(wager)))
    yield _lines(wager)
    yield together(*_ranges(wager))


def priced_at(wager: MathWager) -> str:
    """What distinguishes this price from others of its paytable."""
    record = wager.record
    parts = []
    if record.stake is not None:
        parts.append(f"a stake of {print_dollars(record.stake)}")
    parts += [f"the {meter.name} meter at {print_dollars(meter.value)}" for meter in record.meters]
    if record.players is not None:
        parts.append(f"{counted(record.players, 'player')} at the table")
    if record.tie_rule is not None:
        parts.append(f"of equally good actions the one that stakes {record.tie_rule}")
    if record.variant is not None:
        kept = {"all_hands": "a folded hand can still win", "forfeit_on_fold": "a folded hand loses the wager"}
        parts.append(kept[record.variant])
    return "; ".join(parts)


def summary_table(wagers: tuple[MathWager, ...]) -> Grid:
    """One row for each priced wager."""
    return Grid(
        head=("Wager", "Paytable", "House edge", "Return", "Hit frequency", "Std. deviation", "Volatility index"),
        rows=tuple(
            (
                text(wager.title),
                text(wager.record.paytable),
                text(share(wager.record.edge)),
                text(share(wager.returned)),
                text(share(wager.record.hit)),
                text(decimal(wager.record.outcomes.standard_deviation, 4)),
                text(decimal(wager.volatility_index, 4)),
            )
            for wager in wagers
        ),
        align=("left", "left", "right", "right", "right", "right", "right"),
        note=words(
            "Edge, return and spread are of one unit: one ante, one of three equal bets, or one stake. "
            "Progressives are at the opening meters; the long run has a section of its own."
        ),
    )


# --- figures


def fact_rows(wager: MathWager) -> Iterator[tuple[str, Words]]:
    """The figures of a wager, each with its fraction."""
    record, outcomes = wager.record, wager.record.outcomes
    unit = record.unit
    yield "Paytable", words(f"{record.paytable} ", Cite(record.clause, wager.case.table.reading))
    if at := priced_at(wager):
        yield "Priced at", text(at)
    yield "House edge", (f"{share(record.edge)} of one {unit}, exactly ", *exactly(record.edge))
    yield "Return to player", (f"{share(wager.returned)}, exactly ", *exactly(wager.returned))
    if record.average_wager is not None and record.element_of_risk is not None:
        yield "Average wager", (f"{decimal(record.average_wager, 6)} {unit}s, exactly ", *exactly(record.average_wager))
        yield (
            "Element of risk",
            (
                f"{share(record.element_of_risk)} of all money wagered, exactly ",
                *exactly(record.element_of_risk),
            ),
        )
    yield "Hit frequency", _frequency(record.hit)
    if record.wins != record.hit:
        yield "Wins more than it stakes", _frequency(record.wins)
    if record.breaks_even:
        yield "Neither wins nor loses", _frequency(record.breaks_even)
    if record.folded is not None:
        yield "Folded by best play", _frequency(record.folded)
    yield "Variance", (f"{decimal(outcomes.variance, 6)}, exactly ", *exactly(outcomes.variance))
    yield "Standard deviation", text(f"{decimal(outcomes.standard_deviation, 6)} {unit}s a round")
    yield "Skewness", text(decimal(outcomes.skewness, 4))
    index = decimal(deviations(LEVELS[0]), 4)
    yield "Volatility index", text(f"{decimal(wager.volatility_index, 6)} {unit}s ({index} standard deviations)")
    if record.envy is not None:
        yield "Envy", (f"adds {share(record.envy)} for every other player, exactly ", *exactly(record.envy))


def _frequency(chance: Fraction) -> Words:
    return (f"{share(chance)}, once in {once_in(chance)}, exactly ", *exactly(chance))


# --- lines


def _lines(wager: MathWager) -> Grid:
    record = wager.record
    rows: list[tuple[Cell, ...]] = [
        (
            text(line_words(line.hand)),
            text(line.printed),
            text(number(line.combinations)),
            text(fine_percent(line.probability)),
            text(once_in(line.probability)),
            text(fine_percent(line.returned, 6)),
        )
        for line in wager.lines
    ]
    total = ("total", "", number(record.total), "100.00000000%", "", fine_percent(-record.edge, 6))
    return Grid(
        head=("Hand", "Pays", "Combinations", "Probability", "Once in", "Contribution"),
        rows=(*rows, tuple(strong(cell) if cell else () for cell in total)),
        align=("left", "left", "right", "right", "right", "right"),
        caption=f"{wager.title}: combinations and contribution to the return",
        note=words(_contribution(wager)),
    )


def _contribution(wager: MathWager) -> str:
    """What the last column means, which differs where the player decides how much is at stake."""
    if wager.is_main:
        return (
            f"The contribution is the line's part of the player's net result, in {wager.record.unit}s, under best "
            "play: what is staked on a hand depends on decisions, so it is not the probability times the pay. The "
            "appendix lists every way in which a round ends, by bets at risk."
        )
    return (
        "The contribution is the probability times the net result in stakes: the line's part of the player's expected "
        "net result. The total is the house edge with its sign turned."
    )


def exact_table(wager: MathWager) -> Grid:
    """The lines of a wager as fractions."""
    rows: list[tuple[Cell, ...]] = [
        (text(line_words(line.hand)), exactly(line.probability), exactly(line.returned)) for line in wager.lines
    ]
    return Grid(
        head=("Hand", "Probability", "Contribution"),
        rows=(*rows, (strong("total"), exactly(1), exactly(-wager.record.edge))),
        align=("left", "left", "left"),
        caption=f"{wager.title}, paytable {wager.record.paytable}",
        widths=(3, 4, 4),
    )


# --- what the house wins over many rounds


def _ranges(wager: MathWager) -> Iterator[Block]:
    unit, below = wager.record.unit, any(rounds < wager.normal_from for rounds in ROUNDS)
    yield Grid(
        head=("Rounds", "Expected", *(f"{_level(level)} of the time" for level in LEVELS)),
        rows=tuple(
            (text(_rounds(wager, rounds)), text(decimal(ranges[0].expected, 0)), *(text(_win(row)) for row in ranges))
            for rounds, ranges in _by_rounds(wager)
        ),
        align=("right", "right", "right", "right", "right"),
        caption=f"{wager.title}: what the house wins, in {unit}s",
    )
    yield Grid(
        head=("Rounds", "Expected", *(f"{_level(level)} of the time" for level in LEVELS)),
        rows=tuple(
            (text(_rounds(wager, rounds)), text(share(wager.record.edge)), *(text(_hold(row)) for row in ranges))
            for rounds, ranges in _by_rounds(wager)
        ),
        align=("right", "right", "right", "right", "right"),
        caption=f"{wager.title}: the same as a share of one {unit} per round",
    )
    words_of_normal = f"By the normal distribution, which is reasonable here from {number(wager.normal_from)} rounds on"
    marked = "; rounds below that are marked *, and their limits are rough." if below else "."
    yield Paragraph(words(words_of_normal + marked), "note")


def _by_rounds(wager: MathWager) -> Iterator[tuple[int, list[WinRange]]]:
    for rounds in ROUNDS:
        yield rounds, [row for row in wager.ranges if row.rounds == rounds]


def _rounds(wager: MathWager, rounds: int) -> str:
    return f"{number(rounds)}{' *' if rounds < wager.normal_from else ''}"


def _level(level: Fraction) -> str:
    return f"{decimal(level * 100, 0)}%"


def _win(row: WinRange) -> str:
    return f"{decimal(row.low, 0)} to {decimal(row.high, 0)}"


def _hold(row: WinRange) -> str:
    return f"{_percent(row.low / row.rounds)} to {_percent(row.high / row.rounds)}"


def _percent(value: float) -> str:
    return f"{value:,.2%}".replace("-", MINUS)


# --- every way in which a round ends


def ends_table(wager: MathWager) -> Grid:
    """The ends of the main game, the sum of whose contributions is the return."""
    total = sum(end.deals for end in wager.ends)
    rows: list[tuple[Cell, ...]] = [
        (
            text(end_words(end)),
            text(number(end.wagered)),
            text(number(end.net)),
            text(number(end.deals)),
            text(fine_percent(Fraction(end.deals, total))),
            text(fine_percent(Fraction(end.deals * end.net, total), 6)),
        )
        for end in wager.ends
    ]
    last = ("total", "", "", number(total), "100.00000000%", fine_percent(-wager.record.edge, 6))
    unit = wager.record.unit
    return Grid(
        head=(
            "Round ends with",
            f"{unit.title()}s at risk",
            f"Net result in {unit}s",
            "Deals",
            "Probability",
            "Contribution",
        ),
        rows=(*rows, tuple(strong(cell) if cell else () for cell in last)),
        align=("left", "right", "right", "right", "right", "right"),
        caption=f"{wager.title}: every way in which a round ends under best play",
        widths=(5, 2, 2, 4, 3, 3),
    )


def end_words(end: MainEnd) -> str:
    """
    >>> end_words(MainEnd("nothing", "third_street", -1, 1, 1, 5)), end_words(MainEnd("flush", "", 6, 4, 4, 5))
    ('folded on third street', 'flush')
    """
    if not end.fold:
        return line_words(end.hand)
    return "folded" if end.fold == "raise" else f"folded on {spoken(end.fold)}"
