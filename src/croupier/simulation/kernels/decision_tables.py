"""What to do with the cards that are known, laid out for kernels to look up.

For the games of streets every set of known cards, in colexicographic order, has one of a few rows of actions, two bits
for each number of bets staked; the numbers of the rows are bytes, so that they stay near the processor. For High Card
Flush it is the raise by the strength of the flush; best play depends on the other cards beside a few flushes only, and
there the kernel counts the dealer's hands.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import FLUSHES, StreetGame, cached_arrays, main_table, streets_of
from croupier.analysis.flush import best_play as best_raises
from croupier.analysis.flush import flush_rules, flush_strength
from croupier.analysis.streets import acts_of, best_play, named_strategies, odds_of, set_numbers
from croupier.cards import DECK, RANKS
from croupier.errors import Malformed
from croupier.rulebook import HouseRules
from croupier.simulation.kernels.jit import SOURCES

__all__ = ["COUNT_DEALER", "FlushActs", "StreetActs", "flush_acts", "strategy_names", "street_acts"]

Array: TypeAlias = NDArray[Any]

OPTIMAL: Final = "optimal"
ALWAYS: Final = "always"
COUNT_DEALER: Final = 255
"""In place of a raise: it depends on what the dealer can still have."""
EVERY_HAND: Final = "always raise"
MOST_ROWS: Final = 256


class StreetActs(NamedTuple):
    """`rows[two[set]] >> 2 * staked & 3`, and so on, is the action with two, three and four cards known."""

    two: Array
    three: Array
    four: Array
    rows: Array


class FlushActs(NamedTuple):
    """`raises[strength]` where it decides; else the least strength to raise the most on, by number of high cards."""

    raises: Array
    least: Array
    high: int
    by_flush: bool


def strategy_names(house: HouseRules) -> tuple[str, ...]:
    """The strategies that a plan for this house can name."""
    if streets_of(house.rulebook) is None:
        return (OPTIMAL, ALWAYS, *FLUSHES)
    return (OPTIMAL, ALWAYS, *(listed.name for listed in named_strategies(house.rulebook, main_table(house))))


@lru_cache(maxsize=16)
def street_acts(house: HouseRules, strategy: str) -> StreetActs:
    """The actions of a strategy for a game of streets."""
    asked = ["street acts", SOURCES, house.rulebook.hash, main_table(house), strategy]
    return StreetActs(*cached_arrays(asked, lambda: _street_acts(house, strategy)))


def _street_acts(house: HouseRules, strategy: str) -> StreetActs:
    game, table = streets_of(house.rulebook), main_table(house)
    if game is None:
        raise ValueError(f"{house.rulebook.id} is no game of streets")
    if strategy == OPTIMAL:
        acts = best_play(game, odds_of(table)).acts
    elif strategy == ALWAYS:
        acts = {known: _ride(game, known) for known in range(game.first, 5)}
    else:
        chosen = next(listed for listed in named_strategies(house.rulebook, table) if listed.name == strategy)
        acts = acts_of(chosen, game)
    packed = [_packed(acts[known], known) if known in acts else np.zeros(1, dtype=np.uint32) for known in (2, 3, 4)]
    rows, numbers = np.unique(np.concatenate(packed), return_inverse=True)
    if len(rows) > MOST_ROWS:
        raise Malformed(f"{strategy!r} has {len(rows):,} rows of actions: at most {MOST_ROWS} can be looked up")
    two, three, four = np.split(numbers.astype(np.uint8), np.cumsum([len(part) for part in packed])[:-1])
    return StreetActs(two, three, four, rows)


def _ride(game: StreetGame, known: int) -> Array:
    """Add one bet whatever comes."""
    one_bet = 1 + game.adds.index(1)
    return np.full((len(_numbers(known)[1]), game.most + 1), one_bet, dtype=np.uint8)


def _packed(acts: Array, known: int) -> Array:
    """The actions for each set of cards, in colexicographic order."""
    places, numbers = _numbers(known)
    packed = np.zeros(len(acts), dtype=np.uint32)
    for staked in range(acts.shape[1]):
        packed |= acts[:, staked].astype(np.uint32) << np.uint32(2 * staked)
    if len(acts) != len(numbers):
        packed = packed[numbers]
    spread = np.zeros(len(places), dtype=np.uint32)
    spread[places] = packed
    return spread


@lru_cache(maxsize=3)
def _numbers(known: int) -> tuple[Array, Array]:
    """For every set of so many cards: its place in colexicographic order, its number among `analysis.sets`."""
    hands = np.array(list(combinations(range(len(DECK)), known)), dtype=np.int64)
    choose = np.array([[comb(card, place + 1) for place in range(known)] for card in range(len(DECK))])
    places = sum(choose[hands[:, place], place] for place in range(known))
    return np.asarray(places), set_numbers(hands)


@lru_cache(maxsize=16)
def flush_acts(house: HouseRules, strategy: str) -> FlushActs:
    """The raises of a strategy for High Card Flush."""
    asked = ["flush acts", SOURCES, house.rulebook.hash, strategy]
    raises, least, high, by_flush = cached_arrays(
        asked, lambda: [np.asarray(part) for part in _flush_acts(house, strategy)]
    )
    return FlushActs(raises, least, int(high), bool(by_flush))


def _flush_acts(house: HouseRules, strategy: str) -> FlushActs:
    qualifier, most = flush_rules(house.rulebook)
    raises, least = np.zeros(8 << len(RANKS), dtype=np.uint8), np.zeros(8, dtype=np.int64)
    if strategy == OPTIMAL:
        solved = best_raises(qualifier, most)
        for strength, actions in zip(solved.strengths.tolist(), solved.tallies[:, :, 0].tolist(), strict=True):
            taken = [(0, 1, most[strength >> len(RANKS)])[action] for action in range(3) if actions[action]]
            raises[strength] = taken[0] if len(taken) == 1 else COUNT_DEALER
        return FlushActs(raises, least, 14, by_flush=True)
    rows = FLUSHES[EVERY_HAND if strategy == ALWAYS else strategy][1]
    least[:] = [flush_strength(rows.raises_from(high_cards)) for high_cards in range(8)]
    return FlushActs(raises, least, rows.high, by_flush=False)
