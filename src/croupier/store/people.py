"""The names of people. The record has their ids only: a name can be erased, and nothing in the record changes."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from croupier.errors import Malformed, StoreError
from croupier.ids import check_id
from croupier.journal import micros
from croupier.store.store import Store
from croupier.store.values import Row

__all__ = ["CREDENTIALS_KEY", "forget_person", "keep_practice", "name_person", "names_in", "practice_of"]

LONGEST_NAME: Final = 200
_OF_A_PERSON: Final = (
    ("credential", "person"),
    ("session", "person"),
    ("familiar", "person"),
    ("draft", "person"),
    ("practice", "person"),
    ("person", "id"),
)
CREDENTIALS_KEY: Final = "credentials"
"""The data key that seals second factors: it belongs to no gaming day, and is kept as long as the house."""


async def names_in(store: Store) -> dict[str, str]:
    """The names of people by id, in order, as far as they have not been forgotten."""
    return {str(person): str(name) for person, name in await store.read("select id, name from person order by id")}


async def name_person(store: Store, person: str, name: str) -> None:
    """Give an id a name; a name that it had is erased."""
    check_id(person, "id")
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise Malformed(f"a name has 1 to {LONGEST_NAME} printable characters, and no outer space")
    sql = "insert into person(id, name) values($1, $2) on conflict(id) do update set name = excluded.name"
    await store.engine.erase("person", sql, person, name)


async def practice_of(store: Store, person: str) -> str:
    """What the trainer remembers of a person, as it was kept; empty if that is nothing."""
    rows = await store.read("select kept from practice where person = $1", person)
    return str(rows[0][0]) if rows else ""


async def keep_practice(store: Store, person: str, kept: str, at: datetime) -> None:
    """Remember this of a person, instead of what was remembered before."""
    await store.engine.execute(
        "insert into practice(person, kept, saved) values($1, $2, $3)"
        " on conflict(person) do update set kept = excluded.kept, saved = excluded.saved",
        person,
        kept,
        micros(at),
    )


async def forget_person(store: Store, person: str) -> bool:
    """Erase a person's name, sign-in and practice, so that not even the disk has them; False if there is none."""
    gone: list[Row] = []
    trace: StoreError | None = None
    for table, column in _OF_A_PERSON:
        sql = f"delete from {table} where {column} = $1 returning {column}"  # noqa: S608 - our own tables
        try:
            gone = await store.engine.erase(table, sql, person)
        except StoreError as error:  # a reader keeps a trace of it: the rest goes all the same
            trace = error
    if trace is not None:
        raise trace
    return bool(gone)
