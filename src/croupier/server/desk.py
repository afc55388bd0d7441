"""What every handler of the server works with: the tables, the people, and how often somebody may ask."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final
from uuid import uuid4

from litestar.connection import ASGIConnection

from croupier.days import gaming_day
from croupier.errors import Conflict, CroupierError, Malformed, RuleViolation, StoreError
from croupier.games import Offer
from croupier.house import House, HouseCommand, HouseRequest, HouseTable, decide, place_of, table_role
from croupier.house.commands import ClosePlay, HandOver
from croupier.ledger import BookEntry
from croupier.server.callers import THROUGH_THE_HOUSE, Caller, NotFound
from croupier.server.doors import Doors
from croupier.server.hall import Hall
from croupier.server.live import LiveTable
from croupier.server.memory import GarbageRounds
from croupier.server.metrics import Metrics
from croupier.server.offering import as_taken, offers_to, paused_problem
from croupier.server.passing import Passing
from croupier.server.plans import plans_of
from croupier.server.problems import status_of
from croupier.server.protection import Protection
from croupier.server.rates import Rates
from croupier.server.refused_before import CommandPlace, RefusedAgain, RefusedBefore
from croupier.server.replays import RebuiltRounds, table_at
from croupier.server.shown import shown_refusal
from croupier.server.turns import Turn
from croupier.server.watching import Watched
from croupier.server.writing import TableWriter
from croupier.store import RunningFigures, was_given
from croupier.table import Person, Request, Table, cited_duty, open_awards, read_request
from croupier.table.commands import COMMANDS
from croupier.wire import clip

__all__ = ["Desk"]

_LOG: Final = logging.getLogger("croupier.server")
_SWEPT: Final = 600.0
_TIDIED: Final = 1.0
"""Seconds between two looks for garbage: each is short, and they hold up little."""
_TAKEN: Final = ("by", "at")
"""What the server says itself of a command."""
_OF_MANY: Final = 0.1
_PATIENCE: Final = 5.0
"""Seconds that a command waits for a table that changes hands."""
_PAUSE: Final = 0.1
_LEAVING: Final = 5.0
"""Seconds that sockets have when the house closes."""


class Desk:
    """The running house, for its handlers."""

    def __init__(self, hall: Hall, doors: Doors, passing: Passing, *, demo: bool = False) -> None:
        self.hall, self.doors, self.passing, self.demo = hall, doors, passing, demo
        self._protection: Final = Protection(doors, hall)
        self.metrics: Final = Metrics()
        self.requests: Final = Rates(per_second=50, burst=200)
        """By caller, or by address for strangers."""
        self.commands: Final = Rates(per_second=20, burst=60)
        self.replays: Final = Rates(per_second=1, burst=20)
        """Answers from long ago: each is found by reading the record again."""
        self.refused_before: Final = RefusedBefore()
        self.rebuilt: Final = RebuiltRounds()
        self.sockets: Final[Counter[str]] = Counter()
        """Open sockets by caller."""
        self.day_figures: Final = RunningFigures(hall.store)
        """What the gaming day has come to so far, table by table."""
        self._garbage: Final = GarbageRounds(busy=lambda: self.hall.turns.is_answering)
        self.leaving: Final = asyncio.Event()
        """The house closes: sockets are told."""
        self.stopping = False
        self.described = b""
        """The API described, once somebody has asked."""
        self._is_started = self._is_stopped = False
        self._set_up: tuple[Mapping[str, HouseTable], str, str] | None = None
        """The tables of the house, and its days, as they were last set up."""
        self._setting_up: Final = asyncio.Lock()

    async def caller(
        self, connection: ASGIConnection[Any, Any, Any, Any], *, token: str | None = None, acting: bool = True
    ) -> Caller:
        """Whoever sends a request, if they do not ask too often; `token` is what a form carries.

        A page that looks again by itself is not `acting`: whoever left it open may become idle.
        """
        place = place_of(connection.client.host if connection.client is not None else "")
        try:
            caller = await self.doors.caller(connection, token=token, acting=acting)
        except CroupierError:
            self.requests.take(place)  # whoever tries keys at the door is a stranger
            raise
        # Where nobody but this machine reaches the house, everybody who signs up has the same address.
        entering = not caller.id and self.doors.alone and str(connection.scope.get("method")) == "POST"
        self.requests.take(caller.id or place, _OF_MANY if entering else 1.0)
        connection.scope["state"]["caller_id"] = caller.id
        return caller

    @property
    def house(self) -> House:
        """The house's own record."""
        return self.doors.people.house

    def gaming_day(self) -> date:
        """The gaming day that it is in this house now."""
        state = self.house.state
        return gaming_day(self.doors.now(), state.time_zone, state.day_start)

    def table(self, name: str) -> Watched:
        """The table of this id; `NotFound` otherwise."""
        found = self.hall.find(name)
        if found is None and name in self.hall.plans:
            raise StoreError(f"table {name} could not be opened")
        if found is None:
            raise NotFound("there is no such table")
        return found

    def offers(self, caller: Caller, table: Watched) -> list[Offer]:
        """What a caller may do at a table now, in any of their roles."""
        return offers_to(caller, table, self.hall.time_of(table))

    # --- commands

    async def command(self, caller: Caller, name: str, body: dict[str, Any], key: str) -> dict[str, Any]:
        """What a command of a caller leads to at a table, as the caller may see it, wherever the table runs."""
        table = self.table(name)
        caller.must_be_somebody()
        self.commands.take(caller.id)
        for word in _TAKEN:
            if word in body:
                raise Malformed(f"{word}: the server knows this itself: leave it out")
        do = body.get("do")
        if not isinstance(do, str) or do not in COMMANDS:
            words = f"do: {clip(repr(do))} is not a command" if "do" in body else "do is missing"
            raise Malformed(f"{words}; `croupier table commands` lists them")
        person = caller.giving(table.table, do)
        if do in THROUGH_THE_HOUSE:
            cited = cited_duty(table.table.house, do)
            words = "a table's rules change through the house: an approved submission, proposed and confirmed there"
            raise RuleViolation("through_the_house", words, clause=cited.clause, reading=cited.reading)
        if do == "assign":
            self._check_assigned(table.table, body)
        if do == "hand_pay_award" and not await self.was_given(name, person, key):
            self._check_slip(table.table, body)
        async with self._protection.checked(table.table, person, do, body) as problem:
            if problem is not None and not await self.was_given(name, person, key):
                raise problem
            with self.metrics.command(do), self.hall.turns.answer() as turn:
                return await self._given(name, person, body, key or uuid4().hex, turn)

    async def command_once(self, caller: Caller, name: str, body: dict[str, Any], key: str) -> dict[str, Any]:
        """The same for programs: what was refused is refused again under its key, unless it was carried out since."""
        place = CommandPlace(caller.id, name, key)
        before = self.refused_before.find(place, body)
        if before is not None:
            person = caller.giving(self.table(name).table, str(body["do"]))
            if not await self.was_given(name, person, key):
                raise RefusedAgain(before)
        try:
            return await self.command(caller, name, body, key)
        except RuleViolation as refused:
            if status_of(refused) == 409:
                self.refused_before.keep(place, body, shown_refusal(refused))
            raise

    def _check_assigned(self, table: Table, body: Mapping[str, Any]) -> None:
        """Whoever is put on duty can sign in and may do the work: nobody else could go on with the table."""
        person = self.house.state.people.get(str(body.get("person", "")))
        post = "floorperson" if body.get("post") == "floorperson" else "dealer"
        roles = person.roles if person is not None and not person.suspended else ()
        if table_role(table.house, roles, "rule" if post == "floorperson" else "deal") is None:
            cited = cited_duty(table.house, "assign")
            words = f"name a {post} of this house who can sign in"
            raise RuleViolation(f"not_a_{post}", words, clause=cited.clause, reading=cited.reading)

    def _check_slip(self, table: Table, body: Mapping[str, Any]) -> None:
        """An award is paid with the slip that the cage made out for it, and with no other."""
        slips = self.house.state.floor.slips
        for award in open_awards(table):
            slip = slips.get((table.id, table.played + 1, award.seat))
            given = str(body.get("reference", "")).strip()
            if award.seat == body.get("seat") and slip and slip.amount == award.amount and given != slip.reference:
                cited = cited_duty(table.house, "hand_pay_award")
                words = f"the cage made out slip {slip.reference} for this award: give its number"
                raise RuleViolation("another_slip", words, clause=cited.clause, reading=cited.reading)

    async def was_given(self, name: str, person: Person, key: str) -> bool:
        """Whether this person gave a command with this key at this table: it is answered as it was then."""
        plan = self.hall.plans.get(name)
        return plan is not None and await was_given(self.hall.store, plan.stream, person, key)

    async def _given(
        self, name: str, person: Person, body: dict[str, Any], key: str, turn: Turn | None = None
    ) -> dict[str, Any]:
        """The answer of whoever runs the table; while it changes hands, the same command is given again."""
        clock = asyncio.get_running_loop().time
        until = clock() + _PATIENCE
        while True:
            table = self.table(name)
            try:
                if isinstance(table, LiveTable):
                    return await self.given(table, person, body, key, turn)
                return await self.passing.give(table, person, body, key)
            except Conflict:
                if clock() > until:
                    raise
            await asyncio.sleep(_PAUSE)

    async def given(
        self, table: LiveTable, person: Person, body: dict[str, Any], key: str, turn: Turn | None = None
    ) -> dict[str, Any]:
        """What a command leads to at a table that runs here; sent again with its key, what it led to then."""
        paused = self._paused(table.table, str(body.get("do")))
        if paused is not None and not await self.was_given(table.table.id, person, key):
            raise paused
        before = table.table.seq
        try:
            answer = await table.give(lambda now, at: read_command(now, at, person, body, key), turn)
        except RuleViolation as refused:
            refused.allowed = as_taken((offer for offer in refused.allowed if isinstance(offer, Offer)), person)
            raise refused.with_traceback(None) from None  # its frames would keep it, and the table of then
        last = answer.entries[-1].seq if answer.entries else before
        if last > before or last == table.table.seq:
            return answer.shown or shown_answer(table, answer.entries, person)
        self.replays.take(person.id)
        then = await table_at(self.hall.store, table.stored.stream, last)
        if then is None:
            return shown_answer(table, answer.entries, person)
        return {
            "version": then.seq,
            "entries": TableWriter().entries(answer.entries, person, then),
            "view": TableWriter().view(then, person),
        }

    def _paused(self, table: Table, do: str) -> RuleViolation | None:
        run = self.house.state.tables.get(table.id)
        return paused_problem(table, do, paused=run is not None and run.run == "paused")

    async def give_house(self, caller: Caller, command: HouseCommand, key: str) -> tuple[BookEntry, ...]:
        """Carry out a command of the house, and run the tables as it says."""
        caller.must_be_person()
        self.commands.take(caller.id)
        if isinstance(command, ClosePlay) and self._would_take(caller, command):
            await self._see_out(command.table)
        entries = await self.doors.give(caller, command, key)
        try:
            await self.set_up()
            if isinstance(command, HandOver):
                await self.hall.take_dealers_on()
        except CroupierError as error:  # the command is durable; the tables follow as soon as they can
            _LOG.warning("the tables could not be set up: %s", error)
        return entries

    def _would_take(self, caller: Caller, command: HouseCommand) -> bool:
        """Whether the house would take a command as it stands now; if not, the command itself says why."""
        request = HouseRequest(by=caller.id, at=self.doors.now(), command=command, factor=caller.factor)
        try:
            decide(self.house.state, request)
        except CroupierError:
            return False
        return True

    async def _see_out(self, name: str) -> None:
        """Before a table closes its players leave with their chips; where a person deals, that is theirs to see to."""
        found = self.hall.find(name)
        if found is None:
            return
        table, staff = found.table, self.hall.plans[name].staff
        if table.round is not None:
            raise RuleViolation("round_in_progress", "close a table between rounds", clause="")
        holders = (account.of for account, amount in table.books if account.kind == "chips" and amount > 0)
        players = dict.fromkeys([*(patron for _, patron in table.people.seats), *holders])
        if players and staff is None:
            words = f"still at the table: {', '.join(players)}; they stand up, or the dealer says so, before it closes"
            raise RuleViolation("players_seated", words, clause="")
        for player in players:
            dealer = Person("dealer", staff.dealer if staff is not None else "")
            await self._given(name, dealer, {"do": "stand_up", "patron": player}, uuid4().hex)

    # --- from start to stop

    async def set_up(self) -> None:
        """Run the tables that the house's record says are run."""
        async with self._setting_up:
            state = self.house.state
            wanted = (state.tables, state.time_zone, state.day_start)
            if wanted == self._set_up:
                return
            self._set_up = None
            await self.hall.set_up(plans_of(state))
            self._set_up = wanted

    def start(self) -> None:
        """Begin to keep house, and to hear what other processes record of the house."""
        if self._is_started:
            return
        self._is_started = True
        self.hall.start()
        self.hall.chores.every(1.0, "set-up", self.set_up)
        self.hall.chores.every(_TIDIED, "memory", self._tidy)
        self.hall.chores.every(_SWEPT, "sessions", lambda: self.doors.people.sweep(self.doors.now()))
        if self.hall.is_shared:
            self.hall.chores.always("house", lambda: self.house.follow(self._heard))

    async def _tidy(self) -> None:
        self._garbage.step()

    async def _heard(self) -> None:
        """Another process has recorded something of the house."""
        if self.house.state.people.keys() - self.doors.names.keys():
            await self.doors.read_names()
        await self.set_up()

    async def leave(self) -> None:
        """Tell whoever watches that the house closes, and wait for them."""
        self.stopping = True
        self.leaving.set()
        until = asyncio.get_running_loop().time() + _LEAVING
        while self.sockets and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110 - not worth an event
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        """Stop the tables; every round stays as it is."""
        if self._is_stopped:
            return
        self._is_stopped = self.stopping = True
        self.leaving.set()
        await self.hall.stop()
        await self.passing.close()
        self.doors.people.close()


def shown_answer(table: Watched, entries: Any, person: Person) -> dict[str, Any]:  # noqa: ANN401
    """The answer to a command."""
    version, shown = table.recorded(person)
    return {"version": version, "entries": table.shown_entries(entries, person), "view": shown}


def read_command(table: Table, at: datetime, person: Person, body: dict[str, Any], key: str) -> Request:
    """A command as a table takes it."""
    by = {"role": person.role, "id": person.id}
    if person.role == "player" and body.get("do") == "stand_up":
        body = {"patron": person.id, **body}  # nobody else stands up for them
    return read_request({**body, "by": by, "at": at.isoformat(), "key": key}, table.house)
