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
    """An award was won and taken off its meter, and waits for verification; a `handpay` is never from the tray."""

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
    """The link that the meter belongs to, if any."""


class _AwardEvent(TableEvent, frozen=True, kw_only=True):
    seat: int


class AwardVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_verified/1"):
    """The dealer verified that the hand wins and the light is lit."""


class AwardNotVerified(_AwardEvent, frozen=True, kw_only=True, tag="award_not_verified/1"):
    """The hand does not win or the light is off: nothing is paid."""

    hand: bool
    light: bool


class AwardValidated(_AwardEvent, frozen=True, kw_only=True, tag="award_validated/1"):
    """A floorperson validated the award."""

    verified_by: str


class AwardRejected(_AwardEvent, frozen=True, kw_only=True, tag="award_rejected/1"):
    """The award was rejected and went back to the meter."""

    amount: Cents
    meter: str
    units: MeterUnits


class AwardReversed(_AwardEvent, frozen=True, kw_only=True, tag="award_reversed/1"):
    """The settlement that won the award was reversed, with whatever was paid; the award went back to the meter."""

    amount: Cents
    was: str
    meter: str
    units: MeterUnits


class AwardPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_paid/1"):
    """The award was paid from the tray."""

    patron: str
    amount: Cents


class AwardHandPaid(_AwardEvent, frozen=True, kw_only=True, tag="award_hand_paid/1"):
    """The award was paid by hand, with its paperwork."""

    patron: str
    amount: Cents
    reference: str
