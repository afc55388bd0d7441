"""procedure.toml: who does what at a table, and by which clause."""

from __future__ import annotations

from typing import Literal

from croupier.rulebook import names
from croupier.rulebook.schema.base import Cited, PerDevice, RegulationPart

__all__ = ["Attestation", "Column", "Duty", "Gesture", "Idle", "Procedure", "Ranks", "Reshuffle"]


class Ranks(Cited, frozen=True, kw_only=True):
    """The ranks of the staff, lowest first."""

    order: tuple[names.Role, ...]


class Idle(Cited, frozen=True, kw_only=True):
    """How the cards lie at a table without players, and whether an arriving player has them turned up."""

    face: Literal["down", "either"]
    """Face down unless a player asks, or at the dealer's choice."""
    turned_up: bool = False
    shown: Cited
    """The clause that offers them to the first player to return."""


class Attestation(PerDevice, frozen=True, kw_only=True):
    """What is attested before a table opens: always, or with a wager or dealing method; `optional` may be missing."""

    what: names.Attested
    offered: names.WagerName | None = None
    deal: tuple[names.Deal, ...] = ()
    optional: bool = False


class Gesture(Cited, frozen=True, kw_only=True):
    """A hand signal for a decision; recording it is optional (reading 93)."""

    gesture: names.Gesture
    decision: names.Decision
    choice: str


class Column(Cited, frozen=True, kw_only=True):
    """The device shows which column of a wager's paytable applies to the number of hands."""

    offered: names.WagerName


class Reshuffle(Cited, frozen=True, kw_only=True):
    """The shuffle after every round; `after` names the irregularities whose own clause requires one."""

    after: tuple[names.Irregularity, ...] = ()


class Duty(PerDevice, frozen=True, kw_only=True):
    """A command, the roles that may give it, and the clause; `least` admits a rank and every rank above it."""

    do: names.Duty
    by: tuple[names.Role, ...] = ()
    least: names.Role | None = None


class Procedure(RegulationPart, frozen=True, kw_only=True):
    """procedure.toml."""

    ranks: Ranks
    idle: Idle
    preshuffled: Cited
    """The clause that lets inspected and preshuffled decks skip the opening procedure."""
    reshuffle: Reshuffle
    """The clause that has the cards shuffled after every round."""
    whole_meter: Cited
    """The clause that keeps a full jackpot from being paid from the tray."""
    attest: tuple[Attestation, ...]
    gesture: tuple[Gesture, ...] = ()
    column: Column | None = None
    duty: tuple[Duty, ...]
