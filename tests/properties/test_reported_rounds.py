"""A round as it is played and the same round as it is reported are judged by the same rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import RuleViolation
from croupier.games import Round, RoundReport, actions, apply, check_round_by, open_round, problem, read_report
from croupier.money import Cents, format_dollars
from croupier.rulebook import check, read_submission

HIGH_CARD_FLUSH = {
    "rulebook": "md-high-card-flush",
    "boxes": 3,
    "wagers": {"flush_bonus": {"paytable": "A"}},
    "readings": {"boxes": {"min_multiplier": 2}, "limits": {"side_bet": {"max_relative": 2}}},
}
amounts = st.integers(0, 130).map(lambda steps: Cents(100 * steps)) | st.integers(1, 60_000).map(Cents)


HOUSE = check(read_submission(HIGH_CARD_FLUSH)).rules()


def reported(seats: list[dict[str, Any]]) -> RoundReport:
    cards = ["2c 3c 4d 5d 7h 8h 9s", "2d 3d 4h 5h 7s 8s 9c", "2h 3h 4s 5s 7c 8c 9d"]
    return read_report(
        {
            "submission": HIGH_CARD_FLUSH,
            "dealer": "Kc Kd Kh Ks Qc Qd Qh",
            "seats": [seat | {"cards": cards[place], "decisions": ["fold"]} for place, seat in enumerate(seats)],
        }
    )


def played(moves: list[actions.PlaceWager]) -> tuple[Round, RuleViolation | None]:
    """The round until a wager is refused, and that refusal."""
    state = open_round(HOUSE)
    for move in moves:
        refusal = problem(state, move)
        if refusal is not None:
            return state, refusal
        state, _ = apply(state, move)
    return state, None


def checked(report: RoundReport) -> tuple[str, bool]:
    """The code of the refusal, if the report is refused, and whether it has a warning."""
    try:
        return "", bool(check_round_by(HOUSE, report).warnings)
    except RuleViolation as violation:
        return violation.code, False


@given(ante=amounts, bonus=amounts)
def test_a_wager_that_a_round_refuses_for_its_limits_is_a_warning_in_a_report(ante: Cents, bonus: Cents) -> None:
    _, refusal = played([actions.PlaceWager(1, "ante", ante), actions.PlaceWager(1, "flush_bonus", bonus)])
    wagers = {"ante": format_dollars(ante), "flush_bonus": format_dollars(bonus)}
    code, warned = checked(reported([{"seat": 1, "wagers": wagers}]))
    assert (code == "nothing_staked") == (0 in (ante, bonus))
    assert (warned or bool(code)) == (refusal is not None)
    assert refusal is None or refusal.code == "outside_limits"


@given(seats=st.sets(st.integers(1, 6), min_size=1, max_size=3), ante=amounts.filter(bool))
def test_boxes_that_a_round_refuses_are_refused_in_a_report_or_below_their_minimum(
    seats: set[int], ante: Cents
) -> None:
    order = sorted(seats)
    _, refusal = played([actions.PlaceWager(seat, "ante", ante, "Ann") for seat in order])
    seated = [{"seat": seat, "patron": "Ann", "wagers": {"ante": format_dollars(ante)}} for seat in order]
    code, warned = checked(reported(seated))
    assert (code == "boxes_not_adjacent") == (max(order) - min(order) >= len(order))
    assert (warned or bool(code)) == (refusal is not None)


def test_an_action_is_refused_for_the_reason_that_problem_gives() -> None:
    state, bet = open_round(HOUSE), actions.PlaceWager(1, "flush_bonus", Cents(500))
    reason = problem(state, bet)
    assert reason is not None
    with pytest.raises(RuleViolation) as refused:
        apply(state, bet)
    assert (refused.value.code, refused.value.clause) == (reason.code, reason.clause)
    assert str(refused.value) == str(reason) == "flush bonus needs the ante first"
