"""What a store costs: processor time per command, syncs, rates beside raw commits, opening a long record, recall.

Rates come from one interleaved run: raw one-row commits, one table, 32 tables, PostgreSQL, in turn. A command is any
command that is decided, a player's or the staff's. As in a house, what the automatic staff do after a command is stored
together with it; one command at a time is measured beside it. The same rounds without a store are what its cost is
measured against.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from analysis import Figure
from croupier.driver import FairShuffler, Staff, TableRunner, next_request
from croupier.driver.sources import Completed, Seeds
from croupier.fairness import SYSTEM
from croupier.rulebook import check, read_submission
from croupier.server.memory import settle_memory
from croupier.store import Store, StoredTable, open_store, open_table
from croupier.table import Entry, Person, Request, Table, commands, new_table

START = datetime(2026, 1, 1, 18, tzinfo=UTC)
SUBMISSION = read_submission({"rulebook": "md-mississippi-stud"})
HOUSE = check(SUBMISSION).rules()
PLAYERS = 5
MANY = 32
AUTOMATIC = Staff()
Handle = Callable[[Request], Awaitable[list[Entry]]]


class Counting(FairShuffler):
    """A shuffler that counts what is decided: it is asked about every command once."""

    def __init__(self) -> None:
        super().__init__(salts=SYSTEM)
        self.commands = 0

    def complete(self, table: Table, request: Request, seeds: Seeds) -> Completed:
        self.commands += 1
        return super().complete(table, request, seeds)


class Player:
    """One table with five players who bet and decide, command by command."""

    def __init__(self, table: Callable[[], Table], handle: Handle, source: Counting) -> None:
        self.table, self.give, self.source = table, handle, source
        self.now = START

    @property
    def commands(self) -> int:
        return self.source.commands

    async def staff(self, *, close_bets: bool = False) -> None:
        """Whatever the staff have left to do: with automatic staff, no more than to close the bets."""
        while (request := next_request(self.table(), self.now, close_bets=close_bets)) is not None:
            await self.give(request)

    async def sit_down(self) -> None:
        await self.staff()
        for seat in range(1, PLAYERS + 1):
            player = Person("player", f"p{seat}")
            await self.give(Request(player, self.now, commands.Sit(seat)))
            await self.give(Request(player, self.now, commands.BuyIn(10**9, brought=True)))  # type: ignore[arg-type]

    async def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self.now += timedelta(minutes=1)
            await self.staff()
            for seat in range(1, PLAYERS + 1):
                bet = commands.PlaceWager(seat, "ante", 1000)  # type: ignore[arg-type]
                await self.give(Request(Person("player", f"p{seat}"), self.now, bet))
            await self.staff(close_bets=True)
            while (state := self.table().round) is not None:
                seat = state.box.seat
                decide = commands.Decide(seat, "1x", None)
                await self.give(Request(Person("player", f"p{seat}"), self.now, decide))
                await self.staff()


def _keep(source: Counting, _: object) -> Counting:
    return source


async def stored_players(store: Store, number: int, automatic: Staff | None = AUTOMATIC) -> list[Player]:
    players = []
    for place in range(number):
        table, source = new_table(SUBMISSION, HOUSE, id=str(place)), Counting()
        stored: StoredTable = await open_table(store, table, partial(_keep, source), automatic=automatic)
        player = Player(lambda stored=stored: stored.table, stored.handle, source)  # type: ignore[misc]
        await player.sit_down()
        players.append(player)
    return players


async def plain_players(number: int, automatic: Staff | None = AUTOMATIC) -> list[Player]:
    players = []
    for place in range(number):
        source = Counting()
        runner = TableRunner(new_table(SUBMISSION, HOUSE, id=str(place)), source, automatic=automatic)

        async def handle(request: Request, runner: TableRunner = runner) -> list[Entry]:
            await asyncio.sleep(0)  # tables take turns, as they do where each waits for its answer
            return runner.handle(request)

        player = Player(lambda runner=runner: runner.table, handle, source)  # type: ignore[misc]
        await player.sit_down()
        players.append(player)
    return players


class Measured:
    """Commands per second and processor time per command, of a few players at once."""

    def __init__(self, players: list[Player]) -> None:
        self.players = players
        self.rates: list[float] = []
        self.micros: list[float] = []

    async def run(self, rounds: int) -> int:
        before = sum(player.commands for player in self.players)
        wall, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(player.play(rounds) for player in self.players))
        done = sum(player.commands for player in self.players) - before
        self.rates.append(done / (time.perf_counter() - wall))
        self.micros.append((time.process_time() - cpu) / done * 1e6)
        return done


def raw_commits(path: Path, seconds: float) -> float:
    """One-row commits per second of the same library with the same care."""
    connection = apsw.Connection(str(path))
    connection.pragma("synchronous", "full")
    connection.pragma("journal_mode", "wal")
    connection.execute("create table if not exists row(id integer primary key, line blob)")
    end, done = time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        connection.execute("insert into row(line) values(?)", (b"x" * 400,))
        done += 1
    connection.close()
    return done / seconds


async def measure(folder: Path, turns: int) -> list[Figure]:
    names = ("one", "many", "one single", "many single")
    stores = {name: await open_store(str(folder / f"{name}.db")) for name in names}
    one, many = Measured(await stored_players(stores["one"], 1)), Measured(await stored_players(stores["many"], MANY))
    one_single = Measured(await stored_players(stores["one single"], 1, None))
    many_single = Measured(await stored_players(stores["many single"], MANY, None))
    plain, plain_single = Measured(await plain_players(MANY)), Measured(await plain_players(MANY, None))
    server, elsewhere = await postgres_players()
    raw, done, commits = [], 0, stores["many"].engine.commits
    settle_memory()  # as a house does
    for _ in range(turns):
        raw.append(raw_commits(folder / "raw.db", 1.0))
        await one.run(40)
        done += await many.run(4)
        await plain.run(4)
        if elsewhere is not None:
            await elsewhere.run(4)
        await one_single.run(20)
        await many_single.run(4)
        await plain_single.run(4)
    synced = stores["many"].engine.commits - commits
    name = f"store, {MANY} tables: processor time per command"
    figures = [
        Figure(name, _cost(many, plain), "us", 50),
        Figure(f"{name}, one at a time", _cost(many_single, plain_single), "us", None),
        Figure(f"store, {MANY} tables: syncs per 16 commands", 16 * synced / done, "", 1),
        Figure("raw one-row commits per command, one table", _ratio(raw, one.rates), "", 1 / 0.4),
        Figure("raw one-row commits per command, one at a time", _ratio(raw, one_single.rates), "", None),
        Figure("raw one-row commits", statistics.median(raw), "per second", None),
    ]
    if elsewhere is not None:
        ratio = _ratio(many.rates, elsewhere.rates)
        figures.append(Figure(f"SQLite over PostgreSQL, {MANY} tables", ratio, "", 2))
    else:
        print("bench: no PostgreSQL server here: it was not raced", file=sys.stderr)
    for store in stores.values():
        await store.close()
    if server is not None:
        await server[1].close()
        server[0].remove()
    return figures


def _cost(stored: Measured, plain: Measured) -> float:
    """Microseconds of processor time that a store adds to a command."""
    return statistics.median(with_ - without for with_, without in zip(stored.micros, plain.micros, strict=True))


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


async def postgres_players() -> tuple[Any, Measured | None]:
    """The same tables in PostgreSQL, on a server of the bench's own if one can be started."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    try:
        from support.postgres_programs import server_programs  # noqa: PLC0415 - where there is a server
        from support.postgres_server import PostgresServer  # noqa: PLC0415
    except ImportError:  # it is the server of the tests, which need more than the bench
        return None, None
    programs, _ = server_programs()
    if programs is None:
        return None, None
    server = PostgresServer(programs)
    store = await open_store(server.new_place())
    return (server, store), Measured(await stored_players(store, MANY))


def opening(folder: Path) -> list[Figure]:
    """A table with a million events, opened by a fresh process; and a patron's last rounds among a million."""
    path = folder / "long.db"
    program = [sys.executable, str(Path(__file__).with_name("long_store.py")), str(path)]
    subprocess.run([*program, "make"], check=True)
    times = [
        [float(word) for word in subprocess.run([*program, "ask"], check=True, capture_output=True).stdout.split()]
        for _ in range(5)
    ]
    opened, recalled = (statistics.median(column) for column in zip(*times, strict=True))
    return [
        Figure("open a table with a million events", opened, "s", 0.2),
        Figure("a patron's last 50 rounds among 1,000,000", recalled, "ms", 5),
    ]


def figures(turns: int = 5) -> list[Figure]:
    """Everything about the store."""
    folder = Path(tempfile.mkdtemp())
    try:
        return [*asyncio.run(measure(folder, turns)), *opening(folder)]
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    for figure in figures():
        goal = "" if figure.goal is None else f" (goal: at most {figure.goal:.4g})"
        print(f"{figure.name}: {figure.value:.4g} {figure.unit}{goal}")
