"""The events of a round by phase, each with a sign for what it is about: for timelines, on a screen or on paper.

>>> from croupier.games import events
>>> phase_after(events.CardsDealt(2), "Bets"), sign_of(events.CardsDealt(2))
('Deal', 'cards')
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from croupier.games import events as round_events
from croupier.present.names import capitalized, spoken
from croupier.table import events as table_events

__all__ = ["FIRST_PHASE", "EventSign", "phase_after", "sign_of"]

EventSign: TypeAlias = Literal["money", "cards", "decision", "ruling", "step"]
FIRST_PHASE: Final = "Bets"
_DEAL, _SETTLEMENT, _CLOSE, _AFTER = "Deal", "Settlement", "Close", "After the round"
_Money: TypeAlias = (
    round_events.WagerPlaced
    | round_events.WagerTakenBack
    | round_events.CouponPlaced
    | round_events.CouponTakenBack
    | round_events.WagerRegistered
    | round_events.WagerReturned
    | round_events.HandSettled
    | round_events.EnvySettled
    | round_events.SettlementReversed
    | round_events.MeterRaised
    | round_events.MeterRead
    | round_events.RaiseReduced
    | round_events.RaiseRestored
    | round_events.RoundClosed
    | table_events.PlayerBoughtIn
    | table_events.AwardPending
    | table_events.AwardPaid
    | table_events.AwardHandPaid
)
_Cards: TypeAlias = (
    round_events.CardsDealt
    | round_events.CardSetAside
    | round_events.CardCorrected
    | round_events.CardsViewed
    | round_events.CardsRevealed
    | round_events.CardsRacked
    | round_events.CardsIdentified
    | table_events.CardsSealed
    | table_events.CardsShown
    | table_events.HiddenCardCorrected
    | table_events.SeedRevealed
    | table_events.StubCounted
    | table_events.StubRacked
)
_Ruling: TypeAlias = (
    round_events.IrregularityRuled | round_events.ConductFound | round_events.HandRemoved | round_events.CountMismatched
)


def sign_of(event: table_events.Event | round_events.Event) -> EventSign:
    """What an event is about."""
    if isinstance(event, _Money):
        return "money"
    if isinstance(event, _Cards):
        return "cards"
    if isinstance(event, round_events.DecisionMade | table_events.GestureShown):
        return "decision"
    return "ruling" if isinstance(event, _Ruling) else "step"


def phase_after(event: table_events.Event | round_events.Event, phase: str) -> str:
    """The phase of a round that an event belongs to, after those before it."""
    match event:
        case table_events.SeedRevealed():
            return _AFTER
        case round_events.RoundClosed():
            return _CLOSE
        case round_events.DecisionMade(decision=decision):
            return capitalized(spoken(decision))
        case round_events.HandAnnounced() | round_events.MeterRead() | round_events.EnvySettled():
            return _SETTLEMENT
        case round_events.HandSettled(what=what) if what != "immediate":
            return _SETTLEMENT
        case round_events.CardsRevealed(slot="player"):
            return _SETTLEMENT
        case round_events.CardsDealt() | table_events.CardsSealed() if phase == FIRST_PHASE:
            return _DEAL
    return phase
