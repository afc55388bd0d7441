"""The gaming day of a house: its time zone, and the time at which a day begins."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final, Literal, TypeAlias
from zoneinfo import ZoneInfo

from croupier.errors import Malformed

__all__ = ["Period", "check_settings", "day_span", "gaming_day", "in_zone", "period_start"]

Period: TypeAlias = Literal["day", "week", "month"]
_TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_OF_THE_MACHINE: Final = {"Factory", "localtime", "posixrules"}
"""Names that some machines have for whatever they are set to."""


def check_settings(time_zone: str, day_start: str) -> None:
    """Refuse a time zone that is not known, and a time that is not one.

    >>> check_settings("America/New_York", "25:00")
    Traceback (most recent call last):
    croupier.errors.Malformed: the gaming day begins at a time such as 06:00, not '25:00'
    """
    if time_zone in _OF_THE_MACHINE:
        raise Malformed(f"{time_zone!r} is whatever a machine is set to: name the time zone, such as America/New_York")
    _zone(time_zone)
    _start(day_start)


@lru_cache(maxsize=32)
def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise Malformed(f"{name[:60]!r} is not a time zone; one is America/New_York") from None


def _start(text: str) -> time:
    match = _TIME.fullmatch(text)
    if match is None:
        raise Malformed(f"the gaming day begins at a time such as 06:00, not {text[:20]!r}")
    return time(int(match[1]), int(match[2]))


def gaming_day(at: datetime, time_zone: str, day_start: str) -> date:
    """The gaming day that a time belongs to.

    >>> gaming_day(datetime(2026, 1, 2, 8, tzinfo=UTC), "America/New_York", "06:00")
    datetime.date(2026, 1, 1)
    """
    local = at.astimezone(_zone(time_zone))
    return local.date() if local.time() >= _start(day_start) else local.date() - timedelta(days=1)


def in_zone(at: datetime, time_zone: str) -> datetime:
    """A time as the clocks of a house show it.

    >>> f"{in_zone(datetime(2026, 1, 2, 8, tzinfo=UTC), 'America/New_York'):%H:%M %Z}"
    '03:00 EST'
    """
    return at.astimezone(_zone(time_zone))


def day_span(day: date, time_zone: str, day_start: str) -> tuple[datetime, datetime]:
    """When a gaming day begins, and when the next one does.

    >>> [f"{at:%d %H:%M}" for at in day_span(date(2026, 3, 7), "America/New_York", "06:00")]
    ['07 11:00', '08 10:00']
    """
    start, zone = _start(day_start), _zone(time_zone)
    try:
        after = day + timedelta(days=1)
    except OverflowError:
        raise Malformed(f"{day.isoformat()} is not a day that a house can have") from None
    first, last = (datetime.combine(each, start, zone) for each in (day, after))
    return first.astimezone(UTC), last.astimezone(UTC)


def period_start(at: datetime, period: Period, time_zone: str, day_start: str) -> datetime:
    """When the gaming day, week (from Monday) or month that a time belongs to began.

    >>> period_start(datetime(2026, 1, 2, 8, tzinfo=UTC), "month", "America/New_York", "06:00").isoformat()
    '2026-01-01T11:00:00+00:00'
    """
    day = gaming_day(at, time_zone, day_start)
    if period == "week":
        day -= timedelta(days=day.weekday())
    elif period == "month":
        day = day.replace(day=1)
    return datetime.combine(day, _start(day_start), _zone(time_zone)).astimezone(UTC)
