"""How the computer's players decide: plain strategies that people play by heart, good but not the best.

Which one is asked for is told by the choices that a decision offers, so a new rulebook needs nothing here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from croupier.cards import Card
from croupier.cli.play.dealer import face_up
from croupier.games import Round, actions, legal_actions
from croupier.games.round import hand_of
from croupier.hands import Flush, longest_flush
from croupier.hands.poker import straight_top
from croupier.money import Cents
from croupier.rulebook import Stakes

__all__ = ["computer_decides", "let_it_ride", "raise_times", "stud_bet"]

RAISES_FROM = Flush(3, (10, 8, 6))
"""The flush from which a raise is best where nothing but the flush is looked at."""


def computer_decides(state: Round) -> actions.Decide:
    """The decision of the box whose turn it is."""
    box, choice = state.box, state.at.choice
    if choice is None:
        raise ValueError("no decision is asked for now")
    own = hand_of(state, box).cards
    seen = (*own, *face_up(state, "community"))
    if "raise" in choice.choices:
        ante, most = box.main, most_to_raise(state)
        times = min(raise_times(own), most // ante)
        if times == 0:
            return actions.Decide(box.seat, "fold")
        return actions.Decide(box.seat, "raise", Cents(times * ante))
    if "ride" in choice.choices:
        return actions.Decide(box.seat, "ride" if let_it_ride(seen) else "withdraw")
    times = stud_bet(seen)
    return actions.Decide(box.seat, f"{times}x" if times else "fold")


def most_to_raise(state: Round) -> Cents:
    """The most that the hand whose turn it is may raise; nothing where no raise is asked for."""
    amounts = [dict(one.fields).get("amount") for one in legal_actions(state) if one.do == "decide"]
    return Cents(max((one.maximum for one in amounts if isinstance(one, Stakes)), default=0))


def stud_bet(seen: Sequence[Card]) -> int:
    """How many antes to bet on two, three or four cards of Mississippi Stud; 0 folds.

    High cards count two points, middle cards one.

    >>> from croupier.cards import parse_cards
    >>> [stud_bet(parse_cards(cards)) for cards in ("9c 9d", "Kc 2d", "5c 2d", "6c 6d 2h", "2h 7h 9h", "2c 3d 7h 8s")]
    [3, 1, 0, 3, 2, 0]
    """
    ranks = Counter(card.rank for card in seen)
    paired = [rank for rank, count in ranks.items() if count >= 2]
    points = sum(2 if card.rank >= 11 else card.rank >= 6 for card in seen)
    suited = len({card.suit for card in seen}) == 1
    if any(rank >= 6 or ranks[rank] >= 3 for rank in paired) or len(paired) == 2 or (paired and len(seen) == 2):
        return 3
    if len(seen) == 2:
        return 1 if points >= 2 else 0
    if len(seen) == 3:
        return 2 if suited or paired else int(points >= 3)
    if suited:
        return 3
    return int(bool(paired) or points >= 4 or _open_ended(seen))


def let_it_ride(seen: Sequence[Card]) -> bool:
    """Whether three or four cards of Let It Ride are worth leaving the bet.

    >>> from croupier.cards import parse_cards
    >>> [let_it_ride(parse_cards(cards)) for cards in ("Tc Td 2h", "9c 9d 2h", "5h 6h 7h", "2h 7h 9h Kh")]
    [True, False, True, True]
    """
    ranks = Counter(card.rank for card in seen)
    paired = [rank for rank, count in ranks.items() if count >= 2]
    suited = len({card.suit for card in seen}) == 1
    if any(rank >= 10 or ranks[rank] >= 3 for rank in paired) or len(paired) == 2:
        return True
    if len(seen) == 3:
        run = straight_top(list(ranks), ace_low=False) if len(ranks) == 3 else None
        return suited and (min(ranks) >= 10 or (run is not None and run >= 5))
    return suited or (_open_ended(seen) and max(ranks) >= 10)


def raise_times(cards: Sequence[Card]) -> int:
    """How many antes to raise on seven cards of High Card Flush; 0 folds.

    >>> from croupier.cards import parse_cards
    >>> raise_times(parse_cards("Th 8h 6h Kd 9d Tc 2s")), raise_times(parse_cards("Th 8h 5h Kd 9d Tc 2s"))
    (3, 0)
    """
    return 3 if longest_flush(cards) >= RAISES_FROM else 0


def _open_ended(seen: Sequence[Card]) -> bool:
    """Four in a row that a card at either end makes a straight."""
    top = straight_top([card.rank for card in seen], ace_low=False)
    return len(seen) == 4 and top is not None and top < 14
