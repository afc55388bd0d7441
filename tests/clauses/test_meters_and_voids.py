"""A meter falls for an award or a documented correction, and never below what it must hold."""

from typing import Any

import pytest

from croupier.progressive import shown
from support.desk import METER, Desk, bet, hand_pay, royal_beside_bo

MA: dict[str, Any] = {
    "rulebook": "ma-mississippi-stud",
    "limits": {"ante": {"minimum": "10.00", "maximum": "500.00"}},
    "wagers": {"progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}}},
    "cards": {"deck_hours": 8},
}


@pytest.mark.clause("ma-mississippi-stud 14(d)", "ma-mississippi-stud 11bis(g)")
def test_a_meter_that_has_paid_since_keeps_what_a_void_hand_added() -> None:
    """Bo's hand is void after Ann has taken the whole meter, Bo's share in it: the reset stands (readings 20, 135)."""
    desk = Desk(MA)
    royal_beside_bo(desk)
    hand_pay(desk)
    assert shown(desk.table.progressive.meters[0]) == 1_000_000
    ruled = desk.do("floorperson", "f1", "rule", irregularity="wrong_count_player", seat=2, reason="three cards")
    assert "meter_raised" not in ruled
    assert shown(desk.table.progressive.meters[0]) == 1_000_000


@pytest.mark.clause("ma-mississippi-stud 14(d)", "ma-mississippi-stud 11bis(h)")
def test_envy_from_a_rejected_award_has_its_turn_and_pays_nothing() -> None:
    desk = Desk(MA)
    royal_beside_bo(desk)
    desk.do("floorperson", "f1", "reject_award", seat=1, reason="the light was off")
    before = desk.books()["chips Bo"]
    assert desk.do("dealer", "d1", "settle", what="envy") == "envy_settled"
    assert desk.books()["chips Bo"] == before
    assert "round_closed" in desk.do("dealer", "d1", "close")


@pytest.mark.clause("ma-mississippi-stud 6(e)")
def test_the_last_card_of_a_round_that_everybody_has_left() -> None:
    """Nobody is left who could receive envy: with the last card the round is over, whoever names that card."""
    desk = Desk(MA)
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.do("dealer", "d1", "perform", act="announce")
    while desk.do("dealer", "d1", "deal", number=1, cards="Ah") != "cards_dealt cards_sealed":
        desk.staff_step()
    assert "hand_removed" in desk.do("floorperson", "f1", "leave", seat=1, how="abandon")
    assert desk.do("dealer", "d1", "deal", number=4, cards="Kh 2c 3d 4s") == "cards_dealt"
    assert desk.do("dealer", "d1", "rack_stub") == "stub_racked"
    assert "round_closed" in desk.do("dealer", "d1", "close")
