"""Amounts: integer cents inside, decimal strings in dollars outside, never a float."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NewType

from croupier.errors import MoneyError

__all__ = [
    "MILLION",
    "MINUS",
    "MOST",
    "Cents",
    "MeterUnits",
    "check_cents",
    "format_dollars",
    "parse_dollars",
    "print_dollars",
]

Cents = NewType("Cents", int)
MeterUnits = NewType("MeterUnits", int)
"""A meter's value in 1/10,000 cent, so that every lawful rate accrues exactly (reading 16)."""

MOST: Final = Cents(10**12)
"""Ten billion dollars. Nothing at a table is larger, and its product with any odds fits 64 bits."""

MILLION: Final = 1_000_000
"""Rates and chances are whole millionths."""

MINUS: Final = "−"
"""The minus sign that people read; programs get a hyphen."""

_DOLLARS: Final = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?", re.ASCII)


def parse_dollars(text: str) -> Cents:
    """Read dollars as contracts write them: `12.50`, `12.5` or `12`; no sign, comma or exponent.

    >>> parse_dollars("12.50")
    1250
    >>> parse_dollars("12.505")
    Traceback (most recent call last):
    croupier.errors.MoneyError: '12.505' is not an amount: dollars with at most two decimals, such as 12.50
    """
    if not isinstance(text, str):
        raise MoneyError(f"{repr(text)[:20]} is not an amount: write dollars as a string, such as '12.50'")
    return _cents_of(text)


@lru_cache(maxsize=2_000)
def _cents_of(text: str) -> Cents:
    digits = _DOLLARS.fullmatch(text) if len(text) <= 20 else None
    if digits is None:
        shown = text if len(text) <= 20 else text[:20] + "…"
        raise MoneyError(f"{shown!r} is not an amount: dollars with at most two decimals, such as 12.50")
    cents = Cents(int(digits[1]) * 100 + int((digits[2] or "").ljust(2, "0")))
    if cents > MOST:
        raise MoneyError(f"{text!r} is too much: at most {print_dollars(MOST)}")
    return cents


@lru_cache(maxsize=2_000)
def format_dollars(cents: int) -> str:
    """Format dollars for other programs.

    >>> format_dollars(1250), format_dollars(-5)
    ('12.50', '-0.05')
    """
    dollars, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{dollars}.{rest:02}"


def print_dollars(cents: int) -> str:
    """Format dollars for people and signs: cents only where there are any.

    >>> print_dollars(100_000_000), print_dollars(1250), print_dollars(-500)
    ('$1,000,000', '$12.50', '−$5')
    """
    dollars, rest = divmod(abs(cents), 100)
    return f"{MINUS if cents < 0 else ''}${dollars:,}{f'.{rest:02}' if rest else ''}"


def check_cents(*amounts: int) -> None:
    """Refuse what is not an amount of money: a float, or anything below zero."""
    for amount in amounts:
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise MoneyError(f"{amount!r} is not an amount: whole cents")
        if amount < 0:
            raise MoneyError(f"{amount} cents: an amount cannot be negative")
