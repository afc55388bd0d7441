"""The exact value of every decision in the main game, and what a mistake costs."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from croupier.analysis import value_of_choice
from croupier.cli.play.hands import HandSoFar
from croupier.money import Cents
from croupier.rulebook import HouseRules

if TYPE_CHECKING:
    from croupier.analysis import Advice

__all__ = ["Coach", "Review"]


class Review(Struct, frozen=True):
    """What a decision cost against best play, in antes and in cents: nothing where it was as good as any."""

    best: tuple[str, ...]
    antes: Fraction
    cents: Fraction


class Coach:
    """Knows best play of a house's main game: solved once, then every answer is immediate."""

    def __init__(self, house: HouseRules) -> None:
        self._house = house
        self.is_ready = False
        """Whether the first answer, which takes a second or two, was given."""

    def values(self, hand: HandSoFar, *, ante: Cents, chips: Cents) -> Advice:
        """Return what each action that the chips cover is worth now, in antes (in Let It Ride, in bets)."""
        from croupier.analysis import Advice

        values = {name: value for name, value in self._advice(hand).actions.items() if _times(name) * ante <= chips}
        best = max(values.values())
        return Advice(values, tuple(name for name, value in values.items() if value == best))

    def review(self, hand: HandSoFar, choice: str, amount: Cents | None, *, ante: Cents, chips: Cents) -> Review:
        """Return what a decision cost against the best one that the chips covered."""
        possible = self.values(hand, ante=ante, chips=chips)
        value = value_of_choice(self._advice(hand).actions, choice, Fraction(amount or ante, ante))
        gap = max(possible.actions.values()) - value
        lost = max(gap, Fraction(0))  # a raise between whole antes may beat the whole ones that the chips cover
        return Review(possible.best, lost, lost * ante)

    def _advice(self, hand: HandSoFar) -> Advice:
        from croupier.analysis import advise, main_table

        table = main_table(self._house).id
        advice = advise(self._house.rulebook, hand.own, community=hand.board, bets=hand.decided, paytable=table)
        self.is_ready = True
        return advice

    @cached_property
    def expected(self) -> Fraction:
        """The average result of one ante (in Let It Ride, one bet) under best play."""
        from croupier.analysis import cached_prices, cases_of_house

        return cached_prices(next(cases_of_house(self._house)))[0].outcomes.mean


def _times(action: str) -> int:
    """How many antes an action adds: three for `3x`, none for a fold."""
    return int(action[:-1]) if action.endswith("x") else 0
