"""A player's evening: won or lost, expected, mistakes and luck, from the record and again by a naive count."""

import asyncio
import random
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from threading import Event

import pytest

from croupier.analysis import advise, cached_prices, cases_of_house
from croupier.analysis.answering import answers
from croupier.cards import parse_cards
from croupier.house.first_start import demo_id
from croupier.ledger import HandFigures, PlayedDecision, PlayedHand, priced_hand
from croupier.server import Caller, now
from croupier.server.pace import Pace
from croupier.table import Person, view
from croupier.table.views import TableView
from croupier.web import evening as module
from croupier.web.advice import advice_for
from croupier.web.adviser import Adviser
from croupier.web.evening import PlayerEvening, evening_of, sum_up
from croupier.web.table_trainer import trainer_beside
from support.browser import HouseForBrowsers, browse

HERE = Adviser(lambda lines: list(answers(lines)))
ANN = Caller(id=demo_id("ann"), name="ann", roles=("player",))
BOB = Caller(id=demo_id("bob"), name="bob", roles=("player",))

CALM, QUICK = Pace(timedelta(minutes=1)), Pace(timedelta(milliseconds=25))


class Naive:
    """What Ann does, counted as she does it: from what she sees, with `advise` at every decision."""

    def __init__(self, house: HouseForBrowsers, table: str, dice: random.Random) -> None:
        self.house, self.name, self.dice = house, table, dice
        self.rounds = self.staked = self.net = self.decisions = self.mistakes = self.side = 0
        self.expected = self.cost = Fraction(0)
        self.right: list[bool] = []

    @property
    def seen(self) -> TableView:
        return view(self.house.desk.table(self.name).table, Person("player", ANN.id))

    async def give(self, **body: object) -> None:
        await self.house.desk.command(ANN, self.name, dict(body), f"{self.name}.{self.dice.random()}")

    def pace(self, pace: Pace) -> None:
        self.house.desk.hall.live[self.name].deal(self.house.desk.hall.plans[self.name].staff, pace)

    async def sit_down(self) -> None:
        await self.give(do="sit", seat=1)
        await self.give(do="buy_in", amount="5000.00")

    async def play(self, sides: dict[str, str]) -> None:
        rules = self.house.desk.table(self.name).table.house
        number = self.seen.rounds
        mains = [wager.name for wager in rules.rulebook.wagers.wager if wager.limits_key or wager.stake == "equal"]
        stakes: dict[str, str] = {**dict.fromkeys(mains, "20.00"), **sides}
        self.pace(CALM)  # however busy this machine is, bets do not close between two of hers
        for wager, amount in stakes.items():
            await self.give(do="place_wager", seat=1, wager=wager, amount=amount)
        self.pace(QUICK)
        done: list[str] = []
        async with asyncio.timeout(60):
            while self.seen.last_round is None or self.seen.last_round.number <= number or self.seen.rounds == number:
                asked = self.seen.awaiting
                if asked.kind == "decision" and asked.seat == 1:
                    done.append(await self._decide(done, 2000))
                await asyncio.sleep(0.01)
        box = next(box for box in self.seen.last_round.seats if box.seat == 1)
        self.rounds += 1
        told = await trainer_beside(rules, self.seen, "after", adviser=HERE, patience=60)
        assert [step.judgment.right for step in told.steps] == self.right[-len(done) :], done
        for settled in box.results:
            result = settled.won + settled.returned - settled.staked
            self.staked, self.net = self.staked + settled.staked, self.net + result
            self.side += result if settled.wager in sides else 0
        self.expected += cached_prices(next(cases_of_house(rules)))[0].outcomes.mean * 2000

    async def _decide(self, done: list[str], ante: int) -> str:
        seen = self.seen
        table = self.house.desk.table(self.name).table
        box = next(box for box in seen.seats if box.seat == 1)
        board = parse_cards(" ".join(card for card in dict(seen.cards).get("community", ()) if card != "??") or "")
        values = advise(table.house.rulebook, parse_cards(" ".join(box.cards)), community=board, bets=done)
        panel = await advice_for(table.house, seen, adviser=HERE, patience=60)
        assert panel is not None
        assert {row.name: row.value for row in panel.rows} == values.actions
        choice = self.dice.choice(sorted(values.actions))
        offered = {each.choice for each in seen.awaiting.choices}
        if choice in offered:
            await self.give(do="decide", seat=1, choice=choice)
        else:
            await self.give(do="decide", seat=1, choice="raise", amount=f"{int(choice[:-1]) * ante // 100}.00")
        self.decisions += 1
        self.right.append(choice in values.best)
        self.mistakes += choice not in values.best
        self.cost += values.cost(choice) * ante
        return choice


