"""Pays that depend on the stake, and meters that the rules leave to the operator."""

from __future__ import annotations

from croupier.money import Cents, Dollars, Pay, parse_dollars
from croupier.rulebook.schema import Paytable, Wager

__all__ = ["SUGGESTED_METER", "for_stake"]

SUGGESTED_METER = "10000.00"
"""The initial amount of a meter where the document leaves it to the operator (reading 50)."""


def for_stake(pay: Pay, *, wager: Wager, table: Paytable, stake: Cents) -> Pay:
    """A pay for this stake: dollar amounts of a collected wager are printed for one stake and scale (reading 3)."""
    if isinstance(pay, Dollars) and wager.collected and wager.stake_approval:
        return Dollars(pay.cents * stake // parse_dollars(table.stakes[0]))
    return pay
