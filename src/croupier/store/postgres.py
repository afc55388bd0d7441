"""A store in a PostgreSQL database, for many processes at a time.

A process has one connection that writes, one batch after the other, and one that reads and hears what others write.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from decimal import Decimal
from typing import Any, ClassVar, Final, NoReturn

import asyncpg

from croupier.errors import AppendRefused, CommitFailed, Conflict, StoreError
from croupier.store.arrays import CHANNEL, batch_statement, heard
from croupier.store.batch import Batch
from croupier.store.leases import CONNECTED, FREE, SIGN_IN
from croupier.store.migrate import due
from croupier.store.postgres_errors import LOST, is_lost, refusal, unexpected, without_password, words
from croupier.store.values import Fetch, Row, Value

__all__ = ["PostgresEngine", "open_postgres"]

_WRITE_SECONDS: Final = 15
"""An append that takes longer is given up; it usually takes a millisecond."""
_READ_SECONDS: Final = 600
_RETRY_SECONDS: Final = 10.0
"""How long a server may take to start again."""
_ASK_SECONDS: Final = 1.0
"""How often a server that is away for longer is asked."""
_DEADLOCKS: Final = 5
_MIGRATING: Final = 0x43524F55
"""`CROU`: the advisory lock of whoever migrates."""
_TABLES: Final = (
    "select relname::text from pg_class where relnamespace = current_schema()::regnamespace"
    " and relkind in ('r', 'p', 'v', 'm', 'f')"
    " and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')"
)
_MARKS: Final = (
    "select attname::text from pg_attribute where attnum > 0 and not attisdropped"
    " and attrelid = (quote_ident(current_schema()) || '.migration')::regclass"
)


async def open_postgres(url: str, *, write: bool = True, create: bool = True) -> PostgresEngine:
    """The store in the database at this address; with `create` it is set up there if the database is empty."""
    engine = PostgresEngine(url, write=write, create=create)
    try:
        await engine.open()
    except BaseException:
        await engine.close()
        raise
    return engine


class PostgresEngine:
    """One PostgreSQL database."""

    name: ClassVar[str] = "postgres"
    clock: ClassVar[str] = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"
    free: ClassVar[str] = FREE.format(clock=clock)
    connected: ClassVar[str] = CONNECTED

    def __init__(self, url: str, *, write: bool, create: bool) -> None:
        self.where = without_password(url)
        self.owner = secrets.token_hex(8)
        self.generation = 0
        """Rises when the connection had to be opened again: whatever was in memory must be read again."""
        self.commits = 0
        """How many batches were committed."""
        self.hear: Callable[[str, int], None] = lambda _stream, _seq: None
        """Called with what other processes append."""
        self._url, self._write, self._create = url, write, create
        self._lock = asyncio.Lock()
        self._read_lock = asyncio.Lock()
        self._writer: asyncpg.Connection | None = None
        self._reader: asyncpg.Connection | None = None
        self._again: asyncio.Task[None] | None = None
        self._known: set[str] = set()
        self._names: set[str] = set()
        self._closed = False
        self._lost: float | None = None
        """Since when the server cannot be reached."""
        self._asked = 0.0
        """When it was last asked."""

    # --- opening and closing

    async def open(self) -> None:
        """Connect, and set up an empty database; a foreign or newer one is refused and left as it is."""
        try:
            if self._write:
                self._writer = await self._connect(_WRITE_SECONDS, write=True)
                await self._migrate(self._writer)
            await self._listen()
        except LOST as error:
            raise StoreError(f"{self.where}: {words(error)}") from None
        except (ValueError, OverflowError) as error:  # the address itself
            raise StoreError(f"{self.where}: the address cannot be used: {error}") from None

    async def _connect(self, seconds: int, *, write: bool) -> asyncpg.Connection:
        connection = await asyncpg.connect(
            self._url,
            timeout=_RETRY_SECONDS,
            command_timeout=seconds + 5,  # the server gives up first; this is for one that is silent
            server_settings={
                "application_name": "croupier",
                "client_encoding": "utf8",
                "synchronous_commit": "on",
                "statement_timeout": f"{seconds}s",
                "default_transaction_read_only": "off" if write else "on",
            },
        )
        try:
            # Sums of bigint are numeric: whole numbers stay whole numbers.
            await connection.set_type_codec("numeric", schema="pg_catalog", encoder=str, decoder=_number, format="text")
            if write:
                await connection.execute(SIGN_IN, self.owner)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _migrate(self, connection: asyncpg.Connection) -> None:
        async with connection.transaction():
            await connection.execute(f"select pg_advisory_xact_lock({_MIGRATING})")  # one process at a time
            applied = await self._applied(connection)
            if applied is None and not self._create:
                raise self._nothing
            if applied is None:
                await connection.execute("create table migration(number bigint primary key, checksum text not null)")
            for step in due("postgres", applied or {}, self.where):
                await connection.execute(step.text)
                await connection.execute("insert into migration values($1, $2)", step.number, step.checksum)

    async def _applied(self, connection: asyncpg.Connection) -> dict[int, str] | None:
        """The migrations of a store; None if the database is empty."""
        if await connection.fetchval("select current_schema()") is None:
            raise StoreError(f"{self.where}: no schema of its search_path exists")
        tables = {row[0] for row in await connection.fetch(_TABLES)}
        if not tables:
            return None
        foreign = StoreError(f"{self.where}: the database holds something else, not a store of Croupier")
        if "migration" not in tables:
            raise foreign
        if {row[0] for row in await connection.fetch(_MARKS)} != {"number", "checksum"}:
            raise foreign
        applied = {int(number): str(mark) for number, mark in await connection.fetch("select * from migration")}
        if not applied:
            raise foreign
        return applied

    @property
    def _nothing(self) -> StoreError:
        return StoreError(f"{self.where}: no such store: the database is empty")

    async def _examine(self, connection: asyncpg.Connection) -> None:
        """Refuse a database that is not a store which this version can read."""
        applied = await self._applied(connection)
        if applied is None:
            raise self._nothing
        if due("postgres", applied, self.where):
            raise StoreError(f"{self.where}: an older version of Croupier made this store: open it for writing once")

    async def _listen(self) -> None:
        reader = await self._connect(_READ_SECONDS, write=False)
        try:
            await self._examine(reader)
            await reader.add_listener(CHANNEL, self._heard)
        except BaseException:
            reader.terminate()
            raise
        self._reader = reader
        reader.add_termination_listener(self._gone)

    def _heard(self, _connection: object, process: int, _channel: str, told: object) -> None:
        writer = self._writer
        if writer is not None and not writer.is_closed() and process == writer.get_server_pid():
            return  # this process has told its own listeners
        for stream, seq in heard(str(told)):
            self.hear(stream, seq)

    def _gone(self, connection: asyncpg.Connection) -> None:
        if self._closed or connection is not self._reader:
            return
        self._reader = None
        self._again = asyncio.get_running_loop().create_task(self._listen_again())

    async def _listen_again(self) -> None:
        """Hear again as soon as the server is back: whatever was said meanwhile has to be looked up."""
        while not self._closed:
            with suppress(StoreError):
                async with self._read_lock:
                    await self._reading()
                return
            await asyncio.sleep(1)

    async def _reading(self) -> asyncpg.Connection:
        """The connection that reads, opened again if it was lost."""
        if self._reader is None or self._reader.is_closed():
            self._reader = None
            await self._retried(self._listen)
            self.hear("*", 0)
        return self._reader

    async def _writing(self) -> asyncpg.Connection:
        if not self._write:
            raise StoreError(f"{self.where}: the store is open for reading only")
        if self._closed:
            raise StoreError(f"{self.where}: the store is closed")
        if self._writer is None:
            await self._retried(self._reopen)
        return self._writer

    async def _reopen(self) -> None:
        writer = await self._connect(_WRITE_SECONDS, write=True)
        try:
            await self._examine(writer)
        except BaseException:
            writer.terminate()
            raise
        self._writer = writer

    async def _retried(self, connect: Callable[[], Awaitable[None]]) -> None:
        """Connect, and wait for a server that is starting again; one that was away for longer is asked now and then."""
        clock, pause = asyncio.get_running_loop().time, 0.02
        if self._lost is not None and clock() > self._lost + _RETRY_SECONDS and clock() < self._asked + _ASK_SECONDS:
            raise StoreError(f"{self.where}: the server cannot be reached")
        while not self._closed:
            try:
                await connect()
            except LOST as error:
                self._asked = clock()
                self._lost = self._asked if self._lost is None else self._lost
                if self._asked + pause > self._lost + _RETRY_SECONDS:
                    raise StoreError(f"{self.where}: {words(error)}") from None
            else:
                self._lost = None
                return
            await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - only so that not all come at once
            pause = min(2 * pause, 1.0)
        raise StoreError(f"{self.where}: the store is closed")

    async def _failed(self, error: Exception) -> NoReturn:
        """Nobody knows what is durable: begin again with what the database says."""
        self.generation += 1
        if self._writer is not None:
            self._writer.terminate()
            self._writer = None
        self._known.clear()
        self._names.clear()
        with suppress(StoreError):  # the next append tries again
            await self._writing()
        self.hear("*", 0)
        raise CommitFailed(f"{self.where}: {words(error)}; what was being stored is read again") from None

    async def close(self) -> None:
        """Close both connections."""
        self._closed = True
        if self._again is not None:
            self._again.cancel()
            with suppress(asyncio.CancelledError):
                await self._again
        for connection in (self._writer, self._reader):
            if connection is not None:
                with suppress(*LOST):
                    await connection.close(timeout=5)
        self._writer = self._reader = None

    # --- writing

    async def apply(self, batch: Batch) -> None:
        """Make a batch durable; `AppendRefused` if it does not hold, `CommitFailed` if the server failed."""
        text, values = batch_statement(batch)
        async with self._lock:
            # A statement does not see the rows that it inserts: accounts must be there before they are moved.
            fresh = sorted(account for account in batch.accounts if account[0] not in self._known)
            if fresh:
                await self._run(
                    "insert into account(name, unit, floor)"
                    " select * from unnest($1::text[], $2::text[], $3::bigint[]) on conflict do nothing",
                    list(zip(*fresh, strict=True)),
                    batch.heads,
                )
                self._known.update(name for name, _, _ in fresh)
            if names := batch.event_names - self._names:
                sql = "insert into event_name select unnest($1::text[]) on conflict do nothing"
                await self._run(sql, [sorted(names)], batch.heads)
                self._names |= names
            await self._run(text, values, batch.heads)
            self.commits += 1

    async def execute(self, sql: str, *values: Value) -> list[Row]:
        """Run one statement that changes rows, durably, and return what it returns."""
        async with self._lock:
            return await self._run(sql, values)

    async def _run(self, sql: str, values: Iterable[Any], heads: Iterable[Any] = ()) -> list[Row]:
        writer = await self._writing()
        for _ in range(_DEADLOCKS):
            try:
                return [tuple(row) for row in await writer.fetch(sql, *values)]
            except asyncpg.DeadlockDetectedError:
                continue  # the server has undone it
            except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, asyncpg.RaiseError) as error:
                raise refusal(error) from None
            except (ValueError, OverflowError) as error:  # refused before it was sent
                raise AppendRefused(f"it cannot be stored: {error}") from None
            except asyncpg.PostgresError as error:
                if error.sqlstate == "CR001":
                    raise unexpected(str(error), heads) from None
                await self._failed(error)
            except LOST as error:
                await self._failed(error)
        raise Conflict("other processes were writing to the same accounts: try again")

    async def erase(self, table: str, sql: str, *values: Value) -> list[Row]:
        """Run one statement that takes something out of a table, which is then written anew without it."""
        rows = await self.execute(sql, *values)
        await self.execute(f"vacuum full {table}")
        return rows

    async def checkpoint(self) -> None:
        """Nothing to do: the server keeps house by itself."""

    # --- reading

    async def fetch(self, sql: str, *values: Value) -> list[Row]:
        """The rows of a query, as everything stands that is durable."""
        async with self._read_lock:
            for last in (False, True):
                reader = await self._reading()
                try:
                    return [tuple(row) for row in await reader.fetch(sql, *values)]
                except LOST as error:
                    if last or not is_lost(error, reader):
                        raise StoreError(f"{self.where}: {words(error)}") from None
                    reader.terminate()
        raise StoreError(f"{self.where}: the connection was lost")

    find = fetch

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Fetch]:
        """Queries that all see the store as it stands now, while others go on writing."""
        connection = await self._connect(_READ_SECONDS, write=False)

        async def fetch(sql: str, *values: Value) -> list[Row]:
            return [tuple(row) for row in await connection.fetch(sql, *values)]

        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                yield fetch
        except LOST as error:
            raise StoreError(f"{self.where}: {words(error)}") from None
        finally:
            await connection.close()

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Add rows as they are: for a copy of a whole store."""
        async with self._lock:
            writer = await self._writing()
            try:
                await writer.copy_records_to_table(table, columns=columns, records=rows)
            except LOST as error:
                await self._failed(error)

    async def is_sound(self) -> bool:
        """The server sees to it."""
        return True

    async def now(self) -> int:
        """The store's clock, in microseconds since 1970."""
        return int((await self.fetch(f"select {self.clock}"))[0][0])


def _number(text: str) -> int | Decimal:
    number = Decimal(text)
    return int(number) if number.is_finite() and number == number.to_integral_value() else number
