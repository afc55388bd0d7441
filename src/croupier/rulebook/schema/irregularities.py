"""irregularities.toml: what each irregularity voids, refunds, replaces or removes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.rulebook import names
from croupier.rulebook.schema.base import PerDevice, RegulationPart

__all__ = ["Instead", "Irregularities", "Irregularity"]


Void: TypeAlias = Literal["nothing", "box_wagers", "hand", "main_wagers", "round"]
Refund: TypeAlias = Literal["nothing", "box_wagers", "hand", "main_wagers", "all"]
Cards: TypeAlias = Literal["play_on", "reshuffle", "remove_deck", "reshuffle_device"]


class Instead(RegulationPart, frozen=True, kw_only=True):
    """What an irregularity does where the operator's option has this value."""

    option: str
    value: str
    void: Void
    refund: Refund
    cards: Cards


class Irregularity(PerDevice, frozen=True, kw_only=True):
    """What one irregularity voids, refunds, replaces or removes."""

    event: names.Irregularity
    deal: tuple[names.Deal, ...] = ()
    """The dealing methods in which it can occur; empty means all."""
    void: Void
    refund: Refund
    card: Literal["none", "to_rack", "is_next"] = "none"
    cards: Cards
    side_wagers: Literal["void", "settle"] = "void"
    """Whether wagers judged on complete hands alone still settle."""
    instead: Instead | None = None
    attest: tuple[names.OutOfUse, ...] = ()
    on_any_change: bool = False
    """Whether a device is taken out of service before any change of method, even if it works (reading 144)."""


class Irregularities(RegulationPart, frozen=True, kw_only=True):
    """irregularities.toml."""

    irregularity: tuple[Irregularity, ...]
