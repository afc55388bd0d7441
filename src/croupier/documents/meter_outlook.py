"""A progressive as it is today: what it returns at the meters shown now, where it breaks even, what is owed.

The figures are those of the math report, with the meters of this moment in place of the opening ones. Everything is
exact: what a wager returns is a line in each meter.

`python -m croupier.documents.meter_outlook` reads submissions, one per line as JSON text, and answers each.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from croupier.analysis import cached_prices, cases_of_house
from croupier.errors import CroupierError
from croupier.money import Cents
from croupier.rulebook import HouseRules, check, read_submission_text

__all__ = ["MeterOutlook", "MeterOwed", "ProgressiveOutlook", "outlook_of", "read_outlook"]


class MeterOwed(Struct, frozen=True):
    """How far a meter grows before it is won: by then it is, with this chance."""

    chance: Fraction
    wagers: int
    """Wagers since the last reset."""
    most: Fraction
    """The reset and what these wagers add, in cents; partial awards only take from it."""


class MeterOutlook(Struct, frozen=True, kw_only=True):
    """One meter; money in cents."""

    name: str
    initial: Cents
    reset: Cents
    rate: int
    """Millionths of each stake."""
    coefficient: Fraction
    """The share of the meter that one wager wins on average."""
    adapted: Cents | None
    """The break-even for a player who plays the main game with an eye on it, the others at their opening amounts."""
    whole: Fraction | None
    """The chance that a wager wins all of it; None where the long run is not known."""
    mean: Fraction | None
    """What it shows on average in the long run, with one player at the table."""
    owed: tuple[MeterOwed, ...]


class ProgressiveOutlook(Struct, frozen=True, kw_only=True):
    """The progressive wager of a house, envy not counted."""

    wager: str
    paytable: str
    stake: Cents
    link: str
    fixed: Fraction
    """What each staked dollar returns whatever the meters show."""
    long_run: Fraction | None
    """What each staked dollar returns in the long run."""
    reserve: Fraction
    """What each wager sets aside, in cents; it is in no return."""
    paces: tuple[tuple[int, int], ...]
    """Players, and rounds per hour with so many: one, and every seat taken."""
    meters: tuple[MeterOutlook, ...]

    def returned(self, shown: Mapping[str, Cents]) -> Fraction:
        """What each staked dollar returns while the meters show this."""
        won = sum((meter.coefficient * shown[meter.name] for meter in self.meters), Fraction(0))
        return self.fixed + won / self.stake

    def break_even(self, name: str, shown: Mapping[str, Cents]) -> Fraction | None:
        """The meter, in cents, from which the wager favors the player while the others show this; None: never."""
        meter = next(meter for meter in self.meters if meter.name == name)
        if not meter.coefficient:
            return None
        without = self.returned({**shown, name: Cents(0)})
        return max(Fraction(0), (1 - without) * self.stake / meter.coefficient)

    def hours_between(self, name: str) -> Fraction | None:
        """Hours between two full awards at one table with every seat taken; None where there is none, or none known."""
        meter = next(meter for meter in self.meters if meter.name == name)
        players, rounds = self.paces[-1]
        return 1 / meter.whole / (players * rounds) if meter.whole else None


def outlook_of(house: HouseRules) -> ProgressiveOutlook | None:
    """The progressive of a house; None if it offers none."""
    from croupier.documents.math.meters import progressive_of  # compiled code loads when something is priced

    wager = next((wager for wager in house.wagers if wager.meters), None)
    if wager is None:
        return None
    record = cached_prices(next(case for case in cases_of_house(house) if case.wager == wager.name))[0]
    progressive = progressive_of(house, record)
    run = progressive.long_run
    return ProgressiveOutlook(
        wager=wager.name,
        paytable=record.paytable,
        stake=progressive.stake,
        link=wager.link,
        fixed=record.fixed_return or Fraction(0),
        long_run=None if run is None else run.returned,
        reserve=Fraction(0) if run is None else run.reserve,
        paces=progressive.paces,
        meters=tuple(
            MeterOutlook(
                name=meter.terms.name,
                initial=meter.terms.initial,
                reset=meter.terms.reset,
                rate=meter.terms.rate,
                coefficient=meter.price.coefficient,
                adapted=meter.adapted,
                whole=None if meter.alone is None else meter.alone.whole,
                mean=None if meter.alone is None else meter.alone.mean,
                owed=meter.owed,
            )
            for meter in progressive.meters
        ),
    )


# --- between processes


def read_outlook(line: str) -> ProgressiveOutlook | None:
    """An outlook as another process has written it."""
    return msgspec.json.decode(line, type=ProgressiveOutlook | None, dec_hook=_read)


def _read(kind: type, value: Any) -> Any:  # noqa: ANN401 - as msgspec calls it
    if kind is Fraction:
        return Fraction(value)
    raise NotImplementedError(str(kind))


def _answer(text: str) -> ProgressiveOutlook | None:
    try:
        return outlook_of(check(read_submission_text(text, name="submission")).rules())
    except CroupierError:
        return None


if __name__ == "__main__":
    for asked in sys.stdin:
        sys.stdout.write(msgspec.json.encode(_answer(json.loads(asked)), enc_hook=str).decode() + "\n")
        sys.stdout.flush()
