"""The named rounding rules. Nothing else in Croupier rounds money.

| reading | rule | functions |
|---|---|---|
| 11, 187 | a limit is divided over the wagers of the hand that it cuts | `divide_pro_rata`, `divide_in_order` |
| 15 | what the tray pays when an amount cannot be made of chips | `with_breakage` |
| 16 | what a meter shows, and what a share of it is | `displayed`, `share_of_meter` |

`simulation/kernels/settling.py` repeats the limit and whole dollars for simulations, and `test_simulation`
compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from croupier.errors import MoneyError
from croupier.money.amounts import Cents, MeterUnits, check_cents

__all__ = [
    "UNITS_PER_CENT",
    "WHOLE",
    "Breakage",
    "DisplayUnit",
    "PercentRounding",
    "displayed",
    "divide_in_order",
    "divide_pro_rata",
    "meter_units",
    "share_of_meter",
    "with_breakage",
]

UNITS_PER_CENT: Final = 10_000
"""Units of a meter (reading 16)."""
CENTS_PER_DOLLAR: Final = 100
WHOLE: Final = 100
"""The whole meter, in percent."""

Breakage: TypeAlias = Literal["exact", "up_to_dollar"]
DisplayUnit: TypeAlias = Literal["cent", "dollar"]
PercentRounding: TypeAlias = Literal["up", "nearest", "down"]


def divide_pro_rata(wins: Sequence[Cents], *, limit: Cents) -> tuple[Cents, ...]:
    """Cut the wins of one hand, in settlement order, down to `limit` in proportion (reading 11).

    Each is rounded down to the cent; the cents left over go to the largest win, to the earliest of
    them when several are equal (reading 187). Wins within the limit stay as they are.

    >>> divide_pro_rata([Cents(100), Cents(100), Cents(100)], limit=Cents(200))
    (68, 66, 66)
    """
    check_cents(*wins, limit)
    total = sum(wins)
    if total <= limit:
        return tuple(wins)
    cut = [win * limit // total for win in wins]
    cut[wins.index(max(wins))] += limit - sum(cut)
    return tuple(map(Cents, cut))


def divide_in_order(wins: Sequence[Cents], *, limit: Cents) -> tuple[Cents, ...]:
    """Pay wins in full in settlement order until `limit` is used up (the option of reading 11).

    >>> divide_in_order([Cents(100), Cents(100), Cents(100)], limit=Cents(150))
    (100, 50, 0)
    """
    check_cents(*wins, limit)
    left, paid = limit, []
    for win in wins:
        paid.append(min(win, left))
        left = Cents(left - paid[-1])
    return tuple(paid)


def with_breakage(amount: Cents, breakage: Breakage = "exact") -> Cents:
    """What is paid for `amount`: never less (reading 15).

    >>> with_breakage(Cents(1001)), with_breakage(Cents(1001), "up_to_dollar")
    (1001, 1100)
    """
    check_cents(amount)
    unit = _named(breakage, {"exact": 1, "up_to_dollar": CENTS_PER_DOLLAR})
    return Cents(-(-amount // unit) * unit)


def meter_units(amount: Cents) -> MeterUnits:
    """An amount in a meter's units.

    >>> meter_units(Cents(5))
    50000
    """
    return MeterUnits(amount * UNITS_PER_CENT)


def displayed(meter: MeterUnits, unit: DisplayUnit = "cent") -> Cents:
    """What the meter shows: its value without the part below the unit (reading 16).

    The part not shown stays on the meter, even when the meter is reset.

    >>> displayed(MeterUnits(1_234_567_8999)), displayed(MeterUnits(1_234_567_8999), "dollar")
    (1234567, 1234500)
    """
    check_cents(meter)
    cents_shown = _named(unit, {"cent": 1, "dollar": CENTS_PER_DOLLAR})
    return Cents(meter // (UNITS_PER_CENT * cents_shown) * cents_shown)


def share_of_meter(shown: Cents, *, percent: int, rounding: PercentRounding = "up") -> Cents:
    """`percent` of what the meter shows, to the cent (reading 16); 100 % is what it shows.

    >>> share_of_meter(Cents(501_234), percent=10)
    50124
    """
    check_cents(shown, percent)
    if not 0 < percent <= WHOLE:
        raise MoneyError(f"{percent}% of a meter cannot be won: 1 to 100")
    add = _named(rounding, {"up": 99, "nearest": 50, "down": 0})
    return Cents((shown * percent + add) // 100)


def _named(name: str, rules: dict[str, int]) -> int:
    if name not in rules:
        raise MoneyError(f"{name!r} is not a rounding rule: {', '.join(rules)}")
    return rules[name]
