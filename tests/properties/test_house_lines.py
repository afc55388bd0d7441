"""Every event of the house's record, as it was written once: it can be read for ever, and says what it said."""

from pathlib import Path
from typing import Final, get_args

from msgspec.structs import replace

from croupier.house import HouseState, commands, evolve_house
from croupier.ledger import BookEntry, HouseEvent, SubmissionDrafted, read_book_line, write_book_line
from croupier.money import Cents
from support.people import DAY, EVERY_WAGER, HOUR, NOW, SUBMISSION, given, request

LINES: Final = Path(__file__).parents[1] / "data" / "house.jsonl"


def story() -> list[BookEntry]:
    """A house in which everything happens."""
    state, entries = HouseState(), list[BookEntry]()

    def give(by: str, command: commands.HouseCommand) -> None:
        nonlocal state
        at = NOW + len(entries) * HOUR
        state, more = given(state, request(by, command, at))
        entries.extend(more)

    give(commands.THE_HOUSE, commands.BeginHouse(operator="o-1", time_zone="America/New_York"))
    give("o-1", commands.ChangeSettings(time_zone="America/New_York", day_start="04:00"))
    give("o-1", commands.AddPerson(person="r-1", roles=("regulator",)))
    give("o-1", commands.AddPerson(person="d-1", roles=("dealer",)))
    give("o-1", commands.AddPerson(person="a-1", roles=("player",)))
    give("o-1", commands.ChangeRoles(person="d-1", roles=("dealer", "floorperson")))
    give("o-1", commands.SuspendPerson(person="d-1"))
    give("o-1", commands.RestorePerson(person="d-1"))
    give("d-1", commands.ChangePassword(person="d-1"))
    give("d-1", commands.SetSecondFactor(person="d-1"))
    give("o-1", commands.RemoveSecondFactor(person="d-1"))
    give("o-1", commands.EndSessions(person="a-1"))
    give("a-1", commands.SetLimits(person="a-1", limits={"loss_day": 10_000, "minutes_day": 120}))
    give("a-1", commands.Exclude(person="a-1", until=NOW + 30 * HOUR))
    give("o-1", commands.DraftSubmission(name="stud", submission=SUBMISSION))
    give("r-1", commands.ApproveSubmission(name="stud", version=1, note="MLGCC 2026-14"))
    give("o-1", commands.DraftSubmission(name="stud", submission=EVERY_WAGER))
    give("r-1", commands.ApproveSubmission(name="stud", version=2))
    give("o-1", commands.DraftSubmission(name="spare", submission=SUBMISSION))
    give("r-1", commands.ReturnSubmission(name="spare", version=1, note="the same as stud"))
    give("o-1", commands.MakeTable(table="7", submission="stud", version=1, pace=800))
    give("o-1", commands.OpenPlay(table="7"))
    give("d-1", commands.PausePlay(table="7"))
    give("o-1", commands.ResumePlay(table="7"))
    give("d-1", commands.HandOver(table="7", dealer="person", person="d-1"))
    give("o-1", commands.ProposeRulesChange(table="7", submission="stud", version=2))
    give("o-1", commands.WithdrawRulesChange(table="7"))
    give("o-1", commands.ProposeRulesChange(table="7", submission="stud", version=2))
    give("d-1", commands.ConfirmRulesChange(table="7", in_round=False))
    give("o-1", commands.ClosePlay(table="7"))
    give("o-1", commands.IssueToken(token="t-1", device="shoe", scope=("deal",), tables=("7",), expires=NOW + 9 * DAY))
    give("o-1", commands.RevokeToken(token="t-1"))
    give("a-1", commands.EndExclusion(person="a-1"))
    give("a-1", commands.RaiseDispute(person="a-1", table="7", round=12, seat=2, words="my pair of sixes was a push"))
    give("d-1", commands.AnswerDispute(dispute=1, stands=True, words="6.B: a pair of sixes pushes, and it did"))
    give("o-1", commands.AddPerson(person="c-1", roles=("cashier",)))
    slip = commands.MakeHandPaySlip(
        table="7", round=13, seat=2, person="a-1", amount=Cents(1_000_010), reference="W-2041"
    )
    give("c-1", slip)
    give("d-1", commands.CallFloor(table="7", about="a card fell off the table"))
    give("d-1", commands.AnswerCall(table="7"))
    return entries


def test_every_event_has_its_line() -> None:
    names = {read_book_line(line).name for line in LINES.read_bytes().splitlines()}
    assert names == {str(kind.__struct_config__.tag) for kind in get_args(HouseEvent)}
    assert names == {entry.name for entry in story()}


def test_old_lines_are_read_and_written_as_they_were() -> None:
    for line in LINES.read_bytes().splitlines():
        assert write_book_line(read_book_line(line)) == line


def test_the_same_story_gives_the_same_lines_today() -> None:
    kept = [read_book_line(line) for line in LINES.read_bytes().splitlines()]
    assert [_without_law(entry) for entry in story()] == [_without_law(entry) for entry in kept]


def _without_law(entry: BookEntry) -> BookEntry:
    """An entry without what changes whenever a rulebook does."""
    if not isinstance(entry.event, SubmissionDrafted):
        return entry
    return replace(entry, event=replace(entry.event, submission="", hash="", rules=""))


def test_the_lines_fold_to_the_house_they_tell_of() -> None:
    state = evolve_house(HouseState(), [read_book_line(line) for line in LINES.read_bytes().splitlines()])
    table = state.tables["7"]
    assert (table.version, table.run, table.dealt_by, table.proposed) == (2, "closed", "d-1", None)
    assert state.people["d-1"].roles == ("dealer", "floorperson")
    assert not state.people["d-1"].suspended
    assert not state.people["d-1"].second_factor
    assert state.people["a-1"].limit("loss_day", NOW + 9 * DAY) == 10_000
    assert state.people["a-1"].exclusion is None
    assert state.tokens["t-1"].revoked
    assert [filed.status for filed in state.submissions.values()] == ["approved", "approved", "returned"]
    dispute, slip = state.floor.disputes[1], state.floor.slips["7", 13, 2]
    assert (dispute.person, dispute.round, dispute.stands, dispute.answered_by) == ("a-1", 12, True, "d-1")
    assert (slip.person, slip.amount, slip.reference, slip.by) == ("a-1", 1_000_010, "W-2041", "c-1")
