"""The steps of a progressive award, each refused out of its order by the clause of the step that is missing."""

import pytest

from desk import won_by_ann


@pytest.mark.clause("md-mississippi-stud 11.I(4)(a)", "md-mississippi-stud 11.I(4)(c)")
def test_a_step_out_of_order_is_refused_by_the_step_that_comes_first() -> None:
    desk = won_by_ann()

    def refused(role: str, name: str, command: str, **fields: object) -> tuple[str, str, str]:
        said = desk.do(role, name, command, seat=1, **fields)
        return said.removeprefix("refused "), desk.refusal.clause, str(desk.refusal)

    floor, dealer = ("floorperson", "f1"), ("dealer", "d1")
    first = ("out_of_order", "11.I(4)(a)", "the award of seat 1 is verified by the dealer first")
    assert refused(*floor, "validate_award") == first
    assert refused(*dealer, "pay_award") == first
    desk.do(*dealer, "verify_award", seat=1, hand=True, light=True)
    second = ("out_of_order", "11.I(4)(c)", "the award of seat 1 is validated by a floorperson first")
    assert refused(*dealer, "verify_award", hand=True, light=True) == second
    assert refused(*floor, "hand_pay_award", reference="W-1") == second
    desk.do(*floor, "validate_award", seat=1)
    third = ("out_of_order", "11.I(4)(c)", "the award of seat 1 is validated already")
    assert refused(*dealer, "verify_award", hand=True, light=True) == third
    assert refused(*floor, "validate_award") == third
    assert refused(*dealer, "pay_award")[:2] == ("not_from_tray", "11.I(4)(d)(i)")
    assert refused(*floor, "hand_pay_award", reference=" ")[:2] == ("no_reference", "11.I(4)(d)(i)")
    assert desk.do(*floor, "hand_pay_award", seat=1, reference="W-1") == "award_hand_paid"
    done = ("award_done", "the award of seat 1 is hand paid")
    for by, command, fields in (
        (dealer, "verify_award", {"hand": True, "light": True}),
        (floor, "validate_award", {}),
        (floor, "reject_award", {"reason": "too late"}),
        (dealer, "pay_award", {}),
        (floor, "hand_pay_award", {"reference": "W-1"}),
    ):
        found = refused(*by, command, **fields)
        assert (found[0], found[2]) == done
