"""Who plays at a table, as a director plans it: players by hour of the day, their bets, who makes which side bet."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.errors import Malformed
from croupier.money import Cents

__all__ = ["DAY_HOURS", "DayPiece", "OpenHours", "PlayerMix"]

DAY_HOURS: Final = 24


class OpenHours(NamedTuple):
    """Hours of the day with the same number of players: 4.5 is five for the first half of them, then four."""

    start: int
    """The hour in which they begin, from 0."""
    hours: int
    players: Fraction


class DayPiece(NamedTuple):
    """A stretch of the day with a whole number of players, within one shift."""

    players: int
    hours: Fraction
    shift: int
    """From 0."""


class PlayerMix(Struct, frozen=True, kw_only=True):
    """The players of a table. Its day begins with the first hours of `occupancy`."""

    bets: Mapping[str, Cents]
    """By wager, the main bet as `base`."""
    shares: Mapping[str, Fraction]
    """The share of players who make each side bet, independently of each other; all of them unless given."""
    occupancy: tuple[OpenHours, ...]
    buy_in: Cents | None = None
    visit_hours: Fraction | None = None
    """How long a player stays; by default a shift."""

    def __post_init__(self) -> None:
        taken: set[int] = set()
        for stretch in self.occupancy:
            clock = {(stretch.start + hour) % DAY_HOURS for hour in range(stretch.hours)}
            if again := sorted(clock & taken):
                raise Malformed(f"the hour from {again[0]}:00 is given twice")
            taken |= clock
        if not self.levels:
            raise Malformed("nobody plays at any hour")

    @property
    def levels(self) -> dict[int, Fraction]:
        """Hours per day by number of players, without those in which nobody plays.

        >>> hours = (OpenHours(10, 8, Fraction(2)), OpenHours(18, 8, Fraction(9, 2)))
        >>> mix = PlayerMix(bets={"base": Cents(1000)}, shares={}, occupancy=hours)
        >>> {players: str(hours) for players, hours in mix.levels.items()}
        {2: '8', 4: '4', 5: '4'}
        """
        hours: dict[int, Fraction] = {}
        for piece in self.day(1):
            if piece.players:
                hours[piece.players] = hours.get(piece.players, Fraction(0)) + piece.hours
        return dict(sorted(hours.items()))

    @property
    def open_hours(self) -> int:
        """Hours per day, with those in which nobody plays."""
        return sum(stretch.hours for stretch in self.occupancy)

    def day(self, shifts: int) -> list[DayPiece]:
        """The day in order, divided into shifts of equal length."""
        length, clock, pieces = Fraction(self.open_hours, shifts), Fraction(0), []
        first = self.occupancy[0].start
        for stretch in sorted(self.occupancy, key=lambda stretch: (stretch.start - first) % DAY_HOURS):
            whole, part = int(stretch.players), stretch.players % 1
            for players, hours in ((whole + 1, part * stretch.hours), (whole, (1 - part) * stretch.hours)):
                inside = [length * shift for shift in range(1, shifts) if clock < length * shift < clock + hours]
                for begin, end in pairwise([clock, *inside, clock + hours]):
                    if end > begin:
                        pieces.append(DayPiece(players, end - begin, int(begin / length)))
                clock += hours
        return pieces
