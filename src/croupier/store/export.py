"""A whole record as text that anyone can verify without the store and without a key; docs/journal.md has the form."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from hashlib import sha256
from typing import Final

from croupier.errors import BrokenRecord
from croupier.store.chains import chained, check_heads, misfiled
from croupier.store.checkpoints import saved_checkpoints
from croupier.store.store import Store

__all__ = ["export"]

_AT_ONCE: Final = 5_000


async def export(store: Store) -> AsyncIterator[bytes]:
    """The lines of an export, each with its line break, of the store as it stands now.

    Nothing is made good: accounts and checkpoints are written as they are stored, and where a hash or a column beside a
    line is not the line's, `BrokenRecord` says so.
    """
    identity, digest, count = await store.identity(), sha256(), 0
    async with store.as_it_stands() as standing:
        await check_heads(standing)
        heads = [
            [stream, seq, bytes(hash_).hex()]
            for stream, seq, hash_ in await standing.read("select stream, seq, hash from head where seq > 0")
        ]
        heads.sort()
        async for line in _lines(standing, identity, [str(head[0]) for head in heads]):
            digest.update(line)
            count += 1
            yield line
        yield _line({"heads": heads, "lines": count, "sha256": digest.hexdigest()})


async def _lines(store: Store, identity: str, streams: Sequence[str]) -> AsyncIterator[bytes]:
    accounts = sorted(await store.read("select name, unit, floor, amount from account"))
    units = {name: unit for name, unit, _, _ in accounts}
    yield _line({"export": "croupier-export-1", "store": identity})
    for stream in streams:
        posted: dict[int, list[tuple[str, int]]] = {}
        async for stored in chained(store, stream):
            if stored.seq % _AT_ONCE == 1:
                posted = await _postings(store, stream, stored.seq - 1, stored.seq - 1 + _AT_ONCE)
            if problem := misfiled(stored):
                raise BrokenRecord(f"{stream}, entry {stored.seq}: {problem}")
            yield bytes(stored.line) + b"\n"
            if postings := posted.get(stored.seq):
                if not all(account in units and isinstance(amount, int) for account, amount in postings):
                    raise BrokenRecord(f"{stream}, entry {stored.seq}: what it moves cannot be read")
                rows = [[account, units[account], amount] for account, amount in postings]
                yield _line({"of": [stream, stored.seq], "postings": rows})
    yield _line({"accounts": [list(account) for account in accounts]})
    for checkpoint in await saved_checkpoints(store):
        yield checkpoint + b"\n"


async def _postings(store: Store, stream: str, after: int, until: int) -> dict[int, list[tuple[str, int]]]:
    rows = await store.read(
        "select seq, account, amount from posting where stream = $1 and seq > $2 and seq <= $3", stream, after, until
    )
    posted: dict[int, list[tuple[str, int]]] = {}
    for seq, account, amount in rows:
        posted.setdefault(seq, []).append((account, amount))
    return {seq: sorted(postings, key=lambda posting: str(posting[0])) for seq, postings in posted.items()}


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