async def whole(house: HouseForBrowsers, caller: Caller) -> PlayerEvening:
    shown = await evening_of(house.desk, caller, adviser=HERE, patience=60)
    assert shown is not None
    return shown


def test_an_evening_at_every_table_is_what_a_naive_count_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_AGAIN", 0.0)
    monkeypatch.setattr(module, "_PAGE", 3)  # several pages of rounds

    async def visit(house: HouseForBrowsers) -> None:
        before = await whole(house, ANN)
        assert (before.rounds, before.net, before.pending) == (0, 0, False)
        assert before.luck == 0
        dice, tables = random.Random("evening"), []
        for name, plan in house.desk.hall.plans.items():
            if not plan.automatic:
                continue
            table = Naive(house, name, dice)
            await table.sit_down()
            sides: dict[str, str] = {
                wager.name: f"{wager.stakes.minimum // 100}.00"
                for wager in plan.rules.wagers
                if wager.name == "three_card_bonus" and wager.stakes is not None
            }
            for number in range(3):
                await table.play(sides if number % 2 else {})
                if number == 1:
                    await whole(house, ANN)  # looked at in the middle: what was read is not read twice
            tables.append(table)
        shown = await whole(house, ANN)
        assert shown.rounds == sum(table.rounds for table in tables) == 12
        assert shown.staked == sum(table.staked for table in tables)
        assert shown.net == sum(table.net for table in tables)
        assert shown.side == sum(table.side for table in tables)
        assert shown.decisions == sum(table.decisions for table in tables)
        assert shown.mistakes == sum(table.mistakes for table in tables) > 0
        assert shown.cost == sum(table.cost for table in tables)
        assert shown.expected == sum(table.expected for table in tables)
        assert shown.unpriced == 0
        assert not shown.pending
        assert shown.net == shown.expected - shown.cost + shown.luck + shown.side
        assert (await whole(house, BOB)).rounds == 0  # nobody else's
        page = await (await house.browser("ann")).see("/trainer")
        assert "Your evening" in page.text

    browse(tmp_path, visit)


def test_an_evening_is_its_player_s_own(tmp_path: Path) -> None:
    async def visit(house: HouseForBrowsers) -> None:
        device = Caller(id="device", roles=("player",), scope=("read:own_rounds",))
        for caller in (Caller(), Caller(id=demo_id("dealer"), roles=("dealer",)), device):
            assert await evening_of(house.desk, caller, adviser=HERE) is None
        stranger = await (await house.browser()).see("/trainer")
        assert "Your evening" not in stranger.text

    browse(tmp_path, visit)


def test_a_page_does_not_wait_for_an_evening(tmp_path: Path) -> None:
    computed = Event()

    async def visit(house: HouseForBrowsers) -> None:
        table = Naive(house, "4", random.Random("slow"))
        await table.sit_down()
        await table.play({})
        slow = Adviser(lambda lines: [b"null"] * len(lines) if computed.wait(60) else [])
        shown = await evening_of(house.desk, ANN, adviser=slow, patience=0.05)
        assert shown is not None
        assert (shown.pending, shown.closed, shown.unpriced) == (True, 0, 0)  # nothing is said of what nobody knows yet
        computed.set()
        shown = await evening_of(house.desk, ANN, adviser=slow, patience=60)
        assert shown is not None
        assert (shown.pending, shown.closed, shown.unpriced) == (
            False,
            0,
            1,
        )  # nobody could price it: said, not guessed

    browse(tmp_path, visit)


def test_a_raise_between_whole_antes_costs_in_proportion() -> None:
    own = tuple(parse_cards("Ah Kh Qh Jh 9h 2c 3d"))
    decision = PlayedDecision(own=own, board=(), bets=(), choice="raise", amount=1500)
    hand = PlayedHand(
        seat=1, rulebook="r", edition="e", paytable="p", ante=1000, staked=2500, net=0, side=0, decisions=(decision,)
    )
    values = {"fold": Fraction(-1), "1x": Fraction(1), "2x": Fraction(2)}
    assert priced_hand(hand, Fraction(-1, 50), [values]) == HandFigures(Fraction(-20), 1, Fraction(500))


def test_figures_of_no_hands_are_nothing() -> None:
    empty = sum_up(now().date(), [])
    assert (empty.rounds, empty.net) == (0, 0)
    assert not any([empty.expected, empty.cost, empty.luck])
