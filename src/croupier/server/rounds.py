"""Rounds as a caller may look at them: players at their own, the floor, officials and auditors at any."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.server.callers import Caller, NotFound, NotTheirs
from croupier.server.desk import Desk
from croupier.store import RecalledRound, RoundSearch, Story, find_rounds, story_of

__all__ = ["round_story", "rounds_for"]


async def rounds_for(desk: Desk, caller: Caller, search: RoundSearch) -> list[RecalledRound]:
    """The rounds that a search finds for somebody; whoever may not read every round finds their own."""
    caller.must_be_person()
    if not caller.may_read("own_rounds", own=True):
        caller.must_read("rounds")
    elif not caller.may_read("rounds"):
        if search.patron not in {None, caller.id}:
            raise NotTheirs("players may look at their own rounds")
        search = replace(search, patron=caller.id)
    return [_as_seen(recalled, caller) for recalled in await find_rounds(desk.hall.store, search)]


async def round_story(desk: Desk, caller: Caller, round_id: str) -> Story:
    """The full story of the round `TABLE-NUMBER`, as the caller may see it."""
    caller.must_be_person()
    table, _, number = round_id.rpartition("-")
    if not table or not number.isascii() or not number.isdecimal() or len(number) > 12:
        raise NotFound("there is no such round")
    rounds = await find_rounds(desk.hall.store, RoundSearch(table=table, number=int(number), limit=1))
    if not rounds or not _may_see(rounds[0], caller):
        raise NotFound("there is no such round")
    story = await story_of(desk.hall.store, rounds[0], audience=caller.at_table)
    return replace(story, found=_as_seen(rounds[0], caller))


def _may_see(found: RecalledRound, caller: Caller) -> bool:
    mine = caller.may_read("own_rounds", own=True) and any(seat.patron == caller.id for seat in found.seats)
    return mine or caller.may_read("rounds")


def _as_seen(found: RecalledRound, caller: Caller) -> RecalledRound:
    """A round with the seats that the caller may know of."""
    if caller.may_read("rounds"):
        return found
    return replace(found, seats=tuple(seat for seat in found.seats if seat.patron == caller.id))
