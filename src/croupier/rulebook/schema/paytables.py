"""paytables.toml: every paytable, envy, the minimum amounts of meters."""

from __future__ import annotations

from typing import Literal

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, Count, RegulationPart

__all__ = ["Envy", "Line", "LinkRule", "MeterMinimum", "Paytable", "PaytableChoice", "Paytables", "RateRow"]


class Line(RegulationPart, frozen=True, kw_only=True):
    """A hand and what it pays, as printed."""

    hand: names.HandName
    pays: str
    clause: str = ""
    """The clause behind this line, where it is not the paytable's."""
    reading: int | None = None


class Paytable(Cited, frozen=True, kw_only=True):
    """One paytable exactly as printed. Cover All has one for each number of players."""

    group: names.PaytableGroup
    id: str
    players: Count | None = None
    stakes: tuple[str, ...] = ()
    stakes_reading: int | None = None
    link: Cited | None = None
    evaluator: names.Evaluator | None = None
    cards: names.CardsJudged | None = None
    line: tuple[Line, ...]


class PaytableChoice(Cited, frozen=True, kw_only=True):
    """The clause by which the operator chooses one paytable of a group."""

    group: names.PaytableGroup


class Envy(Cited, frozen=True, kw_only=True):
    """The envy column of a progressive paytable for one stake."""

    paytable: str
    stake: str
    line: tuple[Line, ...]


class MeterMinimum(Cited, frozen=True, kw_only=True):
    """The minimum initial and reset amount of a meter; without one the submission must still set both."""

    paytable: str
    meter: Literal["main", "mega", "major", "minor"]
    amount: str | None = None
    warn_below: str | None = None


class RateRow(Cited, frozen=True, kw_only=True):
    """The submission states the rate of progression."""


class LinkRule(Cited, frozen=True, kw_only=True):
    """What tables on one linked meter must have in common."""

    same: tuple[Literal["paytable", "stake", "decks"], ...]


class Paytables(RegulationPart, frozen=True, kw_only=True):
    """paytables.toml."""

    choice: tuple[PaytableChoice, ...] = ()
    paytable: tuple[Paytable, ...]
    envy: tuple[Envy, ...] = ()
    envy_choice: Cited | None = None
    minimum: tuple[MeterMinimum, ...] = ()
    rate: RateRow | None = None
    link: LinkRule | None = None
