"""The exact value of every decision in the main game, and what a mistake costs."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from croupier.cli.play.hands import HandSoFar
from croupier.money import Cents
from croupier.rulebook import HouseRules

__all__ = ["Coach", "Review", "Values"]


class Values(Struct, frozen=True):
    """What each action is worth in antes (in Let It Ride, in bets), counting everything already bet."""

    actions: dict[str, Fraction]
    best: tuple[str, ...]

    @property
    def highest(self) -> Fraction:
        """The value of the best action."""
        return max(self.actions.values())

    def of(self, choice: str, amount: Cents | None, ante: Cents) -> Fraction:
        """The value of an action; a raise between whole antes lies on the line between them."""
        if choice != "raise":
            return self.actions[choice]
        times, first = Fraction(amount or ante, ante), self.actions["1x"]
        return first + (times - 1) * (self.actions.get("2x", first) - first)


class Review(Struct, frozen=True):
    """What a decision cost against best play, in antes and in cents: nothing where it was as good as any."""

    best: tuple[str, ...]
    antes: Fraction
    cents: Fraction


class Coach:
    """Knows best play of a house's main game; solved once, then every answer comes at once."""

    def __init__(self, house: HouseRules) -> None:
        self._house = house
        self.is_ready = False
        """Whether the first answer, which takes a second or two, was given."""

    def values(self, hand: HandSoFar) -> Values:
        """What each action is worth now."""
        from croupier.analysis.advice import advise
        from croupier.analysis.cases import main_table

        advice = advise(
            self._house.rulebook,
            hand.own,
            community=hand.board,
            bets=hand.decided,
            paytable=main_table(self._house).id,
        )
        self.is_ready = True
        return Values(advice.actions, advice.best)

    def review(self, hand: HandSoFar, choice: str, amount: Cents | None, ante: Cents) -> Review:
        """What a decision cost."""
        values = self.values(hand)
        lost = values.highest - values.of(choice, amount, ante)
        return Review(values.best, lost, lost * ante)

    @cached_property
    def expected(self) -> Fraction:
        """What one ante (in Let It Ride, one bet) brings on average under best play."""
        from croupier.analysis.cache import cached_or
        from croupier.analysis.cases import cases_of_house
        from croupier.analysis.pricing import price

        return cached_or(next(cases_of_house(self._house)), price)[0].outcomes.mean
