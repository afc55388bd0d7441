"""Who may do what in a house: every role with every command, in each state that matters. Nothing else is allowed."""

from typing import Final, get_args

import pytest

from croupier.errors import RuleViolation
from croupier.house import HouseCommand, HouseState, commands, decide, device_scope, may_read, rights, table_role
from croupier.house.commands import THE_HOUSE
from croupier.ledger import HouseRole
from croupier.rulebook import check, load_rulebook, read_submission_text, rulebook_ids, starting_submission
from support.people import DAY, LET_IT_RIDE, NOW, after, begun, request, staffed, with_tables

P, D, F, S, PM, SM, C, OP, R, A = (
    "ann",
    "dealer",
    "floorperson",
    "supervisor",
    "pit-manager",
    "shift-manager",
    "cashier",
    "operator",
    "regulator",
    "auditor",
)
EVERYBODY: Final = {P, D, F, S, PM, SM, C, OP, R, A}
FLOOR: Final = {F, S, PM, SM}
SELF: Final = "SELF"
"""Stands for the id of whoever gives the command."""

EXPECTED: Final[dict[str, tuple[HouseCommand, set[str]]]] = {
    "settings": (commands.ChangeSettings(time_zone="America/New_York", day_start="04:00"), {OP}),
    "a new player": (commands.AddPerson(person="new", roles=("player",)), {OP, C}),
    "a new dealer": (commands.AddPerson(person="new", roles=("dealer",)), {OP}),
    "a new operator": (commands.AddPerson(person="new", roles=("operator",)), {OP}),
    "a new regulator": (commands.AddPerson(person="new", roles=("regulator",)), {OP}),
    "roles of staff": (commands.ChangeRoles(person="operator-2", roles=("dealer",)), {OP}),
    "own roles": (commands.ChangeRoles(person=SELF, roles=("floorperson", "operator")), set()),
    "suspend a player": (commands.SuspendPerson(person="bob"), {OP, C, SM}),
    "suspend staff": (commands.SuspendPerson(person="operator-2"), {OP}),
    "restore a player": (commands.RestorePerson(person="gone"), {OP, C}),
    "restore staff": (commands.RestorePerson(person="gone-dealer"), {OP}),
    "one's password": (commands.ChangePassword(person=SELF), EVERYBODY),
    "a player's password as one's own": (commands.ChangePassword(person="bob"), set()),
    "reset a player": (commands.ResetPassword(person="bob"), {OP, C}),
    "reset staff": (commands.ResetPassword(person="operator-2"), {OP}),
    "reset oneself": (commands.ResetPassword(person=SELF), set()),
    "one's second factor": (commands.SetSecondFactor(person=SELF), EVERYBODY),
    "another's second factor": (commands.SetSecondFactor(person="bob"), set()),
    "a lost second factor of a player": (commands.RemoveSecondFactor(person="bob"), {OP, C}),
    "a lost second factor of staff": (commands.RemoveSecondFactor(person="operator-2"), {OP}),
    "own sessions": (commands.EndSessions(person=SELF), EVERYBODY),
    "a player's sessions": (commands.EndSessions(person="bob"), {OP, C}),
    "sessions of staff": (commands.EndSessions(person="operator-2"), {OP}),
    "a token": (commands.IssueToken(token="t-2", device="shoe 1", scope=("deal",), expires=NOW + DAY), {OP}),
    "a token back": (commands.RevokeToken(token="t-1"), {OP}),
    "one's limits": (commands.SetLimits(person=SELF, limits={"loss_day": 100}), {P}),
    "a player's limits": (commands.SetLimits(person="bob", limits={"loss_day": 100}), {C}),
    "limits of staff": (commands.SetLimits(person="operator-2", limits={"loss_day": 100}), set()),
    "exclude oneself": (commands.Exclude(person=SELF, until=None), {P}),
    "exclude a player": (commands.Exclude(person="bob", until=NOW + DAY), {C, SM}),
    "an exclusion that is over": (commands.EndExclusion(person="back"), {C}),
    "a draft": (commands.DraftSubmission(name="new", submission=LET_IT_RIDE), {OP}),
    "approve": (commands.ApproveSubmission(name="ride", version=1), {R}),
    "return": (commands.ReturnSubmission(name="ride", version=1, note="no"), {R}),
    "make a table": (commands.MakeTable(table="9", submission="stud", version=1), {OP}),
    "open": (commands.OpenPlay(table="2"), {PM, SM, OP}),
    "pause": (commands.PausePlay(table="1"), FLOOR | {OP, R}),
    "resume": (commands.ResumePlay(table="3"), {PM, SM, OP}),
    "close": (commands.ClosePlay(table="1"), {PM, SM, OP}),
    "hand over": (commands.HandOver(table="1", dealer="person", person="dealer"), FLOOR),
    "propose rules": (commands.ProposeRulesChange(table="1", submission="stud", version=2), {OP}),
    "confirm rules": (commands.ConfirmRulesChange(table="3", in_round=False), FLOOR | {OP, R}),
    "withdraw rules": (commands.WithdrawRulesChange(table="3"), {OP}),
    "dispute a round of one's own": (commands.RaiseDispute(person=SELF, table="1", round=4, words="no"), FLOOR | {P}),
    "dispute a player's round": (commands.RaiseDispute(person="bob", table="1", round=4, words="no"), FLOOR),
    "dispute for whom the house does not know": (
        commands.RaiseDispute(person="", table="1", round=4, words="no"),
        FLOOR,
    ),
    "answer a dispute": (commands.AnswerDispute(dispute=1, stands=True, words="as dealt"), FLOOR),
    "a slip": (
        commands.MakeHandPaySlip(table="1", round=4, seat=2, person="bob", amount=100_000, reference="W-1"),
        {C},
    ),
    "call the floor": (commands.CallFloor(table="1", about="a card on the floor"), FLOOR | {D}),
    "answer a call": (commands.AnswerCall(table="3"), FLOOR),
    "rescue an operator": (commands.RescueOperator(person="operator-2", remove_second_factor=True), set()),
    "begin again": (commands.BeginHouse(operator="new"), set()),
    "sign up": (commands.SignUp(person=SELF), set()),
}
"""What each command is about, and everybody in the house who may give it."""

