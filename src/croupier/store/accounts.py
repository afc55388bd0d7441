"""The accounts of a house as they stand, and what moved one of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.store.store import Store

__all__ = ["AccountHeld", "AccountPosting", "accounts_in", "moves_of"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class AccountHeld(Struct, frozen=True):
    """An account and what it holds: cents, or 1/10,000 cents for a meter."""

    name: str
    unit: str
    floor: int | None
    amount: int


class AccountPosting(Struct, frozen=True):
    """What an entry added to an account, or took from it."""

    stream: str
    entry: int
    at: datetime
    event: str
    amount: int
    balance: int
    """What the account held after it."""


async def accounts_in(store: Store, beginning: str = "") -> list[AccountHeld]:
    """Every account whose name begins like this, in the order of their names."""
    rows = await store.read("select name, unit, floor, amount from account")
    held = [AccountHeld(str(name), str(unit), floor, int(amount)) for name, unit, floor, amount in rows]
    return sorted((account for account in held if account.name.startswith(beginning)), key=lambda held: held.name)


async def moves_of(store: Store, name: str, *, limit: int) -> tuple[AccountHeld, list[AccountPosting]]:
    """An account and its last postings, the newest first; refused if there is no such account."""
    account = next((held for held in await accounts_in(store, name) if held.name == name), None)
    if account is None:
        raise RuleViolation("no_account", f"{name} is not an account of this store", clause="")
    values: list[str | int] = [name, *([stream] if (stream := _stream(name)) is not None else []), limit]
    where = "p.account = $1" if stream is None else "p.account = $1 and p.stream = $2"
    rows = await store.read(
        "select e.stream, e.seq, e.at, e.name, p.amount from posting p"  # noqa: S608 - only places
        f" join event e on e.stream = p.stream and e.seq = p.seq where {where}"
        f" order by e.at desc, e.stream desc, e.seq desc limit ${len(values)}",
        *values,
    )
    moves, balance = [], account.amount
    for at_stream, seq, at, event, amount in rows:
        when = _EPOCH + timedelta(microseconds=int(at))
        moves.append(AccountPosting(str(at_stream), int(seq), when, str(event), int(amount), balance))
        balance -= int(amount)
    return account, moves


def _stream(name: str) -> str | None:
    """The only stream that moves an account; None where several do.

    >>> _stream("patron/ann"), _stream("table/7/tray"), _stream("cage")
    ('cage', 'table/7', None)
    """
    if name.startswith("patron/"):
        return "cage"
    return "/".join(name.split("/")[:2]) if name.startswith("table/") else None
