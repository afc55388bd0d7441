"""What has to be flagged: rows of a file that the operator sets, with our assumptions where there is none."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from croupier.errors import Malformed
from croupier.money import Cents, parse_dollars

__all__ = ["Flagged", "Threshold", "default_thresholds", "read_thresholds"]

Flagged: TypeAlias = Literal["award", "cash_in", "cash_out"]


class Threshold(Struct, frozen=True, kw_only=True):
    """A row: from which amount on something is flagged.

    >>> tax = next(row for row in default_thresholds() if row.odds)
    >>> tax.is_reached(Cents(60_000), stake=Cents(100)), tax.is_reached(Cents(60_000), stake=Cents(500))
    (True, False)
    """

    name: str
    applies_to: Flagged
    amount: Cents
    reaches: Literal["at_least", "more_than"] = "at_least"
    odds: int | None = None
    """Only where the win is at least this many times the stake."""
    note: str = ""
    source: str = ""

    def is_reached(self, amount: int, *, stake: int = 0) -> bool:
        """Whether an amount, won on this stake, has to be flagged."""
        if self.odds is not None and amount < self.odds * stake:
            return False
        return amount > self.amount if self.reaches == "more_than" else amount >= self.amount


class _Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: str
    applies_to: Flagged
    amount: str
    reaches: Literal["at_least", "more_than"] = "at_least"
    odds: int | None = None
    note: str = ""
    source: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    threshold: tuple[_Row, ...] = ()


_DEFAULT: Final = files("croupier.ledger") / "thresholds.toml"


def default_thresholds() -> tuple[Threshold, ...]:
    """Our assumptions, for a house that has set nothing."""
    return read_thresholds(_DEFAULT.read_text("utf-8"), name="thresholds.toml")


def read_thresholds(text: str, *, name: str) -> tuple[Threshold, ...]:
    """The rows of a file; `Malformed` names the file and what is wrong in it.

    >>> read_thresholds('threshold = [{name = "log", applies_to = "cash", amount = "1.00"}]', name="my.toml")
    Traceback (most recent call last):
    croupier.errors.Malformed: my.toml: Invalid enum value 'cash' - at `$.threshold[0].applies_to`
    """
    try:
        rows = msgspec.convert(tomllib.loads(text), _File).threshold
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Malformed(f"{name}: {error}") from None
    return tuple(_read(row, name) for row in rows)


def _read(row: _Row, name: str) -> Threshold:
    try:
        amount = parse_dollars(row.amount)
    except Malformed as error:
        raise Malformed(f"{name}, threshold {row.name!r}: {error}") from None
    return Threshold(
        name=row.name,
        applies_to=row.applies_to,
        amount=amount,
        reaches=row.reaches,
        odds=row.odds,
        note=row.note,
        source=row.source,
    )
