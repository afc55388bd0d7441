"""Each line is chained to the one before by SHA-256 over its bytes as they are stored: no other form has to be made.

>>> start = first_hash("table/1")
>>> chain_hash(start, b"a line") == chain_hash(start, b"a line "), len(start)
(False, 32)
"""

from __future__ import annotations

from hashlib import sha256

__all__ = ["chain_hash", "first_hash"]


def first_hash(stream: str) -> bytes:
    """Where the chain of a stream begins: a line of another stream does not fit in."""
    return sha256(b"croupier-journal-1\n" + stream.encode()).digest()


def chain_hash(before: bytes, line: bytes) -> bytes:
    """The hash after a line."""
    return sha256(before + line).digest()
