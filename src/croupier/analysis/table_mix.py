"""A table as it really fills, exactly: how many play hour by hour, and which share of them makes each side bet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

from msgspec import Struct

from croupier.analysis.cache import cached_prices
from croupier.analysis.cases import BASE, cases_of_house, streets_of
from croupier.analysis.cost_of_play import cost_of, limit_cost
from croupier.analysis.player_mix import PlayerMix
from croupier.errors import Malformed
from croupier.money import Cents
from croupier.rulebook import HouseRules
from croupier.wire import clip

__all__ = ["MixedHours", "mixed_hours"]


class MixedHours(Struct, frozen=True):
    """The hours of a day with the same number of players; money in cents per round and player."""

    players: int
    hours: Fraction
    rounds: int
    """Per hour."""
    wins: dict[str, Fraction]
    """What the house expects to win by wager, and by the payout limit."""
    handle: Fraction
    """Money at risk under optimal play."""

    @property
    def win(self) -> Fraction:
        """What the house expects to win."""
        return sum(self.wins.values(), Fraction(0))

    @property
    def theo(self) -> Fraction:
        """Theoretical win per player and hour."""
        return self.win * self.rounds

    @property
    def seat_rounds(self) -> Fraction:
        """Rounds per day, counted once for each player."""
        return self.hours * self.rounds * self.players


def mixed_hours(house: HouseRules, mix: PlayerMix, pace: Callable[[int], int]) -> list[MixedHours]:
    """What the house expects by number of players: optimal play, progressives in the long run."""
    bets, shares, side_bets = mix.bets, mix.shares, [name for name in mix.bets if name != BASE]
    if unknown := [name for name in shares if name not in side_bets]:
        listed = ", ".join(side_bets) or "there is none"
        raise Malformed(f"share of {clip(unknown[0])}: these players have no such side bet: {listed}")
    base = cached_prices(next(case for case in cases_of_house(house) if case.wager == BASE))[0]
    side = sum((shares.get(name, 1) * amount for name, amount in bets.items() if name != BASE), Fraction(0))
    handle = (base.average_wager or Fraction(1)) * bets[BASE] + side
    limit = _limit(house, bets, shares)
    return [
        MixedHours(players, hours, pace(players), _wins(house, bets, shares, players) | {"payout limit": limit}, handle)
        for players, hours in mix.levels.items()
    ]


def _wins(
    house: HouseRules, bets: Mapping[str, Cents], shares: Mapping[str, Fraction], players: int
) -> dict[str, Fraction]:
    """What each wager brings from a player; envy is paid for every other hand, or for those who bet (reading 36)."""
    alone, together = (cost_of(house, bets, players=number) for number in (1, players))
    must_bet = house.options.envy_holder_must_bet
    wins = {}
    for single, full in zip(alone, together, strict=True):
        share = shares.get(single.wager, Fraction(1))
        edge = full.edge
        if single.long_run_edge is not None and full.long_run_edge is not None:
            holders = share if must_bet else 1
            edge = single.long_run_edge - holders * (single.long_run_edge - full.long_run_edge)
        wins[single.wager] = share * edge * single.amount
    return wins


def _limit(house: HouseRules, bets: Mapping[str, Cents], shares: Mapping[str, Fraction]) -> Fraction:
    """What the payout limit takes on average; side bets that share it are counted together."""
    total = Fraction(0)
    for chance, made in _sets_of_bets(house, bets, shares):
        cost = limit_cost(house, made)
        if cost is None:
            raise Malformed("readings.cap: the payout limit covers more wagers than the document names; no exact price")
        total += chance * cost
    return total


def _sets_of_bets(
    house: HouseRules, bets: Mapping[str, Cents], shares: Mapping[str, Fraction]
) -> Iterator[tuple[Fraction, dict[str, Cents]]]:
    """Which bets under the limit a player makes, with the chance of each set."""
    covered = [] if streets_of(house.rulebook) else list(house.rulebook.play.payout_limit.wagers)
    uncertain = [name for name in bets if name in covered and shares.get(name, 1) != 1]
    for made in product((True, False), repeat=len(uncertain)):
        chance, without = Fraction(1), set()
        for name, yes in zip(uncertain, made, strict=True):
            chance *= shares[name] if yes else 1 - shares[name]
            without |= set() if yes else {name}
        yield chance, {name: amount for name, amount in bets.items() if name not in without}
