"""Hand ranks, each by the clause that defines it."""

import pytest
from _pytest.mark.structures import ParameterSet

from croupier.cards import parse_cards
from croupier.hands import (
    Flush,
    StraightFlush,
    dealer_qualifies,
    five_card,
    four_of_a_kind,
    longest_flush,
    longest_straight_flush,
    six_card,
    three_card,
)

BOOKS = {
    "MS": "md-mississippi-stud",
    "MA": "ma-mississippi-stud",
    "LIR": "md-let-it-ride",
    "HCF": "md-high-card-flush",
}


def rows(*cases: tuple[str, str, str]) -> list[ParameterSet]:
    """Each case names its clauses, as book and number, separated by commas."""
    found = []
    for clauses, cards, hand in cases:
        cited = [f"{BOOKS[book]} {number}" for book, number in map(str.split, clauses.split(", "))]
        found.append(pytest.param(cards, hand, marks=pytest.mark.clause(*cited), id=f"{clauses}: {cards}"))
    return found


@pytest.mark.parametrize(
    ("cards", "hand"),
    rows(
        ("MS 6.D(1), MA 5(b)(1), LIR .06C(1)", "As Ks Qs Js Ts", "royal_flush A"),
        ("MS 6.D(2), MA 5(b)(2), LIR .06C(2)", "9h Th Jh Qh Kh", "straight_flush K"),
        ("MS 6.D(2), MA 5(b)(2), LIR .06F(2)", "Ah 2h 3h 4h 5h", "straight_flush 5"),
        ("MS 6.D(3), MA 5(b)(3), LIR .06C(3)", "7c 7d 7h 7s Kc", "four_of_a_kind 7K"),
        ("MS 6.D(4), MA 5(b)(4), LIR .06C(4)", "Qc Qd Qh 4s 4c", "full_house Q4"),
        ("MS 6.D(5), MA 5(b)(5), LIR .06C(5)", "2d 5d 9d Jd Kd", "flush KJ952"),
        ("MS 6.D(6), MA 5(b)(6), LIR .06C(6)", "5h 6c 7d 8s 9h", "straight 9"),
        ("MS 6.B, MA 5(a), LIR .06A(1)", "Ah 2c 3d 4s 5h", "straight 5"),
        ("MS 6.B, MA 5(a), LIR .06A(2)", "Qh Kc Ad 2s 3h", "nothing AKQ32"),
        ("MS 6.D(7), MA 5(b)(7), LIR .06C(7)", "8c 8d 8h Ks 2c", "three_of_a_kind 8K2"),
        ("MS 6.D(8), MA 5(b)(8), LIR .06C(8)", "Jc Jd 3h 3s 9c", "two_pair J39"),
        ("MS 6.D(9), MA 5(b)(9), LIR .06C(9)", "Qh Qd 9c 5s 2h", "pair Q952"),
    ),
)
def test_five_cards(cards: str, hand: str) -> None:
    assert named(five_card(parse_cards(cards))) == hand


@pytest.mark.parametrize(
    ("cards", "hand"),
    rows(
        ("MS 6.E(1)", "Ac Kc Qc", "mini_royal A"),
        ("MS 6.E(2), LIR .06D(1)", "6s 7s 8s", "straight_flush 8"),
        ("MS 6.E(2), LIR .06D(1)", "Ah 2h 3h", "straight_flush 3"),
        ("MS 6.E(3), LIR .06D(2)", "Kc Kd Kh", "three_of_a_kind K"),
        ("MS 6.E(4), LIR .06D(3)", "9c Td Jh", "straight J"),
        ("MS 6.E(4), LIR .06D(3)", "Ac 2d 3h", "straight 3"),
        ("MS 6.E(4), LIR .06D(3)", "Kc Ad 2h", "nothing AK2"),
        ("MS 6.E(5), LIR .06D(4)", "2h 8h Kh", "flush K82"),
        ("MS 6.E(6), LIR .06D(5)", "4c 4d Jh", "pair 4J"),
    ),
)
def test_three_cards(cards: str, hand: str) -> None:
    assert named(three_card(parse_cards(cards))) == hand


