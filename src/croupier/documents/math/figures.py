"""Everything that the math report and its workbook share: computed once from house rules, exact fractions first."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier import __version__
from croupier.analysis import (
    BASE,
    Case,
    Certificate,
    Listed,
    Price,
    cached_prices,
    cases_of_house,
    certificate_of,
    code_hash,
    limit_by_size,
    main_table,
    strategies_of,
    unpriced,
    wager_of,
)
from croupier.documents.house_words import printed_pay
from croupier.documents.math.ends import MainEnd, ends_of
from croupier.documents.math.meters import MathProgressive, progressive_of
from croupier.documents.math.simulation import MathSimulation, simulate_house
from croupier.documents.math.spread import WinRange, normal_from, volatility_index, win_ranges
from croupier.money import Cents, Share, parse_pay, settle
from croupier.present import counted, titled
from croupier.rulebook import HouseRules, Reading, load_readings, say_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.rulebook.schema import Cited

__all__ = ["LimitTake", "MathFigures", "MathLine", "MathWager", "figures_of", "net_of"]

PAYING = ("cap.", "cover_all.", "envy.", "hcf.ace_low", "ma.progressive_after_fold", "meter.", "payout.")
"""The options that prices or payments depend on, by how their names begin."""


class MathLine(Struct, frozen=True, kw_only=True):
    """A line of a paytable as it was counted."""

    hand: str
    pays: str
    printed: str
    """What it pays as the papers of this house print it."""
    combinations: int
    probability: Fraction
    net: Fraction | None
    """The net result in stakes; None in the main game, where it depends on the bets."""
    returned: Fraction
    """Its part of the player's expected net result."""


class MathWager(Struct, frozen=True, kw_only=True):
    """A wager that a house offers, priced, with everything that follows from its outcomes."""

    title: str
    """Unlike that of any other wager of the house."""
    case: Case
    record: Price
    lines: tuple[MathLine, ...]
    ends: tuple[MainEnd, ...]
    """The main game: every way in which a round ends."""
    ranges: tuple[WinRange, ...]
    volatility_index: float
    normal_from: int
    certificate: Certificate

    @property
    def is_main(self) -> bool:
        """Whether it is the main game."""
        return self.record.wager == BASE

    @property
    def returned(self) -> Fraction:
        """The return to the player: one unit less the edge."""
        return 1 - self.record.edge


class LimitTake(Struct, frozen=True):
    """What the payout limit takes from bets of one size per round, in cents; None where it has no exact figure."""

    bets: tuple[tuple[str, Cents], ...]
    loses: Fraction | None


class MathFigures(Struct, frozen=True, kw_only=True, dict=True):
    """All figures of a house."""

    house: HouseRules
    software: str
    code: str
    """SHA-256 over the source of everything that a price depends on."""
    wagers: tuple[MathWager, ...]
    unpriced: tuple[str, ...]
    """Wagers that have no exact price because of an option."""
    strategies: tuple[Listed, ...]
    progressive: MathProgressive | None
    limit: tuple[LimitTake, ...]
    """What the payout limit takes, by size of the bets; nothing without a limit."""
    simulation: MathSimulation
    readings: tuple[Reading, ...]
    """The readings on which a figure rests."""
    options: tuple[tuple[str, int, str], ...]
    """The options that a figure depends on: name, reading, value."""

    @property
    def main(self) -> MathWager:
        """The main game; of equally good actions the one that stakes more."""
        return self.wagers[0]


@lru_cache(maxsize=8)
def figures_of(house: HouseRules) -> MathFigures:
    """Every figure of a house's math report."""
    wagers = tuple(_priced(house, case, record) for case in cases_of_house(house) for record in cached_prices(case))
    metered = next((wager.record for wager in wagers if wager.record.meters), None)
    return MathFigures(
        house=house,
        software=f"croupier {__version__}",
        code=code_hash(),
        wagers=wagers,
        unpriced=tuple(unpriced(house)),
        strategies=tuple(strategies_of(house.rulebook, main_table(house))),
        progressive=None if metered is None else progressive_of(house, metered),
        limit=tuple(LimitTake(tuple(size.bets.items()), size.loses) for size in limit_by_size(house))
        if house.payout_limit is not None
        else (),
        simulation=simulate_house(house),
        readings=tuple(_readings(house)),
        options=tuple(_options(house)),
    )


