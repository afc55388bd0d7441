"""Best play of High Card Flush, summed exactly over all hands of the player and all of the dealer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from croupier.analysis.flush.dealer_hands import DEALER_HANDS, check_bar, dealer_counts
from croupier.analysis.flush.sums import sum_flushes
from croupier.cards import DECK, RANKS, Card
from croupier.errors import Malformed
from croupier.hands import longest_flush
from croupier.hands.tables import flush_table

__all__ = [
    "DEALS",
    "FOLD",
    "PLAYER_HANDS",
    "FlushSolution",
    "HandTally",
    "Priced",
    "TieRule",
    "best_play",
    "by_raise",
    "flush_strengths",
    "raise_values",
]

Array: TypeAlias = NDArray[np.int64]
TieRule: TypeAlias = Literal["more", "less"]
"""Which of several equally good stakes is taken: the largest, or the smallest, a fold being the smallest."""

PLAYER_HANDS: Final = comb(len(DECK), 7)
DEALS: Final = PLAYER_HANDS * DEALER_HANDS
"""How many ways there are to give the player and the dealer a hand each."""
FOLD: Final = 0
"""The raise of a hand that is folded."""


class HandTally(NamedTuple):
    """How many hands of the player, and how many of the dealer's against them, sorted as in `DealerCounts`."""

    hands: int
    unqualified: int
    lower: int
    equal: int
    higher: int


class Priced(Struct, frozen=True):
    """What comes of a way to play over every deal: the hands by what was raised on them, in antes."""

    by_raise: dict[int, HandTally]

    @property
    def net(self) -> dict[int, int]:
        """How many of all deals end with each result, in antes."""
        results: dict[int, int] = {}
        for times, tally in self.by_raise.items():
            for result, deals in _results(times, tally).items():
                results[result] = results.get(result, 0) + deals
        return dict(sorted(results.items()))

    @property
    def expectation(self) -> Fraction:
        """The player's expected result in antes; the house edge with its sign turned."""
        return self._mean(1)

    @property
    def variance(self) -> Fraction:
        """Of the result in antes."""
        return self._mean(2) - self._mean(1) ** 2

    @property
    def average_wager(self) -> Fraction:
        """Ante and raise, in antes."""
        raised = sum(times * tally.hands for times, tally in self.by_raise.items())
        return 1 + Fraction(raised, PLAYER_HANDS)

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of all that is wagered."""
        return -self.expectation / self.average_wager

    def share(self, times: int) -> Fraction:
        """How often so many antes are raised; `FOLD` for how often the hand is given up."""
        tally = self.by_raise.get(times)
        return Fraction(tally.hands if tally else 0, PLAYER_HANDS)

    def _mean(self, power: int) -> Fraction:
        return Fraction(sum(result**power * deals for result, deals in self.net.items()), DEALS)


class FlushSolution(Priced, frozen=True, eq=False):
    """Best play, with its sums for each flush: enough to price whatever goes by the flush alone."""

    most: tuple[int, ...]
    strengths: Array
    tallies: Array
    """`[flush, best action]`: a `HandTally`; the actions are fold, raise one ante, raise the most above one."""
    standings: Array
    """`[flush]`: the dealer's hands below, equal and above, whether they qualify or not."""


def best_play(qualifier: int, most: Sequence[int], tie_rule: TieRule = "more") -> FlushSolution:
    """The best play of every hand; `most[length]` is the largest raise in antes with a flush of this length.

    >>> from croupier.analysis.flush.dealer_hands import flush_strength
    >>> from croupier.hands import DEALER_MINIMUM
    >>> solved = best_play(flush_strength(DEALER_MINIMUM), (0, 0, 1, 1, 1, 2, 3, 3))
    >>> print(f"{float(-solved.expectation):.4%} of the ante, {float(solved.share(FOLD)):.2%} folded")
    2.6645% of the ante, 32.14% folded
    """
    if len(most) != 8 or min(most[2:]) < 1:
        raise Malformed(f"largest raises {most}: give one per flush length 0 to 7, from length 2 on at least one ante")
    strengths, limits = flush_strengths(), np.array(most, dtype=np.int64)
    tallies, standings = sum_flushes(strengths, check_bar(qualifier), limits, more=tie_rule == "more")
    tallies = tallies[:, :, 0].copy()  # no cards are marked
    raises = np.tile(np.array([FOLD, 1, 0]), (len(strengths), 1))
    raises[:, 2] = limits[strengths >> len(RANKS)]
    for table in (tallies, standings):
        table.setflags(write=False)
    return FlushSolution(by_raise(raises, tallies), tuple(most), strengths, tallies, standings)


def by_raise(raises: NDArray[Any], tallies: NDArray[Any]) -> dict[int, HandTally]:
    """Add up the tallies in the last axis of an array by what is raised on each."""
    sums = {int(times): HandTally(*tallies[raises == times].sum(axis=0).tolist()) for times in np.unique(raises)}
    return {times: tally for times, tally in sums.items() if tally.hands}


def raise_values(cards: Sequence[Card], qualifier: int, most: Sequence[int]) -> dict[int, Fraction]:
    """The expected result, in antes, of folding seven cards and of each raise.

    >>> from croupier.analysis.flush.dealer_hands import flush_strength
    >>> from croupier.cards import parse_cards
    >>> from croupier.hands import DEALER_MINIMUM
    >>> cards = parse_cards("Th 8h 6h Kd 9d Tc 2s")
    >>> values = raise_values(cards, flush_strength(DEALER_MINIMUM), (0, 0, 1, 1, 1, 2, 3, 3))
    >>> {times: round(float(value), 5) for times, value in values.items()}
    {0: -1.0, 1: -0.99949}
    """
    counts = HandTally(1, *dealer_counts(cards, qualifier))
    stakes = range(most[longest_flush(cards).length] + 1)
    means = (sum(result * deals for result, deals in _results(times, counts).items()) for times in stakes)
    return {times: Fraction(mean, DEALER_HANDS) for times, mean in zip(stakes, means, strict=True)}


@cache
def flush_strengths() -> Array:
    """The strengths of all 5,798 flushes of two to seven cards, weakest first."""
    strengths = np.sort(flush_table().astype(np.int64))
    strengths = strengths[strengths >= 2 << len(RANKS)]
    strengths.setflags(write=False)
    return strengths


def _results(times: int, tally: HandTally) -> dict[int, int]:
    """The deals by result in antes: below the qualifier the raise comes back and the ante is paid."""
    if times == FOLD:
        return {-1: tally.hands * DEALER_HANDS}
    return {-1 - times: tally.higher, 0: tally.equal, 1: tally.unqualified, 1 + times: tally.lower}
