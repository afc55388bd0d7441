"""Ed25519 signatures, for checkpoints of a record and for certificates: keys of 32 bytes, everything in hexadecimal.

>>> key = bytes(range(32))
>>> signature = sign(key, b"counted again")
>>> is_signed(public_key(key), signature, b"counted again"), is_signed(public_key(key), signature, b"changed")
(True, False)
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from croupier.errors import Malformed

__all__ = ["is_signed", "new_private_key", "public_key", "read_private_key", "sign"]

_KEY_BYTES: Final = 32


def public_key(private: bytes) -> str:
    """The public key of a private one, in hexadecimal."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw().hex()


def sign(private: bytes, message: bytes) -> str:
    """The signature of a message, in hexadecimal."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(private).sign(message).hex()


def is_signed(signer: str, signature: str, message: bytes) -> bool:
    """Whether a signature is the signer's own; `ValueError` for what is not a key or not hexadecimal."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(signer)).verify(bytes.fromhex(signature), message)
    except InvalidSignature:
        return False
    return True


def new_private_key(path: Path) -> bytes:
    """A new private key in a new file that only its owner can read."""
    private = secrets.token_bytes(_KEY_BYTES)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(private.hex() + "\n")
    except OSError as error:
        raise Malformed(f"{path}: the key cannot be written: {error.strerror}") from None
    return private


def read_private_key(path: Path) -> bytes:
    """The private key in a file: 64 hexadecimal digits that nobody else can read."""
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            raise Malformed(f"{path}: others can read this key; make it private: chmod 600 {path}")
        private = bytes.fromhex(path.read_text("utf-8").strip())
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, Malformed):
            raise
        private = b""
    if len(private) != _KEY_BYTES:
        raise Malformed(f"{path}: a private key is {2 * _KEY_BYTES} hexadecimal digits")
    return private
