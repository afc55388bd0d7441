"""People, the tray, opening and closing, the rules, and players."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from croupier.money import Cents
from croupier.rulebook.names import Attested
from croupier.table.commands.base import TableCommand

__all__ = [
    "Assign",
    "Attest",
    "BuyIn",
    "ChangeDay",
    "CloseTable",
    "ConfirmRules",
    "CountInventory",
    "CreditTray",
    "FillTray",
    "OpenTable",
    "ProposeRules",
    "ReleaseTable",
    "SetIdle",
    "Sit",
    "StandUp",
    "SuspendTable",
    "VerifyInventory",
]


class Assign(TableCommand, frozen=True, tag="assign"):
    """Put a dealer on duty to take over the table, or a floorperson, who may relieve another (`instead_of`)."""

    post: Literal["dealer", "floorperson"]
    person: str
    instead_of: str = ""


class Attest(TableCommand, frozen=True, tag="attest"):
    """Attest before the table opens that something is in place; `reference` names its approval."""

    what: Attested
    reference: str = ""


class CountInventory(TableCommand, frozen=True, tag="count_inventory"):
    """Count the chips in the tray."""

    amount: Cents


class VerifyInventory(TableCommand, frozen=True, tag="verify_inventory"):
    """Confirm the count of the tray, as somebody other than the counter."""


class FillTray(TableCommand, frozen=True, tag="fill_tray"):
    """Fill the tray with chips from the cage."""

    amount: Cents
    reference: str


class CreditTray(TableCommand, frozen=True, tag="credit_tray"):
    """Credit chips from the tray to the cage."""

    amount: Cents
    reference: str


class OpenTable(TableCommand, frozen=True, tag="open_table"):
    """Open the table for a gaming day."""

    gaming_day: date


class ChangeDay(TableCommand, frozen=True, tag="change_day"):
    """Begin the next gaming day at an open table."""

    gaming_day: date


class CloseTable(TableCommand, frozen=True, tag="close_table"):
    """Close the table once it has no round, players or cards, and its tray is counted and confirmed."""


class SuspendTable(TableCommand, frozen=True, tag="suspend_table"):
    """Suspend the table: no round may begin until it is released. Say why in `reason`."""


class ReleaseTable(TableCommand, frozen=True, tag="release_table"):
    """Release a suspended table."""


class SetIdle(TableCommand, frozen=True, tag="set_idle"):
    """Spread the cards of a table without players; a player may ask (`asked_by`) to have them face up."""

    face: Literal["down", "up"] = "down"
    asked_by: str = ""


class ProposeRules(TableCommand, frozen=True, tag="propose_rules"):
    """Propose another submission under the same rulebook, with the reference of its approval (reading 182)."""

    submission: dict[str, Any]
    approval: str


class ConfirmRules(TableCommand, frozen=True, tag="confirm_rules"):
    """Confirm the proposed submission between rounds, as somebody other than the proposer."""


class Sit(TableCommand, frozen=True, tag="sit"):
    """Take a seat; a player with several boxes takes each."""

    seat: int
    patron: str = ""


class StandUp(TableCommand, frozen=True, tag="stand_up"):
    """Leave the table with all chips."""

    patron: str = ""


class BuyIn(TableCommand, frozen=True, tag="buy_in"):
    """Buy chips from the tray for cash, or register chips `brought` from elsewhere."""

    amount: Cents
    patron: str = ""
    brought: bool = False
