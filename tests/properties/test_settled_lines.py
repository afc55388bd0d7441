"""Lines of one house share what they share: each is answered as if it stood alone."""

import json
from random import Random
from typing import Any

import msgspec
import pytest

from croupier.cards import DECK, format_cards
from croupier.cli.settled_lines import LineSettler
from croupier.errors import Malformed
from croupier.games import check_round, read_report, settle_round
from croupier.present import settled_json
from croupier.table import write_settled
from support.random_rounds import OWN, random_round, random_submission

HOUSE = {
    "rulebook": "md-mississippi-stud",
    "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}},
    "wagers": {"three_card_bonus": {"paytable": "A", "minimum": "1.00", "maximum": "100.00"}},
}
OTHER = HOUSE | {"seats": 5}


def dealt(dice: Random, house: object) -> dict[str, Any]:
    cards = dice.sample(DECK, 7)
    seats = []
    for number in (1, 4):
        wagers = {"ante": dice.choice(["10.00", "25.00"])}
        if dice.random() < 0.5:
            wagers["three_card_bonus"] = "5.00"
        decisions = dice.choice([["1x", "1x", "3x"], ["fold"], ["2x", "fold"], ["3x", "3x", "3x"], ["9x"]])
        own = format_cards([cards.pop(), cards.pop()])
        seats.append({"seat": number, "wagers": wagers, "cards": own, "decisions": decisions})
    return {"submission": house, "seats": seats, "community": format_cards(cards)}


def nobody(name: str) -> object:
    raise Malformed(f"submission: {name} is not here")


def answered(settler: LineSettler, line: str) -> object:
    try:
        return json.loads(msgspec.json.encode(settler.answer(line.encode())))
    except Malformed as error:
        return str(error)


def test_a_line_is_answered_as_if_it_stood_alone() -> None:
    dice, settler = Random(3), LineSettler(nobody)
    for number in range(300):
        line = json.dumps(dealt(dice, dice.choice([HOUSE, HOUSE, HOUSE, OTHER])), indent=dice.choice([None, 1]))
        if number % 10 == 0:
            line = line[: dice.randrange(1, len(line))]
        assert answered(settler, line) == answered(LineSettler(nobody), line)


@pytest.mark.parametrize(
    "line",
    [
        '{"submission": HOUSE, "submission": HOUSE, "seats": SEATS, "community": CARDS}',
        '{"submission": null, "seats": [{"seat": 1, "submission": HOUSE}], "community": CARDS}',
        '{"seats": SEATS, "community": CARDS, "\\u0073ubmission": HOUSE}',
        '{"\\u0073ubmission": {}, "seats": [{"submission": HOUSE}], "community": CARDS}',
        '{"submission": [HOUSE], "seats": SEATS, "community": CARDS}',
        '{"submission": "HOUSE", "seats": SEATS, "community": CARDS}',
        '{"seats": SEATS, "community": CARDS}',
        '{"submission": HOUSE, "seats": SEATS, "community": CARDS} HOUSE',
        "HOUSE",
    ],
)
def test_a_known_submission_in_an_odd_place_is_no_submission(line: str) -> None:
    round_ = dealt(Random(4), HOUSE)
    settler = LineSettler(nobody)
    settler.answer(json.dumps(round_).encode())
    line = line.replace("SEATS", json.dumps(round_["seats"])).replace("CARDS", json.dumps(round_["community"]))
    line = line.replace("HOUSE", json.dumps(HOUSE))
    assert answered(settler, line) == answered(LineSettler(nobody), line)


@pytest.mark.parametrize("rulebook", OWN)
def test_a_line_says_of_every_wager_what_a_record_says(rulebook: str) -> None:
    """Everything of `write_settled` in its order, without what does not apply; no cache of other rounds changes it."""
    dice = Random(5)
    always = {"hand", "pays", "reading"}
    for _ in range(10):
        house = random_submission(dice, rulebook) | {"boxes": 1}
        for _ in range(20):
            round_ = random_round(dice, house)
            for number, seat in enumerate(round_["seats"]):
                seat["patron"] = f"p{number}"
            checked = check_round(read_report(round_))
            settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
            for seat, written in zip(settled.seats, settled_json(settled)["seats"], strict=True):
                records = [write_settled(wager).items() for wager in seat.wagers]
                expected = [[(key, v) for key, v in record if v is not None or key in always] for record in records]
                assert [list(wager.items()) for wager in written["wagers"]] == expected
