"""What the words in the rows of a strategy mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

__all__ = ["decision_label", "strategy_terms"]

_TERMS: Final = {
    "point": "Points: two for each jack, queen, king and ace, one for each card from six to ten.",
    "straight": "Straights in reach: how many different straights all of the known cards fit into.",
    "gap": "Gaps: ranks missing between the lowest and the highest card, the ace low where that is closer.",
    "middle": "Middle cards: six to ten.",
    "high card": "High cards: jack to ace.",
    "together": "Together: the two counts added up.",
    "staked": "Bets staked: counted in antes, including the ante.",
}


def strategy_terms(rows: Iterable[str]) -> list[str]:
    """Explain the words that these rows use.

    >>> strategy_terms(["at least 2 points", "anything else"])
    ['Points: two for each jack, queen, king and ace, one for each card from six to ten.']
    """
    when = " ".join(rows)
    return [meaning for word, meaning in _TERMS.items() if word in when]


def decision_label(action: str, decision: str = "") -> str:
    """Say what may be decided, as a button does.

    >>> decision_label("2x", "third_street"), decision_label("2x", "raise"), decision_label("withdraw", "bet_1")
    ('Bet 2x', 'Raise 2x', 'Take it back')
    """
    if action.endswith("x"):
        return f"{'Raise' if decision == 'raise' else 'Bet'} {action}"
    return {"ride": "Let it ride", "withdraw": "Take it back"}.get(action, action.capitalize())
