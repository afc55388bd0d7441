"""Patrons that play through the client: they decide as the strategies say, and keep playing when the house fails."""

import asyncio
import json
import random
from collections.abc import Iterator
from decimal import Decimal

import pytest

from croupier.bots import BotDecision, BotPlan, Crowd, playbook_for, strategy_names
from croupier.client import NotThere, Patience, SeenBox, SeenTable
from croupier.errors import Malformed
from croupier.rulebook import rulebook_ids
from support.fake_house import FakeHouse, running
from support.running import here

PATIENT = Patience(tries=8, first_wait=0.02, longest_wait=0.2, timeout=10)


@pytest.fixture
def house() -> FakeHouse:
    return FakeHouse()


@pytest.fixture
def url(house: FakeHouse) -> Iterator[str]:
    with running(house) as address:
        yield address


def seen(board: str = "", **box: object) -> tuple[SeenTable, int]:
    cards = str(box.pop("cards"))
    bets = {name: Decimal(str(amount)) for name, amount in box.pop("bets", {"ante": 10}).items()}  # type: ignore[attr-defined]
    seat = SeenBox(seat=2, cards=tuple(cards.split()), bets=bets, **box)  # type: ignore[arg-type]
    return SeenTable(seats=(seat,), cards={"board": tuple(board.split())}), 2


@pytest.mark.parametrize(
    ("rulebook", "view", "decision"),
    [
        ("md-mississippi-stud", seen("?? ?? ??", cards="Ah Ad"), BotDecision("3x")),
        ("md-mississippi-stud", seen("?? ?? ??", cards="2h 7d"), BotDecision("fold")),
        (
            "ma-mississippi-stud",
            seen("Ac ?? ??", cards="Ah 7d", bets={"ante": 10, "third_street": 10, "three_card_bonus": 5}),
            BotDecision("3x"),
        ),
        ("md-let-it-ride", seen("?? ??", cards="Ah Ad 4c", bets={"bet_1": 10, "bet_2": 10}), BotDecision("ride")),
        ("md-let-it-ride", seen("?? ??", cards="9h 7d 2c", bets={"bet_1": 10}), BotDecision("withdraw")),
        (
            "md-let-it-ride",
            seen("Qs ??", cards="9h 7d 2c", bets={"bet_1": 10}, withdrawn=("bet_1",)),
            BotDecision("withdraw"),
        ),
        ("md-high-card-flush", seen(cards="Ah Kh Qh 2c 3d 4s 5c"), BotDecision("raise", Decimal(10))),
        ("md-high-card-flush", seen(cards="Ah Kh 9h 5h 4h 2h 5c"), BotDecision("raise", Decimal(30))),
        ("md-high-card-flush", seen(cards="8h 7h 2h 2c 3d 4s 5c"), BotDecision("fold")),
    ],
)
def test_a_patron_decides_from_what_the_view_shows(
    rulebook: str, view: tuple[SeenTable, int], decision: BotDecision
) -> None:
    assert playbook_for(rulebook).decision(*view) == decision


def test_every_strategy_that_is_listed_has_a_playbook() -> None:
    for rulebook in rulebook_ids():
        assert [playbook_for(rulebook, name).strategy for name in strategy_names(rulebook)] == strategy_names(rulebook)
    with pytest.raises(Malformed, match="has no strategy 'luck': "):
        playbook_for("md-let-it-ride", "luck")


def played(url: str, plan: BotPlan, **more: object) -> Crowd:
    async def run() -> Crowd:
        crowd = Crowd(url, plan, patience=PATIENT, **more)  # type: ignore[arg-type]
        await asyncio.wait_for(crowd.play(), 60)
        return crowd

    return asyncio.run(run())


def test_patrons_play_their_rounds_at_every_game_and_leave(house: FakeHouse, url: str) -> None:
    crowd = played(url, BotPlan(pace=0, rounds=3, side_bets=0.5), number=12, seed="evening")
    figures = crowd.figures
    assert (figures.rounds, figures.patrons) == (36, 0)
    assert figures.troubles == {}
    assert figures.refused.keys() <= {"seat_taken", "bets_closed"}
    tables = [table.runner.table for table in house.tables.values()]
    assert all(table.people.seats == () for table in tables)
    assert all(table.played > 0 for table in tables)
    assert figures.plain()["net"] == f"{figures.won - figures.lost:.2f}"


