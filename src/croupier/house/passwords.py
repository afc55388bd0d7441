"""Passwords: what is accepted as one, and argon2id in threads of its own, so that no table waits for it."""

from __future__ import annotations

import asyncio
import base64
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.house.refusals import refuse
from croupier.table import folded_name

__all__ = [
    "LONGEST_PASSWORD",
    "PLAYERS_LEAST",
    "STAFF_LEAST",
    "Passwords",
    "check_new_password",
    "is_same_password",
    "random_password",
]

T = TypeVar("T")

STAFF_LEAST: Final = 12
PLAYERS_LEAST: Final = 8
"""Characters of a player's password in a demo."""
LONGEST_PASSWORD: Final = 200
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""
_BESIDE_NAME: Final = 6
_SHORTEST_WORD: Final = 4
"""A shorter word among digits says little about them."""
_WAITING: Final = 512
"""More than so many sign-ins at once are refused at the door; two at a time are looked at, each with 19 MB."""


def random_password() -> str:
    """A password to hand out once: 79 bits, in groups that can be read aloud."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


@cache
def _first_tried() -> frozenset[str]:
    """The commonest passwords and words of the trade: enough for players of a demo, where nothing is at stake."""
    text = (files("croupier.house") / "common_passwords.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def _common() -> frozenset[str]:
    """These, and 94,000 words that passwords are found to be most often; read when one is first set."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 - 40 ms that nobody else waits for

    # A word is in one of its lists alone: "chocolate", a common password, is in that of films.
    theirs = (word for words in FREQUENCY_LISTS.values() for word in words if len(word) >= _SHORTEST_WORD)
    return _first_tried().union(theirs)


def check_new_password(password: str, *, name: str, least: int = STAFF_LEAST) -> None:
    """Refuse a password that is short, common, or made of the person's own name.

    >>> check_new_password("correct horse battery", name="Ann")
    >>> check_new_password("AnnaAnna2026", name="anna")
    Traceback (most recent call last):
    croupier.errors.RuleViolation: a password is not made of your name
    """
    if not least <= len(password) <= LONGEST_PASSWORD:
        raise refuse("bad_password", f"a password has {least} to {LONGEST_PASSWORD} characters")
    plain = folded_name(password)
    if len(set(plain)) < 4:
        raise refuse("bad_password", "a password has at least 4 different characters")
    own = folded_name(name)
    if len(own) >= 3 and own in plain and len(plain.replace(own, "")) < _BESIDE_NAME:
        raise refuse("bad_password", "a password is not made of your name")
    if _is_among(plain, _common() if least >= STAFF_LEAST else _first_tried()):
        raise refuse("bad_password", "this password is among the first that anybody would try")


def is_same_password(one: str, other: str) -> bool:
    """Whether two passwords are stored as the same.

    >>> is_same_password("two \u00e9clairs", "two e\u0301clairs")
    True
    """
    return _normal(one) == _normal(other)


def _is_among(plain: str, words: frozenset[str]) -> bool:
    """Whether a password is one of these words: as it is, with digits and marks around it, or said twice."""
    bare = plain.strip("0123456789!@#$%^&*?.-_ ")
    halves = {text[: len(text) // 2] for text in (plain, bare) if text == 2 * text[: len(text) // 2]}
    return not words.isdisjoint({plain, bare, plain.replace(" ", "")} | halves)


class Passwords:
    """Hashes and checks passwords, a few at a time."""

    def __init__(self, *, time_cost: int = 2, memory_kib: int = 19_456, threads: int = 2) -> None:
        self._hasher: Final = PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._threads: Final = ThreadPoolExecutor(threads, thread_name_prefix="passwords")
        self._waiting = 0
        self._nobody: Final = f"$argon2id$v=19$m={memory_kib},t={time_cost},p=1${_drawn(16)}${_drawn(32)}"
        """What no password is: checking it takes as long as checking anybody's."""

    async def encode(self, password: str) -> str:
        """How a password is stored."""
        return await self._run(lambda: self._hasher.hash(_normal(password)))

    async def check(self, encoded: str, password: str) -> bool:
        """Whether this is the password; nobody's password (``""``) takes as long, and is never right."""
        right = await self._run(lambda: self._is(encoded or self._nobody, password))
        return right and encoded != ""

    def is_old(self, encoded: str) -> bool:
        """Whether it was stored with other parameters than today's."""
        return self._hasher.check_needs_rehash(encoded)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _is(self, encoded: str, password: str) -> bool:
        try:
            return self._hasher.verify(encoded, _normal(password))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _WAITING:
            raise refuse("too_often", "too many people sign in at once: try again in a few seconds")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _drawn(size: int) -> str:
    return base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=")


def _normal(password: str) -> bytes:
    """The same bytes however a keyboard composes an accent; never more than is allowed."""
    return unicodedata.normalize("NFC", password[: LONGEST_PASSWORD + 1]).encode("utf-8", "surrogatepass")
