"""The store of a house: everything that is recorded, in SQLite or PostgreSQL, behind one small interface.

`append` stores what a command leads to, in several streams at once if need be: whole, durably, or not at all. `claim`
takes a stream over from whoever wrote to it before; `load` reads it; `listen` hears of what others append; `read`
answers questions about everything, in the SQL that both engines understand.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import ClassVar, Final, Protocol, cast

from croupier.errors import RuleViolation, Shredded, StoreError, Unopened
from croupier.journal import DataKey, HouseKey, first_hash, new_data_key
from croupier.store.batch import Batch, GroupCommit
from croupier.store.values import Append, Claim, Command, Fetch, Holdings, Row, StoredLine, Value

__all__ = ["Engine", "Store"]

_LAST: Final = 2**62
_FORGOTTEN: Final = 60_000_000
"""Microseconds until a process that holds nothing and says nothing is forgotten."""


class Engine(Protocol):
    """A database: what differs between SQLite and PostgreSQL."""

    name: ClassVar[str]
    clock: ClassVar[str]
    """The time, in microseconds since 1970, as an expression of a statement."""
    free: ClassVar[str]
    """Whether anybody may take over the stream of a row of `head`, as an expression."""
    connected: ClassVar[str]
    """Whether the process of a row of `process` is connected, as an expression."""
    owner: str
    """Who holds what this process claims."""
    where: str
    """The address, as it may be shown."""
    generation: int
    commits: int
    """How many batches were committed."""
    hear: Callable[[str, int], None]
    """Called with what others append; `*` and 0 when anything may have changed."""

    async def apply(self, batch: Batch) -> None:
        """Make a batch durable; `AppendRefused` if it does not hold, `CommitFailed` if nobody knows."""

    async def execute(self, sql: str, *values: Value) -> list[Row]:
        """Run one statement that changes rows, durably."""

    async def fetch(self, sql: str, *values: Value) -> list[Row]:
        """The rows of a query."""

    async def find(self, sql: str, *values: Value) -> list[Row]:
        """A row that is found by its key."""

    def reading(self) -> AbstractAsyncContextManager[Fetch]:
        """Queries that all see the store as it stands now, while others go on writing."""

    async def erase(self, table: str, sql: str, *values: Value) -> list[Row]:
        """Run one statement that takes something out of a table, and leave no trace of it on the disk."""

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Add rows as they are: for a copy of a whole store."""

    async def is_sound(self) -> bool:
        """Whether every row has the form that it must have; it takes a while."""

    async def now(self) -> int:
        """The store's clock, in microseconds since 1970."""

    async def checkpoint(self) -> None:
        """Keep house, without holding up appends."""

    async def close(self) -> None:
        """Close it."""


class _Frozen:
    """An engine whose queries all see one moment."""

    def __init__(self, engine: Engine, fetch: Fetch) -> None:
        self.name, self.clock, self.generation = engine.name, engine.clock, engine.generation
        self.owner, self.where = engine.owner, engine.where
        self.hear = engine.hear
        self.fetch = fetch


