"""Every way in which a round of the main game ends under best play, with the number of deals that end so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from croupier.analysis import Case, Price, streets_of
from croupier.analysis import flush as flush_game
from croupier.analysis import streets as street_game
from croupier.rulebook import Judged, line_of

__all__ = ["MainEnd", "ends_of"]

NOTHING = "nothing"


class MainEnd(Struct, frozen=True):
    """One way in which rounds end: the net result is `odds` times `counted`, in antes or bets."""

    hand: str
    """The line of the paytable, `nothing` below the last of them; against the dealer how the hand compares."""
    fold: str
    """The decision on which the hand was given up; empty where it was played to the end."""
    odds: int
    """What each bet that counts wins; a losing one is -1."""
    counted: int
    """The bets that win or lose by these odds."""
    wagered: int
    """The bets at risk."""
    deals: int

    @property
    def net(self) -> int:
        """The player's net result."""
        return self.odds * self.counted


def ends_of(case: Case, record: Price) -> tuple[MainEnd, ...]:
    """The ends of the main game that a record prices, those with the strongest hands first, folded hands last."""
    ends = tuple(_of_streets(case, record) if streets_of(case.book) else _against_dealer(case, record))
    if Counter({net: sum(end.deals for end in ends if end.net == net) for net in {end.net for end in ends}}) != Counter(
        {int(net): count for net, count in record.outcomes.counts}
    ):
        raise ValueError(f"{record!r}: the ends do not add up to the outcomes")
    return ends


def _of_streets(case: Case, record: Price) -> Iterator[MainEnd]:
    game, odds = streets_of(case.book), street_game.odds_of(case.table)
    if game is None:
        raise ValueError(f"{case.book.id} is not a game of streets")
    solved = street_game.best_play(game, odds, record.tie_rule or "more")
    hands = [line.hand for line in case.table.line]
    deals: Counter[tuple[int, int, int]] = Counter()
    for kind, odd, row in zip(street_game.KINDS, odds, solved.played.tolist(), strict=True):
        place = line_of(hands, Judged(kind), evaluator="five_card")
        for staked, count in enumerate(row):
            deals[len(hands) if place is None else place, odd, staked] += count
    for (place, odd, staked), count in sorted(deals.items()):
        if count:
            yield MainEnd([*hands, NOTHING][place], "", odd, staked, staked, count)
    for choice, known in zip(case.book.play.choice, range(game.first, 5), strict=True):
        for staked, count in enumerate(solved.folded[known].tolist()):
            if count:
                yield MainEnd(NOTHING, choice.decision, -1, staked, staked, count)


def _against_dealer(case: Case, record: Price) -> Iterator[MainEnd]:
    solved = flush_game.best_play(*flush_game.flush_rules(case.book), record.tie_rule or "more")
    win, unqualified, tie, lose, fold = (line.hand for line in record.lines)
    for times, tally in sorted(solved.by_raise.items(), reverse=True):
        if times:
            bets = 1 + times
            yield MainEnd(win, "", 1, bets, bets, tally.lower)
            yield MainEnd(unqualified, "", 1, 1, bets, tally.unqualified)  # the raise comes back
            yield MainEnd(tie, "", 0, bets, bets, tally.equal)
            yield MainEnd(lose, "", -1, bets, bets, tally.higher)
        else:
            yield MainEnd(fold, case.book.play.choice[0].decision, -1, 1, 1, tally.hands * flush_game.DEALER_HANDS)
