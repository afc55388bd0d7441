"""Two ways to play Mississippi Stud, to begin your own from.

croupier simulate house.toml --strategy examples/strategies.py:cautious
"""

from croupier.simulation import DecisionPoint

ENOUGH = 20_000_00
"""Cents on the main meter from which on a draw is worth an ante."""


def cautious(turn: DecisionPoint) -> str:
    """Bet three antes on a pair of sixes or better, one on a jack or higher, and fold everything else."""
    ranks = [card.rank for card in (*turn.cards, *turn.community)]
    if any(ranks.count(rank) >= 2 for rank in ranks if rank >= 6):
        return "3x"
    return "1x" if max(ranks) >= 11 else "fold"


def meter_watcher(turn: DecisionPoint) -> str:
    """The same, but stay in with every draw to a straight flush while the main meter shows enough.

    Who folds loses the progressive (Maryland 11.H(1); Massachusetts 10(a), reading 80). In High Card Flush and in Let
    It Ride it stays alive, and there would be nothing to stay in for.
    """
    action = cautious(turn)
    worth_it = "progressive" in turn.staked and turn.meters["main"] >= ENOUGH
    return "1x" if action == "fold" and worth_it and draws_to_straight_flush(turn) else action


def draws_to_straight_flush(turn: DecisionPoint) -> bool:
    """Whether one suit holds all cards, and five ranks in a row can; an ace counts high only."""
    cards = (*turn.cards, *turn.community)
    ranks = [card.rank for card in cards]
    return len({card.suit for card in cards}) == 1 and max(ranks) - min(ranks) <= 4
