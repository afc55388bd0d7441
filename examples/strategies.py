"""Two strategies for Mississippi Stud, to start your own from.

croupier simulate house.toml --strategy examples/strategies.py:cautious
"""

from croupier.simulation import DecisionPoint

ENOUGH = 20_000_00
"""The main meter, in cents, at which a draw is worth another ante."""


def cautious(turn: DecisionPoint) -> str:
    """Bet three antes on a pair of sixes or better, one on a jack or higher, and fold everything else."""
    ranks = [card.rank for card in (*turn.cards, *turn.community)]
    if any(ranks.count(rank) >= 2 for rank in ranks if rank >= 6):
        return "3x"
    return "1x" if max(ranks) >= 11 else "fold"


def meter_watcher(turn: DecisionPoint) -> str:
    """Play the same, but stay in with every draw to a straight flush while the main meter is high enough.

    A player who folds loses the progressive bet (Maryland 11.H(1); Massachusetts 10(a), reading 80). In High Card Flush
    and Let It Ride that bet stays live after a fold, so there would be no reason to stay in.
    """
    action = cautious(turn)
    worth_it = "progressive" in turn.staked and turn.meters["main"] >= ENOUGH
    return "1x" if action == "fold" and worth_it and draws_to_straight_flush(turn) else action


def draws_to_straight_flush(turn: DecisionPoint) -> bool:
    """Whether all cards share a suit and fit within five ranks in a row; an ace counts high only."""
    cards = (*turn.cards, *turn.community)
    ranks = [card.rank for card in cards]
    return len({card.suit for card in cards}) == 1 and max(ranks) - min(ranks) <= 4