READS: Final[dict[str, set[str]]] = {
    "own_account": EVERYBODY,
    "own_rounds": {P},
    "rounds": FLOOR | {OP, R, A},
    "audit": {OP, R, A},
    "meters": FLOOR | {D, OP, R, A, "device"},
    "cage": {C, OP, R, A},
    "people": {C, OP, R, A},
    "players": FLOOR | {C, OP, R, A},
    "submissions": FLOOR | {OP, R, A},
    "tables": FLOOR | {D, OP, R, A},
    "figures": FLOOR | {OP, R, A},
    "disputes": FLOOR | {OP, R, A},
    "hand_pays": FLOOR | {C, OP, R, A},
    "tokens": {OP, A},
    "simulations": {OP, R, A},
    "sign": EVERYBODY | {"device"},
}
CAGE: Final = {"deposit", "withdraw", "reverse_cage"}
RECORD: Final = {"sign_head"}
"""What is neither at the cage nor in the record of the house: a checkpoint is kept beside it."""


def the_house(*, demo: bool = False) -> HouseState:
    add = commands.AddPerson
    return after(
        with_tables(demo=demo),
        request("operator", add(person="gone", roles=("player",))),
        request("operator", commands.SuspendPerson(person="gone")),
        request("operator", add(person="gone-dealer", roles=("dealer",))),
        request("operator", commands.SuspendPerson(person="gone-dealer")),
        request("operator", add(person="back", roles=("player",))),
        request("cashier", commands.Exclude(person="back", until=NOW - DAY), at=NOW - 2 * DAY),
        request("bob", commands.SetSecondFactor(person="bob")),
        request("operator-2", commands.SetSecondFactor(person="operator-2")),
        request("operator", commands.IssueToken(token="t-1", device="shoe", scope=("deal",), expires=NOW + DAY)),
        request("operator-2", commands.ProposeRulesChange(table="3", submission="stud", version=2)),
        request("bob", commands.RaiseDispute(person="bob", table="1", round=3, words="I had a flush")),
        request("dealer", commands.CallFloor(table="3", about="a spilled drink")),
    )


