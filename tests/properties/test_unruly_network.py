"""Thirty percent of all commands come twice, late, or before their time: the house is the same as without."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier.errors import RuleViolation
from croupier.journal import HouseKey
from croupier.store import Store, stored_table
from croupier.store.sqlite import SqliteEngine
from croupier.store.values import Append, Command
from support import slices
from support.resumed import RecordProperty
from support.stores import StorePlace
from support.unruly_network import UNRULY, Visitors, all_of, everything_kept

PARTS = slices.count(full=10, sliced=1)
TABLES = slices.count(full=8, sliced=4)
COMMANDS = slices.count(full=125, sliced=30)
KEY = HouseKey(bytes(32))


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are looked up in the store often enough, not remembered."""
    monkeypatch.setattr(stored_table, "_REMEMBERED", 5)


async def undisturbed(path: Path, seed: int) -> tuple[list[Visitors], dict[str, object]]:
    """The same house without a network before it."""
    store = Store(SqliteEngine(path, inline=True), KEY)
    house = [Visitors(store, number, seed) for number in range(TABLES)]
    for visitors in house:
        await visitors.open()
        await visitors.play(COMMANDS)
    kept = await everything_kept(store)
    await store.close()
    return house, kept


async def disturbed(store: Store, scripts: list[Visitors], seed: int) -> tuple[dict[str, object], Counter[str]]:
    house = [Visitors(store, visitors.number, seed, visitors.sent) for visitors in scripts]
    for visitors in house:
        await visitors.open()
    await all_of(visitors.play(COMMANDS, random.Random(f"{seed} {visitors.number}")) for visitors in house)
    return await everything_kept(store), sum((visitors.happened for visitors in house), Counter())


@pytest.mark.parametrize("part", range(PARTS))
def test_commands_that_come_twice_late_or_early_change_nothing(
    part: int, place: StorePlace, tmp_path: Path, record_property: RecordProperty
) -> None:
    """120 commands at four tables with each engine in `make test`, 10,000 at eight tables in `make torture`."""

    async def run() -> Counter[str]:
        scripts, expected = await undisturbed(tmp_path / "undisturbed.db", part)
        store = await place.open()
        try:
            kept, happened = await disturbed(store, scripts, part)
        finally:
            await store.close()
        for name in expected:
            assert kept[name] == expected[name], f"{name}: not as without the network"
        return happened

    happened = asyncio.run(run())
    number = TABLES * COMMANDS
    assert happened["commands"] == number
    assert sum(happened[how] for how in ("twice", "late", "early")) > UNRULY * number * 0.75
    assert min(happened[how] for how in ("twice", "late", "early", "reopened")) > 0
    for name, figure in sorted(happened.items()):
        record_property(name, figure)


class Forgetful(Store):
    """A store that does not keep the keys of commands."""

    async def append(self, append: Append, meanwhile: Callable[[bool], None] | None = None) -> None:
        await super().append(replace(append, command=None), meanwhile)

    async def stored(self, command: Command) -> tuple[int, int] | None:
        del command
        return None


def test_a_store_that_forgets_its_keys_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_table, "_REMEMBERED", 0)

    async def run() -> None:
        scripts, expected = await undisturbed(tmp_path / "undisturbed.db", 0)
        store = Forgetful(SqliteEngine(tmp_path / "house.db", inline=True), KEY)
        try:
            kept, _ = await disturbed(store, scripts, 0)
        finally:
            await store.close()
        assert kept["lines"] == expected["lines"]

    with pytest.raises((AssertionError, RuleViolation)):
        asyncio.run(run())
