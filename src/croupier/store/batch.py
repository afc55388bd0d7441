"""Group commit: while one batch becomes durable, the next one gathers. An answer leaves only after its commit.

A batch is written as one transaction. If the store refuses it, each append is tried by itself, so that the one at fault
is refused and no other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from croupier.errors import AppendRefused, Conflict
from croupier.store.values import COLUMNS, AccountMove, Append, HeadMove, Row, Rows

__all__ = ["Batch", "GroupCommit", "Writer", "merged"]


_NAME: Final = list(COLUMNS["event"]).index("name")


class Batch(Struct, frozen=True, kw_only=True):
    """Several appends as one transaction."""

    heads: tuple[HeadMove, ...]
    """One for each stream."""
    rows: Rows
    accounts: tuple[tuple[str, str, int | None], ...]
    moves: tuple[AccountMove, ...]
    """One for each account."""
    totals: tuple[Row, ...]
    """One for each stream, day and name."""
    spent: tuple[str, ...]
    laws: tuple[tuple[str, str], ...]

    @property
    def event_names(self) -> set[str]:
        """The names of its events."""
        return {row[_NAME] for row in self.rows.get("event", ())}


class Writer(Protocol):
    """Where batches go: whole, or not at all."""

    async def apply(self, batch: Batch) -> None:
        """Make a batch durable; `AppendRefused` if it does not hold, `CommitFailed` if nobody knows."""


def merged(appends: Sequence[Append]) -> Batch:
    """These appends, in order, as one batch; `Conflict` if two of them move one stream differently.

    >>> one = Append(heads=(HeadMove("table/1", 1, 4, 6, b"x"),), rows={}, moves=(("cage", -5),))
    >>> two = Append(heads=(HeadMove("table/2", 1, 0, 1, b"y"),), rows={}, moves=(("cage", 3),))
    >>> merged([one, two]).moves
    (AccountMove(name='cage', amount=-2, lowest=-5),)
    """
    heads: dict[str, HeadMove] = {}
    rows: Rows = {}
    accounts: dict[str, tuple[str, str, int | None]] = {}
    moves: dict[str, list[int]] = {}
    totals: dict[tuple[str, str, str], int] = {}
    spent: list[str] = []
    laws: dict[str, str] = {}
    for append in appends:
        for head in append.heads:
            before = heads.setdefault(head.stream, head)
            if before is not head:
                if (before.seq, before.epoch) != (head.after, head.epoch):
                    raise Conflict(f"{head.stream}: entry {head.after + 1} is taken")
                heads[head.stream] = before._replace(seq=head.seq, hash=head.hash)
        for table, more in append.rows.items():
            rows.setdefault(table, []).extend(more)
        for account in append.accounts:
            accounts[account[0]] = account
        for name, amount in append.moves:
            move = moves.get(name)
            if move is None:
                moves[name] = [amount, min(amount, 0)]
            else:
                move[0] += amount
                move[1] = min(move[1], move[0])
        for stream, day, name, amount in append.totals:
            totals[stream, day, name] = totals.get((stream, day, name), 0) + amount
        if append.command is not None:
            head = append.heads[0]
            rows.setdefault("command", []).append((*append.command, head.after + 1, head.seq))
        if append.spent:
            spent.extend(append.spent)
        if append.laws:
            laws.update(append.laws)
    if "secret" in rows:  # a seed that came and went needs no row
        rows["secret"] = [row for row in rows["secret"] if row[0] not in spent]
    return Batch(
        heads=tuple(heads.values()),
        rows={table: rows[table] for table in COLUMNS if rows.get(table)},
        accounts=tuple(accounts.values()),
        moves=tuple(AccountMove(name, *move) for name, move in sorted(moves.items())),
        totals=tuple((*place, amount) for place, amount in sorted(totals.items()) if amount),
        spent=tuple(spent),
        laws=tuple(laws.items()),
    )


class GroupCommit:
    """Appends from many tables, made durable together; `stored` hears of each, even if its caller has given up."""

    def __init__(self, writer: Writer, stored: Callable[[Append], None] = lambda _: None) -> None:
        self._writer: Final = writer
        self._stored: Final = stored
        self._waiting: list[tuple[Append, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def append(self, append: Append) -> asyncio.Future[None]:
        """Store an append; the future is done once it is durable."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, future))
        if self._task is None:
            self._task = asyncio.create_task(self._flush())
        return future

    async def settled(self) -> None:
        """Wait until nothing is being stored."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _flush(self) -> None:
        try:
            while self._waiting:
                waiting, self._waiting = self._waiting, []
                await self._store(waiting)
        finally:
            self._task = None

    async def _store(self, waiting: list[tuple[Append, asyncio.Future[None]]]) -> None:
        try:
            await self._writer.apply(merged([append for append, _ in waiting]))
        except AppendRefused as refusal:
            if len(waiting) == 1:
                _answer(waiting[0][1], refusal)
                return
            for single in waiting:
                await self._store([single])
        except Exception as failure:  # noqa: BLE001 - whoever waits must be answered
            for _, future in waiting:
                _answer(future, failure)
        else:
            for append, future in waiting:
                self._stored(append)
                if not future.done():
                    future.set_result(None)


def _answer(future: asyncio.Future[None], error: Exception) -> None:
    if not future.done():  # whoever asked may have given up
        future.set_exception(error)
