"""Paytable design: what each line is worth, and paytables that meet a target."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from croupier.analysis.cases import BASE, Case, streets_of
from croupier.analysis.prices import Price
from croupier.analysis.pricing import price
from croupier.analysis.streets.game import best_play, odds_of, price_play
from croupier.errors import Malformed
from croupier.money import For, To, parse_pay

__all__ = ["NICE", "Designed", "Search", "Sensitivity", "design", "record_of", "sensitivity"]

Array: TypeAlias = NDArray[Any]

NICE: Final = (
    *range(1, 13), 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 75, 80, 90, 100, 125, 150, 175, 200, 250, 300, 350, 400, 500,
    600, 750, 800, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 8000, 10_000,
)  # fmt: skip
"""Whole numbers that a payout sign prints."""
FEW: Final = 2
"""Lines that may change at first."""
MOST_CANDIDATES: Final = 4_000_000
MOST_PRICED: Final = 1_500
"""The number of paytables priced exactly before a search gives up."""
ROUNDING: Final = 1e-12
"""The rounding error of bounds, which are floats."""


class Sensitivity(Struct, frozen=True):
    """The exact change in house edge when a line pays one more to 1."""

    hand: str
    pays: str
    edge: Fraction
    """The edge with one more."""
    change: Fraction


class Designed(Struct, frozen=True):
    """A paytable that meets a target: pays in the order of the lines, and its exact edge."""

    pays: tuple[int, ...]
    edge: Fraction
    hit: Fraction


class Search(Struct, frozen=True):
    """The extent of a search, and its results."""

    places: tuple[int, ...]
    """The lines that pay odds, by their place in the paytable."""
    changes: int
    """How many of them could change."""
    candidates: int
    priced: int
    """Candidates that were priced exactly; where the search is complete the others are farther from the target."""
    designs: tuple[Designed, ...]

    @property
    def is_complete(self) -> bool:
        """Whether the search was exhaustive."""
        return bool(self.candidates) and self.priced < MOST_PRICED


def sensitivity(case: Case) -> list[Sensitivity]:
    """The edge when a line pays one more, for each line that pays odds; best play follows the change."""
    _check_free(case)
    before, changes = record_of(case).edge, []
    for place, line in enumerate(case.table.line):
        pay = parse_pay(line.pays)
        if isinstance(pay, To | For):
            edge = record_of(_with_pay(case, place, pay.multiple + 1)).edge
            changes.append(Sensitivity(line.hand, str(pay), edge, edge - before))
    return changes


def record_of(case: Case) -> Price:
    """The record a design is based on: ties bet more, and folding forfeits what it can."""
    records = price(case)
    return records[-1] if records[0].variant else records[0]


def _check_free(case: Case) -> None:
    if case.wager == BASE and streets_of(case.book) is None:
        raise Malformed("a hand against the dealer's pays even money: there is no paytable to design")
    if not any(isinstance(parse_pay(line.pays), To | For) for line in case.table.line):
        raise Malformed(f"{case.wager} {case.table.id} has no line that pays odds")


def _with_pay(case: Case, place: int, multiple: int) -> Case:
    """The case with another number on one line."""
    line = case.table.line[place]
    pay = type(parse_pay(line.pays))(multiple)
    lines = (*case.table.line[:place], replace(line, pays=str(pay)), *case.table.line[place + 1 :])
    table = replace(case.table, line=lines)
    return replace(case, table=table, main=table if case.wager == BASE else case.main)


def design(
    case: Case,
    *,
    edge: Fraction,
    within: Fraction,
    hit: Fraction | None = None,
    most: int = 10,
    changes: int | None = None,
) -> Search:
    """Whole-number paytables like this one whose edge is within `within` of the target, the nearest first.

    With `changes` up to that many lines differ from the paytable; otherwise two, or as many more as it takes to meet
    the target. Stronger hands pay at least as much as weaker ones. With `hit` the weakest lines of a bonus are left
    out, so that its hit frequency comes as near as it can.
    """
    _check_free(case)
    if within < 0 or (hit is not None and (hit < 0 or case.wager == BASE)):
        raise Malformed("the tolerance and the hit frequency must be zero or more, and a main game takes no --hit")
    free = [place for place, line in enumerate(case.table.line) if isinstance(parse_pay(line.pays), To | For)]
    if hit is not None:
        case, free = _shortened(case, free, hit)
    now = tuple(_multiple(case, place) for place in free)
    first = min(FEW if changes is None else changes, len(now))
    search = Search(tuple(free), first, 0, 0, ())
    for many in range(first, len(now) + 1 if changes is None else first + 1):
        candidates = _candidates(now, many)
        if candidates is None:
            break
        designs, priced = _nearest(case, free, candidates, edge=edge, within=within, most=most)
        search = Search(tuple(free), many, len(candidates), priced, tuple(designs))
        if designs:
            break
    return search


def _shortened(case: Case, free: list[int], hit: Fraction) -> tuple[Case, list[int]]:
    """The paytable without its weakest lines, so that it comes as near to a hit frequency as it can."""
    record = record_of(case)
    shares = [Fraction(record.lines[place].combinations, record.total) for place in free]
    fixed = record.hit - sum(shares)
    size = min(range(1, len(free) + 1), key=lambda size: abs(fixed + sum(shares[:size]) - hit))
    gone = set(free[size:])
    lines = tuple(line for place, line in enumerate(case.table.line) if place not in gone)
    return replace(case, table=replace(case.table, line=lines)), free[:size]


def _candidates(now: Sequence[int], changes: int) -> Array | None:
    """Paytables with up to this many other numbers, stronger hands paying no less; None where there are too many."""
    numbers = [np.array(_near(pays), dtype=np.int64) for pays in now]
    parts: list[Array] = []
    for places in combinations(range(len(now)), changes):
        if prod(len(numbers[place]) for place in places) + sum(map(len, parts)) > MOST_CANDIDATES:
            return None
        grid = np.array(np.meshgrid(*(numbers[place] for place in places), indexing="ij")).reshape(changes, -1)
        pays = np.repeat(np.array([now], dtype=np.int64), grid.shape[1], axis=0)
        pays[:, places] = grid.T
        parts.append(pays[(np.diff(pays, axis=1) <= 0).all(axis=1)])
    return np.unique(np.concatenate(parts), axis=0)


class _Priced(NamedTuple):
    """A paytable priced exactly; with its play the edge falls by the slopes as the pays rise."""

    design: Designed
    slopes: Array


def _nearest(
    case: Case, free: Sequence[int], candidates: Array, *, edge: Fraction, within: Fraction, most: int
) -> tuple[list[Designed], int]:
    """The candidates within the tolerance, the nearest first, and how many were priced to know.

    Every priced paytable bounds the edge of all others. Above: with its own play the edge would be linear in the pays,
    and best play only lowers it. Below: higher pays never make anybody bet less, so each slope lies between those of
    the lowest and the highest pays. What is nearest by its bounds is priced next, until all others are too far away.
    A bonus needs no play: its bounds are its edge.
    """
    low, high = (_price(case, free, corner).slopes for corner in (candidates.min(axis=0), candidates.max(axis=0)))
    above, below = np.full(len(candidates), np.inf), np.full(len(candidates), -np.inf)
    designs: list[Designed] = []
    target = float(edge)
    while len(candidates) and len(designs) < MOST_PRICED:
        distance = np.maximum(np.maximum(target - above, below - target), 0)
        place = int(np.lexsort((np.abs(above - target), distance))[0])
        priced = _price(case, free, candidates[place])
        designs = sorted([*designs, priced.design], key=lambda design: (abs(design.edge - edge), design.pays))
        change = candidates - candidates[place]
        more, less = np.maximum(change, 0), np.maximum(-change, 0)
        known = float(priced.design.edge)
        above = np.minimum(above, known - change @ priced.slopes)
        below = np.maximum(below, known - more @ high + less @ low)
        enough = float(abs(designs[most - 1].edge - edge)) if len(designs) >= most else float(within)
        left = np.maximum(target - above, below - target) <= min(enough, float(within)) + ROUNDING
        left[place] = False
        candidates, above, below = candidates[left], above[left], below[left]
    return [design for design in designs if abs(design.edge - edge) <= within][:most], len(designs)


def _price(case: Case, free: Sequence[int], pays: Array) -> _Priced:
    numbers = tuple(pays.tolist())
    for place, number in zip(free, numbers, strict=True):
        case = _with_pay(case, place, number)
    game = streets_of(case.book)
    if case.wager == BASE and game is not None:
        record = price_play(case.book, case.table, best_play(game, odds_of(case.table)))
        slopes = [record.lines[place].returned / number for place, number in zip(free, numbers, strict=True)]
    else:
        record = record_of(case)
        slopes = [Fraction(record.lines[place].combinations, record.total) for place in free]
    return _Priced(Designed(numbers, record.edge, record.hit), np.array([float(slope) for slope in slopes]))


def _near(pays: int) -> list[int]:
    """Numbers that a sign prints, from half to twice this one."""
    return sorted({pays, *(number for number in NICE if pays <= 2 * number and number <= 2 * pays)})


def _multiple(case: Case, place: int) -> int:
    pay = parse_pay(case.table.line[place].pays)
    return pay.multiple if isinstance(pay, To | For) else 0