@pytest.mark.clause("md-mississippi-stud 6.E*")
def test_three_cards_reading_53_without_a_low_ace() -> None:
    assert named(three_card(parse_cards("Ah 2h 3h"), ace_low=False)) == "flush A32"
    assert named(three_card(parse_cards("Ah 2c 3h"), ace_low=False)) == "nothing A32"


@pytest.mark.clause("md-mississippi-stud 6.E*")
def test_6_e_three_card_ladder() -> None:
    ladder = ["2c 5d 9h", "4c 4d Jh", "2h 8h Kh", "9c Td Jh", "5c 5d 5h", "6s 7s 8s", "Ac Kc Qc"]
    hands = [three_card(parse_cards(cards)) for cards in ladder]
    assert hands == sorted(hands)


@pytest.mark.parametrize(
    ("cards", "hand"),
    rows(
        ("MS 6.F(1), LIR .06E(1)", "As Ks Qs Js Ts 2d", "royal_flush A"),
        ("MS 6.F(2), LIR .06E(2)", "5d 6d 7d 8d 9d Kc", "straight_flush 9"),
        ("MS 6.F(3), LIR .06E(3)", "9c 9d 9h 9s 3c Kd", "four_of_a_kind 9K"),
        ("MS 6.F(4), LIR .06E(4)", "9c 9d 9h 4s 4c Kd", "full_house 94"),
        ("MS 6.F(5), LIR .06E(5)", "2h 5h 9h Jh Kh 3c", "flush KJ952"),
        ("MS 6.F(6), LIR .06E(6)", "5c 6h 7d 8s 9h Kc", "straight 9"),
        ("MS 6.F(7), LIR .06E(7)", "9c 9d 9h 2s 5c Kd", "three_of_a_kind 9K5"),
        ("MS 6.F(8), LIR .06E(8)", "Ad 9d Kd Qd Jd Td", "super_royal A"),
        ("MS 6.F(8), LIR .06E(8)", "Ad 9d Kd Qd Jd Tc", "flush AKQJ9"),
    ),
)
def test_six_cards(cards: str, hand: str) -> None:
    assert named(six_card(parse_cards(cards))) == hand


@pytest.mark.parametrize(
    ("cards", "hand"),
    rows(
        ("HCF 6.C(1)", "2h 4h 6h 8h Th Qh Ah", "7 AQT8642"),
        ("HCF 6.C(2)", "2c 4c 6c 8c Tc Qc Ah", "6 QT8642"),
        ("HCF 6.C(3)", "2s 4s 6s 8s Ts Qc Ah", "5 T8642"),
        ("HCF 6.C(4)", "2c 3c 4c 5c Ah Kh Qh", "4 5432"),
        ("HCF 6.C(5)", "Kh 8h 3h Jc Tc 2d 4s", "3 K83"),
        ("HCF 11.B(5)(b)", "Kh 8h 3h Jc Tc 9c 2d", "3 K83"),
        ("HCF 6.C(6)", "Ah 2h Kc Qc Jd Td 9s", "2 A2"),
    ),
)
def test_longest_flush(cards: str, hand: str) -> None:
    flush = longest_flush(parse_cards(cards))
    length, ranks = hand.split()
    assert (flush.length, named_ranks(flush.ranks)) == (int(length), ranks)


@pytest.mark.clause("md-high-card-flush 6.D(1)", "md-high-card-flush 6.A")
def test_6_d_1_highest_card_not_in_the_other_hand_wins() -> None:
    assert Flush(3, (13, 12, 9)) > Flush(3, (13, 12, 8))
    assert Flush(3, (14, 3, 2)) > Flush(3, (13, 12, 11))
    assert Flush(4, (5, 4, 3, 2)) > Flush(3, (14, 13, 12))


@pytest.mark.clause("md-high-card-flush 6.D(2)", "md-high-card-flush 6.B")
def test_6_d_2_same_ranks_in_two_suits_tie() -> None:
    spades = longest_flush(parse_cards("Ks Qs 9s 2c 4d 6h 8c"))
    hearts = longest_flush(parse_cards("Kh Qh 9h 2c 4d 6s 8c"))
    assert spades == hearts


