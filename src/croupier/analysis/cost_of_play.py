"""What a player's bets cost: each wager at its amount, the payout limit, and play that minds the progressive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import BASE, cases_of_house, main_table, streets_of, wager_of
from croupier.analysis.pricing import price
from croupier.analysis.streets.five_card_kinds import KINDS
from croupier.analysis.streets.game import best_play, odds_of, payoff_of
from croupier.analysis.streets.sets import sets_of
from croupier.analysis.streets.solve import Payoff, StreetSolution, solve
from croupier.analysis.tallies import flush_and_run_counts
from croupier.cards import Card
from croupier.errors import Malformed
from croupier.hands.flushes import Flush
from croupier.money import Cents, Share, parse_pay, print_dollars, settle, share_of_meter
from croupier.rulebook import HouseRules, HouseWager, Judged, Stakes, line_of
from croupier.rulebook.pays import for_stake

__all__ = ["BetCost", "Change", "MindedPlay", "SizeCost", "cost_of", "limit_by_size", "limit_cost", "mind_the_rest"]


SIZES: Final = tuple(number * 10**power for power in range(7) for number in (1, 2, 5))
"""Multiples of the least bet at which the payout limit is looked at."""


class BetCost(Struct, frozen=True):
    """One of a player's bets and what it loses in a round on average, in cents; below zero it wins."""

    wager: str
    amount: Cents
    edge: Fraction
    loses: Fraction


class Change(Struct, frozen=True):
    """A hand whose best action changes; of the suits only which are the same matters."""

    cards: tuple[Card, ...]
    before: str
    after: str


class MindedPlay(Struct, frozen=True):
    """Best play of the main game with everything in mind, against best play of the main game alone."""

    gain: Fraction
    """Cents a round."""
    folded: Fraction
    folded_before: Fraction
    first: tuple[Change, ...]
    """What changes in the first decision."""


class SizeCost(Struct, frozen=True):
    """What the payout limit takes from bets of one size in a round, in cents."""

    bets: dict[str, Cents]
    loses: Fraction | None


def cost_of(
    house: HouseRules, bets: Mapping[str, Cents], *, meters: Mapping[str, Cents] | None = None, players: int = 1
) -> list[BetCost]:
    """What each bet loses in a round; `players` sit at the table, and those beside this one bring envy."""
    if BASE not in bets:
        raise Malformed("no bet on the main game: a side wager goes with one, such as base=10.00")
    if not 1 <= players <= house.seats:
        raise Malformed(f"{players} players: this table has {house.seats} seats")
    cases = {case.wager: case for case in cases_of_house(house, meters=meters) if case.table.players in (None, players)}
    found = []
    for name, amount in bets.items():
        if name not in cases:
            raise Malformed(f"{name!r} is not offered: {', '.join(cases)}")
        _check_bet(house, name, amount)
        record = price(replace(cases[name], stake=amount))[0]
        edge = record.edge - (record.envy or 0) * (players - 1)
        found.append(BetCost(name, amount, edge, edge * amount))
    return found


def _check_bet(house: HouseRules, name: str, amount: Cents) -> None:
    """Whether a table of this house would take the bet."""
    group = BASE if name == BASE else wager_of(house.rulebook, name).paytables
    stakes = next(one.stakes for one in house.wagers if one.paytables[0].group == group and one.stakes)
    if not stakes.admits(amount):
        raise Malformed(f"{name}: {print_dollars(amount)} is outside the limits, {stakes}")


def limit_cost(house: HouseRules, bets: Mapping[str, Cents]) -> Fraction | None:
    """What the payout limit of a hand takes from these bets in a round, in cents, when nobody minds it.

    None where the house puts more wagers under it than the document names: together they have no exact price here.
    """
    limit, covered = house.payout_limit, set(house.rulebook.play.payout_limit.wagers)
    if _is_widened(house):
        return None
    game = streets_of(house.rulebook)
    if limit is None:
        return Fraction(0)
    if game is None:
        return _flush_limit(house, {name: bets[name] for name in bets if name in covered}, limit)
    if BASE not in bets:
        return Fraction(0)
    odds = odds_of(main_table(house))
    whole, cut = (payoff_of(game, odds, bet=bets[BASE], limit=one) for one in (None, limit))
    if np.array_equal(whole.pays, cut.pays):
        return Fraction(0)
    alone = best_play(game, odds)
    return alone.mean * bets[BASE] - _brings(alone, cut)


def _is_widened(house: HouseRules) -> bool:
    """Whether the limit covers more wagers than the document names (readings 6, 12)."""
    return house.options.cap_scope == "all_non_progressive" or bool(house.options.cap_extra_scopes)


def limit_by_size(house: HouseRules) -> list[SizeCost]:
    """What the limit takes from rising bets on the wagers it covers, from the house's least to its most."""
    game, covered = streets_of(house.rulebook), set(house.rulebook.play.payout_limit.wagers)
    limits: dict[str, Stakes] = {
        wager.name: wager.stakes for wager in house.wagers if wager.name in covered and wager.stakes
    }
    if game is not None:
        limits = {BASE: next(iter(limits.values()))}
    found = []
    for times in SIZES:
        bets = {name: Cents(stakes.minimum * times) for name, stakes in limits.items()}
        if all(bets[name] <= limits[name].maximum for name in bets):
            found.append(SizeCost(bets, limit_cost(house, bets)))
    return found


