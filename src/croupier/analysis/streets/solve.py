"""Best play of a game in which cards turn up one by one and a bet is added, left or given up before each.

Mississippi Stud and Let It Ride are two of these. A position is the set of cards known and the amount staked, in
bets; how it came about does not matter, nor which suit is which, so 169 + 1,755 + 16,432 sets are all there is.
Values are whole numbers: a position's value is the sum over every way in which the remaining cards can come.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.analysis.cases import FOLD, StreetGame, orders
from croupier.analysis.prices import TieRule
from croupier.analysis.streets.five_card_kinds import four_card_counts
from croupier.analysis.streets.positions import action_values
from croupier.analysis.streets.sets import one_less, one_more, set_number, sets_of
from croupier.cards import Card
from croupier.errors import Malformed
from croupier.hands.batch import jit

__all__ = ["FOLD", "Payoff", "StreetSolution", "follow", "solve"]

Array: TypeAlias = NDArray[Any]

LARGEST: Final = 1 << 62


class Payoff(NamedTuple):
    """What a hand brings, in whole units: `pays[kind, staked]` when played to the end, `folds[staked]` when not."""

    pays: Array
    folds: Array


class StreetSolution(Struct, frozen=True, eq=False):
    """Best play: the value of every position, what to do in it, and how often each end comes about."""

    game: StreetGame
    payoff: Payoff
    values: dict[int, Array]
    """By cards known: `[set, staked]`, before the next card and after the bet."""
    acts: dict[int, Array]
    """By cards known: `[set, staked]`, the best action."""
    total: int
    """The sum over all `game.deals`."""
    played: Array
    """`[kind, staked]`: deals played to the end."""
    folded: Array
    """`[cards known, staked]`: deals given up."""

    @property
    def mean(self) -> Fraction:
        """The expected result in units."""
        return Fraction(self.total, self.game.deals)

    def action_values(self, cards: Sequence[Card], staked: int) -> dict[int, Fraction]:
        """The exact value of every action, in units, when these cards are known."""
        row = self.values[len(cards)][set_number(cards)]
        return action_values(self.game, self.payoff.folds, row, known=len(cards), staked=staked)


def solve(game: StreetGame, payoff: Payoff, *, ties: TieRule = "more", counts: Array | None = None) -> StreetSolution:
    """Best play by going backwards from the last card, then the ends it leads to by going forwards."""
    _check_size(game, payoff)
    counts = four_card_counts() if counts is None else counts
    values: dict[int, Array] = {4: counts @ payoff.pays}
    acts: dict[int, Array] = {}
    total = 0
    for known in range(4, game.first - 1, -1):
        best, acts[known] = _best(game, values[known], payoff.folds * orders(known), known, ties)
        if known > game.first:
            values[known - 1] = _sums(best, one_more(known - 1))
        else:
            total = int(sets_of(known).sizes @ best[:, 1])
    return StreetSolution(game, payoff, values, acts, total, *follow(game, acts, counts=counts))


def _best(game: StreetGame, values: Array, folds: Array, known: int, ties: TieRule) -> tuple[Array, Array]:
    """The best value and the best action of every position; the actions stand in the order of their stakes."""
    best, acts = np.zeros_like(values), np.zeros(values.shape, dtype=np.uint8)
    for staked in game.staked(known):
        choices = [values[:, staked + add] for add in game.adds]
        if game.fold:
            choices = [np.full(len(values), folds[staked]), *choices]
        worth = np.stack(choices)
        best[:, staked] = worth.max(axis=0)
        last = len(choices) - 1 - worth[::-1].argmax(axis=0)
        acts[:, staked] = (last if ties == "more" else worth.argmax(axis=0)) + (not game.fold)
    return best, acts


def follow(game: StreetGame, acts: dict[int, Array], *, counts: Array | None = None) -> tuple[Array, Array]:
    """How often each end comes about for somebody who acts so: `played` and `folded` as in `StreetSolution`."""
    counts = four_card_counts() if counts is None else counts
    deals = np.zeros((len(sets_of(game.first).cards), game.most + 1), dtype=np.int64)
    deals[:, 1] = 1  # of each set of cards, one deal, with one bet staked
    folded = np.zeros((5, game.most + 1), dtype=np.int64)
    for known in range(game.first, 5):
        if known > game.first:
            deals = _sums(deals, one_less(known))
        folded[known] = sets_of(known).sizes @ np.where(acts[known] == FOLD, deals, 0) * orders(known)
        before, deals = deals, np.zeros_like(deals)
        for number, add in enumerate(game.adds, 1):
            deals[:, add:] += np.where(acts[known] == number, before, 0)[:, : game.most + 1 - add]
    played = np.zeros((counts.shape[1], game.most + 1), dtype=np.int64)
    _count_ends(deals * sets_of(4).sizes[:, None], counts, played)
    return played, folded


def _sums(rows: Array, places: Array) -> Array:
    """For each row of places the sum of the rows that stand there; a place past the end holds nothing."""
    sums = np.zeros((len(places), rows.shape[1]), dtype=np.int64)
    _add_up(rows, places, sums)
    return sums


@jit
def _add_up(rows: Array, places: Array, sums: Array) -> None:
    for number in range(len(places)):
        for place in places[number]:
            if place < len(rows):
                for staked in range(rows.shape[1]):
                    sums[number, staked] += rows[place, staked]


@jit
def _count_ends(deals: Array, counts: Array, played: Array) -> None:
    for number in range(len(counts)):
        for kind in range(counts.shape[1]):
            count = counts[number, kind]
            if count:
                for staked in range(deals.shape[1]):
                    played[kind, staked] += count * deals[number, staked]


def _check_size(game: StreetGame, payoff: Payoff) -> None:
    largest = max(int(np.abs(payoff.pays).max()), int(np.abs(payoff.folds).max()))
    if largest * game.deals >= LARGEST:
        most = LARGEST // game.deals
        raise Malformed(f"a result of {largest:,} units is too large to be summed exactly; at most {most:,} can be")
