"""The steps of a progressive award, each refused out of its order by the clause of the step that is missing."""

import pytest

from croupier.money import Cents
from croupier.progressive import house_meters, shown, take
from croupier.rulebook import check, read_submission
from croupier.table import Table, open_awards
from croupier.table.awards import next_step_of
from support.desk import METER, PROGRESSIVE, Desk, bet, play_to_settlement, stud, won_by_ann
from support.random_rounds import MA


@pytest.mark.clause("md-mississippi-stud 11.I(4)(a)", "md-mississippi-stud 11.I(4)(c)")
def test_a_step_out_of_order_is_refused_by_the_step_that_comes_first() -> None:
    desk = won_by_ann()

    def refused(role: str, name: str, command: str, **fields: object) -> tuple[str, str, str]:
        said = desk.do(role, name, command, seat=1, **fields)
        return said.removeprefix("refused "), desk.refusal.clause, str(desk.refusal)

    floor, dealer = ("floorperson", "f1"), ("dealer", "d1")
    first = ("out_of_order", "11.I(4)(a)", "the award at seat 1 must be verified by the dealer first")
    assert refused(*floor, "validate_award") == first
    assert refused(*dealer, "pay_award") == first
    desk.do(*dealer, "verify_award", seat=1, hand=True, light=True)
    second = ("out_of_order", "11.I(4)(c)", "the award at seat 1 must be validated by a floorperson first")
    assert refused(*dealer, "verify_award", hand=True, light=True) == second
    assert refused(*floor, "hand_pay_award", reference="W-1") == second
    desk.do(*floor, "validate_award", seat=1)
    third = ("out_of_order", "11.I(4)(c)", "the award at seat 1 is already validated")
    assert refused(*dealer, "verify_award", hand=True, light=True) == third
    assert refused(*floor, "validate_award") == third
    assert refused(*dealer, "pay_award")[:2] == ("not_from_tray", "11.I(4)(d)(i)")
    assert refused(*floor, "hand_pay_award", reference=" ")[:2] == ("no_reference", "11.I(4)(d)(i)")
    assert desk.do(*floor, "hand_pay_award", seat=1, reference="W-1") == "award_hand_paid"
    done = ("award_done", "the award at seat 1 is already hand paid")
    for by, command, fields in (
        (dealer, "verify_award", {"hand": True, "light": True}),
        (floor, "validate_award", {}),
        (floor, "reject_award", {"reason": "too late"}),
        (dealer, "pay_award", {}),
        (floor, "hand_pay_award", {"reference": "W-1"}),
    ):
        found = refused(*by, command, **fields)
        assert (found[0], found[2]) == done


def steps(table: Table) -> list[str]:
    return [next_step_of(table, one) for one in open_awards(table)]


def test_the_next_step_of_an_award_is_the_one_that_is_accepted() -> None:
    desk = won_by_ann()
    assert steps(desk.table) == ["verify_award"]
    desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True)
    assert steps(desk.table) == ["validate_award"]
    desk.do("floorperson", "f1", "validate_award", seat=1)
    assert steps(desk.table) == ["hand_pay_award"]
    desk.do("floorperson", "f1", "hand_pay_award", seat=1, reference="W-1")
    assert steps(desk.table) == []


@pytest.mark.clause("ma-mississippi-stud 11bis(e)")
@pytest.mark.parametrize("verified", [False, True])
def test_where_internal_controls_decide_an_award_is_validated_at_once(*, verified: bool) -> None:
    desk = Desk(
        {
            "rulebook": MA,
            "limits": stud()["limits"],
            "cards": {"deck_hours": 8},
            "wagers": {"progressive": {"paytable": "MS Stud-01", "stake": "1.00", "meters": {"main": METER}}},
            "readings": {"progressive": {"validation": "internal_controls"}},
        }
    )
    desk.seat("Ann")
    bet(desk, "Ann", progressive=True)
    desk.staff(close_bets=True, cards="Kh 9h Qh Jh Th")
    play_to_settlement(desk)
    desk.do("dealer", "d1", "settle", what="hand", seat=1)
    assert steps(desk.table) == ["validate_award"]
    if verified:
        assert desk.do("dealer", "d1", "verify_award", seat=1, hand=True, light=True) == "award_verified"
        assert steps(desk.table) == ["validate_award"]
    assert desk.do("floorperson", "f1", "validate_award", seat=1) == "award_validated"
    assert steps(desk.table) == ["pay_award"]
    assert desk.do("dealer", "d1", "pay_award", seat=1) == "award_paid"


@pytest.mark.parametrize(
    ("readings", "display", "award"),
    [
        ({}, 2_000_055, 200_006),
        ({"percent_rounding": "nearest"}, 2_000_053, 200_005),
        ({"percent_rounding": "up"}, 2_000_053, 200_006),
        ({"display_unit": "dollar"}, 2_000_000, 200_000),
    ],
)
def test_readings_16_and_22_the_meters_of_a_house_are_run_as_it_says(
    readings: dict[str, str], display: int, award: int
) -> None:
    cents = "20000.55" if display % 100 == 55 else "20000.53"
    meters = {"main": METER | {"initial": cents, "reset": "19000.00"}}
    submission = stud(
        wagers={"progressive": PROGRESSIVE["progressive"] | {"meters": meters}}, readings={"meter": readings}
    )
    house = check(read_submission(submission)).house
    assert house is not None
    (meter,) = house_meters(house)
    assert (shown(meter), take(meter, percent=10)[1]) == (Cents(display), Cents(award))
    assert meter.floor == "none"
    assert house_meters(house, linked=True) == (meter,)
