"""Money as integer cents, pays as a paytable prints them, and the named rounding rules.

>>> pay = parse_pay("500 to 1")
>>> settle(pay, stake=parse_dollars("10.00"))
Payout(won=500000, returned=1000)
>>> format_dollars(500000), print_dollars(500000)
('5000.00', '$5,000')
"""

from croupier.money.amounts import (
    MILLION,
    MINUS,
    MOST,
    Cents,
    MeterUnits,
    format_dollars,
    parse_dollars,
    print_dollars,
)
from croupier.money.estimates import dollars_estimate, percent_estimate, percent_places, round_dollars
from croupier.money.pays import Dollars, For, MeterName, Pay, Payout, Push, Share, To, parse_pay, settle
from croupier.money.rounding import (
    UNITS_PER_CENT,
    WHOLE,
    Breakage,
    DisplayUnit,
    PercentRounding,
    displayed,
    divide_in_order,
    divide_pro_rata,
    meter_units,
    share_of_meter,
    with_breakage,
)
from croupier.money.typed import MOST_COUNTED, typed_count, typed_dollars

__all__ = [
    "MILLION",
    "MINUS",
    "MOST",
    "MOST_COUNTED",
    "UNITS_PER_CENT",
    "WHOLE",
    "Breakage",
    "Cents",
    "DisplayUnit",
    "Dollars",
    "For",
    "MeterName",
    "MeterUnits",
    "Pay",
    "Payout",
    "PercentRounding",
    "Push",
    "Share",
    "To",
    "displayed",
    "divide_in_order",
    "divide_pro_rata",
    "dollars_estimate",
    "format_dollars",
    "meter_units",
    "parse_dollars",
    "parse_pay",
    "percent_estimate",
    "percent_places",
    "print_dollars",
    "round_dollars",
    "settle",
    "share_of_meter",
    "typed_count",
    "typed_dollars",
    "with_breakage",
]
