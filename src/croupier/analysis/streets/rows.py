"""Strategies for the games of streets, as rows that a player can learn: what the cards have to show, and what to do.

The first row that fits decides, and the last fits always. A row needs a few features of the cards known so far, each
a whole number between bounds; features can be added up. So one list is printed in words, decided for one hand and
expanded for every set of cards at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from croupier.analysis.streets.features import TWO_PAIR, Array, Feature, features_of
from croupier.cards import Card, check_cards, rank_word
from croupier.errors import Malformed

__all__ = [
    "Need",
    "Street",
    "StreetRow",
    "StreetStrategy",
    "at_least",
    "decide",
    "deciding_row",
    "deciding_rows",
    "exactly",
    "listed",
    "when",
]


class Need(Struct, frozen=True, omit_defaults=True):
    """Features of which the sum lies between bounds."""

    of: tuple[Feature, ...]
    least: int = 0
    most: int | None = None

    @property
    def words(self) -> str:
        """
        >>> at_least(6, "made").words, exactly(0, "gaps").words, at_least(3, "straights", "high").words
        ('pair of sixes or better', 'no gaps', 'at least 3 straights in reach and high cards together')
        """
        if len(self.of) == 1 and self.of[0] in SAID:
            return SAID[self.of[0]](self.least, self.most)
        singular = len(self.of) == 1 and (self.least if self.most is None else self.most) == 1
        nouns = " and ".join(NOUNS[feature][0 if singular else 1] for feature in self.of)
        return f"{_amount(self.least, self.most)} {nouns}{' together' if len(self.of) > 1 else ''}"


class StreetRow(Struct, frozen=True, omit_defaults=True):
    """What to do when everything needed is there."""

    action: str
    needs: tuple[Need, ...] = ()

    @property
    def words(self) -> str:
        """
        >>> when("3x", exactly(1, "suited"), exactly(1, "gaps"), at_least(1, "high")).words
        'suited, 1 gap, at least 1 high card'
        """
        return ", ".join(need.words for need in self.needs) or "anything else"


class Street(Struct, frozen=True):
    """The rows for one number of known cards."""

    known: int
    rows: tuple[StreetRow, ...]

    def __post_init__(self) -> None:
        """Refuse a list that does not cover every hand."""
        if not self.rows or self.rows[-1].needs:
            raise Malformed(f"the rows for {self.known} cards must end with one that needs nothing")


class StreetStrategy(Struct, frozen=True):
    """A list that somebody plays by: who publishes it, or that it was derived from best play."""

    name: str
    source: str
    streets: tuple[Street, ...]

    @property
    def rows(self) -> int:
        """How long the list is."""
        return sum(len(street.rows) for street in self.streets)


def at_least(least: int, *of: Feature) -> Need:
    """Require at least this total of these features."""
    return Need(of, least)


def exactly(number: int, *of: Feature) -> Need:
    """Require exactly this total of these features."""
    return Need(of, number, number)


def when(action: str, *needs: Need) -> StreetRow:
    """A row, written condition last."""
    return StreetRow(action, needs)


def listed(name: str, source: str, streets: Mapping[int, Sequence[StreetRow]], *, otherwise: str) -> StreetStrategy:
    """A strategy from its rows by the number of cards known, and what is done where none of them fits."""
    return StreetStrategy(
        name, source, tuple(Street(known, (*rows, StreetRow(otherwise))) for known, rows in sorted(streets.items()))
    )


def decide(strategy: StreetStrategy, cards: Sequence[Card], staked: int) -> str:
    """What the strategy does with these cards and this many bets staked.

    >>> from croupier.cards import parse_cards
    >>> rows = [when("3x", at_least(2, "made")), when("1x", at_least(2, "points"))]
    >>> strategy = listed("third street", "an example", {2: rows}, otherwise="fold")
    >>> [decide(strategy, parse_cards(cards), 1) for cards in ("2c 2d", "Jc 5d", "Tc 5d")]
    ['3x', '1x', 'fold']
    """
    return deciding_row(strategy, cards, staked).action


def deciding_row(strategy: StreetStrategy, cards: Sequence[Card], staked: int) -> StreetRow:
    """The row that decides, and so the reason."""
    streets = {street.known: street.rows for street in strategy.streets}
    known = check_cards(cards, count=streets)
    rows = streets[len(known)]
    return rows[int(deciding_rows(rows, features_of(np.array([known])), staked)[0])]


def deciding_rows(rows: Sequence[StreetRow], features: Mapping[Feature, Array], staked: int) -> Array:
    """For each hand the number of the row that decides."""
    hands = len(features["made"])
    seen: dict[Feature, Array] = {**features, "staked": np.full(hands, staked)}
    numbers = np.full(hands, len(rows) - 1)
    for number in range(len(rows) - 2, -1, -1):  # backwards, so that the first that fits is written last
        numbers[_fits(rows[number], seen)] = number
    return numbers


def _fits(row: StreetRow, seen: Mapping[Feature, Array]) -> Array:
    fits: Array = np.ones(len(seen["made"]), dtype=np.bool_)
    for need in row.needs:
        total = sum(seen[feature] for feature in need.of)
        fits &= total >= need.least
        if need.most is not None:
            fits &= total <= need.most
    return fits


NOUNS: Final[Mapping[Feature, tuple[str, str]]] = {
    "points": ("point", "points"),
    "high": ("high card", "high cards"),
    "middle": ("middle card", "middle cards"),
    "ten_up": ("card ten or higher", "cards ten or higher"),
    "gaps": ("gap", "gaps"),
    "straights": ("straight in reach", "straights in reach"),
    "staked": ("bet staked", "bets staked"),
}
"""How to phrase counts, singular and plural. High is jack or higher, middle is six to ten."""
MADE: Final = ("two pair", "three of a kind", "four of a kind")
"""What `made` is from `TWO_PAIR` on."""


def _amount(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least}"
    if least == most:
        return str(least) if least else "no"
    return f"{least} to {most}" if least else f"at most {most}"


def _say_made(least: int, most: int | None) -> str:
    if most is None:
        return "any pair or better" if least <= 2 else f"{_rung(least)} or better"
    if least == most:
        return _rung(least)
    return f"{_rung(most)} or lower" if least == 2 else f"{_rung(least)} to {_rung(most)}"


def _rung(made: int) -> str:
    if made >= TWO_PAIR:
        return MADE[made - TWO_PAIR]
    return f"pair of {rank_word(made, plural=True)}" if made else "nothing"


def _say_suited(least: int, most: int | None) -> str:
    return "not suited" if most == 0 else "suited" if least else "suited or not"


def _say_rank(which: str) -> Callable[[int, int | None], str]:
    def say(least: int, most: int | None) -> str:
        if most is None:
            return f"{which} card {rank_word(least)} or higher"
        if least <= 2:
            return f"{which} card {rank_word(most)} or lower"
        return f"{which} card {rank_word(least)}" + ("" if least == most else f" to {rank_word(most)}")

    return say


SAID: Final[Mapping[Feature, Callable[[int, int | None], str]]] = {
    "made": _say_made,
    "suited": _say_suited,
    "lowest": _say_rank("lowest"),
    "highest": _say_rank("highest"),
}
"""How to phrase the bounds of features that are not counts."""
