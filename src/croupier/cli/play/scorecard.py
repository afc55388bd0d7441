"""A player's session in figures: what was won and lost, what best play expects, what mistakes cost, the rest luck."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from croupier.cards import Card
from croupier.cli.play.bets import Spots
from croupier.cli.play.coach import Review
from croupier.cli.play.hands import HandSoFar
from croupier.hands import five_card, longest_flush
from croupier.present import average_gain, counted, dollars, gain
from croupier.table.views import BoxView

__all__ = ["Scorecard", "net_of"]


def net_of(box: BoxView) -> int:
    """What a box won or lost in a round."""
    coupon = box.coupon_result.won if box.coupon_result is not None else 0
    wagers = sum(settled.won + settled.returned - settled.staked for settled in box.results)
    return wagers + coupon + sum(envy.won for envy in box.envy)


@dataclass
class Scorecard:
    """The figures of one player, in cents."""

    bought_in: int = 0
    rounds: int = 0
    won: int = 0
    lost: int = 0
    bet: int = 0
    paid: int = 0
    main: int = 0
    """What the main game won or lost."""
    antes: int = 0
    """The antes (in Let It Ride, one bet each round) of all rounds."""
    mistakes: int = 0
    cost: Fraction = field(default_factory=Fraction)
    """What the mistakes cost, on average."""
    best: tuple[Any, str] | None = None
    """The best hand, to compare and in words."""

    @property
    def net(self) -> int:
        """What the session won or lost."""
        return self.paid - self.bet

    @property
    def chips(self) -> int:
        """What the player has."""
        return self.bought_in + self.net

    def review(self, review: Review) -> None:
        """Count a decision."""
        self.mistakes += review.antes > 0
        self.cost += review.cents

    def close_round(self, box: BoxView, hand: HandSoFar, spots: Spots) -> None:
        """Count a round that is over."""
        net, bet = net_of(box), sum(settled.staked for settled in box.results)
        self.rounds, self.won, self.lost = self.rounds + 1, self.won + (net > 0), self.lost + (net < 0)
        self.bet, self.paid = self.bet + bet, self.paid + bet + net
        main = [settled for settled in box.results if not spots.is_side(settled.wager)]
        self.main += sum(settled.won + settled.returned - settled.staked for settled in main)
        self.antes += next(settled.staked for settled in main if settled.wager == spots.main.name)
        if not box.folded and (made := _made(hand)) is not None and (self.best is None or made[0] > self.best[0]):
            self.best = made

    def so_far(self, expected: Fraction) -> str:
        """The result so far, and what it is made of; `expected` is the average result of one ante under best play.

        >>> Scorecard(bet=6100, main=-6000, antes=1000, mistakes=3, cost=Fraction(2550)).so_far(Fraction(-1, 20))
        'Session −$61: expected −$0.50, 3 mistakes −$25.50, luck −$34.00, side bets −$1.'
        """
        average = expected * self.antes
        parts = [
            f"expected {average_gain(average)}",
            f"{counted(self.mistakes, 'mistake')} {average_gain(-self.cost)}" if self.mistakes else "no mistakes",
            f"luck {average_gain(self.main - average + self.cost)}",
        ]
        if self.net != self.main:
            parts.append(f"side bets {gain(self.net - self.main)}")
        return f"Session {gain(self.net)}: {', '.join(parts)}."

    def lines(self, name: str, expected: Fraction) -> list[str]:
        """The session in a few lines."""
        chips = f"  Chips: {dollars(self.chips)}, bought in for {dollars(self.bought_in)}."
        if not self.rounds:
            return [f"{name} played no rounds.", chips]
        pushed = self.rounds - self.won - self.lost
        even = f", broke even in {pushed}" if pushed else ""
        return [
            f"{name} played {counted(self.rounds, 'round')}: won {self.won}, lost {self.lost}{even}.",
            f"  Bet {dollars(self.bet)}, paid {dollars(self.paid)}: net {gain(self.net)}.",
            f"  {self.so_far(expected)}",
            *([f"  Best hand: {self.best[1]}."] if self.best else []),
            chips,
        ]


def _made(hand: HandSoFar) -> tuple[Any, str] | None:
    """The hand to compare with others and in words: five cards, or the flush of seven."""
    cards: tuple[Card, ...] = hand.known
    if len(cards) not in {5, 7}:
        return None
    made = five_card(cards) if len(cards) == 5 else longest_flush(cards)
    return made, str(made)
