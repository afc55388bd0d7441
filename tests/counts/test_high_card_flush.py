"""High Card Flush: the dealer's hands counted by suits, against every one of them dealt out."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from croupier.analysis.flush.dealer_hands import DEALER_HANDS, DealerCounts, dealer_counts, flush_strength, own_strength
from croupier.analysis.flush.solve import (
    DEALS,
    FOLD,
    PLAYER_HANDS,
    FlushSolution,
    best_play,
    flush_strengths,
    raise_values,
)
from croupier.analysis.flush.strategies import (
    BY_HIGH_CARDS,
    NINE_SEVEN_FIVE,
    PUBLISHED,
    FlushStrategy,
    by_flush,
    divided_flushes,
    price,
)
from croupier.analysis.flush.sums import sum_flushes
from croupier.cards import DECK, Card, parse_cards
from croupier.errors import CardError, Malformed
from croupier.hands import DEALER_MINIMUM, Flush, batch, longest_flush
from croupier.hands.batch import Cards, jit
from croupier.hands.tables import read_flush

Sums: TypeAlias = NDArray[np.int64]

QUALIFIER = flush_strength(DEALER_MINIMUM)
MOST = (0, 0, 1, 1, 1, 2, 3, 3)
SPREAD = (
    "9c 2c 8d 3d 7h 4h 6s",  # two cards, below the qualifier
    "Th 8h 6h Td 8d 6d 2s",  # the flush twice
    "Kc 9c 4c 2c 3d 3h 3s",
    "Ad Jd 9d 6d 3d As 2c",
)
MANY = (
    *("Ac Kc Ad Kd Ah Kh As", "3c 2c 3d 2d 3h 2h 4s", "Ac 2c Qd 5d 7h 4h Ks", "Tc 9c 8d 7d 6h 5h 4s"),
    *("4h 3h 2h 5c 4c 5d 3s", "8h 7h 6h Ac Kc Qd 2s", "9h 3h 2h Kc 8c 7d 6s", "9h 3h 2h 9c 3c 2c Ks"),
    *("9h 4h 2h 8s 7s 6s Ad", "Th 8h 6h Ac 9c 2d 2s", "Jh 3h 2h Tc 9c 8c 7s", "Ah Kh Qh Ac Kc Qc 2d"),
    *("5h 4h 3h 2h Ac Kd Qs", "9h 8h 5h 3h 7c 6c 2c", "Kh Jh 9h 7h 5c 5d 5s", "Ah Kh Qh Jh Ac Kc Qc"),
    *("6h 5h 4h 3h 2h Ac Kd", "Qh 9h 7h 4h 2h Kc Kd", "Ah Kh Qh Jh 9h 2c 3c", "Jh Th 9h 8h 7h 7c 6c"),
    *("7h 6h 5h 4h 3h 2h Ac", "Ah Kh Qh Jh Th 9h 2c", "8h 7h 6h 5h 4h 3h 2h", "Ah Kh Qh Jh Th 9h 8h"),
)


@pytest.fixture(scope="module")
def solved() -> FlushSolution:
    return best_play(QUALIFIER, MOST)


@pytest.mark.parametrize("hand", SPREAD)
def test_counts_against_all_45_379_620_hands_of_the_dealer(hand: str) -> None:
    cards = parse_cards(hand)
    assert dealer_counts(cards, QUALIFIER) == dealt_out(cards)


@pytest.mark.torture
@pytest.mark.parametrize("hand", MANY)
def test_counts_of_many_more_hands(hand: str) -> None:
    cards = parse_cards(hand)
    assert dealer_counts(cards, QUALIFIER) == dealt_out(cards)


def test_every_hand_is_in_the_sums_by_the_length_of_its_flush(solved: FlushSolution) -> None:
    expected: Counter[int] = Counter()
    for suits in product(range(8), repeat=4):
        if sum(suits) == 7:
            expected[max(suits)] += prod(comb(13, count) for count in suits)
    found: Counter[int] = Counter()
    for strength, tally in zip(solved.strengths.tolist(), solved.tallies.sum(axis=1).tolist(), strict=True):
        found[read_flush(strength).length] += tally[0]
        assert sum(tally[1:]) == tally[0] * DEALER_HANDS
    assert found == expected
    assert sum(found.values()) == PLAYER_HANDS


def test_neither_side_is_favoured_by_the_cards(solved: FlushSolution) -> None:
    below, equal, above = solved.standings.sum(axis=0).tolist()
    assert below == above
    assert below + equal + above == DEALS


def test_both_sides_hold_the_same_hands(solved: FlushSolution) -> None:
    """The player's hands below the qualifier are as many as the dealer's."""
    weak = solved.strengths < QUALIFIER
    hands = solved.tallies.sum(axis=1)
    assert int(hands[weak, 0].sum()) * DEALER_HANDS == int(hands[:, 1].sum())
    assert not solved.tallies[weak, :, 2:4].any()


@pytest.mark.parametrize("flush", ["5h 2h", "Th 8h 6h", "Kh 8h 7h 2h", "9h 8h 5h 4h 2h", "Ah Jh 9h 4h 3h 2h"])
def test_sums_of_a_flush_are_those_of_its_hands(solved: FlushSolution, flush: str) -> None:
    ranks = sum(1 << card // 4 for card in parse_cards(flush))
    check_flush(solved, own_strength([ranks]))


@pytest.mark.torture
@pytest.mark.parametrize("place", range(0, 5798, 61))
def test_sums_of_many_more_flushes(solved: FlushSolution, place: int) -> None:
    check_flush(solved, int(flush_strengths()[place]))


def test_best_play(solved: FlushSolution) -> None:
    assert solved.expectation == Fraction(-1_348_050_875_653, 50_592_437_455_560)
    assert solved.average_wager == Fraction(57_234_683, 33_446_140)
    assert solved.element_of_risk == -solved.expectation / solved.average_wager
    assert [solved.by_raise[times].hands for times in range(4)] == [42_994_176, 86_701_156, 3_814_668, 274_560]
    assert sum(solved.share(times) for times in range(5)) == 1
    assert sum(solved.net.values()) == DEALS
    assert solved.variance == sum(
        (result - solved.expectation) ** 2 * Fraction(deals, DEALS) for result, deals in solved.net.items()
    )


def test_no_two_stakes_are_equally_good(solved: FlushSolution) -> None:
    assert best_play(QUALIFIER, MOST, "less").by_raise == solved.by_raise


def test_tie_rules_differ_where_stakes_are_equally_good() -> None:
    """A dealer that never qualifies pays every raise back, so that all raises are worth the same."""
    never = (8 << 13) - 1
    more, less = best_play(never, MOST, "more"), best_play(never, MOST, "less")
    assert more.expectation == less.expectation == 1
    assert list(less.by_raise) == [1]
    assert list(more.by_raise) == [1, 2, 3]


def test_a_dealer_that_always_qualifies() -> None:
    solved = best_play(0, MOST)
    assert not solved.tallies[:, :, 1].any()
    assert (solved.tallies[:, :, 2:].sum(axis=1) == solved.standings).all()
    assert dealer_counts(parse_cards(SPREAD[0]), 0)[0] == 0


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(Malformed, match="give one per flush length 0 to 7"):
        best_play(QUALIFIER, (1, 2, 3))
    with pytest.raises(Malformed, match="at least one ante"):
        best_play(QUALIFIER, (0, 0, 0, 1, 1, 2, 3, 3))
    with pytest.raises(Malformed, match="65536 is not the strength of a flush"):
        best_play(8 << 13, MOST)
    with pytest.raises(CardError, match="expected 7 cards, got 6"):
        dealer_counts(parse_cards("Ah Kh Qh Jh Th 9h"), QUALIFIER)


def test_strengths_are_those_of_the_definition() -> None:
    assert [
        flush_strength(read_flush(strength)) for strength in flush_strengths().tolist()
    ] == flush_strengths().tolist()


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True), st.permutations(range(4)))
def test_suits_are_equal_and_no_hand_is_lost(cards: list[Card], suits: list[int]) -> None:
    counts = dealer_counts(cards, QUALIFIER)
    assert sum(counts) == DEALER_HANDS
    assert min(counts) >= 0
    assert dealer_counts([Card(card // 4 * 4 + suits[card % 4]) for card in cards], QUALIFIER) == counts


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True))
def test_values_of_one_hand(cards: list[Card]) -> None:
    values = raise_values(cards, QUALIFIER, MOST)
    counts = dealer_counts(cards, QUALIFIER)
    assert list(values) == list(range(MOST[longest_flush(cards).length] + 1))
    assert values[FOLD] == -1
    assert values[1] == Fraction(counts.unqualified + 2 * (counts.lower - counts.higher), DEALER_HANDS)


def test_other_cards_matter_beside_ten_high_flushes_only(solved: FlushSolution) -> None:
    divided = divided_flushes(solved)
    assert list(divided) == sorted(Flush(3, (10, *lower)) for lower in combinations(range(9, 1, -1), 2))
    assert divided[Flush(3, (10, 3, 2))] == (244_620, 4_200)
    assert divided[Flush(3, (10, 8, 6))] == (152_340, 102_408)
    assert divided[Flush(3, (10, 9, 8))] == (68_580, 188_664)
    weaker, stronger = solved.strengths < flush_strength(min(divided)), solved.strengths > flush_strength(max(divided))
    assert not solved.tallies[weaker, 1:].any()
    assert not solved.tallies[stronger, FOLD].any()
    assert not solved.tallies[solved.strengths >> 13 >= 5, 1].any()


@pytest.mark.parametrize(
    ("strategy", "expectation"),
    [
        (BY_HIGH_CARDS, Fraction(-6_744_582_022_231, 252_962_187_277_800)),
        (NINE_SEVEN_FIVE, Fraction(-321_281_148_151, 12_045_818_441_800)),
        (PUBLISHED, Fraction(-2_286_257_119_043, 84_320_729_092_600)),
        (by_flush(Flush(2, (3, 2))), Fraction(-98_031_759_393, 980_473_594_100)),
    ],
)
def test_prices_of_strategies(solved: FlushSolution, strategy: FlushStrategy, expectation: Fraction) -> None:
    priced = price(strategy, QUALIFIER, MOST)
    assert priced.expectation == expectation < solved.expectation
    assert sum(priced.net.values()) == DEALS


def test_raising_always_gives_nobody_an_advantage_but_the_qualifier() -> None:
    """Against a dealer that always plays on, at one ante a side, both sides are in the same place."""
    assert price(by_flush(Flush(2, (3, 2))), 0, [1] * 8).expectation == 0


def test_a_strategy_by_flush_is_the_sum_of_its_flushes(solved: FlushSolution) -> None:
    """Another way to the same price: what raising gains over folding, flush by flush."""
    gains = gains_of(solved.tallies.sum(axis=1), solved.strengths)
    from_each = gains[::-1].cumsum()[::-1]
    best = int(from_each.argmax())
    assert read_flush(int(solved.strengths[best])) == PUBLISHED.raises_from(0)
    assert price(PUBLISHED, QUALIFIER, MOST).expectation == Fraction(int(from_each[best]), DEALS) - 1


def test_no_strategy_by_flush_and_high_cards_is_better() -> None:
    strengths = flush_strengths()
    tallies, _ = sum_flushes(strengths, QUALIFIER, np.array(MOST), marked=0b1111 << 9)
    for high_cards in range(8):
        sums = tallies[:, :, high_cards].sum(axis=1)
        least = flush_strength(BY_HIGH_CARDS.raises_from(high_cards))
        gains = gains_of(sums, strengths)
        assert (gains[strengths >= least] >= 0).all()
        assert (gains[strengths < least] <= 0).all()


@pytest.mark.parametrize("strategy", [BY_HIGH_CARDS, NINE_SEVEN_FIVE])
def test_a_strategy_decides_one_hand_as_it_is_priced(strategy: FlushStrategy) -> None:
    flush = flush_strength(Flush(3, (10, 7, 4)))
    strengths = np.array([flush])
    strengths.setflags(write=False)  # as those of all flushes are: the same kernel
    tallies, _ = sum_flushes(strengths, QUALIFIER, np.array(MOST), marked=0b1111 << 9)
    raised = [flush >= flush_strength(strategy.raises_from(high_cards)) for high_cards in range(8)]
    hands = sum(hands for cards, hands in hands_with(flush) if strategy.raises(cards, MOST))
    assert hands == tallies[0, :, raised, 0].sum()


def gains_of(tallies: Sums, strengths: Sums) -> Sums:
    """What the largest raise brings over a fold, by flush."""
    hands, unqualified, lower, _, higher = tallies.T
    stakes = 1 + np.array(MOST)[strengths >> 13]
    gains: Sums = hands * DEALER_HANDS + unqualified + stakes * (lower - higher)
    return gains


def check_flush(solved: FlushSolution, strength: int) -> None:
    """Against one hand after the other, each decided by the value of its raises."""
    tallies, standings = np.zeros((3, 5), dtype=np.int64), np.zeros(3, dtype=np.int64)
    most = MOST[strength >> 13]
    for cards, hands in hands_with(strength):
        counts = dealer_counts(cards, QUALIFIER)
        lead = counts.lower - counts.higher
        values = [-DEALER_HANDS, *(counts.unqualified + (1 + times) * lead for times in range(1, most + 1))]
        best = max(range(most + 1), key=lambda times: (values[times], times))
        tallies[0 if best == 0 else 1 if best == 1 else 2] += hands * np.array([1, *counts])
        standings += hands * np.array(dealer_counts(cards, 0)[1:])
    place = solved.strengths.tolist().index(strength)
    assert solved.tallies[place].tolist() == tallies.tolist()
    assert solved.standings[place].tolist() == standings.tolist()


def hands_with(strength: int) -> Iterator[tuple[list[Card], int]]:
    """One hand of each class of suits with this flush, and how many hands are like it but for their suits."""
    flush, length = strength & 0x1FFF, strength >> 13
    sets = [sum(1 << rank for rank in ranks) for size in range(4) for ranks in combinations(range(13), size)]
    sides = {
        size: [held for held in sets if held.bit_count() == size and own_strength([held]) <= strength]
        for size in range(4)
    }
    for sizes in combinations_with_replacement(range(4), 3):
        if sum(sizes) == 7 - length:
            seen = {tuple(sorted(held)) for held in product(*(sides[size] for size in sizes))}
            for held in seen:
                suits = (flush, *held)
                alike = prod(factorial(count) for count in Counter(suits).values())
                yield (
                    [DECK[4 * rank + suit] for suit in range(4) for rank in range(13) if suits[suit] >> rank & 1],
                    24 // alike,
                )


def dealt_out(cards: tuple[Card, ...]) -> DealerCounts:
    """Every hand of the dealer, one after the other."""
    left = np.array([card for card in DECK if card not in cards], dtype=np.uint8)
    strengths = np.array([ranks.bit_count() << 13 | ranks for ranks in range(1 << 13)])
    own = int(batch.longest_flush(np.array([cards], dtype=np.uint8))[0])
    counts = np.zeros(4, dtype=np.int64)
    deal_out(left, strengths, own, QUALIFIER, counts)
    return DealerCounts(*counts.tolist())


@jit
def deal_out(left: Cards, strengths: Sums, own: int, least: int, counts: Sums) -> None:
    hand = np.arange(7)
    suits = np.zeros(4, dtype=np.int64)
    while True:
        suits[:] = 0
        for place in hand:
            suits[left[place] & 3] |= 1 << (left[place] >> 2)
        dealer = max(strengths[suits[0]], strengths[suits[1]], strengths[suits[2]], strengths[suits[3]])
        if dealer < least:
            counts[0] += 1
        else:
            counts[1 if dealer < own else 2 if dealer == own else 3] += 1
        turn = 6
        while turn >= 0 and hand[turn] == 38 + turn:
            turn -= 1
        if turn < 0:
            break
        hand[turn] += 1
        for later in range(turn + 1, 7):
            hand[later] = hand[later - 1] + 1
