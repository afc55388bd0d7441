"""What each wager of one box comes to, in cents: folds, pays, the payout limit and whole dollars.

Each end of a round is settled once, however often it came about, so this needs no compiler.

A share of a meter wins nothing here: what it is worth is known when the meter's turn comes (`simulation.meters`).
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from croupier.rulebook.paytable_arrays import KINDS

__all__ = ["OUTCOMES", "UNQUALIFIED", "VERSUS", "Pays", "settle_box"]

Numbers: TypeAlias = list[int]
Flags: TypeAlias = list[bool]

OUTCOMES: Final = ("", "win", "lose", "push", "forfeit", "withdrawn")
NONE, WIN, LOSE, PUSH, FORFEIT, WITHDRAWN = range(6)
VERSUS: Final = ("lower", "equal", "higher", "unqualified")
"""The dealer's hand against the player's, in place of a line of a paytable."""
LOWER, EQUAL, HIGHER, UNQUALIFIED = range(4)
PAID_LOSE, PAID_PUSH, PAID_TO, PAID_FOR, PAID_DOLLARS = (
    KINDS[kind] for kind in ("lose", "push", "to", "for", "dollars")
)


class Pays(NamedTuple):
    """How the wagers of a box are paid, one row a wager in settlement order."""

    kind: list[Numbers]
    """`[wager][line]`, as in `rulebook.flat`."""
    amount: list[Numbers]
    """`[wager][line]`"""
    scale: Numbers
    """The stake for which an amount in dollars is printed, where it grows with the stake; else 0."""
    forfeits: Flags
    """Whether a folder loses the stake."""
    collected: Flags
    limited: Flags
    metered: Flags
    against: Numbers
    """1 for a wager against the dealer, 2 for the raise, which comes back when the dealer does not qualify."""
    limit: int
    """Of what the limited wagers of a box win together; -1 for none."""
    pro_rata: bool
    whole_dollars: bool
    threshold: int
    """From which on a fixed award is not paid from the tray; -1 for none."""


def settle_box(
    pays: Pays, lines: Numbers, stakes: Numbers, withdrawn: Flags, *, folded: bool
) -> tuple[Numbers, Numbers, Numbers]:
    """By wager: what it won, what was returned, and the number of the outcome.

    The line of a wager against the dealer is a place of `VERSUS`. A stake of nothing is a wager that was not made.
    """
    won, returned, outcomes = [0] * len(stakes), [0] * len(stakes), [NONE] * len(stakes)
    for wager, stake in enumerate(stakes):
        if stake == 0:
            continue
        if withdrawn[wager]:
            returned[wager], outcomes[wager] = stake, WITHDRAWN
        elif folded and pays.forfeits[wager]:
            outcomes[wager] = FORFEIT
        else:
            won[wager], returned[wager], outcomes[wager] = _settle_wager(pays, wager, lines[wager], stake)
    paid = _cut(pays, won)
    return _from_tray(pays, paid, won) if pays.whole_dollars else paid, returned, outcomes


def _settle_wager(pays: Pays, wager: int, line: int, stake: int) -> tuple[int, int, int]:
    """What was won, what is returned, and the outcome."""
    back = 0 if pays.collected[wager] else stake
    if pays.against[wager]:
        if line == EQUAL or (line == UNQUALIFIED and pays.against[wager] == 2):
            return 0, back, PUSH
        return (0, 0, LOSE) if line == HIGHER else (pays.amount[wager][0] * stake, back, WIN)
    kind, amount = pays.kind[wager][line], pays.amount[wager][line]
    if kind == PAID_LOSE:
        return 0, 0, LOSE
    if kind == PAID_PUSH:
        return 0, back, PUSH
    if kind == PAID_TO:
        return amount * stake, back, WIN
    if kind == PAID_FOR:
        return amount * stake, 0, WIN
    if kind == PAID_DOLLARS:
        return amount * stake // pays.scale[wager] if pays.scale[wager] else amount, back, WIN
    return 0, 0, WIN  # a share of a meter


def _cut(pays: Pays, won: Numbers) -> Numbers:
    """Divide the limit over the wins that it cuts (readings 11, 187)."""
    limited = [wager for wager, is_limited in enumerate(pays.limited) if is_limited]
    total, left, paid = sum(won[wager] for wager in limited), pays.limit, list(won)
    if not 0 <= pays.limit < total:
        return paid
    for wager in limited:
        paid[wager] = won[wager] * pays.limit // total if pays.pro_rata else min(won[wager], left)
        left -= paid[wager]
    if pays.pro_rata:
        paid[max(limited, key=lambda wager: won[wager])] += left
    return paid


def _from_tray(pays: Pays, paid: Numbers, won: Numbers) -> Numbers:
    """Whole dollars, save what is not paid from the tray and what a limit cut; the limit comes first (reading 15)."""
    whole = list(paid)
    for wager, cents in enumerate(paid):
        by_hand = pays.metered[wager] and cents and 0 <= pays.threshold <= cents
        if not by_hand and cents == won[wager]:
            whole[wager] = (cents + 99) // 100 * 100
    over = 0 <= pays.limit < sum(cents for cents, is_limited in zip(whole, pays.limited, strict=True) if is_limited)
    return [
        before if over and is_limited else cents
        for cents, before, is_limited in zip(whole, paid, pays.limited, strict=True)
    ]
