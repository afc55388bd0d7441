"""A store in one SQLite file, for one process at a time.

Rows are written on the event loop's thread; only the commit, which waits for the disk, goes to a thread of its own,
unless one command is alone and the disk is so quick that going there would take as long.
Reports and checkpoints of the write-ahead log use a connection beside it, so that no commit waits for them.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import ClassVar, Final, TypeVar

import apsw

from croupier.errors import AppendRefused, CommitFailed, Conflict, Duplicate, Overdrawn, StoreError
from croupier.store.batch import Batch
from croupier.store.migrate import due
from croupier.store.sqlite_file import APPLICATION, check_ours, connect, connect_to_read, has_content, own, words
from croupier.store.sqlite_log import rewrite_log
from croupier.store.values import COLUMNS, Fetch, Row, Value
from croupier.store.worker import Worker

__all__ = ["APPLICATION", "SqliteEngine"]

T = TypeVar("T")

CHECKPOINT_PAGES: Final = 1_000
_PASSIVE: Final = apsw.SQLITE_CHECKPOINT_PASSIVE
_QUICK: Final = 0.002
"""Seconds: a commit that takes less is not worth waking a thread for, which on a busy machine takes longer."""
_WRITE: Final = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_MARKS: Final = "create table if not exists migration(number integer primary key, checksum text not null) strict"
_NOT_STORABLE: Final = (apsw.SQLITE_CONSTRAINT_TRIGGER, apsw.SQLITE_CONSTRAINT_DATATYPE, apsw.SQLITE_CONSTRAINT_NOTNULL)
_INSERTS: Final = {
    table: f"insert into {table}({', '.join(columns)}) values({', '.join('?' * len(columns))})"
    for table, columns in COLUMNS.items()
}


class SqliteEngine:
    """One SQLite file. `inline` runs everything on the caller's thread, on one connection: for simulated disks."""

    name: ClassVar[str] = "sqlite"
    clock: ClassVar[str] = "cast(unixepoch('subsec') * 1000000 as integer)"
    free: ClassVar[str] = "true"  # one process writes to the file: the lock on it has settled who
    connected: ClassVar[str] = "true"

    def __init__(
        self,
        path: Path | str,
        *,
        vfs: str | None = None,
        inline: bool = False,
        write: bool = True,
        create: bool = True,
    ) -> None:
        self.path = self.where = str(path)
        self.owner = secrets.token_hex(8)
        self.generation = 0
        """Rises when the connection had to be opened again: whatever was in memory must be read again."""
        self.hear: Callable[[str, int], None] = lambda _stream, _seq: None
        """Called when anything may have changed: nobody else appends."""
        self._vfs, self._inline, self._write, self._create = vfs, inline, write, write and create
        self._lock = asyncio.Lock()
        self._commits = Worker("commit")
        self._reads = Worker("read")
        self._known: set[str] = set()
        self._names: set[str] = set()
        self._owner: apsw.Connection | None = None
        self._pages = 0
        self._folding: asyncio.Task[None] | None = None
        self._took = 1.0
        """Seconds that the last commit took."""
        self._lost = False
        """The connection is closed, and could not be opened again."""
        self.commits = 0
        """How many batches were committed: each waits for the disk once."""
        if not inline and write:
            self._owner = own(self.path, create=self._create)
        try:
            self._open()
        except BaseException:
            self._release()
            raise

    # --- opening and closing

    def _open(self) -> None:
        try:
            self._connect()
        except (apsw.Error, UnicodeError) as error:
            raise StoreError(f"{self.path}: {words(error)}") from None

    def _connect(self) -> None:
        if not self._inline and has_content(self.path):
            with suppress(apsw.ReadOnlyError):  # a half-made change is taken back first, which only a writer can do
                reader = connect_to_read(self.path)
                try:
                    self._examine(reader)
                finally:
                    reader.close(force=True)
        if self._write:
            rewrite_log(self.path, self._vfs)
        main = connect(self.path, _WRITE, self._vfs) if self._write else connect_to_read(self.path)
        try:
            self._prepare(main)
            self._side = connect(self.path, apsw.SQLITE_OPEN_READWRITE) if self._write and not self._inline else main
        except BaseException:
            main.close(force=True)
            raise
        self._main = main
        main.set_wal_hook(self._grown)
        self._known.clear()
        self._names.clear()

    def _prepare(self, main: apsw.Connection) -> None:
        if self._inline:
            main.pragma("locking_mode", "exclusive")  # before anything reads the file
        if self._write:
            self._examine(main)
            main.pragma("synchronous", "extra")  # before WAL: else the switch itself could be lost in a power cut
            main.pragma("journal_mode", "wal")
            main.pragma("synchronous", "extra")
            main.wal_autocheckpoint(0)
            self._migrate(main)

    def _examine(self, connection: apsw.Connection) -> None:
        """Refuse a foreign, damaged or newer file before anything could change it."""
        check_ours(connection, self.path)
        applied = _applied(connection)
        if not applied and not self._create:
            raise StoreError(f"{self.path}: no such store: there is nothing in the file")
        if due("sqlite", applied, self.path) and not self._write:
            raise StoreError(f"{self.path}: an older version of Croupier made this store: open it for writing once")

    def _migrate(self, main: apsw.Connection) -> None:
        for step in due("sqlite", _applied(main), self.path):
            with main:
                main.pragma("application_id", APPLICATION)
                main.execute(_MARKS)
                main.execute(step.text)
                main.execute("insert into migration(number, checksum) values(?, ?)", (step.number, step.checksum))

    def _grown(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        self._pages = pages
        return apsw.SQLITE_OK

    def _reopen(self) -> None:
        """After a failed commit nobody knows what is durable: begin again with what the disk says."""
        self.generation += 1
        self._lost = True
        for connection in {self._main, self._side}:
            with suppress(apsw.Error):
                connection.close(force=True)
        self._open()
        self._lost = False
        self.hear("*", 0)

    def _failed(self, error: apsw.Error) -> CommitFailed:
        with suppress(StoreError):  # while the disk still fails; whoever comes next tries again
            self._reopen()
        return CommitFailed(f"{self.path}: {words(error)}; what was being stored is read again")

    def _found(self) -> None:
        """Open the file again if it was lost."""
        if self._lost:
            self._reopen()

    async def close(self) -> None:
        """Close the file; its write-ahead log is folded in."""
        if self._folding is not None:
            await self._folding
        async with self._lock:
            if self._write:
                with suppress(apsw.Error):
                    self._main.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            for connection in {self._main, self._side}:
                with suppress(apsw.Error):
                    connection.close(force=True)
            self._release()

    def _release(self) -> None:
        self._commits.stop()
        self._reads.stop()
        if self._owner is not None:
            self._owner.close(force=True)

    # --- writing

    async def apply(self, batch: Batch) -> None:
        """Make a batch durable; `AppendRefused` if it does not hold, `CommitFailed` if the disk failed."""
        async with self._lock:
            self._found()
            try:
                self._begin(batch)
                if self._took < _QUICK and len(batch.heads) == 1:
                    self._commit()
                else:
                    await self._hop(self._commits, self._commit)
            except apsw.ConstraintError as error:
                self._main.execute("rollback")
                raise _refusal(error) from None
            except AppendRefused:
                self._main.execute("rollback")
                raise
            except (ValueError, OverflowError) as error:  # a text or number that SQLite has no form for
                self._main.execute("rollback")
                raise AppendRefused(f"it cannot be stored: {error}") from None
            except apsw.Error as error:
                raise self._failed(error) from None
            self.commits += 1
            self._known.update(name for name, _, _ in batch.accounts)
            self._names |= batch.event_names
        if self._pages >= CHECKPOINT_PAGES and not self._inline and self._folding is None:
            self._folding = asyncio.create_task(self.checkpoint())

    def _begin(self, batch: Batch) -> None:
        main = self._main
        main.execute("begin immediate")
        changed = main.total_changes()
        main.executemany(
            "update head set seq = ?, hash = ? where stream = ? and seq = ? and epoch = ?",
            [(head.seq, head.hash, head.stream, head.after, head.epoch) for head in batch.heads],
        )
        if main.total_changes() - changed != len(batch.heads):
            streams = ", ".join(sorted(head.stream for head in batch.heads))
            raise Conflict(f"{streams}: another process writes here now")
        for table, rows in batch.rows.items():
            main.executemany(_INSERTS[table], rows)
        fresh = [account for account in batch.accounts if account[0] not in self._known]
        if fresh:
            main.executemany("insert into account(name, unit, floor) values(?, ?, ?) on conflict do nothing", fresh)
        changed = main.total_changes()
        main.executemany(
            "update account set amount = amount + ?1 where name = ?2 and (floor is null or amount + ?3 >= floor)",
            [(move.amount, move.name, move.lowest) for move in batch.moves],
        )
        if main.total_changes() - changed != len(batch.moves):
            raise Overdrawn("an account would fall below its floor")
        if batch.totals:
            main.executemany(
                "insert into total(stream, day, name, amount) values(?, ?, ?, ?)"
                " on conflict do update set amount = amount + excluded.amount",
                batch.totals,
            )
        self._seldom(batch)

    def _seldom(self, batch: Batch) -> None:
        if names := batch.event_names - self._names:
            sql = "insert into event_name(name) values(?) on conflict do nothing"
            self._main.executemany(sql, [(name,) for name in names])
        if batch.spent:
            self._main.executemany("delete from secret where commitment = ?", [(name,) for name in batch.spent])
        if batch.laws:
            self._main.executemany("insert into law(name, text) values(?, ?) on conflict do nothing", batch.laws)
        for stream in {row[0] for row in batch.rows.get("snapshot", ())}:
            self._main.execute(
                "delete from snapshot where stream = ?1 and seq not in"
                " (select seq from snapshot where stream = ?1 order by seq desc limit 2)",
                (stream,),
            )

    def _commit(self) -> None:
        begun = perf_counter()
        self._main.execute("commit")
        self._took = perf_counter() - begun

    async def execute(self, sql: str, *values: Value) -> list[Row]:
        """Run one statement that changes rows, durably, and return what it returns."""
        async with self._lock:
            self._found()
            try:
                rows = self._run(sql, values)
                await self._hop(self._commits, self._commit)
            except apsw.ConstraintError as error:
                self._main.execute("rollback")
                raise _refusal(error) from None
            except (ValueError, OverflowError) as error:
                self._main.execute("rollback")
                raise AppendRefused(f"it cannot be stored: {error}") from None
            except apsw.Error as error:
                raise self._failed(error) from None
            return rows

    def _run(self, sql: str, values: Sequence[Value]) -> list[Row]:
        self._main.execute("begin immediate")
        return list(self._main.execute(sql, tuple(values)))

    async def erase(self, table: str, sql: str, *values: Value) -> list[Row]:  # noqa: ARG002 - as the protocol has it
        """Run one statement that takes something out, and leave no trace of it in the file or its log."""
        self._main.pragma("secure_delete", True)  # noqa: FBT003
        rows = await self.execute(sql, *values)
        try:
            await self._hop(self._commits, lambda: self._main.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE))
        except apsw.BusyError:
            raise StoreError(f"{self.path}: done, but while others read its log has a trace: do it again") from None
        return rows

    async def checkpoint(self) -> None:
        """Fold the write-ahead log into the file, if it has grown.

        Most of it while commits go on. What they added meanwhile is folded in between two of them: only then the log
        begins anew, and a log that grows without end makes every sync take longer.
        """
        if self._pages < CHECKPOINT_PAGES:
            return
        self._pages = 0
        try:
            with suppress(apsw.Error):  # the log stays, and grows until the next time
                await self._hop(self._reads, lambda: self._side.wal_checkpoint(mode=_PASSIVE))
                async with self._lock:
                    await self._hop(self._commits, lambda: self._main.wal_checkpoint(mode=_PASSIVE))
        finally:
            self._folding = None

    # --- reading

    async def fetch(self, sql: str, *values: Value) -> list[Row]:
        """The rows of a query, as everything stands that is durable."""
        if self._inline or self._lost:
            async with self._lock:  # one connection: nothing is read that is not durable
                self._found()
        return await self._hop(self._reads, lambda: self._rows(self._side, sql, values))

    async def find(self, sql: str, *values: Value) -> list[Row]:
        """The same for a row that is found by its key, which is not worth waking a thread for."""
        async with self._lock:  # of the connection that writes: nothing is read that is not durable
            self._found()
            return self._rows(self._main, sql, values)

    def _rows(self, connection: apsw.Connection, sql: str, values: Sequence[Value]) -> list[Row]:
        try:
            return list(connection.execute(sql, values))
        except (apsw.Error, UnicodeError) as error:
            raise StoreError(f"{self.path}: {words(error)}") from None

    async def is_sound(self) -> bool:
        """Whether every row has the form that it must have."""
        try:
            return await self.fetch("select * from pragma_quick_check(1)") == [("ok",)]
        except StoreError:
            return False

    async def now(self) -> int:
        """The store's clock, in microseconds since 1970."""
        return int((await self.fetch(f"select {self.clock}"))[0][0])

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Fetch]:
        """Queries that all see the store as it stands now, while others go on writing."""
        connection = self._main if self._inline else connect_to_read(self.path)
        connection.execute("begin")

        async def fetch(sql: str, *values: Value) -> list[Row]:
            return await self._hop(self._reads, lambda: self._rows(connection, sql, values))

        try:
            await fetch("select 1 from meta limit 1")
            yield fetch
        finally:
            connection.execute("rollback")
            if not self._inline:
                connection.close()

    async def insert(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Add rows as they are: for a copy of a whole store."""
        places = ", ".join("?" * len(columns))
        async with self._lock:
            try:
                with self._main:
                    self._main.executemany(f"insert into {table}({', '.join(columns)}) values({places})", rows)
            except apsw.ConstraintError as error:
                raise _refusal(error) from None
            except apsw.Error as error:
                raise self._failed(error) from None

    async def _hop(self, worker: Worker, work: Callable[[], T]) -> T:
        return work() if self._inline else await worker.run(work)


def _applied(connection: apsw.Connection) -> dict[int, str]:
    if not list(connection.execute("select 1 from sqlite_schema where name = 'migration'")):
        return {}
    return dict(connection.execute("select number, checksum from migration"))


def _refusal(error: apsw.ConstraintError) -> AppendRefused:
    if error.extendedresult == apsw.SQLITE_CONSTRAINT_CHECK:  # type: ignore[attr-defined] # apsw's stub lacks it
        return Overdrawn("an account would fall below its floor")
    if error.extendedresult in _NOT_STORABLE:  # type: ignore[attr-defined]
        return AppendRefused(f"it cannot be stored: {error}")
    if "command." in str(error):
        return Duplicate("this command was stored before")
    return Conflict(f"another process has written here: {error}")
