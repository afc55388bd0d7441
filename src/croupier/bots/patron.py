"""A patron: sits down, buys in, bets, decides by a strategy, and leaves after a while, through the client alone."""

from __future__ import annotations

import asyncio
import random
from decimal import Decimal
from time import perf_counter
from typing import Any, Final

from msgspec import Struct

from croupier.bots.figures import BotFigures
from croupier.bots.playbook import Playbook
from croupier.client import (
    AllowedAmount,
    AsyncHouseClient,
    LiveFeed,
    Refused,
    SeenTable,
    TableAnswer,
    TooOften,
)

__all__ = ["BotPlan", "Patron"]

REBUY: Final = 5
"""A patron buys in for this many rounds at full cost."""
MOST_REFUSALS: Final = 3
"""A patron who is refused a buy-in so often in a row gives up."""
LOOK_AGAIN: Final = 10.0
"""After so many seconds without news a patron asks how the table stands."""


class BotPlan(Struct, frozen=True, kw_only=True):
    """How a patron plays."""

    bet: Decimal | None = None
    """The main wager, within the limits; None is the minimum."""
    side_bets: float = 0.0
    """How likely each side bet is made."""
    pace: float = 1.0
    """Seconds to think before a command, on average."""
    rounds: int | None = None
    """Leave after this many rounds."""
    stay: int = 40
    """Without a number of rounds: change tables after about as many."""