def allowed(state: HouseState, by: str, command: HouseCommand, *, factor: bool = True) -> bool:
    if getattr(command, "person", "") == SELF:
        command = type(command)(**{**{f: getattr(command, f) for f in command.__struct_fields__}, "person": by})
    try:
        decide(state, request(by, command, factor=factor))
    except RuleViolation:
        return False
    return True


@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("what", EXPECTED)
def test_exactly_these_people_may_give_a_command(what: str, *, demo: bool) -> None:
    command, who = EXPECTED[what]
    state = the_house(demo=demo)
    assert {by for by in EVERYBODY if allowed(state, by, command)} == who


@pytest.mark.parametrize("what", EXPECTED)
def test_nobody_else_may_give_any(what: str) -> None:
    command, _ = EXPECTED[what]
    state = the_house()
    for by in ("nobody", "", "shoe", "t-1", "gone", "gone-dealer"):
        assert not allowed(state, by, command)
    # The house itself is whoever has the machine, the store and its key: that is for operators who cannot sign in.
    assert allowed(state, THE_HOUSE, command) == (what == "rescue an operator")


@pytest.mark.parametrize("what", EXPECTED)
def test_without_a_second_factor_who_moves_money_or_rules_can_only_look_after_their_account(what: str) -> None:
    command, who = EXPECTED[what]
    own = {"one's password", "one's second factor", "own sessions"}
    expected = who if what in own else who & {P, D, A}
    assert {by for by in EVERYBODY if allowed(the_house(), by, command, factor=False)} == expected
    assert {by for by in EVERYBODY if allowed(the_house(demo=True), by, command, factor=False)} == who


def test_every_command_and_every_row_is_in_the_table_above() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(HouseCommand)}
    assert kinds == {str(command.__struct_config__.tag) for command, _ in EXPECTED.values()}
    assert kinds | CAGE | RECORD == {row.do for row in rights().command}
    assert {row.what for row in rights().read} == READS.keys()
    assert rights().roles == get_args(HouseRole)


def test_only_the_cashier_works_at_the_cage_and_only_for_players() -> None:
    rows = {row.do: row for row in rights().command}
    for do in CAGE:
        assert (rows[do].by, rows[do].own, rows[do].players) == ((), (), ("cashier",))


def test_a_head_is_signed_by_whoever_audits() -> None:
    row = next(row for row in rights().command if row.do == "sign_head")
    assert (row.by, row.own, row.players, row.demo) == (("operator", "regulator", "auditor"), (), (), ())


@pytest.mark.parametrize("what", READS)
def test_exactly_these_roles_may_read(what: str) -> None:
    ids = {"player": "ann"} | {role: role.replace("_", "-") for role in get_args(HouseRole) if role != "player"}
    own = what.startswith("own_")
    assert {ids[role] for role in get_args(HouseRole) if may_read([role], what, own=own)} == READS[what]
    assert not may_read(get_args(HouseRole), "nothing of the kind")
    if own:
        assert not any(may_read([role], what) for role in get_args(HouseRole))


