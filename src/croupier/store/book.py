"""The stream of the cage, of a link or of the house; its entries are stored in one append with those of a table."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import BrokenRecord, Conflict
from croupier.journal import chain_hash, first_hash, micros
from croupier.ledger import Author, BookEntry, BookEvent, LedgerAccount, book_postings, read_book_line, write_book_line
from croupier.store.rows import postings_text
from croupier.store.store import Store
from croupier.store.values import Append, Claim, Command, HeadMove, Row
from croupier.table import Person

__all__ = ["TRIES", "Book", "BookPage", "joined", "step_aside"]

TRIES: Final = 20
"""How often a command is decided anew because another process wrote to a shared book first."""
_PAUSE: Final = 0.001


class BookPage(Struct, frozen=True):
    """Entries of a book that are decided and not stored yet, as part of an append."""

    append: Append
    claim: Claim
    """Where the book stands once they are stored."""
    entries: tuple[BookEntry, ...]


class Book:
    """A stream beside the tables. Whoever writes holds `lock` until it is stored."""

    def __init__(self, store: Store, stream: str) -> None:
        self.store: Final = store
        self.stream: Final = stream
        self.lock: Final = asyncio.Lock()
        self.claim = Claim(stream, 0, 0, first_hash(stream))
        self._generation = -1
        self._last: datetime | None = None
        """When the last entry was made: tables have clocks of their own, and a record never goes back."""

    @property
    def is_stale(self) -> bool:
        """Whether the book must be read again before anything is written to it."""
        return self._generation != self.store.generation

    def forget(self) -> None:
        """Read the book again before the next entry."""
        self._generation = -1

    async def load(self) -> list[BookEntry]:
        """Take the book over and read it whole."""
        return await self._load(first_hash(self.stream), 0)

    async def catch_up(self) -> list[BookEntry]:
        """Take the book over again and read what others have written since."""
        return await self._load(self.claim.hash, self.claim.seq)

    async def load_since(self, seq: int, head: bytes) -> list[BookEntry]:
        """Take the book over and read what came after this entry, whose hash is known."""
        return await self._load(head, seq)

    async def _load(self, head: bytes, after: int) -> list[BookEntry]:
        generation, self._generation = self.store.generation, -1  # until all of it is read
        claims = await self.store.claim([self.stream])
        if not claims:
            raise Conflict(f"{self.stream}: another process holds it")
        self.claim = claims[0]
        entries = []
        for stored in await self.store.load(self.stream, after=after, until=self.claim.seq):
            head = chain_hash(head, stored.line)
            if head != stored.hash:
                raise BrokenRecord(f"{self.stream}, entry {stored.seq}: the chain does not hold")
            entries.append(read_book_line(stored.line))
        if head != self.claim.hash:
            raise BrokenRecord(f"{self.stream}: its last entries are missing")
        if entries or after == 0:
            self._last = entries[-1].at if entries else None
        self._generation = generation
        return entries

    def page(
        self,
        events: Sequence[BookEvent],
        *,
        by: Person | Author,
        at: datetime,
        reason: str = "",
        command: Command | None = None,
    ) -> BookPage:
        """These events as the next entries, ready to be stored."""
        claim, rows = self.claim, []
        at = at if self._last is None else max(at, self._last)
        accounts: dict[str, LedgerAccount] = {}
        moves: list[tuple[str, int]] = []
        entries = []
        for event in events:
            entry = BookEntry(
                stream=self.stream,
                seq=claim.seq + 1,
                at=at,
                by=Author(by.role, by.id),
                command=command.key if command is not None else "",
                reason=reason,
                event=event,
            )
            line = write_book_line(entry)
            claim = claim._replace(seq=entry.seq, hash=chain_hash(claim.hash, line))
            posted = [(account.name, amount) for account, amount in book_postings(event)]
            accounts |= {account.name: account for account, _ in book_postings(event)}
            moves += posted
            text = postings_text(posted)
            row: Row = (self.stream, entry.seq, entry.name, micros(at), 0, line, None, None, claim.hash, text)
            rows.append(row)
            entries.append(entry)
        append = Append(
            heads=(HeadMove(self.stream, claim.epoch, self.claim.seq, claim.seq, claim.hash),),
            rows={"event": rows},
            accounts=tuple(accounts.values()),
            moves=tuple(moves),
            command=command,
        )
        return BookPage(append, claim, tuple(entries))

    def accept(self, page: BookPage) -> None:
        """Move on to where the book stands now that a page is stored."""
        self.claim, self._last = page.claim, page.entries[-1].at


async def step_aside(attempt: int) -> None:
    """Wait a random moment, longer with each attempt: two processes that take a book from each other come apart."""
    await asyncio.sleep(random.uniform(0, _PAUSE * 2 ** min(attempt, 6)))  # noqa: S311 (not for cards)


def joined(append: Append, pages: Sequence[BookPage]) -> Append:
    """An append with the pages of other books: all of it is stored, or nothing."""
    for page in pages:
        other = page.append
        append = replace(
            append,
            heads=append.heads + other.heads,
            rows={
                table: [*append.rows.get(table, ()), *other.rows.get(table, ())]
                for table in {**append.rows, **other.rows}
            },
            accounts=append.accounts + other.accounts,
            moves=append.moves + other.moves,
        )
    return append
