"""What a player's bets cost: each wager at its amount, the payout limit, and play adapted to jackpot and limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, gcd
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from croupier.analysis.cases import BASE, Case, StreetGame, cases_of_house, main_table, streets_of, wager_of
from croupier.analysis.meter_long_run import has_long_run, long_run_of
from croupier.analysis.pricing import price
from croupier.analysis.streets.five_card_kinds import KINDS
from croupier.analysis.streets.game import best_play, odds_of, payoff_of
from croupier.analysis.streets.sets import sets_of
from croupier.analysis.streets.solve import Payoff, StreetSolution, solve
from croupier.analysis.tallies import flush_and_run_counts
from croupier.cards import Card
from croupier.errors import Malformed
from croupier.hands import Flush
from croupier.money import Cents, Pay, Share, parse_pay, print_dollars, settle, share_of_meter
from croupier.rulebook import HouseRules, HouseWager, Judged, Stakes, for_stake, line_of, not_offered

__all__ = [
    "AdaptedPlay",
    "BetCost",
    "Change",
    "SizeCost",
    "adapted_break_even",
    "adapted_play",
    "brings",
    "cost_of",
    "limit_by_size",
    "limit_cost",
]


SIZES: Final = tuple(number * 10**power for power in range(7) for number in (1, 2, 5))
"""Multiples of the minimum bet at which the payout limit is priced."""


class BetCost(Struct, frozen=True):
    """One of a player's bets and what it loses per round on average, in cents; below zero it wins."""

    wager: str
    amount: Cents
    edge: Fraction
    """The house edge of a progressive at the meters shown."""
    loses: Fraction
    long_run_edge: Fraction | None = None
    """The house edge of a progressive at the average meter."""


class Change(Struct, frozen=True):
    """A hand whose best action changes; of the suits only which are the same matters."""

    cards: tuple[Card, ...]
    before: str
    after: str


class AdaptedPlay(Struct, frozen=True):
    """Best play of main game, progressive and payout limit together, against best play of the main game alone."""

    gain: Fraction
    """Cents per round."""
    folded: Fraction
    folded_before: Fraction
    first: tuple[Change, ...]
    """What changes in the first decision."""


class SizeCost(Struct, frozen=True):
    """What the payout limit takes from bets of one size per round, in cents."""

    bets: dict[str, Cents]
    loses: Fraction | None


def cost_of(
    house: HouseRules, bets: Mapping[str, Cents], *, meters: Mapping[str, Cents] | None = None, players: int = 1
) -> list[BetCost]:
    """What each bet loses per round with this many players at the table; the others' hands can pay envy."""
    if BASE not in bets:
        raise Malformed("no bet on the main game: a side wager requires one, such as ante=10.00")
    if not 1 <= players <= house.seats:
        raise Malformed(f"{players} players: this table has {house.seats} seats")
    cases = {case.wager: case for case in cases_of_house(house, meters=meters) if case.table.players in (None, players)}
    costs = []
    for name, amount in bets.items():
        if name not in cases:
            raise not_offered(house, name, cases)
        _check_bet(house, name, amount)
        record = price(replace(cases[name], stake=amount))[0]
        envy = (record.envy or 0) * (players - 1)
        long_run = long_run_of(house).edge - envy if record.meters and has_long_run(house) else None
        costs.append(BetCost(name, amount, record.edge - envy, (record.edge - envy) * amount, long_run))
    return costs


def _check_bet(house: HouseRules, name: str, amount: Cents) -> None:
    """Whether a table of this house would take the bet."""
    group = BASE if name == BASE else wager_of(house.rulebook, name).paytables
    stakes = next(wager.stakes for wager in house.wagers if wager.paytables[0].group == group and wager.stakes)
    if not stakes.admits(amount):
        raise Malformed(f"{name}: {print_dollars(amount)} does not fit the limits, {stakes}")


