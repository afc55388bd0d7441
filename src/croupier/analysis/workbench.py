"""For whoever designs a paytable: what each line is worth, and paytables that meet a target."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import BASE, Case, streets_of
from croupier.analysis.price import Price
from croupier.analysis.pricing import price
from croupier.errors import Malformed
from croupier.money import For, To, parse_pay

__all__ = ["NICE", "Designed", "Sensitivity", "design", "record_of", "sensitivity"]

NICE: Final = (
    *range(1, 13), 15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 75, 80, 90, 100, 125, 150, 175, 200, 250, 300, 350, 400, 500,
    600, 750, 800, 1000, 1250, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 8000, 10_000,
)  # fmt: skip
"""Whole numbers that a payout sign prints."""
SEARCHED: Final = 300_000
"""So many beginnings of paytables are looked at; more would only find more of the same."""
SOLVED: Final = 60
"""So many paytables of a main game are solved."""


class Sensitivity(Struct, frozen=True):
    """What one more to one on a line does to the house edge, exactly."""

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


def sensitivity(case: Case) -> list[Sensitivity]:
    """The edge when a line pays one more, for each line that pays odds; best play follows the change."""
    _check_free(case)
    before, found = record_of(case).edge, []
    for place, line in enumerate(case.table.line):
        pay = parse_pay(line.pays)
        if isinstance(pay, To | For):
            edge = record_of(_with_pay(case, place, pay.multiple + 1)).edge
            found.append(Sensitivity(line.hand, str(pay), edge, edge - before))
    return found


def record_of(case: Case) -> Price:
    """The record that a design goes by: ties bet more, and what a fold loses is lost."""
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
    case: Case, *, edge: Fraction, within: Fraction, hit: Fraction | None = None, most: int = 10
) -> tuple[tuple[int, ...], list[Designed]]:
    """Whole-number paytables like this one whose edge is within `within` of the target, the nearest first.

    The first answer is the places of the lines that pay odds. They are kept from the top; with `hit`, as many as bring
    the hit frequency nearest to it. Stronger hands pay at least as much as weaker ones.
    """
    _check_free(case)
    if within < 0 or (hit is not None and (hit < 0 or case.wager == BASE)):
        raise Malformed("a hit frequency is not below zero and not of a main game, and a tolerance is not below zero")
    free = [place for place, line in enumerate(case.table.line) if isinstance(parse_pay(line.pays), To | For)]
    if case.wager == BASE:
        found = _with_best_play(case, free, edge, within)
    else:
        case, free = _shortened(case, free, hit)
        found = _by_counts(case, free, edge, within)
    ordered = sorted(set(found), key=lambda one: (abs(one.edge - edge), one.pays))
    return tuple(free), ordered[:most]


def _shortened(case: Case, free: list[int], hit: Fraction | None) -> tuple[Case, list[int]]:
    """The paytable without its weakest lines, so that it hits as often as is wanted."""
    if hit is None:
        return case, free
    record = record_of(case)
    shares = [Fraction(record.lines[place].combinations, record.total) for place in free]
    fixed = record.hit - sum(shares)
    size = min(range(1, len(free) + 1), key=lambda size: abs(fixed + sum(shares[:size]) - hit))
    gone = set(free[size:])
    lines = tuple(line for place, line in enumerate(case.table.line) if place not in gone)
    return replace(case, table=replace(case.table, line=lines)), free[:size]


def _by_counts(case: Case, free: list[int], edge: Fraction, within: Fraction) -> list[Designed]:
    """Bonuses: each line's part is its share of the hands, so whole branches can be left out."""
    record = record_of(case)
    shares = [Fraction(record.lines[place].combinations, record.total) for place in free]
    now = [_multiple(case, place) for place in free]
    base = record.edge + sum(share * pays for share, pays in zip(shares, now, strict=True))
    choices = [_near(pays) for pays in now]
    found: list[Designed] = []
    budget = SEARCHED

    def choose(place: int, pays: tuple[int, ...], left: Fraction) -> None:
        """From the weakest line up; `left` is the edge while the lines above pay nothing."""
        nonlocal budget
        budget -= 1
        if place < 0:
            if abs(left - edge) <= within:
                found.append(Designed(pays, left, record.hit))
            return
        above = range(place)
        for number in choices[place]:
            if budget < 0 or (pays and number < pays[0]):
                continue
            rest = left - shares[place] * number
            least = sum(shares[one] * max(min(choices[one]), number) for one in above)
            largest = sum(shares[one] * max(choices[one]) for one in above)
            if rest - least >= edge - within and rest - largest <= edge + within:
                choose(place - 1, (number, *pays), rest)

    choose(len(free) - 1, (), base)
    return found


def _with_best_play(case: Case, free: list[int], edge: Fraction, within: Fraction) -> list[Designed]:
    """Main games: up to two lines change; what comes near by each line's worth is solved exactly."""
    now, record = [_multiple(case, place) for place in free], record_of(case)
    worth = {one.hand: one.change for one in sensitivity(case)}
    changes = [worth[case.table.line[place].hand] for place in free]
    guesses = []
    for pays in _neighbours(now):
        guess = record.edge + sum(change * (new - old) for change, new, old in zip(changes, pays, now, strict=True))
        guesses.append((abs(guess - edge), pays))
    found = []
    for _, pays in sorted(guesses)[:SOLVED]:
        changed = case
        for place, number in zip(free, pays, strict=True):
            changed = _with_pay(changed, place, number)
        priced = record_of(changed)
        if abs(priced.edge - edge) <= within:
            found.append(Designed(pays, priced.edge, priced.hit))
    return found


def _neighbours(now: list[int]) -> Iterator[tuple[int, ...]]:
    """Paytables with at most two other numbers, never falling from a stronger hand to a weaker."""
    places = range(len(now))
    pairs = [(one, two) for one in places for two in places if one <= two]
    seen = set()
    for one, two in pairs:
        for first, second in product(_near(now[one]), _near(now[two])):
            pays = tuple(first if place == one else second if place == two else now[place] for place in places)
            if pays not in seen and list(pays) == sorted(pays, reverse=True):
                seen.add(pays)
                yield pays


def _near(pays: int) -> list[int]:
    """Numbers that a sign prints, from half to twice this one, the nearest first."""
    numbers = {pays, *(number for number in NICE if pays <= 2 * number and number <= 2 * pays)}
    return sorted(numbers, key=lambda number: (abs(number - pays), number))


def _multiple(case: Case, place: int) -> int:
    pay = parse_pay(case.table.line[place].pays)
    return pay.multiple if isinstance(pay, To | For) else 0
