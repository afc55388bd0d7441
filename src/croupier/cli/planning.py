"""What the commands that simulate have in common: a plan from what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.analysis.cost import read_bets
from croupier.cli.analysis.design import read_share
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.rulebook.names import WagerName

if TYPE_CHECKING:
    from croupier.simulation.plan import Plan

__all__ = ["plan_of"]


def plan_of(house: HouseRules, bets: list[str], seats: int, strategy: str, mistakes: str, seed: int) -> Plan:
    """The plan of a house with so many alike at the table; `Malformed` says what cannot be played."""
    from croupier.simulation.plan import Plan, Seat

    share = read_share(mistakes, name="--mistakes") * 1_000_000
    if share < 0 or share.denominator != 1:
        raise Malformed(f"--mistakes: {mistakes} is not a share of decisions: from 0% to 100% in millionths")
    if seats > house.seats:
        raise Malformed(f"--seats: {seats}, but this table has {house.seats}")
    stakes = tuple(_stakes(house, read_bets(bets)).items())
    return Plan(
        house=house,
        seats=tuple(Seat(number, stakes) for number in range(1, seats + 1)),
        strategy=strategy,
        mistakes=int(share),
        seed=seed,
    )


def _stakes(house: HouseRules, bets: dict[str, Cents]) -> dict[WagerName, Cents]:
    """What lies on a box: the bets given, the main ones by `base`, or every wager at its least."""
    stakes: dict[WagerName, Cents] = {}
    for wager in house.wagers:
        name = "base" if wager.paytables[0].group == "base" else wager.name
        if wager.stakes is not None and (not bets or name in bets):
            stakes[wager.name] = bets.get(name, wager.stakes.minimum)
    known = {"base", *(wager.name for wager in house.wagers if wager.paytables[0].group != "base")}
    if unknown := [name for name in bets if name not in known]:
        raise Malformed(f"--bet: {unknown[0]!r} is not offered: {', '.join(sorted(known))}")
    return stakes
