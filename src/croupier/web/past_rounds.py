"""Rounds that were played, and the full story of each in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final

from litestar import get
from litestar.params import Parameter
from msgspec import Struct
from msgspec.structs import replace

from croupier.present import CardPlaces, event_sentences, line_words, spoken
from croupier.server import Caller, Desk, round_story, rounds_for
from croupier.store import RecalledRound, RoundSearch
from croupier.table import Entry
from croupier.table.events import SeedRevealed
from croupier.web.rendering import Page, page
from croupier.web.words import Namer, namer

__all__ = ["ROUTES", "rows_of"]

_MOST: Final = 100
Text = Annotated[str, Parameter(max_length=60)]


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


class EntryInWords(Struct, frozen=True, kw_only=True):
    """An entry of the record in words."""

    at: datetime
    by: str
    sentences: tuple[str, ...]
    reason: str
    commitment: str


@get("/rounds")
async def see_rounds(desk: Desk, caller: Caller, table: Text = "", patron: Text = "") -> Page:
    """The newest rounds that the caller may look at."""
    search = RoundSearch(table=table or None, patron=patron or None, limit=_MOST)
    rounds = await rounds_for(desk, caller, search)
    everything = caller.may_read("rounds")
    rows = rows_of(rounds, namer(desk, caller), own=None if everything else caller.id)
    return page("rounds", caller, rows=rows, everything=everything, table=table, patron=patron, most=_MOST)


@get("/rounds/{round_id:str}")
async def see_round(desk: Desk, caller: Caller, round_id: Annotated[str, Parameter(max_length=80)]) -> Page:
    """Everything that happened in a round, as the caller may see it."""
    story = await round_story(desk, caller, round_id)
    name = namer(desk, caller)
    places = CardPlaces(story.layout)
    told = [_told(entry, places, name) for entry in story.entries]
    return page("round", caller, found=story.found, entries=told, name=name, what=_what(story.found))


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
    words += [spoken(irregularity) for irregularity in found.irregularities]
    return (*words, *map(line_words, found.hands))


def _told(entry: Entry, places: CardPlaces, name: Namer) -> EntryInWords:
    event: Any = entry.event
    by = spoken(entry.by.role)
    if "patron" in event.__struct_fields__ and isinstance(event.patron, str):
        event = replace(event, patron=name(event.patron))
    return EntryInWords(
        at=entry.at,
        by=f"{by} {name(entry.by.id)}" if entry.by.id else by,
        sentences=tuple(event_sentences(event, places)),
        reason=entry.reason,
        commitment=event.commitment if isinstance(event, SeedRevealed) else "",
    )


ROUTES: Final = [see_rounds, see_round]
