"""Numbered migrations, each with its checksum: a store that is newer, or was migrated by other texts, is refused."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias

from croupier.errors import StoreError

__all__ = ["EngineName", "Migration", "due", "migrations"]

EngineName: TypeAlias = Literal["sqlite", "postgres"]
_FOLDER: Final = files("croupier.store") / "migrations"


class Migration(NamedTuple):
    """One step of the schema."""

    number: int
    text: str
    checksum: str


def migrations(engine: EngineName) -> tuple[Migration, ...]:
    """Every migration for an engine, in order.

    >>> [step.number for step in migrations("sqlite")] == [step.number for step in migrations("postgres")]
    True
    """
    texts = {path.name: path.read_text("utf-8") for path in _FOLDER.iterdir() if path.name.endswith(f".{engine}.sql")}
    return tuple(
        Migration(int(name.partition("-")[0]), text, sha256(text.encode()).hexdigest())
        for name, text in sorted(texts.items())
    )


def due(engine: EngineName, applied: Mapping[int, str], name: str) -> tuple[Migration, ...]:
    """The migrations that a store still needs; `StoreError` if it is not one that this version can bring forward.

    >>> due("sqlite", {99: "?"}, "x.db")
    Traceback (most recent call last):
    croupier.errors.StoreError: x.db: a newer version of Croupier made this store (its format is 99, this one reads 4)
    """
    known = {step.number: step for step in migrations(engine)}
    if newer := sorted(set(applied) - set(known)):
        raise StoreError(
            f"{name}: a newer version of Croupier made this store"
            f" (its format is {newer[-1]}, this one reads {max(known)})"
        )
    for number, checksum in applied.items():
        if known[number].checksum != checksum:
            raise StoreError(
                f"{name}: step {number} of its format is not the one of this version: the store is foreign"
            )
    return tuple(step for number, step in known.items() if number not in applied)