def limit_cost(house: HouseRules, bets: Mapping[str, Cents]) -> Fraction | None:
    """What the payout limit of a hand takes from these bets per round, in cents, when nobody plays around it.

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
    whole, cut = (payoff_of(game, odds, bet=bets[BASE], limit=most) for most in (None, limit))
    if np.array_equal(whole.pays, cut.pays):
        return Fraction(0)
    alone = best_play(game, odds)
    return alone.mean * bets[BASE] - brings(alone, cut)


def _is_widened(house: HouseRules) -> bool:
    """Whether the limit covers more wagers than the document names (readings 6, 12)."""
    return house.options.cap_scope == "all_non_progressive" or bool(house.options.cap_extra_scopes)


def limit_by_size(house: HouseRules) -> list[SizeCost]:
    """What the limit takes from bets of each size on the wagers it covers, from the house minimum to the maximum."""
    game, covered = streets_of(house.rulebook), set(house.rulebook.play.payout_limit.wagers)
    limits: dict[str, Stakes] = {
        wager.name: wager.stakes for wager in house.wagers if wager.name in covered and wager.stakes
    }
    if game is not None:
        limits = {BASE: next(iter(limits.values()))}
    costs = []
    for times in SIZES:
        bets = {name: Cents(stakes.minimum * times) for name, stakes in limits.items()}
        if all(bets[name] <= limits[name].maximum for name in bets):
            costs.append(SizeCost(bets, limit_cost(house, bets)))
    return costs


def brings(solved: StreetSolution, payoff: Payoff) -> Fraction:
    """The expected result of this play under these payoffs."""
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


def adapted_play(
    house: HouseRules, bets: Mapping[str, Cents], meters: Mapping[str, Cents] | None = None
) -> AdaptedPlay | None:
    """The gain from adapting the main game to the payout limit and the progressive; None if there is none."""
    game = streets_of(house.rulebook)
    if game is None or BASE not in bets:
        return None
    at_risk = _progressive_at_risk(house, bets)
    awards = None if at_risk is None else _awards(at_risk, bets["progressive"], _meters_shown(house, meters))
    payoff, alone = _payoff(house, game, bets[BASE], awards), best_play(game, odds_of(main_table(house)))
    adapted, unit = _solve(game, payoff)
    gain = adapted.mean * unit - brings(alone, payoff)
    if not gain:
        return None
    folded, before = (Fraction(int(play.folded.sum()), game.deals) for play in (adapted, alone))
    return AdaptedPlay(gain=gain, folded=folded, folded_before=before, first=_changes(alone, adapted))


def adapted_break_even(
    house: HouseRules, bets: Mapping[str, Cents], meters: Mapping[str, Cents] | None = None
) -> dict[str, Cents]:
    """The meters, to the cent, above which a progressive that folding forfeits favors a player who adapts to it.

    What a way to play brings is a line in the meter, and adapted play the highest of these lines. So the crossing of
    the best line at a meter above the break-even lies nearer to it: a few steps lead there.
    """
    game, wager = streets_of(house.rulebook), _progressive_at_risk(house, bets)
    if game is None or wager is None or BASE not in bets:
        return {}
    shown, stake = _meters_shown(house, meters), bets["progressive"]
    alone, unit = _solve(game, _payoff(house, game, bets[BASE], None))
    target = alone.mean * unit + stake
    evens = {}
    for meter in price(replace(_progressive_case(house), stake=stake, meters=shown))[0].meters:
        even = Cents(ceil(meter.break_even * 100))
        while True:
            awards = _awards(wager, stake, {**shown, meter.name: even})
            play, _ = _solve(game, _payoff(house, game, bets[BASE], awards))
            without = brings(
                play, _payoff(house, game, bets[BASE], _awards(wager, stake, {**shown, meter.name: Cents(0)}))
            )
            crossing = Cents(max(0, ceil((target - without) / _share_won(play, wager, meter.name))))
            if crossing == even:
                break
            even = crossing
        evens[meter.name] = even
    return evens


def _share_won(play: StreetSolution, wager: HouseWager, meter: str) -> Fraction:
    """The average share of a meter that a wager wins when the main game is played this way."""
    percents = [pay.percent if isinstance(pay, Share) and pay.meter == meter else 0 for pay in _pays_by_kind(wager)]
    played = play.played.sum(axis=1).tolist()
    won = sum(percent * count for percent, count in zip(percents, played, strict=True))
    return Fraction(won, 100 * play.game.deals)


def _payoff(house: HouseRules, game: StreetGame, bet: Cents, awards: Sequence[int] | None) -> Payoff:
    """What each outcome of a round pays in cents, under the payout limit where there is one."""
    limit = None if _is_widened(house) else house.payout_limit
    return payoff_of(game, odds_of(main_table(house)), bet=bet, limit=limit, beside=awards)


def _solve(game: StreetGame, payoff: Payoff) -> tuple[StreetSolution, int]:
    """Best play, and the unit of its sums in cents: large bets are summed in larger units."""
    unit = gcd(*payoff.pays.ravel().tolist(), *payoff.folds.tolist())
    return solve(game, Payoff(payoff.pays // unit, payoff.folds // unit)), unit


def _changes(alone: StreetSolution, adapted: StreetSolution) -> tuple[Change, ...]:
    """The hands on which the two differ in the first decision."""
    game = alone.game
    names = ("fold", *game.names)
    acts = zip(sets_of(game.first).cards, alone.acts[game.first][:, 1], adapted.acts[game.first][:, 1], strict=True)
    return tuple(
        Change(tuple(map(Card, cards.tolist())), names[before], names[after])
        for cards, before, after in acts
        if before != after
    )


def _progressive_case(house: HouseRules) -> Case:
    return next(case for case in cases_of_house(house) if case.wager == "progressive")


def _progressive_at_risk(house: HouseRules, bets: Mapping[str, Cents]) -> HouseWager | None:
    """The progressive, where one is bet and a fold would forfeit it."""
    wager = house.wager("progressive")
    if wager is None or "progressive" not in bets or not _progressive_case(house).forfeits:
        return None
    return wager


def _meters_shown(house: HouseRules, meters: Mapping[str, Cents] | None) -> dict[str, Cents]:
    return {meter.name: meter.initial for wager in house.wagers for meter in wager.meters} | dict(meters or {})


def _pays_by_kind(wager: HouseWager) -> list[Pay | None]:
    """What each kind of five-card hand pays on the progressive."""
    table = wager.paytables[0]
    hands = [line.hand for line in table.line]
    places = [line_of(hands, Judged(kind), evaluator="five_card") for kind in KINDS]
    return [None if place is None else parse_pay(table.line[place].pays) for place in places]


def _awards(wager: HouseWager, stake: Cents, meters: Mapping[str, Cents]) -> Sequence[int]:
    """What each kind of hand wins on the progressive, in cents."""
    awards: list[int] = []
    for pay in _pays_by_kind(wager):
        if isinstance(pay, Share):
            awards.append(share_of_meter(meters[pay.meter], percent=pay.percent))
        else:
            awards.append(settle(pay, stake=stake, collected=True).won if pay else 0)
    return awards
