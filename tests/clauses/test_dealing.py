"""The order of dealing with each device, by the clauses that give it: card 1 first, seats from the dealer's left."""

from typing import Any

import pytest

from croupier.games import card_counts, deal_order
from croupier.rulebook import HouseRules, check, load_rulebook, read_submission, rulebook_ids

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
SIX = {"three_card_bonus": {"paytable": "A"}, "six_card_bonus": {"paytable": "A"}}
BASE = {"base": {"paytable": "A"}}
SHUFFLER = {"shuffle": "automated"}


def house(rulebook: str, deal: str, wagers: dict[str, Any] | None = None, **more: Any) -> HouseRules:  # noqa: ANN401
    cards = {"deal": deal, "deck_hours": 4} | (SHUFFLER if deal != "manual_shoe" else {}) | more.pop("cards", {})
    raw = {"rulebook": rulebook, "cards": cards, "wagers": wagers or ({} if rulebook != LIR else BASE)} | more
    verdict = check(read_submission(raw))
    assert verdict.house is not None, verdict.findings
    return verdict.house


def cards_of(rules: HouseRules, seats: list[int]) -> dict[str, list[int]]:
    """Which cards of the deck, counted from 1, go where."""
    found: dict[str, list[int]] = {}
    for number, place in enumerate(deal_order(rules, seats=seats), 1):
        found.setdefault(str(place), []).append(number)
    return found


CASES: list[tuple[str, str, dict[str, Any] | None, list[int], dict[str, list[int]], str]] = [
    # rulebook, device, wagers, seats, cards of each place, clauses
    (MS, "manual_shoe", None, [6, 1, 3], {"seat 1": [1, 2], "seat 3": [3, 4], "seat 6": [5, 6], "community": [7, 8, 9]},
     "8.E, 8.E(1), 8.E(2)"),
    (MS, "hand", None, [2, 4], {"seat 2": [1, 2], "seat 4": [3, 4], "community": [5, 6, 7]}, "9.B, 9.B(1), 9.B(2)"),
    (MS, "automated_shoe", SIX, [1, 2], {"six card box": [1, 2, 3, 4], "community": [5, 6, 7], "seat 1": [8, 9], "seat 2": [10, 11]},
     "10.B(1), 10.B(2), 10.B(3), 10.H"),
    (MS, "automated_shoe", None, [1, 2], {"community": [1, 2, 3], "seat 1": [4, 5], "seat 2": [6, 7]}, "10.B(2), 10.B(3)"),
    (MA, "manual_shoe", None, [2, 5], {"seat 2": [1, 2], "seat 5": [3, 4], "community": [5, 6, 7]}, "7(d), 7(d)(1), 7(d)(2)"),
    (MA, "hand", None, [1, 4], {"seat 1": [1, 2], "seat 4": [3, 4], "community": [5, 6, 7]}, "8(c), 8(c)(1), 8(c)(2)"),
    (MA, "automated_shoe", None, [1, 2], {"seat 1": [1, 2], "seat 2": [3, 4], "community": [5, 6, 7]}, "9(c), 9(d)"),
    (HCF, "manual_shoe", None, [1, 2], {"seat 1": [1, 4, 7, 10, 13, 16, 19], "seat 2": [2, 5, 8, 11, 14, 17, 20],
                                       "dealer": [3, 6, 9, 12, 15, 18, 21]}, "8.E"),
    (HCF, "hand", None, [5], {"seat 5": [1, 3, 5, 7, 9, 11, 13], "dealer": [2, 4, 6, 8, 10, 12, 14]}, "9.B(2)"),
    (HCF, "automated_shoe", None, [1, 2], {"seat 1": [1, 2, 3, 4, 5, 6, 7], "seat 2": [8, 9, 10, 11, 12, 13, 14],
                                          "dealer": [15, 16, 17, 18, 19, 20, 21]}, "10.B(1), 10.B(2)"),
    (LIR, "manual_shoe", BASE | SIX, [1, 2], {"six card box": [1, 2, 3], "seat 1": [4, 7, 10], "seat 2": [5, 8, 11],
                                             "community": [6, 9]},
     ".08D(2), .08D(3)(a), .08D(3)(b), .08D(3)(c), .08D(3)(d), .08D(3)(e)"),
    (LIR, "hand", BASE | SIX, [1, 2, 3], {"six card box": [1, 2, 3], "seat 1": [4, 8, 12], "seat 2": [5, 9, 13],
                                         "seat 3": [6, 10, 14], "community": [7, 11]},
     ".09B, .09C(1), .09C(2), .09C(3), .09C(4), .09C(5)"),
    (LIR, "automated_shoe", BASE | SIX, [1, 2], {"six card box": [1, 2, 3], "community": [4, 5], "seat 1": [6, 7, 8],
                                                "seat 2": [9, 10, 11]}, ".10B(1), .10B(2), .10B(3), .10B(4)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rulebook", "deal", "wagers", "seats", "expected"),
    [
        pytest.param(
            *case[:5],
            id=f"{case[0]} {case[5]}",
            marks=pytest.mark.clause(*(f"{case[0]} {clause}" for clause in case[5].split(", "))),
        )
        for case in CASES
    ],
)
def test_order_of_dealing(
    rulebook: str, deal: str, wagers: dict[str, Any] | None, seats: list[int], expected: dict[str, list[int]]
) -> None:
    assert cards_of(house(rulebook, deal, wagers), seats) == expected


@pytest.mark.clause("md-let-it-ride .10H")
def test_10h_of_three_community_cards_the_last_is_discarded_unseen() -> None:
    rules = house(
        LIR,
        "automated_shoe",
        cards={"shuffle": "continuous"},
        approvals={"continuous_shuffler": "C"},
        readings={"lir": {"community_stack": 3}},
    )
    assert cards_of(rules, [1]) == {"community": [1, 2], "discard": [3], "seat 1": [4, 5, 6]}


@pytest.mark.clause("md-mississippi-stud 8.E(1)", "ma-mississippi-stud 7(d)(1)")
@pytest.mark.parametrize("rulebook", [MS, MA])
def test_reading_98_two_passes(rulebook: str) -> None:
    rules = house(rulebook, "manual_shoe", readings={"deal": {"pattern": "two_passes"}})
    assert cards_of(rules, [1, 2]) == {"seat 1": [1, 3], "seat 2": [2, 4], "community": [5, 6, 7]}


@pytest.mark.clause("md-mississippi-stud 10.B(1)")
def test_reading_99_the_box_first_by_hand_with_an_approval() -> None:
    rules = house(
        MS, "manual_shoe", SIX, readings={"six_card": {"manual_box": "first_four"}}, approvals={"six_card_box": "B"}
    )
    assert cards_of(rules, [1]) == {"six card box": [1, 2, 3, 4], "seat 1": [5, 6], "community": [7, 8, 9]}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_full_table_never_needs_more_than_a_deck(rulebook: str) -> None:
    book = load_rulebook(rulebook)
    for deal in book.table.deal:
        rules = house(rulebook, deal.method)
        order = deal_order(rules, seats=range(1, rules.seats + 1))
        assert len(order) <= 52
        assert sum(card_counts(rules).values()) == len(deal_order(rules, seats=[3]))
