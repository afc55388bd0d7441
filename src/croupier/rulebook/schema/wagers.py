"""wagers.toml: the wagers and what each asks for."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, RegulationPart

__all__ = ["DealNeeded", "Fold", "Instruments", "Requirement", "Wager", "Wagers"]


class Requirement(Cited, frozen=True, kw_only=True):
    """A wager that must be placed first; `if_offered` asks for it only where the operator offers it."""

    wager: names.WagerName
    if_offered: bool = False


class DealNeeded(Cited, frozen=True, kw_only=True):
    """A wager that can be offered only with these ways to deal, shuffle and set the device."""

    deal: tuple[names.Deal, ...] = ()
    shuffle: tuple[names.Shuffle, ...] = ()
    cover_all_mode: bool = False
    option: str = ""
    approval: names.Approval | None = None


class Fold(Cited, frozen=True, kw_only=True):
    """What becomes of the wager when its player folds."""

    stake: Literal["forfeit", "live"]
    keeps: bool = False
    """Whether it leaves the folder's cards on the table until settlement."""
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
    """What closes the device to it."""
    registered: Cited | None = None
    """What makes it a bet only once a device has accepted it."""
    ace_low: int | None = None
    """The reading by which A-2-3 is a run here."""
    suggested_minimum: str | None = None
    """The least stake where the submission says nothing, when it is not the usual one."""
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
    """What keeps stakes as they are once bets are closed."""
    leaving: Cited
    wager: tuple[Wager, ...]
