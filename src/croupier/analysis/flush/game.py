"""High Card Flush as a priced wager, from its rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from croupier.analysis.flush.rules import flush_rules
from croupier.analysis.flush.solve import DEALS, PLAYER_HANDS, FlushSolution, best_play
from croupier.analysis.outcomes import outcomes_of
from croupier.analysis.prices import Price, PricedLine, TieRule
from croupier.rulebook import Rulebook
from croupier.rulebook.schema import Paytable

__all__ = ["flush_rules", "price_flush_game"]


def price_flush_game(book: Rulebook, table: Paytable) -> tuple[Price, ...]:
    """The main game: one record, or one for each tie rule where equally good actions make a difference."""
    qualifier, most = flush_rules(book)
    more, less = (_record(book, table, best_play(qualifier, most, ties), ties) for ties in ("more", "less"))
    if more.outcomes == less.outcomes:
        return (_record(book, table, best_play(qualifier, most), None),)
    return more, less


def _record(book: Rulebook, table: Paytable, solved: FlushSolution, ties: TieRule | None) -> Price:
    outcomes = outcomes_of((Fraction(net), count) for net, count in solved.net.items())
    return Price(
        rulebook=book.id,
        wager="base",
        paytable=table.id,
        clause=table.clause,
        unit="ante",
        outcomes=outcomes,
        hit=Fraction(sum(count for net, count in outcomes.counts if net > 0), DEALS),
        lines=tuple(_lines(solved)),
        total=DEALS,
        method="every hand of the player by kinds of side cards, the dealer's counted by suits",
        tie_rule=ties,
        average_wager=solved.average_wager,
        folded=Fraction(solved.by_raise[0].hands, PLAYER_HANDS),
    )


_ENDS: Final[tuple[tuple[str, str, str, Callable[[int], int]], ...]] = (
    ("win", "1 to 1", "lower", lambda raised: 1 + raised),
    ("dealer_does_not_qualify", "1 to 1 on the ante", "unqualified", lambda _: 1),
    ("tie", "Push", "equal", lambda _: 0),
    ("lose", "loses", "higher", lambda raised: -1 - raised),
)
"""How a raised hand ends: what it is called and pays, where its deals are tallied, its result in antes."""


def _lines(solved: FlushSolution) -> Iterator[PricedLine]:
    raised = [(times, tally) for times, tally in solved.by_raise.items() if times]
    for hand, pays, tallied, net in _ENDS:
        deals = [(net(times), getattr(tally, tallied)) for times, tally in raised]
        won = sum(result * count for result, count in deals)
        yield PricedLine(hand, pays, sum(count for _, count in deals), Fraction(won, DEALS))
    folded = solved.by_raise[0].hands * (DEALS // PLAYER_HANDS)
    yield PricedLine("fold", "loses", folded, Fraction(-folded, DEALS))
