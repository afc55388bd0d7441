"""Devices, and other ways to shuffle and to deal."""

from __future__ import annotations

from typing import Literal, TypeAlias

from croupier.rulebook.names import Deal, OutOfUse, Shuffle
from croupier.table.commands.base import TableCommand

__all__ = [
    "ChangeMethod",
    "Device",
    "RestoreDevice",
    "TakeOutDevice",
]

Device: TypeAlias = Literal["shuffler", "shoe"]


class TakeOutDevice(TableCommand, frozen=True, tag="take_out_device"):
    """Cover, mark or remove a device that must not be used."""

    device: Device
    how: OutOfUse


class RestoreDevice(TableCommand, frozen=True, tag="restore_device"):
    """Put a device back in service."""

    device: Device


class ChangeMethod(TableCommand, frozen=True, tag="change_method"):
    """Change how the table shuffles and deals, between rounds."""

    shuffle: Shuffle
    deal: Deal
    decks: int = 1
