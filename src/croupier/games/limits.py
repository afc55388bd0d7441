"""The payout limit of a hand, and what the tray pays."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier.games.results import WagerSettled
from croupier.games.rules import Rules
from croupier.money import WHOLE, Breakage, Cents, divide_in_order, divide_pro_rata, with_breakage

__all__ = ["is_handpaid", "within_limit"]

_NO_MONEY: Final = Cents(0)


def within_limit(rules: Rules, wagers: list[WagerSettled]) -> tuple[WagerSettled, ...]:
    """Reduce the wins of a hand on the wagers under the limit (readings 6 to 12, 187, 191)."""
    house, limit = rules.house, rules.house.payout_limit
    if limit is not None and _limited_wins(rules, wagers) > limit:
        wins = [wager.won if wager.wager in rules.limited else _NO_MONEY for wager in wagers]
        divide = divide_pro_rata if house.options.cap_allocation == "prorata" else divide_in_order
        cuts = divide(wins, limit=limit)
        wagers = [
            _reduced(rules, wager, cut) if cut < win else wager
            for wager, win, cut in zip(wagers, wins, cuts, strict=True)
        ]
    if rules.breakage != "exact":
        paid = [_from_tray(rules, wager, rules.breakage) for wager in wagers]
        over = limit is not None and _limited_wins(rules, paid) > limit
        # The law's limit comes before the house's whole dollars.
        wagers = [
            wager if over and wager.wager in rules.limited else new for wager, new in zip(wagers, paid, strict=True)
        ]
    return tuple(wagers)


def _limited_wins(rules: Rules, wagers: list[WagerSettled]) -> int:
    return sum([wager.won for wager in wagers if wager.wager in rules.limited])


def _reduced(rules: Rules, wager: WagerSettled, won: Cents) -> WagerSettled:
    limit = rules.house.payout_limit or _NO_MONEY
    rule = rules.house.rulebook.play.payout_limit
    return replace(wager, won=won, before_limit=wager.won, limit=limit, clause=rule.clause, reading=11)


def _from_tray(rules: Rules, wager: WagerSettled, breakage: Breakage) -> WagerSettled:
    """What the tray pays (reading 15); a whole meter and a hand-pay do not come from the tray."""
    if is_handpaid(rules, wager) or wager.before_limit is not None:
        return wager
    won = with_breakage(wager.won, breakage)
    return wager if won == wager.won else replace(wager, won=won, reading=15, before_breakage=wager.won)


def is_handpaid(rules: Rules, wager: WagerSettled) -> bool:
    """Whether an award is not paid from the tray: a whole meter, or the house's threshold and up (reading 25)."""
    threshold, metered = rules.house.handpay_threshold, rules.metered
    if metered is None or wager.wager != metered.name or not wager.won:
        return False
    whole = wager.award is not None and wager.award.percent == WHOLE
    kept = whole and rules.house.options.handpay_hundred_percent
    return kept or (threshold is not None and wager.won >= threshold)
