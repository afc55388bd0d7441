"""What a player sees in two, three or four known cards, as whole numbers: the vocabulary of strategies."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.streets.sets import sets_of

__all__ = ["TWO_PAIR", "Feature", "features_of", "features_of_all"]

Array: TypeAlias = NDArray[Any]
Feature: TypeAlias = Literal[
    "made",  # what the cards are already: 0, the rank of their pair, or TWO_PAIR and above
    "points",  # two for each high card, one for each middle card
    "high",  # cards jack or higher
    "middle",  # cards six to ten
    "ten_up",  # cards ten or higher
    "suited",  # 1 when all are of one suit
    "gaps",  # ranks missing between the lowest and the highest, with the ace low where that is closer
    "straights",  # straights that all of them fit into
    "lowest",  # the lowest rank, with the ace high
    "highest",  # the highest rank, with the ace high
    "staked",  # bets staked so far, the first among them
]

TWO_PAIR: Final = 15
"""Two pair in `made`, above a pair of aces; three and four of a kind follow."""
NO_RUN: Final = 13
"""The gaps of cards that hold a pair, and so of no run."""


@cache
def features_of_all(known: int) -> Mapping[Feature, Array]:
    """The features of every set of this many cards, in the order of `sets_of`."""
    return features_of(sets_of(known).cards)


def features_of(cards: Array) -> dict[Feature, Array]:
    """The features of hands, one in each row; the amount staked is not a feature of the cards.

    >>> from croupier.cards import parse_cards
    >>> hands = np.array([parse_cards("Jh 9h 8h"), parse_cards("As 2d 4c")])
    >>> features = features_of(hands)
    >>> features["points"].tolist(), features["gaps"].tolist(), features["straights"].tolist()
    ([4, 2], [1, 1], [2, 1])
    """
    ranks = np.sort(cards.astype(np.int8) // 4 + 2, axis=1)
    ace_low = np.sort(np.where(ranks == 14, 1, ranks), axis=1)
    made = _made(ranks)
    high, six_up = (ranks >= 11).sum(axis=1), (ranks >= 6).sum(axis=1)
    spread = np.minimum(ranks[:, -1] - ranks[:, 0], ace_low[:, -1] - ace_low[:, 0])
    runs = [(ace_low <= 5).all(axis=1), *(((ranks >= low) & (ranks <= low + 4)).all(axis=1) for low in range(2, 11))]
    features: dict[Feature, Array] = {
        "made": made,
        "points": high + six_up,
        "high": high,
        "middle": six_up - high,
        "ten_up": (ranks >= 10).sum(axis=1),
        "suited": (cards % 4 == cards[:, :1] % 4).all(axis=1),
        "gaps": np.where(made > 0, NO_RUN, spread + 1 - ranks.shape[1]),
        "straights": np.where(made > 0, 0, np.sum(runs, axis=0)),
        "lowest": ranks[:, 0],
        "highest": ranks[:, -1],
    }
    return {name: values.astype(np.int8) for name, values in features.items()}


def _made(ranks: Array) -> Array:
    """One couple of equal cards is a pair; two are two pair, three are trips and six are quads."""
    couples = list(combinations(range(ranks.shape[1]), 2))
    equal = np.stack([ranks[:, first] == ranks[:, other] for first, other in couples])
    rank = np.max([np.where(same, ranks[:, first], 0) for same, (first, _) in zip(equal, couples, strict=True)], axis=0)
    made: Array = np.choose(equal.sum(axis=0), [0, rank, TWO_PAIR, TWO_PAIR + 1, 0, 0, TWO_PAIR + 2])
    return made
