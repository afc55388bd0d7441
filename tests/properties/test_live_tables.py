"""Live tables in one process and in simulated time: the clock, failures, whoever leaves, watches or comes too late."""

import asyncio
import json
from contextlib import suppress
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.errors import BrokenRecord, CommitFailed, Conflict, RuleViolation, StoreError
from croupier.house import RulesConfirmed
from croupier.ledger import Author
from croupier.money import Cents
from croupier.server import hall as hall_module
from croupier.server import live as live_module
from croupier.server import sockets as sockets_module
from croupier.server.callers import Caller
from croupier.server.follow import FollowedTable
from croupier.server.hall import Hall
from croupier.server.live import LiveTable
from croupier.server.pace import Pace
from croupier.server.shares import surplus, to_take
from croupier.server.watching import RECENT, TableGone, Watcher
from croupier.store import Store, StoredTable, open_table
from croupier.store.batch import Batch
from croupier.table import Person, Request, Table, commands, new_table
from croupier.table.events import RulesChanged
from support.live_hall import (
    ANN,
    BEAT,
    BOB,
    CARL,
    bet,
    deals,
    give,
    in_a_house,
    is_over,
    plan,
    seat,
    until,
)
from support.table_harness import START

# --- the clock


@pytest.mark.parametrize("beat", [0.1, 1.0, 3.0])
def test_bets_close_two_beats_after_the_last_one_and_twelve_after_the_first(beat: float) -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN, BOB)
        await bet(table, ANN)
        assert await until(lambda: deals(table)) == pytest.approx(12 * beat, abs=0.2)  # Bob was here a moment ago
        await until(lambda: is_over(table))
        await asyncio.sleep(100 * beat)
        await asyncio.gather(bet(table, BOB), bet(table, ANN))
        assert await until(lambda: deals(table)) == pytest.approx(2 * beat, abs=0.2)

    in_a_house(run, plan(pace=Pace(timedelta(seconds=beat))))


def test_without_a_beat_bets_close_as_soon_as_one_is_complete() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN, BOB)
        await bet(table, ANN)
        assert await until(lambda: deals(table)) < 0.1

    in_a_house(run, plan(pace=Pace(timedelta())))


def test_nobody_waits_for_whoever_did_not_play_the_last_round() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN, BOB, CARL)
        waits = []
        for _ in range(3):
            await asyncio.sleep(60)
            await bet(table, ANN)
            waits.append(await until(lambda: deals(table)))
            await until(lambda: is_over(table))
        assert waits == pytest.approx([2 * BEAT] * 3, abs=0.2)
        await bet(table, BOB)
        await until(lambda: is_over(table))  # Bob is back: he is waited for in the next round
        await asyncio.sleep(60)
        await bet(table, ANN)
        assert await until(lambda: deals(table)) == pytest.approx(12 * BEAT, abs=0.2)

    in_a_house(run)


def test_an_absent_player_loses_their_turn_when_their_time_is_over_and_the_round_ends() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table))
        assert await until(lambda: is_over(table)) == pytest.approx(30, abs=0.2)
        assert table.table.rounds == 1

    in_a_house(run)


def test_whoever_has_seen_the_results_may_bet_at_once_before_the_clock_has_looked_after_the_cards() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        async def names(command: commands.Command) -> list[str]:
            answer = await table.give(lambda _table, at: Request(ANN, at, command))
            return [entry.name for entry in answer.entries]

        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table))
        table.stop_clock()
        assert (await names(commands.Decide(1, "fold", None)))[-2:] == ["round_closed/1", "seed_revealed/1"]
        assert await names(commands.PlaceWager(1, "ante", Cents(1_000))) == ["wager_placed/1"]
        assert table.table.rounds == 1

    in_a_house(run)


def test_without_a_time_limit_a_player_has_all_the_time_in_the_world() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table))
        await asyncio.sleep(3_600)
        assert deals(table)

    in_a_house(run, plan(timeout=0))


