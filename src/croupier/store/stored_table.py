"""A table with a store behind it: a command is decided, stored durably, and only then has happened.

A command with a key is carried out once, however often it is sent: the second time it is answered by what it led to.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from croupier.driver import CardSource, Outcome, Staff, TableRunner
from croupier.errors import BrokenRecord, CommitFailed, Conflict, Duplicate, RulesMismatch, RuleViolation, StoreError
from croupier.fairness import Sealed, unwrap
from croupier.games import events as round_events
from croupier.journal import (
    SNAPSHOT_VERSION,
    DataKey,
    chain_hash,
    first_hash,
    micros,
    open_entry,
    read_line,
    read_snapshot,
    seal_entry,
    write_line,
    write_snapshot,
)
from croupier.ledger import LedgerAccount, account_of, round_line, totals_of
from croupier.rulebook import Archive, HouseRules, Submission
from croupier.store.laws import LawShelf
from croupier.store.store import Store
from croupier.store.values import Append, Claim, Command, HeadMove, Row, Rows, StoredLine
from croupier.table import Entry, Person, Posting, Request, Table, create, creation, postings, rebuild, stream_of
from croupier.table.events import MethodChanged, RulesProposed

__all__ = ["StoredTable", "open_table"]

SNAPSHOT_EVERY: Final = 1_000
"""Entries between two snapshots, at least."""
_REMEMBERED: Final = 1_000
MakeSource = Callable[[Sequence[str]], CardSource]
"""A source of cards for a table that has used these commitments already."""


async def open_table(
    store: Store,
    table: Table,
    source: MakeSource,
    *,
    by: Person,
    at: datetime,
    automatic: Staff | None = None,
    seconds: float | None = None,
) -> StoredTable:
    """The stored table of this id, which goes on where it stopped; a new one is created as given.

    The rules must be the ones that the stored table plays under: `RulesMismatch` otherwise.
    """
    stored = StoredTable(store, stream_of(table), source, automatic=automatic, seconds=seconds)
    if not await stored.load():
        await stored.create(table, by, at)
    elif stored.table.house.hash != table.house.hash:
        raise RulesMismatch(
            f"table {table.id} plays under other rules in this store ({stored.table.house.hash[:12]}…, here"
            f" {table.house.hash[:12]}…): give it another id, or change its rules at the table"
        )
    return stored


class StoredTable:
    """One table in a store, and the right to write its record."""

    def __init__(
        self,
        store: Store,
        stream: str,
        source: MakeSource,
        *,
        automatic: Staff | None = None,
        seconds: float | None = None,
    ) -> None:
        self.store: Final = store
        self.stream: Final = stream
        self._make_source: Final = source
        self._automatic: Final = automatic
        self._seconds: Final = seconds
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

    @property
    def table(self) -> Table:
        """The table as it is stored."""
        return self._running.table

    @property
    def stopped(self) -> Exception | None:
        """Why the automatic staff stopped, unless a refusal stopped them."""
        return self._running.stopped

    @property
    def _running(self) -> TableRunner:
        if self._runner is None:
            raise StoreError(f"{self.stream}: it has not been loaded")
        return self._runner

    # --- reading

    async def load(self) -> bool:
        """Claim the stream and rebuild the table from its record; False if there is none yet."""
        if not self.store.can_deal:
            await self.store.data_key("")  # says what is missing
        claims = await self.store.claim([self.stream], seconds=self._seconds)
        if not claims:
            raise Conflict(f"{self.stream}: another process runs this table")
        self._claim, self._generation = claims[0], self.store.generation
        self._answered.clear()
        if self._claim.seq == 0:
            return False
        await self._laws.read(self.store)
        table, entries = await self._snapshot_table()
        lines = await self.store.load(self.stream, after=table.seq if table is not None else 0)
        entries = await self._entries(lines, entries)
        table = rebuild(table, entries, Archive(self._laws))
        self._find_round(table, entries)
        await self._run(table)
        return True

    async def _snapshot_table(self) -> tuple[Table | None, bytes]:
        """The newest snapshot that fits the record, and the hash of the line that it stands at."""
        rows = await self.store.read(
            "select seq, state, hash from snapshot where stream = $1 and version = $2 order by seq desc",
            self.stream,
            SNAPSHOT_VERSION,
        )
        for seq, state, hash_ in rows:
            line = await self.store.load(self.stream, after=seq - 1, until=seq)
            if line and bytes(line[0].hash) == bytes(hash_):
                try:
                    table = read_snapshot(bytes(state), Archive(self._laws))
                except (BrokenRecord, RulesMismatch):
                    continue
                self._snapshot = seq
                return table, bytes(hash_)
        return None, first_hash(self.stream)

    async def _entries(self, lines: Sequence[StoredLine], head: bytes) -> list[Entry]:
        entries = []
        for stored in lines:
            head = chain_hash(head, stored.line)
            if head != stored.hash:
                raise BrokenRecord(f"{self.stream}, entry {stored.seq}: the chain does not hold")
            entry = read_line(stored.line)
            if stored.key is not None:
                entry = open_entry(entry, stored.sealed, await self.store.cipher(stored.key))
            entries.append(entry)
        if head != self._claim.hash:
            raise BrokenRecord(f"{self.stream}: its last entries are missing")
        return entries

    async def _run(self, table: Table) -> None:
        """Go on with a table that was read, and the seeds that it still needs."""
        used = "select line from event where stream = $1 and name = 'deck_shuffled/1'"
        shuffles = [read_line(bytes(row[0])).event for row in await self.store.read(used, self.stream)]
        source = self._make_source([getattr(event, "commitment", "") for event in shuffles])
        self._runner = TableRunner(table, source, automatic=self._automatic)
        kept = "select commitment, sealed, key from secret where stream = $1"
        seeds: list[Sealed] = [
            unwrap(bytes(sealed), commitment, await self.store.cipher(key))
            for commitment, sealed, key in await self.store.read(kept, self.stream)
        ]
        self._runner.accept(Outcome(table, (), tuple(seeds)))

    def _find_round(self, table: Table, entries: Sequence[Entry]) -> None:
        """Gather the entries of the round in play."""
        self._round, self._before = [], None
        if table.round is not None:
            self._round = [entry for entry in entries if entry.round == table.played + 1]
            # Bets that were all taken back leave entries with the number of the round that came after.
            first = max(place for place, entry in enumerate(self._round) if _opens(entry, self._round[:place]))
            self._round = self._round[first:]

    # --- writing

    async def create(self, table: Table, by: Person, at: datetime) -> None:
        """Begin the record of a new table."""
        entry = creation(table, by, at)
        self._laws.put_house(table.submission, table.house)
        table = create(entry, Archive(self._laws))
        await self._run(table)
        moves = (postings(table, entry.event),)
        await self._store(Outcome(table, (entry,), moves=moves), None)

    async def handle(self, request: Request) -> list[Entry]:
        """All entries that a command leads to, once they are durable; the same key gives the first answer again."""
        async with self._lock:
            if self._generation != self.store.generation:
                await self.load()
            command = _command(self.stream, request) if request.key else None
            if command is not None and command in self._answered:
                return await self._again(*self._answered[command])
            try:
                outcome = self._running.decide(request)
                await self._store(outcome, command)
            except (RuleViolation, Duplicate):
                if command is not None and (first := await self.store.stored(command)) is not None:
                    return await self._again(*first)
                raise
            except (CommitFailed, Conflict):
                self._generation = -1  # what is stored has to be read again before anything else is decided
                raise
            return list(outcome.entries)

    async def _again(self, first: int, last: int) -> list[Entry]:
        return [read_line(line.line) for line in await self.store.load(self.stream, after=first - 1, until=last)]

    async def _store(self, outcome: Outcome, command: Command | None) -> None:
        if self._running.table.round is None and _is_first_bet(outcome):
            self._before = (self._running.table, self._claim.hash)
        day = str(outcome.table.gaming_day or outcome.entries[-1].at.date())
        key, cipher = await self.store.data_key(day)
        append, seq, head, gathered = self._append(outcome, command, day, key, cipher)
        await self.store.append(append)
        self._claim = self._claim._replace(seq=seq, hash=head)
        self._round = gathered
        self._running.accept(outcome)
        for row in append.rows.get("snapshot", ()):
            self._snapshot = row[1]
        if command is not None:
            self._answered[command] = (append.heads[0].after + 1, seq)
            if len(self._answered) > _REMEMBERED:
                self._answered.popitem(last=False)

    def _append(
        self, outcome: Outcome, command: Command | None, day: str, key: int, cipher: DataKey
    ) -> tuple[Append, int, bytes, list[Entry]]:
        head, events, gathered = self._claim.hash, [], self._round
        rows: Rows = {}
        for entry in outcome.entries:
            line, sealed = write_line(entry), seal_entry(entry, cipher)
            head = chain_hash(head, line)
            events.append(
                (
                    self.stream, entry.seq, entry.name, micros(entry.at), entry.round,
                    line, sealed, key if sealed is not None else None, head,
                )
            )  # fmt: skip
            gathered = _gather(gathered, entry)
            if isinstance(entry.event, round_events.RoundClosed):
                self._close_round(rows, gathered)
                gathered = []
        rows["event"] = events
        rows["posting"], accounts, moves = _posted(self.stream, outcome)
        if outcome.secrets:
            rows["secret"] = [(seed.commitment, self.stream, seed.wrap(cipher), key) for seed in outcome.secrets]
        seq = outcome.entries[-1].seq
        append = Append(
            heads=(HeadMove(self.stream, self._claim.epoch, self._claim.seq, seq, head),),
            rows=rows,
            accounts=accounts,
            moves=moves,
            totals=tuple(
                (self.stream, day, name, amount)
                for entry, moved in zip(outcome.entries, outcome.moves, strict=True)
                for name, amount in totals_of(entry.event, moved)
                if amount
            ),
            spent=outcome.spent,
            laws=self._new_laws(outcome),
            command=command,
        )
        return append, seq, head, gathered if outcome.table.round is not None else []

    def _close_round(self, rows: Rows, entries: list[Entry]) -> None:
        line = round_line(entries)
        rows.setdefault("round", []).append(
            (
                line.stream, line.number, line.opened, line.closed, line.first, line.last, line.rules, int(line.void),
                line.staked, line.paid, _words(line.hands), _words(line.clauses), _words(line.irregularities),
            )
        )  # fmt: skip
        rows.setdefault("played", []).extend(
            (seat.patron, line.closed, line.stream, line.number, seat.seat, seat.staked, seat.paid)
            for seat in line.seats
        )
        if self._before is None or line.last - self._snapshot < SNAPSHOT_EVERY:
            return
        table, head = self._before
        state = write_snapshot(table) if table.seq == line.first - 1 else None
        if state is not None:
            rows["snapshot"] = [(self.stream, table.seq, SNAPSHOT_VERSION, head, state)]

    def _new_laws(self, outcome: Outcome) -> tuple[tuple[str, str], ...]:
        """The law behind rules that are new to the store."""
        for entry in outcome.entries:
            match entry.event:
                case RulesProposed() if outcome.table.proposal is not None:
                    self._put(outcome.table.proposal.submission, outcome.table.proposal.house)
                case MethodChanged():
                    self._put(outcome.table.submission, outcome.table.house)
        return self._laws.take()

    def _put(self, submission: Submission, house: HouseRules) -> None:
        self._laws.put_house(submission, house)


def _command(stream: str, request: Request) -> Command:
    digest = sha256(repr((request.by, request.command, request.reason)).encode()).digest()
    return Command(stream, f"{request.by.role}/{request.by.id}", request.key, digest)


def _is_first_bet(outcome: Outcome) -> bool:
    return isinstance(outcome.entries[0].event, round_events.WagerPlaced)


def _opens(entry: Entry, before: Sequence[Entry]) -> bool:
    """Whether a bet is the first of its round: none lies on the layout before it."""
    if not isinstance(entry.event, round_events.WagerPlaced):
        return False
    laid: dict[tuple[int, str], int] = {}
    for earlier in before:
        match earlier.event:
            case round_events.WagerPlaced(seat=seat, wager=wager, amount=amount):
                laid[seat, wager] = laid.get((seat, wager), 0) + amount
            case (
                round_events.WagerTakenBack(seat=seat, wager=wager) | round_events.WagerReturned(seat=seat, wager=wager)
            ):
                laid.pop((seat, wager), None)
            case _:
                pass
    return not laid


def _gather(gathered: list[Entry], entry: Entry) -> list[Entry]:
    if not gathered and not isinstance(entry.event, round_events.WagerPlaced):
        return gathered
    return [*gathered, entry]


def _posted(stream: str, outcome: Outcome) -> tuple[list[Row], tuple[LedgerAccount, ...], tuple[tuple[str, int], ...]]:
    """The postings of an outcome, one for each entry and account."""
    rows: list[Row] = []
    accounts: dict[str, LedgerAccount] = {}
    moves: list[tuple[str, int]] = []
    for entry, moved in zip(outcome.entries, outcome.moves, strict=True):
        for name, amount in _by_account(stream, moved, accounts).items():
            if amount:
                rows.append((stream, entry.seq, name, amount))
                moves.append((name, amount))
    return rows, tuple(accounts.values()), tuple(moves)


def _by_account(stream: str, moved: Sequence[Posting], accounts: dict[str, LedgerAccount]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for account, amount in moved:
        named = account_of(stream, account)
        accounts[named.name] = named
        sums[named.name] = sums.get(named.name, 0) + amount
    return sums


def _words(names: Sequence[str]) -> str:
    """Names in a column: each between bars, so that one can be looked for."""
    return f"|{'|'.join(names)}|" if names else ""
