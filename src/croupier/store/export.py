"""A whole record as text that anyone can verify without the store and without a key; docs/journal.md has the form."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Final

from croupier.errors import BrokenRecord
from croupier.store.checkpoints import saved_checkpoints
from croupier.store.store import Store

__all__ = ["export"]

_AT_ONCE: Final = 5_000


async def export(store: Store) -> AsyncIterator[bytes]:
    """The lines of an export, each with its line break. What is appended meanwhile is left out."""
    digest, count = sha256(), 0
    heads = [
        [stream, seq, bytes(hash_).hex()]
        for stream, seq, hash_ in await store.read("select stream, seq, hash from head where seq > 0 order by stream")
    ]
    heads.sort()
    units = {name: (unit, floor) for name, unit, floor in await store.read("select name, unit, floor from account")}
    held = dict.fromkeys(units, 0)
    async for line in _lines(store, heads, units, held):
        digest.update(line)
        count += 1
        yield line
    yield _line({"heads": heads, "lines": count, "sha256": digest.hexdigest()})


async def _lines(
    store: Store, heads: list[list[object]], units: dict[str, tuple[str, int | None]], held: dict[str, int]
) -> AsyncIterator[bytes]:
    yield _line({"export": "croupier-export-1", "store": await store.identity()})
    for stream, last, _ in heads:
        for after in range(0, int(str(last)), _AT_ONCE):
            until = min(after + _AT_ONCE, int(str(last)))
            posted = await _postings(store, str(stream), after, until)
            for stored in await store.load(str(stream), after=after, until=until):
                yield bytes(stored.line) + b"\n"
                if postings := posted.get(stored.seq):
                    for account, amount in postings:
                        if account not in held:
                            raise BrokenRecord(f"{stream}, entry {stored.seq}: it moves {account}, which is no account")
                        held[account] += amount
                    rows = [[account, units[account][0], amount] for account, amount in postings]
                    yield _line({"of": [stream, stored.seq], "postings": rows})
    yield _line({"accounts": [[name, *units[name], held[name]] for name in sorted(units)]})
    known = {str(stream): int(str(last)) for stream, last, _ in heads}
    for checkpoint in await saved_checkpoints(store):
        body = json.loads(json.loads(checkpoint)["body"])
        if all(known.get(stream, 0) >= seq for stream, seq, _ in body["heads"]):
            yield checkpoint + b"\n"


async def _postings(store: Store, stream: str, after: int, until: int) -> dict[int, list[tuple[str, int]]]:
    rows = await store.read(
        "select seq, account, amount from posting where stream = $1 and seq > $2 and seq <= $3", stream, after, until
    )
    posted: dict[int, list[tuple[str, int]]] = {}
    for seq, account, amount in rows:
        posted.setdefault(seq, []).append((account, amount))
    return {seq: sorted(postings) for seq, postings in posted.items()}


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
