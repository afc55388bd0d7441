"""Tables under load against a store, in a process of its own that may be killed at any moment.

    python tests/support/kill_worker.py run URL TABLES SEED    print a line for every command once it is durable
    python tests/support/kill_worker.py serve                  fork workers for jobs on stdin: a new one starts at once

Lines are JSON: `try` before a command is sent, `ack` once it is durable, `open` for each table that goes on, `seed` for
each shuffle (so that somebody else can tell how the deck must go on), `broken` if something is wrong.
"""

import asyncio
import hashlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier.driver import FairShuffler
from croupier.errors import StoreError
from croupier.fairness import SYSTEM
from croupier.journal import write_line
from croupier.store import Store, StoredTable, open_store, postgres, sqlite, stored_table
from croupier.store.batch import Batch
from croupier.table import Entry, Request, read_request, write_request
from support.folder_host import digest
from support.small_house import fresh_table, next_command, open_numbered

FAULTS = ("synchronous_commit=off", "an answer before COMMIT")
"""What can be planted in a worker that writes to a server, so that whoever kills the server must find it."""
PAUSE = 0.01
"""Seconds until a store that failed is tried again."""


def say(*words: object) -> None:
    print(json.dumps(words), flush=True)


class Telling(FairShuffler):
    """A shuffler that tells its seeds to whoever will check them."""

    def complete(self, table: Any, request: Request, seeds: Any) -> Any:  # noqa: ANN401 - as it is inherited
        completed = super().complete(table, request, seeds)
        if completed.secret is not None:
            say("seed", completed.secret.commitment, completed.secret.shuffle().prove().seed)
        return completed


def line_hash(lines: list[bytes]) -> str:
    return hashlib.sha256(b"\n".join(lines)).hexdigest()[:16]


async def run_table(store: Store, number: int, seed: str, asked: dict[str, Any] | None) -> None:
    """One table, without end; a command that was not answered before is sent again first."""
    first = fresh_table(number)
    stored = await _opened(store, number)
    say("open", stored.stream, stored.table.seq, stored.table.round is not None)
    request = read_request(asked, first.house) if asked is not None else None
    if request is not None:
        say("again", stored.stream, request.key)
    while True:
        if request is None:
            request = next_command(stored.table, seed)
            say("try", stored.stream, request.key, write_request(request))
        entries = await _answered(stored, request)
        rebuilt = digest(stored.table) if entries[-1].seq % 20 == 0 and entries[-1].seq == stored.table.seq else ""
        lines = [write_line(entry) for entry in entries]
        say("ack", stored.stream, request.key, entries[0].seq, entries[-1].seq, line_hash(lines), rebuilt)
        request = None


async def _reached(url: str) -> Store:
    """The store; a server may be starting again just now, a file must open at once."""
    while True:
        try:
            return await open_store(url)
        except StoreError:
            if "://" not in url:
                raise
            await asyncio.sleep(PAUSE)


async def _opened(store: Store, number: int) -> StoredTable:
    while True:
        try:
            return await open_numbered(store, number, Telling(SYSTEM, salts=SYSTEM))
        except StoreError:
            await asyncio.sleep(PAUSE)


async def _answered(stored: StoredTable, request: Request) -> list[Entry]:
    while True:
        try:
            return await stored.handle(request)
        except StoreError:
            await asyncio.sleep(PAUSE)


async def work(url: str, tables: int, seed: str, asked: dict[str, Any]) -> None:
    store = await _reached(url)
    parent = os.getppid()

    async def keep_house() -> None:
        while os.getppid() == parent:  # nobody is left who would end this process
            await asyncio.sleep(0.04)
            await store.engine.checkpoint()
        os._exit(4)

    runs = [run_table(store, number, seed, asked.get(f"table/{number}")) for number in range(tables)]
    await asyncio.gather(keep_house(), *runs)


class NotWaiting(postgres.PostgresEngine):
    """An engine whose server does not wait for its disk."""

    async def _connect(self, seconds: int, *, write: bool) -> Any:  # noqa: ANN401 - a connection has no types
        connection = await super()._connect(seconds, write=write)
        await connection.execute("set synchronous_commit = off")
        return connection


class Hasty(postgres.PostgresEngine):
    """An engine that answers before it commits."""

    def __init__(self, url: str, *, write: bool, create: bool) -> None:
        super().__init__(url, write=write, create=create)
        self._late: asyncio.Task[None] | None = None

    async def apply(self, batch: Batch) -> None:
        if self._late is not None:
            await asyncio.wait([self._late])
        self._late = asyncio.create_task(super().apply(batch))
        self._late.add_done_callback(lambda task: task.cancelled() or task.exception())


def plant(fault: str) -> None:
    """Let every store of this process have a fault."""
    faulty: type[postgres.PostgresEngine] = dict(zip(FAULTS, (NotWaiting, Hasty), strict=True))[fault]
    postgres.PostgresEngine = faulty  # type: ignore[misc]


def run(url: str, tables: int, seed: str, asked: dict[str, Any], fault: str = "") -> int:
    if fault:
        plant(fault)
    # Checkpoints and snapshots come often enough to be killed.
    sqlite.CHECKPOINT_PAGES, stored_table.SNAPSHOT_EVERY = 200, 300  # type: ignore[misc]
    try:
        asyncio.run(work(url, tables, seed, asked))
    except Exception:  # noqa: BLE001 - whoever started this must hear of it
        say("broken", traceback.format_exc())
    return 3


def serve() -> None:
    """Answer each job with the process that does it, and `wait PID` with how that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in range(4):
        fresh_table(number)  # compiled and read once, before anything is forked
    for line in sys.stdin:
        job = json.loads(line)
        if "wait" in job:
            print(os.waitpid(job["wait"], 0)[1], flush=True)
            continue
        child = os.fork()
        if child:
            print(child, flush=True)
            continue
        log = os.open(job.pop("log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)
        os._exit(run(**job))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["run", url_, tables_, seed_]:
            sys.exit(run(url_, int(tables_), seed_, {}))
        case ["serve"]:
            serve()
        case _:
            sys.exit(__doc__)
