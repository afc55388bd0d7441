"""Amounts and shares that are known to within an error, with no more digits than that supports."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10

from croupier.money.amounts import MINUS, Cents, print_dollars

__all__ = ["dollars_estimate", "percent_estimate", "percent_places", "round_dollars"]


def _step(error: float) -> Fraction:
    """The unit in which an error has two digits.

    >>> _step(6_271_900), _step(0.0523)
    (Fraction(100000, 1), Fraction(1, 1000))
    """
    return Fraction(10) ** (floor(log10(error)) - 1) if error > 0 else Fraction(0)


def dollars_estimate(cents: Fraction | float, error: float | None) -> str:
    """
    >>> dollars_estimate(42_374_307, 6_271_900), dollars_estimate(1_234, None)
    ('$424,000 ± $63,000', '$12.34')
    """
    if not error:
        return print_dollars(Cents(round(cents)))
    return f"{round_dollars(cents, error)} ± {round_dollars(error, error)}"


def round_dollars(cents: Fraction | float, error: float | None) -> str:
    """Cents as dollars, rounded to what this error in cents supports.

    >>> round_dollars(-1_234_567, 8_000), round_dollars(1_234_567, None)
    ('−$12,346', '$12,345.67')
    """
    step = max(_step(error), Fraction(1)) if error else Fraction(1)
    return print_dollars(Cents(int(round(Fraction(cents) / step) * step)))


def percent_estimate(share: Fraction | float, error: float | None) -> str:
    """
    >>> percent_estimate(Fraction(131, 10_000), 0.000523), percent_estimate(Fraction(-1, 4), None)
    ('1.310% ± 0.052%', '−25.00%')
    """
    places = percent_places(error)
    return f"{float(share):z.{places}%}".replace("-", MINUS) + (f" ± {error:.{places}%}" if error else "")


def percent_places(error: float | None) -> int:
    """The decimals of a percentage that an error supports; two where none is known.

    >>> percent_places(0.33), percent_places(0.0123), percent_places(None)
    (0, 1, 2)
    """
    return min(max(1 - floor(log10(100 * error)), 0), 6) if error else 2
