"""The games of streets under best play: Mississippi Stud and Let It Ride, from their rulebooks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec.structs import replace

from croupier.analysis.cases import StreetGame, main_unit
from croupier.analysis.outcomes import outcomes_of
from croupier.analysis.prices import Price, PricedLine, TieRule
from croupier.analysis.streets.five_card_kinds import KINDS
from croupier.analysis.streets.solve import Payoff, StreetSolution, solve
from croupier.analysis.tallies import NOTHING, HandCount, hand_counts, line_counts
from croupier.money import Push, To, parse_pay
from croupier.rulebook import Judged, Rulebook, line_of
from croupier.rulebook.schema import Paytable

__all__ = ["best_play", "odds_of", "payoff_of", "played_counts", "price_play", "price_streets"]


def odds_of(table: Paytable) -> tuple[int, ...]:
    """What each kind of five-card hand wins, in bets; a losing one loses one."""
    hands, odds = [line.hand for line in table.line], []
    for kind in KINDS:
        place = line_of(hands, Judged(kind), evaluator="five_card")
        pay = None if place is None else parse_pay(table.line[place].pays)
        match pay:
            case To(multiple):
                odds.append(multiple)
            case Push():
                odds.append(0)
            case None:
                odds.append(-1)
            case _:
                raise ValueError(f"{table.id}: a main bet cannot pay {pay}")
    return tuple(odds)


def payoff_of(
    game: StreetGame,
    odds: Sequence[int],
    *,
    bet: int = 1,
    limit: int | None = None,
    beside: Sequence[int] | None = None,
) -> Payoff:
    """What each outcome pays. `limit` caps what a hand wins; `beside` is won with a hand played to the end."""
    staked = np.arange(game.most + 1, dtype=np.int64)
    pays = np.array(odds, dtype=np.int64)[:, None] * staked * bet
    if limit is not None:
        pays = np.minimum(pays, limit)
    if beside is not None:
        pays += np.array(beside, dtype=np.int64)[:, None]
    return Payoff(pays, -staked * bet)


@lru_cache(maxsize=64)
def best_play(game: StreetGame, odds: tuple[int, ...], ties: TieRule = "more") -> StreetSolution:
    """Best play of the main game alone, in bets."""
    return solve(game, payoff_of(game, odds), ties=ties)


def played_counts(solved: StreetSolution) -> tuple[HandCount, ...]:
    """Every deal by the hand that best play keeps to the end; a folded hand counts as nothing."""
    counts = solved.played.sum(axis=1).tolist()
    counts[0] += int(solved.folded.sum())
    return tuple((Judged(kind), count) for kind, count in zip(KINDS, counts, strict=True))


def price_streets(book: Rulebook, game: StreetGame, table: Paytable) -> tuple[Price, ...]:
    """The main game: one record, or one for each tie rule where equally good actions make a difference."""
    odds = odds_of(table)
    more, less = (price_play(book, table, best_play(game, odds, ties), ties) for ties in ("more", "less"))
    if more.outcomes == less.outcomes:
        return (replace(more, tie_rule=None),)
    return more, less


def price_play(book: Rulebook, table: Paytable, solved: StreetSolution, ties: TieRule | None = None) -> Price:
    """The price of the main game under this play."""
    odds = odds_of(table)
    deals, staked = solved.game.deals, range(solved.game.most + 1)
    played, folded = solved.played.tolist(), solved.folded.sum(axis=0).tolist()
    ends = [(Fraction(odd * bets), row[bets]) for odd, row in zip(odds, played, strict=True) for bets in staked]
    outcomes = outcomes_of([*ends, *((Fraction(-bets), folded[bets]) for bets in staked)])
    wagered = sum(bets * (folded[bets] + sum(row[bets] for row in played)) for bets in staked)
    return Price(
        rulebook=book.id,
        wager="base",
        paytable=table.id,
        clause=table.clause,
        unit=main_unit(solved.game),
        outcomes=outcomes,
        hit=Fraction(sum(count for net, count in outcomes.counts if net > 0), deals),
        lines=tuple(_lines(table, odds, solved)),
        total=sum(count for _, count in hand_counts("five_card")),
        method="best play over every set of cards",
        tie_rule=ties,
        average_wager=Fraction(wagered, deals),
        folded=Fraction(sum(folded), deals) if solved.game.fold else None,
    )


def _lines(table: Paytable, odds: Sequence[int], solved: StreetSolution) -> list[PricedLine]:
    """The printed lines, and last every other hand; what folding costs is the last line's."""
    hands = [line.hand for line in table.line]
    tally = line_counts(hands, hand_counts("five_card"), evaluator="five_card")
    brought = [0] * len(tally)
    for kind, odd, row in zip(KINDS, odds, solved.played.tolist(), strict=True):
        place = line_of(hands, Judged(kind), evaluator="five_card")
        brought[-1 if place is None else place] += odd * sum(bets * count for bets, count in enumerate(row))
    brought[-1] -= sum(bets * count for bets, count in enumerate(solved.folded.sum(axis=0).tolist()))
    names = [(line.hand, str(parse_pay(line.pays))) for line in table.line] + [(NOTHING, "loses")]
    return [
        PricedLine(hand, pays, count, Fraction(won, solved.game.deals))
        for (hand, pays), count, won in zip(names, tally, brought, strict=True)
    ]
