"""A settled round, seats and wagers in settlement order: rows of words for people, JSON for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.games import Outcome, SeatSettled, Settled, WagerSettled
from croupier.money import UNITS_PER_CENT, Cents, MeterUnits, format_dollars
from croupier.present.amounts import dollars
from croupier.present.citations import cited
from croupier.present.names import line_words, spoken
from croupier.table import write_settled

__all__ = ["SettledRow", "settled_json", "settled_rows"]

_ALWAYS: Final = {"hand", "pays", "reading"}
"""Given as null where there is none."""
MOST_WRITTEN: Final = 2_000
"""How many hands are kept as written."""


class SettledRow(Struct, frozen=True, kw_only=True):
    """One wager, coupon or envy bonus of a seat, in words."""

    wager: str
    staked: str = ""
    outcome: Outcome
    won: str
    returned: str = ""
    why: str
    cited: str
    reason: str = ""
    """The same for every wager of one hand that is settled alike: `why` without amounts."""
    before_limit: str = ""
    """What it would have won without the payout limit, where that reduced it."""


def settled_rows(seat: SeatSettled) -> list[SettledRow]:
    """Return everything settled at a seat, in order."""
    rows = [
        SettledRow(
            wager=spoken(wager.wager),
            staked=dollars(wager.staked),
            outcome=wager.outcome,
            won=dollars(wager.won),
            returned=dollars(wager.returned),
            why=wager.why,
            cited=cited(wager.clause, wager.reading),
            reason=_reason(wager),
            before_limit=dollars(wager.before_limit) if wager.before_limit is not None else "",
        )
        for wager in seat.wagers
    ]
    if seat.coupon is not None:
        coupon = seat.coupon
        citation = cited(coupon.clause, coupon.reading)
        won = dollars(coupon.won)
        rows.append(SettledRow(wager="match play", outcome=coupon.outcome, won=won, why=coupon.why, cited=citation))
    for envy in seat.envy:
        why = f"seat {envy.from_seat} has a {line_words(envy.hand)}"
        row = SettledRow(wager="envy bonus", outcome="win", won=dollars(envy.won), why=why, cited=cited(envy.clause))
        rows.append(row)
    return rows


def _reason(wager: WagerSettled) -> str:
    if wager.before_limit is None or wager.limit is None:
        return wager.why
    return f"{replace(wager, before_limit=None).why}; the payout limit of {dollars(wager.limit)} per hand reduces it"


def settled_json(settled: Settled, warnings: Sequence[str] = ()) -> dict[str, Any]:
    """Return what `croupier settle --json` answers, to be read only: equal hands share their wagers."""
    totals = [(seat.staked, seat.paid) for seat in settled.seats]
    return {
        "seats": [_seat(seat, *total) for seat, total in zip(settled.seats, totals, strict=True)],
        "meters": {meter.name: _meter(meter.units) for meter in settled.meters},
        "house_net": format_dollars(sum(staked - paid for staked, paid in totals)),
        "warnings": list(warnings),
    }


def _seat(seat: SeatSettled, staked: Cents, paid: Cents) -> dict[str, Any]:
    written = {
        "seat": seat.seat,
        "wagers": _wagers(seat.wagers),
        "envy": [write_settled(envy) for envy in seat.envy],
        "staked": format_dollars(staked),
        "paid": format_dollars(paid),
    }
    return written if seat.coupon is None else written | {"match_play": write_settled(seat.coupon)}


_written: Final[dict[int, tuple[tuple[WagerSettled, ...], list[dict[str, Any]]]]] = {}
"""Wagers that were written before, by the identity of what they were written from, which is kept beside them."""


def _wagers(wagers: tuple[WagerSettled, ...]) -> list[dict[str, Any]]:
    """Return wagers as records write them, without what does not apply to them."""
    before, written = _written.get(id(wagers), ((), []))
    if before is not wagers:
        written = [
            {name: value for name, value in write_settled(wager).items() if value is not None or name in _ALWAYS}
            for wager in wagers
        ]
        if len(_written) >= MOST_WRITTEN:
            _written.clear()
        _written[id(wagers)] = wagers, written
    return written


def _meter(units: MeterUnits) -> str:
    """Print a meter in dollars, with what it holds below the cent."""
    cents, fine = divmod(units, UNITS_PER_CENT)
    return format_dollars(cents) + (f"{fine:04}".rstrip("0") if fine else "")
