"""The automatic staff at live tables, in simulated time: whoever stays away, and tables that are handed over."""

import asyncio
from datetime import datetime, timedelta

import msgspec
import pytest

from croupier.errors import RuleViolation
from croupier.house import HandOverOrder
from croupier.money import Cents
from croupier.server.hall import Hall
from croupier.server.live import LiveTable
from croupier.server.pace import Pace
from croupier.store import Cage
from croupier.table import Entry, Person, allowed, chips_of, commands
from support.live_hall import ANN, BOB, bet, deals, give, in_a_house, is_over, plan, seat, until
from support.simulated_time import clock

LET_IT_RIDE = "md-let-it-ride"
FLOOR, DANA = Person("floorperson", "floor-1"), Person("dealer", "dana-1")


async def place(table: LiveTable, player: Person, number: int, *wagers: str) -> None:
    for wager in wagers:
        await give(table, player, commands.PlaceWager(number, wager, Cents(1_000)))  # type: ignore[arg-type]


def boxes(table: LiveTable) -> list[int]:
    state = table.table.round
    return [box.seat for box in state.boxes] if state is not None else []


async def record(table: LiveTable) -> list[Entry]:
    return await table.stored.entries_after(0)


# --- whoever leaves bets that are not complete


@pytest.mark.clause("md-let-it-ride .07D")
@pytest.mark.parametrize("beat", [0.0, 1.0])
def test_bets_that_a_player_never_completes_go_back_and_the_others_play(beat: float) -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN, BOB)
        await place(table, BOB, 2, "bet_1", "bet_2")  # and Bob is gone
        await place(table, ANN, 1, "bet_1", "bet_2", "bet_3")
        assert await until(lambda: deals(table), 60) == pytest.approx(18 * beat or 10, abs=0.2)
        assert boxes(table) == [1]
        assert chips_of(table.table, BOB.id) == 100_000
        back = [entry for entry in await record(table) if entry.name == "wager_taken_back/1"]
        assert [(entry.event.wager, entry.by.id) for entry in back] == [  # type: ignore[union-attr]
            ("bet_2", "automatic dealer"),
            ("bet_1", "automatic dealer"),
        ]
        assert {entry.reason for entry in back} == {"incomplete when bets closed"}

    in_a_house(run, plan(rulebook=LET_IT_RIDE, pace=Pace(timedelta(seconds=beat))))


def test_where_nobody_completes_a_bet_there_is_no_round_and_everybody_may_leave() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await place(table, ANN, 1, "bet_1")
        await until(lambda: is_over(table), 60)
        await give(table, ANN, commands.StandUp())
        assert not table.table.people.seats

    in_a_house(run, plan(rulebook=LET_IT_RIDE))


def test_a_side_bet_is_never_without_the_bets_that_it_needs() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await place(table, ANN, 1, "bet_1")
        with pytest.raises(RuleViolation, match="needs bet 2"):
            await place(table, ANN, 1, "three_card_bonus")
        await place(table, ANN, 1, "bet_2", "bet_3", "three_card_bonus")
        with pytest.raises(RuleViolation, match="another wager still needs bet 3"):
            await give(table, ANN, commands.TakeBack(1, "bet_3"))

    in_a_house(run, plan(rulebook=LET_IT_RIDE))


def test_a_gap_between_a_players_boxes_does_not_hold_the_table_up() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        for number in (1, 2, 3):
            await give(table, ANN, commands.Sit(number))
        await give(table, ANN, commands.BuyIn(Cents(100_000)))
        for number in (1, 2, 3):
            await place(table, ANN, number, "ante")
        await give(table, ANN, commands.TakeBack(2, "ante"))
        await until(lambda: deals(table), 60)
        assert boxes(table) == [1]

    in_a_house(run, plan(rulebook="md-high-card-flush", boxes=3))


