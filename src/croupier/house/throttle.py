"""How fast somebody may try to sign in: slower after each failure, per name and address, never for an account alone.

A stranger's failures cannot keep anybody out. They slow down the stranger's own address; where a person has signed in
before, only failures with the same name from the same address count, and those cost a few seconds at most.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Final, NamedTuple

from msgspec import Struct

from croupier.errors import RuleViolation

__all__ = [
    "ADDRESS",
    "CODES",
    "FAMILIAR",
    "PAIR",
    "Backoff",
    "FailureTally",
    "SignInTooOften",
    "Throttle",
    "after_failure",
    "place_of",
    "wait",
]


class Backoff(NamedTuple):
    """So many failures are free; each further one doubles the wait, up to the most; a pause forgets them all."""

    free: int
    most: float
    forget: float


PAIR: Final = Backoff(free=3, most=300, forget=900)
"""The same name from the same address."""
FAMILIAR: Final = Backoff(free=10, most=5, forget=900)
"""The same, from an address where this person has signed in before."""
ADDRESS: Final = Backoff(free=20, most=60, forget=900)
"""Any name from the same address: a house full of people may share one."""
CODES: Final = Backoff(free=5, most=300, forget=3600)
"""Wrong codes after the right password: whoever gets this far knows it."""
_REMEMBERED: Final = 50_000


class FailureTally(Struct, frozen=True):
    """How often it failed, and when last."""

    count: int
    last: datetime


class SignInTooOften(RuleViolation):
    """Try again later."""

    def __init__(self, seconds: float) -> None:
        self.seconds: Final = max(1, ceil(seconds))
        counted = "1 second" if self.seconds == 1 else f"{self.seconds} seconds"
        super().__init__("too_often", f"too many attempts: try again in {counted}", clause="")


def wait(rule: Backoff, tally: FailureTally | None, at: datetime) -> float:
    """Seconds until the next attempt.

    >>> now = datetime(2026, 1, 1)
    >>> [wait(PAIR, FailureTally(count, now), now) for count in (2, 3, 4, 5, 12, 99)]
    [0.0, 1.0, 2.0, 4.0, 300.0, 300.0]
    """
    if tally is None or tally.count < rule.free:
        return 0.0
    pause = min(2.0 ** min(tally.count - rule.free, 30), rule.most)
    return max(0.0, pause - (at - tally.last).total_seconds())


def after_failure(rule: Backoff, tally: FailureTally | None, at: datetime) -> FailureTally:
    """One failure more."""
    if tally is None or at - tally.last > timedelta(seconds=rule.forget):
        return FailureTally(1, at)
    return FailureTally(tally.count + 1, max(at, tally.last))


def place_of(address: str) -> str:
    """An address as one place: of an IPv6 address the network that one subscriber has.

    >>> place_of("2001:db8:1:2:3:4:5:6"), place_of("::ffff:192.0.2.1"), place_of("a socket")
    ('2001:db8:1:2::/64', '192.0.2.1', 'a socket')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:60]
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"
    return str(parsed)


class Throttle:
    """Failures of one process, as far as they matter."""

    def __init__(self) -> None:
        self._tallies: Final[OrderedDict[tuple[str, str, str], FailureTally]] = OrderedDict()

    def begin(self, name: str, place: str, at: datetime, *, familiar: bool, alone: bool = False) -> None:
        """An attempt, which counts as a failure until it succeeds; `SignInTooOften` if it comes too early.

        Attempts at the same moment count as well, so that a hundred of them at once are not a hundred free ones. Of
        an address where everybody is, `alone`, only failures with the same name count.
        """
        pair, address = ("pair", name, place), ("address", "", place)
        seconds = wait(FAMILIAR if familiar else PAIR, self._tallies.get(pair), at)
        if not familiar and not alone:
            seconds = max(seconds, wait(ADDRESS, self._tallies.get(address), at))
        if seconds > 0:
            raise SignInTooOften(seconds)
        self._failed(PAIR, pair, at)
        self._failed(ADDRESS, address, at)

    def succeeded(self, name: str, place: str) -> None:
        """The attempt was right."""
        self._tallies.pop(("pair", name, place), None)
        address = self._tallies.get(("address", "", place))
        if address is not None:
            self._tallies["address", "", place] = FailureTally(max(0, address.count - 1), address.last)

    def begin_code(self, person: str, at: datetime) -> None:
        """A code is tried, by somebody who knew the password."""
        key = ("code", person, "")
        if (seconds := wait(CODES, self._tallies.get(key), at)) > 0:
            raise SignInTooOften(seconds)
        self._failed(CODES, key, at)

    def code_succeeded(self, person: str) -> None:
        """The code was right."""
        self._tallies.pop(("code", person, ""), None)

    def _failed(self, rule: Backoff, key: tuple[str, str, str], at: datetime) -> None:
        self._tallies[key] = after_failure(rule, self._tallies.get(key), at)
        self._tallies.move_to_end(key)
        if len(self._tallies) > _REMEMBERED:
            self._tallies.popitem(last=False)
