"""A house's own export of exactly so many bytes, the same in every process: two tables, the cage, two checkpoints."""

import asyncio
import random
import tempfile
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Final

from croupier.driver import FairShuffler
from croupier.fairness import Entropy
from croupier.journal import HouseKey
from croupier.ledger import Author
from croupier.money import Cents
from croupier.store import Cage, Store, export, make_checkpoint
from croupier.store.sqlite import SqliteEngine
from support.small_house import CHIPS, Client
from support.table_harness import START

_KEY: Final = HouseKey(bytes(range(32)))
_CASHIER: Final = Author("cashier", "c1")
_BOOKS: Final = (0, 3)
"""The tables: their numbers choose their rulebooks."""


def sized_journal(size: int) -> bytes:
    """An export of this many bytes; what is missing to it is written into a reference at the cage."""
    steps, shorter = next((steps, made) for steps in count(20, -1) if len(made := _export(steps)) <= size)
    data = _export(steps, "x" * (size - len(shorter)))
    assert len(data) == size
    return data


def _export(steps: int, reference: str = "") -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_played(Path(folder), steps, reference))


async def _played(folder: Path, steps: int, reference: str) -> bytes:
    chance = random.Random(64)
    store = Store(SqliteEngine(folder / "house.db"), _KEY)
    signing = _KEY.wrap(chance.randbytes(32)).hex()
    for name, value in (("store", chance.randbytes(16).hex()), ("signing_key", signing)):
        await store.engine.execute("insert into meta(key, value) values($1, $2)", name, value)
    cage = Cage(store)
    await cage.deposit("zoë", Cents(CHIPS), by=_CASHIER, at=START, reference=f"D-1{reference}")
    entropy = Entropy(chance.randbytes)
    clients = [Client(number, "sized") for number in _BOOKS]
    for client in clients:
        await client.open(store, FairShuffler(entropy, salts=entropy))
        for _ in range(steps):
            await client.step(random.Random(0))
        await make_checkpoint(store, START + timedelta(days=1))
    lines = [line async for line in export(store)]
    await store.close()
    return b"".join(lines)
