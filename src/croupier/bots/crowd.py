"""Many patrons in one process: each signs in, finds a table, plays, and moves on."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from msgspec import Struct

from croupier.bots.figures import BotFigures
from croupier.bots.patron import BotPlan, Patron
from croupier.bots.playbook import Playbook, playbook_for
from croupier.client import (
    AllowedAmount,
    AsyncHouseClient,
    HouseSaysNo,
    ListedTable,
    NotSignedIn,
    NotThere,
    Patience,
    Refused,
    TooOften,
)
from croupier.errors import Malformed

__all__ = ["Crowd"]

UNKNOWN: Final = AllowedAmount(least=Decimal(10), most=Decimal(1_000))
"""The limits where the list of tables does not have them."""
WAIT_FOR_SEAT: Final = 1.0
PATIENT: Final = Patience(tries=15, first_wait=0.1, longest_wait=5.0, timeout=30.0)
"""A bot waits about a minute for a house that restarts."""


class _Guest(Struct, kw_only=True):
    name: str
    password: str
    dice: random.Random
    rounds: int | None
    """How many are left to play."""
    seated_at: str = ""


class Crowd:
    """Patrons who play at a house until they are done, or until they are told to stop."""

    def __init__(
        self,
        url: str,
        plan: BotPlan,
        *,
        number: int = 1,
        table: str | None = None,
        strategy: str | None = None,
        name: str = "bot",
        password: str | None = None,
        seed: str | None = None,
        patience: Patience = PATIENT,
        client: Callable[..., AsyncHouseClient] = AsyncHouseClient,
    ) -> None:
        self._url = url
        self._plan = plan
        self._number = number
        self._table = table
        self._strategy = strategy
        self._password = password
        self._patience = patience
        self._client = client
        # Without a password the names are new ones, so that nobody else has them.
        self._name = name if password is not None else f"{name} {secrets.token_hex(3)}"
        self._seed = seed if seed is not None else secrets.token_hex(8)
        self._playbooks: dict[str, Playbook] = {}
        self._stop = asyncio.Event()
        self.figures = BotFigures()

    def stop(self) -> None:
        """Let everybody finish the round and leave."""
        self._stop.set()

    async def play(self) -> None:
        """Play; raises what kept a patron from playing, after the others are done."""
        async with self._client(self._url, patience=self._patience) as house:
            await self._learn(await house.tables())
        patrons = [asyncio.create_task(self._one(number)) for number in range(1, self._number + 1)]
        try:
            outcomes = await asyncio.gather(*patrons, return_exceptions=True)
        finally:
            for patron in patrons:
                patron.cancel()
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    # --- tables

    async def _learn(self, tables: tuple[ListedTable, ...]) -> None:
        """Read the playbooks of the games played here: compiled code loads now, not in the middle of a hand."""
        if self._table is not None and self._table not in [table.id for table in tables]:
            there = ", ".join(table.id for table in tables) or "none at all"
            raise NotThere(f"table {self._table} does not exist; there are: {there}")
        wanted = [table for table in tables if self._table in {None, table.id}]
        problem: Malformed | None = None
        for rulebook in dict.fromkeys(table.rulebook for table in wanted):
            try:
                self._playbooks[rulebook] = await asyncio.to_thread(playbook_for, rulebook, self._strategy)
            except Malformed as error:
                problem = error
        if not self._playbooks:
            raise problem or NotThere("the house has no tables")

    def _choose(self, tables: tuple[ListedTable, ...], guest: _Guest) -> ListedTable | None:
        """A table with an open seat, and a game that this crowd can play; the emptier, the likelier."""
        fits = [
            table
            for table in tables
            if table.rulebook in self._playbooks and self._table in {None, table.id} and table.open_seats
            if table.status == "open" and (not table.physical or self._table is not None)
        ]
        seated = next((table for table in tables if table.id == guest.seated_at), None)
        if seated is not None or not fits:
            return seated
        return guest.dice.choices(fits, [len(table.open_seats) for table in fits])[0]

    # --- one patron

    async def _one(self, number: int) -> None:
        guest = _Guest(
            name=f"{self._name} {number}",
            password=self._password if self._password is not None else secrets.token_urlsafe(18),
            dice=random.Random(f"{self._seed} {number}"),  # noqa: S311 - a patron's whims, repeatable by the seed
            rounds=self._plan.rounds,
        )
        async with self._client(self._url, patience=self._patience) as house:
            await self._sign_in(house, guest)
            if self._password is not None:  # a regular, who may have a seat
                guest.seated_at = await _seat_of(house)
            self.figures.patrons += 1
            try:
                while guest.seated_at or (not self._stop.is_set() and guest.rounds != 0):
                    await self._visit(house, guest)
            finally:
                self.figures.patrons -= 1

    async def _visit(self, house: AsyncHouseClient, guest: _Guest) -> None:
        """Play at one table for a while."""
        table = self._choose(await house.tables(), guest)
        if table is None:
            guest.seated_at = ""
            await self._pause(WAIT_FOR_SEAT)
            return
        patron = Patron(
            house,
            table.id,
            playbook=self._playbooks[table.rulebook],
            plan=self._plan,
            limits=_limits(table),
            dice=guest.dice,
            figures=self.figures,
            stop=self._stop,
        )
        stay = max(1, round(guest.dice.expovariate(1 / self._plan.stay)))
        try:
            await patron.play(stay if guest.rounds is None else guest.rounds)
        except NotSignedIn:
            self.figures.troubles["signed out"] += 1
            await self._sign_in(house, guest)
        except TooOften as error:
            self.figures.refused["too_often"] += 1
            await self._pause(error.retry_after)
        except Refused:
            raise  # it cannot buy in
        except HouseSaysNo as error:
            self.figures.troubles[str(error)] += 1
        guest.seated_at = table.id if patron.is_seated else ""
        if guest.rounds is not None:
            guest.rounds = max(0, guest.rounds - patron.played)
        if patron.played == 0:
            await self._pause(WAIT_FOR_SEAT)

    async def _sign_in(self, house: AsyncHouseClient, guest: _Guest) -> None:
        """Sign in, or up where the house does not know the name."""
        is_new = self._password is None and house.person is None
        while True:
            try:
                await (house.sign_up if is_new else house.sign_in)(guest.name, guest.password)
            except TooOften as error:
                self.figures.refused["too_often"] += 1
                await asyncio.sleep(error.retry_after)
            except NotSignedIn:
                if is_new or house.person is not None:
                    raise
                is_new = True
            else:
                return

    async def _pause(self, seconds: float) -> None:
        """Wait, unless it is time to stop."""
        try:
            await asyncio.wait_for(self._stop.wait(), seconds)
        except TimeoutError:
            return


async def _seat_of(house: AsyncHouseClient) -> str:
    """The table where this person sits already."""
    for table in await house.tables():
        if (await house.table(table.id)).view.own_boxes(house.person):
            return table.id
    return ""


def _limits(table: ListedTable) -> AllowedAmount:
    """The limits of the main game, as the list of tables has them."""
    for limits in table.limits.values():
        if isinstance(limits, Mapping) and {"minimum", "maximum"} <= limits.keys():
            try:
                least, most = (Decimal(str(limits[name])) for name in ("minimum", "maximum"))
            except InvalidOperation:
                break
            return AllowedAmount(least=least, most=most)
    return UNKNOWN
