"""Paytables as arrays say what the paytables say, hand by hand."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import hands
from croupier.cards import DECK, Card, parse_cards
from croupier.hands import batch
from croupier.money import Dollars, For, Pay, Push, Share, To, parse_pay
from croupier.rulebook import Judged, line_of, load_rulebook, rulebook_ids
from croupier.rulebook.names import Evaluator
from croupier.rulebook.paytable_arrays import KINDS, METERS, FlatPays, flatten_pays
from croupier.rulebook.schema import Envy, Paytable

SIZES: dict[Evaluator, int] = {"five_card": 5, "three_card": 3, "six_card": 6, "flush": 7, "straight_flush": 7}


def every_table() -> list[tuple[Paytable | Envy, Evaluator]]:
    found: list[tuple[Paytable | Envy, Evaluator]] = []
    for rulebook in rulebook_ids():
        book = load_rulebook(rulebook)
        evaluators = {wager.paytables: wager.evaluator for wager in book.wagers.wager}
        tables = {table.id: table for table in book.paytables.paytable if table.group == "progressive"}
        found += [(table, table.evaluator or evaluators[table.group]) for table in book.paytables.paytable]
        found += [(envy, tables[envy.paytable].evaluator or evaluators["progressive"]) for envy in book.paytables.envy]
    return [(table, evaluator) for table, evaluator in found if evaluator in SIZES]


TABLES = every_table()


@cache
def flat_table(number: int) -> FlatPays:
    return flatten_pays(*TABLES[number])


def place(evaluator: Evaluator, cards: list[Card], flat: FlatPays) -> tuple[int, int]:
    """Strength and column of a hand, as a kernel finds them."""
    row = np.array([cards], dtype=np.uint8)
    suit = cards[0] % 4 if flat.line.shape[1] == 4 else 0
    match evaluator:
        case "five_card":
            return int(batch.five_card(row)[0]), 0
        case "three_card":
            return int(batch.three_card(row)[0]), suit
        case "six_card":
            return int(batch.six_card(row)[0]), suit
        case "flush":
            return batch.read_flush(int(batch.longest_flush(row)[0])).length, 0
        case _:
            return int(batch.longest_straight_flush(row)[0]), int(batch.four_of_a_kind(row)[0])


def judged(evaluator: Evaluator, cards: list[Card]) -> Judged:
    """The same hand by the scalar definitions."""
    match evaluator:
        case "five_card":
            return Judged(hands.five_card(cards))
        case "three_card":
            return Judged(hands.three_card(cards), cards[0].suit)
        case "six_card":
            return Judged(hands.six_card(cards), cards[0].suit)
        case "flush":
            return Judged(hands.longest_flush(cards))
        case _:
            return Judged(hands.longest_straight_flush(cards), quads=hands.four_of_a_kind(cards))


def as_pay(flat: FlatPays, line: int) -> Pay | None:
    kind = {number: name for name, number in KINDS.items()}[int(flat.kind[line])]
    amount = int(flat.amount[line])
    match kind:
        case "to":
            return To(amount)
        case "for":
            return For(amount)
        case "dollars":
            return Dollars(amount)
        case "share":
            return Share(amount, METERS[int(flat.meter[line])])
        case "push":
            return Push()
    return None


def same_pay(number: int, cards: list[Card]) -> None:
    table, evaluator = TABLES[number]
    flat = flat_table(number)
    line = line_of([line.hand for line in table.line], judged(evaluator, cards), evaluator=evaluator)
    wanted = None if line is None else parse_pay(table.line[line].pays)
    assert as_pay(flat, int(flat.line[place(evaluator, cards, flat)])) == wanted


@given(st.data())
def test_any_hand_falls_on_the_same_line(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(TABLES) - 1))
    size = SIZES[TABLES[number][1]]
    same_pay(number, data.draw(st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)))


RARE = [
    "Ah Kh Qh Jh Th", "9h Kh Qh Jh Th", "7c 7d 7h 7s Kc", "Jc Jd 3h 5s 9c", "Tc Td 3h 5s 9c", "6c 6d 3h 8s 9c",
    "5c 5d 3h 8s 9c", "As Ks Qs", "Ah Kh Qh", "Ac Kc Qc", "Ah 2h 3h", "Ad 9d Kd Qd Jd Td", "As 9s Ks Qs Js Ts",
    "As 9c Ks Qs Js Ts", "3h 4h 5h 6h 7h 8h 9h", "8s 9s Ts Js Qs Ks As", "9s Ts Js Qs Ks As 2c", "8s 9s Ts Js Qs Ks 2c",
    "5c 5d 5h 5s 6s 7s 2c", "5c 5d 5h 5s 6s 7s 8s", "2h 4h 6h 8h Th Qh Ac",
]  # fmt: skip


@pytest.mark.parametrize("text", RARE)
def test_rare_hands_fall_on_the_same_line(text: str) -> None:
    cards = list(parse_cards(text))
    for number, (_, evaluator) in enumerate(TABLES):
        if SIZES[evaluator] == len(cards):
            same_pay(number, cards)


@pytest.mark.clause("md-high-card-flush 12.C(7)")
def test_reading_66_quads_pay_25_above_a_three_card_and_below_a_four_card_straight_flush() -> None:
    (table,) = [one for one, _ in TABLES if isinstance(one, Paytable) and one.clause == "12.C(7)"]
    names = [line.hand for line in table.line]
    for text, pays in (("5c 5d 5h 5s 6s 7s 2c", "25 to 1"), ("5c 5d 5h 5s 6s 7s 8s", "50 to 1")):
        line = line_of(names, judged("straight_flush", list(parse_cards(text))), evaluator="straight_flush")
        assert line is not None
        assert table.line[line].pays == pays
