"""The second factor: codes of six digits that change every 30 seconds (TOTP, RFC 6238), and recovery codes."""

from __future__ import annotations

import base64
import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

__all__ = ["SECRET_BYTES", "code_at", "enrollment_uri", "matching_step", "new_recovery_codes", "recovery_hash"]

SECRET_BYTES: Final = 20
STEP_SECONDS: Final = 30
_DIGITS: Final = 6
_RECOVERY: Final = 8


def code_at(secret: bytes, at: datetime) -> str:
    """The code at a time."""
    return _code(secret, int(at.timestamp()) // STEP_SECONDS)


def _code(secret: bytes, step: int) -> str:
    # SHA-1 is what every authenticator has; a keyed hash does not suffer from its collisions.
    totp = TOTP(secret, _DIGITS, SHA1(), STEP_SECONDS, enforce_key_length=False)  # noqa: S303 - see above
    return totp.generate(step * STEP_SECONDS).decode()


def matching_step(secret: bytes, code: str, at: datetime, *, after: int) -> int | None:
    """The step of 30 seconds that a code belongs to: now, one before or one later, and never one that was used.

    >>> from datetime import UTC
    >>> secret, now = bytes(range(20)), datetime(2026, 1, 1, tzinfo=UTC)
    >>> step = matching_step(secret, code_at(secret, now), now, after=0)
    >>> matching_step(secret, code_at(secret, now), now, after=step) is None
    True
    """
    given = "".join(code.split())
    now = int(at.timestamp()) // STEP_SECONDS
    found = None
    for step in (now - 1, now, now + 1):  # all three, so that the time taken says nothing
        if hmac.compare_digest(_code(secret, step).encode(), given.encode("utf-8", "replace")) and step > after:
            found = step if found is None else found
    return found


def enrollment_uri(secret: bytes, *, name: str, house: str) -> str:
    """What an authenticator reads from a QR code."""
    plain = base64.b32encode(secret).decode().rstrip("=")
    return f"otpauth://totp/{quote(house)}:{quote(name)}?secret={plain}&issuer={quote(house)}"


def new_recovery_codes() -> tuple[str, ...]:
    """Codes to print and put away: each replaces a code of the second factor once."""
    return tuple("-".join(secrets.token_hex(4) for _ in range(4)) for _ in range(_RECOVERY))


def recovery_hash(person: str, code: str) -> str:
    """How a recovery code is stored: 128 random bits, so a plain hash is enough against whoever reads the store."""
    return sha256(f"{person} {code.strip().lower()}".encode()).hexdigest()
