"""What a store keeps, as rows: one list of tables for every engine, and everything that one command stores."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

__all__ = [
    "COLUMNS",
    "AccountMove",
    "Append",
    "Claim",
    "Command",
    "Fetch",
    "HeadMove",
    "Holdings",
    "Row",
    "Rows",
    "StoredLine",
    "Value",
]

Row = tuple[Any, ...]
Value: TypeAlias = str | int | bytes | None
"""What a column holds, and what a query takes."""


class Fetch(Protocol):
    """Rows of a query, with its values."""

    def __call__(self, sql: str, *values: Value) -> Awaitable[list[Row]]:
        """The rows."""


Rows = dict[str, list[Row]]
"""Rows to insert, by the name of their table."""

COLUMNS: Final[dict[str, dict[str, str]]] = {
    "event": {
        "stream": "text", "seq": "bigint", "name": "text", "at": "bigint", "round": "bigint",
        "line": "bytea", "sealed": "bytea", "key": "bigint", "hash": "bytea", "postings": "json",
    },
    "command": {
        "stream": "text", "giver": "text", "key": "text", "digest": "bytea", "first": "bigint", "last": "bigint",
    },
    "secret": {"commitment": "text", "stream": "text", "sealed": "bytea", "key": "bigint"},
    "snapshot": {"stream": "text", "seq": "bigint", "version": "bigint", "hash": "bytea", "state": "bytea"},
    "round": {
        "stream": "text", "number": "bigint", "opened": "bigint", "closed": "bigint", "first": "bigint",
        "last": "bigint", "rules": "text", "void": "bigint", "staked": "bigint", "paid": "bigint",
        "hands": "text", "clauses": "text", "irregularities": "text",
    },
    "played": {
        "patron": "text", "closed": "bigint", "stream": "text", "number": "bigint", "seat": "bigint",
        "staked": "bigint", "paid": "bigint",
    },
    "reveal": {"commitment": "text", "stream": "text", "seq": "bigint"},
}  # fmt: skip
"""The tables that an append only adds to, with the type of each column."""


class HeadMove(NamedTuple):
    """A stream moves on, if it stands where its writer believes and the writer still holds it."""

    stream: str
    epoch: int
    after: int
    seq: int
    hash: bytes


class AccountMove(NamedTuple):
    """What an account gains, and how low it falls on the way; refused below its floor."""

    name: str
    amount: int
    lowest: int


class Command(NamedTuple):
    """A command that is safe to send twice: who gave it, its key, and a digest of all of it."""

    stream: str
    giver: str
    key: str
    digest: bytes


class Append(Struct, frozen=True, kw_only=True):
    """Everything that one command stores: whole, or not at all."""

    heads: tuple[HeadMove, ...]
    rows: Rows
    accounts: tuple[tuple[str, str, int | None], ...] = ()
    """Name, unit and floor of every account that is moved."""
    moves: tuple[tuple[str, int], ...] = ()
    """What is added to each account, in order."""
    totals: tuple[tuple[str, str, str, int], ...] = ()
    """Stream, gaming day and name of a running total, and what is added."""
    spent: tuple[str, ...] = ()
    """Commitments whose seeds are no longer needed."""
    laws: tuple[tuple[str, str], ...] = ()
    """Texts by name: rulebooks and houses, for whoever judges this record later."""
    command: Command | None = None


class Claim(NamedTuple):
    """A stream that this process may write to: its epoch, and where its chain stands."""

    stream: str
    epoch: int
    seq: int
    hash: bytes


class Holdings(NamedTuple):
    """Who runs what, as the store has it at one moment."""

    processes: tuple[str, ...]
    """The processes that run, in order."""
    holders: dict[str, str]
    """The process that holds each stream; nothing for one that anybody may take over."""
    heads: dict[str, int]
    """The number of the last entry of each stream."""


class StoredLine(NamedTuple):
    """A line as it is stored."""

    seq: int
    line: bytes
    sealed: bytes | None
    key: int | None
    hash: bytes