class Patron:
    """One player at one table, from sitting down to standing up."""

    def __init__(
        self,
        house: AsyncHouseClient,
        table: str,
        *,
        playbook: Playbook,
        plan: BotPlan,
        limits: AllowedAmount,
        dice: random.Random,
        figures: BotFigures,
        stop: asyncio.Event,
    ) -> None:
        self._house = house
        self._table = table
        self._playbook = playbook
        self._plan = plan
        self._bet_size = limits.nearest(plan.bet if plan.bet is not None else limits.least)
        self._dice = dice
        self._figures = figures
        self._stop = stop
        self._seat = 0
        self._version = -1
        """The newest answer to one of its commands."""
        self._counted = -1
        """The last round whose result was counted; -1 before the first look."""
        self._bet_in = -1
        """The round for which everything was bet that this patron bets."""
        self._turned_away = 0
        """How often the cage refused on end."""
        self._broke: Refused | None = None
        """Why this patron cannot buy in."""
        self.played = 0

    @property
    def is_seated(self) -> bool:
        """Whether this patron still had a seat when last seen."""
        return self._seat > 0

    async def play(self, rounds: int) -> None:
        """Sit down, play so many rounds, and leave; without an open seat, come back at once."""
        async with self._house.live(self._table) as live:
            view: SeenTable | None = (await anext(live)).view
            while view is not None:
                self._count(view)
                leaving = self._stop.is_set() or self.played >= rounds or self._broke is not None
                after = await self._step(view, leaving=leaving)
                if after is None and not self._seat:
                    break
                view = after if after is not None else await self._next(live)
            self._figures.connections += live.connections
        if self._broke is not None:
            raise self._broke

    async def _next(self, live: LiveFeed) -> SeenTable:
        """The table after the next change, or after a while, or when it is time to stop."""
        while True:
            news = asyncio.ensure_future(anext(live))
            stop = asyncio.ensure_future(self._stop.wait())
            waited: set[asyncio.Future[Any]] = {news} if self._stop.is_set() else {news, stop}
            await asyncio.wait(waited, timeout=LOOK_AGAIN, return_when="FIRST_COMPLETED")
            stop.cancel()
            if not news.done():
                news.cancel()
                return (await self._house.table(self._table)).view
            # What this patron's own commands answered may be newer than the news.
            if news.result().version >= self._version:
                return news.result().view

    async def _step(self, view: SeenTable, *, leaving: bool) -> SeenTable | None:
        """Do the next thing; None where there is nothing to do but to wait."""
        boxes = view.own_boxes(self._house.person)
        self._seat = boxes[0].seat if boxes else 0
        try:
            if not boxes:
                return None if leaving else await self._sit()
            if view.awaiting.kind == "decision" and view.awaiting.seat == self._seat:
                await self._think()
                choice, amount = self._playbook.decision(view, self._seat)
                more = {} if amount is None else {"amount": f"{amount:.2f}"}
                return await self._give("decide", seat=self._seat, choice=choice, **more)
            if boxes[0].bets:
                waits = view.awaiting.kind != "wagers" or self._bet_in == self._counted
                return None if waits else await self._bet(view)
            if leaving:
                return await self._give("stand_up")
            if view.awaiting.kind == "wagers":
                return await self._bet(view)
        except Refused as refused:
            self._figures.refused[refused.code] += 1
        except TooOften as error:
            self._figures.refused["too_often"] += 1
            await asyncio.sleep(error.retry_after)
        return None

    def _count(self, view: SeenTable) -> None:
        """Count a round that was closed since the last look."""
        last = view.last_round
        number = last.number if last is not None else 0
        if self._counted >= 0 and number > self._counted and last is not None and self._seat:
            box = last.box(self._seat)
            if box is not None and box.results:
                self._figures.closed(staked=sum((result.staked for result in box.results), Decimal(0)), net=box.net)
                self.played += 1
        self._counted = number

    async def _sit(self) -> SeenTable | None:
        """Take any open seat; None where there is none."""
        offers = (await self._house.table(self._table)).offers("sit")
        seats = [int(seat) for offer in offers for seat in offer.values("seat")]
        if not seats:
            return None
        await self._think()
        return await self._give("sit", seat=self._dice.choice(seats))

    async def _bet(self, view: SeenTable) -> SeenTable | None:
        """Bet on the main game, then on side bets by chance; a patron who is short buys in first."""
        book, bet = self._playbook, self._bet_size
        if (view.chips or 0) < bet * book.most and not self._placed(view):
            return await self._buy_in(bet * book.most * REBUY)
        offered = self._offered(await self._house.table(self._table))
        if not self._placed(view) and not offered:
            return None
        await self._think()
        after = None
        for wager in book.mains:
            if wager in offered:
                after = await self._wager(wager, offered[wager].nearest(bet))
                if len(book.mains) > 1 or self._plan.side_bets:
                    offered = self._offered(await self._house.table(self._table))
        for wager, stakes in offered.items():
            if wager not in book.mains and self._dice.random() < self._plan.side_bets:
                after = await self._wager(wager, stakes.least)
        self._bet_in = self._counted
        return after

    async def _buy_in(self, amount: Decimal) -> SeenTable:
        """Buy in; who is refused several times on end leaves."""
        try:
            view = await self._give("buy_in", amount=f"{amount:.2f}")
        except Refused as refused:
            self._turned_away += 1
            if self._turned_away >= MOST_REFUSALS:
                self._broke = refused
            raise
        self._turned_away = 0
        return view

    def _placed(self, view: SeenTable) -> bool:
        box = view.box(self._seat)
        return box is not None and bool(box.bets)

    def _offered(self, answer: TableAnswer) -> dict[str, AllowedAmount]:
        """What may be bet at this seat and is not bet yet, each with its stakes."""
        box = answer.view.box(self._seat)
        return {
            wager: stakes
            for offer in answer.offers("place_wager")
            if self._seat in offer.values("seat") and (stakes := offer.amount()) is not None
            for wager in map(str, offer.values("wager"))
            if box is None or wager not in box.bets
        }

    async def _wager(self, wager: str, amount: Decimal) -> SeenTable:
        return await self._give("place_wager", seat=self._seat, wager=wager, amount=f"{amount:.2f}")

    async def _give(self, do: str, **arguments: object) -> SeenTable:
        began = perf_counter()
        try:
            answer = await self._house.command(self._table, do, None, **arguments)
        finally:
            self._figures.answered(perf_counter() - began)
        self._version = answer.version
        return answer.view

    async def _think(self) -> None:
        if self._plan.pace > 0:
            await asyncio.sleep(self._plan.pace * self._dice.uniform(0.5, 1.5))
