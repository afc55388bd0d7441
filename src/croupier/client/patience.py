"""How long a client tries again when a house does not answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["Patience"]


class Patience(Struct, frozen=True, kw_only=True):
    """How often to try, and how long to wait in between: twice as long each time, less up to half by chance.

    >>> [round(wait) for wait in Patience(tries=5, first_wait=1, longest_wait=3, spread=0).waits()]
    [1, 2, 3, 3]
    """

    tries: int = 6
    first_wait: float = 0.1
    longest_wait: float = 5.0
    timeout: float = 10.0
    """Seconds to wait for one answer."""
    spread: float = 0.5
    """The share of each wait that is left to chance, so that many clients do not come back at once."""

    def waits(self) -> Iterator[float]:
        """The seconds to wait before each further try."""
        for number in range(self.tries - 1):
            longest = min(self.longest_wait, self.first_wait * 2 ** min(number, 40))
            yield longest * (1 - self.spread * random.random())  # noqa: S311 - only spreads clients out
