"""House rules: a lawful submission with everything decided, immutable, known by the hash of its content."""

from __future__ import annotations

import hashlib
from functools import cached_property

from msgspec import Struct

from croupier.money import MILLION, Cents, format_dollars, print_dollars
from croupier.rulebook.house_options import HouseOptions
from croupier.rulebook.names import Deal, Evaluator, Shuffle, WagerName
from croupier.rulebook.schema import Envy, OptionValue, Paytable, Rulebook
from croupier.wire import canonical_json

__all__ = ["HouseMeter", "HouseRules", "HouseWager", "Stakes", "format_rate", "house_hash", "present"]


class HouseMeter(Struct, frozen=True):
    """A meter as this house runs it; the rate is in millionths of each stake."""

    name: str
    initial: Cents
    reset: Cents
    rate: int


class Stakes(Struct, frozen=True):
    """What may be staked: minimum, maximum and step.

    >>> stakes = Stakes(Cents(1000), Cents(50_000), Cents(500))
    >>> print(stakes)
    $10 to $500 in steps of $5
    >>> stakes.admits(Cents(1500)), stakes.admits(Cents(1700))
    (True, False)
    """

    minimum: Cents
    maximum: Cents
    increment: Cents

    def __str__(self) -> str:
        if self.minimum == self.maximum:
            return print_dollars(self.minimum)
        limits = f"{print_dollars(self.minimum)} to {print_dollars(self.maximum)}"
        return f"{limits} in steps of {print_dollars(self.increment)}"

    def admits(self, amount: int) -> bool:
        """Whether an amount is within the limits and reached in steps from the minimum."""
        return self.minimum <= amount <= self.maximum and (amount - self.minimum) % self.increment == 0


class HouseWager(Struct, frozen=True, kw_only=True):
    """A wager that this house offers, with all that settles it."""

    name: WagerName
    stakes: Stakes | None
    """None for a wager that follows another: a street bet its `multiples` of the ante, a raise the hand."""
    multiples: tuple[int, ...]
    evaluator: Evaluator
    paytables: tuple[Paytable, ...]
    """One, or for Cover All one for each number of players."""
    meters: tuple[HouseMeter, ...] = ()
    reserve_rate: int = 0
    envy: Envy | None = None
    link: str = ""


class HouseRules(Struct, frozen=True, kw_only=True, dict=True):
    """What judges every round at a table."""

    rulebook: Rulebook
    operator: str
    seats: int
    boxes: int
    wagers: tuple[HouseWager, ...]
    decks: int
    shuffle: Shuffle
    deal: Deal
    deck_hours: int
    cover_all_mode: bool
    payout_limit: Cents | None
    handpay_threshold: Cents | None
    match_play: str | None
    approvals: tuple[tuple[str, str], ...]
    options: HouseOptions

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the rulebook's hash and every choice."""
        return house_hash(self)

    def __hash__(self) -> int:
        return hash(self.hash)

    @property
    def readings(self) -> dict[str, OptionValue]:
        """The options that this rulebook has, by name, as they are stored."""
        names = sorted(option.rule.name for option in self.rulebook.options)
        return {name: self.options.named(name) for name in names}

    def wager(self, name: WagerName) -> HouseWager | None:
        """The wager of this name, if this house offers it."""
        return self._by_wager.get(name)

    @cached_property
    def _by_wager(self) -> dict[str, HouseWager]:
        return {wager.name: wager for wager in self.wagers}


def house_hash(house: HouseRules) -> str:
    """The hash by which a journal names the rules that judged a round: of what `present` shows, and the rulebook's."""
    content = present(house) | {"rulebook_hash": house.rulebook.hash}
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def present(house: HouseRules) -> dict[str, object]:
    """House rules for other programs: money and rates as decimal strings, paytables by their ids.

    All that an operator chose is in it, for the hash is made of it. A choice that comes into being later is shown only
    where it was made, so that the hashes of older houses stand.
    """
    return {
        "rulebook": house.rulebook.id,
        "edition": house.rulebook.edition,
        "operator": house.operator,
        "seats": house.seats,
        "boxes": house.boxes,
        "wagers": {wager.name: _wager(wager) for wager in house.wagers},
        "cards": {
            "decks": house.decks,
            "shuffle": house.shuffle,
            "deal": house.deal,
            "deck_hours": house.deck_hours,
            "cover_all_mode": house.cover_all_mode,
        },
        "payout_limit": _dollars(house.payout_limit),
        "handpay_threshold": _dollars(house.handpay_threshold),
        "match_play": house.match_play,
        "approvals": dict(house.approvals),
        "readings": house.readings,
    }


def format_rate(millionths: int) -> str:
    """
    >>> format_rate(120_000), format_rate(1_000_000)
    ('0.12', '1')
    """
    whole, part = divmod(millionths, MILLION)
    return f"{whole}.{part:06}".rstrip("0").rstrip(".")


def _wager(wager: HouseWager) -> dict[str, object]:
    shown: dict[str, object] = {"paytable": wager.paytables[0].id}
    if wager.stakes is not None:
        shown |= {field: _dollars(getattr(wager.stakes, field)) for field in ("minimum", "maximum", "increment")}
    if wager.multiples:
        shown["multiples"] = wager.multiples
    if wager.meters:
        shown["meters"] = {
            meter.name: {
                "initial": _dollars(meter.initial),
                "reset": _dollars(meter.reset),
                "rate": format_rate(meter.rate),
            }
            for meter in wager.meters
        }
    if wager.meters or wager.reserve_rate:
        shown["reserve_rate"] = format_rate(wager.reserve_rate)
    if wager.envy is not None:
        shown["envy"] = {line.hand: line.pays for line in wager.envy.line}
    if wager.link:
        shown["link"] = wager.link
    return shown


def _dollars(cents: Cents | None) -> str | None:
    return None if cents is None else format_dollars(cents)
