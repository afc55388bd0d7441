"""Disputes as a caller may raise, read and answer them: players about their own rounds, the floor about any."""

from __future__ import annotations

from typing import NamedTuple

from croupier.games import box_at, patron_of
from croupier.house import Dispute
from croupier.house.commands import AnswerDispute, RaiseDispute
from croupier.ledger import DisputeRaised
from croupier.server.callers import Caller, NotFound
from croupier.server.desk import Desk
from croupier.store import RoundSearch, find_rounds

__all__ = ["Disputed", "answer_dispute", "dispute_for", "disputes_for", "raise_dispute"]


class Disputed(NamedTuple):
    """What is disputed: a round of a table, or 0 for the player's last one there; a player where the floor asks."""

    table: str
    round: int = 0
    seat: int = 0
    person: str = ""


async def raise_dispute(desk: Desk, caller: Caller, about: Disputed, words: str, key: str) -> Dispute:
    """Put a dispute on record, about a round that there was, and for a player one of their own."""
    caller.must_be_person()
    own = "player" in caller.roles
    person = caller.id if own else about.person
    desk.doors.acting_role(caller, "raise_dispute", about=person)
    number, seat = await _found(desk, about._replace(person=person), own=own)
    command = RaiseDispute(person=person, table=about.table, round=number, seat=seat, words=words)
    entries = await desk.give_house(caller, command, key)
    raised = next(entry.event for entry in entries if isinstance(entry.event, DisputeRaised))
    return desk.house.state.floor.disputes[raised.dispute]


async def answer_dispute(desk: Desk, caller: Caller, number: int, *, stands: bool, words: str, key: str) -> Dispute:
    """Put the answer to a dispute on record."""
    await desk.give_house(caller, AnswerDispute(dispute=number, stands=stands, words=words), key)
    return desk.house.state.floor.disputes[number]


def disputes_for(desk: Desk, caller: Caller) -> list[Dispute]:
    """The disputes that a caller may read: those that are open first, then the newest."""
    caller.must_be_person()
    disputes = list(desk.house.state.floor.disputes.values())
    if not caller.may_read("disputes"):
        if not caller.may_read("disputes", own=True):
            caller.must_read("disputes")
        disputes = [dispute for dispute in disputes if dispute.person == caller.id]
    return sorted(disputes, key=lambda dispute: (not dispute.is_open, -dispute.number))


def dispute_for(desk: Desk, caller: Caller, number: int) -> Dispute:
    """A dispute that a caller may read."""
    found = next((dispute for dispute in disputes_for(desk, caller) if dispute.number == number), None)
    if found is None:
        raise NotFound("there is no such dispute")
    return found


async def _found(desk: Desk, about: Disputed, *, own: bool) -> tuple[int, int]:
    """The round that is meant and the seat, if there was such a round and, for a player, a box of theirs in it."""
    if about.table not in desk.house.state.tables:
        raise NotFound("there is no such table")
    running = desk.hall.find(about.table)
    if running is not None and (state := running.table.round) is not None and state.boxes:
        number = running.table.played + 1
        boxes = [box.seat for box in state.boxes if patron_of(state, box) == about.person]
        if about.round in (0, number) and (boxes or not own):
            if about.seat and box_at(state, about.seat) is not None and (not own or about.seat in boxes):
                return number, about.seat
            return number, about.seat or next(iter(boxes), 0)
    search = RoundSearch(table=about.table, number=about.round or None, patron=about.person if own else None, limit=1)
    rounds = await find_rounds(desk.hall.store, search)
    if not rounds:
        raise NotFound("there is no such round")
    seats = [seat.seat for seat in rounds[0].seats if seat.patron == about.person]
    if own and about.seat not in (0, *seats):
        raise NotFound("you had no bets at this seat in that round")
    return rounds[0].number, about.seat or next(iter(seats), 0)
