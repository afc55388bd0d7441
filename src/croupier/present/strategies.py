"""What the words in the rows of a strategy mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["strategy_terms"]

_TERMS: Final = {
    "point": "Points: two for each jack, queen, king and ace, one for each card from six to ten.",
    "straight": "Straights in reach: how many different straights all of the known cards fit into.",
    "gap": "Gaps: ranks missing between the lowest and the highest card, the ace low where that is closer.",
    "middle": "Middle cards are six to ten; high cards are jack to ace.",
}


def strategy_terms(rows: Iterable[str]) -> list[str]:
    """Explain the words that these rows use.

    >>> strategy_terms(["at least 2 points", "anything else"])
    ['Points: two for each jack, queen, king and ace, one for each card from six to ten.']
    """
    when = " ".join(rows)
    return [meaning for word, meaning in _TERMS.items() if word in when]