@pytest.mark.parametrize(
    ("by", "command", "code"),
    [
        ("bob", commands.RaiseDispute(person="bob", table="1", round=3, words="again"), "raised_before"),
        ("bob", commands.RaiseDispute(person="bob", table="1", round=4, words=" "), "no_words"),
        ("bob", commands.RaiseDispute(person="bob", table="1", round=4, words="x" * 2_001), "too_long"),
        ("bob", commands.RaiseDispute(person="bob", table="no", round=4, words="no"), "unknown_table"),
        (F, commands.RaiseDispute(person="Mr. Smith", table="1", round=4, words="no"), "unknown_person"),
        (F, commands.AnswerDispute(dispute=9, stands=True, words="no"), "unknown_dispute"),
        (D, commands.CallFloor(table="no"), "unknown_table"),
        (D, commands.CallFloor(table="1", about="x" * 201), "too_long"),
        (F, commands.AnswerCall(table="1"), "no_call"),
        (F, commands.AnswerDispute(dispute=1, stands=True, words=""), "no_words"),
        (
            C,
            commands.MakeHandPaySlip(table="1", round=4, seat=1, person="bob", amount=1, reference=" "),
            "no_reference",
        ),
    ],
)
def test_what_is_refused_about_disputes_and_slips(by: str, command: HouseCommand, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        decide(the_house(), request(by, command))
    assert refused.value.code == code


def test_an_award_has_one_slip_and_a_slip_one_award() -> None:
    def slip(seat: int, reference: str, amount: int = 100_000) -> HouseCommand:
        return commands.MakeHandPaySlip(table="1", round=4, seat=seat, person="bob", amount=amount, reference=reference)

    state = after(the_house(), request(C, slip(1, "W-1")))
    for command, code in ((slip(1, "W-2"), "made_before"), (slip(2, "W-1"), "reference_used")):
        with pytest.raises(RuleViolation) as refused:
            decide(state, request(C, command))
        assert refused.value.code == code
    assert after(state, request(C, slip(1, "W-2", amount=90_000))).floor.slips["1", 4, 1].reference == "W-2"


def test_players_read_their_own_disputes() -> None:
    assert [role for role in get_args(HouseRole) if may_read([role], "disputes", own=True)] == [
        "player",
        *(role for role in get_args(HouseRole) if may_read([role], "disputes")),
    ]


def test_a_command_at_a_table_is_given_in_the_lowest_role_that_its_procedure_admits() -> None:
    for book in rulebook_ids():
        text = starting_submission(load_rulebook(book), every_wager=True)
        house = check(read_submission_text(text, name=book)).rules()
        order = house.rulebook.procedure.ranks.order
        for duty in house.rulebook.procedure.duty:
            # Written again, without looking at `givers`: by name, or by rank.
            admitted = {
                role
                for role in get_args(HouseRole)
                if role in duty.by or (duty.least and role in order and order.index(role) >= order.index(duty.least))
            }
            for role in get_args(HouseRole):
                assert table_role(house, [role], duty.do) == (role if role in admitted else None)
            chosen = table_role(house, get_args(HouseRole), duty.do)
            assert chosen in admitted
            assert table_role(house, ["cashier", "auditor"], duty.do) is None
        assert table_role(house, get_args(HouseRole), "no such command") is None


def test_a_token_can_allow_only_what_a_device_may_do() -> None:
    assert device_scope() == {
        "deal", "load_deck", "register", "report_jam", "reveal_seed", "shuffle_deck", "tell", "tell_meter",
        "read:meters", "read:sign",
    }  # fmt: skip


def test_who_signs_up_in_a_demo_becomes_a_player_and_nothing_else() -> None:
    state = after(begun(demo=True), request("zoe", commands.SignUp(person="zoe"), factor=False))
    assert state.people["zoe"].roles == ("player",)
    with pytest.raises(RuleViolation, match="in a demo alone"):
        decide(begun(), request("zoe", commands.SignUp(person="zoe")))
    with pytest.raises(RuleViolation, match="in a demo alone"):
        decide(begun(demo=True), request("operator", commands.SignUp(person="zoe")))
    with pytest.raises(RuleViolation, match="already"):
        decide(state, request("zoe", commands.SignUp(person="zoe")))
    with pytest.raises(RuleViolation, match="already"):
        decide(staffed(demo=True), request("operator", commands.SignUp(person="operator")))
