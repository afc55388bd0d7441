"""Progressive awards."""

from __future__ import annotations

from croupier.table.commands.base import TableCommand

__all__ = [
    "HandPayAward",
    "PayAward",
    "RejectAward",
    "ValidateAward",
    "VerifyAward",
]


class _OfAward(TableCommand, frozen=True):
    seat: int


class VerifyAward(_OfAward, frozen=True, tag="verify_award"):
    """Verify, as the dealer, that the hand wins and the seat's light is lit."""

    hand: bool
    light: bool


class ValidateAward(_OfAward, frozen=True, tag="validate_award"):
    """Validate a verified award, as a floorperson other than the verifier."""


class RejectAward(_OfAward, frozen=True, tag="reject_award"):
    """Reject an award and put it back on the meter; say why in `reason`."""


class PayAward(_OfAward, frozen=True, tag="pay_award"):
    """Pay a validated award from the tray."""


class HandPayAward(_OfAward, frozen=True, tag="hand_pay_award"):
    """Pay a validated award by hand, not from the tray; `reference` names the paperwork."""

    reference: str
