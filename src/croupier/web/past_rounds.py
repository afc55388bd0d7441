"""Rounds that were played: a list to search, and each of them step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Annotated, Final

from litestar import get
from litestar.params import Parameter
from msgspec import Struct

from croupier.days import day_span
from croupier.errors import Malformed
from croupier.ledger import HouseRole
from croupier.present import IRREGULARITIES, CardPlaces, line_words, spoken
from croupier.rulebook import load_rulebook, rulebook_ids
from croupier.rulebook.schema import DocumentSource
from croupier.server import Caller, Desk, round_story, rounds_for
from croupier.store import RecalledRound, RoundSearch
from croupier.table import Table
from croupier.web.rendering import Page, page
from croupier.web.retelling import lay_out, steps_of_entries, tables_of, the_step
from croupier.web.shell import NavItem
from croupier.web.words import Namer, namer

__all__ = [
    "NAV",
    "ROUTES",
    "At",
    "RoundId",
    "Text",
    "days_of",
    "gaming_day_named",
    "patron_named",
    "rows_of",
    "source_of",
    "winning_hands",
]

_MOST: Final = 100
Text = Annotated[str, Parameter(max_length=60)]
RoundId = Annotated[str, Parameter(max_length=80)]
At = Annotated[int | None, Parameter(ge=1, le=100_000)]


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round in a list."""

    id: str
    table: str
    number: int
    closed: datetime
    players: tuple[str, ...]
    staked: int
    paid: int
    net: int
    """For whoever reads: a player's own gain, or the house's."""
    what: tuple[str, ...]


@get("/rounds")
async def see_rounds(
    desk: Desk, caller: Caller, *, table: Text = "", patron: Text = "", day: Text = "", hand: Text = "", void: Text = ""
) -> Page:
    """The newest rounds that the caller may look at."""
    start, end = gaming_day_named(desk, day)
    search = RoundSearch(
        table=table or None,
        patron=patron_named(desk, caller, patron) or None,
        hand=hand or None,
        void=True if void else None,
        start=start,
        end=end,
        limit=_MOST,
    )
    rounds = await rounds_for(desk, caller, search)
    everything = caller.may_read("rounds")
    rows = rows_of(rounds, namer(desk, caller), own=None if everything else caller.id)
    asked = {"table": table, "patron": patron, "day": day, "hand": hand, "void": void}
    return page(
        "rounds",
        caller,
        rows=rows,
        everything=everything,
        asked=asked,
        most=_MOST,
        hands=winning_hands(),
        days=days_of(desk),
    )


@get("/rounds/{round_id:str}")
async def see_round(desk: Desk, caller: Caller, round_id: RoundId, at: At = None, part: Text = "") -> Page:
    """A round step by step, as the caller may see it; with `part` only what changes from step to step."""
    story = await round_story(desk, caller, round_id)
    found, name = story.found, namer(desk, caller)
    tables = await tables_of(desk, caller, found)
    source = source_of(tables, found)
    steps = steps_of_entries(story.entries, CardPlaces(story.layout), name, source.id if source else "")
    step = the_step(steps, at)
    own = [seat for seat in found.seats if seat.patron == caller.id]
    return page(
        "replay" if part else "round",
        caller,
        source=source,
        rulebook=source.id if source else "",
        found=found,
        steps=steps,
        step=step,
        laid=lay_out(tables, found, steps[step - 1].seq, caller, name, felt=True) if steps else None,
        end=lay_out(tables, found, found.last, caller, name, felt=False),
        here=f"/rounds/{round_id}",
        on_felt=True,
        hashes=False,
        name=name,
        own=own,
        net=sum(seat.paid - seat.staked for seat in own),
        what=_what(found),
        commitment=next((each.commitment for each in steps if each.commitment), ""),
        may_audit=caller.may_read("audit"),
    )


def gaming_day_named(desk: Desk, day: str) -> tuple[datetime | None, datetime | None]:
    """From the beginning of a gaming day of the house to its end; nothing where none is named."""
    if not day:
        return None, None
    try:
        named = date.fromisoformat(day)
        state = desk.house.state
        return day_span(named, state.time_zone, state.day_start)
    except (ValueError, OverflowError) as error:
        raise Malformed(f"day: {day!r} is not a day such as 2026-01-31") from error


def days_of(desk: Desk) -> str:
    """From when to when a gaming day of the house lasts, and by which clock."""
    state = desk.house.state
    return f"from {state.day_start} to {state.day_start} the next day, {state.time_zone}"


def patron_named(desk: Desk, caller: Caller, text: str) -> str:
    """The id of a player who is looked for by id or, by whoever may know it, by name."""
    name, wanted = namer(desk, caller), text.strip().casefold()
    return next((person for person in desk.doors.names if wanted and name(person).casefold() == wanted), text.strip())


@cache
def winning_hands() -> tuple[str, ...]:
    """The lines of every paytable that a hand can win by, in the order in which they come."""
    lines = (
        line.hand for book in rulebook_ids() for table in load_rulebook(book).paytables.paytable for line in table.line
    )
    return tuple(dict.fromkeys(lines))


def source_of(tables: Mapping[int, Table], found: RecalledRound) -> DocumentSource | None:
    """The document that a round was played by."""
    table = tables.get(found.last)
    return table.house.rulebook.source if table is not None else None


def rows_of(rounds: Sequence[RecalledRound], name: Namer, *, own: str | None) -> list[RoundRow]:
    """Rounds as rows: with the figures of one person, or of the whole round."""
    rows = []
    for recalled in rounds:
        seats = [seat for seat in recalled.seats if own is None or seat.patron == own]
        staked = sum(seat.staked for seat in seats)
        paid = sum(seat.paid for seat in seats)
        rows.append(
            RoundRow(
                id=f"{recalled.table}-{recalled.number}",
                table=recalled.table,
                number=recalled.number,
                closed=recalled.closed,
                players=tuple(dict.fromkeys(name(seat.patron) for seat in seats)),
                staked=staked,
                paid=paid,
                net=paid - staked if own is not None else staked - paid,
                what=_what(recalled),
            )
        )
    return rows


def _what(found: RecalledRound) -> tuple[str, ...]:
    words = ["void"] if found.void else []
    said = {str(name): called for name, called in IRREGULARITIES.items()}
    words += [said.get(irregularity) or spoken(irregularity) for irregularity in found.irregularities]
    return (*words, *map(line_words, found.hands))


_READERS: Final[frozenset[HouseRole]] = frozenset(
    {"player", "floorperson", "supervisor", "pit_manager", "shift_manager", "operator", "regulator", "auditor"}
)
NAV: Final = [NavItem("Rounds", "/rounds", _READERS, place=80)]
ROUTES: Final = [see_rounds, see_round]
