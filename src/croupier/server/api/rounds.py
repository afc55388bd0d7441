"""Rounds that were played: a player's own, or any for whoever may read them; each with its full story."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from litestar import get
from litestar.params import Parameter, QueryParameter

from croupier.errors import Malformed
from croupier.money import Cents, format_dollars
from croupier.server.api.answers import ToldRound, ToldStory
from croupier.server.callers import Caller, NotFound, NotTheirs
from croupier.server.described import SOMEBODY, answers
from croupier.server.desk import Desk
from croupier.store import RecalledRound, RoundSearch, find_rounds, story_of
from croupier.table import write_entry

__all__ = ["ROUTES"]

_MOST = 200
Text = Annotated[str | None, Parameter(max_length=60)]


@get("/rounds", summary="Rounds, newest first", responses=answers(list[ToldRound], 401, 503), security=SOMEBODY)
async def list_rounds(
    desk: Desk,
    caller: Caller,
    table: Text = None,
    patron: Text = None,
    hand: Text = None,
    clause: Text = None,
    irregularity: Text = None,
    start: Annotated[datetime | None, QueryParameter(name="from", description="closed at this time or later")] = None,
    end: Annotated[datetime | None, QueryParameter(name="to", description="closed before this time")] = None,
    limit: Annotated[int, Parameter(ge=1, le=_MOST)] = 50,
) -> list[dict[str, Any]]:
    """Players find their own rounds, whatever they ask for; the floor, officials and auditors find any."""
    caller.must_be_person()
    if not caller.may_read("own_rounds", own=True):
        caller.must_read("rounds")
    elif not caller.may_read("rounds"):
        if patron not in {None, caller.id}:
            raise NotTheirs("players may look at their own rounds")
        patron = caller.id
    search = RoundSearch(
        table=table,
        patron=patron,
        hand=hand,
        clause=clause,
        irregularity=irregularity,
        start=_time(start, "from"),
        end=_time(end, "to"),
        limit=limit,
    )
    return [_round(found, caller) for found in await find_rounds(desk.hall.store, search)]


@get(
    "/rounds/{round_id:str}",
    summary="The full story of a round",
    responses=answers(ToldStory, 401, 404, 503),
    security=SOMEBODY,
)
async def see_round(
    desk: Desk, caller: Caller, round_id: Annotated[str, Parameter(max_length=80, description="TABLE-NUMBER")]
) -> dict[str, Any]:
    """Every entry of it that the caller may see, in order."""
    caller.must_be_person()
    table, _, number = round_id.rpartition("-")
    if not table or not number.isascii() or not number.isdecimal() or len(number) > 12:
        raise NotFound("there is no such round")
    found = await find_rounds(desk.hall.store, RoundSearch(table=table, number=int(number), limit=1))
    if not found or not _may_see(found[0], caller):
        raise NotFound("there is no such round")
    story = await story_of(desk.hall.store, found[0], audience=caller.at_table)
    return _round(found[0], caller) | {"story": [write_entry(entry) for entry in story.entries]}


def _may_see(found: RecalledRound, caller: Caller) -> bool:
    mine = caller.may_read("own_rounds", own=True) and any(seat.patron == caller.id for seat in found.seats)
    return mine or caller.may_read("rounds")


def _round(found: RecalledRound, caller: Caller) -> dict[str, Any]:
    everything = caller.may_read("rounds")
    return {
        "id": f"{found.table}-{found.number}",
        "table": found.table,
        "round": found.number,
        "opened": _iso(found.opened),
        "closed": _iso(found.closed),
        "rules": found.rules,
        "void": found.void,
        "hands": list(found.hands),
        "clauses": list(found.clauses),
        "irregularities": list(found.irregularities),
        "seats": [
            {
                "seat": seat.seat,
                "patron": seat.patron,
                "staked": format_dollars(Cents(seat.staked)),
                "paid": format_dollars(Cents(seat.paid)),
            }
            for seat in found.seats
            if everything or seat.patron == caller.id
        ],
    }


def _iso(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def _time(at: datetime | None, name: str) -> datetime | None:
    try:
        plain = at.astimezone(UTC) if at is not None and at.tzinfo is not None else None
    except OverflowError:
        plain = None
    if at is not None and plain is None:
        raise Malformed(f"{name}: not a time such as 2026-01-01T20:00:00Z")
    return plain


ROUTES: Final = [list_rounds, see_round]
