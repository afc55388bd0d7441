"""A batch as one statement of PostgreSQL: columns go as arrays, and what must hold is checked inside the statement.

One statement is one transaction and one trip to the server. Its parts run in a fixed order, heads before accounts, and
each locks its rows by name, so that two processes wait for each other and never deadlock.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from croupier.store.batch import Batch
from croupier.store.values import COLUMNS, HeadMove, Row

__all__ = ["CHANNEL", "Told", "batch_statement", "heard"]

CHANNEL: Final = "croupier"
"""Where processes tell each other which streams have moved on."""
_MOST_TOLD: Final = 7_500
"""A notification has less than 8,000 bytes."""
Told = tuple[str, int]

_MOVED: Final = (
    "update head set seq = given.seq, hash = given.hash from ("
    "select given.* from {given} as given(stream, epoch, after, seq, hash)"
    " join head using(stream) order by stream for update of head"
    ") as given where head.stream = given.stream and head.epoch = given.epoch and head.seq = given.after returning 1"
)
_POSTED: Final = (
    "update account set amount = account.amount + given.amount from ("
    "select given.* from {given} as given(name, amount, lowest)"
    " join account using(name) order by name for update of account"
    ") as given where account.name = given.name"
    " and (account.floor is null or account.amount + given.lowest >= account.floor) returning 1"
)
_TOTALED: Final = (
    "insert into total as held(stream, day, name, amount) select * from {given}"
    " on conflict(stream, day, name) do update set amount = held.amount + excluded.amount"
)
_TRIMMED: Final = (  # the row that this statement inserts is not seen yet: the newest before it stays
    "delete from snapshot where stream in (select * from {given}) and seq <"
    " (select max(newer.seq) from snapshot as newer where newer.stream = snapshot.stream)"
)
_PARTS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "head": (("text", "bigint", "bigint", "bigint", "bytea"), _MOVED),
    "account": (("text", "bigint", "bigint"), _POSTED),
    **{
        table: (tuple(columns.values()), f"insert into {table}({', '.join(columns)}) select * from {{given}}")  # noqa: S608 - our own names
        for table, columns in COLUMNS.items()
    },
    "total": (("text", "text", "text", "bigint"), _TOTALED),
    "spent": (("text",), "delete from secret where commitment in (select * from {given})"),
    "law": (("text", "text"), "insert into law(name, text) select * from {given} on conflict do nothing"),
    "trimmed": (("text",), _TRIMMED),
}
_EXPECTED: Final = ("head", "account")
"""Parts that must reach every row that they name."""


def batch_statement(batch: Batch) -> tuple[str, list[Any]]:
    """The statement that stores a batch, and its values."""
    rows: dict[str, Sequence[Row]] = {
        "head": batch.heads,
        "account": batch.moves,
        **batch.rows,
        "total": batch.totals,
        "spent": [(commitment,) for commitment in batch.spent],
        "law": sorted(batch.laws),
        "trimmed": [(stream,) for stream in {row[0] for row in batch.rows.get("snapshot", ())}],
    }
    parts = tuple(name for name in _PARTS if rows.get(name))
    values: list[Any] = [column for name in parts for column in zip(*rows[name], strict=True)]
    return _text(parts), [*values, _told(batch.heads)]


@cache
def _text(parts: tuple[str, ...]) -> str:
    """The statement with these parts; there are only a few different ones."""
    number, written, results = 1, [], []
    for name in parts:
        types, sql = _PARTS[name]
        given = ", ".join(f"${number + place}::{kind}[]" for place, kind in enumerate(types))
        written.append(f"do_{name} as ({sql.format(given=f'unnest({given})')})")
        if name in _EXPECTED:
            results.append(f"expect((select count(*) from do_{name}), cardinality(${number}), '{name}')")  # noqa: S608 - our own names
        number += len(types)
    results.append(f"pg_notify('{CHANNEL}', ${number})")
    return f"with {', '.join(written)} select {', '.join(results)}"


def _told(heads: Sequence[HeadMove]) -> str:
    """What other processes are told: every stream and its last entry, or that there are too many to name.

    >>> heard(_told([HeadMove("table/1", 1, 4, 6, b""), HeadMove("table/2", 1, 0, 1, b"")]))
    [('table/1', 6), ('table/2', 1)]
    >>> heard(_told([HeadMove(f"table/{number}", 1, 0, 1, b"") for number in range(1_000)]))
    [('*', 0)]
    """
    told = "\n".join([f"{head.stream} {head.seq}" for head in heads])
    return told if len(told.encode()) <= _MOST_TOLD else "*"


def heard(told: str) -> list[Told]:
    """The streams that another process names; `*` stands for all of them."""
    streams = []
    for line in told.splitlines():
        stream, _, seq = line.rpartition(" ")
        if not stream or not seq.isdecimal():
            return [("*", 0)]
        streams.append((stream, int(seq)))
    return streams