class Store:
    """A store that is open. Without the house's key it can be verified, recalled and reported, but not dealt from."""

    def __init__(self, engine: Engine, key: HouseKey | None) -> None:
        self.engine: Final = engine
        self._key: Final = key
        self._commit: Final = GroupCommit(engine, self._appended)
        self._data_keys: Final[dict[int, DataKey]] = {}
        self._destroyed: Final[set[int]] = set()
        self.data_keys: Final[dict[str, tuple[int, DataKey]]] = {}
        """The keys of gaming days that were asked for: their numbers, and themselves."""
        self._listeners: Final[set[asyncio.Queue[tuple[str, int]]]] = set()
        engine.hear = self._tell

    @property
    def generation(self) -> int:
        """Rises when the store had to be opened again: whatever was in memory must be read again."""
        return self.engine.generation

    @property
    def can_deal(self) -> bool:
        """Whether the house's key is here."""
        return self._key is not None

    # --- appending

    async def append(self, append: Append, meanwhile: Callable[[bool], None] | None = None) -> None:
        """Store everything of a command; returns once it is durable.

        `meanwhile` is called once the disk has begun, with whether it is durable already.
        """
        stored = self._commit.append(append)
        if meanwhile is not None:
            try:
                await asyncio.sleep(0)  # the disk begins first
                meanwhile(stored.done() and stored.exception() is None)
            except BaseException:
                stored.cancel()
                raise
        await stored

    def _appended(self, append: Append) -> None:
        if self._listeners:
            for head in append.heads:
                self._tell(head.stream, head.seq)

    def _tell(self, stream: str, seq: int) -> None:
        for queue in self._listeners:
            queue.put_nowait((stream, seq))

    async def stored(self, command: Command) -> tuple[int, int] | None:
        """The first and last entry that a command led to, if it was stored before; another command is refused."""
        rows = await self.engine.find(
            "select digest, first, last from command where stream = $1 and giver = $2 and key = $3",
            command.stream,
            command.giver,
            command.key,
        )
        if not rows:
            return None
        if bytes(rows[0][0]) != command.digest:
            raise RuleViolation("key_used", f"the key {command.key!r} belongs to another command", clause="")
        return int(rows[0][1]), int(rows[0][2])

    # --- streams

    async def claim(self, streams: Iterable[str], *, seconds: float = 0) -> list[Claim]:
        """Take over these streams, as far as nobody else holds them; each begins if there is none yet.

        A claim is held for `seconds`, unless it is renewed: nobody else can claim the stream before, as long as this
        process lives. Without them it is not held: whoever comes next takes over. Either way only the last one who
        claimed a stream can write to it.
        """
        wanted = sorted(set(streams))  # in one order, so that two processes never wait for each other
        if not wanted:
            return []
        values = ", ".join(
            f"($1, {self.engine.clock} + $2, ${place}, 0, ${place + 1}, 1)"
            for place in range(3, 3 + 2 * len(wanted), 2)
        )
        rows = await self.engine.execute(
            f"insert into head(owner, until, stream, seq, hash, epoch) values{values}"
            " on conflict(stream) do update set epoch = head.epoch + 1, owner = excluded.owner, until = excluded.until"
            f" where {self.engine.free} or head.owner = excluded.owner returning stream, epoch, seq, hash",
            self.engine.owner,
            round(seconds * 1_000_000),
            *[value for stream in wanted for value in (stream, first_hash(stream))],
        )
        return [Claim(stream, int(epoch), int(seq), bytes(hash_)) for stream, epoch, seq, hash_ in sorted(rows)]

    async def renew(self, streams: Collection[str], *, seconds: float) -> list[str]:
        """Hold these streams for longer; returns those that are still ours."""
        if not streams:
            return []
        rows = await self.engine.execute(
            f"update head set until = {self.engine.clock} + $1"  # noqa: S608 - our own expression
            f" where owner = $2 and stream in ({_places(streams)}) returning stream",
            round(seconds * 1_000_000),
            self.engine.owner,
            *streams,
        )
        return sorted(str(row[0]) for row in rows)

    async def release(self, streams: Collection[str]) -> None:
        """Let go of these streams at once."""
        if streams:
            await self.engine.execute(
                f"update head set owner = '', until = $1 where owner = $2 and stream in ({_places(streams)})",  # noqa: S608 - numbers
                0,
                self.engine.owner,
                *streams,
            )

    async def announce(self, address: str) -> None:
        """Say where this process can be reached, and that it runs."""
        await self.engine.execute(
            f"insert into process(owner, address, seen) values($1, $2, {self.engine.clock})"
            " on conflict(owner) do update set address = excluded.address, seen = excluded.seen",
            self.engine.owner,
            address,
        )

    async def forget_processes(self) -> None:
        """Forget those that are gone for a while and hold nothing."""
        await self.engine.execute(
            f"delete from process where owner <> $1 and seen < {self.engine.clock} - $2"  # noqa: S608 - our own expression
            " and owner not in (select owner from head)",
            self.engine.owner,
            _FORGOTTEN,
        )

    async def retire(self) -> None:
        """Say that this process takes nothing over any more."""
        await self.engine.execute("update process set seen = 0 where owner = $1", self.engine.owner)

    async def holdings(self, prefix: str, *, seconds: float) -> Holdings:
        """Who holds the streams that begin like this, and which processes have been seen within these seconds."""
        clock, connected = self.engine.clock, self.engine.connected
        processes = await self.engine.fetch(
            f"select owner, seen >= {clock} - $1 from process where {connected}",  # noqa: S608 - our own expressions
            round(seconds * 1_000_000),
        )
        rows = await self.engine.fetch(
            f"select stream, seq, owner, until >= {clock} from head where stream like $1",  # noqa: S608 - the same
            f"{prefix}%",
        )
        present = {str(owner) for owner, _ in processes}
        return Holdings(
            processes=tuple(sorted(str(owner) for owner, is_seen in processes if is_seen)),
            holders={str(row[0]): str(row[2]) if row[3] and row[2] in present else "" for row in rows},
            heads={str(row[0]): int(row[1]) for row in rows},
        )

    async def holder(self, stream: str) -> str:
        """The address of the process that holds a stream now, or nothing."""
        find = (
            "select process.address from head join process on process.owner = head.owner"  # noqa: S608 - our own expression
            f" where head.stream = $1 and head.until >= {self.engine.clock}"
        )
        rows = await self.engine.fetch(find, stream)
        return str(rows[0][0]) if rows else ""

    @property
    def commits(self) -> int:
        """How many batches were committed."""
        return self.engine.commits

    async def streams(self, prefix: str = "") -> list[str]:
        """The streams that begin like this, in order."""
        rows = await self.engine.fetch("select stream from head where seq > 0 order by stream")
        return [row[0] for row in rows if row[0].startswith(prefix)]

    async def load(self, stream: str, *, after: int = 0, until: int = _LAST) -> list[StoredLine]:
        """The lines of a stream, in order."""
        rows = await self.engine.fetch(
            "select seq, line, sealed, key, hash from event where stream = $1 and seq > $2 and seq <= $3 order by seq",
            stream,
            after,
            until,
        )
        return [StoredLine(*row) for row in rows]

    def listen(self) -> asyncio.Queue[tuple[str, int]]:
        """A queue that receives each stream that moves on, with the number of its last entry.

        It also hears what other processes append. `("*", 0)` says that anything may have moved: look at all streams.
        """
        queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        self._listeners.add(queue)
        return queue

    def unlisten(self, queue: asyncio.Queue[tuple[str, int]]) -> None:
        """Hear no more."""
        self._listeners.discard(queue)

    async def read(self, sql: str, *values: Value) -> list[Row]:
        """The rows of a query that both engines understand; its parameters are $1, $2, … and first appear in order."""
        return await self.engine.fetch(sql, *values)

    async def identity(self) -> str:
        """The id of the store, drawn when it was made."""
        find = "select value from meta where key = 'store'"
        rows = await self.engine.fetch(find)
        if not rows:
            if await self.streams():
                raise StoreError(f"{self.engine.where}: a copy into it was not finished: copy it again")
            await self.engine.execute(
                "insert into meta(key, value) values('store', $1) on conflict do nothing", secrets.token_hex(16)
            )
            rows = await self.engine.fetch(find)
        return str(rows[0][0])

    # --- keys

    async def data_key(self, day: str) -> tuple[int, DataKey]:
        """The key that seals the secrets of a gaming day, made on its first use."""
        ring = self.ring
        find = "select id from data_key where day = $1 and destroyed is null"
        rows = await self.engine.fetch(find, day)
        if not rows:
            _, wrapped = new_data_key(ring)
            await self.engine.execute(
                "insert into data_key(day, wrapped) values($1, $2) on conflict do nothing", day, wrapped
            )
            rows = await self.engine.fetch(find, day)
        number = int(rows[0][0])
        cipher = await self.cipher(number)
        self.data_keys[day] = number, cipher
        return number, cipher

    async def cipher(self, number: int) -> DataKey:
        """The data key of this number; `Unopened` without the house's key, `Shredded` if it has been destroyed."""
        if number not in self._data_keys and number not in self._destroyed:
            rows = await self.engine.fetch("select wrapped from data_key where id = $1 and destroyed is null", number)
            if rows:
                self._data_keys[number] = DataKey(self.ring.unwrap(bytes(rows[0][0])))
            else:
                self._destroyed.add(number)
        if number in self._destroyed:
            raise Shredded(f"data key {number} has been destroyed: what it sealed stays closed")
        return self._data_keys[number]

    async def has_its_key(self) -> bool:
        """False with a key that is not the one of this store."""
        if self._key is None:
            return True
        rows = await self.engine.fetch("select wrapped from data_key where destroyed is null order by id limit 1")
        signing = await self.engine.fetch("select value from meta where key = 'signing_key'")
        try:
            for wrapped in (*(bytes(row[0]) for row in rows), *(bytes.fromhex(row[0]) for row in signing)):
                self._key.unwrap(wrapped)
        except (Unopened, ValueError):
            return False
        return True

    @asynccontextmanager
    async def as_it_stands(self) -> AsyncIterator[Store]:
        """The store as it is at this moment, to be read while others go on writing."""
        async with self.engine.reading() as fetch:
            yield Store(cast(Engine, _Frozen(self.engine, fetch)), self._key)

    @property
    def ring(self) -> HouseKey:
        """The house's key; `Unopened` if it is missing."""
        if self._key is None:
            raise Unopened(
                "the house's key is missing: this store can be verified and reported, but not dealt from or signed"
            )
        return self._key

    async def close(self) -> None:
        """Wait for what is being stored, and close."""
        await self._commit.settled()
        await self.engine.close()


def _places(streams: Collection[str]) -> str:
    """Numbers of parameters, from the third on."""
    return ", ".join(f"${place}" for place in range(3, 3 + len(streams)))
