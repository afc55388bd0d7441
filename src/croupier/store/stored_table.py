"""A table with a store behind it: a command is decided, stored durably, and only then has happened.

A command with a key is carried out once, however often it is sent: the second time it is answered by what it led to.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from msgspec.structs import replace

from croupier.driver import CardSource, Outcome, Staff, TableRunner
from croupier.errors import (
    BrokenRecord,
    CommitFailed,
    Conflict,
    Duplicate,
    Overdrawn,
    RuleViolation,
    Shredded,
    StoreError,
)
from croupier.fairness import Sealed, unwrap
from croupier.games import events as round_events
from croupier.journal import DataKey, chain_hash, first_hash, read_line
from croupier.ledger import BookEvent, round_line
from croupier.rulebook import Archive
from croupier.store.book import TRIES, Book, BookPage, joined, step_aside
from croupier.store.laws import LawShelf
from croupier.store.links import Link, check_proposal
from croupier.store.reading import entry_of
from croupier.store.rows import command_of, current_round, gathered, giver_of, is_first_bet, round_rows, table_append
from croupier.store.snapshots import newest_snapshot, snapshot_row
from croupier.store.store import Store
from croupier.store.values import Claim, Command, Rows, StoredLine
from croupier.table import Entry, Person, Request, Table, create, creation, postings, rebuild
from croupier.table.commands import ProposeRules

__all__ = ["OPERATOR", "MakeSource", "Meanwhile", "StoredTable", "was_given"]

SNAPSHOT_EVERY: Final = 1_000
"""Entries between two snapshots, at least."""
_REMEMBERED: Final = 1_000
OPERATOR: Final = Person("operator", "operator")
Beside: TypeAlias = tuple[Book, Callable[[Outcome], Sequence[BookEvent]]]
"""Another book, and what a command at a table adds to it: stored together."""
Meanwhile: TypeAlias = Callable[[Outcome | None, bool], None]
"""What is done with an outcome while it is being stored: unless it is said to be durable, it may never happen.

