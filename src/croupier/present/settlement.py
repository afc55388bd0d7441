"""A settled round, seats and wagers in settlement order: rows of words for people, JSON for other programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.games import Outcome, SeatSettled, Settled, WagerSettled
from croupier.money import UNITS_PER_CENT, Cents, MeterUnits, format_dollars
from croupier.present.amounts import dollars
from croupier.present.citations import cited
from croupier.present.names import line_words, spoken
from croupier.table import write_settled

__all__ = ["SettledLine", "SettledRow", "settled_json", "settled_line", "settled_rows"]


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


class WrittenWager(Struct, kw_only=True, omit_defaults=True, gc=False):
    """A settled wager with its amounts and its reason in words; what has a default is left out where it is None."""

    wager: str
    staked: str
    outcome: Outcome
    hand: str | None
    pays: str | None
    won: str
    returned: str
    clause: str
    reading: int | None
    cause: str
    made: str | None = None
    paytable: str | None = None
    dealer: str | None = None
    rule: str | None = None
    before_limit: str | None = None
    limit: str | None = None
    before_breakage: str | None = None
    award: Mapping[str, Any] | None = None
    why: str


class WrittenSeat(Struct, kw_only=True, omit_defaults=True):
    """A box; its wagers are JSON already."""

    seat: int
    wagers: msgspec.Raw
    envy: list[Mapping[str, Any]]
    staked: str
    paid: str
    match_play: Mapping[str, Any] | None = None


class SettledLine(Struct, kw_only=True):
    """A settled round for other programs."""

    seats: list[WrittenSeat]
    meters: dict[str, str]
    house_net: str
    warnings: Sequence[str]


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
    """Return what `croupier settle --json` answers."""
    answer: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(settled_line(settled, warnings)))
    return answer


def settled_line(settled: Settled, warnings: Sequence[str] = ()) -> SettledLine:
    """Return the same, to be encoded at once: equal wagers are written once."""
    totals = [(seat.staked, seat.paid) for seat in settled.seats]
    return SettledLine(
        seats=[_seat(seat, *total) for seat, total in zip(settled.seats, totals, strict=True)],
        meters={meter.name: _meter(meter.units) for meter in settled.meters},
        house_net=format_dollars(sum([staked - paid for staked, paid in totals])),
        warnings=warnings,
    )


def _seat(seat: SeatSettled, staked: Cents, paid: Cents) -> WrittenSeat:
    return WrittenSeat(
        seat=seat.seat,
        wagers=msgspec.Raw(b"[%b]" % b",".join([_wager_text(wager) for wager in seat.wagers])),
        envy=[write_settled(envy) for envy in seat.envy],
        staked=format_dollars(staked),
        paid=format_dollars(paid),
        match_play=None if seat.coupon is None else write_settled(seat.coupon),
    )


def _wager_text(wager: WagerSettled) -> bytes:
    """Return a wager as records write it; one against the dealer's hand hardly ever comes again."""
    return _known_text(wager) if wager.dealer is None else _write(wager)


def _write(wager: WagerSettled) -> bytes:
    """Write a wager without what does not apply to it."""
    return msgspec.json.encode(
        WrittenWager(
            wager=wager.wager,
            staked=format_dollars(wager.staked),
            outcome=wager.outcome,
            hand=wager.hand,
            pays=wager.pays,
            won=format_dollars(wager.won),
            returned=format_dollars(wager.returned),
            clause=wager.clause,
            reading=wager.reading,
            cause=wager.cause,
            made=wager.made,
            paytable=wager.paytable,
            dealer=wager.dealer,
            rule=wager.rule,
            before_limit=_dollars_if(wager.before_limit),
            limit=_dollars_if(wager.limit),
            before_breakage=_dollars_if(wager.before_breakage),
            award=None if wager.award is None else write_settled(wager)["award"],
            why=wager.why,
        )
    )


_known_text: Final = lru_cache(maxsize=4_000)(_write)


def _dollars_if(amount: Cents | None) -> str | None:
    return None if amount is None else format_dollars(amount)


def _meter(units: MeterUnits) -> str:
    """Print a meter in dollars, with what it holds below the cent."""
    cents, fine = divmod(units, UNITS_PER_CENT)
    return format_dollars(cents) + (f"{fine:04}".rstrip("0") if fine else "")
