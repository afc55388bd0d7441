"""House rules: a lawful submission with everything decided, immutable, known by the hash of its content."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from croupier.money import Cents
from croupier.rulebook.names import Deal, Evaluator, Shuffle, WagerName
from croupier.rulebook.schema import Envy, OptionValue, Paytable, Rulebook

__all__ = ["HouseMeter", "HouseRules", "HouseWager", "house_hash"]


class HouseMeter(Struct, frozen=True):
    """A meter as this house runs it; the rate is in millionths of each stake."""

    name: str
    initial: Cents
    reset: Cents
    rate: int


class HouseWager(Struct, frozen=True, kw_only=True):
    """A wager that this house offers, with all that settles it."""

    name: WagerName
    minimum: Cents
    maximum: Cents
    increment: Cents
    evaluator: Evaluator
    paytables: tuple[Paytable, ...]
    """One, or for Cover All one for each number of players."""
    meters: tuple[HouseMeter, ...] = ()
    reserve_rate: int = 0
    envy: Envy | None = None
    link: str = ""


class HouseRules(Struct, frozen=True, kw_only=True):
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
    options: tuple[tuple[str, OptionValue], ...]

    @property
    def hash(self) -> str:
        """SHA-256 over the rulebook's content and every choice."""
        return house_hash(self)

    def option(self, name: str) -> OptionValue:
        """The value of an option of the readings that this rulebook has."""
        return next(value for key, value in self.options if key == name)

    def wager(self, name: WagerName) -> HouseWager | None:
        """The wager of this name, if this house offers it."""
        return next((wager for wager in self.wagers if wager.name == name), None)


def house_hash(house: HouseRules) -> str:
    """The hash by which a journal names the rules that judged a round."""
    content = {field: getattr(house, field) for field in house.__struct_fields__ if field != "rulebook"}
    content["rulebook"] = (house.rulebook.id, house.rulebook.hash)
    return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()
