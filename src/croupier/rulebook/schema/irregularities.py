"""irregularities.toml: what each irregularity voids, refunds, replaces or removes."""

from __future__ import annotations

from typing import Literal

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, Part

__all__ = ["Irregularities", "Irregularity"]


class Irregularity(Cited, frozen=True, kw_only=True):
    """What one irregularity voids, refunds, replaces or removes."""

    event: names.Irregularity
    void: Literal["nothing", "hand", "main_wagers", "round"]
    refund: Literal["nothing", "hand", "main_wagers", "all"]
    card: Literal["none", "to_rack", "is_next"] = "none"
    cards: Literal["play_on", "reshuffle", "remove_deck", "reshuffle_device"]
    side_wagers: Literal["void", "settle", "settle_if_complete"] = "void"
    attest: tuple[Literal["covered", "signed", "removed"], ...] = ()


class Irregularities(Part, frozen=True, kw_only=True):
    """irregularities.toml."""

    irregularity: tuple[Irregularity, ...]