def test_a_person_takes_over_from_the_automatic_dealer_and_gives_back() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await hall.set_up([plan(automatic=False)])
        assert hall.live["1"] is table
        await bet(table, ANN)
        await asyncio.sleep(600)
        assert not deals(table)
        await hall.set_up([plan()])
        await until(lambda: deals(table), 10)

    in_a_house(run)


def test_the_clock_outlives_whatever_goes_wrong_and_says_so() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        with mock.patch.object(live_module, "next_due", side_effect=ZeroDivisionError):
            await bet(table, ANN)
            await until(lambda: hall.troubles() == {"table 1": "ZeroDivisionError"}, 60)
            await asyncio.sleep(600)
        await until(lambda: deals(table), 10)
        assert hall.troubles() == {}

    in_a_house(run)


# --- commands


def test_a_command_whose_giver_leaves_is_carried_out_and_shown() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        watcher = table.watch(None)
        watcher.change()
        giving = asyncio.create_task(bet(table, ANN))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        giving.cancel()
        with suppress(asyncio.CancelledError):
            await giving
        await until(lambda: table.table.round is not None, 5)
        assert [entry["event"] for entry in read_entries(watcher.change())][:1] == ["wager_placed/1"]
        await until(lambda: deals(table), 20)

    in_a_house(run)


class Failing:
    """A store whose next commits fail: before anything is stored, or after all of it is."""

    def __init__(self, store: Store) -> None:
        self._engine = cast(Any, store.engine)
        self._apply = self._engine.apply
        self.times, self.is_stored = 0, False
        self._engine.apply = self.apply

    async def apply(self, batch: Batch) -> None:
        if self.times == 0:
            await self._apply(batch)
            return
        self.times -= 1
        if self.is_stored:
            await self._apply(batch)
        self._engine.generation += 1
        raise CommitFailed("the disk failed")


@pytest.mark.parametrize("is_stored", [True, False])
def test_after_a_failed_commit_the_table_reads_its_record_and_goes_on(is_stored: bool) -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        watcher = table.watch(None)
        watcher.change()
        failing = Failing(hall.store)
        failing.times, failing.is_stored = 1, is_stored
        wager = commands.PlaceWager(1, "ante", Cents(1_000))
        with pytest.raises(CommitFailed):
            await give(table, ANN, wager, "k1")
        await asyncio.sleep(0.5)  # nobody asks: the clock reads what is stored
        assert (table.table.round is not None) is is_stored
        if is_stored:
            assert [entry["event"] for entry in read_entries(watcher.change())] == ["wager_placed/1"]
        await give(table, ANN, wager, "k1")
        assert len([entry for entry in table.recent(0) if entry.name == "wager_placed/1"]) == 1
        await until(lambda: deals(table), 20)

    in_a_house(run)


def test_an_answer_is_written_while_it_is_stored_and_never_shows_what_was_not() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        failing = Failing(hall.store)
        failing.times = 1
        with pytest.raises(CommitFailed):  # written already, and gone
            await give(table, ANN, commands.PlaceWager(1, "ante", Cents(1_000)), "k1")
        bet_again = commands.PlaceWager(1, "ante", Cents(2_000))
        answer = await table.give(lambda _table, at: Request(ANN, at, bet_again, key="k2"))
        assert answer.shown is not None
        (placed,) = read_entries(answer.shown)
        assert (placed["amount"], placed["seq"]) == ("20.00", table.table.seq)
        version, view = table.recorded(ANN)
        assert (answer.shown["version"], bytes(answer.shown["view"])) == (version, bytes(view))
        anybody = read_entries({"entries": table.shown_entries(answer.entries, BOB)})
        assert [entry["amount"] for entry in anybody] == ["20.00"]

    in_a_house(run)


def test_a_store_that_fails_for_a_while_holds_the_tables_up_and_nothing_else() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        failing = Failing(hall.store)
        failing.times = 1_000
        await until(lambda: "table 1" in hall.troubles(), 60)
        for _ in range(20):
            with pytest.raises(StoreError):
                await give(table, BOB, commands.Sit(2))
            await asyncio.sleep(10)
        failing.times = 0
        await until(lambda: deals(table), 30)
        await give(table, BOB, commands.Sit(2))
        assert hall.troubles() == {}

    in_a_house(run)


