"""Cash through the tables and the cage, added up by the gaming day and flagged by thresholds."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger import Author, CashMove, cash_flags, default_thresholds
from croupier.money import Cents
from croupier.store import Cage, Store
from croupier.table import Person, Request, commands
from support.running import here
from support.stored import CASHIER, StoredHarness, harness, with_store
from support.table_harness import START

MISSISSIPPI = {"rulebook": "md-mississippi-stud"}


def flags(*words: str) -> list[tuple[str, str, str]]:
    done = here("report", *words, "--json")
    assert done.returncode in (0, 1), done.stderr
    told: list[dict[str, Any]] = json.loads(done.stdout)["cash"] if done.stdout else []
    return [(flag["patron"], flag["flag"], flag["amount"]) for flag in told]


async def buy(table: StoredHarness, patron: str, amount: int, *, at: datetime, seat: int = 1) -> None:
    table.now = at
    await table.staff()
    if patron not in dict(table.table.people.seats).values():
        await table.player(patron, commands.Sit(seat))
    await table.player(patron, commands.BuyIn(Cents(amount)))


def test_cash_through_the_cage_is_flagged_and_a_reversed_entry_is_not(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage = Cage(store)
        at = START
        for patron, amount in (("zoe", 5_000_000), ("typo", 5_000_000), ("demo", 9_000_000)):
            by = Author("device", "play chips") if patron == "demo" else CASHIER
            await cage.deposit(patron, Cents(amount), by=by, at=at)
        await cage.withdraw("zoe", Cents(4_000_000), by=CASHIER, at=at + timedelta(minutes=5))
        await cage.reverse(2, by=CASHIER, at=at + timedelta(days=9), reason="typed twice")

    with_store(tmp_path, work)
    expected = [
        ("zoe", "large cash in", "50000.00"),
        ("zoe", "cash log", "50000.00"),
        ("zoe", "large chips out", "40000.00"),
    ]
    store, day = str(tmp_path / "house.db"), str(START.date())
    assert flags("day", store, "--day", day) == expected
    assert flags("shift", store, "--from", START.isoformat()) == expected
    assert flags("shift", store, "--from", (START + timedelta(minutes=1)).isoformat()) == expected[2:]
    assert flags("day", store, "--day", str(START.date() + timedelta(days=1))) == []
    assert "large cash in" in here("report", "day", store, "--day", day).stdout


def test_cash_is_counted_by_the_gaming_day_and_not_by_the_shift(tmp_path: Path) -> None:
    later = START + timedelta(hours=4)

    async def work(store: Store) -> None:
        table = await harness(store, MISSISSIPPI)
        await buy(table, "ann", 900_000, at=START)
        await buy(table, "bo", 1_200_000, at=START, seat=2)
        await buy(table, "ann", 900_000, at=later)

    with_store(tmp_path, work)
    store, middle = str(tmp_path / "house.db"), (START + timedelta(hours=2)).isoformat()
    assert ("ann", "large cash in", "18000.00") not in flags("shift", store, "--to", middle)
    late = flags("shift", store, "--from", middle)
    assert ("ann", "large cash in", "18000.00") in late
    assert not [row for row in late if row[0] == "bo"]  # nothing of it was in these hours


def test_chips_that_go_to_the_cage_and_out_again_count_once(tmp_path: Path) -> None:
    ann = Person("player", "ann")

    async def work(store: Store) -> None:
        table, cage = await harness(store, MISSISSIPPI), Cage(store)
        await buy(table, "ann", 600_000, at=START)
        await cage.cash_out(table.stored, Request(ann, START, commands.StandUp()))
        await cage.withdraw("ann", Cents(600_000), by=CASHIER, at=START)

    with_store(tmp_path, work)
    assert flags("day", str(tmp_path / "house.db")) == [("ann", "cash log", "6000.00")]


@pytest.mark.parametrize(
    ("moves", "amount", "times"),
    [
        ([("chips_out", 600_000), ("redeemed", 600_000), ("withdrawn", 600_000)], None, 0),
        ([("chips_out", 600_000), ("withdrawn", 600_000)], 1_200_000, 2),
        ([("chips_out", 1_200_000), ("redeemed", 1_200_000)], 1_200_000, 1),
        ([("redeemed", 600_000), ("chips_out", 600_000), ("withdrawn", 1_100_000)], 1_100_000, 2),
    ],
)
def test_what_counts_as_cash_out(moves: Sequence[tuple[Any, int]], amount: int | None, times: int) -> None:
    given = [CashMove(day="2026-01-01", patron="ann", way=way, amount=cents) for way, cents in moves]
    told = [(flag.amount, flag.times) for flag in cash_flags(given, default_thresholds())]
    assert told == ([] if amount is None else [(amount, times)])
