"""What every position of a game of streets is worth, kept on disk: a single answer needs no solver and no compiler."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from croupier.analysis.cache import cached_arrays
from croupier.analysis.cases import FOLD, StreetGame, orders
from croupier.analysis.streets.sets import Array, set_keys, sets_of
from croupier.cards import Card
from croupier.rulebook.schema import Paytable

__all__ = ["PositionValues", "action_values", "position_values"]


class PositionValues(NamedTuple):
    """The values of a `StreetSolution`, with the keys by which a set of cards is found."""

    game: StreetGame
    folds: Array
    keys: dict[int, Array]
    values: dict[int, Array]

    def at(self, cards: Sequence[Card], staked: int) -> dict[int, Fraction]:
        """The exact value of every action, in bets, when these cards are known."""
        known = len(cards)
        row = self.values[known][int(self.keys[known].searchsorted(set_keys([cards])[0]))]
        return action_values(self.game, self.folds, row, known=known, staked=staked)


def action_values(game: StreetGame, folds: Array, row: Array, *, known: int, staked: int) -> dict[int, Fraction]:
    """The value of every action from the row of a set of cards: sums over every order of the remaining ones."""
    values = {FOLD: Fraction(int(folds[staked]))} if game.fold else {}
    ways = orders(known)
    return values | {number: Fraction(int(row[staked + add]), ways) for number, add in enumerate(game.adds, 1)}


@lru_cache(maxsize=64)
def position_values(game: StreetGame, table: Paytable) -> PositionValues:
    """The values of every position of the main game under best play with this paytable."""
    streets = range(game.first, 5)
    folds, *rest = cached_arrays(["position values", game, table], lambda: _solved(game, table))
    keys, values = rest[: len(streets)], rest[len(streets) :]
    return PositionValues(game, folds, dict(zip(streets, keys, strict=True)), dict(zip(streets, values, strict=True)))


def _solved(game: StreetGame, table: Paytable) -> list[Array]:
    from croupier.analysis.streets.game import best_play, odds_of  # noqa: PLC0415 - loads the compiled code

    solved, streets = best_play(game, odds_of(table)), range(game.first, 5)
    return [
        solved.payoff.folds,
        *(sets_of(known).keys for known in streets),
        *(solved.values[known] for known in streets),
    ]