def test_what_waits_behind_a_slow_command_is_given_the_time_that_it_meets() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await give(table, ANN, commands.Sit(1))
        balance = hall.cage.balance

        async def slow(patron: str) -> Cents:
            await asyncio.sleep(5)
            return await balance(patron)

        with mock.patch.object(hall.cage, "balance", slow):
            buying = asyncio.create_task(give(table, ANN, commands.BuyIn(Cents(5_000))))
            await asyncio.sleep(1)
            await give(table, BOB, commands.Sit(2))
            await buying
        times = [entry.at for entry in table.recent(0)]
        assert times == sorted(times)
        assert dict(table.table.people.seats) == {1: "ann", 2: "bob"}

    in_a_house(run)


def test_play_chips_are_given_once_for_a_command_that_comes_twice() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await give(table, ANN, commands.Sit(1))
        await hall.cage.deposit("ann", Cents(300), by=Author("cashier", "c"), at=START)
        for _ in range(3):
            await give(table, ANN, commands.BuyIn(Cents(1_000)), "k1")
        assert await hall.cage.balance("ann") == 0

    in_a_house(run)


def test_a_table_that_stops_finishes_what_it_stores_and_takes_nothing_more() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        giving = asyncio.create_task(bet(table, ANN))
        await asyncio.sleep(0)
        await table.stop()
        with suppress(Conflict):  # it was in time, or it was not
            await giving
        seq = table.table.seq
        with pytest.raises(Conflict, match="elsewhere"):
            await bet(table, ANN)
        assert len(await hall.store.load("table/1")) == seq

    in_a_house(run)


# --- watchers


def entries_of(change: dict[str, Any]) -> list[int]:
    return [entry["seq"] for entry in read_entries(change)]


def read_entries(change: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(bytes(entry)) for entry in change["entries"]]


def test_whoever_is_slow_gets_the_newest_view_and_never_a_queue() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        watcher = table.watch(ANN)
        first = watcher.change()
        assert (first["version"], first["entries"]) == (table.table.seq, [])
        for _ in range(RECENT):
            await give(table, ANN, commands.Sit(1))
            await give(table, ANN, commands.StandUp())
        change = watcher.change()
        assert change["version"] == table.table.seq
        assert len(change["entries"]) <= RECENT
        assert json.loads(bytes(change["view"]))["seats"][0]["patron"] is None
        assert not await watcher.is_due(1)

    in_a_house(run)


def test_views_are_shared_and_nothing_is_kept_of_whoever_has_left() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        watchers = [table.watch(Person("player", f"p{number}")) for number in range(50)]
        for watcher in watchers:
            watcher.change()
        assert table.shown(None) is not None
        assert table.shown(None)[1] is table.shown(None)[1]
        for watcher in watchers:
            watcher.source.unwatch(watcher)
        await give(table, ANN, commands.Sit(1))
        table.shown(ANN)
        assert table.watchers == 0
        assert len(table._shown) == 1  # noqa: SLF001 - nobody else sees what is kept

    in_a_house(run)


def follow(hall: Hall, table: LiveTable | None = None) -> FollowedTable:
    setup = hall.plans["1"]
    new = new_table(setup.submission, setup.rules, id="1")
    return FollowedTable(hall.store, "table/1", new, table.table if table is not None else None)


def test_a_table_without_a_record_is_followed_as_a_closed_one() -> None:
    async def run(hall: Hall, _table: LiveTable) -> None:
        setup = plan("7")
        followed = FollowedTable(hall.store, "table/7", new_table(setup.submission, setup.rules, id="7"))
        await followed.catch_up()
        watcher = followed.watch(None)
        assert json.loads(bytes(watcher.change()["view"]))["status"] == "closed"
        await hall.set_up([plan(), setup])
        await until(lambda: hall.live["7"].table.status == "open", 10)
        await followed.catch_up()
        assert json.loads(bytes(watcher.change()["view"]))["status"] == "open"

    in_a_house(run)