@pytest.mark.parametrize(
    ("cards", "hand"),
    rows(
        ("HCF 6.E(1)", "3h 4h 5h 6h 7h 8h 9h", "7 9"),
        ("HCF 6.E(2)", "4c 5c 6c 7c 8c 9c Kd", "6 9"),
        ("HCF 6.E(3)", "5s 6s 7s 8s 9s Kd 2c", "5 9"),
        ("HCF 6.E(4)", "Td Jd Qd Kd 2c 4h 6s", "4 K"),
        ("HCF 6.E(5)", "6h 7h 8h 2c 4c 9c Kc", "3 8"),
        ("HCF 6.E(5)", "Ah 2h 3h 4c 6c 9d Kc", "3 3"),
        ("HCF 6.E(5)", "Kh Ah 2h 4c 6c 9d Jc", "2 A"),
        ("HCF 12.E(1)(d)", "9s Ts Js Qs Ks As 2c", "6 A"),
    ),
)
def test_longest_straight_flush(cards: str, hand: str) -> None:
    found = longest_straight_flush(parse_cards(cards))
    length, top = hand.split()
    assert (found.length, named_ranks((found.top,))) == (int(length), top)


@pytest.mark.clause("md-high-card-flush 6.E(5)")
def test_reading_56_without_a_low_ace() -> None:
    cards = parse_cards("Ah 2h 3h 4c 6c 9d Kc")
    assert longest_straight_flush(cards, ace_low=False) == StraightFlush(2, 3)


@pytest.mark.clause("md-high-card-flush 12.C(7)")
def test_12_c_7_e_four_of_a_kind_among_seven() -> None:
    assert four_of_a_kind(parse_cards("9c 9d 9h 9s 2c 3d 4h"))
    assert not four_of_a_kind(parse_cards("9c 9d 9h 8s 8c 8d 4h"))


@pytest.mark.clause("md-high-card-flush 11.B(5)(c)", "md-high-card-flush 2.B(7)(b)")
def test_11_b_5_c_dealer_qualifies_from_nine_high() -> None:
    assert dealer_qualifies(Flush(3, (9, 3, 2)))
    assert not dealer_qualifies(Flush(3, (8, 7, 6)))
    assert not dealer_qualifies(Flush(2, (14, 13)))
    assert dealer_qualifies(Flush(4, (8, 5, 4, 2))), "reading 64: any four-card flush qualifies"


@pytest.mark.clause("md-mississippi-stud 6.C", "md-let-it-ride .06B")
def test_6_c_no_suit_outranks_another() -> None:
    assert five_card(parse_cards("2s 5s 9s Js Ks")) == five_card(parse_cards("2c 5c 9c Jc Kc"))


@pytest.mark.clause("md-mississippi-stud 6.A", "md-let-it-ride .06A")
def test_6_a_ranks_from_ace_down() -> None:
    highs = [five_card(parse_cards(f"{rank}c 2d 3h 4s 6c")) for rank in "789TJQKA"]
    assert highs == sorted(highs)


@pytest.mark.clause("md-mississippi-stud 6.D*", "ma-mississippi-stud 5(b)*")
def test_6_d_five_card_ladder() -> None:
    ladder = [
        "2c 5d 9h Js Kc", "Qh Qd 9c 5s 2h", "Jc Jd 3h 3s 9c", "8c 8d 8h Ks 2c", "Ah 2c 3d 4s 5h", "2d 5d 9d Jd Kd",
        "Qc Qd Qh 4s 4c", "7c 7d 7h 7s Kc", "9h Th Jh Qh Kh", "As Ks Qs Js Ts",
    ]  # fmt: skip
    hands = [five_card(parse_cards(cards)) for cards in ladder]
    assert hands == sorted(hands)


def named(hand: object) -> str:
    return f"{hand.name} {named_ranks(hand.ranks)}"  # type: ignore[attr-defined]


def named_ranks(ranks: tuple[int, ...]) -> str:
    return "".join("23456789TJQKA"[rank - 2] for rank in ranks)
