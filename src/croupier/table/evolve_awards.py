"""How events of progressive awards change a table: its meters, its books, and what is still owed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from croupier.games.settled import WagerSettled
from croupier.money import MeterUnits
from croupier.progressive import Meter, take
from croupier.table import events as tv
from croupier.table.books import CAGE, HAND_PAID, TRAY, account_of, never_owed, post
from croupier.table.events import Entry
from croupier.table.state import Award, Table, moved

__all__ = ["AWARDS", "award_taken", "metered"]


def _pending(table: Table, event: tv.AwardPending, _: Entry) -> Table:
    award = Award(
        seat=event.seat,
        patron=event.patron,
        amount=event.amount,
        meter=event.meter,
        taken=event.taken,
        handpay=event.handpay,
    )
    return replace(
        table,
        awards=(*table.awards, award),
        meters=metered(table.meters, event.meter, -event.taken),
        books=post(table.books, (TRAY, event.amount), (account_of(event.patron), -event.amount)),
    )


def _with_award(table: Table, seat: int, **changes: object) -> tuple[Award, ...]:
    return tuple(replace(one, **changes) if one.seat == seat else one for one in table.awards)


def _award_verified(table: Table, event: tv.AwardVerified, entry: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="verified", verified_by=entry.by.id))


def _award_validated(table: Table, event: tv.AwardValidated, _: Entry) -> Table:
    return replace(table, awards=_with_award(table, event.seat, status="validated"))


def _award_rejected(table: Table, event: tv.AwardRejected, _: Entry) -> Table:
    awards = _with_award(table, event.seat, status="rejected")
    return replace(table, awards=awards, meters=metered(table.meters, event.meter, event.units))


def _award_paid(table: Table, event: tv.AwardPaid, _: Entry) -> Table:
    table = replace(table, awards=_with_award(table, event.seat, status="paid"))
    return moved(table, (TRAY, -event.amount), (account_of(event.patron), event.amount))


def _award_hand_paid(table: Table, event: tv.AwardHandPaid, _: Entry) -> Table:
    table = replace(table, awards=_with_award(table, event.seat, status="hand_paid"))
    return replace(table, books=post(table.books, (CAGE, -event.amount), (HAND_PAID, event.amount)))


def _award_reversed(table: Table, event: tv.AwardReversed, _: Entry) -> Table:
    award = next(one for one in table.awards if one.seat == event.seat)
    patron, amount = account_of(award.patron), award.amount
    # The settlement that was turned back took the whole win from the player, who had it only if it was paid.
    books = table.books
    if award.status != "paid":
        books = never_owed(post(books, (patron, amount), (TRAY, -amount)), award.patron, amount)
    if award.status == "hand_paid":
        books = post(books, (CAGE, amount), (HAND_PAID, -amount))
    return replace(
        table,
        books=books,
        meters=metered(table.meters, event.meter, event.units),
        awards=tuple(one for one in table.awards if one.seat != event.seat),
    )


def metered(meters: tuple[Meter, ...], name: str, units: int) -> tuple[Meter, ...]:
    """The meters with one of them raised, or lowered."""
    return tuple(
        replace(meter, units=MeterUnits(meter.units + units)) if meter.name == name else meter for meter in meters
    )


def award_taken(meters: tuple[Meter, ...], one: WagerSettled) -> MeterUnits:
    """What an award takes off its meter, after a reset or a floor has filled it up again."""
    if one.award is None:
        return MeterUnits(0)
    meter = next((meter for meter in meters if meter.name == one.award.meter), None)
    if meter is None:
        return MeterUnits(0)  # a linked meter is its owner's
    return MeterUnits(meter.units - take(meter, percent=one.award.percent)[0].units)


AWARDS: Final[dict[type, Callable[[Table, Any, Entry], Table]]] = {
    tv.AwardPending: _pending,
    tv.AwardVerified: _award_verified,
    tv.AwardValidated: _award_validated,
    tv.AwardRejected: _award_rejected,
    tv.AwardReversed: _award_reversed,
    tv.AwardPaid: _award_paid,
    tv.AwardHandPaid: _award_hand_paid,
}
"""What each of them does."""
