"""Pays: what a line of a paytable says, as a value that prints the way the documents do.

Where they differ it prints one form: a document's `10 percent of meter` and another's `10% of the meter`
are both `10% of meter`.

| as printed | value | what it pays (readings 1 to 5, 186) |
|---|---|---|
| `500 to 1` | `To(500)` | 500 stakes, and the stake comes back |
| `300 for 1` | `For(300)` | 300 stakes in all; the stake was collected before the deal |
| `$1,000` | `Dollars(100_000)` | that amount; the stake comes back unless it was collected |
| `10% of meter` | `Share(10)` | that share of the displayed meter, and nothing else |
| `Push` | `Push()` | the stake comes back |
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from msgspec import Struct

from croupier.errors import MoneyError
from croupier.money.amounts import MOST, Cents, check_cents, parse_dollars, print_dollars

__all__ = ["Dollars", "For", "MeterName", "Pay", "Payout", "Push", "Share", "To", "parse_pay", "settle"]

MeterName: TypeAlias = Literal["main", "mega", "major", "minor"]
MOST_TO_ONE: Final = 1_000_000
LONGEST: Final = 40


class To(Struct, frozen=True, tag="to"):
    """`n to 1`: n stakes are won and the stake is returned."""

    multiple: int

    def __post_init__(self) -> None:
        _whole(self.multiple, MOST_TO_ONE)

    def __str__(self) -> str:
        return f"{self.multiple:,} to 1"


class For(Struct, frozen=True, tag="for"):
    """`n for 1`: n stakes in all; the stake is gone."""

    multiple: int

    def __post_init__(self) -> None:
        _whole(self.multiple, MOST_TO_ONE)

    def __str__(self) -> str:
        return f"{self.multiple:,} for 1"


class Dollars(Struct, frozen=True, tag="dollars"):
    """A fixed amount, whatever the stake."""

    cents: int

    def __post_init__(self) -> None:
        _whole(self.cents, MOST)

    def __str__(self) -> str:
        return print_dollars(self.cents)


class Share(Struct, frozen=True, tag="share"):
    """A percentage of a progressive meter as displayed."""

    percent: int
    meter: MeterName = "main"

    def __post_init__(self) -> None:
        _whole(self.percent, 100)
        if self.meter not in get_args(MeterName):
            raise MoneyError(f"{self.meter!r} is not a meter: {', '.join(get_args(MeterName))}")

    def __str__(self) -> str:
        return f"{self.percent}% of {'meter' if self.meter == 'main' else f'{self.meter.title()} Progressive'}"


class Push(Struct, frozen=True, tag="push"):
    """Neither won nor lost: the stake is returned."""

    def __str__(self) -> str:
        return "Push"


Pay: TypeAlias = To | For | Dollars | Share | Push

_ODDS: Final = re.compile(r"([1-9][0-9]{0,2}(?:,[0-9]{3})*|[1-9][0-9]*) (to|for) 1")
_AMOUNT: Final = re.compile(r"\$ ?(0|[1-9][0-9]{0,2}(?:,[0-9]{3})*|[1-9][0-9]*)(\.[0-9]{2})?")
_SHARE: Final = re.compile(
    r"([1-9][0-9]{0,2}) ?(?:%|percent) of (?:the )?(?:meter|(mega|major|minor) (?:progressive|meter))"
)
_METERS: Final[dict[str | None, MeterName]] = {None: "main", "mega": "mega", "major": "major", "minor": "minor"}


@lru_cache(maxsize=1024)
def parse_pay(text: str) -> Pay:
    """Read a pay in any of the ways the documents print it; it prints in one of them.

    >>> [parse_pay(text) for text in ("1,000 to 1", "$250", "100 percent of Major Progressive", "push")]
    [To(multiple=1000), Dollars(cents=25000), Share(percent=100, meter='major'), Push()]
    >>> print(parse_pay("10 % of meter"))
    10% of meter
    >>> parse_pay("5 on 1")
    Traceback (most recent call last):
    croupier.errors.MoneyError: '5 on 1' is not a pay: write 5 to 1, 5 for 1, $5, 10% of meter or push
    """
    plain = text.strip().lower() if len(text) <= LONGEST else ""
    if plain == "push":
        return Push()
    if odds := _ODDS.fullmatch(plain):
        multiple = int(odds[1].replace(",", ""))
        if multiple <= MOST_TO_ONE:
            return To(multiple) if odds[2] == "to" else For(multiple)
    elif amount := _AMOUNT.fullmatch(plain):
        cents = parse_dollars(amount[1].replace(",", "") + (amount[2] or ""))
        if cents > 0:
            return Dollars(cents)
    elif (share := _SHARE.fullmatch(plain)) and int(share[1]) <= 100:
        return Share(int(share[1]), _METERS[share[2]])
    raise MoneyError(f"{text[:LONGEST]!r} is not a pay: write 5 to 1, 5 for 1, $5, 10% of meter or push")


class Payout(NamedTuple):
    """What one wager pays: `won` on top of the stake, and how much of the stake is `returned`."""

    won: Cents
    returned: Cents


def settle(pay: Pay, *, stake: Cents, collected: bool = False, award: Cents | None = None) -> Payout:
    """What a winning or pushing wager of `stake` pays.

    `collected` means that the stake went into the tray before the deal: it never comes back.
    A `Share` needs the `award` that the meter gives at this player's turn; see `share_of_meter`.

    >>> settle(parse_pay("300 for 1"), stake=Cents(100), collected=True)
    Payout(won=30000, returned=0)
    """
    if isinstance(pay, Share) != (award is not None):
        raise MoneyError(f"{pay}: an award is required for a share of a meter and for nothing else")
    check_cents(stake, award or Cents(0))
    back = Cents(0 if collected else stake)
    match pay:
        case To(multiple):
            return Payout(Cents(multiple * stake), back)
        case For(multiple):
            return Payout(Cents(multiple * stake), Cents(0))
        case Dollars(cents):
            return Payout(Cents(cents), back)
        case Share():
            return Payout(award or Cents(0), Cents(0))
        case Push():
            return Payout(Cents(0), back)


def _whole(value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= most:
        raise MoneyError(f"{value!r} is not a pay: a whole number from 1 to {most:,}")
