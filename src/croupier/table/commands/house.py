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
    """Put a dealer on duty, who takes the table over, or a floorperson, beside the others or `instead_of` one."""

    post: Literal["dealer", "floorperson"]
    person: str
    instead_of: str = ""


class Attest(TableCommand, frozen=True, tag="attest"):
    """Attest that something is in place before the table opens; `reference` names its approval."""

    what: Attested
    reference: str = ""


class CountInventory(TableCommand, frozen=True, tag="count_inventory"):
    """Count the chips in the tray."""

    amount: Cents


class VerifyInventory(TableCommand, frozen=True, tag="verify_inventory"):
    """Confirm the count of the tray; never by the person who counted."""


class FillTray(TableCommand, frozen=True, tag="fill_tray"):
    """Chips come to the tray from the cage."""

    amount: Cents
    reference: str


class CreditTray(TableCommand, frozen=True, tag="credit_tray"):
    """Chips go from the tray to the cage."""

    amount: Cents
    reference: str


class OpenTable(TableCommand, frozen=True, tag="open_table"):
    """Open the table for a gaming day."""

    gaming_day: date


class ChangeDay(TableCommand, frozen=True, tag="change_day"):
    """The next gaming day begins at an open table."""

    gaming_day: date


class CloseTable(TableCommand, frozen=True, tag="close_table"):
    """Close the table: no round, no player, no card, and the tray counted and confirmed."""


class SuspendTable(TableCommand, frozen=True, tag="suspend_table"):
    """No round may begin until the table is released; say why in `reason`."""


class ReleaseTable(TableCommand, frozen=True, tag="release_table"):
    """A suspended table goes on."""


class SetIdle(TableCommand, frozen=True, tag="set_idle"):
    """Without players the cards leave shoe and rack and lie spread; a player may ask to have them face up."""

    face: Literal["down", "up"] = "down"
    asked_by: str = ""


class ProposeRules(TableCommand, frozen=True, tag="propose_rules"):
    """Propose another submission of the same rulebook, with the reference of its approval (reading 182)."""

    submission: dict[str, Any]
    approval: str


class ConfirmRules(TableCommand, frozen=True, tag="confirm_rules"):
    """A second person confirms the proposed submission, between rounds."""


class Sit(TableCommand, frozen=True, tag="sit"):
    """A player takes a seat; with several boxes, each is taken."""

    seat: int
    patron: str = ""


class StandUp(TableCommand, frozen=True, tag="stand_up"):
    """A player leaves the table with the chips."""

    patron: str = ""


class BuyIn(TableCommand, frozen=True, tag="buy_in"):
    """A player gets chips from the tray for cash, or has `brought` them along."""

    amount: Cents
    patron: str = ""
    brought: bool = False
