"""Disputes, the paperwork of hand pays and calls for the floor, as the house's record has them: a pure fold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from croupier.ledger import BookEntry, DisputeAnswered, DisputeRaised, FloorCalled, FloorCame, HandPaySlipMade

__all__ = ["Dispute", "FloorCall", "FloorState", "HandPaySlip", "evolve_floor"]


class Dispute(Struct, frozen=True, kw_only=True):
    """A disputed round, and the answer once there is one."""

    number: int
    person: str
    """The player; empty if the floor raised it for somebody whom the house does not know."""
    table: str
    round: int
    seat: int
    words: str
    raised_by: str
    role: str
    """The role in which it was raised."""
    raised: datetime
    answer: str = ""
    stands: bool | None = None
    """Whether the settlement stands; None until it is answered."""
    answered_by: str = ""
    answered: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it still waits for an answer."""
        return self.answered is None


class HandPaySlip(Struct, frozen=True, kw_only=True):
    """The paperwork that the cage made out for an award paid by hand."""

    table: str
    round: int
    seat: int
    person: str
    amount: int
    reference: str
    by: str
    at: datetime


class FloorCall(Struct, frozen=True, kw_only=True):
    """Somebody at a table asks for the floor."""

    table: str
    by: str
    at: datetime
    about: str


class FloorState(Struct, frozen=True, kw_only=True):
    """What the floor and the cage have put on record beside tables and accounts."""

    disputes: Mapping[int, Dispute] = MappingProxyType({})
    slips: Mapping[tuple[str, int, int], HandPaySlip] = MappingProxyType({})
    """By table, round and seat."""
    calls: Mapping[str, FloorCall] = MappingProxyType({})
    """Those that nobody has come to yet, by table."""


def evolve_floor(state: FloorState, entry: BookEntry) -> FloorState:
    """What the floor has on record after an entry."""
    event = entry.event
    match event:
        case DisputeRaised():
            raised = Dispute(
                number=event.dispute,
                person=event.person,
                table=event.table,
                round=event.round,
                seat=event.seat,
                words=event.words,
                raised_by=entry.by.id,
                role=entry.by.role,
                raised=entry.at,
            )
            return replace(state, disputes=MappingProxyType({**state.disputes, raised.number: raised}))
        case DisputeAnswered():
            answered = replace(
                state.disputes[event.dispute],
                answer=event.words,
                stands=event.stands,
                answered_by=entry.by.id,
                answered=entry.at,
            )
            return replace(state, disputes=MappingProxyType({**state.disputes, answered.number: answered}))
        case HandPaySlipMade():
            slip = HandPaySlip(
                table=event.table,
                round=event.round,
                seat=event.seat,
                person=event.person,
                amount=event.amount,
                reference=event.reference,
                by=entry.by.id,
                at=entry.at,
            )
            place = slip.table, slip.round, slip.seat
            return replace(state, slips=MappingProxyType({**state.slips, place: slip}))
        case FloorCalled():
            call = FloorCall(table=event.table, by=entry.by.id, at=entry.at, about=event.about)
            return replace(state, calls=MappingProxyType({**state.calls, call.table: call}))
        case FloorCame():
            calls = {table: call for table, call in state.calls.items() if table != event.table}
            return replace(state, calls=MappingProxyType(calls))
    return state
