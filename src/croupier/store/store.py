"""The store of a house: everything that is recorded, in SQLite or PostgreSQL, behind one small interface.

`append` stores what a command leads to, in several streams at once if need be: whole, durably, or not at all. `claim`
takes a stream over from whoever wrote to it before; `load` reads it; `listen` hears of what others append; `read` answers
questions about everything, in the SQL that both engines understand.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final, Protocol

from croupier.errors import Conflict, Unopened
from croupier.journal import DataKey, HouseKey, first_hash, new_data_key
from croupier.store.batch import Batch, GroupCommit
from croupier.store.values import Append, Claim, Command, Row, StoredLine

__all__ = ["Engine", "Store"]

FOREVER: Final = 2**62
"""A lease that nobody has to renew: on SQLite one process writes, as long as it runs."""


class Engine(Protocol):
    """A database: what differs between SQLite and PostgreSQL."""

    name: ClassVar[str]
    generation: int

    async def apply(self, batch: Batch) -> None:
        """Make a batch durable; `Refused` if it does not hold, `CommitFailed` if nobody knows."""

    async def execute(self, sql: str, *values: Any) -> list[Row]:  # noqa: ANN401
        """Run one statement that changes rows, durably."""

    async def fetch(self, sql: str, *values: Any) -> list[Row]:  # noqa: ANN401
        """The rows of a query."""

    async def now(self) -> int:
        """The store's clock, in microseconds since 1970."""

    async def checkpoint(self) -> None:
        """Keep house, without holding up appends."""

    async def close(self) -> None:
        """Close it."""


class Store:
    """A store that is open. Without the house's key it can be verified, recalled and reported, but not dealt from."""

    def __init__(self, engine: Engine, key: HouseKey | None, *, owner: str = "") -> None:
        self.engine: Final = engine
        self.owner: Final = owner or secrets.token_hex(8)
        self._key: Final = key
        self._commit: Final = GroupCommit(engine)
        self._data_keys: Final[dict[int, DataKey]] = {}
        self._days: Final[dict[str, int]] = {}
        self._listeners: Final[set[asyncio.Queue[tuple[str, int]]]] = set()

    @property
    def generation(self) -> int:
        """Rises when the store had to be opened again: whatever was in memory must be read again."""
        return self.engine.generation

    @property
    def can_deal(self) -> bool:
        """Whether the house's key is here."""
        return self._key is not None

    # --- appending

    async def append(self, append: Append) -> None:
        """Store everything of a command; returns once it is durable."""
        await self._commit.append(append)
        for head in append.heads:
            for queue in self._listeners:
                queue.put_nowait((head.stream, head.seq))

    async def stored(self, command: Command) -> tuple[int, int] | None:
        """The first and last entry that a command led to, if it was stored before; another command is refused."""
        rows = await self.engine.fetch(
            "select digest, first, last from command where stream = $1 and giver = $2 and key = $3",
            command.stream,
            command.giver,
            command.key,
        )
        if not rows:
            return None
        if bytes(rows[0][0]) != command.digest:
            raise Conflict(f"the key {command.key!r} belongs to another command")
        return int(rows[0][1]), int(rows[0][2])

    # --- streams

    async def claim(self, streams: Iterable[str], *, seconds: float | None = None) -> list[Claim]:
        """Take over these streams, as far as nobody else holds them; each begins if there is none yet."""
        now = await self.engine.now()
        until = FOREVER if seconds is None else now + round(seconds * 1_000_000)
        claims = []
        for stream in streams:
            rows = await self.engine.execute(
                "insert into head(stream, seq, hash, epoch, owner, until) values($1, 0, $2, 1, $3, $4)"
                " on conflict(stream) do update set epoch = head.epoch + 1, owner = excluded.owner, until = excluded.until"
                " where head.until < $5 or head.owner = excluded.owner or $6 = 1"
                " returning epoch, seq, hash",
                stream,
                first_hash(stream),
                self.owner,
                until,
                now,
                int(self.engine.name == "sqlite"),  # the lock on the file has settled who writes
            )
            claims += [Claim(stream, int(epoch), int(seq), bytes(hash_)) for epoch, seq, hash_ in rows]
        return claims

    async def renew(self, streams: Sequence[str], *, seconds: float) -> list[str]:
        """Hold these streams for longer; returns those that are still ours."""
        until = await self.engine.now() + round(seconds * 1_000_000)
        held = []
        for stream in streams:
            sql = "update head set until = $1 where stream = $2 and owner = $3 returning stream"
            held += [str(row[0]) for row in await self.engine.execute(sql, until, stream, self.owner)]
        return held

    async def release(self, streams: Iterable[str]) -> None:
        """Let go of these streams at once."""
        for stream in streams:
            await self.engine.execute("update head set until = 0 where stream = $1 and owner = $2", stream, self.owner)

    async def streams(self, prefix: str = "") -> list[str]:
        """The streams that begin like this, in order."""
        rows = await self.engine.fetch("select stream from head where seq > 0 order by stream")
        return [row[0] for row in rows if row[0].startswith(prefix)]

    async def load(self, stream: str, *, after: int = 0, until: int = FOREVER) -> list[StoredLine]:
        """The lines of a stream, in order."""
        rows = await self.engine.fetch(
            "select seq, line, sealed, key, hash from event where stream = $1 and seq > $2 and seq <= $3 order by seq",
            stream,
            after,
            until,
        )
        return [StoredLine(*row) for row in rows]

    def listen(self) -> asyncio.Queue[tuple[str, int]]:
        """A queue that receives each stream that moves on, with the number of its last entry."""
        queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self._listeners.add(queue)
        return queue

    def unlisten(self, queue: asyncio.Queue[tuple[str, int]]) -> None:
        """Hear no more."""
        self._listeners.discard(queue)

    async def read(self, sql: str, *values: Any) -> list[Row]:  # noqa: ANN401 - whatever a column holds
        """The rows of a query that both engines understand; its parameters are $1, $2, … in order."""
        return await self.engine.fetch(sql, *values)

    # --- keys

    async def data_key(self, day: str) -> tuple[int, DataKey]:
        """The key that seals the secrets of a gaming day, made on its first use."""
        if day in self._days:
            return self._days[day], self._data_keys[self._days[day]]
        ring = self._ring()
        find = "select id from data_key where day = $1"
        rows = await self.engine.fetch(find, day)
        if not rows:
            _, wrapped = new_data_key(ring)
            await self.engine.execute(
                "insert into data_key(day, wrapped) values($1, $2) on conflict do nothing", day, wrapped
            )
            rows = await self.engine.fetch(find, day)
        number = int(rows[0][0])
        cipher = await self.cipher(number)
        self._days[day] = number
        return number, cipher

    async def cipher(self, number: int) -> DataKey:
        """The data key of this number; `Unopened` without the house's key."""
        if number not in self._data_keys:
            rows = await self.engine.fetch("select wrapped from data_key where id = $1", number)
            if not rows:
                raise Unopened(f"data key {number} has been destroyed: what it sealed stays closed")
            self._data_keys[number] = DataKey(self._ring().unwrap(bytes(rows[0][0])))
        return self._data_keys[number]

    def _ring(self) -> HouseKey:
        if self._key is None:
            raise Unopened("the house's key is missing: this store can be verified and reported, but not dealt from")
        return self._key

    async def close(self) -> None:
        """Wait for what is being stored, and close."""
        await self._commit.settled()
        await self.engine.close()
