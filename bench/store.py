"""What a store costs: processor time per command, syncs, rates beside raw commits, opening a long record, recall.

Rates come from one interleaved run: raw one-row commits, one table, 32 tables, PostgreSQL, in turn. A command is any
command that is decided, a player's or the staff's. The same rounds without a store are what its cost is measured
against.
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
from pathlib import Path
from typing import Any

import apsw

from analysis import Figure
from croupier.driver import FairShuffler, TableRunner, next_request
from croupier.fairness import SYSTEM
from croupier.rulebook import check, read_submission
from croupier.store import Store, StoredTable, open_store, open_table
from croupier.table import Entry, Person, Request, Table, commands, new_table

START = datetime(2026, 1, 1, 18, tzinfo=UTC)
SUBMISSION = read_submission({"rulebook": "md-mississippi-stud"})
HOUSE = check(SUBMISSION).rules()
PLAYERS = 5
MANY = 32
Handle = Callable[[Request], Awaitable[list[Entry]]]


class Player:
    """One table with five players who bet and decide, command by command."""

    def __init__(self, table: Callable[[], Table], handle: Handle) -> None:
        self.table, self.handle = table, handle
        self.commands = 0
        self.now = START

    async def give(self, request: Request) -> None:
        await self.handle(request)
        self.commands += 1

    async def staff(self, *, close_bets: bool = False) -> None:
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


async def stored_players(store: Store, number: int) -> list[Player]:
    players = []
    for place in range(number):
        table = new_table(SUBMISSION, HOUSE, id=str(place))
        stored: StoredTable = await open_table(store, table, lambda _: FairShuffler(salts=SYSTEM))
        player = Player(lambda stored=stored: stored.table, stored.handle)  # type: ignore[misc]
        await player.sit_down()
        players.append(player)
    return players


async def plain_players(number: int) -> list[Player]:
    players = []
    for place in range(number):
        runner = TableRunner(new_table(SUBMISSION, HOUSE, id=str(place)), FairShuffler(salts=SYSTEM))

        async def handle(request: Request, runner: TableRunner = runner) -> list[Entry]:
            await asyncio.sleep(0)  # tables take turns, as they do where each waits for its answer
            return runner.handle(request)

        player = Player(lambda runner=runner: runner.table, handle)  # type: ignore[misc]
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
    one_store, many_store = await open_store(str(folder / "one.db")), await open_store(str(folder / "many.db"))
    one, many = Measured(await stored_players(one_store, 1)), Measured(await stored_players(many_store, MANY))
    plain = Measured(await plain_players(MANY))
    server, elsewhere = await postgres_players()
    raw, done, commits = [], 0, many_store.engine.commits
    for _ in range(turns):
        raw.append(raw_commits(folder / "raw.db", 1.0))
        await one.run(40)
        done += await many.run(4)
        await plain.run(4)
        if elsewhere is not None:
            await elsewhere.run(4)
    synced = many_store.engine.commits - commits
    figures = [
        Figure(
            f"store, {MANY} tables: processor time per command",
            statistics.median(with_ - without for with_, without in zip(many.micros, plain.micros, strict=True)),
            "us",
            50,
        ),
        Figure(f"store, {MANY} tables: syncs per 16 commands", 16 * synced / done, "", 1),
        Figure("raw one-row commits per command, one table", _ratio(raw, one.rates), "", 1 / 0.4),
    ]
    if elsewhere is not None:
        ratio = _ratio(many.rates, elsewhere.rates)
        figures.append(Figure(f"SQLite over PostgreSQL, {MANY} tables", ratio, "", 2))
    else:
        print("bench: no PostgreSQL server here: it was not raced", file=sys.stderr)
    await one_store.close()
    await many_store.close()
    if server is not None:
        await server[1].close()
        server[0].remove()
    return figures


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
        print(f"{figure.name}: {figure.value:.4g} {figure.unit} (goal: at most {figure.goal:.4g})")
