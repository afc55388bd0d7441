"""The payout limit of a hand, and what the tray hands over."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier.games.results import WagerSettled
from croupier.games.rules import Rules
from croupier.money import WHOLE, Breakage, Cents, divide_in_order, divide_pro_rata, with_breakage

__all__ = ["is_handpaid", "within_limit"]

_NO_MONEY: Final = Cents(0)


def within_limit(rules: Rules, wagers: list[WagerSettled]) -> tuple[WagerSettled, ...]:
    """Cut the wins of one hand on the wagers under the limit (readings 6 to 12, 187, 191)."""
    house, limit = rules.house, rules.house.payout_limit
    if limit is not None and sum([one.won for one in wagers if one.wager in rules.limited]) > limit:
        wins = [one.won if one.wager in rules.limited else _NO_MONEY for one in wagers]
        divide = divide_pro_rata if house.options.cap_allocation == "prorata" else divide_in_order
        cuts = divide(wins, limit=limit)
        wagers = [_cut(rules, one, cut) if cut < win else one for one, win, cut in zip(wagers, wins, cuts, strict=True)]
    if rules.breakage != "exact":
        paid = [_from_tray(rules, one, rules.breakage) for one in wagers]
        over = limit is not None and sum([one.won for one in paid if one.wager in rules.limited]) > limit
        # The law's limit comes before the house's whole dollars.
        wagers = [one if over and one.wager in rules.limited else new for one, new in zip(wagers, paid, strict=True)]
    return tuple(wagers)


def _cut(rules: Rules, one: WagerSettled, cut: Cents) -> WagerSettled:
    limit = rules.house.payout_limit or _NO_MONEY
    rule = rules.house.rulebook.play.payout_limit
    return replace(one, won=cut, before_limit=one.won, limit=limit, clause=rule.clause, reading=11)


def _from_tray(rules: Rules, one: WagerSettled, breakage: Breakage) -> WagerSettled:
    """What the tray hands over (reading 15); a whole meter and a hand-pay do not come from the tray."""
    if is_handpaid(rules, one) or one.before_limit is not None:
        return one
    won = with_breakage(one.won, breakage)
    return one if won == one.won else replace(one, won=won, reading=15, before_breakage=one.won)


def is_handpaid(rules: Rules, one: WagerSettled) -> bool:
    """Whether an award is not paid from the tray: a whole meter, or what reaches the house's threshold (reading 25)."""
    threshold, metered = rules.house.handpay_threshold, rules.metered
    if metered is None or one.wager != metered.name or not one.won:
        return False
    whole = one.award is not None and one.award.percent == WHOLE
    kept = whole and rules.house.options.handpay_hundred_percent
    return kept or (threshold is not None and one.won >= threshold)
