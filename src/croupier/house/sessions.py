"""Sessions: who is signed in. Only a hash of the id is stored; a look-up is cheap, and a sign-out elsewhere is noticed.

Where one process has the store to itself, it knows every session that it has read. That sessions are in use is stored
for all of them at once: a command of a player never waits for it, but for one a minute.

Staff who were idle for 15 minutes give their password again; everybody signs in anew after 12 hours.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Literal, TypeAlias

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
_AT_ONCE: Final = 500
"""Sessions in one statement."""
_ID_BYTES: Final = 32
_LONGEST: Final = 200
"""Characters that are kept of what a browser calls itself."""
_COLUMNS: Final = "hash, person, made, seen, authenticated, factor, csrf, agent, address"
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
    agent: str = ""
    """What the browser called itself when it signed in."""
    address: str = ""
    """From where it signed in."""

    @property
    def mark(self) -> str:
        """A name for this session that is of no use to anybody but its person."""
        return self.hash.hex()[:16]


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
        self._alone: Final = store.engine.name == "sqlite"
        self._kept: Final[OrderedDict[bytes, tuple[HouseSession, datetime]]] = OrderedDict()
        """Each session with the time it was read at."""
        self._used: Final[dict[bytes, datetime]] = {}
        """Sessions whose use is not stored yet, by when they were first used since."""
        self._stored: datetime | None = None
        """When uses were last stored."""

    async def create(
        self, person: str, at: datetime, *, factor: bool, agent: str = "", address: str = ""
    ) -> NewSession:
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
            agent=_clipped(agent),
            address=_clipped(address),
        )
        await self._store.engine.execute(
            "insert into session(hash, person, made, seen, authenticated, factor, csrf, agent, address)"
            " values($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            session.hash,
            person,
            micros(at),
            micros(at),
            micros(at),
            int(factor),
            session.csrf,
            session.agent,
            session.address,
        )
        self._keep(session, at)
        return NewSession(secret, session)

    async def find(self, secret: str, at: datetime) -> HouseSession | None:
        """The session of an id, if there is one; where others write too, the store is asked again after two seconds."""
        key = _hash(secret)
        kept = self._kept.get(key)
        if kept is not None and (self._alone or timedelta(0) <= at - kept[1] < FRESH):
            return kept[0]
        rows = await self._store.read(f"select {_COLUMNS} from session where hash = $1", key)  # noqa: S608 - our own
        if not rows:
            self._kept.pop(key, None)
            return None
        session = self._read(rows[0])
        self._keep(session, at)
        return session

    async def of(self, person: str, at: datetime) -> list[HouseSession]:
        """The sessions of a person that are not over, the one used last first."""
        sql = f"select {_COLUMNS} from session where person = $1 and made > $2"  # noqa: S608 - our own
        rows = await self._store.read(sql, person, micros(at - LASTS))
        return sorted(map(self._read, rows), key=lambda session: session.seen, reverse=True)

    def _read(self, row: Sequence[Any]) -> HouseSession:
        """A session as it is stored; that it was used since may not be stored yet."""
        key, person, made, seen, authenticated, factor, csrf, agent, address = row
        kept = self._kept.get(bytes(key))
        return HouseSession(
            hash=bytes(key),
            person=str(person),
            made=_time(made),
            seen=max(_time(seen), kept[0].seen) if kept is not None else _time(seen),
            authenticated=_time(authenticated),
            factor=bool(factor),
            csrf=str(csrf),
            agent=str(agent),
            address=str(address),
        )

    async def touch(self, session: HouseSession, at: datetime) -> None:
        """A session is in use; that is stored once a minute, for all sessions at once."""
        kept = self._kept.get(session.hash)
        if kept is None or at <= kept[0].seen:
            return
        self._keep(replace(kept[0], seen=at), kept[1])
        self._used.setdefault(session.hash, at)
        if self._stored is None:
            self._stored = at
        if at - self._stored >= _TOUCHED:
            self._stored = at
            await self._store_uses()

    async def _store_uses(self) -> None:
        """Store that sessions are in use; as of the earliest, so that nobody seems to have been here longer."""
        used = list(self._used.items())
        self._used.clear()
        for start in range(0, len(used), _AT_ONCE):
            some = used[start : start + _AT_ONCE]
            marks = ", ".join(f"${number}" for number in range(2, len(some) + 2))
            await self._store.engine.execute(
                f"update session set seen = $1 where hash in ({marks})",  # noqa: S608 - marks for values
                micros(min(at for _, at in some)),
                *[key for key, _ in some],
            )

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

    def _keep(self, session: HouseSession, read: datetime) -> None:
        self._kept[session.hash] = session, read
        self._kept.move_to_end(session.hash)
        if len(self._kept) > _REMEMBERED:
            self._kept.popitem(last=False)


def _clipped(text: str) -> str:
    """What a browser says of itself, as text that is safe to keep."""
    return "".join(letter for letter in text if letter.isprintable())[:_LONGEST]


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


def _time(value: int) -> datetime:
    return _EPOCH + timedelta(microseconds=int(value))
