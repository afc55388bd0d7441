"""Money for people: dollars, gains and losses, meters, shares.

>>> dollars(125000), dollars(1250), gain(6000), gain(-250)
('$1,250', '$12.50', '+$60', '−$2.50')
"""

from __future__ import annotations

from fractions import Fraction

from croupier.money import MINUS, UNITS_PER_CENT, MeterUnits, print_dollars
from croupier.rulebook import Stakes

__all__ = [
    "average_gain",
    "dollars",
    "dollars_and_cents",
    "exact_dollars",
    "gain",
    "meter_dollars",
    "percent",
    "percent_exactly",
    "small_dollars",
    "stakes_words",
]


def dollars(cents: int) -> str:
    """Print an amount, with cents only where there are any."""
    return print_dollars(cents)


def dollars_and_cents(cents: int) -> str:
    """Print an amount as a column of amounts does, always with its cents.

    >>> dollars_and_cents(1000000), dollars_and_cents(-5)
    ('$10,000.00', '−$0.05')
    """
    return f"{MINUS * (cents < 0)}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def gain(cents: int) -> str:
    """Print what was won or lost, with its sign."""
    return f"{'+' if cents > 0 else MINUS if cents < 0 else ''}{print_dollars(abs(cents))}"


def average_gain(cents: Fraction | int) -> str:
    """Print an average to the nearest cent, with its sign.

    >>> average_gain(Fraction(-12345, 100)), average_gain(Fraction(1, 3)), average_gain(0)
    ('−$1.23', '+$0.00', '$0.00')
    """
    return f"{'+' if cents > 0 else MINUS if cents < 0 else ''}{dollars_and_cents(abs(round(cents)))}"


def exact_dollars(cents: Fraction | int) -> str:
    """Print an average exactly, as a fraction of dollars.

    >>> exact_dollars(Fraction(-45)), exact_dollars(Fraction(100, 3)), exact_dollars(700)
    ('−9/20 dollars', '1/3 dollars', '7 dollars')
    """
    return f"{MINUS * (cents < 0)}{abs(Fraction(cents) / 100)} dollars"


def small_dollars(cents: Fraction | int) -> str:
    """Print an average per bet or round: to the cent from a dollar on, below that to a hundredth of a cent.

    >>> [small_dollars(Fraction(cents)) for cents in ("6757.93", "7.7", "-10", "0")]
    ['$67.58', '$0.0770', '−$0.10', '$0']
    """
    size = abs(Fraction(cents)) / 100
    if size < Fraction(1, 20_000):
        return "under $0.0001" if size else "$0"
    places = 2 if size >= 1 or not (size * 100) % 1 else 4
    return f"{MINUS * (cents < 0)}${float(size):,.{places}f}"


def meter_dollars(units: MeterUnits | int) -> str:
    """Print what a meter holds, down to 1/10,000 cent where it holds that much.

    >>> meter_dollars(10_000_000_000), meter_dollars(250_000), meter_dollars(-1_234_567)
    ('$10,000.00', '$0.25', '−$1.234567')
    """
    cents, fine = divmod(abs(units), UNITS_PER_CENT)
    return f"{MINUS * (units < 0)}{dollars_and_cents(cents)}{f'{fine:04}'.rstrip('0') if fine else ''}"


def stakes_words(stakes: Stakes) -> str:
    """
    >>> from croupier.money import Cents
    >>> stakes_words(Stakes(Cents(1000), Cents(50000), Cents(500)))
    '$10 to $500 in steps of $5'
    """
    return str(stakes)


def percent(share: Fraction | float, places: int = 4) -> str:
    """
    >>> percent(Fraction(128, 5525)), percent(Fraction(-1, 3), 2)
    ('2.3167%', '−33.33%')
    """
    return f"{float(share * 100):,.{places}f}%".replace("-", MINUS)


def percent_exactly(share: Fraction, places: int = 4) -> str:
    """
    >>> percent_exactly(Fraction(53223, 1082900))
    '4.9149%, exactly 53223/1082900'
    """
    return f"{percent(share, places)}, exactly {share}"
