"""How a house shuffles and deals, and which of its devices can be used."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.cards import DECK
from croupier.errors import RuleViolation
from croupier.games import refuse
from croupier.rulebook import HouseRules, Submission
from croupier.rulebook.names import OutOfUse
from croupier.rulebook.schema import Cited, Irregularity
from croupier.table.commands import Device
from croupier.table.state import Table

__all__ = [
    "changed_submission",
    "device_problem",
    "devices_of",
    "expected_count",
    "irregularity_row",
    "is_out",
    "out_of_use",
]


def devices_of(house: HouseRules) -> dict[Device, str]:
    """The devices that a house deals with, and what kind each is."""
    devices: dict[Device, str] = {}
    if house.shuffle != "manual":
        devices["shuffler"] = house.shuffle
    if house.deal == "automated_shoe":
        devices["shoe"] = house.deal
    return devices


def expected_count(house: HouseRules) -> int | None:
    """How many cards the shuffler of this house counts in a full deck; None if it does not count."""
    return len(DECK) if house.shuffle in {"automated_counting", "continuous"} else None


def is_out(table: Table, device: Device) -> bool:
    """Whether a device this house uses is out of service."""
    kind = devices_of(table.house).get(device)
    return any((name, what) == (device, kind) for name, what, _ in table.devices.out_of_use)


def out_of_use(table: Table, device: Device, how: OutOfUse | None = None) -> Cited:
    """The rule for a device that must not be used, by how it was put out of service."""
    row = irregularity_row(table, "device_unusable")
    if how is None:
        kind = devices_of(table.house).get(device)
        how = next((way for name, what, way in table.devices.out_of_use if (name, what) == (device, kind)), None)
    clauses = (row.clause, *row.also)
    place = row.attest.index(how) if how in row.attest else 0
    return Cited(clause=clauses[min(place, len(clauses) - 1)], reading=row.reading)


def changed_submission(table: Table, shuffle: str, deal: str, decks: int) -> Submission:
    """The submission with another method; a deck's hours are cut to what the new method allows (reading 126)."""
    said = table.submission.cards.deck_hours
    rule = next((row for row in table.house.rulebook.table.deck_hours if deal in row.deal), None)
    if said is not None and rule is not None and rule.hours is not None:
        said = min(said, rule.hours)
    cards = replace(table.submission.cards, shuffle=shuffle, deal=deal, decks=decks, deck_hours=said)
    return replace(table.submission, cards=cards)


def irregularity_row(table: Table, event: str) -> Irregularity:
    """What the document says about an irregularity outside a round."""
    return next(row for row in table.house.rulebook.irregularities.irregularity if row.event == event)


def device_problem(table: Table, house: HouseRules) -> RuleViolation | None:
    """Why the table may not change to the devices of these rules yet (reading 144)."""
    row, old, new = irregularity_row(table, "device_unusable"), devices_of(table.house), devices_of(house)
    for device, kind in old.items():
        gone = new.get(device) != kind
        if gone and (row.on_any_change or device in table.devices.failed) and not is_out(table, device):
            words = f"the {device} must be {' or '.join(row.attest)} before another method is used"
            return refuse("not_out_of_use", row, words)
    for device, kind in new.items():
        if any((name, what) == (device, kind) for name, what, _ in table.devices.out_of_use):
            return refuse("out_of_use", row, f"the {device} is out of service")
    return None
