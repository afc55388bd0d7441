"""The strategies of every game in one form: readable rows, and what each costs against best play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from croupier.analysis.cases import streets_of
from croupier.analysis.coached import Listed, ListedRow
from croupier.analysis.flush import strategies as flush
from croupier.analysis.flush.rules import flush_rules
from croupier.analysis.flush.solve import best_play
from croupier.analysis.streets.game import odds_of
from croupier.analysis.streets.strategies import named_strategies, price_strategy
from croupier.cards import rank_word
from croupier.hands import Flush
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Paytable

__all__ = ["Listed", "ListedRow", "strategies_of"]

FLUSHES: Final = {
    "by high cards": ("derived", flush.BY_HIGH_CARDS),
    "nine, seven, five": ("derived", flush.NINE_SEVEN_FIVE),
    "ten-eight-six": ("published", flush.PUBLISHED),
    "jack high": ("for comparison", flush.by_flush(Flush(3, (11, 3, 2)))),
    "what the dealer needs": ("for comparison", flush.by_flush(Flush(3, (9, 3, 2)))),
    "always raise": ("for comparison", flush.by_flush(Flush(2, (3, 2)))),
}


def strategies_of(book: Rulebook, table: Paytable) -> list[Listed]:
    """Every strategy that fits the game, the cheapest first."""
    strategies = list(_of_streets(book, table) if streets_of(book) else _against_dealer(book))
    return sorted(strategies, key=lambda strategy: strategy.cost)


def _of_streets(book: Rulebook, table: Paytable) -> Iterator[Listed]:
    game, odds = streets_of(book), odds_of(table)
    for strategy in named_strategies(book, table):
        if game is not None:
            priced = price_strategy(strategy, game, odds)
            rows = tuple(
                ListedRow(street.known, row.words, row.action) for street in strategy.streets for row in street.rows
            )
            yield Listed(strategy.name, strategy.source, priced.expectation, priced.cost, priced.average_wager, rows)


def _against_dealer(book: Rulebook) -> Iterator[Listed]:
    qualifier, most = flush_rules(book)
    best = best_play(qualifier, most).expectation
    for name, (source, strategy) in FLUSHES.items():
        priced = flush.price(strategy, qualifier, most)
        rows = tuple(ListedRow(7, _words(row, strategy), "raise the maximum") for row in strategy.rows)
        yield Listed(
            name,
            source,
            priced.expectation,
            best - priced.expectation,
            priced.average_wager,
            (*rows, ListedRow(7, "anything else", "fold")),
        )


def _words(row: flush.FlushRow, strategy: flush.FlushStrategy) -> str:
    least = f"{row.raises_from} or better"
    if len(strategy.rows) == 1:
        return least
    more = " or more" if row is strategy.rows[-1] else ""
    cards = "card" if row.high_cards == 1 and not more else "cards"
    return f"{row.high_cards}{more} {cards} {rank_word(strategy.high)} or higher: {least}"
