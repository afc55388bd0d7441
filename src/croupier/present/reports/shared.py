"""What every report writes the same way: times, amounts, people, clauses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Final, TypeAlias

from croupier.present.amounts import dollars

__all__ = ["MINUS", "Names", "about", "amount", "clause_words", "iso", "person_words", "when"]

MINUS: Final = "−"
Names: TypeAlias = Mapping[str, str]
"""The names of people by id."""


def when(at: datetime | None) -> str:
    """A time as reports print it: to the minute, in UTC."""
    return f"{at:%Y-%m-%d %H:%M}" if at is not None else ""


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
