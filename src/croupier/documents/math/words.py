"""How the math report prints a number: fractions whole, decimals rounded once, from the fraction itself."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from croupier.documents.paper import Block, Cell, Mono, Strong, Together
from croupier.money import MINUS, Cents, print_dollars
from croupier.present import percent

__all__ = [
    "cents_up",
    "decimal",
    "exactly",
    "fine_percent",
    "money",
    "number",
    "once_in",
    "share",
    "strong",
    "text",
    "together",
]


def together(*blocks: Block) -> Block:
    """Blocks that stay on one page as long as they fit on one."""
    return Together(blocks)


def text(words: str) -> Cell:
    """A cell of plain words."""
    return (words,)


def strong(words: str) -> Cell:
    """A cell that stands out, as a total does."""
    return (Strong(words),)


def exactly(value: Fraction | int) -> Cell:
    """A fraction, which may be long and may be broken anywhere.

    >>> exactly(Fraction(53223, 1082900))
    (Mono(text='53223/1082900'),)
    """
    return (Mono(str(value).replace("-", MINUS)),)


def decimal(value: Fraction | float, places: int) -> str:
    """
    >>> decimal(Fraction(-1, 3), 4), decimal(Fraction(12345, 1), 0), decimal(2.5, 1)
    ('−0.3333', '12,345', '2.5')
    """
    scaled = round(Fraction(value) * 10**places)
    whole, part = divmod(abs(scaled), 10**places)
    return f"{MINUS * (scaled < 0)}{whole:,}" + (f".{part:0{places}}" if places else "")


def number(value: int) -> str:
    """
    >>> number(2598960)
    '2,598,960'
    """
    return f"{value:,}".replace("-", MINUS)


def share(value: Fraction | float) -> str:
    """A share as every other page prints it, with four decimals."""
    return percent(value)


def fine_percent(value: Fraction, places: int = 8) -> str:
    """A share that may be very small.

    >>> fine_percent(Fraction(1, 649740))
    '0.00015391%'
    """
    return f"{decimal(value * 100, places)}%"


def once_in(chance: Fraction) -> str:
    """
    >>> once_in(Fraction(1, 649740)), once_in(Fraction(2, 5)), once_in(Fraction(0))
    ('649,740.0', '2.5', 'never')
    """
    return decimal(1 / chance, 1) if chance else "never"


def money(cents: Fraction | int) -> str:
    """An amount to the nearest cent."""
    return print_dollars(Cents(round(cents)))


def cents_up(dollars: Fraction) -> Cents:
    """The cents from which a meter is at least this many dollars."""
    return Cents(ceil(dollars * 100))
