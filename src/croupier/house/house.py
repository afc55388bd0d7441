"""The house: its own record in a store, and commands that are decided, stored durably, and only then have happened."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from croupier.errors import BrokenRecord, CommitFailed, Conflict, Duplicate, RuleViolation, StoreError
from croupier.house.commands import HouseRequest
from croupier.house.decide import decide
from croupier.house.state import HouseState, evolve_house
from croupier.journal import chain_hash, first_hash
from croupier.ledger import BookEntry, read_book_line
from croupier.store import TRIES, Book, Command, Store, step_aside

__all__ = ["HOUSE_STREAM", "House"]

HOUSE_STREAM: Final = "house"


class House:
    """The house's own record. Several processes may share one: whoever is second decides again."""

    def __init__(self, store: Store) -> None:
        self.store: Final = store
        self._book: Final = Book(store, HOUSE_STREAM)
        self._state = HouseState()
        self._head = first_hash(HOUSE_STREAM)

    @property
    def state(self) -> HouseState:
        """The house as it is stored, as far as this process has heard."""
        return self._state

    # --- reading

    async def load(self) -> HouseState:
        """Read the record."""
        return await self.refresh()

    async def refresh(self) -> HouseState:
        """Read what other processes have recorded meanwhile."""
        async with self._book.lock:
            await self._read()
        return self._state

    async def _read(self) -> None:
        head, entries = self._head, []
        for stored in await self.store.load(HOUSE_STREAM, after=self._state.seq):
            head = chain_hash(head, stored.line)
            if head != stored.hash:
                raise BrokenRecord(f"{HOUSE_STREAM}, entry {stored.seq}: the chain does not hold")
            entries.append(read_book_line(stored.line))
        self._accept(entries, head)

    def _accept(self, entries: Sequence[BookEntry], head: bytes) -> None:
        if entries:
            self._state, self._head = evolve_house(self._state, entries), head

    async def follow(self, changed: Callable[[], Awaitable[None]] | None = None, *, every: float = 2.0) -> None:
        """Hear what other processes record, for as long as this runs: a task of the server.

        `changed` is called after each change. What was not heard is looked up every so many seconds.
        """
        queue = self.store.listen()
        told = -1
        try:
            while True:
                if changed is not None and self._state.seq != told:
                    told = self._state.seq
                    await changed()
                if await _is_heard(queue, every):
                    with suppress(StoreError):  # what was not read now is read with the next word
                        await self.refresh()
        finally:
            self.store.unlisten(queue)

    # --- writing

    async def give(self, request: HouseRequest) -> tuple[BookEntry, ...]:
        """The entries that a command leads to, once they are durable; the same key gives the first answer again."""
        command = _command(request)
        async with self._book.lock:
            for attempt in range(TRIES):
                try:
                    return await self._carry_out(request, command)
                except (RuleViolation, Duplicate):
                    if command is not None and (first := await self.store.stored(command)) is not None:
                        return await self._again(*first)
                    seq = self._state.seq
                    await self._read()  # another process may have recorded what makes it right
                    if self._state.seq == seq:
                        raise
                    self._book.forget()
                except Conflict:
                    self._book.forget()
                    await step_aside(attempt)
                except (CommitFailed, asyncio.CancelledError):
                    self._book.forget()
                    raise
        raise Conflict(f"{HOUSE_STREAM}: other processes were first {TRIES} times")

    async def _carry_out(self, request: HouseRequest, command: Command | None) -> tuple[BookEntry, ...]:
        if self._book.claim.seq != self._state.seq:  # another process was heard: the book is theirs now
            self._book.forget()
        if self._book.is_stale:
            entries = await self._book.load_since(self._state.seq, self._head)
            self._accept(entries, self._book.claim.hash)
        author, events = decide(self._state, request)
        page = self._book.page(events, by=author, at=request.at, reason=request.reason, command=command)
        await self.store.append(page.append)
        self._book.accept(page)
        self._accept(page.entries, page.claim.hash)
        return page.entries

    async def _again(self, first: int, last: int) -> tuple[BookEntry, ...]:
        lines = await self.store.load(HOUSE_STREAM, after=first - 1, until=last)
        return tuple(read_book_line(stored.line) for stored in lines)


async def _is_heard(queue: asyncio.Queue[tuple[str, int]], seconds: float) -> bool:
    """Whether the record may have moved on: somebody says so, or nobody has said anything for so long."""
    try:
        async with asyncio.timeout(seconds):
            streams = {(await queue.get())[0]}
    except TimeoutError:
        return True
    while not queue.empty():
        streams.add(queue.get_nowait()[0])
    return bool(streams & {"*", HOUSE_STREAM})


def _command(request: HouseRequest) -> Command | None:
    """What is remembered of a command with a key: the role it was given in is not part of it."""
    if not request.key:
        return None
    digest = sha256(repr((request.by, request.command, request.reason)).encode()).digest()
    return Command(HOUSE_STREAM, request.by, request.key, digest)
