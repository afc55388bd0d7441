"""What it costs to play a game of streets by a list: exact, against best play."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from msgspec import Struct

from croupier.analysis.cases import StreetGame, streets_of
from croupier.analysis.streets.features import Array, features_of_all
from croupier.analysis.streets.game import best_play, odds_of
from croupier.analysis.streets.lists import DERIVED, STRATEGIES
from croupier.analysis.streets.rows import StreetStrategy, decide, deciding_row, deciding_rows
from croupier.analysis.streets.sets import sets_of
from croupier.analysis.streets.solve import FOLD, follow
from croupier.errors import Malformed
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Paytable

__all__ = [
    "PricedStrategy",
    "StreetStrategy",
    "acts_of",
    "decide",
    "deciding_row",
    "named_strategies",
    "present_strategy",
    "price_strategy",
]


class PricedStrategy(Struct, frozen=True):
    """A strategy and its expected result; every figure is for one ante, or one of the bets of Let It Ride."""

    strategy: StreetStrategy
    expectation: Fraction
    cost: Fraction
    """How much better best play does."""
    average_wager: Fraction
    folded: Fraction
    """How often the hand is given up."""


def named_strategies(book: Rulebook, table: Paytable) -> tuple[StreetStrategy, ...]:
    """Every list that fits the game: for any paytable, and derived for this one.

    >>> from croupier.analysis.cases import tables_of
    >>> from croupier.rulebook import load_rulebook
    >>> book = load_rulebook("md-let-it-ride")
    >>> [strategy.name for strategy in named_strategies(book, tables_of(book, "base")[0])][:3]
    ['best list', 'short list', 'usual list']
    """
    game = streets_of(book)
    if game is None:
        return ()
    lists = (*DERIVED.get(odds_of(table), ()), *STRATEGIES)
    return tuple(strategy for strategy in lists if _fits(strategy, game))


def _fits(strategy: StreetStrategy, game: StreetGame) -> bool:
    streets = [street.known for street in strategy.streets]
    used = {row.action for street in strategy.streets for row in street.rows}
    return streets == list(range(game.first, 5)) and used <= set(_numbers(game))


def _numbers(game: StreetGame) -> dict[str, int]:
    """The actions of a game by name, as `streets` numbers them."""
    return ({"fold": FOLD} if game.fold else {}) | {name: number for number, name in enumerate(game.names, 1)}


def price_strategy(strategy: StreetStrategy, game: StreetGame, odds: tuple[int, ...]) -> PricedStrategy:
    """The exact price of a list where five cards pay these odds."""
    played, folded = follow(game, acts_of(strategy, game))
    bets = np.arange(game.most + 1)
    won = int((np.array(odds)[:, None] * bets * played).sum()) - int((bets * folded).sum())
    wagered = int((bets * played).sum()) + int((bets * folded).sum())
    expectation = Fraction(won, game.deals)
    return PricedStrategy(
        strategy=strategy,
        expectation=expectation,
        cost=best_play(game, odds).mean - expectation,
        average_wager=Fraction(wagered, game.deals),
        folded=Fraction(int(folded.sum()), game.deals),
    )


def acts_of(strategy: StreetStrategy, game: StreetGame) -> dict[int, Array]:
    """The list expanded for every set of cards and every stake, in the form of `StreetSolution.acts`."""
    if not _fits(strategy, game):
        raise Malformed(
            f"{strategy.name!r} is for another game; here {game.first} cards come first, then {', '.join(game.names)}"
        )
    numbers, acts = _numbers(game), {}
    for street in strategy.streets:
        acts[street.known] = np.zeros((len(sets_of(street.known).cards), game.most + 1), dtype=np.uint8)
        does = np.array([numbers[row.action] for row in street.rows], dtype=np.uint8)
        for staked in game.staked(street.known):
            acts[street.known][:, staked] = does[deciding_rows(street.rows, features_of_all(street.known), staked)]
    return acts


def present_strategy(priced: PricedStrategy) -> dict[str, object]:
    """A priced list for other programs, with its rows in words and exact numbers as reduced fractions."""
    strategy = priced.strategy
    return {
        "strategy": strategy.name,
        "source": strategy.source,
        "expectation_exact": str(priced.expectation),
        "cost_exact": str(priced.cost),
        "average_wager_exact": str(priced.average_wager),
        "folded_exact": str(priced.folded),
        "rows": [
            {"cards": street.known, "when": row.words, "do": row.action}
            for street in strategy.streets
            for row in street.rows
        ],
    }
