"""Hands against the naive second implementation, and what must hold for any cards."""

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import hands
from croupier.cards import DECK, SUITS, Card
from croupier.errors import CardError
from croupier.hands.describe import senses
from support import naive


def some(size: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)


def one_or_two_suits(size: int) -> st.SearchStrategy[list[Card]]:
    """Straights, flushes and straight flushes are too rare in plain samples."""
    clubs_and_spades = [card for card in DECK if card.suit in "cs"]
    run = st.integers(0, 26 - size - 3).map(lambda start: clubs_and_spades[start : start + size + 3])
    return run.flatmap(lambda few: st.lists(st.sampled_from(few), min_size=size, max_size=size, unique=True))


def texts(cards: list[Card]) -> list[str]:
    return [str(card) for card in cards]


@given(some(5) | one_or_two_suits(5))
def test_five_cards_twice(cards: list[Card]) -> None:
    found = hands.five_card(cards)
    assert (found.category, list(found.ranks)) == naive.five(texts(cards))
    assert found.name == naive.FIVE[found.category]


@given(some(3) | one_or_two_suits(3), st.booleans())
def test_three_cards_twice(cards: list[Card], ace_low: bool) -> None:
    found = hands.three_card(cards, ace_low=ace_low)
    assert (found.category, list(found.ranks)) == naive.three(texts(cards), ace_low=ace_low)
    assert found.name == naive.THREE[found.category]


@given(some(6) | one_or_two_suits(6))
def test_six_cards_twice(cards: list[Card]) -> None:
    found = hands.six_card(cards)
    assert (found.category, list(found.ranks)) == naive.six(texts(cards))
    assert found.name == naive.SIX[found.category]


@given(some(7) | one_or_two_suits(7), st.booleans())
def test_seven_cards_twice(cards: list[Card], ace_low: bool) -> None:
    flush = hands.longest_flush(cards)
    assert (flush.length, list(flush.ranks)) == naive.flush_of_seven(texts(cards))
    run = hands.longest_straight_flush(cards, ace_low=ace_low)
    assert (run.length, run.top) == naive.straight_flush_of_seven(texts(cards), ace_low=ace_low)
    assert hands.four_of_a_kind(cards) == naive.four_alike(texts(cards))
    assert hands.dealer_qualifies(flush) == naive.dealer_plays(texts(cards))


@given(st.sampled_from(range(13)), some(7))
def test_four_of_a_kind_twice(rank: int, cards: list[Card]) -> None:
    quads = [*DECK[4 * rank : 4 * rank + 4], *(card for card in cards if card.rank != rank + 2)][:7]
    if len(quads) == 7:
        assert hands.four_of_a_kind(quads)
        assert naive.four_alike(texts(quads))


@given(st.permutations(DECK), st.permutations(SUITS))
def test_order_and_suits_do_not_matter(deck: list[Card], suits: list[str]) -> None:
    renamed = [Card(str(card)[0] + suits[SUITS.index(card.suit)]) for card in deck]
    assert hands.five_card(deck[:5]) == hands.five_card(sorted(renamed[:5]))
    assert hands.three_card(deck[:3]) == hands.three_card(sorted(renamed[:3]))
    assert hands.six_card(deck[:6]) == hands.six_card(sorted(renamed[:6]))
    assert hands.longest_flush(deck[:7]) == hands.longest_flush(sorted(renamed[:7]))
    assert hands.longest_straight_flush(deck[:7]) == hands.longest_straight_flush(sorted(renamed[:7]))


@given(some(7))
def test_a_sixth_card_never_weakens(cards: list[Card]) -> None:
    five, six = hands.five_card(cards[:5]), hands.six_card(cards[:6])
    assert (int(six.category), six.ranks) >= (int(five.category), five.ranks)


@pytest.mark.parametrize("size", [3, 5, 6, 7])
def test_wrong_counts_and_duplicates_are_refused(size: int) -> None:
    judges: dict[int, Callable[[Sequence[Card]], object]] = {
        3: hands.three_card,
        5: hands.five_card,
        6: hands.six_card,
        7: hands.longest_flush,
    }
    for wrong in (DECK[: size - 1], DECK[: size + 1], ()):
        with pytest.raises(CardError, match=f"expected {size} cards, got"):
            judges[size](wrong)
    with pytest.raises(CardError, match="duplicate card: 2c"):
        judges[size](DECK[: size - 1] + DECK[:1])


@pytest.mark.parametrize("judge", [hands.five_card, hands.six_card, hands.three_card, hands.longest_flush])
@pytest.mark.parametrize("wrong", [-52, 52, None, 1.5, "zz", b"Ah"])
def test_what_is_no_card_is_refused_cold_and_warm(judge: Callable[[Sequence[Card]], object], wrong: Card) -> None:
    for _ in range(2):
        for size in (3, 5, 6, 7):
            with pytest.raises(CardError):
                judge([*DECK[: size - 1], wrong])


def test_plain_numbers_are_cards_cold_and_warm() -> None:
    for _ in range(2):
        assert hands.five_card([0, 5, 10, 15, 16]).name == "straight"  # type: ignore[list-item]
    assert hands.six_card(iter(DECK[:6])).name == "four_of_a_kind"  # type: ignore[arg-type]


def test_three_equal_of_three_in_any_place_are_refused() -> None:
    for cards in permutations([DECK[0], DECK[0], DECK[1]]):
        with pytest.raises(CardError, match="duplicate card: 2c"):
            hands.three_card(cards)


@given(st.sampled_from((3, 5, 6, 7)).flatmap(some))
def test_a_text_of_cards_is_judged_as_the_cards(cards: list[Card]) -> None:
    judges: dict[int, Callable[[str | Sequence[Card]], object]] = {
        3: hands.three_card,
        5: hands.five_card,
        6: hands.six_card,
        7: hands.longest_flush,
    }
    text = " ".join(map(str, cards))
    assert judges[len(cards)](text) == judges[len(cards)](cards)
    assert senses(text) == senses(cards)
    if len(cards) == 7:
        assert hands.longest_straight_flush(text) == hands.longest_straight_flush(cards)
        assert hands.four_of_a_kind(text) == hands.four_of_a_kind(cards)


@given(st.sampled_from((3, 5, 6, 7)).flatmap(some))
def test_every_sense_is_said_in_words(cards: list[Card]) -> None:
    for sense in senses(cards):
        assert all(sense)


def test_hands_of_different_kinds_do_not_compare() -> None:
    with pytest.raises(TypeError):
        assert hands.five_card(DECK[:5]) < hands.six_card(DECK[:6])  # type: ignore[operator]
