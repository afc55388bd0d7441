"""The cage and linked meters: what no single table can say, stored with what the tables do."""

import asyncio
from pathlib import Path

import pytest

from croupier.errors import Malformed, RuleViolation
from croupier.ledger import MeterMoved, account_of, read_book_line
from croupier.money import Cents
from croupier.store import Cage, Link, Store
from croupier.table import Person, Request, commands
from support.stored import CASHIER, LINKED, ROYAL, harness, seated, with_store
from support.table_harness import START

ANN = Person("player", "ann")
STRAIGHT_FLUSH = "9s 8s 7s 6s 5s"


# --- the cage


def test_money_at_the_cage_becomes_chips_and_comes_back(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage, table = Cage(store), await harness(store, {"rulebook": "md-mississippi-stud"})
        await cage.deposit("ann", Cents(50_000), by=CASHIER, at=START, reference="D-1")
        await table.staff()
        await table.player("ann", commands.Sit(1))
        await cage.buy_in(table.stored, Request(ANN, START, commands.BuyIn(Cents(30_000), brought=True)))
        assert (await cage.balance("ann"), dict(table.table.people.seats)) == (20_000, {1: "ann"})
        await cage.cash_out(table.stored, Request(ANN, START, commands.StandUp()))
        assert await cage.balance("ann") == 50_000
        await cage.withdraw("ann", Cents(50_000), by=CASHIER, at=START)
        assert await cage.balance("ann") == 0

    with_store(tmp_path, work)


def test_an_account_is_never_overdrawn_and_nothing_happens_at_the_table_then(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage, table = Cage(store), await harness(store, {"rulebook": "md-mississippi-stud"})
        await cage.deposit("ann", Cents(10_000), by=CASHIER, at=START)
        with pytest.raises(RuleViolation, match=r"the cage holds \$100 for ann, not \$100.01"):
            await cage.withdraw("ann", Cents(10_001), by=CASHIER, at=START)
        await table.staff()
        await table.player("ann", commands.Sit(1))
        before = table.table
        with pytest.raises(RuleViolation, match="the cage holds") as refused:
            await cage.buy_in(table.stored, Request(ANN, START, commands.BuyIn(Cents(10_001), brought=True)))
        assert refused.value.code == "short_account"
        assert table.table is before
        assert await cage.balance("ann") == 10_000

    with_store(tmp_path, work)


def test_the_last_dollar_is_spent_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage = Cage(store)
        for _ in range(20):
            await cage.deposit("ann", Cents(100), by=CASHIER, at=START)
            takers = [cage.withdraw("ann", Cents(100), by=CASHIER, at=START) for _ in range(5)]
            results = await asyncio.gather(*takers, return_exceptions=True)
            assert sum(not isinstance(result, Exception) for result in results) == 1
            assert await cage.balance("ann") == 0

    with_store(tmp_path, work)


def test_an_entry_of_the_cage_is_reversed_once_and_stays_in_the_record(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage = Cage(store)
        entry = await cage.deposit("ann", Cents(10_000), by=CASHIER, at=START)
        await cage.reverse(entry.seq, by=CASHIER, at=START, reason="the wrong patron")
        assert await cage.balance("ann") == 0
        with pytest.raises(RuleViolation, match="was reversed before"):
            await cage.reverse(entry.seq, by=CASHIER, at=START, reason="again")
        with pytest.raises(RuleViolation, match="say why"):
            await cage.reverse(entry.seq, by=CASHIER, at=START, reason=" ")
        with pytest.raises(RuleViolation, match="is not a deposit or a withdrawal"):
            await cage.reverse(99, by=CASHIER, at=START, reason="no such entry")
        assert len(await store.load("cage")) == 2

    with_store(tmp_path, work)


def test_a_deposit_with_a_key_is_made_once(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage = Cage(store)
        first = await cage.deposit("ann", Cents(10_000), by=CASHIER, at=START, key="k1")
        again = await Cage(store).deposit("ann", Cents(10_000), by=CASHIER, at=START, key="k1")
        assert first == again
        assert await cage.balance("ann") == 10_000
        for patron in ("", "a/b", "a|b", "x" * 61, "a\nb"):
            with pytest.raises(Malformed, match="is not an id"):
                await cage.deposit(patron, Cents(1), by=CASHIER, at=START)
        with pytest.raises(Malformed, match="more than"):
            await cage.deposit("ann", Cents(0), by=CASHIER, at=START)

    with_store(tmp_path, work)


# --- links


async def _meter(store: Store) -> int:
    rows = await store.read("select amount from account where name = 'link/harbor/meter/main'")
    return int(rows[0][0])


@pytest.mark.clause("ma-mississippi-stud 11bis(g)", "ma-mississippi-stud 11bis(k)")
def test_two_tables_share_a_meter_in_the_order_of_the_link(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        links: dict[str, Link] = {}
        one = await harness(store, LINKED, name="1", cards=STRAIGHT_FLUSH, links=links)
        two = await harness(store, LINKED, name="2", cards=ROYAL, links=links)
        await seated(one, "ann", 1, 100_000)
        await seated(two, "bob", 1, 100_000)
        bets = {"ante": 1000, "progressive": 100}
        await one.play("ann", 1, bets, ["1x", "1x", "1x"])
        # 20 cents of the stake are on the meter before its 10 percent is taken.
        assert await _meter(store) == 10_000 * (1_000_020 - 100_002)
        await two.play("bob", 1, bets, ["1x", "1x", "1x"])
        # The whole meter with the next contribution, then the reset.
        awards = [entry.event.amount for entry in two.entries if entry.name == "award_pending/1"]  # type: ignore[union-attr]
        assert awards == [1_000_020 - 100_002 + 20]
        assert await _meter(store) == 10_000 * 1_000_000
        moved = [read_book_line(line.line).event for line in await store.load("link/harbor")]
        causes = [(event.table, event.cause) for event in moved if isinstance(event, MeterMoved)]
        assert causes == [
            ("1", "meter_raised/1"),
            ("1", "award_pending/1"),
            ("2", "meter_raised/1"),
            ("2", "award_pending/1"),
        ]

    with_store(tmp_path, work)


def test_a_link_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def play(store: Store) -> None:
        table = await harness(store, LINKED, cards="2c 7d 9h Js Kc")
        if not table.table.people.seats:
            await seated(table, "ann", 1, 100_000)
        before = await _meter(store)
        await table.play("ann", 1, {"ante": 1000, "progressive": 100}, ["fold"])
        assert await _meter(store) == before + 10_000 * 20

    for _ in range(3):
        with_store(tmp_path, play)


@pytest.mark.clause("ma-mississippi-stud 11bis(k)")
def test_a_table_with_another_stake_and_paytable_cannot_join_a_link(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        first = await harness(store, LINKED, name="1")
        await first.staff()
        progressive = LINKED["wagers"]["progressive"] | {"paytable": "MS Stud MG-02", "stake": "5.00"}
        second = await harness(store, LINKED | {"wagers": {"progressive": progressive}}, name="2")
        with pytest.raises(RuleViolation, match="is shared with table 1, whose stake differs") as refused:
            await second.staff()
        assert (refused.value.code, refused.value.clause) == ("link_differs", "11bis(k)")
        assert await store.streams("table/") == ["table/1"]

    with_store(tmp_path, work)


def test_the_table_and_the_ledger_book_what_postings_says(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = await harness(store, {"rulebook": "md-mississippi-stud"}, cards=ROYAL)
        await seated(table, "ann", 1, 100_000)
        await table.play("ann", 1, {"ante": 1000}, ["3x", "2x", "1x"])
        stored = {name: amount for name, amount in await store.read("select name, amount from account") if amount}
        books = {account_of("table/1", account).name: int(amount) for account, amount in table.table.books if amount}
        assert {name: amount for name, amount in stored.items() if name in books} == books
        assert stored.keys() == books.keys()

    with_store(tmp_path, work)
