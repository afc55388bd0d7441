"""What the mathematics says about a plan: the exact edge of each wager, and what the house expects to win per round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from croupier.analysis import (
    BASE,
    FLUSHES,
    Case,
    HandCount,
    Outcomes,
    Price,
    StreetGame,
    cached_prices,
    cases_of_house,
    limit_cost,
    long_run_of,
    main_table,
    meters_of,
    outcomes_of,
    price,
    price_side,
    streets_of,
    unpriced,
    wager_of,
)
from croupier.analysis.flush import flush_rules
from croupier.analysis.flush import strategies as flush_strategies
from croupier.analysis.streets import (
    KINDS,
    acts_of,
    best_play,
    follow,
    four_card_counts,
    named_strategies,
    odds_of,
    one_less,
    payoff_of,
    sets_of,
)
from croupier.errors import Malformed
from croupier.money import MILLION, Cents
from croupier.rulebook import HouseRules, Judged
from croupier.rulebook.names import WagerName
from croupier.simulation.kernels.decision_tables import ALWAYS, EVERY_HAND, OPTIMAL
from croupier.simulation.plan import Plan, Seat

__all__ = ["Exact", "ExpectedWin", "exact_edges", "expected_win", "long_run_edges", "variance_at_meters"]

Array: TypeAlias = NDArray[Any]
WIDENED: Final = "payout limit: this house extends it to more wagers than the document names"
FEW: Final = 5
"""The number of expected occurrences below which a result may well be missing."""
SCALE: Final = 1_000_000
"""Whole numbers per deal, for chances that are calculated and not counted."""


class Exact(NamedTuple):
    """The results of a wager per round, in units, and how often each occurs."""

    outcomes: Outcomes

    @property
    def edge(self) -> Fraction:
        """What the house keeps of a unit."""
        return -self.outcomes.mean

    @property
    def variance(self) -> Fraction:
        """The variance of one round."""
        return self.outcomes.variance

    def unseen(self, rounds: int) -> float:
        """The part of the variance that is due to results expected fewer than five times in these rounds."""
        total, mean = self.outcomes.total, self.outcomes.mean
        rare = sum((net - mean) ** 2 * count for net, count in self.outcomes.counts if rounds * count < FEW * total)
        return float(rare / total / self.variance) if self.variance else 0.0


class ExpectedWin(Struct, frozen=True):
    """What the house expects to win per round, in cents; None where something in it has no exact figure."""

    cents: Fraction | None
    missing: tuple[str, ...] = ()
    """What has no exact figure, and why."""
    long_run: bool = False
    """Whether a progressive is in it, at its long-run return."""


# --- each wager


def exact_edges(plan: Plan, stakes: Mapping[WagerName, Cents]) -> dict[str, Exact]:
    """The wagers of a seat whose edge is known whatever the meters do."""
    edges, limit = {}, limit_cost(plan.house, _bets(plan.house, stakes))
    for case in _cases(plan, stakes):
        shares_limit = limit is None or (limit and case.wager in plan.house.rulebook.play.payout_limit.wagers)
        if case.wager == BASE:
            outcomes = _main_game(plan, case.stake)
        elif meters_of(case.table) or shares_limit:
            outcomes = None  # it follows its meter, or several wagers share what the limit takes
        else:
            outcomes = _price(case).outcomes
        if outcomes is not None:
            edges[case.wager] = Exact(outcomes)
    return edges


def _cases(plan: Plan, stakes: Mapping[WagerName, Cents]) -> Iterator[Case]:
    """The wagers of a seat as questions, the main game at its first bet."""
    bets = _bets(plan.house, stakes)
    for case in cases_of_house(plan.house):
        if case.table.players in (None, len(plan.seats)) and case.wager in bets:
            yield replace(case, stake=bets[case.wager])


def _bets(house: HouseRules, stakes: Mapping[WagerName, Cents]) -> dict[str, Cents]:
    main = next(wager.name for wager in house.wagers if wager.paytables[0].group == BASE)
    return {BASE: stakes[main]} | {str(name): stake for name, stake in stakes.items()}


def _price(case: Case) -> Price:
    return cached_prices(case)[0]


def _main_game(plan: Plan, bet: Cents) -> Outcomes | None:
    """The results of the main game in units, with the payout limit; None where chance or a function decides."""
    house, game = plan.house, streets_of(plan.house.rulebook)
    if plan.mistakes or plan.by_hand or limit_cost(house, {BASE: bet}) is None:
        return None
    if game is None:
        return _against_dealer(plan)
    if plan.strategy == OPTIMAL and not limit_cost(house, {BASE: bet}):
        return _price(next(case for case in cases_of_house(house) if case.wager == BASE)).outcomes
    played, folded = _ends(house, plan.strategy)
    payoff = payoff_of(game, odds_of(main_table(house)), bet=bet, limit=house.payout_limit)
    ends = [*zip(payoff.pays.ravel().tolist(), played.ravel().tolist(), strict=True)]
    ends += zip(payoff.folds.tolist(), folded.sum(axis=0).tolist(), strict=True)
    return outcomes_of((Fraction(cents, bet), count) for cents, count in ends)


def _against_dealer(plan: Plan) -> Outcomes:
    """High Card Flush; its payout limit covers no main bet."""
    if plan.strategy == OPTIMAL:
        return _price(next(case for case in cases_of_house(plan.house) if case.wager == BASE)).outcomes
    _, strategy = FLUSHES[EVERY_HAND if plan.strategy == ALWAYS else plan.strategy]
    priced = flush_strategies.price(strategy, *flush_rules(plan.house.rulebook))
    return outcomes_of((Fraction(net), count) for net, count in priced.net.items())


# --- a game of streets by any strategy


def _acts(house: HouseRules, game: StreetGame, strategy: str) -> dict[int, Array]:
    """What a strategy does, by cards known: `[set, staked]`."""
    if strategy == OPTIMAL:
        return best_play(game, odds_of(main_table(house))).acts
    if strategy == ALWAYS:
        one_bet = 1 + game.adds.index(1)
        return {
            known: np.full((len(sets_of(known).cards), game.most + 1), one_bet, dtype=np.uint8)
            for known in range(game.first, 5)
        }
    named = named_strategies(house.rulebook, main_table(house))
    return acts_of(next(listed for listed in named if listed.name == strategy), game)


@lru_cache(maxsize=16)
def _ends(house: HouseRules, strategy: str) -> tuple[Array, Array]:
    """How often each outcome occurs: `played[kind, staked]` and `folded[cards known, staked]`."""
    game = streets_of(house.rulebook)
    if game is None:
        raise ValueError(f"{house.rulebook.id} is not a game of streets")
    if strategy == OPTIMAL:
        solved = best_play(game, odds_of(main_table(house)))
        return solved.played, solved.folded
    return follow(game, _acts(house, game, strategy))


@lru_cache(maxsize=16)
def _kept_hands(house: HouseRules, strategy: str, mistakes: int) -> tuple[HandCount, ...]:
    """Every deal by the hand that is played to the end; a folded hand counts as nothing."""
    game = streets_of(house.rulebook)
    if game is None:
        raise ValueError(f"{house.rulebook.id} is not a game of streets")
    if mistakes:
        kept = _kept_with_mistakes(game, _acts(house, game, strategy), mistakes / MILLION)
        counts, deals = [round(SCALE * count) for count in kept.tolist()], SCALE * game.deals
    else:
        counts, deals = _ends(house, strategy)[0].sum(axis=1).tolist(), game.deals
    counts[0] += deals - sum(counts)
    return tuple((Judged(kind), count) for kind, count in zip(KINDS, counts, strict=True))


def _kept_with_mistakes(game: StreetGame, acts: Mapping[int, Array], share: float) -> Array:
    """`[kind]`: deals played to the end where this share of decisions is made at random."""
    counts, choices = four_card_counts(), len(game.adds) + game.fold
    deals = np.zeros((len(sets_of(game.first).cards), game.most + 1))
    deals[:, 1] = 1
    for known in range(game.first, 5):
        if known > game.first:
            places = np.minimum(one_less(known), len(deals))  # a place past the end holds nothing
            padded = np.vstack([deals, np.zeros(deals.shape[1])])
            deals = np.stack([padded[places, staked].sum(axis=1) for staked in range(game.most + 1)], axis=1)
        before, deals = deals, np.zeros_like(deals)
        for number, add in enumerate(game.adds, 1):
            chance = (1 - share) * (acts[known] == number) + share / choices
            deals[:, add:] += (chance * before)[:, : game.most + 1 - add]
    return np.asarray((deals.sum(axis=1) * sets_of(4).sizes) @ counts)


def variance_at_meters(
    plan: Plan, stakes: Mapping[WagerName, Cents], meters: Mapping[str, Cents]
) -> dict[str, Fraction]:
    """The variance per round of a wager that pays from these meters, with the hands that this plan's players keep.

    A function that decides may keep any hand, so it gets the spread of one that keeps all.
    """
    if not meters:
        return {}
    bets = _bets(plan.house, stakes)
    return {
        case.wager: _metered(plan, replace(case, stake=bets[case.wager])).outcomes.variance
        for case in cases_of_house(plan.house, meters=meters)
        if case.wager in bets and meters_of(case.table)
    }


def _metered(plan: Plan, case: Case) -> Price:
    """A wager that pays from meters; where a fold forfeits it, by the hands that are kept."""
    if streets_of(plan.house.rulebook) is None or not case.forfeits:
        return price(case)[0]
    if plan.by_hand:
        return price(replace(case, forfeits=False))[0]
    kept = _kept_hands(plan.house, plan.strategy, plan.mistakes)
    return price_side(
        case.book,
        wager_of(case.book, case.wager),
        case.table,
        stake=case.stake,
        meters=case.meters,
        ace_low=case.ace_low,
        counts=kept,
        holders=kept,
        envy=case.envy,
    )


# --- the table together


def expected_win(plan: Plan) -> ExpectedWin:
    """What the house expects to win per round: exact edges, the payout limit, envy, progressives in the long run."""
    cents, missing = Fraction(0), dict.fromkeys(unpriced(plan.house))
    for seat in plan.seats:
        stakes = dict(seat.stakes)
        limit = limit_cost(plan.house, _bets(plan.house, stakes))
        for case in _cases(plan, stakes):
            try:
                cents += _edge(plan, seat, case) * case.stake
            except Malformed as error:
                missing[str(error)] = None
        if limit is None:
            missing[WIDENED] = None
        elif streets_of(plan.house.rulebook) is None:  # several bonuses share it; in a game of streets the bets have it
            cents += limit
    metered = {name for seat in plan.seats for name, _ in seat.stakes} & _metered_wagers(plan.house)
    return ExpectedWin(None if missing else cents, tuple(missing), bool(metered) and not missing)


def _edge(plan: Plan, seat: Seat, case: Case) -> Fraction:
    """What the house keeps of a unit on average, before a limit that bonuses share; `Malformed` says why not."""
    if meters_of(case.table):
        return _long_run_edge(plan, seat, case)
    if case.wager != BASE:
        return _price(case).edge
    if plan.mistakes or plan.by_hand:
        how = "at random" if plan.mistakes else "by a function"
        raise Malformed(f"main game: decisions are made {how}")
    outcomes = _main_game(plan, case.stake)
    if outcomes is None:
        raise Malformed(WIDENED)
    return -outcomes.mean


def _long_run_edge(plan: Plan, seat: Seat, case: Case) -> Fraction:
    """What the house keeps of a stake on a progressive in the long run, after envy."""
    any_holder = not plan.house.options.envy_holder_must_bet  # reading 36
    others = sum(
        other is not seat
        and (not other.patron or other.patron != seat.patron)
        and (any_holder or case.wager in dict(other.stakes))
        for other in plan.seats
    )
    return _edge_before_envy(plan, case) - (_price(case).envy or 0) * others


def _edge_before_envy(plan: Plan, case: Case) -> Fraction:
    if case.forfeits and streets_of(plan.house.rulebook) and (plan.mistakes or plan.strategy != OPTIMAL):
        raise Malformed(f"{case.wager}: a fold forfeits it, so its long-run return is known for optimal play only")
    return 1 - long_run_of(plan.house).returned


def long_run_edges(plan: Plan) -> dict[str, Fraction]:
    """What the house keeps of a stake on each progressive in the long run, before envy, where that is known."""
    edges = {}
    for case in (case for seat in plan.seats for case in _cases(plan, dict(seat.stakes)) if meters_of(case.table)):
        with suppress(Malformed):
            edges[case.wager] = _edge_before_envy(plan, case)
    return edges


def _metered_wagers(house: HouseRules) -> set[str]:
    return {wager.name for wager in house.wagers if wager.meters}
