"""wagers.toml: the wagers and what each requires."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, RegulationPart

__all__ = ["DealNeeded", "Fold", "Instruments", "Requirement", "Wager", "Wagers"]


class Requirement(Cited, frozen=True, kw_only=True):
    """A wager that must be placed first; `if_offered` requires it only where the operator offers it."""

    wager: names.WagerName
    if_offered: bool = False


class DealNeeded(Cited, frozen=True, kw_only=True):
    """The dealing methods, shufflers and device mode without which a wager cannot be offered."""

    deal: tuple[names.Deal, ...] = ()
    shuffle: tuple[names.Shuffle, ...] = ()
    cover_all_mode: bool = False
    option: str = ""
    approval: names.Approval | None = None


class Fold(Cited, frozen=True, kw_only=True):
    """What happens to the wager when the player folds."""

    stake: Literal["forfeit", "live"]
    keeps: bool = False
    """Whether it keeps the folded hand on the table until settlement."""
    by_decision: bool = False
    """Whether the clause of the decision on which the player folded takes the stake."""
    alone: bool = False
    """Whether that decision's clause takes it only from a player without a side wager (reading 196)."""
    option: str = ""
    """The option that decides it, where a reading leaves that to the operator."""


class Wager(Cited, frozen=True, kw_only=True):
    """One wager of the game and its conditions."""

    name: names.WagerName
    offered: Literal["always", "option"]
    stake: names.StakeRule
    limits_key: str = ""
    multiples: tuple[Annotated[int, Meta(ge=1, le=3)], ...] = ()
    requires: tuple[Requirement, ...] = ()
    needs: DealNeeded | None = None
    cards: names.CardsJudged
    evaluator: names.Evaluator
    paytables: names.PaytableGroup
    collected: Cited | None = None
    withdraw: Cited | None = None
    fold: Fold | None = None
    closes: Cited
    locked: Cited | None = None
    """The clause that closes the device to it."""
    registered: Cited | None = None
    """The clause that makes it a bet only once a device has accepted it."""
    ace_low: int | None = None
    """The reading by which A-2-3 is a straight here."""
    suggested_minimum: str | None = None
    """The minimum stake if the submission gives none, where it is not the usual one."""
    stake_approval: names.Approval | None = None


class Instruments(Cited, frozen=True, kw_only=True):
    """What a wager may be made with."""

    accepted: tuple[names.Instrument, ...]
    verbal_cash: Cited
    coupon: Cited | None = None


class Wagers(RegulationPart, frozen=True, kw_only=True):
    """wagers.toml."""

    instruments: Instruments
    seated: Cited
    closed: Cited
    """The clause that keeps bets unchanged once betting is closed."""
    leaving: Cited
    wager: tuple[Wager, ...]