def test_patrons_bet_what_they_are_told_within_the_limits(house: FakeHouse, url: str) -> None:
    for bet, staked in (("25", 25), ("3", 10), ("100000", 500)):
        plan = BotPlan(pace=0, rounds=1, bet=Decimal(bet))
        played(url, plan, table="2")
        last = house.tables["2"].runner.table.last_round
        assert last is not None
        assert last.boxes[0].main == 100 * staked


def test_patrons_go_on_when_connections_are_lost_and_the_house_is_busy(house: FakeHouse, url: str) -> None:
    async def run() -> Crowd:
        crowd = Crowd(url, BotPlan(pace=0.02, rounds=4), number=4, patience=PATIENT)
        playing = asyncio.create_task(crowd.play())
        dice = random.Random(1)
        while not playing.done():
            await asyncio.sleep(0.1)
            house.faults = [dice.choice(["503", "lost", ""])]
            house.hang_up()
        await playing
        return crowd

    crowd = asyncio.run(run())
    assert crowd.figures.rounds == 16
    assert crowd.figures.connections > 4
    assert all(times == 1 for table in house.tables.values() for times in table.carried_out.values())


def test_a_crowd_that_is_stopped_finishes_its_rounds_and_leaves(house: FakeHouse, url: str) -> None:
    async def run() -> Crowd:
        crowd = Crowd(url, BotPlan(pace=0.01), number=4, table="1", patience=PATIENT)
        playing = asyncio.create_task(crowd.play())
        while crowd.figures.rounds < 6:  # noqa: ASYNC110 - figures are no event
            await asyncio.sleep(0.02)
        crowd.stop()
        await asyncio.wait_for(playing, 20)
        return crowd

    assert asyncio.run(run()).figures.rounds >= 6
    assert house.tables["1"].runner.table.people.seats == ()


def test_with_a_password_the_same_names_come_back(house: FakeHouse, url: str) -> None:
    for _ in range(2):
        played(url, BotPlan(pace=0, rounds=1), name="regular", password="a password of old", number=2)
    assert sorted(house.people) == ["floor", "regular 1", "regular 2"]


def test_a_table_that_is_not_there_is_an_error(url: str) -> None:
    with pytest.raises(NotThere, match="table 9 does not exist; there are: 1, 2, 3, 4"):
        played(url, BotPlan(), table="9")


# --- the command


def test_the_command_plays_and_prints_its_figures(url: str) -> None:
    done = here("bot", url, "--number", "2", "--rounds", "2", "--pace", "0", "--side-bets", "--seed", "x", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)
    assert (figures["bots"], figures["rounds"]) == (2, 4)
    assert figures["latency_ms"]["p50"] <= figures["latency_ms"]["p99"]
    text = here("bot", url, "--rounds", "1", "--pace", "0", "--table", "3", "--strategy", "short list", "--bet", "20")
    assert (text.returncode, text.stderr) == (0, "")
    assert text.stdout.startswith("rounds    1, ")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["house"], 2, "'house' is not the address of a house"),
        (["http://127.0.0.1:1", "--bet", "-3"], 2, "'-3' is not an amount"),
        (["URL", "--table", "9"], 1, "table 9 does not exist"),
        (["URL", "--table", "1", "--strategy", "luck"], 2, "md-mississippi-stud has no strategy 'luck': "),
        (["URL", "--name", "floor", "--password", "wrong"], 0, ""),
    ],
)
def test_what_cannot_be_done_is_one_line(url: str, arguments: list[str], code: int, message: str) -> None:
    given = [url if argument == "URL" else argument for argument in arguments]
    done = here("bot", *given, "--rounds", "1", "--pace", "0")
    assert (done.returncode, message in done.stderr) == (code, True), done.stderr
    assert done.stderr.count("\n") <= 1
