"""Limits, exclusions, tokens and the first start: what protects players, devices and an empty house."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import RuleViolation, StoreError
from croupier.games import events as round_events
from croupier.house import (
    DEMO_ACCOUNTS,
    DEMO_PASSWORD,
    THE_HOUSE,
    House,
    HouseRequest,
    HouseState,
    People,
    PersonState,
    PlayedSoFar,
    Tokens,
    commands,
    demo,
    first_start,
    gaming_day,
    period_start,
    play_problem,
    played_so_far,
    token_problem,
)
from croupier.house.limits import PlayerAct, minutes_played
from croupier.house.state import PlayExclusion
from croupier.journal import read_line
from croupier.ledger import LimitKind
from croupier.money import Cents
from croupier.rulebook import rulebook_ids
from croupier.store import Store, check_ledger, open_store
from support.people import DAY, HOUR, NOW, after, quick, request, with_tables
from support.stores import StoredEvening, StorePlace

ACTS: tuple[PlayerAct, ...] = ("sit", "buy_in", "place_wager")
KINDS: tuple[LimitKind, ...] = ("loss_day", "loss_week", "loss_month", "minutes_day")
MINUTE = timedelta(minutes=1)


def player(**limits: int) -> PersonState:
    asked = tuple((kind, ((NOW - DAY, limits[kind]),)) for kind in KINDS if kind in limits)
    return PersonState(id="ann", roles=("player",), added=NOW - DAY, asked=asked)


# --- limits


@given(
    st.sampled_from([*ACTS, "decide"]),
    st.dictionaries(st.sampled_from(KINDS), st.integers(0, 50)),
    st.tuples(*[st.integers(-20, 60)] * 3, st.integers(0, 60)),
    st.integers(1, 30),
)
def test_a_bet_that_could_lose_more_than_a_limit_is_refused_and_no_other(
    act: PlayerAct, limits: dict[LimitKind, int], so_far: tuple[int, int, int, int], amount: int
) -> None:
    day, week, month, minutes = so_far
    played = PlayedSoFar(loss_day=Cents(day), loss_week=Cents(week), loss_month=Cents(month), minutes_day=minutes)
    problem = play_problem(player(**limits), act, played, NOW, amount=Cents(amount))
    # Naively: what the player would have lost if everything at risk is gone, cent by cent.
    risk = amount if act in {"place_wager", "decide"} else 1
    over = any(
        kind in limits and any(lost + cent > limits[kind] for cent in range(1, risk + 1))
        for kind, lost in zip(KINDS[:3], so_far[:3], strict=True)
    )
    over = over or (act != "decide" and "minutes_day" in limits and minutes >= limits["minutes_day"])
    assert (problem is not None) == over
    if problem is not None:
        assert problem.code == "limit_reached"


@pytest.mark.parametrize("act", ACTS)
def test_who_is_excluded_or_suspended_plays_nowhere(act: PlayerAct) -> None:
    nothing = PlayedSoFar()
    for until in (NOW + DAY, NOW - DAY, None):  # it ends when the player comes back, not by itself
        excluded = PersonState(id="a", roles=("player",), added=NOW, exclusion=PlayExclusion(NOW - 2 * DAY, until))
        problem = play_problem(excluded, act, nothing, NOW, amount=Cents(1))
        assert problem is not None
        assert problem.code == "excluded"
    suspended = PersonState(id="a", roles=("player",), added=NOW, suspended=True)
    assert play_problem(suspended, act, nothing, NOW) is not None
    assert play_problem(player(), act, nothing, NOW, amount=Cents(10**9)) is None


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 20)), max_size=12), st.integers(0, 400))
def test_minutes_at_the_tables_are_those_that_one_would_count(rounds: list[tuple[int, int]], now: int) -> None:
    rounds = [(opened, length) for opened, length in rounds if opened + length <= now]
    times = [(NOW + opened * MINUTE, NOW + (opened + length) * MINUTE) for opened, length in rounds]
    # Minute by minute: in a round, or between two rounds (or a round and now) at most 15 minutes apart.
    playing = {minute for opened, length in rounds for minute in range(opened, opened + length)}
    ends = sorted({opened + length for opened, length in rounds})
    starts = [*sorted({opened for opened, _ in rounds}), now]
    for end in ends:
        for start in starts:
            if 0 <= start - end <= 15:
                playing |= set(range(end, start))
    assert minutes_played(times, NOW + now * MINUTE) == len(playing)


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Kathmandu"])
@pytest.mark.parametrize("start", ["00:00", "06:00", "23:30"])
@given(hours=st.integers(0, 24 * 800), minutes=st.integers(0, 59))
def test_a_gaming_day_has_one_beginning_and_periods_contain_it(hours: int, minutes: int, zone: str, start: str) -> None:
    at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(hours=hours, minutes=minutes)
    day, week, month = (period_start(at, period, zone, start) for period in ("day", "week", "month"))
    assert max(week, month) <= day <= at < day + timedelta(hours=25)
    assert gaming_day(day, zone, start) == gaming_day(at, zone, start)
    assert gaming_day(day - timedelta(seconds=1), zone, start) < gaming_day(at, zone, start)
    assert gaming_day(week, zone, start).weekday() == 0
    assert gaming_day(month, zone, start).day == 1


def test_losses_and_minutes_are_those_of_the_record(place: StorePlace) -> None:
    async def run() -> None:
        evening = StoredEvening(place)
        await evening.open()
        try:
            await evening.play(120)
            store = evening.store
            last = evening.table.clock
            assert last is not None
            state = HouseState()
            played = await played_so_far(store, state, "ann", last)
            # Again, from the entries alone.
            lost, opened, spans, day = 0, None, [], period_start(last, "day", state.time_zone, state.day_start)
            in_round = 0
            for stored in await store.load("table/1"):
                entry = read_line(stored.line)
                event = entry.event
                if isinstance(event, round_events.WagerPlaced) and opened is None:
                    opened, in_round = entry.at, 0
                elif isinstance(event, round_events.HandSettled):
                    in_round += sum(wager.staked - wager.won - wager.returned for wager in event.wagers)
                elif isinstance(event, round_events.RoundClosed) and opened is not None:
                    if entry.at >= day:
                        lost += in_round
                        spans.append((opened, entry.at))
                    opened = None
            assert spans
            assert played.loss_day == played.loss_week == played.loss_month == lost
            assert played.minutes_day == minutes_played(spans, last)
            tomorrow = await played_so_far(store, state, "ann", last + DAY)
            assert (tomorrow.loss_day, tomorrow.minutes_day) == (0, 0)
            assert await played_so_far(store, state, "nobody", last) == PlayedSoFar()
        finally:
            await evening.close()

    asyncio.run(run())


# --- tokens


def in_store(place: StorePlace, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await place.open()
        try:
            await work(store)
            assert (await check_ledger(store)).problems == ()
        finally:
            await store.close()

    asyncio.run(run())


def test_a_device_does_what_its_token_says_where_and_until_when(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        await demo(people, NOW, well_known=True)
        tokens = Tokens(people.house)
        command = commands.IssueToken(
            token="t-1", device="shoe 1", scope=("deal", "read:meters"), tables=("1",), expires=NOW + DAY
        )
        text = await tokens.issue("operator-1", command, NOW, factor=False)
        token = await tokens.find(text, NOW)
        assert token is not None
        assert token_problem(token, "deal", "1", NOW) is None
        for do, table, at in (
            ("settle", "1", NOW),
            ("deal", "2", NOW),
            ("deal", "1", NOW + DAY),
            ("read:cage", "1", NOW),
        ):
            assert token_problem(token, do, table, at) is not None
        for wrong in ("", "t-1", "t-1.", f"{text}x", text[:-1], text.replace("t-1", "t-2"), "\ud800", "t-1.é"):
            assert await tokens.find(wrong, NOW) is None
        assert await tokens.find(text, NOW + DAY) is None
        assert text.partition(".")[2] not in repr(await store.read("select * from token"))
        await people.house.give(request("operator-1", commands.RevokeToken(token="t-1")))
        assert await tokens.find(text, NOW) is None
        revoked = people.house.state.tokens["t-1"]
        assert token_problem(revoked, "deal", "1", NOW) is not None
        people.close()

    in_store(place, work)


def test_a_token_for_what_no_device_may_do_is_not_issued() -> None:
    state = with_tables()
    scopes: tuple[tuple[str, ...], ...] = ((), ("settle",), ("deal", "open_table"), ("read:cage",), ("add_person",))
    for scope in scopes:
        command = commands.IssueToken(token="t", device="d", scope=scope, expires=NOW + DAY)
        with pytest.raises(RuleViolation, match="a token allows"):
            after(state, request("operator", command))
    for expires in (NOW, NOW - HOUR, NOW + 401 * DAY):
        command = commands.IssueToken(token="t", device="d", scope=("deal",), expires=expires)
        with pytest.raises(RuleViolation, match="expires within"):
            after(state, request("operator", command))
    lost = commands.IssueToken(token="t", device="d", scope=("deal",), tables=("99",), expires=NOW + DAY)
    with pytest.raises(RuleViolation, match="nobody has made table 99"):
        after(state, request("operator", lost))


# --- the first start


def test_an_empty_house_gets_one_operator_whose_password_is_told_once(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        first = await first_start(people, NOW)
        assert first is not None
        assert await first_start(people, NOW) is None
        assert await first_start(People(House(store), people.credentials.passwords), NOW) is None
        new, person = await people.sign_in(first.name, first.password, at=NOW, address="127.0.0.1")
        assert person.roles == ("operator",)
        assert await people.session(new.id, NOW) is not None
        # Before there is a second factor, this password is of little use.
        add = commands.AddPerson(person="x", roles=("operator",))
        with pytest.raises(RuleViolation, match="set up a second factor first"):
            await people.house.give(request("operator-1", add, factor=False))
        with pytest.raises(RuleViolation, match="a demo needs a store of its own"):
            await demo(people, NOW, well_known=True)
        people.close()

    in_store(place, work)


def test_a_first_start_that_was_cut_off_is_finished_by_the_next(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        begin = commands.BeginHouse(operator="operator-1")
        await people.house.give(HouseRequest(by=THE_HOUSE, at=NOW, command=begin))  # and here the power went
        first = await first_start(people, NOW)
        assert first is not None
        await people.sign_in(first.name, first.password, at=NOW, address="127.0.0.1")
        assert await first_start(people, NOW) is None
        people.close()

    in_store(place, work)


def test_a_demo_has_somebody_in_each_role_and_tables_that_run(place: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        made = await demo(people, NOW, well_known=True)
        assert [(account.name, account.role) for account in made] == list(DEMO_ACCOUNTS)
        assert {account.password for account in made} == {DEMO_PASSWORD}
        state = people.house.state
        assert await demo(people, NOW + HOUR, well_known=True) == made
        assert people.house.state == state
        for account in made:
            _, person = await people.sign_in(account.name, DEMO_PASSWORD, at=NOW, address="127.0.0.1")
            assert person.roles == (account.role,)
        assert [table.run for table in state.tables.values()] == ["open"] * 5
        assert [state.rules_of(table).rulebook for table in state.tables.values()][:4] == list(rulebook_ids())
        assert [table.kind for table in state.tables.values()] == ["virtual"] * 4 + ["physical"]
        assert {filed.status for filed in state.submissions.values()} == {"approved"}
        people.close()

    in_store(place, work)


def test_a_demo_that_others_can_reach_has_random_passwords_which_are_told_once(in_sqlite: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        made = await demo(people, NOW, well_known=False)
        passwords = {account.password for account in made}
        assert len(passwords) == len(made)
        assert None not in passwords
        again = await demo(people, NOW, well_known=False)
        assert {account.password for account in again} == {None}
        assert {account.password for account in await demo(people, NOW, well_known=True)} == {None}
        people.close()

    in_store(in_sqlite, work)


def test_a_demo_that_was_interrupted_is_finished_at_the_next_start(in_sqlite: StorePlace) -> None:
    async def work(store: Store) -> None:
        people = People(House(store), quick())
        begin = commands.BeginHouse(operator="operator-1", demo=True)
        await people.house.give(request("the-house", begin))  # and then the machine stopped
        made = await demo(people, NOW, well_known=True)
        assert {account.password for account in made} == {DEMO_PASSWORD}
        people.close()

    in_store(in_sqlite, work)


def test_an_older_store_is_brought_forward(in_sqlite: StorePlace) -> None:
    async def run() -> None:
        store = await in_sqlite.open()
        await store.close()
        for table in ("credential", "session", "token", "familiar"):
            in_sqlite.change(f"drop table {table}")
        in_sqlite.change("delete from migration where number = 2")
        with pytest.raises(StoreError, match="open it for writing once"):
            await in_sqlite.open(write=False)
        store = await open_store(in_sqlite.url)
        assert await store.read("select * from credential") == []
        await store.close()

    asyncio.run(run())
