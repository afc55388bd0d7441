"""What may be bet before the deal, and a player's bets for the next round."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgspec import Struct

from croupier.money import Cents
from croupier.rulebook import HouseRules, HouseWager
from croupier.rulebook.names import WagerName
from croupier.rulebook.schema import Wager

__all__ = ["Slip", "Spots", "spots_of"]


class Spots(NamedTuple):
    """Where a player may bet: the main wager, those that must equal it, and the side bets."""

    house: HouseRules
    main: HouseWager
    equal: tuple[HouseWager, ...]
    sides: tuple[HouseWager, ...]

    @property
    def names(self) -> tuple[WagerName, ...]:
        """The wagers in the order in which they are placed."""
        return tuple(spot.name for spot in (self.main, *self.equal, *self.sides))

    @property
    def settled(self) -> tuple[WagerName, ...]:
        """All wagers of the game in settlement order."""
        settlement = self.house.rulebook.play.settlement
        return tuple(name for name in (*settlement.order, *settlement.last) if name != "envy")

    @property
    def least(self) -> Cents:
        """The minimum that opens a box."""
        return Cents((self.main.stakes.minimum if self.main.stakes else 0) * (1 + len(self.equal)))

    @property
    def against_dealer(self) -> bool:
        """Whether the main game is played against the dealer's hand."""
        return self.main.evaluator == "against_dealer"

    def wager(self, name: WagerName) -> Wager:
        """A wager as the document describes it."""
        return next(wager for wager in self.house.rulebook.wagers.wager if wager.name == name)

    def is_side(self, name: WagerName) -> bool:
        """Whether a wager is a side bet."""
        return any(side.name == name for side in self.sides)

    def needs(self, name: WagerName, placed: Collection[WagerName]) -> WagerName | None:
        """The first wager that a side bet asks for beside it and that is not placed."""
        asked = [requirement.wager for requirement in self.wager(name).requires]
        return next((other for other in asked if other not in placed and self.house.wager(other) is not None), None)


def spots_of(house: HouseRules) -> Spots:
    """The bets that a house offers before the deal."""
    wagers = {wager.name: wager for wager in house.rulebook.wagers.wager}
    return Spots(
        house,
        next(spot for spot in house.wagers if wagers[spot.name].limits_key),
        tuple(spot for spot in house.wagers if wagers[spot.name].stake == "equal"),
        tuple(spot for spot in house.wagers if wagers[spot.name].offered == "option"),
    )


class Slip(Struct, frozen=True):
    """What a player bets: on the main game, and on each side bet that is on."""

    main: Cents
    sides: dict[WagerName, Cents]

    def amounts(self, spots: Spots) -> dict[WagerName, Cents]:
        """Every bet by its wager."""
        return {spot.name: self.main for spot in (spots.main, *spots.equal)} | self.sides

    def total(self, spots: Spots) -> Cents:
        """The total bet."""
        return Cents(sum(self.amounts(spots).values()))

    def switched(self, name: WagerName, amount: Cents | None, least: Cents) -> Slip:
        """The slip with a side bet on or off; an amount sets it, and 0 takes it off."""
        if (name in self.sides and amount is None) or amount == 0:
            return Slip(self.main, {side: stake for side, stake in self.sides.items() if side != name})
        return Slip(self.main, self.sides | {name: amount or least})
