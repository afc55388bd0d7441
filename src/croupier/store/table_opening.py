"""The tables of a store by their ids: each goes on where it stopped, under rules that it knows."""

from __future__ import annotations

from datetime import datetime

from croupier.driver import Staff
from croupier.errors import RulesMismatch
from croupier.journal import read_line
from croupier.store.links import Link, link_of
from croupier.store.store import Store
from croupier.store.stored_table import OPERATOR, MakeSource, StoredTable
from croupier.table import Person, Table, stream_of

__all__ = ["open_table"]


async def open_table(
    store: Store,
    table: Table,
    source: MakeSource,
    *,
    by: Person = OPERATOR,
    at: datetime | None = None,
    automatic: Staff | None = None,
    seconds: float = 0,
    links: dict[str, Link] | None = None,
    reads_shuffles: bool = False,
    any_rules: bool = False,
) -> StoredTable:
    """The stored table of this id, which goes on where it stopped.

    A new table is created now, if `at` says when that is, or by its first command. The rules must be the ones that the
    stored table plays under, or was created with: `RulesMismatch` otherwise, unless `any_rules` are accepted and the
    stored table goes on under its own. Tables of one process that share a meter share `links`. A source whose seeds
    are not drawn at random is told which ones it has used if it `reads_shuffles`.
    """
    stored = StoredTable(
        store, stream_of(table), source, automatic=automatic, seconds=seconds, reads_shuffles=reads_shuffles
    )
    if not await stored.load():
        stored.begin_with(table, by)
    elif not any_rules and not await _is_known(store, stored, table.house.hash):
        raise RulesMismatch(
            f"table {table.id} plays under other rules in this store ({stored.table.house.hash[:12]}…, here"
            f" {table.house.hash[:12]}…): give it another id, or change its rules at the table"
        )
    if name := link_of(stored.table.house):
        stored.link = links.setdefault(name, Link(store, name)) if links is not None else Link(store, name)
        if stored.table.clock is not None:
            await stored.link.join(stored.table, stored.table.clock)
    if at is not None and stored.is_unborn:
        await stored.create(by, at)
    return stored


async def _is_known(store: Store, stored: StoredTable, rules: str) -> bool:
    """Whether these are the rules of a table, or those that it was created with: it may have changed them since."""
    if rules == stored.table.house.hash:
        return True
    (first,) = await store.load(stored.stream, until=1)
    return read_line(first.line).rules == rules
