"""When Python looks for garbage: while nobody waits for an answer.

Nearly everything goes without such a look; what it costs, in the middle of a command, is a command that takes several
times as long. Left to itself Python looks whenever so many objects were made, which is in the middle of commands.

Young objects are looked at often, so that each look is short; all of them now and then. Between the two nothing is
worth a look of several milliseconds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

__all__ = ["GarbageRounds", "settle_memory"]

_YOUNG, _ALL = 0, 2
_ALL_EVERY: Final = 600
_LONGEST: Final = 10
"""How many times in a row a look may be put off."""
_FALLBACK: Final = (100_000, 10, 10)
"""New objects, and looks, after which Python looks by itself: in a storm of commands, or where nobody else does."""


def settle_memory() -> None:
    """Rulebooks and tables stay: a collector that looked through them would hold everything up for a good while."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_FALLBACK)


class GarbageRounds:
    """Look for garbage now and then; `busy` says whether somebody waits for an answer.

    >>> rounds = GarbageRounds(busy=lambda: False)
    >>> [rounds.step() for _ in range(3)]
    [0, 0, 0]
    >>> GarbageRounds(busy=lambda: True).step() is None
    True
    """

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy: Final = busy
        self._looks = self._put_off = 0

    def step(self) -> int | None:
        """Look, unless somebody waits; returns how old the objects were that were looked at."""
        if self._busy() and self._put_off < _LONGEST:
            self._put_off += 1
            return None
        self._put_off = 0
        self._looks += 1
        age = _ALL if self._looks % _ALL_EVERY == 0 else _YOUNG
        gc.collect(age)
        return age
