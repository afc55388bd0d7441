"""A store with a table of a million entries and a million rounds of patrons: made once, then asked.

python bench/long_store.py FILE make [ENTRIES] | ask
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import timedelta

import apsw

from croupier.driver import FairShuffler, Staff, next_request
from croupier.fairness import SYSTEM
from croupier.store import Store, StoredTable, open_store, open_table
from croupier.table import Person, Request, commands, new_table
from store import HOUSE, START, SUBMISSION

ROUNDS = 1_000_000
PATRONS = 2_000
LAST = "select closed, stream, number, seat, staked, paid from played where patron = $1 order by closed desc limit 50"


async def opened(store: Store) -> StoredTable:
    table = new_table(SUBMISSION, HOUSE, id="1")
    return await open_table(store, table, lambda _: FairShuffler(salts=SYSTEM), automatic=Staff())


async def make(path: str, entries: int) -> None:
    """Play until the record is that long; nothing has to be durable meanwhile."""
    store = await open_store(path)
    store.engine._main.pragma("synchronous", "off")  # type: ignore[attr-defined]  # noqa: SLF001
    stored = await opened(store)
    ann, now = Person("player", "ann"), START
    if (opening := next_request(stored.table, now)) is not None:
        await stored.handle(opening)
    await stored.handle(Request(ann, now, commands.Sit(1)))
    await stored.handle(Request(ann, now, commands.BuyIn(10**12, brought=True)))  # type: ignore[arg-type]
    while stored.table.seq < entries:
        now += timedelta(minutes=1)
        while (due := next_request(stored.table, now)) is not None:  # a deck whose hours are over
            await stored.handle(due)
        await stored.handle(Request(ann, now, commands.PlaceWager(1, "ante", 1000)))  # type: ignore[arg-type]
        request = next_request(stored.table, now, close_bets=True)
        if request is not None:
            await stored.handle(request)
        while stored.table.round is not None:
            await stored.handle(Request(ann, now, commands.Decide(1, "fold", None)))
    await store.close()
    connection = apsw.Connection(path)
    connection.pragma("synchronous", "off")
    with connection:
        connection.executemany(
            "insert into played(patron, closed, stream, number, seat, staked, paid)"
            " values(?, ?, 'table/2', ?, ?, 4000, 0)",
            (
                (f"patron {number * 7919 % PATRONS}", number, number, seat)
                for number in range(ROUNDS)
                for seat in range(1, 6)
            ),
        )
    connection.close()


async def ask(path: str) -> None:
    """Seconds to open the table, and milliseconds to find a patron's last 50 rounds."""
    store = await open_store(path)
    begun = time.perf_counter()
    await opened(store)
    took = time.perf_counter() - begun
    times = []
    for number in range(50):
        begun = time.perf_counter()
        rows = await store.read(LAST, f"patron {number * 31 % PATRONS}")
        times.append(time.perf_counter() - begun)
        if len(rows) != 50:
            raise ValueError(f"{len(rows)} rounds were found")
    print(took, sorted(times)[len(times) // 2] * 1000)
    await store.close()


if __name__ == "__main__":
    match sys.argv[1:]:
        case [file, "make", *size]:
            asyncio.run(make(file, int(size[0]) if size else 1_000_000))
        case [file, "ask"]:
            asyncio.run(ask(file))
        case _:
            sys.exit(__doc__)
