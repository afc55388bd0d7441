"""How many hands fall on each line of a paytable, counted over every hand there is.

Poker hands are counted by looking at each. Seven cards of High Card Flush are counted suit by suit: when every suit
has the same limit, the number of hands is the coefficient of x^7 in the fourth power of one suit's polynomial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import comb
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.streets.five_card_kinds import KINDS, five_card_counts
from croupier.cards import RANKS, SUITS
from croupier.hands import Flush, SixCard, ThreeCard, batch
from croupier.hands.tables import SUITED, run_table
from croupier.rulebook import Judged, line_of
from croupier.rulebook.names import Evaluator, HandName

__all__ = ["NOTHING", "HandCount", "flush_and_run_counts", "hand_counts", "line_counts"]

HandCount: TypeAlias = tuple[Judged, int]
NOTHING = "nothing"
"""The line of every hand that no printed line pays."""


def line_counts(hands: Sequence[HandName], counts: Sequence[HandCount], *, evaluator: Evaluator) -> tuple[int, ...]:
    """How many hands fall on each line, and last how many on none.

    >>> line_counts(["three_of_a_kind", "pair"], hand_counts("three_card"), evaluator="three_card")
    (52, 3744, 18304)
    """
    tally = [0] * (len(hands) + 1)
    for judged, count in counts:
        line = line_of(hands, judged, evaluator=evaluator)
        tally[len(hands) if line is None else line] += count
    return tuple(tally)


@cache
def hand_counts(evaluator: Evaluator, *, ace_low: bool = True) -> tuple[HandCount, ...]:
    """Every hand as a paytable of this evaluator sees it, with its count."""
    match evaluator:
        case "five_card":
            return tuple((Judged(kind), count) for kind, count in zip(KINDS, five_card_counts(), strict=True))
        case "three_card":
            ladder = batch.three_card_ladder(ace_low=ace_low)
            judge: Callable[[batch.Cards], NDArray[Any]] = lambda cards: batch.three_card(cards, ace_low=ace_low)  # noqa: E731
            return tuple(_by_suit(ladder, _strengths(3, judge), {ThreeCard.MINI_ROYAL}))
        case "six_card":
            return tuple(_by_suit(batch.six_card_ladder(), _strengths(6, batch.six_card), {SixCard.SUPER_ROYAL}))
        case "flush":
            return tuple((Judged(Flush(length, ())), count) for length, count in flush_counts())
        case "straight_flush":
            return tuple(_run_counts(ace_low=ace_low))
        case "against_dealer":
            raise ValueError("a hand against the dealer's is not on a line of its own")


def _strengths(size: int, judge: Callable[[batch.Cards], NDArray[Any]]) -> NDArray[np.int64]:
    counts = np.zeros(1 << 16, dtype=np.int64)
    for block in batch.all_hands(size):
        counts += np.bincount(judge(block), minlength=len(counts))
    return counts


def _by_suit(ladder: Sequence[Any], counts: NDArray[np.int64], suited: set[Any]) -> Iterator[HandCount]:
    """The hands of these categories lie in one suit, each equally often; of the others no line asks the suit."""
    for hand, count in zip(ladder, counts.tolist(), strict=False):
        if hand.category in suited:
            yield from ((Judged(hand, suit), count // len(SUITS)) for suit in SUITS)
        else:
            yield Judged(hand), count


# --- seven cards


Suit: TypeAlias = tuple[int, ...]
"""How many sets of 0 to 7 ranks of one suit are allowed."""


def seven_cards(suit: Suit) -> int:
    """Hands of seven cards each of whose four suits holds an allowed set.

    >>> seven_cards(tuple(comb(13, size) for size in range(8)))
    133784560
    """
    pair = [sum(suit[i] * suit[size - i] for i in range(size + 1)) for size in range(8)]
    return sum(pair[i] * pair[7 - i] for i in range(8))


@cache
def flush_counts() -> tuple[tuple[int, int], ...]:
    """Hands by the length of their longest flush."""
    at_most = [seven_cards(tuple(comb(13, size) * (size <= longest) for size in range(8))) for longest in range(8)]
    return tuple((length, at_most[length] - at_most[length - 1]) for length in range(2, 8))


def flush_and_run_counts(*, ace_low: bool) -> Iterator[tuple[int, Judged, int]]:
    """Hands by the length of their longest flush and their longest run in one suit, each with its count."""
    below = [0] * 256
    for longest in range(2, 8):
        at_most = _at_most(ace_low=ace_low, longest=longest)
        before = dict.fromkeys((False, True), 0)
        for strength, counts in at_most:
            for quads in (False, True):
                key = 2 * strength + quads
                count = counts[quads] - before[quads] - below[key]
                below[key] += count
                before[quads] = counts[quads]
                if count:
                    yield longest, Judged(batch.read_straight_flush(strength), quads=quads), count


def _run_counts(*, ace_low: bool) -> Iterator[HandCount]:
    counts: dict[Judged, int] = {}
    for _, judged, count in flush_and_run_counts(ace_low=ace_low):
        counts[judged] = counts.get(judged, 0) + count
    return iter(counts.items())


def _at_most(*, ace_low: bool, longest: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """For each strength of a run: hands with no stronger one and no longer flush, without and with four of a kind."""
    runs = run_table(ace_low=ace_low)
    sizes = np.array([bits.bit_count() for bits in range(SUITED)])
    fits = sizes <= longest
    holds = [(np.arange(SUITED) >> rank & 1).astype(bool) for rank in range(len(RANKS))]
    for strength in np.unique(runs).tolist():
        allowed = (runs <= strength) & fits
        every = seven_cards(_sizes(sizes[allowed]))
        # Seven cards hold four of one rank at most once, so the ranks can be added up.
        quads = sum(seven_cards(_sizes(sizes[allowed & held])) for held in holds)
        yield strength, (every - quads, quads)


def _sizes(sizes: NDArray[Any]) -> Suit:
    return tuple(np.bincount(sizes, minlength=8).tolist()[:8])
