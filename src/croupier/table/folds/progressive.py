"""Meters under new rules, and awards on their way to the players; `postings` has the money."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier.errors import BrokenRecord
from croupier.games import events as round_events
from croupier.money import MeterUnits
from croupier.progressive import Meter, house_meters
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Award, Progressive, Table

__all__ = ["PROGRESSIVE", "filled"]


def filled(meters: tuple[Meter, ...], units: tuple[tuple[str, MeterUnits], ...]) -> tuple[Meter, ...]:
    """The meters of a house with the amounts that an event gives."""
    held = dict(units)
    if set(held) != {meter.name for meter in meters}:
        names = [meter.name for meter in meters]
        raise BrokenRecord(f"these rules have the meters {names}, the record {sorted(held)}")
    return tuple(replace(meter, units=held[meter.name]) for meter in meters)


def _rules_changed(progressive: Progressive, event: table_events.RulesChanged, _: Entry, table: Table) -> Progressive:
    """What a meter holds is carried over (reading 182)."""
    house = table.proposal.house if table.proposal is not None else table.house
    return replace(progressive, meters=filled(house_meters(house), event.meters))


def _pending(progressive: Progressive, event: table_events.AwardPending, *_: object) -> Progressive:
    award = Award(
        seat=event.seat,
        patron=event.patron,
        amount=event.amount,
        meter=event.meter,
        taken=event.taken,
        reset=event.reset,
        handpay=event.handpay,
        link=event.link,
    )
    return replace(progressive, awards=(*progressive.awards, award))


def _with_award(progressive: Progressive, seat: int, **changes: object) -> Progressive:
    awards = tuple(replace(award, **changes) if award.seat == seat else award for award in progressive.awards)
    return replace(progressive, awards=awards)


def _verified(progressive: Progressive, event: table_events.AwardVerified, entry: Entry, _: Table) -> Progressive:
    return _with_award(progressive, event.seat, status="verified", verified_by=entry.by.id)


def _validated(progressive: Progressive, event: table_events.AwardValidated, *_: object) -> Progressive:
    return _with_award(progressive, event.seat, status="validated")


def _rejected(progressive: Progressive, event: table_events.AwardRejected, *_: object) -> Progressive:
    return _with_award(progressive, event.seat, status="rejected")


def _paid(progressive: Progressive, event: table_events.AwardPaid, *_: object) -> Progressive:
    return _with_award(progressive, event.seat, status="paid")


def _hand_paid(progressive: Progressive, event: table_events.AwardHandPaid, *_: object) -> Progressive:
    return _with_award(progressive, event.seat, status="hand_paid")


def _reversed(progressive: Progressive, event: table_events.AwardReversed, *_: object) -> Progressive:
    return replace(progressive, awards=tuple(award for award in progressive.awards if award.seat != event.seat))


def _round_closed(progressive: Progressive, *_: object) -> Progressive:
    return replace(progressive, awards=()) if progressive.awards else progressive


PROGRESSIVE: Final[dict[type, Any]] = {
    table_events.RulesChanged: _rules_changed,
    table_events.AwardPending: _pending,
    table_events.AwardVerified: _verified,
    table_events.AwardValidated: _validated,
    table_events.AwardRejected: _rejected,
    table_events.AwardReversed: _reversed,
    table_events.AwardPaid: _paid,
    table_events.AwardHandPaid: _hand_paid,
    round_events.RoundClosed: _round_closed,
}
