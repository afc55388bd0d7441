"""Passwords that somebody else handed out: they work for seven days, and an operator who has none is rescued."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import RuleViolation
from croupier.house import (
    THE_HOUSE,
    House,
    HouseCommand,
    HouseState,
    NewSession,
    People,
    SignedIn,
    commands,
    decide,
    evolve_house,
    first_start,
    rescue_operator,
)
from croupier.house.second_factor import code_at
from croupier.house.state import HANDED_OUT
from croupier.ledger import BookEntry, PersonAdded, read_book_line
from croupier.store import CREDENTIALS_KEY, forget_person
from support.people import DAY, HOUR, NOW, quick, request
from support.people import given as carried_out
from support.stores import StorePlace

INSTANT: Final = timedelta(microseconds=1)
OVER: Final = NOW + HANDED_OUT
PASSWORD: Final = "nine of diamonds"
OWN: Final = "a pair of black tens"
HOME: Final = "192.0.2.1"
RECORD: Final = Path(__file__).parents[1] / "data" / "house.jsonl"


def with_people(place: StorePlace, work: Callable[[People], Awaitable[None]], *, demo: bool = False) -> None:
    async def run() -> None:
        store = await place.open()
        people = People(House(store), quick())
        try:
            await people.house.load()
            await people.begin("Olga", PASSWORD, commands.BeginHouse(operator="o-1", demo=demo), NOW)
            await people.add("Dee", PASSWORD, ("dealer",), by="o-1", at=NOW, factor=True, person="d-1")
            await people.add("Ann", PASSWORD, ("player",), by="o-1", at=NOW, factor=True, person="a-1")
            await work(people)
        finally:
            people.close()
            await store.close()

    asyncio.run(run())


async def comes(people: People, name: str, at: datetime, password: str = PASSWORD) -> str:
    """What somebody is told who signs in: nothing if it works."""
    try:
        await people.sign_in(name, password, at=at, address=HOME)
    except RuleViolation as refusal:
        return f"{refusal.code}: {refusal}"
    return ""


async def signed(people: People, new: NewSession, at: datetime) -> SignedIn:
    found = await people.session(new.id, at)
    assert found is not None
    return found


# --- seven days


def test_a_password_that_was_handed_out_stops_working_after_exactly_seven_days(place: StorePlace) -> None:
    async def work(people: People) -> None:
        assert timedelta(days=7) == HANDED_OUT
        first = "password_expired: this first password has expired: ask"
        asked = {
            "Olga": "another operator, or whoever runs the machine,",
            "Dee": "the operator",
            "Ann": "the cashier",
        }
        for name, who in asked.items():
            assert await comes(people, name, OVER - INSTANT) == ""
            assert await comes(people, name, OVER) == f"{first} {who} for a new one"
            assert (await comes(people, name, OVER + 400 * DAY)).startswith(first)

    with_people(place, work)


def test_a_wrong_password_after_that_is_answered_as_ever(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        for name in ("Dee", "nobody"):
            told = await comes(people, name, OVER, "wrong")
            assert told == "bad_sign_in: the name or the password is wrong"
        await people.suspend("d-1", by="o-1", at=NOW, factor=True)
        assert (await comes(people, "Dee", OVER)).startswith("suspended")

    with_people(in_sqlite, work)


def test_a_demo_asks_nobody_to_change_anything(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        for name in ("Olga", "Dee", "Ann"):
            assert await comes(people, name, OVER + DAY) == ""
        assert people.house.state.password_until(people.house.state.people["d-1"]) is None
        person = await people.sign_up("Zoe", "eightish", at=NOW)
        assert people.house.state.people[person].handed is None  # nobody else ever knew it

    with_people(in_sqlite, work, demo=True)


def test_a_change_of_ones_own_makes_it_a_password_for_good_and_a_reset_begins_again(place: StorePlace) -> None:
    async def work(people: People) -> None:
        new, _ = await people.sign_in("Dee", PASSWORD, at=NOW, address=HOME)
        await people.change_password(await signed(people, new, NOW), PASSWORD, OWN, at=NOW + HOUR)
        assert people.house.state.people["d-1"].handed is None
        assert await comes(people, "Dee", OVER + 400 * DAY, OWN) == ""
        at = OVER + 500 * DAY
        given_out = await people.reset_password("d-1", by="o-1", at=at, factor=True)
        assert people.house.state.password_until(people.house.state.people["d-1"]) == at + HANDED_OUT
        assert await comes(people, "Dee", at + HANDED_OUT - INSTANT, given_out) == ""
        assert (await comes(people, "Dee", at + HANDED_OUT, given_out)).startswith("password_expired")

    with_people(place, work)


def test_what_was_handed_out_cannot_become_ones_own_by_changing_it_to_itself(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        new, _ = await people.sign_in("Dee", PASSWORD, at=NOW, address=HOME)
        dee = await signed(people, new, NOW)
        with pytest.raises(RuleViolation, match="this is the password that you have: choose another one"):
            await people.change_password(dee, PASSWORD, PASSWORD, at=NOW)
        assert people.house.state.people["d-1"].handed == NOW
        assert (await comes(people, "Dee", OVER)).startswith("password_expired")

    with_people(in_sqlite, work)


def test_whoever_is_signed_in_stays_so_and_can_still_change_it(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        late = OVER - HOUR
        ann, _ = await people.sign_in("Ann", PASSWORD, at=late, address=HOME)
        dee, _ = await people.sign_in("Dee", PASSWORD, at=late, address=HOME)
        at = OVER + HOUR
        idle = await signed(people, dee, at)
        assert idle.standing == "idle"  # and to come back is to sign in again
        with pytest.raises(RuleViolation, match="this first password has expired"):
            await people.sign_in_again(idle, PASSWORD, at=at)
        with pytest.raises(RuleViolation, match="the password is wrong"):
            await people.sign_in_again(idle, "wrong", at=at)
        here = await signed(people, ann, at)
        assert here.standing == "live"
        await people.change_password(here, PASSWORD, OWN, at=at)
        assert await comes(people, "Ann", at, OWN) == ""

    with_people(in_sqlite, work)


def test_a_process_that_has_not_heard_of_the_new_password_asks_before_it_refuses(in_postgres: StorePlace) -> None:
    async def work(people: People) -> None:
        store = await in_postgres.open()
        other = People(House(store), quick())
        await other.house.load()
        await people.house.give(request("o-1", commands.SetSecondFactor(person="o-1"), NOW))
        await other.house.refresh()
        given_out = await people.reset_password("d-1", by="o-1", at=OVER, factor=True)
        rescued = await rescue_operator(people, at=OVER, remove_second_factor=True)
        assert other.house.state.people["d-1"].handed == NOW
        assert await comes(other, "Olga", OVER, rescued.password) == ""  # nor does it ask for what was removed
        assert await comes(other, "Dee", OVER + HOUR, given_out) == ""
        other.close()
        await store.close()

    with_people(in_postgres, work)


# --- the record alone


def test_a_record_from_before_is_read_and_says_whose_password_was_handed_out() -> None:
    entries = [read_book_line(line) for line in RECORD.read_bytes().splitlines()]
    state = evolve_house(HouseState(), entries)
    times = {entry.event.person: entry.at for entry in entries if isinstance(entry.event, PersonAdded)}
    assert state.people["r-1"].handed == times["r-1"]
    assert state.people["d-1"].handed == _last_reset(entries, "d-1")


def _last_reset(entries: list[BookEntry], person: str) -> datetime | None:
    """The same by its definition: the last time that the password was set, if somebody else did it."""
    tags = ("person_added/1", "password_changed/1")
    theirs = [entry for entry in entries if getattr(entry.event, "person", "") == person]
    last = [entry for entry in theirs if entry.event.__struct_config__.tag in tags][-1]
    return None if last.by.id == person else last.at


@given(st.lists(st.sampled_from(["change", "reset", "rescue", "end", "roles"]), max_size=12))
def test_replayed_from_the_record_in_any_parts_it_is_the_same(steps: list[str]) -> None:
    state, entries = carried_out(HouseState(), request(THE_HOUSE, commands.BeginHouse(operator="o-1"), NOW))
    record = list(entries)
    for person in ("o-2", "o-3"):
        state, entries = carried_out(state, request("o-1", commands.AddPerson(person=person, roles=("operator",)), NOW))
        record += entries
    for number, step in enumerate(steps, 1):
        asked: dict[str, tuple[str, HouseCommand]] = {
            "change": ("o-2", commands.ChangePassword(person="o-2")),
            "reset": ("o-1", commands.ResetPassword(person="o-2")),
            "rescue": (THE_HOUSE, commands.RescueOperator(person="o-2")),
            "end": ("o-3", commands.EndSessions(person="o-2")),
            "roles": ("o-1", commands.ChangeRoles(person="o-3", roles=(("dealer",), ("operator",))[number % 2])),
        }
        by, command = asked[step]
        try:
            state, entries = carried_out(state, request(by, command, NOW + number * DAY))
        except RuleViolation:
            continue
        record += entries
    assert evolve_house(HouseState(), record) == state
    half = len(record) // 2
    assert evolve_house(evolve_house(HouseState(), record[:half]), record[half:]) == state
    assert state.people["o-2"].handed == _last_reset(record, "o-2")


# --- the rescue of an operator


def test_an_operator_is_rescued_by_whoever_runs_the_machine(place: StorePlace) -> None:
    async def work(people: People) -> None:
        before, _ = await people.sign_in("Olga", PASSWORD, at=NOW, address=HOME)
        made = await rescue_operator(people, at=OVER)
        assert (made.name, made.until, made.second_factor) == ("Olga", OVER + HANDED_OUT, False)
        assert await people.session(before.id, OVER) is None
        assert (await comes(people, "Olga", OVER)).startswith("bad_sign_in")
        assert await comes(people, "olga", OVER, made.password) == ""
        lines = [read_book_line(stored.line) for stored in await people.house.store.load("house")]
        tags = [entry.event.__struct_config__.tag for entry in lines if entry.at == OVER]
        assert tags == ["password_changed/1", "sessions_ended/1"]
        assert {entry.by.id for entry in lines if entry.at == OVER} == {THE_HOUSE}
        assert made.password.encode() not in b"".join([s.line for s in await people.house.store.load("house")])

    with_people(place, work)


def test_a_second_factor_stays_unless_it_is_removed_as_well(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        new, _ = await people.sign_in("Olga", PASSWORD, at=NOW, address=HOME)
        olga = await signed(people, new, NOW)
        offer = await people.offer_second_factor(olga, at=NOW)
        _, cipher = await people.house.store.data_key(CREDENTIALS_KEY)
        secret = cipher.decrypt(base64.urlsafe_b64decode(offer.offer), b"offer/o-1")[8:]
        await people.set_second_factor(olga, PASSWORD, offer.offer, code_at(secret, NOW), at=NOW)
        made = await rescue_operator(people, "olga", at=NOW + HOUR)
        assert made.second_factor
        assert (await comes(people, "Olga", NOW + HOUR, made.password)).startswith("code_needed")
        made = await rescue_operator(people, "o-1", at=NOW + 2 * HOUR, remove_second_factor=True)
        assert not made.second_factor
        assert await comes(people, "Olga", NOW + 2 * HOUR, made.password) == ""
        with pytest.raises(RuleViolation, match="o-1 has no second factor"):
            await rescue_operator(people, at=NOW + 3 * HOUR, remove_second_factor=True)
        assert await comes(people, "Olga", NOW + 3 * HOUR, made.password) == ""  # refused: nothing was changed

    with_people(in_sqlite, work)


def test_nobody_but_an_operator_who_may_sign_in_is_rescued(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        for name in ("Dee", "d-1", "Ann", "nobody", "o-9"):
            with pytest.raises(RuleViolation, match=f"{name} is not an operator of this house: Olga"):
                await rescue_operator(people, name, at=NOW)
        await people.add("Otto", PASSWORD, ("operator",), by="o-1", at=NOW, factor=True, person="o-2")
        with pytest.raises(RuleViolation, match="several operators, name one with --name: Olga, Otto"):
            await rescue_operator(people, at=NOW)
        await people.suspend("o-2", by="o-1", at=NOW, factor=True)
        with pytest.raises(RuleViolation, match="o-2 is suspended: another operator restores the account first"):
            await rescue_operator(people, "Otto", at=NOW)
        assert (await rescue_operator(people, at=NOW)).name == "Olga"  # the only one who may sign in
        for by in ("o-1", "o-2", "d-1", "nobody"):
            with pytest.raises(RuleViolation, match="for whoever runs the machine"):
                decide(people.house.state, request(by, commands.RescueOperator(person="o-1")))

    with_people(in_sqlite, work)


def test_an_operator_who_was_forgotten_can_be_let_in_again(in_sqlite: StorePlace) -> None:
    async def work(people: People) -> None:
        await people.house.give(request("o-1", commands.SetSecondFactor(person="o-1"), NOW))
        assert await forget_person(people.house.store, "o-1")
        made = await rescue_operator(people, at=OVER)
        assert (made.name, made.second_factor) == ("o-1", False)
        assert await comes(people, "o-1", OVER, made.password) == ""

    with_people(in_sqlite, work)


def test_a_store_without_a_house_has_no_operator(in_sqlite: StorePlace) -> None:
    async def run() -> None:
        store = await in_sqlite.open()
        people = People(House(store), quick())
        with pytest.raises(RuleViolation, match="no house has begun in this store"):
            await rescue_operator(people, at=NOW)
        people.close()
        await store.close()

    asyncio.run(run())


def test_a_first_start_that_was_cut_off_long_ago_makes_a_password_that_works(in_sqlite: StorePlace) -> None:
    async def run() -> None:
        store = await in_sqlite.open()
        people = People(House(store), quick())
        await people.house.give(request(THE_HOUSE, commands.BeginHouse(operator="operator-1"), NOW))
        first = await first_start(people, OVER + DAY)
        assert first is not None
        assert await comes(people, first.name, OVER + 2 * DAY, first.password) == ""
        assert await first_start(people, OVER + 2 * DAY) is None
        people.close()
        await store.close()

    asyncio.run(run())
