"""What each wager of one box comes to, in cents: folds, pays, the payout limit and whole dollars, compiled.

A share of a meter wins nothing here: what it is worth is known when the meter's turn comes (`simulation.meters`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.rulebook.paytable_arrays import KINDS
from croupier.simulation.kernels.jit import SOURCES, Whole, compiled, compiled_and_kept

__all__ = ["OUTCOMES", "UNQUALIFIED", "VERSUS", "Pays", "settle_kernel"]

Array: TypeAlias = NDArray[Any]

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

    kind: Array
    """`[wager, line]`, as in `rulebook.flat`."""
    amount: Array
    """`[wager, line]`"""
    scale: Array
    """The stake for which an amount in dollars is printed, where it grows with the stake; else 0."""
    forfeits: Array
    """Whether a folder loses the stake."""
    collected: Array
    limited: Array
    metered: Array
    against: Array
    """1 for a wager against the dealer, 2 for the raise, which comes back when the dealer does not qualify."""
    limit: int
    """Of what the limited wagers of a box win together; -1 for none."""
    pro_rata: bool
    whole_dollars: bool
    threshold: int
    """From which on a fixed award is not paid from the tray; -1 for none."""


@compiled
def _settle_wager(pays: Pays, wager: Whole, line: Whole, stake: Whole, out: Array) -> None:
    won: Whole = 0
    back, outcome = 0 if pays.collected[wager] else stake, WIN
    if pays.against[wager]:
        won = pays.amount[wager, 0] * stake
        if line == EQUAL or (line == UNQUALIFIED and pays.against[wager] == 2):
            won, outcome = 0, PUSH
        elif line == HIGHER:
            won, back, outcome = 0, 0, LOSE
    else:
        kind, amount = pays.kind[wager, line], pays.amount[wager, line]
        if kind == PAID_LOSE:
            back, outcome = 0, LOSE
        elif kind == PAID_PUSH:
            outcome = PUSH
        elif kind == PAID_TO:
            won = amount * stake
        elif kind == PAID_FOR:
            won, back = amount * stake, 0
        elif kind == PAID_DOLLARS:
            won = amount * stake // pays.scale[wager] if pays.scale[wager] else amount
        else:
            back = 0  # a share of a meter
    out[1, wager], out[2, wager], out[3, wager] = won, back, outcome


@compiled
def _cut(pays: Pays, total: Whole, out: Array, cut: Array) -> None:
    """Divide the limit over the wins that it cuts (readings 11, 187)."""
    left, largest = pays.limit, -1
    for wager in range(len(pays.limited)):
        if pays.limited[wager]:
            win = out[1, wager]
            if largest < 0 or win > out[4, largest]:
                largest = wager
            out[4, wager] = win
            out[1, wager] = win * pays.limit // total if pays.pro_rata else min(win, left)
            left -= out[1, wager]
    if pays.pro_rata:
        out[1, largest] += left
    for wager in range(len(pays.limited)):
        cut[wager] = pays.limited[wager] and out[1, wager] < out[4, wager]


@compiled
def _from_tray(pays: Pays, out: Array, cut: Array) -> None:
    """Whole dollars, save what is not paid from the tray and what a limit cut; the limit comes first (reading 15)."""
    total = 0
    for wager in range(len(pays.limited)):
        won = out[1, wager]
        by_hand = pays.metered[wager] and won and pays.threshold >= 0 and won >= pays.threshold
        out[4, wager] = won if by_hand or cut[wager] else (won + 99) // 100 * 100
        if pays.limited[wager]:
            total += out[4, wager]
    over = pays.limit >= 0 and total > pays.limit
    for wager in range(len(pays.limited)):
        if not (over and pays.limited[wager]):
            out[1, wager] = out[4, wager]


@cache
def settle_kernel() -> Callable[..., None]:
    """`(pays, lines, stakes, folded, withdrawn, out)`: what each wager of a box comes to.

    `out[…, wager]` becomes staked, won, returned, the number of the outcome; the last row is room to work in. The line
    of a wager against the dealer is a place of `VERSUS`. A stake of nothing is a wager that was not made.
    """
    sources = SOURCES

    @compiled_and_kept
    def kernel(pays: Pays, lines: Array, stakes: Array, folded: Whole, withdrawn: Array, out: Array) -> None:
        total, cut = 0, np.zeros(len(stakes), dtype=np.bool_)
        for wager in range(len(stakes)):
            stake = stakes[wager]
            out[0, wager], out[1, wager], out[2, wager], out[3, wager], out[4, wager] = stake, 0, 0, NONE, 0
            if stake == 0:
                continue
            if withdrawn[wager]:
                out[2, wager], out[3, wager] = stake, WITHDRAWN
            elif folded and pays.forfeits[wager]:
                out[3, wager] = FORFEIT
            else:
                _settle_wager(pays, wager, lines[wager], stake, out)
                if pays.limited[wager]:
                    total += out[1, wager]
        if 0 <= pays.limit < total and sources:
            _cut(pays, total, out, cut)
        if pays.whole_dollars:
            _from_tray(pays, out, cut)

    return kernel
