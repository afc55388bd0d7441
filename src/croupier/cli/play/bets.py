"""What may be bet before the deal, and a player's bets for the next round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from croupier.games import open_round
from croupier.games.betting_rules import missing_requirement
from croupier.games.rules import Rules
from croupier.money import Cents
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import WagerName

__all__ = ["Slip", "Spots", "spots_of"]


class Spots(NamedTuple):
    """Where a player may bet: the main wager, those that must equal it, and the side bets."""

    rules: Rules
    main: HouseWager
    equal: tuple[HouseWager, ...]
    sides: tuple[HouseWager, ...]

    @property
    def names(self) -> tuple[WagerName, ...]:
        """The wagers in the order in which they are placed."""
        return tuple(spot.name for spot in (self.main, *self.equal, *self.sides))

    @property
    def least(self) -> Cents:
        """The least that opens a box."""
        return Cents((self.main.stakes.minimum if self.main.stakes else 0) * (1 + len(self.equal)))

    def is_side(self, name: WagerName) -> bool:
        """Whether a wager is a side bet."""
        return self.rules.wagers[name].offered == "option"

    def needs(self, side: HouseWager, placed: Mapping[WagerName, Cents]) -> WagerName | None:
        """The wager that a side bet needs and that is not placed."""
        missing = missing_requirement(self.rules, self.rules.wagers[side.name], placed)
        return None if missing is None else missing.wager


def spots_of(house: HouseRules) -> Spots:
    """The bets that a house offers before the deal."""
    rules = open_round(house).rules
    offered = [(spot, rules.wagers[spot.name]) for spot in house.wagers]
    return Spots(
        rules,
        rules.offered[rules.main.name],
        tuple(spot for spot, wager in offered if wager.stake == "equal"),
        tuple(spot for spot, wager in offered if wager.offered == "option"),
    )


class Slip(Struct, frozen=True):
    """What a player bets: on the main game, and on each side bet that is on."""

    main: Cents
    sides: dict[WagerName, Cents]

    def amounts(self, spots: Spots) -> dict[WagerName, Cents]:
        """Every bet by its wager."""
        return {spot.name: self.main for spot in (spots.main, *spots.equal)} | self.sides

    def total(self, spots: Spots) -> Cents:
        """All of it."""
        return Cents(sum(self.amounts(spots).values()))

    def switched(self, name: WagerName, amount: Cents | None, least: Cents) -> Slip:
        """The slip with a side bet on or off; an amount sets it, and 0 takes it off."""
        if (name in self.sides and amount is None) or amount == 0:
            return Slip(self.main, {side: stake for side, stake in self.sides.items() if side != name})
        return Slip(self.main, self.sides | {name: amount or least})
