"""What a coach answers, as values. Nothing here loads compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

__all__ = ["CoachedDecision", "Listed", "ListedRow", "RuleOfThumb", "value_of_choice"]


class RuleOfThumb(Struct, frozen=True):
    """The row of a strategy card that decides."""

    strategy: str
    when: str
    do: str


class CoachedDecision(Struct, frozen=True, kw_only=True):
    """What a player can know about a decision; values in antes, or in one of the bets where there are several."""

    actions: dict[str, Fraction]
    best: tuple[str, ...]
    thumb: RuleOfThumb
    kind: str
    """The same for decisions that the same row of the strategy card decides."""
    unit: str

    def cost(self, action: str) -> Fraction:
        """What an action gives up against the best."""
        return max(self.actions.values()) - self.actions[action]


class ListedRow(Struct, frozen=True):
    """With this many cards known, when this is true, do that."""

    cards: int
    when: str
    do: str


class Listed(Struct, frozen=True):
    """A strategy that people can memorize; figures in antes, or in one of the bets of Let It Ride."""

    name: str
    source: str
    expectation: Fraction
    cost: Fraction
    average_wager: Fraction
    rows: tuple[ListedRow, ...]


def value_of_choice(actions: Mapping[str, Fraction], choice: str, times: Fraction = Fraction(0)) -> Fraction:
    """The value of a decision as a round records it: a raise of so many antes lies between the whole ones.

    >>> values = {"fold": Fraction(-1), "1x": Fraction(1, 4), "2x": Fraction(3, 4)}
    >>> print(value_of_choice(values, "fold"), value_of_choice(values, "raise", Fraction(3, 2)))
    -1 1/2
    """
    if choice in actions:
        return actions[choice]
    first = actions["1x"]
    return first + (times - 1) * (actions.get("2x", first) - first)
