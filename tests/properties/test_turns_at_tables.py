"""Whoever waits for the store holds nobody up, and a refusal leaves nothing behind."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from croupier.errors import Conflict, RuleViolation
from croupier.money import Cents
from croupier.rulebook import check, read_submission
from croupier.server.hall import Hall
from croupier.server.live import Answer, LiveTable
from croupier.server.passing import PATH, Passed
from croupier.server.plans import TablePlan
from croupier.server.turns import Turn
from croupier.server.watching import now
from croupier.store import open_store
from croupier.store.values import Append, HeadMove
from croupier.table import Request, Table, commands
from support.http_house import http_house
from support.live_hall import ANN, BOB, in_a_house, plan, seat
from support.played import bet, the_caller
from support.played import give as give_at
from support.stored import LINKED

ANTE = commands.PlaceWager(1, "ante", Cents(1_000))


async def given(hall: Hall, table: LiveTable, command: commands.Command, key: str) -> bool:
    """Give a command, whatever comes of it; whether its turn ended before its answer left."""
    with hall.turns.answer() as turn:
        with suppress(RuleViolation, Conflict):
            await table.give(lambda _table, at: Request(ANN, at, command, key=key), turn)
        return turn.is_over


def slow(real: Callable[..., Awaitable[Any]], hall: Hall, held: list[bool]) -> Callable[..., Awaitable[Any]]:
    """The same, by a store that takes its time; notes whether anybody's turn lasts meanwhile."""

    async def read(*words: Any, **more: Any) -> Any:  # noqa: ANN401 - whatever is read
        await asyncio.sleep(1)
        held.append(hall.turns.working is not None)
        return await real(*words, **more)

    return read


def test_a_refusal_that_is_looked_up_holds_nobody_up() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        held = list[bool]()
        with mock.patch.object(hall.store, "stored", slow(hall.store.stored, hall, held)):
            await given(hall, table, ANTE, "k1")
        assert held == [False]

    in_a_house(run)


def test_an_answer_that_is_given_again_holds_nobody_up() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        held = list[bool]()
        await seat(table, ANN)
        await table.give(lambda _table, at: Request(ANN, at, ANTE, key="k1"))
        with mock.patch.object(hall.store, "load", slow(hall.store.load, hall, held)):
            await given(hall, table, ANTE, "k1")
        assert held == [False]

    in_a_house(run)


def test_a_command_that_is_given_again_because_its_table_was_taken_over_holds_nobody_up() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await hall.store.claim([table.stored.stream])
        assert await given(hall, table, ANTE, "k1")
        assert table.table.round is None
        await given(hall, table, ANTE, "k1")
        assert table.table.round is not None

    in_a_house(run)


def test_a_command_that_waits_for_the_meter_of_a_link_holds_nobody_up() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        assert table.stored.link is not None
        async with table.stored.link.book.lock:
            waiting = asyncio.create_task(given(hall, table, ANTE, "k1"))
            await asyncio.sleep(1)
            assert not waiting.done()
            assert hall.turns.working is None
        await waiting
        assert table.table.round is not None

    submission = read_submission(LINKED)
    in_a_house(run, TablePlan(id="1", submission=submission, rules=check(submission).rules()))


def test_whoever_waits_in_vain_ends_the_turn_that_held_them_up() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        clock = asyncio.get_running_loop().time
        with hall.turns.answer() as stuck:
            await stuck.begin()
            begun = clock()
            for number in range(10):
                await given(hall, table, commands.Sit(number), f"k{number}")
            assert clock() - begun < 0.1

    in_a_house(run)


def test_what_is_refused_at_once_is_not_called_durable(tmp_path: Path) -> None:
    async def run() -> list[bool]:
        store = await open_store(str(tmp_path / "house.db"))
        (claim,) = await store.claim(["cage"])
        said = list[bool]()
        for epoch in (claim.epoch - 1, claim.epoch):
            append = Append(heads=(HeadMove("cage", epoch, 0, 1, b"x" * 32),), rows={})
            try:
                await store.append(append, said.append)
            except Conflict:
                said.append(False)
        await store.close()
        return said

    assert asyncio.run(run())[:2] == [False, False]


def test_a_refusal_is_gone_when_it_has_been_told(tmp_path: Path) -> None:
    async def refused(give: Callable[[], Awaitable[None]]) -> weakref.ref[RuleViolation]:
        try:
            await give()
        except RuleViolation as refusal:
            return weakref.ref(refusal)
        raise AssertionError("it was not refused")

    async def run() -> list[RuleViolation | None]:
        async with http_house(tmp_path) as house:
            ann, desk = the_caller("ann"), house.desk
            await bet(desk, "4")
            gc.disable()  # whoever needs a look for garbage stays
            try:
                told = [
                    await refused(lambda: give_at(desk, ann, "4", do="decide", seat=1, choice="fold")),
                    await refused(lambda: give_at(desk, ann, "4", do="sit", seat=1)),
                ]
                await asyncio.sleep(0)
                return [refusal() for refusal in told]
            finally:
                gc.enable()

    assert asyncio.run(run()) == [None, None]


def test_a_command_from_another_process_has_its_turn_like_any_other(tmp_path: Path) -> None:
    async def run() -> list[bool]:
        async with http_house(tmp_path) as house:
            desk, seen = house.desk, list[bool]()
            table, turns = desk.hall.live["4"], desk.hall.turns
            give = table.give

            async def giving(read: Callable[[Table, datetime], Request], turn: Turn | None = None) -> Answer:
                seen.extend([turns.is_answering, turn is not None])
                return await give(read, turn)

            by = the_caller("ann").at_table
            assert by is not None
            passed = Passed(question="q", at=now(), table="4", by=by, body={"do": "sit", "seat": 1}, key="k")
            sealed = house.store.ring.wrap(msgspec.json.encode(passed))
            with mock.patch.object(table, "give", giving):
                assert (await house.stranger().http.post(PATH, content=sealed)).status_code == 200
            assert dict(table.table.people.seats) == {1: by.id}
            return seen

    assert asyncio.run(run()) == [True, True]


def test_two_tables_are_not_held_up_by_each_other() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        other = hall.live["2"]
        await seat(table, ANN)
        await seat(other, BOB)
        async with table._lock:  # noqa: SLF001 - its clock, or whoever came before
            waiting = asyncio.create_task(given(hall, table, ANTE, "k1"))
            await asyncio.sleep(1)
            with hall.turns.answer() as turn:
                await other.give(lambda _table, at: Request(BOB, at, ANTE), turn)
        await waiting
        assert None not in (table.table.round, other.table.round)

    in_a_house(run, plan("1"), plan("2"))