def _brings(solved: StreetSolution, payoff: Payoff) -> Fraction:
    """What this play brings where the ends pay so."""
    ends = [*zip(solved.played.ravel().tolist(), payoff.pays.ravel().tolist(), strict=True)]
    ends += zip(solved.folded.sum(axis=0).tolist(), payoff.folds.tolist(), strict=True)
    return Fraction(sum(count * won for count, won in ends), solved.game.deals)


def _flush_limit(house: HouseRules, bets: Mapping[str, Cents], limit: Cents) -> Fraction:
    """Two bonuses of one hand share the limit, so their wins are counted together."""
    cut, total = 0, 0
    wagers = [wager for wager in house.wagers if wager.name in bets]
    if sum(_most_won(house, wager, bets[wager.name]) for wager in wagers) <= limit:
        return Fraction(0)
    for longest, judged, count in flush_and_run_counts(ace_low=house.options.hcf_ace_low):
        seen = {"flush": Judged(Flush(longest, ())), "straight_flush": judged}
        won = sum(_won(house, wager, seen[wager.evaluator], bets[wager.name]) for wager in wagers)
        cut, total = cut + count * max(won - limit, 0), total + count
    return Fraction(cut, total)


def _most_won(house: HouseRules, wager: HouseWager, stake: Cents) -> int:
    return max(_line_wins(house, wager, place, stake) for place in range(len(wager.paytables[0].line)))


def _won(house: HouseRules, wager: HouseWager, judged: Judged, stake: Cents) -> int:
    place = line_of([line.hand for line in wager.paytables[0].line], judged, evaluator=wager.evaluator)
    return 0 if place is None else _line_wins(house, wager, place, stake)


def _line_wins(house: HouseRules, wager: HouseWager, place: int, stake: Cents) -> int:
    table, rule = wager.paytables[0], wager_of(house.rulebook, wager.name)
    pay = for_stake(parse_pay(table.line[place].pays), wager=rule, table=table, stake=stake)
    return 0 if isinstance(pay, Share) else settle(pay, stake=stake).won


def mind_the_rest(
    house: HouseRules, bets: Mapping[str, Cents], meters: Mapping[str, Cents] | None = None
) -> MindedPlay | None:
    """What is gained by playing the main game with the payout limit and the progressive in mind; None if nothing is."""
    game = streets_of(house.rulebook)
    if game is None or BASE not in bets:
        return None
    odds = odds_of(main_table(house))
    beside = _at_risk(house, bets, meters)
    limit = None if _is_widened(house) else house.payout_limit
    payoff = payoff_of(game, odds, bet=bets[BASE], limit=limit, beside=beside)
    unit = gcd(*payoff.pays.ravel().tolist(), *payoff.folds.tolist())  # large bets are summed in larger units
    minded, alone = solve(game, Payoff(payoff.pays // unit, payoff.folds // unit)), best_play(game, odds)
    gain = minded.mean * unit - _brings(alone, payoff)
    if not gain:
        return None
    folded, before = (Fraction(int(one.folded.sum()), game.deals) for one in (minded, alone))
    return MindedPlay(gain=gain, folded=folded, folded_before=before, first=_changes(alone, minded))


def _changes(alone: StreetSolution, minded: StreetSolution) -> tuple[Change, ...]:
    """The hands on which the two play differently at first, nothing but the one bet staked."""
    game = alone.game
    names = ("fold", *game.names)
    acts = zip(sets_of(game.first).cards, alone.acts[game.first][:, 1], minded.acts[game.first][:, 1], strict=True)
    return tuple(
        Change(tuple(map(Card, cards.tolist())), names[before], names[after])
        for cards, before, after in acts
        if before != after
    )


def _at_risk(house: HouseRules, bets: Mapping[str, Cents], meters: Mapping[str, Cents] | None) -> Sequence[int] | None:
    """What each kind of hand wins on a progressive that a fold would lose; None where there is no such bet."""
    wager = house.wager("progressive")
    if wager is None or "progressive" not in bets:
        return None
    case = next(one for one in cases_of_house(house, meters=meters) if one.wager == "progressive")
    if not case.forfeits:
        return None
    return _awards(wager, bets["progressive"], case.meters)


def _awards(wager: HouseWager, stake: Cents, meters: Mapping[str, Cents]) -> Sequence[int]:
    """What each kind of hand brings on the progressive, in cents."""
    table = wager.paytables[0]
    hands = [line.hand for line in table.line]
    awards: list[int] = []
    for kind in KINDS:
        place = line_of(hands, Judged(kind), evaluator="five_card")
        pay = None if place is None else parse_pay(table.line[place].pays)
        if isinstance(pay, Share):
            awards.append(share_of_meter(meters[pay.meter], percent=pay.percent))
        else:
            awards.append(settle(pay, stake=stake, collected=True).won if pay else 0)
    return awards
