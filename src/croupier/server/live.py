"""One live table: commands are judged, stored, and only then shown to whoever watches.

It is one actor: a command, or a step of the clock, begins when the one before is stored, with the time and the table
that it meets then. Whoever gave a command may leave meanwhile; it is carried out and shown all the same.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec

from croupier.driver import Outcome, Staff
from croupier.errors import Conflict, CroupierError, RuleViolation, StoreError
from croupier.ledger import Author
from croupier.money import Cents
from croupier.server.pace import Pace, bets_close, next_due, time_ends
from croupier.server.turns import Turn, Turns
from croupier.server.watching import RECENT, Watched, now
from croupier.store import Cage, Meanwhile, StoredTable
from croupier.table import Entry, Person, Request, Table
from croupier.table.commands import BuyIn, StandUp

__all__ = ["Answer", "LiveTable", "Watched", "now"]

_LOG: Final = logging.getLogger("croupier.server")
_REFUSED: Final = 5.0
"""Seconds until the clock tries again what the rules did not allow, if nothing else happens before."""
_FAILED: Final = (0.5, 1.0, 2.0, 5.0)
"""Seconds until the clock tries again what failed."""
_REST: Final = 30.0
_AT_ONCE: Final = 0.01
"""Seconds between two steps of the clock: whatever goes wrong, it does not take the whole processor."""
_GRACE: Final = 8.0
"""Seconds that a command has to be stored when the table stops."""


class Answer(NamedTuple):
    """What a command led to."""

    entries: Sequence[Entry]
    table: Table
    shown: dict[str, Any] | None = None
    """The same as it is shown to whoever gave the command, if it was written while it was stored."""


class LiveTable(Watched):
    """A table that this process runs: one command after the other, and the clock of the automatic dealer."""

    def __init__(
        self,
        stored: StoredTable,
        cage: Cage,
        *,
        automatic: Staff | None = None,
        pace: Pace = Pace(),  # noqa: B008 - frozen
        clock: Callable[[], datetime] = now,
        play_chips: bool = False,
        virtual: bool = True,
        turns: Turns | None = None,
    ) -> None:
        super().__init__(turns)
        self.stored: Final = stored
        self._cage, self._automatic, self._pace, self._clock = cage, automatic, pace, clock
        self._play_chips, self._virtual = play_chips, virtual
        self._lock: Final = asyncio.Lock()
        self._moved: Final = asyncio.Event()
        self._stopping: Final = asyncio.Event()
        self._leaving = False
        self._given: Final[set[asyncio.Task[Answer]]] = set()
        self._heard: Final[dict[str, datetime]] = {}
        """When each player last gave a command here."""
        self._since: datetime | None = None
        """From when on the automatic staff deal here."""
        self._task: asyncio.Task[None] | None = None
        self.told = stored.table.seq
        self.failure = ""
        """What keeps the table from going on by itself, if anything does."""

    @property
    def table(self) -> Table:
        """The table as it is stored."""
        return self.stored.table

    # --- commands

    async def give(self, read: Callable[[Table, datetime], Request], turn: Turn | None = None) -> Answer:
        """Carry out a command and show what came of it; `read` makes it for the table and the time that it meets.

        Its turn among the commands of all tables begins here, if it has one. `Conflict` if the table is run elsewhere
        by now.
        """
        task = asyncio.create_task(self._give(read, turn))
        self._given.add(task)
        task.add_done_callback(self._is_given)
        try:
            return await asyncio.shield(task)
        finally:
            del task  # an error knows this frame, and the task knows the error: they would keep each other

    def _is_given(self, task: asyncio.Task[Answer]) -> None:
        self._given.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked has it, or has left

    async def _give(self, read: Callable[[Table, datetime], Request], turn: Turn | None) -> Answer:
        async with self._lock:
            if self._leaving:
                raise Conflict(f"{self.stored.stream}: it is run elsewhere now")
            written: list[tuple[Table, dict[str, Any]]] = []
            try:
                await self._refresh()
                if self.table.round is None:
                    await self._look_after_cards()
                if turn is not None:
                    await turn.begin()
                request = read(self.table, self._time())
                if turn is not None and isinstance(request.command, BuyIn | StandUp):
                    turn.end()  # the cage has a record of its own to wait for

                def meanwhile(outcome: Outcome | None, is_durable: bool) -> None:  # noqa: FBT001 - as the store calls it
                    if outcome is not None:
                        self._write(outcome, request.by, written)
                    if turn is not None and not is_durable:
                        turn.end()  # others go on while the disk works

                entries = await self._handled(request, meanwhile)
            except StoreError:
                self._moved.set()  # the clock reads again what is stored
                raise
            self._note_player(request)
            await self._tell(entries)
            self._turns.wake([self._look_again])
            shown = next((shown for table, shown in written if table is self.table), None)
            return Answer(entries, self.table, shown)

    async def _look_after_cards(self) -> None:
        """Let the staff finish after a round: whoever has seen its results may bet at once."""
        try:
            await self._do_due()
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - the clock tries it again, and the command is judged as it is
            self._note(error)

    def _look_again(self) -> bool:
        """Let the clock see what is due now: like views, it comes after answers."""
        self._moved.set()
        return True

    def _write(self, outcome: Outcome, by: Person, written: list[tuple[Table, dict[str, Any]]]) -> None:
        """Write the answer while it is being stored; it leaves afterward, unless that fails."""
        table = outcome.table
        with suppress(Exception):  # whoever asks for it afterward hears what is wrong
            entries, view = self._writer.entries(outcome.entries, by, table), self._writer.view(table, by)
            written.append((table, {"version": table.seq, "entries": entries, "view": view}))

    def _note_player(self, request: Request) -> None:
        if request.by.role == "player":
            seated = {patron for _, patron in self.table.people.seats}
            for patron in self._heard.keys() - seated:
                del self._heard[patron]
            self._heard[request.by.id] = request.at

    async def _refresh(self) -> None:
        """Read the record again after a failure, and show whatever was stored without anybody being told."""
        await self.stored.refresh()
        await self._tell(())

    async def _tell(self, entries: Sequence[Entry]) -> None:
        """Show what is stored by now; these entries are the last of it, if they are not older."""
        seq = self.table.seq
        if seq == self.told:
            return
        if not entries or (entries[0].seq, entries[-1].seq) != (self.told + 1, seq):
            entries = await self.stored.entries_after(max(self.told, seq - RECENT))
        self.changed(entries)

    async def _handled(self, request: Request, meanwhile: Meanwhile | None = None) -> list[Entry]:
        """A player's chips come from the cage and go there; at a table everything else is the table's own.

        From a virtual table they go there whoever says that the player leaves: nobody can carry them away.
        """
        if request.by.role == "player" and isinstance(request.command, BuyIn):
            brought = msgspec.structs.replace(request.command, brought=True)
            buying = msgspec.structs.replace(request, command=brought)
            try:
                return await self._cage.buy_in(self.stored, buying)
            except RuleViolation as refused:
                if refused.code != "short_account" or not self._play_chips:
                    raise  # nothing is given for what the table does not allow
            await self._top_up(request.by.id, brought.amount, request.at)
            return await self._cage.buy_in(self.stored, buying)
        if isinstance(request.command, StandUp) and (self._virtual or request.by.role == "player"):
            return await self._cage.cash_out(self.stored, request)
        return await self.stored.handle(request, meanwhile=meanwhile)

    async def _top_up(self, patron: str, amount: Cents, at: datetime) -> None:
        """In a demo chips are free: the cage gives what is missing."""
        missing = Cents(amount - await self._cage.balance(patron))
        if missing > 0:
            given = Author("device", "play chips")
            await self._cage.deposit(patron, missing, by=given, at=at, reference="play chips")

    def _time(self) -> datetime:
        """Now; a table's clock never goes back, whatever the machine's does."""
        at, clock = self._clock(), self.table.clock
        return at if clock is None else max(at, clock)

    def closes(self) -> datetime | None:
        """When the clock closes the bets, or a player's time is over; None where the record alone says it."""
        state, asked = self.table.round, self.table.asked_at
        if self._automatic is None or state is None:
            return None
        if state.at.kind != "wagers":
            is_later = asked is not None and self._since is not None and asked < self._since
            return time_ends(self.table, self._since) if is_later else None
        return bets_close(self.table, self._time(), self._pace, self._heard)

    # --- the clock

    def start(self) -> None:
        """Let the clock run: the automatic dealer's, if this table has one, and whatever a failure left to be done."""
        if self._task is None:
            self._since = self._time()
            self._task = asyncio.create_task(self._run(), name=f"clock of {self.stored.stream}")

    def stop_clock(self) -> None:
        """Stop the clock alone, for whoever moves it by hand."""
        if self._task is not None:
            self._task.cancel()

    def deal(self, automatic: Staff | None, pace: Pace) -> None:
        """Let somebody else deal from now on, or at another pace."""
        if self._automatic is None:
            self._since = self._time()  # nobody counted before
        self._automatic, self._pace = automatic, pace
        self.stored.deal_by(automatic)
        self._moved.set()

    async def leave(self) -> bool:
        """Take no command any more, so that another process can go on; not while a round is in play."""
        async with self._lock:
            if self.table.round is not None or self.stored.is_unborn:
                return False
            self._leaving = True
        await self.stop()
        return True

    async def stop(self) -> None:
        """Stop the clock, and take no command any more. What is being stored is stored; the round stays as it is."""
        self._leaving = True
        self._stopping.set()
        self._moved.set()
        work: set[asyncio.Task[Answer] | asyncio.Task[None]] = {*self._given}
        if self._task is not None:
            work.add(self._task)
        if work:
            _, late = await asyncio.wait(work, timeout=_GRACE)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._task = None
        self.stored.give_up()

    async def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            self._moved.clear()
            try:
                wait = await self._tick()
            except Exception as error:  # noqa: BLE001 - a clock that stops would stop the table
                self._note(error)
                await _waited(self._stopping, _FAILED[min(failures, len(_FAILED) - 1)])
                failures += 1
                continue
            if self.failure:
                _LOG.warning("%s: all is well again", self.stored.stream)
                self.failure, failures = "", 0
            await _waited(self._moved, max(wait, _AT_ONCE))

    def _note(self, error: Exception) -> None:
        words = str(error) if isinstance(error, CroupierError) else type(error).__name__
        if words != self.failure:
            level = logging.WARNING if isinstance(error, StoreError) else logging.ERROR
            trace = None if isinstance(error, CroupierError) else error
            _LOG.log(level, "%s: the clock failed: %s", self.stored.stream, words, exc_info=trace)
        self.failure = words

    async def _tick(self) -> float:
        """Do what is due; returns the seconds until something else may be."""
        async with self._lock:
            if self._stopping.is_set():
                return 0.0
            await self._refresh()
            return await self._do_due()

    async def _do_due(self) -> float:
        """Let the automatic staff do what is due; returns the seconds until something else may be."""
        staff = self._automatic
        if staff is None:
            return _REST
        at = self._time()
        due = next_due(self.table, at, self._pace, staff, heard=self._heard, since=self._since)
        if due.request is None or due.at > at:
            return max((due.at - at).total_seconds(), _AT_ONCE)
        try:
            entries = await self._handled(msgspec.structs.replace(due.request, at=at))
        except RuleViolation as refused:
            _LOG.info("%s: the staff were refused: %s", self.stored.stream, refused)
            return _REFUSED
        await self._tell(entries)
        return 0.0


async def _waited(event: asyncio.Event, seconds: float) -> None:
    """Wait for something, but not for longer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
