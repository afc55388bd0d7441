"""The cage: what each patron has there, and how it becomes chips at a table and back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from croupier.driver import Outcome
from croupier.errors import CommitFailed, Conflict, Duplicate, Malformed, Overdrawn, RuleViolation
from croupier.ids import check_id
from croupier.ledger import (
    Author,
    BookEntry,
    BookEvent,
    CageReversed,
    ChipsIssued,
    ChipsRedeemed,
    Deposited,
    Withdrawn,
    book_postings,
    patron_account,
)
from croupier.money import Cents, print_dollars
from croupier.store.book import TRIES, Book, step_aside
from croupier.store.cage_book import cage_moves
from croupier.store.store import Store
from croupier.store.stored_table import StoredTable
from croupier.store.values import Command
from croupier.table import Entry, Request
from croupier.table.commands import BuyIn, StandUp
from croupier.table.events import PlayerBoughtIn, PlayerStoodUp

__all__ = ["Cage"]

STREAM: Final = "cage"
_MOST: Final = Cents(10**13)
"""A hundred billion dollars: sums of such amounts still fit a column."""
_OF_A_DAY: Final = 1_000_000
"""More entries than a day has."""


class Cage:
    """The patrons' accounts of a house. A patron is an id; names are kept apart, so that they can be forgotten."""

    def __init__(self, store: Store) -> None:
        self._book: Final = Book(store, STREAM)
        self._store: Final = store

    async def balance(self, patron: str) -> Cents:
        """What a patron has at the cage."""
        rows = await self._store.read("select amount from account where name = $1", patron_account(patron).name)
        return Cents(rows[0][0] if rows else 0)

    async def deposit(
        self,
        patron: str,
        amount: Cents,
        *,
        by: Author,
        at: datetime,
        reference: str = "",
        key: str = "",
        once_since: datetime | None = None,
    ) -> BookEntry:
        """A patron brings money; with `once_since` refused if that reference was used since then."""
        event = Deposited(patron=patron, amount=_more(amount), reference=reference)
        return await self._write(event, by, at, key, once_since)

    async def withdraw(
        self,
        patron: str,
        amount: Cents,
        *,
        by: Author,
        at: datetime,
        reference: str = "",
        key: str = "",
        once_since: datetime | None = None,
    ) -> BookEntry:
        """A patron takes money; refused beyond what is there, and as `deposit` is."""
        event = Withdrawn(patron=patron, amount=_more(amount), reference=reference)
        return await self._write(event, by, at, key, once_since)

    async def reverse(
        self, number: int, *, by: Author, at: datetime, reason: str, key: str = "", patron: str | None = None
    ) -> BookEntry:
        """Undo an entry of the cage, of this patron if one is named: it stays, and another one takes it back."""
        if not reason.strip():
            raise _refuse("no_reason", "say why the entry is reversed")
        async with self._book.lock:
            entries = await self._book.load()
            original = next((entry for entry in entries if entry.seq == number), None)
            if original is None or not isinstance(original.event, Deposited | Withdrawn):
                raise _refuse("not_reversible", f"entry {number} of the cage is not a deposit or a withdrawal")
            if patron not in (None, original.event.patron):
                raise _refuse("not_reversible", f"entry {number} of the cage is not one of {patron}")
            gained = -book_postings(original.event)[0].amount
            event = CageReversed(entry=number, patron=original.event.patron, amount=Cents(gained))
            command = _command(by, event, key, reason)
            if command is not None and (first := await self._store.stored(command)) is not None:
                return entries[first[0] - 1]
            if any(isinstance(entry.event, CageReversed) and entry.event.entry == number for entry in entries):
                raise _refuse("reversed_before", f"entry {number} of the cage was reversed before")
            return await self._append(event, by, at, command, reason)

    # --- chips

    async def buy_in(self, table: StoredTable, request: Request) -> list[Entry]:
        """Give a `buy_in` of chips at a table, paid from the patron's account: both or neither."""
        if not isinstance(request.command, BuyIn) or not request.command.brought:
            raise Malformed("chips from the cage are brought to the table: buy_in with `brought`")
        try:
            return await table.handle(request, beside=(self._book, _issued))
        except Overdrawn:
            raise await self._short(request.by.id, request.command.amount) from None

    async def cash_out(self, table: StoredTable, request: Request) -> list[Entry]:
        """Give a `stand_up` at a table, whose chips go to the patron's account: both or neither."""
        if not isinstance(request.command, StandUp):
            raise Malformed("chips go to the cage when a player stands up: stand_up")
        return await table.handle(request, beside=(self._book, _redeemed))

    # --- writing

    async def _write(
        self, event: Deposited | Withdrawn, by: Author, at: datetime, key: str, once_since: datetime | None
    ) -> BookEntry:
        check_id(event.patron, "patron")
        command = _command(by, event, key, "")
        async with self._book.lock:
            for attempt in range(TRIES):
                try:
                    if self._book.is_stale:
                        await self._book.catch_up()
                    if once_since is not None and (command is None or await self._store.stored(command) is None):
                        await self._check_slip(event, once_since)
                    return await self._append(event, by, at, command, "")
                except Conflict:  # another process was first, and nothing was stored
                    await step_aside(attempt)
        raise Conflict(f"{STREAM}: other processes were first {TRIES} times")

    async def _check_slip(self, event: Deposited | Withdrawn, since: datetime) -> None:
        """Refuse the number of a slip that stands for another entry of its kind."""
        for move in await cage_moves(self._store, since, limit=_OF_A_DAY):
            other = move.entry.event
            same = isinstance(other, type(event)) and other.reference.casefold() == event.reference.casefold()
            if same and not move.reversed:
                words = f"slip {event.reference} was used for entry {move.entry.seq} of the cage"
                raise _refuse("slip_used", f"{words}: give this one a number of its own, or reverse that entry")

    async def _append(
        self, event: BookEvent, by: Author, at: datetime, command: Command | None, reason: str
    ) -> BookEntry:
        page = self._book.page([event], by=by, at=at, reason=reason, command=command)
        try:
            await self._store.append(page.append)
        except (Duplicate, Overdrawn) as refused:
            # An engine may look at the money before it looks at the key.
            first = await self._store.stored(command) if command is not None else None
            if first is not None:
                return (await self._book.load())[first[0] - 1]
            if isinstance(refused, Duplicate):
                raise
            raise await self._short(getattr(event, "patron", ""), Cents(abs(book_postings(event)[0].amount))) from None
        except (CommitFailed, Conflict, asyncio.CancelledError):
            self._book.forget()
            raise
        self._book.accept(page)
        return page.entries[0]

    async def _short(self, patron: str, asked: Cents) -> RuleViolation:
        held = print_dollars(await self.balance(patron))
        return _refuse("short_account", f"the cage holds {held} for {patron}, not {print_dollars(asked)}")


def _issued(outcome: Outcome) -> Sequence[BookEvent]:
    return [
        ChipsIssued(patron=entry.event.patron, amount=entry.event.amount, table=outcome.table.id)
        for entry in outcome.entries
        if isinstance(entry.event, PlayerBoughtIn)
    ]


def _redeemed(outcome: Outcome) -> Sequence[BookEvent]:
    return [
        ChipsRedeemed(patron=entry.event.patron, amount=entry.event.chips, table=outcome.table.id)
        for entry in outcome.entries
        if isinstance(entry.event, PlayerStoodUp) and entry.event.chips
    ]


def _command(by: Author, event: BookEvent, key: str, reason: str) -> Command | None:
    if not key:
        return None
    return Command(STREAM, f"{by.role}/{by.id}", key, sha256(repr((by, event, reason)).encode()).digest())


def _more(amount: Cents) -> Cents:
    if not 0 < amount <= _MOST:
        raise Malformed(f"an amount must be more than $0 and at most {print_dollars(_MOST)}")
    return amount


def _refuse(code: str, message: str) -> RuleViolation:
    return RuleViolation(code, message, clause="")  # the documents leave the cage to the house
