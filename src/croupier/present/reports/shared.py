"""What every report writes the same way: times, amounts, people, clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Final, TypeAlias

from croupier.present.amounts import dollars

__all__ = ["MINUS", "Names", "about", "amount", "clause_words", "clock", "iso", "one_day", "person_words", "when"]

MINUS: Final = "−"
Names: TypeAlias = Mapping[str, str]
"""The names of people by id."""


def when(at: datetime | None) -> str:
    """A time as reports print it: to the minute, in UTC."""
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


def one_day(times: Iterable[datetime | None]) -> date | None:
    """The day that all these times fall on, so that a column need not repeat it; None if there are several."""
    days = {at.date() for at in times if at is not None}
    return days.pop() if len(days) == 1 else None


def clock(at: datetime | None, day: date | None) -> str:
    """A time in a column whose title names the day, if there is only one.

    >>> at = datetime(2026, 1, 1, 18, 30)
    >>> clock(at, at.date()), clock(at, None), clock(None, None)
    ('18:30', '2026-01-01 18:30', '')
    """
    return f"{at:%H:%M}" if at is not None and at.date() == day else when(at)


def amount(cents: int) -> str:
    """
    >>> amount(125000), amount(-250)
    ('$1,250', '−$2.50')
    """
    return f"{MINUS if cents < 0 else ''}{dollars(abs(cents))}"


def about(cents: Fraction | float | None) -> str:
    """An amount that is not in whole cents, to the cent."""
    if cents is None:
        return "not exact"
    rounded = round(cents)
    return f"{MINUS if rounded < 0 else ''}${abs(rounded) / 100:,.2f}"


def person_words(person: str, names: Names) -> str:
    """Say who: by name where the house has one, else by id."""
    return names.get(person, person)


def clause_words(clause: str, reading: int | None) -> str:
    """
    >>> clause_words("13.D", 140), clause_words("13.D", None)
    ('13.D, reading 140', '13.D')
    """
    return f"{clause}, reading {reading}" if reading is not None else clause


def iso(at: datetime | None) -> str | None:
    """Write a time for programs."""
    return None if at is None else at.isoformat().replace("+00:00", "Z")
