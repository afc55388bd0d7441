"""Times that run, in words."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

__all__ = ["time_left"]

_CLOSE: Final = 15 * 60


def time_left(left: timedelta) -> str:
    """Print how long something still lasts: to the minute, and to the second once it is close.

    >>> [time_left(timedelta(seconds=seconds)) for seconds in (14_400, 4_000, 899, 61, 0)]
    ['4 h 00 min', '1 h 06 min', '14 min 59 s', '1 min 01 s', 'over']
    """
    seconds = int(left.total_seconds())
    if seconds <= 0:
        return "over"
    minutes, rest = divmod(seconds, 60)
    if seconds < _CLOSE:
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"
