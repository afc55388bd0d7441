"""What people sign in with, in tables of the store beside the record: passwords, second factors, familiar places."""

from __future__ import annotations

import base64
import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from msgspec import Struct

from croupier.errors import Unopened
from croupier.house.passwords import Passwords
from croupier.house.refusals import refuse
from croupier.house.second_factor import SECRET_BYTES, enrollment_uri, matching_step, recovery_hash
from croupier.journal import micros
from croupier.store import CREDENTIALS_KEY, Store
from croupier.table import folded_name

__all__ = ["Credential", "Credentials", "SecondFactorOffer"]

_OFFERED: Final = timedelta(minutes=15)
_UNUSED: Final = timedelta(minutes=1)
_COLUMNS: Final = "person, login, password, changed, totp, totp_key, totp_step, recovery"


class Credential(Struct, frozen=True):
    """What somebody signs in with; an empty password is nobody's."""

    person: str
    login: str
    password: str
    changed: int
    totp: bytes | None
    totp_key: int | None
    totp_step: int
    recovery: str
    familiar: bool = False


class SecondFactorOffer(Struct, frozen=True):
    """A second factor that waits for its first code: show the address, and send the offer back with the code."""

    uri: str
    offer: str


class Credentials:
    """Passwords and second factors of a house."""

    def __init__(self, store: Store, passwords: Passwords) -> None:
        self._store: Final = store
        self.passwords: Final = passwords

    async def find(self, name: str, place: str = "") -> Credential | None:
        """The credential of a name, and whether its person has signed in at this place before."""
        rows = await self._store.read(
            "select credential.person, login, password, changed, totp, totp_key, totp_step, recovery, familiar.place"
            " from credential left join familiar on familiar.person = credential.person and familiar.place = $1"
            " where login = $2",
            _place(place),
            folded_name(name),
        )
        return _credential((*rows[0][:8], rows[0][8] is not None)) if rows else None

    async def of(self, person: str) -> Credential | None:
        """The credential of a person."""
        rows = await self._store.read(f"select {_COLUMNS} from credential where person = $1", person)  # noqa: S608 - our own columns
        return _credential((*rows[0], False)) if rows else None

    # --- names and passwords

    async def reserve(self, person: str, name: str, at: datetime) -> None:
        """Take a name for a person who is about to be added; refused if somebody else signs in with it."""
        login = folded_name(name)
        for _ in range(2):
            await self._store.engine.execute(
                "insert into credential(person, login, password, changed, totp_step, recovery)"
                " values($1, $2, '', $3, 0, '') on conflict do nothing",
                person,
                login,
                micros(at),
            )
            rows = await self._store.read("select person, password, changed from credential where login = $1", login)
            if rows and rows[0][0] == person:
                await self._store.engine.execute(
                    "insert into person(id, name) values($1, $2) on conflict(id) do update set name = excluded.name",
                    person,
                    name.strip(),
                )
                return
            if not rows or rows[0][1] or int(rows[0][2]) > micros(at - _UNUSED):
                break
            # Somebody began to make this account and never finished.
            await self._store.engine.execute(
                "delete from credential where login = $1 and password = '' and changed = $2", login, rows[0][2]
            )
        raise refuse("name_taken", f"somebody here is called {name.strip()} already: choose another name")

    async def set_password(self, person: str, password: str, at: datetime) -> None:
        """Store a password; whoever calls has checked that it may be one."""
        encoded = await self.passwords.encode(password)
        await self._store.engine.execute(
            "update credential set password = $1, changed = $2 where person = $3", encoded, micros(at), person
        )

    async def set_first_password(self, person: str, password: str, at: datetime) -> bool:
        """Store the password of a new account; False if it has one by now: the same form was sent twice."""
        encoded = await self.passwords.encode(password)
        return bool(
            await self._store.engine.execute(
                "update credential set password = $1, changed = $2 where person = $3 and password = ''"
                " returning person",
                encoded,
                micros(at),
                person,
            )
        )

    async def is_password(self, credential: Credential | None, password: str) -> bool:
        """Whether this is the password; for a name that nobody has it takes as long."""
        encoded = credential.password if credential is not None else ""
        right = await self.passwords.check(encoded, password)
        if right and credential is not None and self.passwords.is_old(encoded):
            renewed = await self.passwords.encode(password)
            await self._store.engine.execute(
                "update credential set password = $1 where person = $2 and password = $3",
                renewed,
                credential.person,
                encoded,
            )
        return right

    # --- the second factor

    async def offer_second_factor(self, person: str, at: datetime, *, name: str, house: str) -> SecondFactorOffer:
        """A new secret for an authenticator. Nothing is stored before its first code is right."""
        secret = secrets.token_bytes(SECRET_BYTES)
        _, cipher = await self._store.data_key(CREDENTIALS_KEY)
        box = cipher.encrypt(micros(at).to_bytes(8) + secret, f"offer/{person}".encode())
        return SecondFactorOffer(enrollment_uri(secret, name=name, house=house), base64.urlsafe_b64encode(box).decode())

    async def check_offer(self, person: str, offer: str, code: str, at: datetime) -> tuple[bytes, int]:
        """The secret of an offer, and the step of its first code; refused if either is wrong."""
        _, cipher = await self._store.data_key(CREDENTIALS_KEY)
        try:
            opened = cipher.decrypt(base64.urlsafe_b64decode(offer.encode()), f"offer/{person}".encode())
        except (Unopened, ValueError):
            raise refuse("bad_offer", "begin again: this is not the code that was shown to you") from None
        made, secret = int.from_bytes(opened[:8]), opened[8:]
        if micros(at) - made > _OFFERED // timedelta(microseconds=1):
            raise refuse("bad_offer", "begin again: this code was shown too long ago")
        step = matching_step(secret, code, at, after=0)
        if step is None:
            raise refuse("bad_code", "this is not the code: look at the clock of your phone")
        return secret, step

    async def set_second_factor(self, person: str, secret: bytes, step: int, recovery: tuple[str, ...] = ()) -> None:
        """Store a second factor, sealed, and hashes of recovery codes."""
        number, cipher = await self._store.data_key(CREDENTIALS_KEY)
        await self._store.engine.execute(
            "update credential set totp = $1, totp_key = $2, totp_step = $3, recovery = $4 where person = $5",
            cipher.encrypt(secret, f"totp/{person}".encode()),
            number,
            step,
            " ".join(recovery_hash(person, code) for code in recovery),
            person,
        )

    async def remove_second_factor(self, person: str) -> None:
        """Forget a second factor."""
        await self._store.engine.execute(
            "update credential set totp = null, totp_key = null, recovery = '' where person = $1", person
        )

    async def is_code(self, credential: Credential, code: str, at: datetime) -> bool:
        """Whether this is a code of now, or a recovery code; each is right once, also in two processes at a time."""
        if credential.totp is None or credential.totp_key is None:
            return False
        cipher = await self._store.cipher(credential.totp_key)
        secret = cipher.decrypt(credential.totp, f"totp/{credential.person}".encode())
        step = matching_step(secret, code, at, after=credential.totp_step)
        if step is not None:
            used = await self._store.engine.execute(
                "update credential set totp_step = $1 where person = $2 and totp_step < $1 returning person",
                step,
                credential.person,
            )
            return bool(used)
        left = credential.recovery.split()
        given = recovery_hash(credential.person, code)
        if given not in left:
            return False
        used = await self._store.engine.execute(
            "update credential set recovery = $1 where person = $2 and recovery = $3 returning person",
            " ".join(hash_ for hash_ in left if hash_ != given),
            credential.person,
            credential.recovery,
        )
        return bool(used)

    # --- places

    async def remember_place(self, person: str, place: str, at: datetime) -> None:
        """A person has signed in at this place."""
        await self._store.engine.execute(
            "insert into familiar(person, place, seen) values($1, $2, $3)"
            " on conflict(person, place) do update set seen = excluded.seen",
            person,
            _place(place),
            micros(at),
        )

    async def sweep(self, at: datetime) -> None:
        """Forget places where nobody has signed in for half a year."""
        await self._store.engine.execute("delete from familiar where seen < $1", micros(at - timedelta(days=180)))


def _place(place: str) -> str:
    """A place as it is kept: nobody can read off an address, though who knows one can ask for it."""
    return sha256(f"croupier-place {place}".encode()).hexdigest()[:32]


def _credential(row: tuple[object, ...]) -> Credential:
    person, login, password, changed, totp, key, step, recovery, familiar = row
    return Credential(
        str(person),
        str(login),
        str(password),
        int(str(changed)),
        bytes(totp) if isinstance(totp, bytes | memoryview) else None,
        int(str(key)) if key is not None else None,
        int(str(step)),
        str(recovery),
        bool(familiar),
    )
