"""How often somebody may ask: a bucket for each caller that fills at a steady rate."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final

from croupier.server.callers import AskedTooOften

__all__ = ["Rates"]

_REMEMBERED: Final = 50_000


class Rates:
    """Buckets by name; a bucket holds `burst` and fills by `per_second`.

    >>> time = [0.0]
    >>> rates = Rates(per_second=1, burst=2, clock=lambda: time[0])
    >>> rates.take("ann"); rates.take("ann")
    >>> rates.take("ann")
    Traceback (most recent call last):
    croupier.server.callers.AskedTooOften: too many requests: wait a moment
    >>> time[0] = 1.0
    >>> rates.take("ann")
    """

    def __init__(self, *, per_second: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._clock = per_second, burst, clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, name: str, amount: float = 1.0) -> None:
        """Take from a bucket; `AskedTooOften` if it is empty."""
        now = self._clock()
        held, since = self._held.pop(name, (self._burst, now))
        held = min(self._burst, held + (now - since) * self._rate)
        if held < amount:
            self._held[name] = (held, now)
            raise AskedTooOften("too many requests: wait a moment", (amount - held) / self._rate)
        self._held[name] = (held - amount, now)
        if len(self._held) > _REMEMBERED:
            self._held.popitem(last=False)