It is called without one before a command waits for anything else.
"""
MakeSource = Callable[[Sequence[str]], CardSource]
"""A source of cards for a table that has used these commitments already."""


class StoredTable:
    """One table in a store, and the right to write its record."""

    def __init__(
        self,
        store: Store,
        stream: str,
        source: MakeSource,
        *,
        automatic: Staff | None = None,
        seconds: float = 0,
        reads_shuffles: bool = False,
    ) -> None:
        self.store: Final = store
        self.stream: Final = stream
        self._make_source: Final = source
        self._automatic = automatic
        self._seconds: Final = seconds
        self._reads_shuffles: Final = reads_shuffles
        self._lock: Final = asyncio.Lock()
        self._laws: Final = LawShelf()
        self._runner: TableRunner | None = None
        self._claim = Claim(stream, 0, 0, first_hash(stream))
        self._generation = -1
        self._answered: OrderedDict[Command, tuple[int, int]] = OrderedDict()
        self._round: list[Entry] = []
        """The entries of the round in play."""
        self._before: tuple[Table, bytes] | None = None
        """The table before the round in play, and the hash of its last line."""
        self._snapshot = 0
        """The entry that the last snapshot stands at."""
        self._shredded = 0
        """The last entry that was read and whose cards nobody can open any more."""
        self._given_up = False
        self._unborn: Person | None = None
        """Who creates the table, as long as it has no record."""
        self.link: Link | None = None
        """The link that the table's meters belong to, if any."""

    @property
    def table(self) -> Table:
        """The table as it is stored."""
        return self._running.table

    @property
    def is_unborn(self) -> bool:
        """Whether the table has no record yet."""
        return self._unborn is not None

    @property
    def stopped(self) -> Exception | None:
        """Why the automatic staff stopped, unless a refusal stopped them."""
        return self._running.stopped

    @property
    def round_entries(self) -> Sequence[Entry]:
        """The entries of the round in play."""
        return tuple(self._round)

    @property
    def _running(self) -> TableRunner:
        if self._runner is None:
            raise StoreError(f"{self.stream}: it has not been loaded")
        return self._runner

    # --- reading

    async def load(self) -> bool:
        """Claim the stream and rebuild the table from its record; False if there is none yet."""
        if self._given_up:
            raise Conflict(f"{self.stream}: another process runs this table")
        if not self.store.can_deal:
            await self.store.data_key("")  # says what is missing
        generation, self._generation = self.store.generation, -1  # until all of it is read
        claims = await self.store.claim([self.stream], seconds=self._seconds)
        if not claims:
            raise Conflict(f"{self.stream}: another process runs this table")
        self._claim = claims[0]
        self._answered.clear()
        await self._laws.read(self.store)
        if self._claim.seq == 0:
            self._generation = generation
            return False
        found = await newest_snapshot(self.store, self.stream, Archive(self._laws))
        table, head = found if found is not None else (None, first_hash(self.stream))
        self._snapshot = table.seq if table is not None else 0
        lines = await self.store.load(self.stream, after=table.seq if table is not None else 0)
        entries = await self._entries(lines, head)
        table = rebuild(table, entries, Archive(self._laws))
        self._round = current_round(entries, table.played + 1) if table.round is not None else []
        if self._round and self._round[0].seq <= self._shredded:
            raise Shredded(f"{self.stream}: the key to the cards of the round in play has been destroyed")
        self._before = None
        await self._run(table)
        self._generation = generation
        return True

    async def _entries(self, lines: Sequence[StoredLine], head: bytes) -> list[Entry]:
        entries = []
        for stored in lines:
            head = chain_hash(head, stored.line)
            if head != stored.hash:
                raise BrokenRecord(f"{self.stream}, entry {stored.seq}: the chain does not hold")
            entries.append(await self._entry(stored))
        if head != self._claim.hash:
            raise BrokenRecord(f"{self.stream}: its last entries are missing")
        return entries

    async def _entry(self, stored: StoredLine) -> Entry:
        entry, is_open = await entry_of(self.store, stored)
        if not is_open:
            self._shredded = max(self._shredded, stored.seq)
        return entry

    async def _run(self, table: Table) -> None:
        """Go on with a table that was read, and the seeds that it still needs."""
        self._runner = TableRunner(table, self._make_source(await self._used()), automatic=self._automatic)
        kept = "select commitment, sealed, key from secret where stream = $1"
        seeds: list[Sealed] = [
            unwrap(bytes(sealed), commitment, await self.store.cipher(key))
            for commitment, sealed, key in await self.store.read(kept, self.stream)
        ]
        self._runner.accept(Outcome(table, (), tuple(seeds)))

    async def _used(self) -> list[str]:
        """The commitments of all shuffles so far, for a source that must not draw one again."""
        if not self._reads_shuffles:
            return []
        used = "select line from event where stream = $1 and name = 'deck_shuffled/1'"
        shuffles = [read_line(bytes(row[0])).event for row in await self.store.read(used, self.stream)]
        return [getattr(event, "commitment", "") for event in shuffles]

    async def refresh(self) -> None:
        """Read the record again if something failed since it was read."""
        async with self._lock:
            await self._refresh()

    async def _refresh(self) -> None:
        if self._generation != self.store.generation and await self.load():
            self._unborn = None

    async def entries_after(self, seq: int) -> list[Entry]:
        """The entries after this one, as they are stored."""
        return [await self._entry(line) for line in await self.store.load(self.stream, after=seq, until=self.table.seq)]

    async def is_stored(self, request: Request) -> bool:
        """Whether this command, by its key, was carried out before."""
        return bool(request.key) and await self.store.stored(command_of(self.stream, request)) is not None

    def give_up(self) -> None:
        """Never claim the stream again: somebody else runs the table now."""
        self._given_up = True

    def deal_by(self, automatic: Staff | None) -> None:
        """Let the automatic staff deal from now on, or nobody but people."""
        self._automatic = self._running.automatic = automatic

    # --- writing

    def begin_with(self, table: Table, by: Person = OPERATOR) -> None:
        """A table that has no record yet: its first command creates it."""
        self._unborn = by
        self._runner = TableRunner(table, self._make_source(()), automatic=self._automatic)

    async def create(self, by: Person, at: datetime) -> None:
        """Begin the record of a new table."""
        table = self._running.table
        entry = creation(table, by, at)
        self._laws.put_house(table.submission, table.house)
        table = create(entry, Archive(self._laws))
        await self._run(table)
        if self.link is not None:
            await self.link.join(table, at)  # before there is a table, in case that is refused
        moves = (postings(table, entry.event),)
        await self._store(Outcome(table, (entry,), moves=moves), None)
        self._unborn = None

    async def handle(
        self, request: Request, *, beside: Beside | None = None, meanwhile: Meanwhile | None = None
    ) -> list[Entry]:
        """All entries that a command leads to, once they are durable; the same key gives the first answer again.

        What it moves on a link, and what `beside` adds to another book, is stored with it or not at all.
        """
        async with self._lock:
            command = command_of(self.stream, request) if request.key else None
            for attempt in range(TRIES):
                await self._refresh()
                if command is not None and command in self._answered:
                    _waits(meanwhile)
                    return await self._again(*self._answered[command])
                try:
                    if self._unborn is not None:
                        await self.create(self._unborn, request.at)
                    return await self._carry_out(request, command, beside, meanwhile)
                except (RuleViolation, Duplicate, Overdrawn):
                    _waits(meanwhile)
                    if command is not None and (first := await self.store.stored(command)) is not None:
                        return await self._again(*first)
                    raise
                except Conflict:
                    self._generation = -1  # what is stored has to be read again before anything else is decided
                    if not self._books(beside):
                        raise
                    await step_aside(attempt)  # a table of another process may have moved the meter: decide again
                except (CommitFailed, asyncio.CancelledError):
                    self._generation = -1
                    raise
        raise Conflict(f"{self.stream}: other processes were first {TRIES} times")

    def _books(self, beside: Beside | None) -> list[Book]:
        """The other books that a command may write to, in the order in which everybody locks them."""
        books = [self.link.book] if self.link is not None else []
        return sorted([*books, beside[0]] if beside is not None else books, key=lambda book: book.stream)

    async def _carry_out(
        self, request: Request, command: Command | None, beside: Beside | None, meanwhile: Meanwhile | None
    ) -> list[Entry]:
        if self.link is None and beside is None:
            outcome = self._decide(request)
            await self._store(outcome, command, meanwhile=meanwhile)
            return list(outcome.entries)
        books = self._books(beside)
        if any(book.lock.locked() or book.is_stale for book in books):
            _waits(meanwhile)
        async with AsyncExitStack() as locks:
            for book in books:
                await locks.enter_async_context(book.lock)
                if book.is_stale:
                    await (self.link.reload() if self.link is not None and book is self.link.book else book.catch_up())
            try:
                outcome = self._decide(request)
                added = self._added(outcome, beside)
                pages = [book.page(events, by=request.by, at=request.at) for book, events in added if events]
                await self._store(outcome, command, pages, meanwhile)
            except (CommitFailed, Conflict, asyncio.CancelledError):
                for book in books:
                    book.forget()
                raise
            for page, (book, events) in zip(pages, [addition for addition in added if addition[1]], strict=True):
                book.accept(page)
                if self.link is not None and book is self.link.book:
                    self.link.accept(events)
            return list(outcome.entries)

    def _decide(self, request: Request) -> Outcome:
        """The result of a command; where a winner's turn comes, the link says what its meter shows."""
        if isinstance(request.command, ProposeRules):
            outcome = self._running.decide(request)
            if outcome.table.proposal is not None:
                check_proposal(self.table.house, outcome.table.proposal.house)
            return outcome
        if self.link is None:
            return self._running.decide(request)
        return self.link.decide(self._running, request, automatic=self._automatic is not None)

    def _added(self, outcome: Outcome, beside: Beside | None) -> list[tuple[Book, Sequence[BookEvent]]]:
        added: list[tuple[Book, Sequence[BookEvent]]] = []
        if self.link is not None:
            added.append((self.link.book, self.link.moves(outcome)))
        if beside is not None:
            added.append((beside[0], beside[1](outcome)))
        return added

    async def _again(self, first: int, last: int) -> list[Entry]:
        return [await self._entry(line) for line in await self.store.load(self.stream, after=first - 1, until=last)]

    async def _store(
        self,
        outcome: Outcome,
        command: Command | None,
        pages: Sequence[BookPage] = (),
        meanwhile: Meanwhile | None = None,
    ) -> None:
        if self._running.table.round is None and is_first_bet(outcome):
            self._before = (self._running.table, self._claim.hash)
        day = str(outcome.table.gaming_day or outcome.entries[-1].at.date())
        key, cipher = self.store.data_keys.get(day) or await self.store.data_key(day)
        append = table_append(outcome, self._claim, day=day, key=key, cipher=cipher, command=command)
        in_play = self._close_rounds(append.rows, outcome, key, cipher)
        if laws := self._new_laws(outcome):
            append = replace(append, laws=laws)
        work = partial(meanwhile, outcome) if meanwhile is not None else None
        await self.store.append(joined(append, pages) if pages else append, work)
        if laws:
            self._laws.stored()
        head = append.heads[0]
        self._claim = Claim(head.stream, head.epoch, head.seq, head.hash)
        self._round = in_play
        self._running.accept(outcome)
        for row in append.rows.get("snapshot", ()):
            self._snapshot = row[1]
        if command is not None:
            self._answered[command] = (head.after + 1, head.seq)
            if len(self._answered) > _REMEMBERED:
                self._answered.popitem(last=False)

    def _close_rounds(self, rows: Rows, outcome: Outcome, key: int, cipher: DataKey) -> list[Entry]:
        """A row for each round that is closed, now and then a snapshot; returns the entries of the round in play."""
        entries = self._round
        for entry in outcome.entries:
            entries = gathered(entries, entry)
            if not isinstance(entry.event, round_events.RoundClosed):
                continue
            line, entries = round_line(entries), []
            round_row, seats = round_rows(line)
            rows.setdefault("round", []).append(round_row)
            rows.setdefault("played", []).extend(seats)
            if self._before is None or line.last - self._snapshot < SNAPSHOT_EVERY:
                continue
            table, head = self._before
            row = snapshot_row(table, head, key, cipher) if table.seq == line.first - 1 else None
            if row is not None:
                rows["snapshot"] = [row]
        return entries if outcome.table.round is not None else []  # bets that were all taken back were no round

    def _new_laws(self, outcome: Outcome) -> tuple[tuple[str, str], ...]:
        """The law behind rules that are new to the store."""
        before, after = self.table, outcome.table
        if after.house is not before.house:
            self._laws.put_house(after.submission, after.house)
        if after.proposal is not None and after.proposal is not before.proposal:
            self._laws.put_house(after.proposal.submission, after.proposal.house)
        return self._laws.new


def _waits(meanwhile: Meanwhile | None) -> None:
    if meanwhile is not None:
        meanwhile(None, False)  # noqa: FBT003 - nothing is durable


async def was_given(store: Store, stream: str, person: Person, key: str) -> bool:
    """Whether somebody's command with this key was carried out before: it is answered as it was then."""
    find = "select 1 from command where stream = $1 and giver = $2 and key = $3"
    return bool(key) and bool(await store.read(find, stream, giver_of(person), key))
