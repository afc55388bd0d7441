"""How events of progressive awards change what is on its way to the players; `postings` has the money."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.games.evolve import with_award_rejected
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Award, Table

__all__ = ["AWARDS"]


def _pending(table: Table, event: table_events.AwardPending, _: Entry) -> Table:
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
    return replace(table, awards=(*table.awards, award))


def _with_award(table: Table, seat: int, **changes: object) -> tuple[Award, ...]:
    return tuple(replace(one, **changes) if one.seat == seat else one for one in table.awards)


def _award_verified(table: Table, event: table_events.AwardVerified, entry: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="verified", verified_by=entry.by.id))


def _award_validated(table: Table, event: table_events.AwardValidated, _: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="validated"))


def _award_rejected(table: Table, event: table_events.AwardRejected, _: Entry) -> Table:
    told = with_award_rejected(table.round, event.seat) if table.round is not None else None
    return replace(table, awards=_with_award(table, event.seat, status="rejected"), round=told)


def _award_paid(table: Table, event: table_events.AwardPaid, _: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="paid"))


def _award_hand_paid(table: Table, event: table_events.AwardHandPaid, _: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="hand_paid"))


def _award_reversed(table: Table, event: table_events.AwardReversed, _: Entry) -> Table:
    return replace(table, awards=tuple(one for one in table.awards if one.seat != event.seat))


AWARDS: Final[dict[type, Callable[[Table, Any, Entry], Table]]] = {
    table_events.AwardPending: _pending,
    table_events.AwardVerified: _award_verified,
    table_events.AwardValidated: _award_validated,
    table_events.AwardRejected: _award_rejected,
    table_events.AwardReversed: _award_reversed,
    table_events.AwardPaid: _award_paid,
    table_events.AwardHandPaid: _award_hand_paid,
}
"""What each of them does."""
