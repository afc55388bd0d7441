"""Shuffler and shoe: out of service, failed, restored."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.table import events as table_events
from croupier.table.commands import Device
from croupier.table.state import Devices

__all__ = ["DEVICES"]

_SHOE_FAILURES: Final = {"shoe_failed", "shoe_failed_after_deal"}


def _failed(devices: Devices, device: Device) -> Devices:
    return devices if device in devices.failed else replace(devices, failed=(*devices.failed, device))


def _without(failed: tuple[Device, ...], device: Device) -> tuple[Device, ...]:
    return tuple(name for name in failed if name != device)


def _jammed(devices: Devices, *_: object) -> Devices:
    return _failed(devices, "shuffler")


def _ruled(devices: Devices, event: round_events.IrregularityRuled, *_: object) -> Devices:
    return _failed(devices, "shoe") if event.irregularity in _SHOE_FAILURES else devices


def _shuffled(devices: Devices, event: table_events.DeckShuffled, *_: object) -> Devices:
    if event.method == "manual" or "shuffler" not in devices.failed:
        return devices
    return replace(devices, failed=_without(devices.failed, "shuffler"))  # it works again


def _taken_out(devices: Devices, event: table_events.DeviceTakenOut, *_: object) -> Devices:
    others = tuple(row for row in devices.out_of_use if row[:2] != (event.device, event.kind))
    return replace(devices, out_of_use=(*others, (event.device, event.kind, event.how)))


def _restored(devices: Devices, event: table_events.DeviceRestored, *_: object) -> Devices:
    out_of_use = tuple(row for row in devices.out_of_use if row[0] != event.device)
    return replace(devices, out_of_use=out_of_use, failed=_without(devices.failed, event.device))


def _method_changed(devices: Devices, *_: object) -> Devices:
    """A failed device that was taken out of service no longer holds up the table."""
    out = {device for device, *_ in devices.out_of_use}
    return replace(devices, failed=tuple(device for device in devices.failed if device not in out))


DEVICES: Final[dict[type, Any]] = {
    table_events.DeckJammed: _jammed,
    table_events.DeckShuffled: _shuffled,
    table_events.DeviceTakenOut: _taken_out,
    table_events.DeviceRestored: _restored,
    table_events.RulesChanged: _method_changed,
    table_events.MethodChanged: _method_changed,
    round_events.IrregularityRuled: _ruled,
}
