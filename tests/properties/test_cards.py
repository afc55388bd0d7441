import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import DECK, RANKS, SUITS, Card, check_cards, format_cards, parse_cards, typed_cards
from croupier.errors import CardError

cards = st.sampled_from(DECK)


def test_the_deck_has_each_card_once_in_order_of_rank() -> None:
    assert len(set(DECK)) == len(set(map(str, DECK))) == 52
    assert [str(card) for card in DECK] == [rank + suit for rank in RANKS for suit in SUITS]
    assert [card.rank for card in DECK] == sorted(card.rank for card in DECK)


@given(cards)
def test_a_card_is_one_object_however_it_is_named(card: Card) -> None:
    assert Card(str(card)) is Card(int(card)) is card
    assert copy.deepcopy(card) == pickle.loads(pickle.dumps(card)) == card
    assert eval(repr(card)) is card


@given(st.lists(cards, unique=True))
def test_what_is_written_is_read(hand: list[Card]) -> None:
    assert parse_cards(format_cards(hand)) == tuple(hand)


@pytest.mark.parametrize(("text", "card"), [("10h", "Th"), ("Th", "Th"), ("2c", "2c"), ("As", "As")])
def test_notation(text: str, card: str) -> None:
    assert str(Card(text)) == card


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ah", "'ah' is not a card; did you mean Ah?"),
        ("AH", "did you mean Ah?"),
        ("A♥", "did you mean Ah?"),
        ("1h", "'1h' is not a card (a rank of 23456789TJQKA, then a suit of cdhs)"),
        ("", "'' is not a card"),
        ("10", "'10' is not a card"),
        ("Ahh", "'Ahh' is not a card"),
        ("x" * 500, "'xxxxxxxxxxxxxxxxxxxx…' is not a card"),
    ],
)
def test_what_is_no_card_is_refused(text: str, message: str) -> None:
    with pytest.raises(CardError) as refusal:
        Card(text)
    assert message in str(refusal.value)


SYMBOLS = {"c": "c C ♣ ♧ ♣\ufe0f", "d": "d D ♦ ♢ ♦\ufe0e", "h": "h H ♥ ♡ ♥\ufe0f", "s": "s S ♠ ♤ ♠\ufe0e"}


@st.composite
def typed_hands(draw: st.DrawFn) -> tuple[str, list[Card]]:
    """A hand, and one of the ways to type it."""
    hand = draw(st.lists(cards, unique=True, max_size=7))
    text = draw(st.sampled_from(["", " ", "  "]))
    for card in hand:
        rank = str(card)[0]
        ranks = [rank, rank.lower()] + (["10"] if rank == "T" else [])
        text += draw(st.sampled_from(ranks)) + draw(st.sampled_from(SYMBOLS[card.suit].split()))
        text += draw(st.sampled_from(["", " ", ",", ", ", " | ", "; ", "\t"]))
    return text, hand


@given(typed_hands())
def test_however_cards_are_typed_they_are_the_same_cards(typed: tuple[str, list[Card]]) -> None:
    text, hand = typed
    assert typed_cards(text) == tuple(hand)


@given(st.lists(cards, unique=True))
def test_what_programs_write_is_read_from_people_too(hand: list[Card]) -> None:
    assert typed_cards(format_cards(hand)) == parse_cards(format_cards(hand))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ah kx", "'kx' is not a card: write a rank and a suit, such as Ah, 10d or Q♠"),
        ("AhKhX", "'X' is not a card"),
        ("1h", "'1h' is not a card"),
        ("110h", "'110h' is not a card"),
        ("10", "'10' is not a card"),
        ("A h", "'A' is not a card"),
        ("\u212as", "is not a card"),  # the Kelvin sign folds to k
        ("A\u017f", "is not a card"),  # and the long s to s
        ("x" * 500, "'xxxxxxxxxxxxxxxxxxxx…' is not a card"),
        ("ah Ah", "duplicate card: Ah"),
        ("ahA♥", "duplicate card: Ah"),
    ],
)
def test_what_nobody_means_as_a_card_is_refused(text: str, message: str) -> None:
    with pytest.raises(CardError) as refusal:
        typed_cards(text)
    assert message in str(refusal.value)


@given(st.text())
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        read = typed_cards(text)
    except CardError:
        return
    assert typed_cards(format_cards(read)) == read


@pytest.mark.parametrize("number", [-1, 52, True])
def test_numbers_that_are_no_card_are_refused(number: int) -> None:
    with pytest.raises(CardError, match="is not a card: numbers go from 0"):
        Card(number)


def test_duplicates_and_wrong_counts_are_refused() -> None:
    with pytest.raises(CardError, match="duplicate card: Kd"):
        parse_cards("Ah Kd 2c Kd")
    with pytest.raises(CardError, match=r"^expected 5 cards, got 4$"):
        parse_cards("Ah Kd 2c 3c", count=5)
    with pytest.raises(CardError, match=r"^expected 3, 5, 6 or 7 cards, got 1$"):
        check_cards([DECK[0]], count={7, 5, 3, 6})


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read = parse_cards(text)
    except CardError:
        return
    assert len(read) == len(text.split())
