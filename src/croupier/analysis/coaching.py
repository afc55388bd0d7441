"""A decision as a coach sees it: what every action is worth, what the strategy card says, and what kind it is.

>>> from croupier.cards import parse_cards
>>> from croupier.rulebook import load_rulebook
>>> coached = coach(load_rulebook("md-let-it-ride"), parse_cards("Tc Td 2h"))
>>> coached.best, coached.thumb.do, coached.thumb.when, coached.unit
(('ride',), 'ride', 'pair of tens or better', 'bet')
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from croupier.analysis.advice import advise
from croupier.analysis.cases import BASE, main_unit, streets_of, tables_of
from croupier.analysis.coached import CoachedDecision, Listed, RuleOfThumb
from croupier.analysis.flush.rules import flush_rules
from croupier.analysis.flush.strategies import FlushStrategy
from croupier.analysis.strategies import FLUSHES, strategies_of
from croupier.analysis.streets.rows import StreetStrategy, deciding_row
from croupier.analysis.streets.strategies import named_strategies
from croupier.cards import Card
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Paytable

__all__ = ["coach", "strategy_card"]


def coach(
    book: Rulebook,
    cards: Sequence[Card],
    *,
    community: Sequence[Card] = (),
    bets: Sequence[str] = (),
    paytable: str | None = None,
) -> CoachedDecision:
    """The exact value of every action with what the cheapest of the strategies says."""
    advice = advise(book, cards, community=community, bets=bets, paytable=paytable)
    game, table = streets_of(book), _table(book, paytable)
    if game is not None:
        adds = dict(zip(game.names, game.adds, strict=True))
        thumb, kind = _by_list(book, table, (*cards, *community), 1 + sum(adds[bet] for bet in bets))
    else:
        thumb, kind = _by_flush(book, table, cards)
    return CoachedDecision(actions=advice.actions, best=advice.best, thumb=thumb, kind=kind, unit=main_unit(game))


@lru_cache(maxsize=64)
def _cards_of(book_id: str, edition: str, table_id: str) -> list[Listed]:
    from croupier.rulebook import load_rulebook  # noqa: PLC0415 - a cache needs a key that can be hashed

    book = load_rulebook(book_id, edition=edition)
    return strategies_of(book, _table(book, table_id))


def strategy_card(book: Rulebook, paytable: str | None = None) -> list[Listed]:
    """The strategies of a game, the cheapest first: what a strategy card prints."""
    return _cards_of(book.id, book.edition, _table(book, paytable).id)


def _by_list(book: Rulebook, table: Paytable, known: Sequence[Card], staked: int) -> tuple[RuleOfThumb, str]:
    name = strategy_card(book, table.id)[0].name
    strategy: StreetStrategy = next(each for each in named_strategies(book, table) if each.name == name)
    row = deciding_row(strategy, known, staked)
    rows = next(street.rows for street in strategy.streets if street.known == len(known))
    return RuleOfThumb(name, row.words, row.action), f"{len(known)}.{rows.index(row)}"


def _by_flush(book: Rulebook, table: Paytable, cards: Sequence[Card]) -> tuple[RuleOfThumb, str]:
    listed = strategy_card(book, table.id)[0]
    strategy: FlushStrategy = FLUSHES[listed.name][1]
    high = sum(card.rank >= strategy.high for card in cards)
    place = max(place for place, row in enumerate(strategy.rows) if row.high_cards <= high)
    times = strategy.raises(cards, flush_rules(book)[1])
    do = f"{times}x" if times else "fold"
    return RuleOfThumb(listed.name, listed.rows[place].when, do), f"{len(cards)}.{place}.{'raise' if times else 'fold'}"


def _table(book: Rulebook, name: str | None) -> Paytable:
    tables = tables_of(book, BASE)
    return next((table for table in tables if table.id == name), tables[0])
