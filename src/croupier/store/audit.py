"""A store held against its own record: every figure beside the lines must follow from the lines.

No key is needed: the fold from entry to entry looks at no card.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, NamedTuple

from croupier.errors import BrokenRecord
from croupier.games import events as round_events
from croupier.journal import read_line
from croupier.ledger import LedgerAccount, MeterMoved, account_of, book_postings, read_book_line, round_line, totals_of
from croupier.rulebook import Archive, Laws
from croupier.store.chains import ChainedLine, chained, check_heads, misfiled
from croupier.store.laws import LawShelf
from croupier.store.rows import gathered, reveal_rows, round_rows
from croupier.store.store import Store
from croupier.store.values import Row
from croupier.table import Entry, Posting, Table, create, evolve_posting, postings

__all__ = ["LedgerReport", "check_ledger", "table_entries"]


class LedgerReport(NamedTuple):
    """What was checked, and everything that does not hold."""

    streams: int
    entries: int
    postings: int
    accounts: int
    rounds: int
    problems: tuple[str, ...]


async def _laws(store: Store) -> Laws:
    shelf = LawShelf()
    await shelf.read(store)
    return Archive(shelf)


async def table_entries(
    store: Store, stream: str, see: Callable[[ChainedLine], None] = lambda _: None
) -> AsyncIterator[tuple[Table | None, Entry, Table, tuple[Posting, ...]]]:
    """Every entry of a table's record: the table before it, the entry, the table after it, and what it moves.

    `see` is shown each line as it is stored.
    """
    laws = await _laws(store)
    table: Table | None = None
    async for stored in chained(store, stream):
        see(stored)
        entry = read_line(stored.line)
        if table is None:
            after = create(entry, laws)
            yield None, entry, after, postings(after, entry.event)
        else:
            after, moves = evolve_posting(table, entry, laws)
            yield table, entry, after, moves
        table = after


# --- the ledger


class _Books:
    """Everything that should stand beside the lines, made again from the lines."""

    def __init__(self) -> None:
        self.posted: dict[tuple[str, int, str], int] = {}
        self.held: defaultdict[str, int] = defaultdict(int)
        self.units: dict[str, tuple[str, int | None]] = {}
        self.totals: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        self.rounds: dict[tuple[str, int], Row] = {}
        self.played: dict[tuple[str, int, str, int, int], tuple[int, int]] = {}
        self.reveals: dict[str, Row] = {}
        self.linked: defaultdict[str, int] = defaultdict(int)
        self.misfiled: list[str] = []
        self.entries = 0

    def see(self, stream: str, stored: ChainedLine) -> None:
        """Reports look for entries by the columns beside the line: they must be the line's."""
        self.entries += 1
        if problem := misfiled(stored):
            self.misfiled.append(f"{stream}, entry {stored.seq}: {problem}")

    def post(self, stream: str, seq: int, account: LedgerAccount, amount: int) -> None:
        self.units[account.name] = (account.unit, account.floor)
        self.held[account.name] += amount
        place = (stream, seq, account.name)
        self.posted[place] = self.posted.get(place, 0) + amount


async def check_ledger(store: Store) -> LedgerReport:
    """Make the ledger again from the lines, and compare it with what is stored; also while the house runs."""
    async with store.as_it_stands() as standing:
        return await _check(standing)


async def _check(store: Store) -> LedgerReport:
    books, streams = _Books(), await store.streams()
    try:
        await check_heads(store)
        for stream in streams:
            if stream.startswith("table/"):
                await _read_table(store, stream, books)
            else:
                await _read_book(store, stream, books)
    except BrokenRecord as broken:  # nothing can be made again from such lines
        problems = [str(broken)]
    else:
        problems = [*books.misfiled, *[problem async for problem in _differences(store, books)]]
    return LedgerReport(
        len(streams), books.entries, len(books.posted), len(books.units), len(books.rounds), tuple(problems)
    )


async def _read_table(store: Store, stream: str, books: _Books) -> None:
    entries: list[Entry] = []
    async for _, entry, after, moves in table_entries(store, stream, lambda stored: books.see(stream, stored)):
        for account, amount in moves:
            books.post(stream, entry.seq, account_of(stream, account), amount)
        for name, amount in totals_of(entry.event, moves):
            books.totals[stream, str(after.gaming_day or entry.at.date()), name] += amount
        books.reveals |= {row[0]: row for row in reveal_rows([entry])}
        entries = gathered(entries, entry)
        if isinstance(entry.event, round_events.RoundClosed):
            line, seats = round_rows(round_line(entries))
            books.rounds[stream, int(line[1])] = line
            books.played |= {seat[:5]: seat[5:] for seat in seats}
            entries = []
        elif after.round is None:
            entries = []


async def _read_book(store: Store, stream: str, books: _Books) -> None:
    async for stored in chained(store, stream):
        books.see(stream, stored)
        seq, event = stored.seq, read_book_line(stored.line).event
        for account, amount in book_postings(event):
            books.post(stream, seq, account, amount)
            if account.unit == "meter" and account.floor is not None:
                books.linked[account.name] += amount
        if isinstance(event, MeterMoved):
            name = f"{stream}/meter/{event.meter}"
            books.linked[name] += event.units
            if books.linked[name] != event.value:
                raise BrokenRecord(f"{stream}, entry {seq}: the {event.meter} meter does not add up")


async def _differences(store: Store, books: _Books) -> AsyncIterator[str]:
    stored = await store.read("select stream, seq, account, amount from posting")
    posted = {place: amount for place, amount in books.posted.items() if amount}
    for problem in _compared("posting", {(row[0], row[1], row[2]): row[3] for row in stored}, posted):
        yield problem
    accounts = await store.read("select name, unit, floor, amount from account")
    moved = {name: (*unit, books.held[name]) for name, unit in books.units.items()}
    idle = {name: values for name, *values in accounts if name not in moved and values[2] == 0}
    kept = {name: tuple(values) for name, *values in accounts if name not in idle}
    for problem in _compared("account", kept, moved):
        yield problem
    for unit in ("cents", "meter"):
        total = sum(amount for _, of, _, amount in accounts if of == unit)
        if total:
            yield f"the accounts in {unit} sum to {total}, not to zero"
    for name, value in books.linked.items():
        if books.held[name] != value:
            yield f"{name} holds {books.held[name]}, but the record of the link says {value}"
    totals = await store.read("select stream, day, name, amount from total")
    made = {place: amount for place, amount in books.totals.items() if amount}
    for problem in _compared("total", {(row[0], row[1], row[2]): row[3] for row in totals}, made):
        yield problem
    rounds = await store.read(
        "select stream, number, opened, closed, first, last, rules, void, staked, paid, hands, clauses, irregularities"
        " from round"
    )
    for problem in _compared("round", {(row[0], row[1]): row for row in rounds}, books.rounds):
        yield problem
    played = await store.read("select patron, closed, stream, number, seat, staked, paid from played")
    reveals = await store.read("select commitment, stream, seq from reveal")
    for problem in _compared("revealed seed", {row[0]: tuple(row) for row in reveals}, books.reveals):
        yield problem
    for problem in _compared("seat", {tuple(row[:5]): tuple(row[5:]) for row in played}, books.played):
        yield problem


def _compared(what: str, stored: Mapping[Any, object], made: Mapping[Any, object]) -> Iterator[str]:
    for place in sorted({*stored, *made}, key=str):
        if stored.get(place) != made.get(place):
            where = ", ".join(map(str, place)) if isinstance(place, tuple) else str(place)
            yield f"{what} {where}: stored {stored.get(place)}, but the record gives {made.get(place)}"
