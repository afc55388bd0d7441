"""Rounds that were played: a player's own, or any for whoever may read them; each with its full story."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from litestar import get
from litestar.params import PathParameter, QueryParameter

from croupier.errors import Malformed
from croupier.money import Cents, format_dollars
from croupier.server.api.answers import ToldRound, ToldStory
from croupier.server.api.parameters import TheCaller, TheDesk
from croupier.server.described import SOMEBODY, answers
from croupier.server.rounds import round_story, rounds_for
from croupier.server.shown import shown_time
from croupier.store import RecalledRound, RoundSearch
from croupier.table import write_entry

__all__ = ["ROUTES"]

_MOST = 200
_LONGEST = 40
_TIME: dict[str, Any] = {"format": "date-time"}
Text = Annotated[str | None, QueryParameter(max_length=60)]


@get("/rounds", summary="Rounds, newest first", responses=answers(list[ToldRound], 401, 503), security=SOMEBODY)
async def list_rounds(
    desk: TheDesk,
    caller: TheCaller,
    table: Text = None,
    patron: Text = None,
    hand: Text = None,
    clause: Text = None,
    irregularity: Text = None,
    start: Annotated[
        str | None, QueryParameter(name="from", description="closed at this time or later", schema_extra=_TIME)
    ] = None,
    end: Annotated[
        str | None, QueryParameter(name="to", description="closed before this time", schema_extra=_TIME)
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=_MOST)] = 50,
) -> list[dict[str, Any]]:
    """Players find their own rounds, whatever they ask for; the floor, officials and auditors find any."""
    caller.must_be_person()
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
    return [_round(recalled) for recalled in await rounds_for(desk, caller, search)]


@get(
    "/rounds/{round_id:str}",
    summary="The full story of a round",
    responses=answers(ToldStory, 401, 404, 503),
    security=SOMEBODY,
)
async def see_round(
    desk: TheDesk, caller: TheCaller, round_id: Annotated[str, PathParameter(max_length=80, description="TABLE-NUMBER")]
) -> dict[str, Any]:
    """Every entry of it that the caller may see, in order."""
    story = await round_story(desk, caller, round_id)
    return _round(story.found) | {"story": [write_entry(entry) for entry in story.entries]}


def _round(found: RecalledRound) -> dict[str, Any]:
    return {
        "id": f"{found.table}-{found.number}",
        "table": found.table,
        "round": found.number,
        "opened": shown_time(found.opened),
        "closed": shown_time(found.closed),
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
        ],
    }


def _time(text: str | None, name: str) -> datetime | None:
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text) if len(text) <= _LONGEST and "T" in text.upper() else None
        plain = at.astimezone(UTC) if at is not None and at.tzinfo is not None else None
    except (ValueError, OverflowError):
        plain = None
    if plain is None:
        raise Malformed(f"{name}: not a time such as 2026-01-01T20:00:00Z")
    return plain


ROUTES: Final = [list_rounds, see_round]
