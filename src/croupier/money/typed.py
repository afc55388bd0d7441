"""Amounts and counts as people type them; `parse_dollars` reads what programs write."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from croupier.errors import MoneyError
from croupier.money.amounts import Cents, parse_dollars
from croupier.wire import clip

__all__ = ["MOST_COUNTED", "typed_count", "typed_dollars"]

MOST_COUNTED: Final = 1 << 64
_LONGEST: Final = 60
_GROUPED: Final = re.compile(r"[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?", re.ASCII)
"""A comma stands before three digits: `1,00` could be meant as 1.00 or 100."""
_COUNT: Final = re.compile(
    r"(-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)(?:\.[0-9]+)?)(?:e([0-9]{1,2})| ?([kmb]))?", re.ASCII
)
_ZEROS: Final = {"k": 3, "m": 6, "b": 9}
_SHORT: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?([km])", re.ASCII)
"""Thousands and millions of dollars: `25k`, `1.5m`."""


def typed_dollars(text: str) -> Cents:
    """Read dollars as people type them: with a dollar sign, commas between thousands, spaces around, or k and m.

    >>> typed_dollars(" $1,250 "), typed_dollars("1250.5"), typed_dollars(".50"), typed_dollars("$25k")
    (125000, 125050, 50, 2500000)
    >>> typed_dollars("1,25")
    Traceback (most recent call last):
    croupier.errors.MoneyError: '1,25' is not an amount: a comma goes before three digits, as in 1,000.00
    """
    if not isinstance(text, str):
        return parse_dollars(text)
    bare = text.strip().removeprefix("$").strip()
    if _GROUPED.fullmatch(bare):
        bare = bare.replace(",", "")
    elif "," in bare:
        raise MoneyError(f"{clip(repr(text))} is not an amount: a comma goes before three digits, as in 1,000.00")
    if bare.startswith("."):
        bare = f"0{bare}"
    if short := _SHORT.fullmatch(bare.lower()):
        bare = f"{Decimal(short[1]).scaleb(_ZEROS[short[2]]):f}"
    return parse_dollars(bare.removesuffix("."))


def typed_count(text: str, *, least: int = 0, most: int = MOST_COUNTED) -> int:
    """Read a whole number as people type it: 1000000, 1,000,000, 1_000_000, 1e6, 1m or 250k.

    >>> typed_count("1,000,000"), typed_count("1e6"), typed_count("250k"), typed_count("1.5m")
    (1000000, 1000000, 250000, 1500000)
    >>> typed_count("1.5")
    Traceback (most recent call last):
    croupier.errors.MoneyError: '1.5' is not a whole number, such as 1000, 1,000, 250k or 1e6
    >>> typed_count("1e20", least=1)
    Traceback (most recent call last):
    croupier.errors.MoneyError: 1e20 is out of range: from 1 to 18,446,744,073,709,551,616
    """
    written = text.strip().lower()
    number = _COUNT.fullmatch(written) if len(written) <= _LONGEST else None
    value = Fraction(1, 2)
    if number is not None:
        zeros = int(number[2] or _ZEROS.get(number[3], 0))
        value = Fraction(number[1].replace(",", "").replace("_", "")) * 10**zeros
    if value.denominator != 1:
        raise MoneyError(f"{clip(repr(text))} is not a whole number, such as 1000, 1,000, 250k or 1e6")
    if not least <= value <= most:
        is_open = most == MOST_COUNTED and value < least
        limits = f"at least {least:,}" if is_open else f"from {least:,} to {most:,}"
        raise MoneyError(f"{text.strip()} is out of range: {limits}")
    return int(value)
