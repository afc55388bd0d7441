"""A submission with another paytable for one wager, with the meters and the stake that this paytable needs."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier.money import Cents, parse_dollars
from croupier.rulebook.pays import SUGGESTED_METER
from croupier.rulebook.rates import read_rate
from croupier.rulebook.schema import MeterMinimum, Rulebook
from croupier.rulebook.submission import MeterTerms, Submission, WagerChoice

__all__ = ["other_paytable"]

RATE: Final = "0.10"
"""The rate of a meter that was not filed, as in a starting submission."""


def other_paytable(book: Rulebook, submission: Submission, wager: str, paytable: str) -> Submission:
    """The submission with this paytable; what was filed is kept where it fits, a meter at its minimum or above."""
    group = next((row.paytables for row in book.wagers.wager if row.name == wager), "base")
    table = next(row for row in book.paytables.paytable if (row.group, row.id) == (group, paytable))
    choice = submission.wagers.get(wager, WagerChoice())
    stakes = [parse_dollars(stake) for stake in table.stakes]
    meters = {
        row.meter: _meter(row, choice.meters.get(row.meter, MeterTerms()))
        for row in book.paytables.minimum
        if group == "progressive" and row.paytable == paytable
    }
    stake = choice.stake if not stakes or choice.stake in stakes else stakes[0]
    changed = replace(choice, paytable=paytable, meters=meters, stake=stake)
    return replace(submission, wagers=submission.wagers | {wager: changed})


def _meter(minimum: MeterMinimum, filed: MeterTerms) -> MeterTerms:
    least = parse_dollars(minimum.amount or SUGGESTED_METER)
    floor = least if minimum.amount else Cents(0)
    return MeterTerms(
        initial=least if filed.initial is None else max(filed.initial, floor),
        reset=least if filed.reset is None else max(filed.reset, floor),
        rate=filed.rate or read_rate(RATE),
    )
