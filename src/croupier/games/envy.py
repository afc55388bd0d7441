"""Envy: what a progressive bet wins by another player's hand (readings 36 to 43)."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.games.judging import Judgments, Showdown, judge
from croupier.games.results import EnvyPaid, Hand
from croupier.games.rules import Rules
from croupier.money import Cents, Dollars, parse_pay
from croupier.rulebook import HouseWager, Judged, line_of
from croupier.rulebook.schema import Wager

__all__ = ["envy_of"]


def envy_of(showdown: Showdown, hand: Hand, judgments: Mapping[int, Judgments] | None = None) -> tuple[EnvyPaid, ...]:
    """Envy for each other player's hand that qualifies, from the dealer's right.

    `judgments` are what the cards of each seat make, as far as they have been evaluated.
    """
    rules = showdown.rules
    wager, rule = rules.metered, rules.house.rulebook.play.envy
    if not rules.envied or wager is None or rule is None or hand.stake(wager.name) is None:
        return ()
    if hand.out or (hand.folded and not rules.house.options.envy_after_fold):
        return ()
    offered, paid = rules.offered[wager.name], []
    for holder in showdown.hands:
        if holder.patron == hand.patron or not _may_hold(rules, wager, holder, folded_holder=rule.folded_holder):
            continue
        known = {} if judgments is None else judgments[holder.seat]
        judged = judge(showdown, offered.evaluator, rules.judged[wager.name], holder, known)
        if judged is not None and (line := _line_of(rules, offered, judged)) is not None:
            name, won, cited = line
            paid.append(EnvyPaid(from_seat=holder.seat, hand=name, won=won, clause=cited))
    paid.sort(key=lambda bonus: -bonus.from_seat)
    return tuple(paid)


def _line_of(rules: Rules, offered: HouseWager, judged: Judged) -> tuple[str, Cents, str] | None:
    """What a hand brings the others: its name, the amount and the clause; looked up once per house."""
    key = ("envy", judged)
    known: tuple[tuple[str, Cents, str] | None] | None = rules.memo.verdicts.get(key)
    if known is None:
        known = rules.memo.verdicts.keep(key, (_look_up(offered, judged),))
    return known[0]


def _look_up(offered: HouseWager, judged: Judged) -> tuple[str, Cents, str] | None:
    envy = offered.envy
    number = None if envy is None else line_of([line.hand for line in envy.line], judged, evaluator=offered.evaluator)
    if envy is None or number is None:
        return None
    pay = parse_pay(envy.line[number].pays)
    return envy.line[number].hand, Cents(pay.cents) if isinstance(pay, Dollars) else Cents(0), envy.clause


def _may_hold(rules: Rules, wager: Wager, holder: Hand, *, folded_holder: bool) -> bool:
    has_bet = holder.stake(wager.name) is not None
    if holder.out or (holder.folded and not (folded_holder and has_bet)):
        return False
    if not rules.house.options.envy_holder_must_bet:
        return True
    return has_bet and not holder.rejected  # where only a win brings envy, a rejected award brings none (reading 36)
