"""A settled round as JSON for other programs: seats and wagers in settlement order, meters, and the house net."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.games import SeatSettled, Settled
from croupier.money import MeterUnits, format_dollars
from croupier.present.amounts import UNITS_IN_A_CENT
from croupier.table.codec import write_settled

__all__ = ["settled_json"]


def settled_json(settled: Settled, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Return what `croupier settle --json` answers."""
    return {
        "seats": [_seat(seat) for seat in settled.seats],
        "meters": {meter.name: _meter(meter.units) for meter in settled.meters},
        "house_net": format_dollars(settled.house_net),
        "warnings": list(warnings),
    }


def _seat(seat: SeatSettled) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "wagers": [write_settled(wager) for wager in seat.wagers],
        "envy": [write_settled(envy) for envy in seat.envy],
        "staked": format_dollars(seat.staked),
        "paid": format_dollars(seat.paid),
    } | ({} if seat.coupon is None else {"match_play": write_settled(seat.coupon)})


def _meter(units: MeterUnits) -> str:
    """Print a meter in dollars, with what it holds below the cent."""
    cents, fine = divmod(units, UNITS_IN_A_CENT)
    return format_dollars(cents) + (f"{fine:04}".rstrip("0") if fine else "")
