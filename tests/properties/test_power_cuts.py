"""Power goes at any moment: whoever opens the disk afterwards finds every acknowledged command, once, and goes on."""

import asyncio
import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import apsw
import pytest
from msgspec.structs import replace

from croupier.errors import CroupierError
from croupier.store import Store, sqlite, stored_table
from croupier.store.batch import Batch
from croupier.store.sqlite import SqliteEngine
from croupier.store.values import Append, Row
from support.disk import Disk
from support.disk_house import KEY, DiskHouse, MakeStore, plain_store
from support.resumed import RecordProperty

LIVES = 8
"""Cuts of one house."""


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints and snapshots come often enough to be cut through."""
    monkeypatch.setattr(sqlite, "CHECKPOINT_PAGES", 60)
    monkeypatch.setattr(stored_table, "SNAPSHOT_EVERY", 40)


def cut_lives(seed: object, *, lives: int = LIVES, make_store: MakeStore = plain_store) -> DiskHouse:
    """A house whose power is cut so many times; it is checked after every cut."""

    async def run() -> DiskHouse:
        chance = random.Random(f"house {seed}")
        tables, strict = chance.randint(2, 4), chance.random() < 0.5
        house = DiskHouse(seed, tables=tables, strict=strict, make_store=make_store)
        for _ in range(lives):
            await house.live(12, cut_after=house.dice.randint(1, house.dice.choice((60, 600, 1500))))
            house.cut()
        await house.live(0)
        house.disk.remove()
        return house

    return asyncio.run(run())


def cuts(number: int, start: int = 0) -> dict[str, int]:
    """So many power cuts, and what was played between them."""
    rounds = commands = 0
    for seed in range(start, start + number // LIVES):
        try:
            house = cut_lives(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__} {error}") from error
        rounds += house.rounds
        commands += sum(len(client.keys) for client in house.clients)
    assert commands > 10 * number / LIVES
    assert rounds > number / LIVES
    return {"power cuts": number, "commands": commands, "rounds that went on": rounds}


@pytest.mark.parametrize(("number", "start"), [(24, 0), (16, 1000)])
def test_a_power_cut_loses_nothing_and_doubles_nothing(number: int, start: int) -> None:
    cuts(number, start)


@pytest.mark.torture
@pytest.mark.parametrize("part", range(10))
def test_1000_power_cuts_lose_nothing_and_double_nothing(part: int, record_property: RecordProperty) -> None:
    for name, figure in cuts(104, start=10_000 + 100 * part).items():
        record_property(name, figure)


def test_the_same_seed_gives_the_same_evening() -> None:
    first, second = (cut_lives("same", lives=3) for _ in range(2))
    assert [client.lines for client in first.clients] == [client.lines for client in second.clients]
    assert first.disk.calls == second.disk.calls


# --- planted faults: the same evenings find each of them


class Careless(SqliteEngine):
    """An engine that does not wait for the disk."""

    level = "off"

    def _connect(self) -> None:
        super()._connect()
        self._main.pragma("synchronous", self.level)


class LessCareful(Careless):
    level = "normal"


class Early(SqliteEngine):
    """An engine that answers before it commits: a batch is committed when the next one comes."""

    async def apply(self, batch: Batch) -> None:
        self._commit()
        self._begin(batch)

    async def execute(self, sql: str, *values: Any) -> list[Row]:  # noqa: ANN401 - as it is inherited
        self._commit()
        return await super().execute(sql, *values)

    async def close(self) -> None:
        with suppress(apsw.Error):
            self._commit()
        await super().close()

    def _commit(self) -> None:
        if self._main.in_transaction:
            super()._commit()


class Forgetful(Store):
    """A store that does not keep the seeds of shuffles."""

    async def append(self, append: Append, meanwhile: Callable[[bool], None] | None = None) -> None:
        rows = {name: rows for name, rows in append.rows.items() if name != "secret"}
        await super().append(replace(append, rows=rows), meanwhile)


def engine_of(kind: type[SqliteEngine]) -> MakeStore:
    return lambda disk: Store(kind("house.db", vfs=disk.name, inline=True), KEY)


def forgetful(disk: Disk) -> Store:
    return Forgetful(SqliteEngine("house.db", vfs=disk.name, inline=True), KEY)


@pytest.mark.parametrize(
    ("make_store", "finding"),
    [
        pytest.param(engine_of(Careless), "acknowledged lines|is damaged", id="synchronous=OFF"),
        pytest.param(engine_of(LessCareful), "acknowledged lines", id="synchronous=NORMAL"),
        pytest.param(engine_of(Early), "acknowledged lines", id="an answer before COMMIT"),
        pytest.param(forgetful, "seeds are missing", id="seeds not stored"),
    ],
)
def test_a_planted_fault_is_found(make_store: MakeStore, finding: str) -> None:
    for seed in range(5):
        try:
            cut_lives(seed, make_store=make_store)
        except (AssertionError, CroupierError) as error:
            assert re.search(finding, str(error)), error  # noqa: PT017 - any of five seeds may find it
            return
    raise AssertionError("the fault was not found")
