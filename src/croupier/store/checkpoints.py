"""Checkpoints of a store: made on request, signed, chained, and kept beside the record."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Final

import msgspec

from croupier.errors import Conflict, StoreError
from croupier.journal import KEY_BYTES, public_key, sign_checkpoint
from croupier.store.store import Store

__all__ = ["make_checkpoint", "saved_checkpoints"]

_TRIES: Final = 5


async def make_checkpoint(store: Store, at: datetime) -> bytes:
    """Sign where every stream stands now; the line is for somebody else's safe."""
    private = await _signing_key(store)
    for _ in range(_TRIES):
        rows = await store.read("select number, body from checkpoint order by number desc limit 1")
        number, before = (int(rows[0][0]) + 1, str(rows[0][1])) if rows else (1, None)
        heads = await store.read("select stream, seq, hash from head where seq > 0 order by stream")
        line = sign_checkpoint(
            private,
            store=await store.identity(),
            number=number,
            at=at.isoformat().replace("+00:00", "Z"),
            before=before,
            heads=[(stream, seq, bytes(hash_)) for stream, seq, hash_ in heads],
        )
        signed = msgspec.json.decode(line)
        try:
            await store.engine.execute(
                "insert into checkpoint(number, body, signer, signature) values($1, $2, $3, $4)",
                number,
                signed["body"],
                signed["signer"],
                signed["signature"],
            )
        except Conflict:
            continue  # another process was first
        return line
    raise StoreError("other processes keep signing checkpoints: try again")


async def saved_checkpoints(store: Store) -> list[bytes]:
    """Every checkpoint that was signed, in order."""
    rows = await store.read("select body, signer, signature from checkpoint order by number")
    return [msgspec.json.encode({"body": body, "signer": signer, "signature": sign}) for body, signer, sign in rows]


async def _signing_key(store: Store) -> bytes:
    """The private key, which only the house's key opens; made on its first use."""
    find = "select value from meta where key = 'signing_key'"
    rows = await store.read(find)
    if not rows:
        wrapped = store.ring.wrap(secrets.token_bytes(KEY_BYTES)).hex()
        await store.engine.execute(
            "insert into meta(key, value) values('signing_key', $1) on conflict do nothing", wrapped
        )
        rows = await store.read(find)
    private = store.ring.unwrap(bytes.fromhex(rows[0][0]))
    await store.engine.execute(
        "insert into meta(key, value) values('signer', $1) on conflict do nothing", public_key(private)
    )
    return private
