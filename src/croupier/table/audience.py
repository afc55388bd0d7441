"""What each audience may see of a record, entry by entry: the same secrets as in `views`, for a live stream.

An entry is the whole table's, a player's and the staff's, or the staff's alone. Anyone who is not staff sees no
names of the staff, no reasons that the staff gave, and no keys of other people's commands. An award is its player's to
follow; everybody else knows only that it is being checked, which `views` says. Cards that lie face down are
closed for everybody: what is left of them is the commitment that binds the house.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias, get_args, get_type_hints

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.table import events as table_events
from croupier.table.events import Entry, Event, Hidden
from croupier.table.people import Person, is_staff
from croupier.table.state import Table

__all__ = ["PUBLIC", "TheirOwn", "is_alike", "see"]

PUBLIC: Final[frozenset[type]] = frozenset(
    {
        # the table
        table_events.GamingDayChanged,
        table_events.TableSuspended,
        table_events.TableReleased,
        table_events.TableWentIdle,
        table_events.PlayerSat,
        # the cards
        table_events.CardsSealed,
        table_events.HiddenCardCorrected,
        table_events.CardsShown,
        table_events.CardsExamined,
        table_events.CoverAllColumnFixed,
        table_events.SeedRevealed,
        table_events.GestureShown,
        round_events.CardsDealt,
        round_events.CardSetAside,
        round_events.CardCorrected,
        round_events.CardsViewed,
        round_events.CardsRevealed,
        round_events.CardsRacked,
        # the bets, and what becomes of them
        round_events.WagerPlaced,
        round_events.WagerTakenBack,
        round_events.WagerRegistered,
        round_events.WagerReturned,
        round_events.CouponPlaced,
        round_events.CouponTakenBack,
        round_events.ActPerformed,
        round_events.MeterRaised,
        round_events.MeterRead,
        round_events.DecisionMade,
        round_events.HandAnnounced,
        round_events.HandLeftExposed,
        round_events.HandSettled,
        round_events.EnvySettled,
        round_events.RaiseReduced,
        round_events.RaiseRestored,
        round_events.SettlementReversed,
        round_events.IrregularityRuled,
        round_events.ConductFound,
        round_events.PlayerLeft,
        round_events.HandRemoved,
        round_events.RoundClosed,
    }
)
"""What everybody at the table sees happen."""
TheirOwn: TypeAlias = (
    table_events.PlayerBoughtIn
    | table_events.PlayerStoodUp
    | table_events.EntropyAdded
    | table_events.AwardPending
    | table_events.AwardVerified
    | table_events.AwardValidated
    | table_events.AwardRejected
    | table_events.AwardPaid
    | table_events.AwardHandPaid
)
"""What its own player sees, and the staff; every other event that is not public is the staff's alone."""
_BySeat: TypeAlias = table_events.AwardVerified | table_events.AwardValidated | table_events.AwardRejected
"""Those that name a seat and no player."""
_RESERVE: Final = "reserve"


def see(entry: Entry, audience: Person | None = None, table: Table | None = None) -> Entry | None:
    """The entry as a person may see it (a passerby if no person is given); None if it is not for them.

    Some steps of an award name a seat and no player. The table as it was after the entry says whose award it is;
    without the table those steps are for the staff only.
    """
    event = entry.event
    staff = audience is not None and is_staff(audience.role)
    if not staff and not _is_for(event, audience, table):
        return None
    shown = _closed(event) if _may_hide(type(event)) else event
    if staff:
        return replace(entry, event=shown)
    mine = audience is not None and entry.by == audience
    if isinstance(shown, table_events.AwardValidated):
        shown = replace(shown, verified_by="")
    by = entry.by if not is_staff(entry.by.role) else Person(entry.by.role, "")
    return replace(
        entry, event=shown, by=by, command=entry.command if mine else "", reason=entry.reason if mine else ""
    )


def is_alike(entry: Entry, audience: Person | None) -> bool:
    """Whether a person sees the entry as everybody does: all of the staff, or everybody else."""
    if audience is None or is_staff(audience.role):
        return True
    return entry.by != audience and not isinstance(entry.event, TheirOwn)


def _is_for(event: Event, audience: Person | None, table: Table | None) -> bool:
    """Whether a person who is not staff may see this."""
    if isinstance(event, TheirOwn):
        patron = _patron_of_award(event.seat, table) if isinstance(event, _BySeat) else event.patron
        return bool(patron) and audience == Person("player", patron)
    if isinstance(event, round_events.MeterRaised) and event.meter == _RESERVE:
        return False  # the reserve is the house's
    return type(event) in PUBLIC


def _patron_of_award(seat: int, table: Table | None) -> str:
    awards = table.progressive.awards if table is not None else ()
    return next((award.patron for award in awards if award.seat == seat), "")


@cache
def _may_hide(kind: type[Event]) -> bool:
    """Whether such an event has a place for hidden cards."""
    return any(Hidden in (hint, *get_args(hint)) for hint in get_type_hints(kind).values())


def _closed(event: Event) -> Event:
    """The event with every hidden card closed; the commitment remains where the record has one."""
    hidden: dict[str, Any] = {
        name: _without_cards(value)
        for name in event.__struct_fields__
        if isinstance(value := getattr(event, name), Hidden)
    }
    return replace(event, **hidden) if hidden else event


def _without_cards(hidden: Hidden) -> Hidden:
    """The same number of cards, closed; without salts there is no commitment to keep."""
    return Hidden.closed(hidden.commitments if hidden.is_bound else (b"",) * len(hidden))
