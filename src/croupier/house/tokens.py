"""Tokens of devices: shoe, shuffler, sign, meter. The record says what each may do; the store keeps a hash of it."""

from __future__ import annotations

import hmac
import secrets
from datetime import datetime
from hashlib import sha256
from typing import Final

from croupier.errors import RuleViolation
from croupier.house.commands import HouseRequest, IssueToken
from croupier.house.house import House
from croupier.house.refusals import refuse
from croupier.house.state import DeviceToken

__all__ = ["Tokens", "token_problem"]

_BYTES: Final = 32
_NOBODY: Final = bytes(32)


def token_problem(token: DeviceToken, do: str, table: str, at: datetime) -> RuleViolation | None:
    """Why a device may not do this at a table with its token; None if it may."""
    if token.revoked or at >= token.expires:
        return refuse("token_over", f"the token of {token.device} is {'revoked' if token.revoked else 'expired'}")
    if do not in token.scope:
        return refuse("not_in_scope", f"the token of {token.device} allows {', '.join(token.scope)}, not {do}")
    if token.tables and table not in token.tables:
        return refuse("not_in_scope", f"the token of {token.device} is for table {', '.join(token.tables)}")
    return None


class Tokens:
    """The tokens of a house."""

    def __init__(self, house: House) -> None:
        self._house: Final = house

    async def issue(self, by: str, command: IssueToken, at: datetime, *, factor: bool, key: str = "") -> str:
        """Give a device a token; it is told this once. With a key, the same command gives a fresh one instead."""
        await self._house.give(HouseRequest(by=by, at=at, command=command, factor=factor, key=key))
        secret = secrets.token_urlsafe(_BYTES)
        await self._house.store.engine.execute(
            "insert into token(id, hash) values($1, $2) on conflict(id) do update set hash = excluded.hash",
            command.token,
            _hash(secret),
        )
        return f"{command.token}.{secret}"

    async def find(self, text: str, at: datetime) -> DeviceToken | None:
        """What a token allows; None if it is not one of this house, or no longer. Wrong ones all take as long."""
        name, _, secret = text.partition(".")
        token = self._house.state.tokens.get(name)
        hash_ = await self._hash_of(name) if token is not None else _NOBODY
        right = hmac.compare_digest(hash_, _hash(secret))
        return token if right and token is not None and not token.revoked and at < token.expires else None

    async def _hash_of(self, name: str) -> bytes:
        rows = await self._house.store.read("select hash from token where id = $1", name)
        return bytes(rows[0][0]) if rows else _NOBODY


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()
