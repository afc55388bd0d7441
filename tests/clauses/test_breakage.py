"""Where the tray pays whole dollars, what was won to the cent stays on the record."""

import pytest

from support.desk import Desk, stay, stud


@pytest.mark.clause("md-mississippi-stud 11.I(2)(d)")
@pytest.mark.parametrize(
    ("breakage", "won", "before", "reading"), [("up_to_dollar", 1_100, 1_050, 15), ("exact", 1_050, None, None)]
)
def test_reading_15_what_was_won_to_the_cent_stands_beside_what_is_paid(
    breakage: str, won: int, before: int | None, reading: int | None
) -> None:
    limits = {"ante": {"minimum": "10.00", "maximum": "500.00", "increment": "0.50"}}
    desk = Desk(stud(limits=limits, readings={"payout": {"breakage": breakage}}))
    desk.seat("Ann")
    assert desk.do("player", "Ann", "place_wager", seat=1, wager="ante", amount="10.50") == "wager_placed"
    desk.staff(close_bets=True, cards="Jc Jd Kh 9s 2c")
    stay(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    found = [(one.won, one.before_breakage, one.reading) for one in desk.table.round.boxes[0].results]
    assert found == [(won, before, reading)] * 4
