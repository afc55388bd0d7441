"""The highest hand at the table, counted by picking pairs, against formulas and against dealing every hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.cover_all import MOST_PLAYERS, Groups, board_classes, highest_of, highest_on, matchings
from croupier.cards import DECK, Card, format_cards, parse_cards
from croupier.errors import CardError, Malformed
from croupier.hands import FiveCard, five_card

RANDOM = Random(1755)
BOARDS = [
    *map(parse_cards, ["Th Jh Qh", "5s 6s 7s", "2c 3c 4c", "5s 6h 7s", "9c 9d 9h", "5s 5d Kc"]),
    *(tuple(RANDOM.sample(DECK, 3)) for _ in range(12)),
]
PETERSEN = (
    [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)] + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
)


def test_one_player_has_the_2_598_960_five_card_hands_ten_times_each() -> None:
    """Any three of the five cards may be the board."""
    once = {
        FiveCard.ROYAL_FLUSH: 4,
        FiveCard.STRAIGHT_FLUSH: 36,
        FiveCard.FOUR_OF_A_KIND: 624,
        FiveCard.FULL_HOUSE: 3_744,
        FiveCard.FLUSH: 5_108,
        FiveCard.STRAIGHT: 10_200,
        FiveCard.THREE_OF_A_KIND: 54_912,
        FiveCard.TWO_PAIR: 123_552,
        FiveCard.PAIR: 1_098_240,
        FiveCard.NOTHING: 1_302_540,
    }
    assert highest_of(1) == {hand: 10 * count for hand, count in once.items()}


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
def test_every_deal_is_counted_once(players: int) -> None:
    assert sum(highest_of(players).values()) == deals(players)
    assert min(highest_of(players).values()) > 0


@pytest.mark.parametrize("players", range(1, MOST_PLAYERS + 1))
def test_a_board_has_a_royal_flush_for_one_player_only(players: int) -> None:
    """So the chance of one at the table is the sum of the players' chances."""
    assert Fraction(highest_of(players)[FiveCard.ROYAL_FLUSH], deals(players)) == Fraction(4 * players, comb(52, 5))


@pytest.mark.parametrize("board", BOARDS, ids=format_cards)
def test_two_players_on_a_board_by_dealing_every_hand(board: tuple[Card, ...]) -> None:
    assert highest_on(board, players=2) == two_players(board)


@pytest.mark.torture
def test_two_players_on_all_boards_by_dealing_every_hand() -> None:
    found: Counter[FiveCard] = Counter()
    for board, size in board_classes().items():
        for hand, count in two_players(board).items():
            found[hand] += size * count
    assert highest_of(2) == found


def test_the_1_755_classes_hold_every_board_once() -> None:
    seen: set[tuple[int, ...]] = set()
    for board, size in board_classes().items():
        renamed = {tuple(sorted(card // 4 * 4 + suits[card % 4] for card in board)) for suits in permutations(range(4))}
        assert len(renamed) == size
        assert not seen & renamed
        seen |= renamed
    assert len(board_classes()) == 1_755
    assert seen == set(combinations(range(52), 3))


@st.composite
def graphs(draw: st.DrawFn) -> Groups:
    """At most nine cards in groups of one or more."""
    sizes = draw(st.lists(st.integers(1, 4), max_size=9).filter(lambda sizes: sum(sizes) <= 9))
    joined = {pair: draw(st.integers(0, 1)) for pair in pairs_of_groups(len(sizes))}
    every = range(len(sizes))
    return Groups(tuple(sizes), tuple(tuple(joined[min(i, j), max(i, j)] for j in every) for i in every))


@given(graphs())
def test_matchings_of_small_graphs_by_picking_every_set_of_pairs(groups: Groups) -> None:
    assert matchings(groups) == picked(edges_of(groups))


def test_matchings_of_the_petersen_graph() -> None:
    """Its matching polynomial is x^10 - 15x^8 + 75x^6 - 145x^4 + 90x^2 - 6."""
    kinds = [[0] * 10 for _ in range(10)]
    for one, other in PETERSEN:
        kinds[one][other] = kinds[other][one] = 1
    petersen = Groups((1,) * 10, tuple(map(tuple, kinds)))
    assert matchings(petersen) == picked(PETERSEN) == (1, 15, 75, 145, 90, 6, 0)


@pytest.mark.parametrize("cards", range(14))
def test_matchings_where_any_two_cards_make_something(cards: int) -> None:
    """Pick 2k cards; they fall into pairs in (2k)! / (k! 2^k) ways."""
    expected = tuple(comb(cards, 2 * k) * factorial(2 * k) // (factorial(k) * 2**k) for k in range(MOST_PLAYERS + 1))
    assert matchings(Groups((cards,), ((1,),))) == expected


@pytest.mark.parametrize("players", [-1, 0, 7])
def test_so_many_players_are_not_counted(players: int) -> None:
    with pytest.raises(Malformed, match=f"^{players} players: the highest hand is counted for 1 to 6$"):
        highest_of(players)
    with pytest.raises(Malformed, match=f"^{players} players: "):
        highest_on(DECK[:3], players)


def test_a_board_is_three_cards() -> None:
    with pytest.raises(CardError, match="expected 3 cards, got 2"):
        highest_on(DECK[:2], players=1)


def deals(players: int) -> int:
    """Boards with sets of hands, from all orders of the deck."""
    return factorial(52) // (factorial(3) * (1 << players) * factorial(49 - 2 * players) * factorial(players))


def two_players(board: tuple[Card, ...]) -> dict[FiveCard, int]:
    """Each two hands that share no card, judged by the readable definition."""
    hands = list(combinations([card for card in DECK if card not in board], 2))
    made = np.array([five_card((*board, *hand)).category for hand in hands], dtype=np.uint8)
    cards = np.array([1 << hand[0] | 1 << hand[1] for hand in hands], dtype=np.uint64)
    one, other = np.triu_indices(len(hands), 1)
    dealt = (cards[one] & cards[other]) == 0
    counts = np.bincount(np.maximum(made[one], made[other])[dealt], minlength=len(FiveCard))
    return dict(zip(FiveCard, counts.tolist(), strict=True))


def pairs_of_groups(groups: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(groups) for j in range(i, groups)]


def edges_of(groups: Groups) -> list[tuple[int, int]]:
    """The graph with every card by itself."""
    cards = [group for group, size in enumerate(groups.sizes) for _ in range(size)]
    return [(i, j) for i, j in combinations(range(len(cards)), 2) if groups.kinds[cards[i]][cards[j]]]


def picked(edges: list[tuple[int, int]], pairs: int = 0) -> tuple[int, ...]:
    """Every set of disjoint pairs, one by one, by size."""
    counts = [int(pairs == k) for k in range(MOST_PLAYERS + 1)]
    for place, edge in enumerate(edges):
        apart = [other for other in edges[place + 1 :] if not set(edge) & set(other)]
        counts = [count + more for count, more in zip(counts, picked(apart, pairs + 1), strict=True)]
    return tuple(counts)