def test_watchers_move_with_their_table_and_miss_nothing() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        watcher = table.watch(Person("regulator", "r"))
        watcher.change()
        told: list[int] = []
        start = table.table.seq
        followed = follow(hall, table)
        await give(table, ANN, commands.Sit(1))
        table.moved_to(followed)
        assert table.watchers == 0
        await followed.catch_up()
        told += entries_of(watcher.change())
        await give(table, BOB, commands.Sit(2))
        await followed.catch_up()
        await give(table, CARL, commands.Sit(3))  # nobody has read this when the table comes back
        followed.moved_to(table)
        told += entries_of(watcher.change())
        await give(table, CARL, commands.StandUp())
        told += entries_of(watcher.change())
        assert watcher.source is table
        assert told == list(range(start + 1, table.table.seq + 1))

    in_a_house(run)


def test_a_follower_reads_on_from_a_snapshot_and_sees_the_same_table() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        with mock.patch("croupier.store.stored_table.SNAPSHOT_EVERY", 50):
            while not await hall.store.read("select seq from snapshot"):
                await bet(table, ANN)
                await until(lambda: is_over(table))
        followed = follow(hall)
        await followed.catch_up()
        assert followed.table == table.table
        await bet(table, ANN)
        await until(lambda: deals(table))
        await followed.catch_up()
        assert followed.table == table.table

    in_a_house(run)


