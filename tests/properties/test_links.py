"""Linked meters when things go wrong: winners in one step, readings from outside, clocks, new rules, failures."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.driver import FairShuffler, Staff, next_request, sources
from croupier.errors import RuleViolation
from croupier.fairness import SYSTEM, Shoe
from croupier.games import awaiting
from croupier.games.actions import ReadMeter
from croupier.journal.verify import verify_file
from croupier.money import Cents
from croupier.rulebook import check, read_submission
from croupier.store import Cage, Link, Store, check_ledger, open_store, open_table
from croupier.table import Person, Request, Table, commands, new_table
from support.stored import CASHIER, LINKED, ROYAL, harness, seated, with_store
from support.table_harness import START

BETS = {"ante": 1000, "progressive": 100}
TWO_STRAIGHT_FLUSHES = parse_cards("9s Ts 4s 5s 6s 7s 8s")


class FixedShoe:
    """A shoe that deals these cards first, wherever the deck was cut."""

    def __init__(self, shoe: Shoe, depth: int) -> None:
        self._shoe, self._depth = shoe, depth

    def dealt(self, number: int) -> tuple[Card, ...]:
        rest = [card for card in DECK if card not in TWO_STRAIGHT_FLUSHES]
        return (*rest[: self._depth], *TWO_STRAIGHT_FLUSHES, *rest[self._depth :])[:number]

    def prove(self) -> Any:  # noqa: ANN401 - whatever the real one proves
        return self._shoe.prove()


def test_two_winners_in_one_step_share_the_meter_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = sources._shoe  # noqa: SLF001 - the deck is fixed for once
    tables: list[Table] = []

    def fixed(*words: Any) -> FixedShoe:  # noqa: ANN401
        depth = next((deck.depth for deck in tables[-1].cards.decks if deck.depth), 0)
        return FixedShoe(real(*words), depth)

    monkeypatch.setattr(sources, "_shoe", fixed)

    async def play() -> list[int]:
        store = await open_store(str(tmp_path / "house.db"))
        submission = read_submission(LINKED)
        table = new_table(submission, check(submission).rules())
        stored = await open_table(store, table, lambda _: FairShuffler(salts=SYSTEM), automatic=Staff())

        async def give(request: Request) -> list[int]:
            tables.append(stored.table)
            entries = await stored.handle(request)
            return [entry.event.amount for entry in entries if entry.name == "award_pending/1"]  # type: ignore[union-attr]

        async def staff(*, close_bets: bool = False) -> None:
            while (request := next_request(stored.table, START, close_bets=close_bets)) is not None:
                await give(request)

        await staff()
        names = {1: "ann", 2: "bob"}
        for seat, name in names.items():
            player = Person("player", name)
            await give(Request(player, START, commands.Sit(seat)))
            await give(Request(player, START, commands.BuyIn(Cents(100_000), brought=True)))
            for wager, amount in BETS.items():
                await give(Request(player, START, commands.PlaceWager(seat, wager, Cents(amount))))  # type: ignore[arg-type]
        await staff(close_bets=True)
        awards: list[int] = []
        while stored.table.round is not None and awaiting(stored.table.round).kind == "decision":
            seat = awaiting(stored.table.round).seat
            decision = commands.Decide(seat, "1x", None)
            awards += await give(Request(Person("player", names[seat]), START, decision))
        assert (await check_ledger(store)).problems == ()
        await store.close()
        return awards

    # $10,000.40 with both contributions: ten percent of it, then ten percent of what is left.
    assert asyncio.run(play()) == [100_004, 90_004]


def test_nobody_else_says_what_the_meter_of_a_link_shows(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = await harness(store, LINKED, cards=ROYAL)
        await seated(table, "ann", 1, 100_000)
        await table.staff()
        for wager, amount in BETS.items():
            await table.player("ann", commands.PlaceWager(1, wager, Cents(amount)))  # type: ignore[arg-type]
        await table.staff(close_bets=True)
        for _ in range(3):
            await table.player("ann", commands.Decide(1, "1x", None))
            while (request := next_request(table.table, START)) is not None:
                await table.handle(request)
        device = Person("device", "a sign")
        with pytest.raises(RuleViolation, match=r"the main meter of the link shows \$10,000.20") as refused:
            await table.handle(Request(device, START, ReadMeter("main", Cents(500))))
        assert (refused.value.code, refused.value.clause) == ("own_meter", "11bis(g)")
        await table.handle(Request(device, START, ReadMeter("main", Cents(1_000_020))))
        await table.staff()
        awards = [entry.event.amount for entry in table.entries if entry.name == "award_pending/1"]  # type: ignore[union-attr]
        assert awards == [1_000_020]

    with_store(tmp_path, work)


def test_tables_with_other_clocks_leave_a_record_that_goes_forward(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        links: dict[str, Link] = {}
        one, two = [await harness(store, LINKED, name=name, cards="2c 7d 9h Js Kc", links=links) for name in "12"]
        one.now = START.replace(hour=23)
        for table, patron in ((one, "ann"), (two, "bob")):
            await seated(table, patron, 1, 100_000)
            await table.play(patron, 1, BETS, ["fold"])
        cage = Cage(store)
        for hour in (22, 20):
            await cage.deposit("ann", Cents(100), by=CASHIER, at=START.replace(hour=hour))

    with_store(tmp_path, work)
    verify_file(tmp_path / "house.db")


def test_new_rules_keep_a_table_on_its_link(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = await harness(store, LINKED)
        await table.staff()
        operator = Person("operator", "o1")
        progressive = LINKED["wagers"]["progressive"]
        for change in ({"link": "pier"}, {"paytable": "MS Stud MG-02", "stake": "5.00"}):
            command = commands.ProposeRules(LINKED | {"wagers": {"progressive": progressive | change}}, "approval 7")
            with pytest.raises(RuleViolation) as refused:
                await table.handle(Request(operator, START, command))
            assert (refused.value.code, refused.value.clause) == ("link_differs", "11bis(k)"), refused.value
        assert table.table.proposal is None

    with_store(tmp_path, work)


def test_a_table_whose_first_command_was_given_up_can_be_begun_again(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        table = await harness(store, LINKED)
        request = next_request(table.table, START)
        assert request is not None
        first = asyncio.create_task(table.handle(request))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        await table.staff()
        assert table.table.status == "open"

    with_store(tmp_path, work)


def test_a_key_is_answered_although_the_money_is_gone(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        cage = Cage(store)
        await cage.deposit("ann", Cents(100), by=CASHIER, at=START)
        first = await cage.withdraw("ann", Cents(100), by=CASHIER, at=START, key="w")
        assert await cage.withdraw("ann", Cents(100), by=CASHIER, at=START, key="w") == first
        back = await cage.reverse(first.seq, by=CASHIER, at=START, reason="a mistake", key="r")
        assert await cage.reverse(first.seq, by=CASHIER, at=START, reason="a mistake", key="r") == back
        with pytest.raises(RuleViolation, match="belongs to another command"):
            await cage.withdraw("ann", Cents(99), by=CASHIER, at=START, key="w")

    with_store(tmp_path, work)
