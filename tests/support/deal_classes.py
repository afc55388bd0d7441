"""Deals of five cards that differ in more than the names of their suits, with what somebody who plays so does in each.

A deal is the first cards as a set and the others in their order, as the analysis counts them.
"""

from functools import cache
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.cases import StreetGame
from croupier.analysis.streets.sets import set_numbers
from croupier.analysis.streets.solve import FOLD
from croupier.hands import batch

Array: TypeAlias = NDArray[Any]
ACTIONS = 4
"""At most so many on a street: to fold, and three amounts to add."""


class Deals(NamedTuple):
    """One deal a row, with how many deals it stands for."""

    cards: Array
    """In the order of dealing."""
    acts: Array
    """`[deal, street]`: as in `Solved.acts`; after a fold there are only folds."""
    weights: Array


@cache
def hand_classes() -> tuple[Array, Array]:
    """One hand of each class of hands that are alike but for the names of their suits, and how many it has.

    Two hands are alike when the sets of ranks that they hold in the four suits are, in whatever order.
    """
    hands = np.concatenate([block.copy() for block in batch.all_hands(5)])
    suits = batch.BITS[hands].sum(axis=1).view(np.uint16).reshape(-1, 4)
    suits.sort(axis=1)
    _, first, sizes = np.unique(suits.view(np.uint64), return_index=True, return_counts=True)
    return hands[first], sizes


@cache
def _known_sets(places: frozenset[int]) -> Array:
    """The number of the set that the cards in these places are, for each class of hands."""
    return set_numbers(hand_classes()[0][:, sorted(places)].astype(np.int64))


def deals_by_class(game: StreetGame, acts: dict[int, Array]) -> Deals:
    """Each class of hands once for every sequence of actions to which the orders of its cards lead."""
    hands, sizes = hand_classes()
    streets, every = range(game.first, 5), np.arange(len(hands))
    adds = np.array([0, *game.adds])
    orders = [order for order in permutations(range(5)) if order[: game.first] == tuple(sorted(order[: game.first]))]
    ways, example = np.zeros((2, len(hands), ACTIONS ** len(streets)), dtype=np.int64)
    for place, order in enumerate(orders):
        staked, done = np.ones(len(hands), dtype=np.int64), np.zeros(len(hands), dtype=np.int64)
        folded = np.zeros(len(hands), dtype=bool)
        for known in streets:
            act = np.where(folded, FOLD, acts[known][_known_sets(frozenset(order[:known])), staked])
            staked, done, folded = staked + adds[act], ACTIONS * done + act, act == FOLD
        ways[every, done] += 1
        example[every, done] = place
    found, done = ways.nonzero()
    return Deals(
        cards=hands[found[:, None], np.array(orders)[example[found, done]]],
        acts=done[:, None] // ACTIONS ** np.arange(len(streets))[::-1] % ACTIONS,
        weights=ways[found, done] * sizes[found],
    )


def by_strength(deals: Deals) -> Deals:
    """One deal, picked at random, for all that make equally strong hands and are played alike."""
    mixed = np.random.default_rng(7462).permutation(len(deals.weights))
    cards, acts, weights = deals.cards[mixed], deals.acts[mixed], deals.weights[mixed]
    key = batch.five_card(cards).astype(np.int64)
    for act in acts.T:
        key = ACTIONS * key + act
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    together = np.zeros(len(first), dtype=np.int64)
    np.add.at(together, group, weights)
    return Deals(cards[first], acts[first], together)