def _priced(house: HouseRules, case: Case, record: Price) -> MathWager:
    outcomes = record.outcomes
    return MathWager(
        title=_title(record),
        case=case,
        record=record,
        lines=tuple(
            MathLine(
                hand=line.hand,
                pays=line.pays,
                printed=_printed(house, case, place, line.pays),
                combinations=line.combinations,
                probability=Fraction(line.combinations, record.total),
                net=None if record.wager == BASE else net_of(case, record, line.pays),
                returned=line.returned,
            )
            for place, line in enumerate(record.lines)
        ),
        ends=ends_of(case, record) if record.wager == BASE else (),
        ranges=win_ranges(outcomes),
        volatility_index=volatility_index(outcomes),
        normal_from=normal_from(outcomes),
        certificate=certificate_of(case, record),
    )


def _printed(house: HouseRules, case: Case, place: int, pays: str) -> str:
    wager = next((wager for wager in house.wagers if wager.name == case.wager), None)
    if wager is None or place == len(case.table.line):
        return pays
    return printed_pay(house, wager, case.table.line[place])


def _title(record: Price) -> str:
    words = "Main Game" if record.wager == BASE else titled(record.wager)
    if record.players is not None:
        words += f", {counted(record.players, 'Player')}"
    return f"{words}, Ties {record.tie_rule.title()}" if record.tie_rule == "less" else words


def net_of(case: Case, record: Price, pays: str) -> Fraction:
    """What a line of a bonus or progressive wins above the stake, in stakes, at the meters of the record."""
    if pays == record.lines[-1].pays:
        return Fraction(-1)
    pay, stake = parse_pay(pays), case.stake
    if isinstance(pay, Share):
        value = next(meter.value for meter in record.meters if meter.name == pay.meter)
        return Fraction(pay.percent * value, 100 * stake) - 1
    won, back = settle(pay, stake=stake, collected=wager_of(case.book, case.wager).collected is not None)
    return Fraction(won + back - Cents(stake), stake)


# --- what the figures rest on


def _readings(house: HouseRules) -> Iterator[Reading]:
    numbers = set(_numbers(house)) | {number for _, number, _ in _options(house)}
    return (reading for reading in load_readings() if reading.number in numbers)


def _options(house: HouseRules) -> Iterator[tuple[str, int, str]]:
    rules = {option.rule.name: option.rule for option in house.rulebook.options}
    for name, value in house.readings.items():
        if name.startswith(PAYING):
            yield name, rules[name].reading, say_value(value).strip("'[]") or "none"


def _numbers(house: HouseRules) -> Iterator[int]:
    """The readings behind every row of the law that a price is made from."""
    for cited in _rows(house):
        if cited is not None and cited.reading:
            yield cited.reading
    for wager in house.wagers:
        rule = wager_of(house.rulebook, wager.name)
        yield from filter(None, [rule.ace_low])
        for table in wager.paytables:
            yield from filter(None, [table.stakes_reading, *(line.reading for line in table.line)])


def _rows(house: HouseRules) -> Iterator[Cited | None]:
    book = house.rulebook
    play, offered = book.play, [wager_of(book, wager.name) for wager in house.wagers]
    yield from (row for rule in offered for row in (rule, rule.collected, rule.fold))
    yield from (table for wager in house.wagers for table in wager.paytables)
    yield from (play.payout_limit, play.payout_limit.minimum_bet, play.qualify, play.settlement.lose, *play.raise_limit)
    if play.versus is not None:
        yield from (play.versus, play.versus.below, play.versus.lower, play.versus.equal)
    if any(wager.meters for wager in house.wagers):
        ids = {wager.paytables[0].id for wager in house.wagers if wager.meters}
        yield from (book.paytables.rate, *(row for row in book.paytables.minimum if row.paytable in ids))
    if any(wager.envy for wager in house.wagers):
        yield from (play.envy, play.envy.own_hand, play.envy.several) if play.envy else ()
