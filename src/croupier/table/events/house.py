"""People, the tray, opening and closing, the rules, and players."""

from __future__ import annotations

from datetime import date
from typing import Literal

from croupier.money import Cents, MeterUnits
from croupier.rulebook.names import Attested
from croupier.table.events.base import TableEvent

__all__ = [
    "AttestationMade",
    "GamingDayChanged",
    "InventoryCounted",
    "InventoryVerified",
    "PersonAssigned",
    "PlayerBoughtIn",
    "PlayerSat",
    "PlayerStoodUp",
    "RulesChanged",
    "RulesProposed",
    "TableClosed",
    "TableCreated",
    "TableOpened",
    "TableReleased",
    "TableSuspended",
    "TableWentIdle",
    "TrayCredited",
    "TrayFilled",
]


class TableCreated(TableEvent, frozen=True, kw_only=True, tag="table_created/1"):
    """A table was created, closed and empty, under these house rules: the first entry of every record."""

    table: str
    rulebook: str
    """The hash of the rulebook's content."""
    rules: str
    submission: str
    """The operator's submission, as canonical JSON."""
    meters: tuple[tuple[str, MeterUnits], ...]


class PersonAssigned(TableEvent, frozen=True, kw_only=True, tag="person_assigned/1"):
    """A person came on duty; the dealer before, if any, was relieved."""

    post: Literal["dealer", "floorperson"]
    person: str
    relieved: str = ""


class AttestationMade(TableEvent, frozen=True, kw_only=True, tag="attestation_made/1"):
    """Somebody attested that something is in place."""

    what: Attested
    reference: str


class InventoryCounted(TableEvent, frozen=True, kw_only=True, tag="inventory_counted/1"):
    """The tray was counted; `expected` is what the books say, once the table has opened."""

    amount: Cents
    expected: Cents | None


class InventoryVerified(TableEvent, frozen=True, kw_only=True, tag="inventory_verified/1"):
    """A second person confirmed the count."""

    amount: Cents
    counted_by: str


class TrayFilled(TableEvent, frozen=True, kw_only=True, tag="tray_filled/1"):
    """Chips came from the cage."""

    amount: Cents
    reference: str


class TrayCredited(TableEvent, frozen=True, kw_only=True, tag="tray_credited/1"):
    """Chips went to the cage."""

    amount: Cents
    reference: str


class TableOpened(TableEvent, frozen=True, kw_only=True, tag="table_opened/1"):
    """The table opened under these house rules."""

    gaming_day: date
    rules: str
    tray: Cents


class GamingDayChanged(TableEvent, frozen=True, kw_only=True, tag="gaming_day_changed/1"):
    """A new gaming day began."""

    gaming_day: date


class TableClosed(TableEvent, frozen=True, kw_only=True, tag="table_closed/1"):
    """The table closed."""

    gaming_day: date
    tray: Cents
    rounds: int


class TableSuspended(TableEvent, frozen=True, kw_only=True, tag="table_suspended/1"):
    """The table was suspended: no round may begin."""


class TableReleased(TableEvent, frozen=True, kw_only=True, tag="table_released/1"):
    """The table was released: rounds may begin again."""


class TableWentIdle(TableEvent, frozen=True, kw_only=True, tag="table_went_idle/1"):
    """The table went idle: shoe and rack are empty and the cards are spread, unless a device is exempt."""

    face: Literal["down", "up"]
    asked_by: str
    spread: bool


class RulesProposed(TableEvent, frozen=True, kw_only=True, tag="rules_proposed/1"):
    """A new submission was proposed."""

    submission: str
    """As canonical JSON."""
    rules: str
    approval: str


class RulesChanged(TableEvent, frozen=True, kw_only=True, tag="rules_changed/1"):
    """The proposed submission came into force."""

    rules: str
    approval: str
    proposed_by: str
    meters: tuple[tuple[str, MeterUnits], ...]
    """What each meter holds from now on (reading 182)."""


class PlayerSat(TableEvent, frozen=True, kw_only=True, tag="player_sat/1"):
    """A player took a seat."""

    seat: int
    patron: str


class PlayerStoodUp(TableEvent, frozen=True, kw_only=True, tag="player_stood_up/1"):
    """A player left with the chips."""

    patron: str
    chips: Cents


class PlayerBoughtIn(TableEvent, frozen=True, kw_only=True, tag="player_bought_in/1"):
    """A player bought chips from the tray for cash, or brought chips from elsewhere."""

    patron: str
    amount: Cents
    brought: bool
