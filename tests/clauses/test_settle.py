"""`croupier settle`: what the rules do not allow is refused by code and clause; the rest is settled and explained."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.errors import Malformed, RuleViolation
from croupier.games import check_round, read_report, settle_round
from croupier.rulebook import InvalidSubmission
from support.running import croupier, here

MS, MA, LIR, HCF = "md-mississippi-stud", "ma-mississippi-stud", "md-let-it-ride", "md-high-card-flush"
GONE: Any = object()
METER = {"initial": "30000.00", "reset": "30000.00", "rate": "0.10"}
AUTOMATED = {"shuffle": "automated_counting", "deal": "automated_shoe"}
ROUNDS: dict[str, dict[str, Any]] = {
    MS: {
        "submission": {
            "rulebook": MS,
            "cards": AUTOMATED,
            "wagers": {
                "three_card_bonus": {"paytable": "A"},
                "six_card_bonus": {"paytable": "A"},
                "progressive": {"paytable": "A", "stake": "1.00", "meters": {"main": METER}},
            },
        },
        "meters": {"main": "31000.00"},
        "seats": [
            {
                "seat": 1,
                "wagers": {
                    "ante": "10.00",
                    "three_card_bonus": "5.00",
                    "six_card_bonus": "5.00",
                    "progressive": "1.00",
                },
                "cards": "Ah Kh",
                "decisions": ["3x", "1x", "2x"],
            },
            {"seat": 4, "wagers": {"ante": "10.00"}, "cards": "7c 2d", "decisions": ["fold"]},
        ],
        "community": "Qh Jh Th",
        "six_card_box": "2c 3c 4c 5d",
    },
    LIR: {
        "submission": {
            "rulebook": LIR,
            "boxes": 2,
            "wagers": {
                "base": {"paytable": "A"},
                "five_card_bonus": {"paytable": "A"},
                "six_card_bonus": {"paytable": "A"},
            },
        },
        "seats": [
            {
                "seat": 2,
                "wagers": {"bet_1": "10.00", "bet_2": "10.00", "bet_3": "10.00", "five_card_bonus": "1.00"},
                "cards": "Tc Td 2h",
                "decisions": ["withdraw", "ride"],
            }
        ],
        "community": "4s 8d",
    },
    HCF: {
        "submission": {"rulebook": HCF, "boxes": 2, "wagers": {"flush_bonus": {"paytable": "A"}}},
        "seats": [
            {
                "seat": 3,
                "patron": "p",
                "wagers": {"ante": "10.00", "flush_bonus": "5.00"},
                "cards": "Ah Kh Qh 9h 2c 3d 5s",
                "decisions": ["raise 10.00"],
            }
        ],
        "dealer": "Ts 8s 4s 2d 3c 6h 7c",
    },
    MA: {
        "submission": {
            "rulebook": MA,
            "cards": {"deck_hours": 8},
            "wagers": {"three_card_bonus": {"paytable": "3CS-01"}},
        },
        "seats": [{"seat": 1, "wagers": {"ante": "10.00"}, "cards": "9c 9d", "decisions": ["1x", "1x", "1x"]}],
        "community": "9h 4s 2d",
    },
}


def changed(rulebook: str, changes: dict[str, Any]) -> dict[str, Any]:
    round_ = copy.deepcopy(ROUNDS[rulebook])
    for key, value in changes.items():
        *path, last = key.split("/")
        place: Any = round_
        for name in path:
            place = place[int(name)] if name.isdigit() else place.setdefault(name, {})
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return round_


SEAT: dict[str, Any] = {"seat": 5, "wagers": {"ante": "10.00"}, "cards": "8c 8d", "decisions": ["fold"]}
REFUSED: list[tuple[str, dict[str, Any], str, str, int | None]] = [
    # rulebook, changes, code, clause, reading
    (MS, {"seats/0/seat": 7}, "no_such_seat", "2.A", None),
    (MS, {"seats/0/seat": 4}, "seat_twice", "7.G", None),
    (MS, {"seats/0/patron": "p", "seats/1/patron": "p"}, "too_many_boxes", "7.G", None),
    (HCF, {"seats": [*ROUNDS[HCF]["seats"], *[SEAT | {"patron": "p", "cards": "4h 5h 6c 8d 9c Jc Qs"}]]}, "boxes_not_adjacent", "7.G", 87),
    (MS, {"seats/0/wagers/ante": GONE}, "main_wager_missing", "7.F(1)", None),
    (MS, {"seats/0/wagers/ante": "0.00"}, "nothing_staked", "7.F(1)", 14),
    (MS, {"seats/0/wagers/cover_all": "5.00"}, "wager_not_offered", "7.F(1)", None),
    (MS, {"seats/0/wagers/third_street": "10.00"}, "not_before_the_deal", "11.B(1)(a)", 71),
    (MS, {"seats/0/wagers/three_card_bonus": GONE}, "prerequisite_missing", "7.F(5)(c)", 88),
    (LIR, {"seats/0/wagers/six_card_bonus": "5.00", "seats/0/wagers/five_card_bonus": GONE}, "prerequisite_missing", ".07E(5)", 89),
    (MS, {"seats/0/wagers/progressive": "5.00"}, "stake_not_accepted", "7.F(3)", 192),
    (LIR, {"seats/0/wagers/five_card_bonus": "2.00"}, "stake_not_accepted", ".07E(3)", 192),
    (LIR, {"seats/0/wagers/bet_2": "5.00"}, "unequal_bets", ".07E(1)", None),
    (LIR, {"seats/0/wagers/bet_3": GONE}, "unequal_bets", ".07E(1)", None),
    (MS, {"seats/0/decisions": ["3x", "1x"]}, "decision_missing", "11.F", 76),
    (MS, {"seats/0/decisions": ["3x", "1x", "2x", "1x"]}, "too_many_decisions", "11.F", 74),
    (MS, {"seats/0/decisions": ["4x", "1x", "2x"]}, "no_such_choice", "11.B(1)(a)", None),
    (MS, {"seats/0/decisions": ["3x", "check", "2x"]}, "no_such_choice", "11.D", 74),
    (MS, {"seats/0/decisions": ["fold", "1x"]}, "decision_after_fold", "11.B(1)(a)", None),
    (MS, {"seats/0/decisions": ["raise 10.00", "1x", "2x"]}, "no_such_choice", "11.B(1)(a)", None),
    (LIR, {"seats/0/decisions": ["ride", "fold"]}, "no_such_choice", ".11C", 91),
    (HCF, {"seats/0/decisions": ["raise 20.00"]}, "raise_above_limit", "11.B(1)", 72),
    (HCF, {"seats/0/cards": "Ah Kh Qh 9h 2h 3d 5s", "seats/0/decisions": ["3x"]}, "raise_above_limit", "11.B(2)", 72),
    (HCF, {"seats/0/decisions": ["raise 9.00"]}, "raise_below_ante", "11.B(1)", 72),
    (HCF, {"seats/0/decisions": ["raise 10.50"]}, "raise_out_of_step", "11.B(1)", 72),
    (MS, {"seats/1/cards": "7c Ah"}, "card_twice", "3.A", 148),
    (MS, {"community": "Qh Jh Ah"}, "card_twice", "3.A", 148),
    (MS, {"seats/0/cards": "Ah"}, "wrong_number_of_cards", "13.D", 135),
    (MS, {"seats/0/cards": GONE}, "wrong_number_of_cards", "13.D", 135),
    (MS, {"community": "Qh Jh"}, "wrong_number_of_cards", "13.D", 135),
    (MS, {"six_card_box": "2c 3c 4c"}, "wrong_number_of_cards", "13.D", 103),
    (MS, {"dealer": "2c"}, "card_twice", "3.A", 148),
    (HCF, {"dealer": "Ts 8s 4s 2d 3c 6h"}, "wrong_number_of_cards", "13.D", 137),
    (MA, {"seats/0/cards": "9c 9d 9s"}, "wrong_number_of_cards", "14(d)", 140),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rulebook", "changes", "code", "clause", "reading"),
    [
        pytest.param(*case, id=f"{case[0]} {case[3]} {case[2]}", marks=pytest.mark.clause(f"{case[0]} {case[3]}"))
        for case in REFUSED
    ],
)
def test_what_the_rules_do_not_allow(
    rulebook: str, changes: dict[str, Any], code: str, clause: str, reading: int | None
) -> None:
    with pytest.raises(RuleViolation) as refusal:
        check_round(read_report(changed(rulebook, changes)))
    assert (refusal.value.code, refusal.value.clause, refusal.value.reading) == (code, clause, reading)


@pytest.mark.parametrize("rulebook", ROUNDS)
def test_the_rounds_they_begin_from_are_lawful_and_every_wager_says_why(rulebook: str) -> None:
    checked = check_round(read_report(ROUNDS[rulebook]))
    settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    assert checked.warnings == ()
    for seat in settled.seats:
        assert all(wager.clause and wager.why for wager in seat.wagers)


def test_an_invalid_submission_is_refused_with_its_findings() -> None:
    with pytest.raises(InvalidSubmission) as refusal:
        check_round(read_report(changed(MS, {"submission/seats": 7, "submission/boxes": 2})))
    assert [finding.key for finding in refusal.value.findings] == ["seats", "boxes"]
    assert (refusal.value.code, refusal.value.clause) == ("invalid_submission", refusal.value.findings[0].clause)
    for finding in refusal.value.findings:
        assert f"{finding.key}: {finding.message}" in str(refusal.value)


def test_reading_189_a_wager_outside_its_limits_is_settled_with_a_warning() -> None:
    checked = check_round(read_report(changed(MS, {"seats/0/wagers/ante": "5.00"})))
    assert checked.warnings == (
        "seat 1: ante $5 does not fit the limits, $10 to $500 in steps of $1 (readings 14, 189)",
    )


@pytest.mark.clause("md-mississippi-stud 11.H(1)")
def test_reading_77_cards_that_nothing_needs_may_stay_unknown() -> None:
    round_ = changed(MS, {"seats/1/cards": GONE})
    assert check_round(read_report(round_)).hands[1].cards == ()
    everybody_folded = changed(MS, {"seats": [ROUNDS[MS]["seats"][1]], "community": "", "six_card_box": ""})
    assert check_round(read_report(everybody_folded)).table_cards.community == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seats": []}, "seats: a round needs a list of at least one seat"),
        ({"seats/0/seat": "one"}, "seats[0].seat: 'one' is not a whole number"),
        ({"seats/0/cards": "Ah Kx"}, "seats[0].cards: 'Kx' is not a card"),
        ({"seats/0/cards": 7}, "seats[0].cards: 7 is not a string of cards"),
        ({"seats/0/wagers/ante": 10}, "seats[0].wagers.ante: 10 is not an amount"),
        ({"seats/0/decisions": "3x"}, "seats[0].decisions: '3x' is not a list of strings"),
        ({"seats/0/colour": "red"}, "seats[0]: 'colour' is not a key here"),
        ({"boards": ""}, "a round: 'boards' is not a key here"),
        ({"meters/main": "1.234"}, "meters.main: '1.234' is not an amount"),
        ({"meters/jumbo": "1.00"}, "meters.'jumbo': no such meter; the meters are main"),
        ({"meters": {}}, "meters.main: missing, but a progressive bet was placed"),
        ({"submission": "house.toml"}, "submission: must be a table of settings, not 'house.toml'"),
        ({"submission/seats": "six"}, "submission.seats: 'six' is not a whole number"),
        ({"submission": GONE}, "submission: missing"),
    ],
)
def test_what_cannot_be_read(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed) as refusal:
        check_round(read_report(changed(MS, changes)))
    assert message in str(refusal.value)


def settled_wagers(round_: dict[str, Any]) -> dict[int, dict[str, tuple[str, str, int | None]]]:
    checked = check_round(read_report(round_))
    settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    return {
        seat.seat: {one.wager: (one.outcome, one.clause, one.reading) for one in seat.wagers} for seat in settled.seats
    }


@pytest.mark.clause("ma-mississippi-stud 10(a)", "ma-mississippi-stud 10(e)", "ma-mississippi-stud 10(g)")
@pytest.mark.parametrize(
    ("decisions", "clause"), [(["fold"], "10(a)"), (["1x", "fold"], "10(e)"), (["1x", "1x", "fold"], "10(g)")]
)
def test_massachusetts_takes_all_by_the_street_on_which_a_player_folds(decisions: list[str], clause: str) -> None:
    wagers = settled_wagers(changed(MA, {"seats/0/decisions": decisions}))[1]
    assert set(wagers.values()) == {("forfeit", clause, None)}


@pytest.mark.clause("md-mississippi-stud 11.I(2)(a)", "md-mississippi-stud 11.I(2)(b)", "ma-mississippi-stud 10(i)(1)")
def test_each_outcome_cites_what_decided_it() -> None:
    lost = changed(MS, {"seats/0/cards": "5h 5c", "community": "Qh Jd 8s"})
    pushed = changed(MS, {"seats/0/cards": "6h 6c", "community": "Qh Jd 8s"})
    assert settled_wagers(lost)[1]["ante"] == ("lose", "11.I(2)(a)", 67)
    assert settled_wagers(pushed)[1]["ante"] == ("push", "11.I(2)(b)", None)
    assert settled_wagers(changed(MA, {"seats/0/cards": "5h 5c"}))[1]["ante"] == ("lose", "10(i)(1)", 67)
    royal = settled_wagers(ROUNDS[MS])[1]
    assert royal["progressive"] == ("win", "12.C(1)(a)", 2)
    assert royal["six_card_bonus"] == ("win", "12.E(1)", None)
    assert settled_wagers(ROUNDS[LIR])[2]["bet_1"] == ("withdrawn", ".11B(1)(b)", None)
    assert settled_wagers(ROUNDS[LIR])[2]["five_card_bonus"] == ("win", ".12B(1)", 3)


@pytest.mark.clause("md-high-card-flush 11.B(2)", "md-high-card-flush 11.B(4)(a)")
def test_whole_antes_are_always_in_step_and_bonuses_outlive_a_fold() -> None:
    five = {"seats/0/cards": "Ah Kh Qh 9h 2h 3d 5s", "seats/0/wagers/ante": "12.50", "seats/0/decisions": ["2x"]}
    assert settled_wagers(changed(HCF, five))[3]["raise"][0] == "win"
    folded = settled_wagers(changed(HCF, {"seats/0/decisions": ["fold"]}))[3]
    assert folded == {"ante": ("forfeit", "11.B", None), "flush_bonus": ("win", "12.B(1)", 83)}


def test_half_a_character_is_answered_in_its_place() -> None:
    bad = json.dumps(changed(MS, {"seats/0/wagers": {"\ud800": "1.00"}}))
    done = here("settle", "-", "--lines", stdin=f"{bad}\n{json.dumps(ROUNDS[MS])}\n")
    first, second = map(json.loads, done.stdout.splitlines())
    assert "half of a character" in first["error"]
    assert "seats" in second
    assert (here("settle", "-", "--json", stdin=bad).returncode, done.returncode) == (2, 2)


def test_meters_that_were_not_given_are_not_invented() -> None:
    round_ = changed(MS, {"meters": {}, "seats/0/wagers/progressive": GONE})
    assert check_round(read_report(round_)).meters == {}
    folded = changed(MS, {"meters": {}, "seats/0/decisions": ["fold"]})
    assert check_round(read_report(folded)).meters == {}


def test_a_raise_that_is_no_amount_cannot_be_read() -> None:
    with pytest.raises(Malformed, match="seat 3: 'much' is not an amount"):
        check_round(read_report(changed(HCF, {"seats/0/decisions": ["raise much"]})))


def test_the_command_settles_refuses_and_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(ROUNDS[MS]))
    done = here("settle", str(file), "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(answer) == ["seats", "meters", "house_net", "warnings"]
    assert [seat["seat"] for seat in answer["seats"]] == [4, 1]
    assert answer["seats"][1]["wagers"][0] == {
        "wager": "ante",
        "staked": "10.00",
        "outcome": "win",
        "hand": "royal_flush",
        "pays": "500 to 1",
        "won": "5000.00",
        "returned": "10.00",
        "clause": "12.A(1)-(10)",
        "reading": None,
        "cause": "paytable",
        "made": "royal_flush A",
        "paytable": "standard",
        "why": "royal flush: pays 500 to 1",
    }
    people = here("settle", str(file))
    assert people.returncode == 0
    assert "house net −$" in people.stdout
    assert "royal_flush" not in people.stdout
    assert re.search(r"^main meter \$[\d,]+\.\d\d$", people.stdout, re.MULTILINE)
    file.write_text(json.dumps(changed(MS, {"seats/0/seat": 7})))
    refused = here("settle", str(file), "--json")
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["refused"]["code"] == "no_such_seat"
    assert here("settle", str(file)).stdout.startswith("refused seat 7: the table has seats 1 to 6 (2.A)")
    file.write_text("{")
    unread = here("settle", str(file), "--json")
    assert (unread.returncode, unread.stdout) == (2, "")
    assert unread.stderr.startswith(f"croupier: {file}: JSON is malformed")
    file.write_text(json.dumps(ROUNDS[MS] | {"submission": "house.toml"}))
    missing = here("settle", str(file))
    assert missing.returncode == 2
    assert missing.stderr.startswith(f"croupier: {file}: submission: house.toml: neither a file nor a rulebook")
    file.write_text(json.dumps(ROUNDS[MS] | {"submission": 7}))
    assert here("settle", str(file)).stderr == f"croupier: {file}: submission: must be a table of settings, not 7\n"


def test_people_read_an_envy_bonus_in_words(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(changed(MS, {"seats/1/wagers/progressive": "1.00"})))
    shown = here("settle", str(file), COLUMNS="200").stdout
    assert re.search(r"envy bonus +won +\$1,000 +seat 1 has a royal flush \(12\.C\(6\)\(a\)\)", shown)
    assert re.search(r"^house net −\$[\d,]+$", shown, re.MULTILINE)
    assert "_" not in shown


def test_the_submission_may_lie_in_a_file_of_its_own(tmp_path: Path) -> None:
    house, file = tmp_path / "house.json", tmp_path / "round.json"
    house.write_text(json.dumps(ROUNDS[MS]["submission"]))
    file.write_text(json.dumps({key: value for key, value in ROUNDS[MS].items() if key != "submission"}))
    apart = here("settle", str(file), "--submission", str(house), "--json")
    file.write_text(json.dumps(ROUNDS[MS]))
    assert apart.stdout == here("settle", str(file), "--json").stdout
    twice = here("settle", str(file), "--submission", str(house))
    assert (twice.returncode, twice.stdout) == (2, "")
    assert "the round has one already" in twice.stderr


def test_lines_answer_in_their_places() -> None:
    rounds = [ROUNDS[MS], changed(MS, {"seats/0/seat": 7}), ROUNDS[HCF]]
    text = "\n".join(json.dumps(one) for one in rounds)
    done = croupier("settle", "-", "--lines", stdin=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert [next(iter(one)) for one in answers] == ["seats", "refused", "seats"]
    bad = here("settle", "-", "--lines", stdin=f"{text}\nnonsense\n")
    assert bad.returncode == 2
    assert json.loads(bad.stdout.splitlines()[3])["error"].startswith("line 4: JSON is malformed")


@pytest.mark.clause("md-mississippi-stud 12.B", "md-mississippi-stud 12.B(1)", "md-mississippi-stud 12.B(2)")
def test_12_b_a_limit_cuts_a_hand_and_shows_both_figures() -> None:
    round_ = changed(MS, {"seats/0/wagers/ante": "100.00", "seats/0/decisions": ["3x", "3x", "3x"]})
    checked = check_round(read_report(round_))
    settled = settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)
    main = settled.seats[1].wagers[:4]
    assert [wager.won for wager in main] == [500_000, 1_500_000, 1_500_000, 1_500_000]
    assert [wager.before_limit for wager in main] == [5_000_000, 15_000_000, 15_000_000, 15_000_000]
    assert {(wager.clause, wager.reading) for wager in main} == {("12.B", 11)}


def settled(round_: dict[str, Any]) -> Any:  # noqa: ANN401 - a test looks inside
    checked = check_round(read_report(round_))
    return settle_round(checked.house, checked.hands, checked.table_cards, checked.meters)


@pytest.mark.clause("ma-mississippi-stud 6(a)")
@pytest.mark.parametrize(
    ("cards", "decisions", "outcome", "won"),
    [
        ("9c 9d", ["1x", "1x", "1x"], "win", 2000),  # three nines
        ("8c 4d", ["1x", "1x", "1x"], "lose", 0),  # a pair of fours
        ("9c 3d", ["1x", "1x", "1x"], "push", 0),  # a pair of nines
        ("9c 9d", ["fold"], "lose", 0),
    ],
)
def test_6_a_a_match_play_coupon_follows_the_ante(cards: str, decisions: list[str], outcome: str, won: int) -> None:
    changes = {"submission/match_play": {"enabled": True, "pays": "2 to 1"}, "seats/0/match_play": "10.00"}
    round_ = changed(MA, changes | {"seats/0/cards": cards, "seats/0/decisions": decisions})
    seat = settled(round_).seats[0]
    assert (seat.coupon.outcome, seat.coupon.won, seat.coupon.clause, seat.coupon.reading) == (outcome, won, "6(a)", 95)
    without = changed(MA, {"seats/0/cards": cards, "seats/0/decisions": decisions})
    assert seat.paid == settled(without).seats[0].paid + won
    assert seat.staked == settled(without).seats[0].staked


@pytest.mark.clause("ma-mississippi-stud 6(a)")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"seats/0/match_play": "10.00"}, "not_accepted"),
        ({"submission/match_play": {"enabled": True}, "seats/0/match_play": "10.01"}, "coupon_not_matched"),
        ({"submission/match_play": {"enabled": True}, "seats/0/match_play": "0.00"}, "coupon_not_matched"),
    ],
)
def test_6_a_a_coupon_is_accepted_where_turned_on_and_matched_by_chips(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        settled(changed(MA, changes))
    assert (refusal.value.code, refusal.value.clause, refusal.value.reading) == (code, "6(a)", 95)


def test_reading_15_the_tray_pays_whole_dollars_never_less() -> None:
    changes: dict[str, Any] = {"submission/readings": {"payout": {"breakage": "up_to_dollar"}}}
    seat = settled(changed(MA, changes | {"seats/0/wagers/ante": "10.25", "seats/0/cards": "Jc Jd"})).seats[0]
    assert [(one.won, one.returned, one.reading) for one in seat.wagers] == [(1100, 1025, 15)] * 4
    # A share of a meter comes from the tray, and the meter gives no more than the share; a whole meter does not.
    changes |= {"meters/main": "31000.05", "seats/0/cards": "9h Kh"}
    share = settled(changed(MS, changes))
    won = {one.wager: one for one in share.seats[1].wagers}["progressive"]
    assert (won.pays, won.won, won.award.amount) == ("10% of meter", 310_100, 310_001)
    assert share.meters[0].units == (3_100_005 - 310_001) * 10_000
    whole = {one.wager: one for one in settled(changed(MS, changes | {"seats/0/cards": "Ah Kh"})).seats[1].wagers}
    assert whole["progressive"].won == 3_100_005


@pytest.mark.clause("md-mississippi-stud 6.E(4)")
def test_readings_53_and_64_are_cited_where_they_decide() -> None:
    board = settled(changed(MS, {"community": "As 2s 3s", "seats/0/cards": "Ah Kh"})).seats[1]
    assert {one.wager: one.reading for one in board.wagers}["three_card_bonus"] == 53
    dealer = "8s 7s 4s 2s 3c 6h Jc"
    lost = settled(
        changed(HCF, {"dealer": dealer, "seats/0/cards": "Ah Kh Qh 9c 2c 3d 5s", "seats/0/decisions": ["1x"]})
    )
    assert [(one.outcome, one.reading) for one in lost.seats[0].wagers[:2]] == [("lose", 64), ("lose", 64)]


@pytest.mark.parametrize("allocation", ["in_order", "prorata"])
def test_whole_dollars_never_exceed_the_limit(allocation: str) -> None:
    readings = {"cap": {"allocation": allocation}, "payout": {"breakage": "up_to_dollar"}}
    changes: dict[str, Any] = {
        "submission/readings": readings,
        "submission/limits": {"ante": {"minimum": "10.00", "maximum": "5000.00"}},
    }
    changes |= {"seats/0/wagers/ante": "4000.25", "seats/0/cards": "Ac Ad", "seats/0/decisions": ["1x", "1x", "3x"]}
    hand = settled(changed(MS, changes | {"community": "Ah 7s 2h"})).seats[1]
    assert sum(one.won for one in hand.wagers[:4]) == 5_000_000


def test_readings_87_and_180_warn_of_wagers_that_a_table_would_refuse() -> None:
    readings = {"limits": {"side_bet": {"max_relative": 1}}, "boxes": {"min_multiplier": 2}}
    second = {
        "seat": 4,
        "patron": "p",
        "wagers": {"ante": "10.00"},
        "cards": "Ad Kd Qd 9d 2s 3h 5h",
        "decisions": ["fold"],
    }
    round_ = changed(HCF, {"submission/readings": readings, "seats/0/wagers/flush_bonus": "50.00"})
    round_["seats"].append(second)
    warnings = check_round(read_report(round_)).warnings
    assert [warning.partition(" does not fit ")[0] for warning in warnings] == [
        "seat 3: ante $10",
        "seat 3: flush bonus $50",
        "seat 4: ante $10",
    ]


def test_steps_are_counted_from_the_minimum_of_a_player_with_several_boxes() -> None:
    """The same amounts as a table would take: from $10 in steps of $4 with two boxes $20, $24, not $22."""
    limits = {"minimum": "10.00", "maximum": "50.00", "increment": "4.00"}
    readings = {"boxes": {"min_multiplier": 2}}
    round_ = changed(HCF, {"submission/limits": {"ante": limits}, "submission/readings": readings})
    del round_["seats"][0]["wagers"]["flush_bonus"]
    round_["seats"][0] |= {"wagers": {"ante": "22.00"}, "decisions": ["fold"]}
    round_["seats"].append(
        round_["seats"][0] | {"seat": 4, "wagers": {"ante": "24.00"}, "cards": "Ad Kd Qd 9d 2s 3h 5h"}
    )
    warnings = check_round(read_report(round_)).warnings
    assert warnings == ("seat 3: ante $22 does not fit the limits, $20 to $50 in steps of $4 (readings 14, 189)",)


def test_an_answer_does_not_depend_on_the_line_before() -> None:
    """In processes of their own: whatever was settled here before could hide it."""
    good = changed(HCF, {"submission/readings": {"hcf": {"ace_low": True}}})
    bad = changed(HCF, {"submission/readings": {"hcf": {"ace_low": 1}}})
    alone = croupier("settle", "-", "--lines", stdin=json.dumps(bad)).stdout.splitlines()
    after = croupier("settle", "-", "--lines", stdin="\n".join(map(json.dumps, (good, bad)))).stdout.splitlines()
    assert after[1:] == alone


@pytest.mark.parametrize(
    ("paytable", "pays", "words"),
    [
        ("standard", "Push", "pair of tens: push"),
        ("A", "Push", "pair of tens: push by paytable A"),
        ("A", "1 to 1", "pair of tens: paytable A pays 1 to 1"),
        ("standard", "1 to 1", "pair of tens: pays 1 to 1"),
        ("A", None, "pair of tens: no pay"),
    ],
)
def test_a_result_by_paytable_is_said_in_plain_words(paytable: str, pays: str | None, words: str) -> None:
    settled = settle_round(*check_round(read_report(ROUNDS[MS]))[:4]).seats[0].wagers[0]
    assert replace(settled, cause="paytable", made="pair T", paytable=paytable, pays=pays).why == words
