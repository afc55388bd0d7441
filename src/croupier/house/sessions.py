"""Sessions: who is signed in. Only a hash of the id is stored; a look-up is cheap, and a sign-out elsewhere is noticed.

Staff who were idle for 15 minutes give their password again; everybody signs in anew after 12 hours.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.journal import micros
from croupier.store import Store

__all__ = [
    "FRESH",
    "LASTS",
    "STAFF_IDLE",
    "HouseSession",
    "NewSession",
    "SessionStanding",
    "Sessions",
    "is_csrf",
    "standing",
]

STAFF_IDLE: Final = timedelta(minutes=15)
LASTS: Final = timedelta(hours=12)
FRESH: Final = timedelta(seconds=2)
"""How long a session is believed before the store is asked again."""
_TOUCHED: Final = timedelta(minutes=1)
"""How often it is stored that a session is in use."""
_REMEMBERED: Final = 20_000
_ID_BYTES: Final = 32
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
SessionStanding: TypeAlias = Literal["live", "idle", "over"]


class HouseSession(Struct, frozen=True, kw_only=True):
    """Somebody who is signed in."""

    hash: bytes
    person: str
    made: datetime
    seen: datetime
    authenticated: datetime
    """When the password was last given."""
    factor: bool
    """Whether a second factor was given as well."""
    csrf: str


class NewSession(Struct, frozen=True):
    """A new session, with the id that only the browser keeps."""

    id: str
    session: HouseSession


def standing(session: HouseSession, at: datetime, *, staff: bool) -> SessionStanding:
    """Whether a session holds at a time: live, idle until the password is given again, or over."""
    if at - session.made >= LASTS:
        return "over"
    return "idle" if staff and at - session.seen >= STAFF_IDLE else "live"


def is_csrf(session: HouseSession, token: str) -> bool:
    """Whether a request carries the token of its session; takes as long for any answer."""
    return hmac.compare_digest(session.csrf.encode(), token.encode("utf-8", "replace"))


class Sessions:
    """The sessions of a store."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._kept: Final[OrderedDict[bytes, tuple[HouseSession, datetime, datetime]]] = OrderedDict()
        """Each session with the time it was read at, and the use that is stored."""

    async def create(self, person: str, at: datetime, *, factor: bool) -> NewSession:
        """A session of a person who has signed in."""
        secret = secrets.token_urlsafe(_ID_BYTES)
        session = HouseSession(
            hash=_hash(secret),
            person=person,
            made=at,
            seen=at,
            authenticated=at,
            factor=factor,
            csrf=secrets.token_urlsafe(_ID_BYTES),
        )
        await self._store.engine.execute(
            "insert into session(hash, person, made, seen, authenticated, factor, csrf)"
            " values($1, $2, $3, $4, $5, $6, $7)",
            session.hash,
            person,
            micros(at),
            micros(at),
            micros(at),
            int(factor),
            session.csrf,
        )
        self._keep(session, at, at)
        return NewSession(secret, session)

    async def find(self, secret: str, at: datetime) -> HouseSession | None:
        """The session of an id, if there is one; the store is asked every other second at most."""
        key = _hash(secret)
        kept = self._kept.get(key)
        if kept is not None and timedelta(0) <= at - kept[1] < FRESH:
            return kept[0]
        rows = await self._store.read(
            "select person, made, seen, authenticated, factor, csrf from session where hash = $1", key
        )
        if not rows:
            self._kept.pop(key, None)
            return None
        person, made, seen, authenticated, factor, csrf = rows[0]
        stored = _time(seen)
        session = HouseSession(
            hash=key,
            person=str(person),
            made=_time(made),
            seen=max(stored, kept[0].seen) if kept is not None else stored,
            authenticated=_time(authenticated),
            factor=bool(factor),
            csrf=str(csrf),
        )
        self._keep(session, at, stored)
        return session

    async def touch(self, session: HouseSession, at: datetime) -> None:
        """A session is in use; that is stored once a minute."""
        kept = self._kept.get(session.hash)
        if kept is None or at <= kept[0].seen:
            return
        current, read, stored = kept
        if at - stored >= _TOUCHED:
            await self._store.engine.execute("update session set seen = $1 where hash = $2", micros(at), session.hash)
            stored = at
        if session.hash in self._kept:
            self._keep(replace(current, seen=at), read, stored)

    async def end(self, session: HouseSession) -> None:
        """Sign out."""
        self._kept.pop(session.hash, None)
        await self._store.engine.execute("delete from session where hash = $1", session.hash)
        self._kept.pop(session.hash, None)

    async def end_all(self, person: str) -> None:
        """Sign a person out everywhere."""
        await self._store.engine.execute("delete from session where person = $1", person)
        for key in [key for key, kept in self._kept.items() if kept[0].person == person]:
            del self._kept[key]

    async def sweep(self, at: datetime) -> None:
        """Forget sessions that are over."""
        await self._store.engine.execute("delete from session where made < $1", micros(at - LASTS))

    def _keep(self, session: HouseSession, read: datetime, stored: datetime) -> None:
        self._kept[session.hash] = session, read, stored
        self._kept.move_to_end(session.hash)
        if len(self._kept) > _REMEMBERED:
            self._kept.popitem(last=False)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


def _time(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=int(value))