class SlowSocket:
    """A socket whose reader takes its time."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.is_read = asyncio.Event()
        self.closed: list[int] = []
        self.said: asyncio.Queue[str] = asyncio.Queue()

    async def accept(self) -> None:
        pass

    async def send_text(self, text: str) -> None:
        await self.is_read.wait()
        self.sent.append(json.loads(text))

    async def receive_text(self) -> str:
        return await self.said.get()

    async def close(self, code: int, reason: str) -> None:
        del reason
        self.closed.append(code)


class SmallDesk:
    """As much of a desk as a socket needs."""

    def __init__(self, table: LiveTable) -> None:
        self.leaving = asyncio.Event()
        self.house = SimpleNamespace(state=SimpleNamespace(people={}))
        self.doors = SimpleNamespace(still_open=self._still_open)
        self.requests = SimpleNamespace(take=lambda _who: None)
        self._table = table

    async def _still_open(self, _caller: Caller, *, acting: bool) -> bool:
        del acting
        return True

    async def command_once(self, _caller: Caller, _table: str, _body: dict[str, Any], key: str) -> dict[str, Any]:
        await asyncio.sleep(2)
        await give(self._table, CARL, commands.Sit(3), key)
        return {"version": self._table.table.seq}


def viewer(table: LiveTable) -> tuple[SlowSocket, SmallDesk, "asyncio.Task[None]"]:
    socket, desk = SlowSocket(), SmallDesk(table)
    serving = sockets_module._Viewer(cast(Any, socket), cast(Any, desk), Caller(id="r"), "1")  # noqa: SLF001 - what serves a socket
    return socket, desk, asyncio.create_task(serving.serve(table.watch(None)))


def test_a_socket_that_is_read_slowly_is_sent_the_newest_view() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        socket, _, serving = viewer(table)
        await asyncio.sleep(0.1)
        first = table.table.seq
        for _ in range(20):
            await give(table, ANN, commands.Sit(1))
            await give(table, ANN, commands.StandUp())
        socket.is_read.set()
        await asyncio.sleep(0.1)
        assert [message["version"] for message in socket.sent] == [first, table.table.seq]
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    in_a_house(run)


def test_a_socket_that_nobody_reads_is_let_go() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        socket, _, serving = viewer(table)
        await asyncio.wait_for(serving, 60)
        assert socket.sent == []

    in_a_house(run)


def test_a_house_that_closes_answers_what_was_asked_and_tells_its_sockets() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        socket, desk, serving = viewer(table)
        socket.is_read.set()
        socket.said.put_nowait('{"key": "k", "do": "sit"}')
        await asyncio.sleep(0.1)
        desk.leaving.set()
        await asyncio.wait_for(serving, 10)
        assert socket.sent[-1] == {"key": "k", "ok": {"version": table.table.seq}} or socket.sent[-2]["key"] == "k"
        assert socket.closed == [1001]

    in_a_house(run)


# --- the hall


def test_whoever_watches_a_table_that_the_house_closes_is_told() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        other = plan("2")
        await hall.set_up([plan(), other])
        watcher: Watcher = table.watch(None)
        watcher.change()
        await hall.set_up([other])
        with pytest.raises(TableGone):
            watcher.change()
        assert [*hall.live] == ["2"]
        assert hall.find("1") is None
        await hall.set_up([plan(), other])
        await give(hall.live["1"], ANN, commands.Sit(1))

    in_a_house(run)


def test_a_table_that_cannot_be_opened_is_shown_and_tried_again_while_others_go_on() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await hall.set_up([])
        opened = open_table

        async def broken(store: Store, new: Table, *more: Any, **others: Any) -> StoredTable:  # noqa: ANN401 - the same
            if new.id == "1":
                raise BrokenRecord("table/1, entry 7: the chain does not hold")
            return await opened(store, new, *more, **others)

        with mock.patch.object(hall_module, "open_table", broken):
            await hall.set_up([plan(), plan("2")])
            assert [*hall.live] == ["2"]
            assert hall.troubles() == {"table 1": "table/1, entry 7: the chain does not hold"}
        await give(hall.live["2"], ANN, commands.Sit(1))
        await until(lambda: "1" in hall.live, 60)
        assert hall.troubles() == {}
        assert hall.live["1"] is not table

    in_a_house(run)


def test_rules_that_the_house_confirmed_hold_at_the_table_after_the_round() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table))
        after = plan(timeout=10)
        agreed = RulesConfirmed(entry=5, proposed_by="o1", by="o2", role="operator")
        changed = replace(after, confirmed=agreed, approval="demo version 2")
        await hall.set_up([changed])
        await asyncio.sleep(5)
        assert table.table.house.hash == plan().rules.hash
        await until(lambda: is_over(table))
        await until(lambda: table.table.house.hash == after.rules.hash, 60)
        assert [entry.event.proposed_by for entry in table.recent(0) if isinstance(entry.event, RulesChanged)] == ["o1"]
        await hall.set_up([])
        await hall.set_up([changed])  # as after a restart
        assert hall.troubles() == {}
        await bet(hall.live["1"], ANN)

    in_a_house(run)


def test_a_refused_command_changes_nothing_and_wakes_nobody() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        watcher = table.watch(None)
        watcher.change()
        with pytest.raises(RuleViolation):
            await give(table, ANN, commands.StandUp())
        assert not await watcher.is_due(0.5)

    in_a_house(run)


# --- who runs what


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 12), min_size=1),
    st.integers(0, 12),
)
def test_tables_are_shared_evenly_and_then_stay_where_they_are(running: dict[str, int], free: int) -> None:
    names = [f"{number:02}" for number in range(free)]
    takers = {process: to_take(names, running, process) for process in running}
    assert sorted(name for taken in takers.values() for name in taken) == names  # each by one of them
    counts = {process: count + len(takers[process]) for process, count in running.items()}
    for _ in range(40):
        given_away = {process: surplus(counts, process) for process in counts}
        if not any(given_away.values()):
            break
        counts = {process: count - given_away[process] for process, count in counts.items()}
        freed = [f"{number:02}" for number in range(sum(given_away.values()))]
        counts = {process: count + len(to_take(freed, counts, process)) for process, count in counts.items()}
    assert max(counts.values()) - min(counts.values()) <= 1
    assert sum(counts.values()) == sum(running.values()) + free
