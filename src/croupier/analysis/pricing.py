"""The price of a case."""

from __future__ import annotations

from math import comb, factorial, prod
from typing import Any

from msgspec.structs import replace

from croupier.analysis.bonus_wagers import price_lines, price_side
from croupier.analysis.cases import BASE, Case, streets_of, wager_of
from croupier.analysis.cover_all import highest_of
from croupier.analysis.flush.game import price_flush_game
from croupier.analysis.prices import Price
from croupier.analysis.streets.game import best_play, odds_of, played_counts, price_streets
from croupier.analysis.tallies import line_counts
from croupier.hands import FiveCardHand
from croupier.rulebook import Judged
from croupier.rulebook.schema import Wager

__all__ = ["price"]


def price(case: Case) -> tuple[Price, ...]:
    """The records of a case: one, or one for each tie rule or variant that makes a difference."""
    book, table = case.book, case.table
    game = streets_of(book)
    if case.wager == BASE:
        return price_streets(book, game, table) if game else price_flush_game(book, table)
    wager = wager_of(book, case.wager)
    if table.players is not None:
        return (_cover_all(case, wager, table.players),)
    asked: dict[str, Any] = {"stake": case.stake, "meters": case.meters, "ace_low": case.ace_low}
    if game is None or wager.fold is None or wager.fold.stake != "forfeit":
        return (price_side(book, wager, table, envy=case.envy, **asked),)
    # Where folding loses the wager, a folded hand brings nobody envy either (reading 37).
    played = played_counts(best_play(game, odds_of(case.main)))
    every = price_side(book, wager, table, holders=played, envy=case.envy, **asked)
    played_only = price_side(
        book, wager, table, counts=played, holders=played, envy=case.envy, method="best play of the main game", **asked
    )
    both = replace(every, variant="all_hands"), replace(played_only, variant="forfeit_on_fold")
    return both if case.forfeits is None else (both[case.forfeits],)


def _cover_all(case: Case, wager: Wager, players: int) -> Price:
    # Only categories are counted here, so no line of a paytable may ask for a pair's rank.
    counts = [(Judged(FiveCardHand(kind, (2,))), count) for kind, count in highest_of(players).items()]
    tally = line_counts([line.hand for line in case.table.line], counts, evaluator="five_card")
    if sum(tally) != comb(52, 3) * prod(comb(49 - 2 * hand, 2) for hand in range(players)) // factorial(players):
        raise ValueError("the hands at a table do not add up")
    return price_lines(
        case.book,
        wager,
        case.table,
        tally,
        stake=case.stake,
        players=players,
        method="disjoint pairs of cards by inclusion and exclusion",
    )
