"""The secrets of a record, sealed under a key: cards that lie face down, and seeds of shuffles.

The line has a commitment to every card. The salts and the cards are stored beside the line, sealed with AES-256-GCM.
Anybody can verify every line without the key; with it, they can check that the sealed card is the one that the house
committed to. A data key serves for a gaming day or less; the house's key wraps it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct
from msgspec.structs import fields, replace

from croupier.cards import Card
from croupier.errors import BrokenRecord, Malformed, Unopened
from croupier.fairness import SALT_BYTES, Cipher
from croupier.table.events import Entry, Hidden

__all__ = ["KEY_BYTES", "DataKey", "HouseKey", "KeyRing", "new_data_key", "open_entry", "seal_entry"]

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_CARD_BYTES: Final = SALT_BYTES + 2
_WRAPPED: Final = b"croupier-key-1\n"


class KeyRing(Protocol):
    """The holder of the house's key: a file, or a service that never gives it out."""

    def wrap(self, key: bytes) -> bytes:
        """A data key wrapped for storage."""

    def unwrap(self, wrapped: bytes) -> bytes:
        """Unwrap a data key, or raise `Unopened`."""


class DataKey:
    """A key that seals the secrets of a record."""

    __slots__ = ("_aes", "_draw")

    def __init__(self, key: bytes, *, draw: Callable[[int], bytes] = secrets.token_bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Malformed(f"a key has {KEY_BYTES} bytes, not {len(key)}")
        self._aes = AESGCM(key)
        self._draw = draw

    def __repr__(self) -> str:
        return "<DataKey>"

    def __reduce__(self) -> str:
        raise TypeError("a key cannot be copied or stored")

    def encrypt(self, secret: bytes, context: bytes) -> bytes:
        """The secret, readable only with this key and for this context."""
        nonce = self._draw(_NONCE_BYTES)
        return nonce + self._aes.encrypt(nonce, secret, context)

    def decrypt(self, box: bytes, context: bytes) -> bytes:
        """Recover the secret; `Unopened` with another key, another context or a changed byte.

        >>> key = DataKey(bytes(32))
        >>> key.decrypt(key.encrypt(b"Ah", b"table/1/7"), b"table/1/7")
        b'Ah'
        """
        try:
            return self._aes.decrypt(box[:_NONCE_BYTES], box[_NONCE_BYTES:], context)
        except (InvalidTag, ValueError):
            raise Unopened("the seal does not open: the key is wrong, or a byte was changed") from None


class HouseKey:
    """A `KeyRing` over a key in memory."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = DataKey(key)

    def __repr__(self) -> str:
        return "<HouseKey>"

    def __reduce__(self) -> str:
        raise TypeError("a key cannot be copied or stored")

    def wrap(self, key: bytes) -> bytes:
        """A data key wrapped for storage."""
        return self._key.encrypt(key, _WRAPPED)

    def unwrap(self, wrapped: bytes) -> bytes:
        """Unwrap a data key."""
        try:
            return self._key.decrypt(wrapped, _WRAPPED)
        except Unopened:
            raise Unopened("this record was sealed under another house key") from None


def new_data_key(ring: KeyRing, *, draw: Callable[[int], bytes] = secrets.token_bytes) -> tuple[DataKey, bytes]:
    """A fresh data key, and how it is stored."""
    key = draw(KEY_BYTES)
    return DataKey(key, draw=draw), ring.wrap(key)


def seal_entry(entry: Entry, cipher: Cipher) -> bytes | None:
    """The salts and cards of an entry, sealed; None if it hides nothing."""
    names = _hiding(type(entry.event))
    if not names:
        return None
    hidden: list[Hidden] = [getattr(entry.event, name) for name in names]
    plain = b"".join(
        salt + str(card).encode() for cards in hidden for salt, card in zip(cards.salts, cards.open(), strict=True)
    )
    return cipher.encrypt(plain, _context(entry))


def open_entry(entry: Entry, sealed: bytes | None, cipher: Cipher) -> Entry:
    """The entry with its hidden cards, each checked against its commitment."""
    names = _hiding(type(entry.event))
    if not names:
        return entry
    if sealed is None:
        raise BrokenRecord(f"{_place(entry)}: the sealed cards are missing")
    try:
        plain = cipher.decrypt(sealed, _context(entry))
    except Unopened as error:
        raise Unopened(f"{_place(entry)}: {error}") from None
    opened: dict[str, Hidden] = {}
    for name in names:
        closed: Hidden = getattr(entry.event, name)
        part, plain = plain[: _CARD_BYTES * len(closed)], plain[_CARD_BYTES * len(closed) :]
        opened[name] = _opened(entry, closed, part)
    if plain:
        raise BrokenRecord(f"{_place(entry)}: more cards are sealed than the line has commitments")
    return replace(entry, event=replace(entry.event, **opened))


def _opened(entry: Entry, closed: Hidden, plain: bytes) -> Hidden:
    pieces = [plain[start : start + _CARD_BYTES] for start in range(0, len(plain), _CARD_BYTES)]
    try:
        cards = tuple(Card(piece[SALT_BYTES:].decode()) for piece in pieces)
        hidden = Hidden(cards, tuple(piece[:SALT_BYTES] for piece in pieces))
        if hidden.commitments == closed.commitments:
            return hidden
    except ValueError:
        pass
    raise BrokenRecord(f"{_place(entry)}: a sealed card is not the one that the line commits to")


@cache
def _hiding(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of an event in which cards lie face down."""
    return tuple(field.name for field in fields(kind) if field.type is Hidden)


def _context(entry: Entry) -> bytes:
    return f"{entry.stream}/{entry.seq}".encode()


def _place(entry: Entry) -> str:
    return f"{entry.stream}, entry {entry.seq}"
