"""A small simulation for the math report: simulated beside exact, with the seed that repeats it."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.analysis import BASE, Price
from croupier.rulebook import HouseRules
from croupier.simulation import MeterReport, Plan, Seat, WagerReport, figures, report_meters, report_wagers, simulate

__all__ = ["SEED_DIGITS", "MathSimulation", "SeenLine", "seed_of", "simulate_house"]

SIMULATED: Final = 1_000_000
"""Rounds of the report's own simulation: enough for the common results, and done in a moment."""
SEED_DIGITS: Final = 8
"""So many hexadecimal digits of the hash of the house rules are the seed: nobody chooses it, anybody can check it."""


class SeenLine(Struct, frozen=True):
    """How often a line of a bonus or progressive came up."""

    wager: str
    place: int
    """The line's place among those of the price; the last is every other hand."""
    seen: int


class MathSimulation(Struct, frozen=True, kw_only=True):
    """What was simulated: one player with every wager at its minimum, best play of the main game."""

    rounds: int
    seed: int
    strategy: str
    stakes: tuple[tuple[str, int], ...]
    key: str
    """What distinguishes this plan, and the version of croupier that plays it."""
    wagers: tuple[WagerReport, ...]
    meters: tuple[MeterReport, ...]
    lines: tuple[SeenLine, ...]

    def seen(self, record: Price) -> tuple[tuple[int, Fraction], ...]:
        """For each line of a price how often it came up, and how often it was expected.

        Nothing where another number of players would be needed. A hand that was folded with its wager counts as any
        other hand, as in the price.
        """
        if record.wager == BASE or record.players not in (None, 1):
            return ()
        seen = {line.place: line.seen for line in self.lines if line.wager == record.wager}
        last = len(record.lines) - 1
        seen[last] = self.rounds - sum(count for place, count in seen.items() if place != last)
        return tuple(
            (seen.get(place, 0), Fraction(line.combinations * self.rounds, record.total))
            for place, line in enumerate(record.lines)
        )


def seed_of(house: HouseRules) -> int:
    """The seed that the hash of the house rules begins with.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-mississippi-stud"})).rules()
    >>> f"{seed_of(house):08x}" == house.hash[:8]
    True
    """
    return int(house.hash[:SEED_DIGITS], 16)


def simulate_house(house: HouseRules, rounds: int = SIMULATED) -> MathSimulation:
    """Play a house as `croupier simulate` does without further options but the seed."""
    seed = seed_of(house)
    stakes = tuple((wager.name, wager.stakes.minimum) for wager in house.wagers if wager.stakes is not None)
    plan = Plan(house=house, seats=(Seat(1, stakes),), seed=seed)
    tally = simulate(plan, rounds)
    sides = [wager.name for wager in house.wagers if wager.paytables[0].group != BASE]
    lines = [
        SeenLine(wager.wager, place, seen)
        for wager in figures(plan, tally).boxes[0].wagers
        if wager.wager in sides
        for place, seen in wager.lines.items()
    ]
    return MathSimulation(
        rounds=rounds,
        seed=seed,
        strategy=plan.strategy,
        stakes=stakes,
        key=plan.key,
        wagers=tuple(report_wagers(plan, tally)),
        meters=tuple(report_meters(plan, tally)),
        lines=tuple(lines),
    )
