"""Devices, and other ways to shuffle and to deal."""

from __future__ import annotations

from croupier.rulebook.names import OutOfUse
from croupier.table.commands import Device
from croupier.table.events.base import TableEvent

__all__ = [
    "DeviceRestored",
    "DeviceTakenOut",
    "MethodChanged",
]


class DeviceTakenOut(TableEvent, frozen=True, kw_only=True, tag="device_taken_out/1"):
    """A device was covered, marked or removed."""

    device: Device
    kind: str
    how: OutOfUse


class DeviceRestored(TableEvent, frozen=True, kw_only=True, tag="device_restored/1"):
    """A device was put back in service."""

    device: Device


class MethodChanged(TableEvent, frozen=True, kw_only=True, tag="method_changed/1"):
    """The table changed its shuffling and dealing method, under these house rules."""

    shuffle: str
    deal: str
    decks: int
    rules: str
    submission: str
    """As canonical JSON."""
