"""A house with people under test: cheap passwords, a clock, and a state made from commands alone."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from croupier.house import THE_HOUSE, HouseCommand, HouseRequest, HouseState, Passwords, commands, decide, evolve_house
from croupier.ledger import BookEntry, HouseRole
from croupier.rulebook import load_rulebook, starting_submission

NOW = datetime(2026, 1, 1, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
SUBMISSION = starting_submission(load_rulebook("md-mississippi-stud"))
EVERY_WAGER = starting_submission(load_rulebook("md-mississippi-stud"), every_wager=True)
LET_IT_RIDE = starting_submission(load_rulebook("md-let-it-ride"))
STAFF_ROLES: Sequence[HouseRole] = (
    "dealer",
    "floorperson",
    "supervisor",
    "pit_manager",
    "shift_manager",
    "cashier",
    "regulator",
    "auditor",
)


def quick() -> Passwords:
    """Passwords that take no time: not for a real house."""
    return Passwords(time_cost=1, memory_kib=8)


def request(
    by: str, command: HouseCommand, at: datetime = NOW, *, factor: bool = True, key: str = "", reason: str = ""
) -> HouseRequest:
    return HouseRequest(by=by, at=at, command=command, factor=factor, key=key, reason=reason)


def given(state: HouseState, asked: HouseRequest) -> tuple[HouseState, tuple[BookEntry, ...]]:
    """The state after a command, and its entries."""
    author, events = decide(state, asked)
    entries = tuple(
        BookEntry(stream="house", seq=seq, at=asked.at, by=author, event=event)
        for seq, event in enumerate(events, state.seq + 1)
    )
    return evolve_house(state, entries), entries


def after(state: HouseState, *requests: HouseRequest) -> HouseState:
    for asked in requests:
        state, _ = given(state, asked)
    return state


def begun(*, demo: bool = False) -> HouseState:
    return after(HouseState(), request(THE_HOUSE, commands.BeginHouse(operator="operator", demo=demo)))


def staffed(*, demo: bool = False, roles: Iterable[HouseRole] = STAFF_ROLES) -> HouseState:
    """A house with somebody in each role, called like it, a second operator, and two players."""
    state = begun(demo=demo)
    people: list[tuple[str, tuple[HouseRole, ...]]] = [(role.replace("_", "-"), (role,)) for role in roles]
    people += [("operator-2", ("operator",)), ("ann", ("player",)), ("bob", ("player",))]
    return after(state, *(request("operator", commands.AddPerson(person=id_, roles=has)) for id_, has in people))


def with_tables(*, demo: bool = False) -> HouseState:
    """The same with three submissions: one approved with a table that runs, one approved, one only drafted."""
    return after(
        staffed(demo=demo),
        request("operator", commands.DraftSubmission(name="stud", submission=SUBMISSION)),
        request("regulator", commands.ApproveSubmission(name="stud", version=1)),
        request("operator", commands.DraftSubmission(name="stud", submission=EVERY_WAGER)),
        request("regulator", commands.ApproveSubmission(name="stud", version=2)),
        request("operator", commands.DraftSubmission(name="ride", submission=LET_IT_RIDE)),
        request("operator", commands.MakeTable(table="1", submission="stud", version=1)),
        request("operator", commands.MakeTable(table="2", submission="stud", version=1)),
        request("operator", commands.MakeTable(table="3", submission="stud", version=1)),
        request("operator", commands.OpenPlay(table="1")),
        request("operator", commands.OpenPlay(table="3")),
        request("operator", commands.PausePlay(table="3")),
    )
