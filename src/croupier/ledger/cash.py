"""Cash of patrons in a gaming day, at the tables and at the cage, and who reached a threshold with it.

Cash in is cash for chips at a table, and deposits at the cage. Cash out is chips that left a table, and withdrawals
from the cage; chips that went to an account at the cage and were withdrawn on the same day are the same money, and
count once. A reversed entry of the cage counts as if it had not been made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from croupier.ledger.books import BookEntry, ChipsRedeemed, Deposited, Withdrawn
from croupier.ledger.thresholds import Flagged, Threshold
from croupier.table import events as table_events

__all__ = ["CashFlag", "CashMove", "CashWay", "cash_at_cage", "cash_at_table", "cash_flags"]

CashWay: TypeAlias = Literal["bought_in", "deposited", "chips_out", "withdrawn", "redeemed"]
_PLAY_CHIPS: Final = "device"
"""Who deposits play chips in a demo: they are not cash."""


class Cash(NamedTuple):
    """What an event says about the cash of a patron."""

    way: CashWay
    patron: str
    amount: int


class CashMove(Struct, frozen=True, kw_only=True):
    """Cash, or chips that stand for it, of a patron in a gaming day."""

    day: str
    patron: str
    way: CashWay
    amount: int
    is_reported: bool = True
    """Whether it belongs to the period that is looked at, or only to the same gaming day."""


class CashFlag(Struct, frozen=True, kw_only=True):
    """A patron whose cash reached a threshold in a gaming day."""

    day: str
    patron: str
    threshold: Threshold
    amount: int
    times: int
    """How many buy-ins and deposits, or departures and withdrawals, it adds up."""


def cash_at_table(event: table_events.Event) -> Cash | None:
    """The cash of an event at a table, if there is any."""
    match event:
        case table_events.PlayerBoughtIn(patron=patron, amount=amount, brought=False):
            return Cash("bought_in", patron, amount)
        case table_events.PlayerStoodUp(patron=patron, chips=amount):
            return Cash("chips_out", patron, amount)
    return None


def cash_at_cage(entry: BookEntry) -> Cash | None:
    """The cash of an entry of the cage, if there is any."""
    match entry.event:
        case Deposited(patron=patron, amount=amount) if entry.by.role != _PLAY_CHIPS:
            return Cash("deposited", patron, amount)
        case Withdrawn(patron=patron, amount=amount):
            return Cash("withdrawn", patron, amount)
        case ChipsRedeemed(patron=patron, amount=amount):
            return Cash("redeemed", patron, amount)
    return None


def cash_flags(moves: Iterable[CashMove], thresholds: Sequence[Threshold]) -> tuple[CashFlag, ...]:
    """Who reached which threshold in which gaming day, with some of it in the period that is looked at.

    >>> from croupier.ledger import default_thresholds
    >>> ways = ("bought_in", "deposited")
    >>> moves = [CashMove(day="2026-01-01", patron="ann", way=way, amount=600_000) for way in ways]
    >>> [(flag.threshold.name, flag.amount, flag.times) for flag in cash_flags(moves, default_thresholds())]
    [('large cash in', 1200000, 2), ('cash log', 1200000, 2)]
    """
    sums: Counter[tuple[str, str, CashWay]] = Counter()
    times: Counter[tuple[str, str, CashWay]] = Counter()
    reported: set[tuple[str, str, Flagged]] = set()
    for move in moves:
        place = (move.day, move.patron, move.way)
        sums[place] += move.amount
        times[place] += 1
        if move.is_reported:
            reported.add((move.day, move.patron, "cash_in" if move.way in _IN else "cash_out"))
    flags = []
    for day in sorted({day for day, _, _ in reported}):
        for threshold in thresholds:
            for _, patron, kind in sorted(row for row in reported if row[0] == day and row[2] == threshold.applies_to):
                amount, count = _added(sums, times, (day, patron), kind)
                if threshold.is_reached(amount):
                    flags.append(CashFlag(day=day, patron=patron, threshold=threshold, amount=amount, times=count))
    return tuple(flags)


_IN: Final = ("bought_in", "deposited")
_Sums: TypeAlias = Mapping[tuple[str, str, CashWay], int]


def _added(sums: _Sums, times: _Sums, place: tuple[str, str], kind: Flagged) -> tuple[int, int]:
    """The cash of a patron and a day in one direction, and how often."""

    def of(what: _Sums, way: CashWay) -> int:
        return what.get((*place, way), 0)

    if kind == "cash_in":
        return sum(of(sums, way) for way in _IN), sum(of(times, way) for way in _IN)
    beyond = max(0, of(sums, "withdrawn") - of(sums, "redeemed"))
    return of(sums, "chips_out") + beyond, of(times, "chips_out") + (of(times, "withdrawn") if beyond else 0)
