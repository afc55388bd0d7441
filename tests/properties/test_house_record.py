"""The house's own record: what it refuses, what must hold after any commands, and that it survives like every other."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_values
from hypothesis import strategies as st

from croupier.errors import Malformed, RuleViolation
from croupier.house import THE_HOUSE, House, HouseCommand, HouseState, commands, evolve_house
from croupier.house.state import limit_at
from croupier.journal.verify import verify_export
from croupier.ledger import (
    Author,
    BookEntry,
    PersonAdded,
    RulesChangeConfirmed,
    SubmissionApproved,
    SubmissionDrafted,
    book_event_names,
    read_book_line,
)
from croupier.store import Store, check_ledger, copy_store, export, open_store
from support.people import (
    DAY,
    EVERY_WAGER,
    HOUR,
    LET_IT_RIDE,
    NOW,
    SUBMISSION,
    after,
    begun,
    given,
    request,
    staffed,
    with_tables,
)
from support.stores import StorePlace


def refused(state: HouseState, by: str, command: HouseCommand, at: datetime = NOW) -> str:
    """The code of a refusal, or nothing."""
    try:
        given(state, request(by, command, at))
    except RuleViolation as refusal:
        return refusal.code
    return ""


# --- what each command demands


def test_a_house_begins_once_and_with_an_operator() -> None:
    state = begun()
    assert state.operators() == ("operator",)
    assert refused(state, THE_HOUSE, commands.BeginHouse(operator="other")) == "begun_before"
    assert refused(HouseState(), "anybody", commands.BeginHouse(operator="other")) == "begun_before"
    for zone, start in (("Mars/Olympus", "06:00"), ("UTC", "24:00"), ("UTC", "6:00"), ("../../etc/passwd", "06:00")):
        with pytest.raises(Malformed):
            given(HouseState(), request(THE_HOUSE, commands.BeginHouse(operator="o", time_zone=zone, day_start=start)))


def test_the_last_operator_cannot_be_removed() -> None:
    state = begun()
    assert refused(state, "operator", commands.SuspendPerson(person="operator")) == "last_operator"
    assert refused(state, "operator", commands.ChangeRoles(person="operator", roles=("dealer",))) == "own_roles"
    two = after(state, request("operator", commands.AddPerson(person="second", roles=("operator",))))
    one = after(two, request("second", commands.SuspendPerson(person="operator")))
    assert one.operators() == ("second",)
    assert refused(one, "second", commands.SuspendPerson(person="second")) == "last_operator"
    assert refused(one, "operator", commands.SuspendPerson(person="second")) == "not_theirs"


def test_a_player_works_nowhere_and_who_judges_the_house_is_not_part_of_it() -> None:
    state = staffed()
    roles: Any  # also what nobody may have
    for roles in (("player", "dealer"), ("regulator", "operator"), ("auditor", "cashier"), ("regulator", "auditor")):
        assert refused(state, "operator", commands.AddPerson(person="new", roles=roles)) == "role_alone"
    for roles in ((), ("device",), ("king",)):
        assert refused(state, "operator", commands.AddPerson(person="new", roles=roles)) == "no_role"
    assert refused(state, "operator", commands.ChangeRoles(person="ann", roles=("dealer",))) == "player_account"
    assert refused(state, "operator", commands.ChangeRoles(person="dealer", roles=("player",))) == "player_account"
    for person in ("", "A", "a b", "a/b", "x" * 41, THE_HOUSE, "p\n"):
        with pytest.raises(Malformed):
            given(state, request("operator", commands.AddPerson(person=person, roles=("dealer",))))


@pytest.mark.clause("md-mississippi-stud 2.B")
def test_a_table_opens_only_on_an_approved_version() -> None:
    state = after(
        staffed(),
        request("operator", commands.DraftSubmission(name="stud", submission=SUBMISSION)),
        request("operator", commands.MakeTable(table="1", submission="stud", version=1)),
    )
    with pytest.raises(RuleViolation, match="is not approved") as refusal:
        given(state, request("operator", commands.OpenPlay(table="1")))
    assert (refusal.value.code, refusal.value.clause) == ("not_approved", "2.B")
    returned = after(state, request("regulator", commands.ReturnSubmission(name="stud", version=1, note="why")))
    assert refused(returned, "operator", commands.OpenPlay(table="1")) == "not_approved"
    assert refused(returned, "regulator", commands.ApproveSubmission(name="stud", version=1)) == "judged_before"
    make = commands.MakeTable(table="2", submission="stud", version=1)
    assert refused(returned, "operator", make) == "not_approved"
    approved = after(state, request("regulator", commands.ApproveSubmission(name="stud", version=1)))
    assert refused(approved, "operator", commands.OpenPlay(table="1")) == ""


def test_who_drafted_a_submission_never_judges_it() -> None:
    state = after(
        staffed(),
        request("operator-2", commands.DraftSubmission(name="stud", submission=SUBMISSION)),
        request("operator", commands.ChangeRoles(person="operator-2", roles=("regulator",))),
    )
    assert refused(state, "operator-2", commands.ApproveSubmission(name="stud", version=1)) == "own_act"
    assert refused(state, "operator-2", commands.ReturnSubmission(name="stud", version=1, note="x")) == "own_act"
    assert refused(state, "regulator", commands.ReturnSubmission(name="stud", version=1, note=" ")) == "no_reason"
    assert refused(state, "regulator", commands.ApproveSubmission(name="stud", version=1)) == ""


def test_a_submission_that_the_document_does_not_allow_is_not_filed() -> None:
    state = staffed()
    seven = '{"rulebook": "md-mississippi-stud", "seats": 7}'
    with pytest.raises(RuleViolation, match="at most 6") as refusal:
        given(state, request("operator", commands.DraftSubmission(name="stud", submission=seven)))
    assert refusal.value.clause == "2.A"
    with pytest.raises(Malformed):
        given(state, request("operator", commands.DraftSubmission(name="stud", submission="not a submission")))
    state = after(state, request("operator", commands.DraftSubmission(name="stud", submission=SUBMISSION)))
    assert refused(state, "operator", commands.DraftSubmission(name="stud", submission=SUBMISSION)) == "no_change"
    assert refused(state, "operator", commands.DraftSubmission(name="stud", submission=LET_IT_RIDE)) == "other_rulebook"
    state = after(state, request("operator", commands.DraftSubmission(name="stud", submission=EVERY_WAGER)))
    assert [filed.version for filed in state.versions("stud")] == [1, 2]


def test_rules_of_a_table_change_by_two_people_and_between_rounds() -> None:
    state = after(
        with_tables(), request("operator", commands.ProposeRulesChange(table="1", submission="stud", version=2))
    )
    between, within = (commands.ConfirmRulesChange(table="1", in_round=in_round) for in_round in (False, True))
    assert refused(state, "operator", between) == "own_act"
    assert refused(state, "floorperson", within) == "round_in_progress"
    assert state.tables["1"].version == 1
    changed = after(state, request("floorperson", between))
    assert (changed.tables["1"].version, changed.tables["1"].proposed) == (2, None)
    assert refused(changed, "floorperson", between) == "nothing_there"
    ride = commands.ProposeRulesChange(table="1", submission="ride", version=1)
    assert refused(state, "operator", ride) == "not_approved"
    approved = after(state, request("regulator", commands.ApproveSubmission(name="ride", version=1)))
    assert refused(approved, "operator", ride) == "other_rulebook"


def test_a_table_is_opened_paused_resumed_closed_and_handed_over_in_order() -> None:
    state = with_tables()
    runs = {"2": "new", "1": "open", "3": "paused"}
    able = {"new": {"open"}, "open": {"pause", "close"}, "paused": {"resume", "close"}, "closed": {"open"}}
    kinds: dict[str, Callable[..., HouseCommand]] = {
        "open": commands.OpenPlay,
        "pause": commands.PausePlay,
        "resume": commands.ResumePlay,
        "close": commands.ClosePlay,
    }
    state = after(
        state,
        request("operator", commands.MakeTable(table="4", submission="stud", version=1)),
        request("operator", commands.OpenPlay(table="4")),
        request("operator", commands.ClosePlay(table="4")),
    )
    for table, run in (runs | {"4": "closed"}).items():
        assert state.tables[table].run == run
        accepted = {word for word, kind in kinds.items() if not refused(state, "operator", kind(table=table))}
        assert accepted == able[run]
    to_dealer = commands.HandOver(table="1", dealer="person", person="dealer")
    handed = after(state, request("floorperson", to_dealer))
    assert (handed.tables["1"].dealer, handed.tables["1"].dealt_by) == ("person", "dealer")
    assert refused(handed, "floorperson", to_dealer) == "no_change"
    for person in ("ann", "operator", "nobody", ""):
        hand_over = commands.HandOver(table="1", dealer="person", person=person)
        assert refused(state, "floorperson", hand_over) == "not_a_dealer"
    physical = commands.MakeTable(table="9", submission="stud", version=1, kind="physical")
    assert refused(state, "operator", physical) == "no_hands"


# --- protection of players


def test_an_exclusion_is_lengthened_at_once_and_never_shortened() -> None:
    def exclude(until: datetime | None) -> HouseCommand:
        return commands.Exclude(person="ann", until=until)

    state = after(staffed(), request("ann", exclude(NOW + DAY)))
    assert refused(state, "ann", exclude(NOW + HOUR)) == "exclusion_holds"
    assert refused(state, "cashier", exclude(NOW + HOUR)) == "exclusion_holds"
    assert refused(state, "ann", exclude(NOW + DAY)) == "exclusion_holds"
    assert refused(state, "ann", commands.EndExclusion(person="ann"), NOW + DAY - HOUR) == "exclusion_holds"
    assert refused(state, "ann", commands.EndExclusion(person="ann"), NOW + DAY) == ""
    longer = after(state, request("ann", exclude(NOW + 2 * DAY)))
    assert refused(longer, "ann", commands.EndExclusion(person="ann"), NOW + DAY) == "exclusion_holds"
    good = after(longer, request("ann", exclude(None)))
    assert refused(good, "ann", exclude(NOW + 9 * DAY)) == "exclusion_holds"
    assert refused(good, "cashier", commands.EndExclusion(person="ann"), NOW + 9_999 * DAY) == "exclusion_holds"
    back = after(state, request("ann", commands.EndExclusion(person="ann"), NOW + DAY))
    assert back.people["ann"].exclusion is None
    assert refused(back, "ann", commands.Exclude(person="ann", until=NOW), NOW) == "bad_time"


@given_values(
    st.lists(st.tuples(st.integers(0, 60), st.one_of(st.none(), st.integers(0, 5))), max_size=8),
    st.integers(0, 100),
)
def test_the_limit_that_holds_is_the_strictest_of_the_last_day(asked: list[tuple[int, int | None]], hour: int) -> None:
    asked = sorted(dict(asked).items())
    # Hour by hour: what was standing in each hour of the last 24, and in this moment.
    standing = []
    for now in range(hour - 24, hour + 1):
        before = [amount for when, amount in asked if when <= now]
        standing.append(before[-1] if before else None)
    expected = min((amount for amount in standing if amount is not None), default=None)
    times = tuple((NOW + when * HOUR, amount) for when, amount in asked)
    assert limit_at(times, NOW + hour * HOUR) == expected


def test_a_lower_limit_holds_at_once_and_a_higher_one_after_a_day() -> None:
    state = staffed()
    for at, amount in ((NOW, 10_000), (NOW + HOUR, 5_000), (NOW + 2 * HOUR, 20_000)):
        command = commands.SetLimits(person="ann", limits={"loss_day": amount})
        state = after(state, request("ann", command, at))
    ann = state.people["ann"]
    assert ann.limit("loss_day", NOW) == 10_000
    assert ann.limit("loss_day", NOW + HOUR) == 5_000
    assert ann.limit("loss_day", NOW + 26 * HOUR - timedelta(microseconds=1)) == 5_000
    assert ann.limit("loss_day", NOW + 26 * HOUR) == 20_000
    assert ann.limit("loss_week", NOW) is None
    assert refused(state, "ann", commands.SetLimits(person="ann", limits={"loss_day": 20_000})) == "no_change"
    assert refused(state, "ann", commands.SetLimits(person="ann", limits={})) == "no_change"
    for limits in ({"loss_day": -1}, {"minutes_day": 1441}, {"loss_month": 10**13}):
        assert refused(state, "ann", commands.SetLimits(person="ann", limits=limits)) == "bad_limit"  # type: ignore[arg-type]


# --- whatever is given


PEOPLE = ("operator", "operator-2", "regulator", "cashier", "pit-manager", "floorperson", "ann", "dealer")
ROLE_SETS = (("operator",), ("regulator",), ("dealer", "floorperson"), ("player",), ("cashier", "operator"))


@st.composite
def random_requests(draw: st.DrawFn) -> list[tuple[str, HouseCommand]]:
    person, version = st.sampled_from((*PEOPLE, "new", "new-2")), st.integers(1, 3)
    table, name = st.sampled_from(("1", "2", "3")), st.sampled_from(("stud", "ride"))
    command = st.one_of(
        st.builds(commands.AddPerson, person=person, roles=st.sampled_from(ROLE_SETS)),
        st.builds(commands.ChangeRoles, person=person, roles=st.sampled_from(ROLE_SETS)),
        st.builds(commands.SuspendPerson, person=person),
        st.builds(commands.RestorePerson, person=person),
        st.builds(commands.DraftSubmission, name=name, submission=st.sampled_from((SUBMISSION, EVERY_WAGER))),
        st.builds(commands.ApproveSubmission, name=name, version=version),
        st.builds(commands.ReturnSubmission, name=name, version=version, note=st.just("no")),
        st.builds(commands.MakeTable, table=table, submission=name, version=version),
        st.builds(commands.OpenPlay, table=table),
        st.builds(commands.ClosePlay, table=table),
        st.builds(commands.ProposeRulesChange, table=table, submission=name, version=version),
        st.builds(commands.ConfirmRulesChange, table=table, in_round=st.booleans()),
    )
    return draw(st.lists(st.tuples(person, command), max_size=40))


@given_values(random_requests())
def test_whatever_is_given_the_house_stays_in_order(requests: list[tuple[str, HouseCommand]]) -> None:
    state, entries = staffed(), list[BookEntry]()
    first = state
    for by, command in requests:
        try:
            state, more = given(state, request(by, command))
        except RuleViolation:
            continue
        entries += more
    assert state.operators()
    for person in state.people.values():
        assert len(person.roles) == 1 or not {"player", "regulator", "auditor"} & set(person.roles)
    drafted, approved = dict[tuple[str, int], str](), dict[tuple[str, int], Author]()
    for entry in entries:
        match entry.event:
            case SubmissionDrafted(name=name, version=version):
                drafted[name, version] = entry.by.id
            case SubmissionApproved(name=name, version=version):
                approved[name, version] = entry.by
            case RulesChangeConfirmed(proposed_by=proposed_by):
                assert entry.by.id != proposed_by
    for place, judge in approved.items():
        assert judge.role == "regulator"
        assert judge.id != drafted[place]
    for table in state.tables.values():
        if table.run == "open":
            assert (table.submission, table.version) in approved
    assert evolve_house(first, entries) == state
    one_by_one = first
    for entry in entries:
        one_by_one = evolve_house(one_by_one, [entry])
    assert one_by_one == state


# --- in a store


def in_store(place: StorePlace, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await place.open()
        try:
            await work(store)
            assert (await check_ledger(store)).problems == ()
        finally:
            await store.close()

    asyncio.run(run())


async def _begin(store: Store) -> House:
    house = House(store)
    await house.load()
    await house.give(request(THE_HOUSE, commands.BeginHouse(operator="operator")))
    return house


def test_what_was_answered_is_there_after_a_restart(place: StorePlace) -> None:
    states = []

    async def first(store: Store) -> None:
        house = await _begin(store)
        await house.give(request("operator", commands.AddPerson(person="reg", roles=("regulator",))))
        await house.give(request("operator", commands.DraftSubmission(name="stud", submission=SUBMISSION)))
        await house.give(request("reg", commands.ApproveSubmission(name="stud", version=1)))
        states.append(house.state)

    async def second(store: Store) -> None:
        house = House(store)
        assert await house.load() == states[0]
        await house.give(request("operator", commands.MakeTable(table="1", submission="stud", version=1)))

    in_store(place, first)
    in_store(place, second)


def test_a_command_with_a_key_is_carried_out_once(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        house = await _begin(store)
        add = request("operator", commands.AddPerson(person="new", roles=("dealer",)), key="k")
        first = await house.give(add)
        for again in (house, House(store)):
            assert await again.give(add) == first
        assert isinstance(first[0].event, PersonAdded)
        assert first[0].command == "k"
        with pytest.raises(RuleViolation, match="belongs to another command"):
            await house.give(request("operator", commands.AddPerson(person="new", roles=("cashier",)), key="k"))
        seq = house.state.seq
        with pytest.raises(RuleViolation):
            await house.give(request("operator", commands.SuspendPerson(person="operator"), key="k2"))
        assert house.state.seq == seq

    in_store(place, work)


def test_several_processes_share_one_record(in_postgres: StorePlace) -> None:
    async def work(store: Store) -> None:
        other_store = await in_postgres.open()
        try:
            one = await _begin(store)
            two = House(other_store)
            await two.load()
            follow = asyncio.create_task(two.follow())
            adds = [
                house.give(request("operator", commands.AddPerson(person=f"p-{number}", roles=("dealer",))))
                for number in range(20)
                for house in (one, two)
            ]
            results = await asyncio.gather(*adds, return_exceptions=True)
            refusals = [result for result in results if isinstance(result, RuleViolation)]
            assert len(refusals) == 20  # each person is added once, by whichever process came first
            assert not [result for result in results if isinstance(result, Exception) and result not in refusals]
            assert await one.refresh() == await two.refresh()
            assert len(one.state.people) == 21
            await one.give(request("operator", commands.AddPerson(person="heard", roles=("dealer",))))
            for _ in range(100):
                if "heard" in two.state.people:
                    break
                await asyncio.sleep(0.02)
            assert "heard" in two.state.people
            # What the other has not heard yet is no reason for a refusal.
            follow.cancel()
            await one.give(request("operator", commands.AddPerson(person="quiet", roles=("dealer",))))
            await two.give(request("operator", commands.SuspendPerson(person="quiet")))
        finally:
            await other_store.close()

    in_store(in_postgres, work)


def test_verify_export_copy_and_audit_take_the_house_s_record_like_any_other(place: StorePlace, tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        house = await _begin(store)
        await house.give(request("operator", commands.AddPerson(person="d-1", roles=("dealer",))))
        report = verify_export(b"".join([line async for line in export(store)]))
        assert (report.streams, report.lines) == (1, house.state.seq)
        copy = await open_store(str(tmp_path / "copy.db"), make_key=False)
        try:
            assert await copy_store(store, copy) == house.state.seq
            assert await House(copy).load() == house.state
        finally:
            await copy.close()

    in_store(place, work)


def test_a_changed_line_is_noticed(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        await _begin(store)

    in_store(place, work)
    literal = "'x'::bytea" if place.server is not None else "x'78'"
    place.change(f"update event set line = {literal} where stream = 'house' and seq = 2")

    async def read() -> None:
        store = await place.open()
        try:
            with pytest.raises(Exception, match="the chain does not hold"):
                await House(store).load()
        finally:
            await store.close()

    asyncio.run(read())


def test_no_event_of_the_house_can_hold_a_secret() -> None:
    names = [name for name in book_event_names() if name.partition("/")[0]]
    assert len(names) == len(set(names)) == 40
    entry = given(begun(), request("operator", commands.AddPerson(person="x", roles=("dealer",))))[1][0]
    line = b'{"stream":"house","seq":3,"at":"2026-01-01T20:00:00Z","by":{"role":"operator","id":"operator"},'
    line += b'"what":{"event":"person_added/1","person":"x","roles":["dealer"]}}'
    assert read_book_line(line) == entry
