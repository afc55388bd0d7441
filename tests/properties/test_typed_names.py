"""Wagers and paytables by the names that people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier import advise, price
from croupier.errors import Malformed
from croupier.rulebook import (
    check,
    load_rulebook,
    read_submission,
    rulebook_ids,
    submission_text,
    typed_paytable,
    typed_wager,
)

LIR = {"rulebook": "md-let-it-ride", "wagers": {"base": {"paytable": "A"}, "three_card_bonus": {"paytable": "B"}}}


@given(st.sampled_from(rulebook_ids()), st.data())
def test_every_paytable_is_known_in_any_case(rulebook: str, data: st.DataObject) -> None:
    tables = load_rulebook(rulebook).paytables.paytable
    group = data.draw(st.sampled_from(sorted({table.group for table in tables})))
    ids = [table.id for table in tables if table.group == group]
    meant = data.draw(st.sampled_from(ids))
    letters = data.draw(st.lists(st.booleans(), min_size=len(meant), max_size=len(meant)))
    typed = "".join(letter.upper() if up else letter.lower() for letter, up in zip(meant, letters, strict=True))
    assert typed_paytable(typed, ids) == typed_paytable(typed.replace("-", " "), ids) == meant


@pytest.mark.parametrize("name", ["base", "ante", "Ante", "bet", "BET", "bet_1", " bet "])
def test_the_main_game_has_the_names_that_people_use(name: str) -> None:
    assert typed_wager(name) == "base"


def test_what_nobody_prints_stays_as_it_was_typed() -> None:
    assert (typed_paytable("z", ["A", "B"]), typed_wager("Seven Card Bonus")) == ("z", "seven_card_bonus")


@pytest.mark.parametrize(
    "wagers",
    [
        {"bet": {"paytable": "a"}, "three_card_bonus": {"paytable": "b"}},
        {"Base": {"paytable": "A"}, "Three_Card_Bonus": {"paytable": " b"}},
    ],
)
def test_a_submission_has_one_canonical_form_and_one_hash_however_its_names_are_typed(wagers: object) -> None:
    usual, typed = read_submission(LIR), read_submission(LIR | {"wagers": wagers})
    assert submission_text(typed) == submission_text(usual)
    assert check(typed).rules().hash == check(usual).rules().hash


def test_one_wager_under_two_names_is_refused() -> None:
    with pytest.raises(Malformed, match=r"^wagers.bet: the same wager as wagers.base; give it once$"):
        read_submission(LIR | {"wagers": {"base": {"paytable": "A"}, "bet": {"paytable": "B"}}})
    with pytest.raises(Malformed, match=r"^wagers.bet: the same wager as wagers.ante; give it once$"):
        read_submission(LIR | {"wagers": {"ante": {"paytable": "A"}, "bet": {"paytable": "B"}}})


def test_the_front_door_takes_what_people_type() -> None:
    assert price("ma-mississippi-stud", "Three Card Bonus", "3cs-01") == price(
        "ma-mississippi-stud", "three_card_bonus", "3CS-01"
    )
    assert advise("md-let-it-ride", "tcTd 2♥", paytable="b") == advise("md-let-it-ride", "Tc Td 2h", paytable="B")