def test_whoever_completes_the_bets_in_time_plays() -> None:
    async def run(_hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await place(table, ANN, 1, "bet_1")
        await asyncio.sleep(15)
        await place(table, ANN, 1, "bet_2", "bet_3")
        await until(lambda: deals(table), 5)
        assert boxes(table) == [1]

    in_a_house(run, plan(rulebook=LET_IT_RIDE))


# --- a house that was down


def test_whoever_was_asked_when_the_house_went_down_has_all_of_their_time_again() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table), 20)
        await hall.stop()
        await asyncio.sleep(300)
        again = Hall(hall.store, Cage(hall.store), clock=clock, play_chips=True)
        await again.set_up([plan()])
        again.start()
        try:
            await asyncio.sleep(1)
            table = again.live["1"]
            assert table.table.asked_at is not None
            assert clock() - table.table.asked_at > timedelta(seconds=300)
            closes = table.closes()
            assert closes is not None
            left = (closes - clock()).total_seconds()
            assert left == pytest.approx(30, abs=1.5)
            said = msgspec.json.decode(table.shown(ANN)[1])["awaiting"]["deadline"]
            assert datetime.fromisoformat(said) == closes
            assert await until(lambda: is_over(table), 60) == pytest.approx(left, abs=0.5)
        finally:
            await again.stop()

    in_a_house(run)


def test_whoever_was_asked_by_a_person_has_all_of_their_time_when_the_automatic_staff_take_over() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await bet(table, ANN)
        await until(lambda: deals(table), 20)
        await hall.set_up([plan(automatic=False)])
        await asyncio.sleep(300)
        assert deals(table)
        await hall.set_up([plan()])
        assert await until(lambda: is_over(table), 60) == pytest.approx(30, abs=1.5)

    in_a_house(run)


# --- under whose name


def test_the_automatic_staff_relieve_a_person_before_they_deal_and_never_use_their_name() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        await hall.set_up([plan(automatic=False)])
        boss = Person("pit_manager", "boss-1")
        await give(table, boss, commands.Assign("floorperson", FLOOR.id, "automatic floorperson"))
        await give(table, FLOOR, commands.Assign("dealer", DANA.id))
        assert (table.table.people.dealer, table.table.people.floor) == (DANA.id, (FLOOR.id,))
        await hall.set_up([plan()])
        before = table.table.seq
        await bet(table, ANN)
        await until(lambda: deals(table), 20)
        await until(lambda: is_over(table), 200)  # the floor declares that Ann, who is away, gave no decision
        entries = [entry for entry in await record(table) if entry.seq > before]
        assert "floorperson" in {entry.by.role for entry in entries}
        assert {entry.by.id for entry in entries} & {DANA.id, FLOOR.id, boss.id} == set()
        assert table.table.people.dealer == "automatic dealer"

    in_a_house(run)


def test_a_table_that_is_handed_over_takes_the_person_on_in_the_name_of_whoever_ordered_it() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        order = HandOverOrder(entry=7, person=DANA.id, by=FLOOR.id, role="floorperson")
        await bet(table, ANN)  # in the middle of a round as well
        await hall.set_up([plan(automatic=False, handed=order)])
        await until(lambda: table.table.people.dealer == DANA.id, 2)
        assert [(entry.by, entry.command) for entry in await record(table)][-1] == (FLOOR, "house/7/dealer")
        assert "perform" in {offer.do for offer in allowed(table.table, DANA, hall.time_of(table))}
        await give(table, DANA, commands.Perform("announce"))
        assert deals(table)

        await give(table, FLOOR, commands.Assign("dealer", "dirk-1"))  # a relief at the table stays
        await asyncio.sleep(10)
        hall._taken_on.clear()  # noqa: SLF001 - the house opens again
        await asyncio.sleep(10)
        assert table.table.people.dealer == "dirk-1"
        await hall.set_up([plan()])
        await until(lambda: is_over(table), 200)
        assert table.table.people.dealer == "automatic dealer"

    in_a_house(run)


def test_a_dealer_whom_a_table_cannot_take_on_is_listed_as_trouble() -> None:
    async def run(hall: Hall, table: LiveTable) -> None:
        await seat(table, ANN)
        order = HandOverOrder(entry=7, person=ANN.id, by=FLOOR.id, role="floorperson")
        await hall.set_up([plan(automatic=False, handed=order)])
        await asyncio.sleep(1)
        assert "plays at this table" in hall.troubles()["dealer of table 1"]
        await hall.set_up([plan()])
        await asyncio.sleep(1)
        assert not hall.troubles()

    in_a_house(run)


@pytest.mark.parametrize("timeout", [0, 30])
def test_whoever_opens_an_automatic_table_without_a_time_limit_is_warned(
    timeout: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def run(_hall: Hall, _table: LiveTable) -> None:
        warned = [record.getMessage() for record in caplog.records if "decision.timeout" in record.getMessage()]
        assert len(warned) == (timeout == 0)

    with caplog.at_level("WARNING", "croupier.server"):
        in_a_house(run, plan(timeout=timeout))
