"""The lines of a stream, each held against the chain, and what a store keeps beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Final, NamedTuple

from msgspec import DecodeError, Struct, ValidationError, json

from croupier.errors import BrokenRecord
from croupier.journal import chain_hash, first_hash, micros
from croupier.store.store import Store

__all__ = ["ChainedLine", "chained", "check_heads", "misfiled"]

_AT_ONCE: Final = 5_000


class ChainedLine(NamedTuple):
    """A line whose hash holds, with the columns that reports look for."""

    seq: int
    line: bytes
    hash: bytes
    name: str
    at: int
    round: int


class _What(Struct):
    event: str


class _Place(Struct):
    """What a line says about itself."""

    at: datetime
    what: _What
    round: int = 0


_PLACE: Final = json.Decoder(_Place)


async def chained(store: Store, stream: str) -> AsyncIterator[ChainedLine]:
    """The lines of a stream; `BrokenRecord` where the chain does not hold, or ends before its head."""
    rows = await store.read("select seq, hash from head where stream = $1", stream)
    last, head, seen = int(rows[0][0]), first_hash(stream), 0
    for after in range(0, last, _AT_ONCE):
        for row in await store.read(
            "select seq, line, hash, name, at, round from event"
            " where stream = $1 and seq > $2 and seq <= $3 order by seq",
            stream,
            after,
            min(after + _AT_ONCE, last),
        ):
            stored = ChainedLine(*row)
            head, seen = chain_hash(head, stored.line), seen + 1
            if head != stored.hash or stored.seq != seen:
                raise BrokenRecord(f"{stream}, entry {stored.seq}: the chain does not hold")
            yield stored
    if seen != last or head != bytes(rows[0][1]):
        raise BrokenRecord(f"{stream}: its last entries are missing")


def misfiled(stored: ChainedLine) -> str:
    """Which column is not the one of the line, and how it should be; nothing if all are."""
    try:
        place = _PLACE.decode(stored.line)
    except (DecodeError, ValidationError, ValueError) as error:
        return f"the line cannot be read: {error}"
    for column, held, own in (
        ("name", stored.name, place.what.event),
        ("at", stored.at, micros(place.at)),
        ("round", stored.round, place.round),
    ):
        if held != own:
            return f"it is filed under the {column} {held}, but its line says {own}"
    return ""


async def check_heads(store: Store) -> None:
    """Every stream has as many entries as its head says, and nothing lies beyond; `BrokenRecord` otherwise."""
    heads: dict[str, int] = dict(await store.read("select stream, seq from head where seq > 0"))
    for stream, number in await store.read("select stream, count(*) from event group by stream"):
        if number != heads.get(stream, 0):
            raise BrokenRecord(f"{stream}: it has {number} entries, but its head says {heads.get(stream, 0)}")
