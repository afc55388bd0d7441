"""Two houses, wager by wager: both prices and the exact difference, progressives also in the long run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.bonus_wagers import least_meters
from croupier.analysis.cache import cached_prices
from croupier.analysis.cases import BASE, Case, cases_of_house, stakes_of, tables_of, wager_of
from croupier.analysis.meter_long_run import has_long_run, long_run_of
from croupier.analysis.prices import Price
from croupier.errors import Malformed
from croupier.rulebook import HouseRules, Rulebook, Submission, other_paytable, typed_paytable, typed_wager

__all__ = ["ComparedWager", "PaytableRange", "PricedWager", "compare_houses", "paytable_choices"]


class PaytableRange(Struct, frozen=True):
    """The lowest and the highest house edge among the paytables that a document prints for a wager."""

    lowest: Price
    highest: Price


class PricedWager(Struct, frozen=True):
    """A wager of a house: its price and, for a progressive, its edge in the long run."""

    price: Price
    long_run: Fraction | None = None
    """None where it has no meter, or where its long run is not known exactly."""
    choice: PaytableRange | None = None
    """What else the document would allow, where that was asked for."""


class ComparedWager(Struct, frozen=True):
    """A wager of two houses; None where a house does not offer it."""

    wager: str
    players: int | None
    """The number of players for whom Cover All is priced."""
    first: PricedWager | None
    second: PricedWager | None

    @property
    def has_meters(self) -> bool:
        """Whether it is a progressive."""
        return any(side is not None and bool(side.price.meters) for side in (self.first, self.second))

    @property
    def difference(self) -> Fraction | None:
        """How much higher the house edge is in the second, a progressive at its opening meters."""
        if self.first is None or self.second is None:
            return None
        return self.second.price.edge - self.first.price.edge

    @property
    def long_run_difference(self) -> Fraction | None:
        """How much higher the house edge of a progressive is in the second in the long run."""
        first, second = (None if side is None else side.long_run for side in (self.first, self.second))
        return None if first is None or second is None else second - first


def compare_houses(
    first: HouseRules, second: HouseRules, *, wager: str | None = None, ranges: bool = False, recompute: bool = False
) -> list[ComparedWager]:
    """Every wager of two houses, or one; with `ranges` also what the other paytables of their documents would bring.

    >>> from croupier.rulebook import check, read_submission
    >>> filed = [{"rulebook": "md-let-it-ride", "wagers": {"bet": {"paytable": table}}} for table in "AB"]
    >>> houses = [check(read_submission(written)).rules() for written in filed]
    >>> [(row.wager, str(row.difference)) for row in compare_houses(*houses)]
    [('base', '-123/154700')]
    """
    sides = [_priced(house, wager, ranges=ranges, recompute=recompute) for house in (first, second)]
    return [
        ComparedWager(name, players, sides[0].get((name, players)), sides[1].get((name, players)))
        for name, players in dict.fromkeys([*sides[0], *sides[1]])
    ]


def _priced(
    house: HouseRules, wager: str | None, *, ranges: bool, recompute: bool
) -> Mapping[tuple[str, int | None], PricedWager]:
    """One price for each wager, and for each number of players at Cover All; ties bet more."""
    priced: dict[tuple[str, int | None], PricedWager] = {}
    for case in cases_of_house(house):
        if wager in (None, case.wager):
            record = cached_prices(case, recompute=recompute)[0]
            long_run = long_run_of(house).edge if record.meters and has_long_run(house) else None
            choice = _range(case) if ranges and record.players is None else None
            priced[record.wager, record.players] = PricedWager(record, long_run, choice)
    return priced


def _range(case: Case) -> PaytableRange | None:
    """The prices of all paytables of a wager at this house; None where the document prints only one."""
    prices = [cached_prices(other)[0] for other in _others(case)]
    if len(prices) < 2:
        return None
    return PaytableRange(min(prices, key=lambda item: item.edge), max(prices, key=lambda item: item.edge))


def _others(case: Case) -> Iterator[Case]:
    """The same wager on every paytable that the document prints, with meters at the document's minimum."""
    for table in tables_of(case.book, case.table.group):
        yield replace(
            case,
            table=table,
            main=table if case.wager == BASE else case.main,
            stake=stakes_of(table)[0] if table.stakes else case.stake,
            meters=least_meters(case.book, table),
        )


def paytable_choices(book: Rulebook, submission: Submission, wager: str, tables: tuple[str, str]) -> list[Submission]:
    """A submission with each of two paytables for one wager; meters and stake are kept where they fit."""
    name = typed_wager(wager)
    group = BASE if name == BASE else wager_of(book, name).paytables
    ids = list(dict.fromkeys(table.id for table in tables_of(book, group)))
    chosen = [typed_paytable(table, ids) for table in tables]
    if unknown := [table for table in chosen if table not in ids]:
        raise Malformed(f"{name} of {book.id} has no paytable {unknown[0]!r}: {', '.join(ids)}")
    return [other_paytable(book, submission, name, table) for table in chosen]
