"""procedure.toml: who does what at a table, by which clause."""

from __future__ import annotations

from typing import Literal

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, PerDevice, RegulationPart

__all__ = ["Attestation", "Column", "Duty", "Gesture", "Idle", "Procedure", "Ranks", "Reshuffle"]


class Ranks(Cited, frozen=True, kw_only=True):
    """The ladder of the staff, the lowest first."""

    order: tuple[names.Role, ...]


class Idle(Cited, frozen=True, kw_only=True):
    """How the cards of a table without players lie, and whether an arriving player has them turned up."""

    face: Literal["down", "either"]
    """Face down unless a player asks, or as the dealer likes."""
    turned_up: bool = False
    shown: Cited
    """What has them offered to the first player who comes back."""


class Attestation(PerDevice, frozen=True, kw_only=True):
    """What is attested before a table opens: always, with a wager or a way to deal; what is optional may be missing."""

    what: names.Attested
    offered: names.WagerName | None = None
    deal: tuple[names.Deal, ...] = ()
    optional: bool = False


class Gesture(Cited, frozen=True, kw_only=True):
    """A signal by which a player decides; to record it is optional (reading 93)."""

    gesture: names.Gesture
    decision: names.Decision
    choice: str


class Column(Cited, frozen=True, kw_only=True):
    """The device shows which column of a wager's paytables the number of hands has fixed."""

    offered: names.WagerName


class Reshuffle(Cited, frozen=True, kw_only=True):
    """The shuffle after every round; `after` names irregularities whose own clause has the cards shuffled again."""

    after: tuple[names.Irregularity, ...] = ()


class Duty(PerDevice, frozen=True, kw_only=True):
    """A command, the roles that may give it, and the clause; `least` admits a rank and all above it."""

    do: names.Duty
    by: tuple[names.Role, ...] = ()
    least: names.Role | None = None


class Procedure(RegulationPart, frozen=True, kw_only=True):
    """procedure.toml."""

    ranks: Ranks
    idle: Idle
    preshuffled: Cited
    """What lets decks that came inspected and shuffled skip the opening."""
    reshuffle: Reshuffle
    """What has the cards shuffled again after every round."""
    whole_meter: Cited
    """What keeps an award of a whole meter out of the tray."""
    attest: tuple[Attestation, ...]
    gesture: tuple[Gesture, ...] = ()
    column: Column | None = None
    duty: tuple[Duty, ...]
