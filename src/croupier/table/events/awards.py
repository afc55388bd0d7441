"""Progressive awards on their way to the player."""

from __future__ import annotations

from croupier.money import Cents, MeterUnits
from croupier.table.events.base import TableEvent

__all__ = [
    "AwardHandPaid",
    "AwardNotVerified",
    "AwardPaid",
    "AwardPending",
    "AwardRejected",
    "AwardReversed",
    "AwardValidated",
    "AwardVerified",
]


class AwardPending(TableEvent, frozen=True, kw_only=True, tag="award_pending/1"):
    """An award was won, is taken off its meter and waits for verification; `handpay` is never from the tray."""

    seat: int
    patron: str
    amount: Cents
    meter: str
    percent: int
    """The share of the meter, 0 for a prize of fixed odds."""
    taken: MeterUnits
    """What the award takes off the meter, less what the reset puts back."""
    reset: MeterUnits
    handpay: bool
    link: str = ""
    """The link of several tables that the meter belongs to, if it does."""


class _AwardEvent(TableEvent, frozen=True, kw_only=True):
    seat: int


class AwardVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_verified/1"):
    """The hand wins and the light is lit."""


class AwardNotVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_not_verified/1"):
    """The hand does not win, or the light is off: nothing is paid."""

    hand: bool
    light: bool


class AwardValidated(_AwardEvent, frozen=True, kw_only=True, tag="award_validated/1"):
    """A floorperson validated the award."""

    verified_by: str


class AwardRejected(_AwardEvent, frozen=True, kw_only=True, tag="award_rejected/1"):
    """The award is not paid; the meter has it back."""

    amount: Cents
    meter: str
    units: MeterUnits


class AwardReversed(_AwardEvent, frozen=True, kw_only=True, tag="award_reversed/1"):
    """The settlement that won the award was turned back, and with it whatever was paid; the meter has it back."""

    amount: Cents
    was: str
    meter: str
    units: MeterUnits


class AwardPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_paid/1"):
    """Paid from the tray."""

    patron: str
    amount: Cents


class AwardHandPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_hand_paid/1"):
    """Paid away from the tray, the paperwork is done."""

    patron: str
    amount: Cents
    reference: str
