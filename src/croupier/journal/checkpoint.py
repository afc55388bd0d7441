"""Signed checkpoints: where every chain of a store stood, for somebody else's safe; docs/journal.md has the form.

>>> key = bytes(range(32))
>>> heads = [("cage", 1, bytes(32))]
>>> first = sign_checkpoint(key, store="00" * 16, number=1, at="2026-01-01T06:00:00Z", before=None, heads=heads)
>>> check_checkpoint(first).number
1
>>> check_checkpoint(first.replace(b"cage", b"cave"))
Traceback (most recent call last):
croupier.errors.BrokenRecord: the signature of the checkpoint does not hold
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

import msgspec

from croupier.errors import BrokenRecord
from croupier.signing import is_signed, public_key, sign
from croupier.wire import clip

__all__ = ["Checkpoint", "body_hash", "check_checkpoint", "public_key", "sign_checkpoint"]

_PREFIX: Final = b"croupier-checkpoint-1\n"


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a checkpoint says."""

    store: str
    number: int
    at: str
    before: str
    heads: tuple[tuple[str, int, str], ...]


class _Signed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    body: str
    signer: str
    signature: str


def body_hash(body: str | None, store: str) -> str:
    """What the next checkpoint names as the one before; None before the first."""
    return sha256(body.encode() if body is not None else _PREFIX + store.encode()).hexdigest()


def sign_checkpoint(
    private: bytes, *, store: str, number: int, at: str, before: str | None, heads: Sequence[tuple[str, int, bytes]]
) -> bytes:
    """A checkpoint as one line of JSON; `before` is the body of the one before it."""
    named = tuple((stream, seq, hash_.hex()) for stream, seq, hash_ in sorted(heads))
    body = msgspec.json.encode(Checkpoint(store, number, at, body_hash(before, store), named)).decode()
    return msgspec.json.encode(_Signed(body, public_key(private), sign(private, _PREFIX + body.encode())))


def check_checkpoint(line: bytes) -> Checkpoint:
    """What a checkpoint says, if its signature holds."""
    try:
        signed = msgspec.json.decode(line, type=_Signed)
        if not is_signed(signed.signer, signed.signature, _PREFIX + signed.body.encode()):
            raise BrokenRecord("the signature of the checkpoint does not hold")
        return msgspec.json.decode(signed.body, type=Checkpoint)
    except ValueError as error:
        raise BrokenRecord(f"this is not a checkpoint: {clip(str(error))}") from None
