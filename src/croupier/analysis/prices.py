"""The results of pricing: the price of a wager line by line, and the value of every action in a decision."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import Struct

from croupier.analysis.outcomes import Outcomes
from croupier.money import Cents, format_dollars

__all__ = ["Advice", "MeterPrice", "Price", "PricedLine", "TieRule", "Variant", "present"]

TieRule: TypeAlias = Literal["more", "less"]
"""Which of several equally good actions is taken: the one that stakes the most, or the least."""
Variant: TypeAlias = Literal["all_hands", "forfeit_on_fold"]
"""Whether a folded hand can still win."""


class PricedLine(Struct, frozen=True):
    """A line of a paytable: how many of the deals fall on it and what it adds to the player's result."""

    hand: str
    pays: str
    combinations: int
    returned: Fraction
    """Its part of the expected net result, in stakes."""


class MeterPrice(Struct, frozen=True):
    """What a meter is worth to one wager."""

    name: str
    coefficient: Fraction
    """The expected share of the meter that one wager wins."""
    value: Cents
    """The meter value at which the record is priced."""
    break_even: Fraction
    """The meter, in dollars, from which the wager favors the player while the others stay as shown."""


class Price(Struct, frozen=True, kw_only=True):
    """One priced wager."""

    rulebook: str
    wager: str
    paytable: str
    clause: str
    unit: str
    """What the figures are shares of: one ante, one bet, one stake."""
    outcomes: Outcomes
    hit: Fraction
    """How often the wager is paid: a line that pays comes up and the hand was not folded. A push is not a pay."""
    lines: tuple[PricedLine, ...]
    total: int
    method: str
    tie_rule: TieRule | None = None
    players: int | None = None
    stake: Cents | None = None
    variant: Variant | None = None
    average_wager: Fraction | None = None
    folded: Fraction | None = None
    """How often best play folds."""
    fixed_return: Fraction | None = None
    meters: tuple[MeterPrice, ...] = ()
    envy: Fraction | None = None
    """What envy adds to each staked dollar for every other player at the table."""

    def __repr__(self) -> str:
        return f"<Price {self.rulebook} {self.wager} {self.paytable}: house edge {float(self.edge):.4%}, {self.edge}>"

    @property
    def edge(self) -> Fraction:
        """What the house keeps on average, in units."""
        return -self.outcomes.mean

    @property
    def wins(self) -> Fraction:
        """How often it pays more than was wagered; a pay that only returns the stake is a hit but not a win."""
        return self.outcomes.share(lambda net: net > 0)

    @property
    def breaks_even(self) -> Fraction:
        """How often it pays exactly what was wagered: a push, or a pay of the stake alone."""
        return self.outcomes.share(lambda net: net == 0)

    @property
    def element_of_risk(self) -> Fraction | None:
        """The edge as a share of all money wagered."""
        return None if self.average_wager is None else self.edge / self.average_wager


class Advice(Struct, frozen=True):
    """The EV of each action, in antes or bets, counting everything already bet; `best` are all equally good."""

    actions: dict[str, Fraction]
    best: tuple[str, ...]

    def cost(self, action: str) -> Fraction:
        """What this action costs against the best one."""
        return max(self.actions.values()) - self.actions[action]


def present(record: Price) -> dict[str, object]:
    """A record for other programs: exact numbers as reduced fractions next to floats."""
    shown: dict[str, object] = {"rulebook": record.rulebook, "wager": record.wager, "paytable": record.paytable}
    asked: dict[str, object] = {"tie_rule": record.tie_rule, "players": record.players, "variant": record.variant}
    asked["stake"] = None if record.stake is None else format_dollars(record.stake)
    shown |= {name: value for name, value in asked.items() if value is not None}
    shown |= {"clause": record.clause, "unit": record.unit}
    shown |= _both("house_edge", record.edge)
    shown |= {
        "standard_deviation": record.outcomes.standard_deviation,
        "variance_exact": str(record.outcomes.variance),
        "skewness": record.outcomes.skewness,
    }
    shown |= _both("hit_frequency", record.hit)
    shown |= _both("win_frequency", record.wins) | _both("even_frequency", record.breaks_even)
    if record.average_wager is not None and record.element_of_risk is not None:
        shown |= _both("average_wager", record.average_wager) | _both("element_of_risk", record.element_of_risk)
    if record.folded is not None:
        shown |= _both("folded", record.folded)
    if record.fixed_return is not None:
        shown |= _both("fixed_return", record.fixed_return)
        shown["meters"] = {meter.name: _meter(meter) for meter in record.meters}
    if record.envy is not None:
        shown |= _both("envy_per_other_player", record.envy)
    shown["lines"] = [
        {
            "hand": line.hand,
            "pays": line.pays,
            "combinations": line.combinations,
            "probability": line.combinations / record.total,
            "probability_exact": str(Fraction(line.combinations, record.total)),
            "return": float(line.returned),
            "return_exact": str(line.returned),
        }
        for line in record.lines
    ]
    return shown | {"total_combinations": record.total, "method": record.method}


def _both(name: str, value: Fraction) -> dict[str, object]:
    return {name: float(value), f"{name}_exact": str(value)}


def _meter(meter: MeterPrice) -> dict[str, object]:
    cents = -(-meter.break_even.numerator * 100 // meter.break_even.denominator)
    return {
        "coefficient": float(meter.coefficient),
        "coefficient_exact": str(meter.coefficient),
        "break_even": format_dollars(Cents(cents)),
        "break_even_exact": str(meter.break_even),
        "value": format_dollars(meter.value),
    }
