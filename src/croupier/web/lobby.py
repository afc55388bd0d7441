"""The lobby: every table as a small picture of itself, with what somebody wants to know before sitting down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Final, TypeAlias
from urllib.parse import urlencode

from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct

from croupier.analysis import BASE
from croupier.money import Cents
from croupier.rulebook import HouseRules, Stakes
from croupier.rulebook.schema import DocumentSource
from croupier.server import Caller, Desk
from croupier.table import view
from croupier.table.views import TableView
from croupier.web.edges import Edges, HouseEdge
from croupier.web.rendering import Page, page
from croupier.web.shell import NavItem
from croupier.web.small_felt import SmallFelt, small_felt
from croupier.web.words import kept_away

__all__ = ["NAV", "ROUTES", "MeterRow", "meter_rows"]

Where: TypeAlias = Annotated[str, QueryParameter(name="state")]
"""The state whose tables somebody wants to see."""


class TableTile(Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    source: DocumentSource
    view: TableView
    status: str
    physical: bool
    stakes: Stakes | None
    """Of the main bet."""
    sides: tuple[str, ...]
    open_seats: int
    seats: int
    mine: tuple[int, ...]
    edge: HouseEdge | None
    no_edge: str
    """Why there is none."""
    felt: SmallFelt


class LobbyFilter(Struct, frozen=True, kw_only=True):
    """Which tables somebody wants to see; nothing is everything."""

    game: str = ""
    state: str = ""

    def query(self, **other: str) -> str:
        """The address of a filter."""
        wanted = {"game": self.game, "state": self.state} | other
        return urlencode({name: value for name, value in wanted.items() if value})

    def link(self, **other: str) -> str:
        """The lobby with this filter."""
        asked = self.query(**other)
        return f"/?{asked}" if asked else "/"

    def admits(self, source: DocumentSource) -> bool:
        """Whether a table of this document is wanted."""
        return self.game in {"", source.title} and self.state in {"", source.jurisdiction}


class FilterLink(Struct, frozen=True):
    """One choice of a filter."""

    label: str
    path: str
    chosen: bool


class MeterRow(Struct, frozen=True, kw_only=True):
    """A meter of the house: a table's own, or one that several tables share."""

    id: str
    name: str
    title: str
    tables: tuple[str, ...]
    state: str
    amount: Cents


@get("/", summary="The lobby")
async def see_lobby(desk: Desk, caller: Caller, edges: Edges, game: str = "", where: Where = "") -> Page:
    """Every table of the house, or those that somebody wants to see."""
    wanted = LobbyFilter(game=game, state=where)
    sources = [table.table.house.rulebook.source for table in desk.hall.tables()]
    return page(
        "lobby",
        caller,
        tiles=_tiles(desk, caller, edges, wanted),
        games=_choices(wanted, "game", "All games", [source.title for source in sources]),
        states=_choices(wanted, "state", "All states", [source.jurisdiction for source in sources]),
        wanted=wanted,
        all_tables=len(sources),
        meters=meter_rows(desk),
        evening=await _evening(desk, caller),
        away=kept_away(desk, caller),
    )


@get("/lobby/tables")
async def see_tables(desk: Desk, caller: Caller, edges: Edges, game: str = "", where: Where = "") -> Page:
    """The tables alone, for a lobby that is open."""
    wanted = LobbyFilter(game=game, state=where)
    return page("lobby_tables", caller, tiles=_tiles(desk, caller, edges, wanted), wanted=wanted)


@get("/lobby/meters")
async def see_lobby_meters(desk: Desk, caller: Caller) -> Page:
    """The meters alone, for a lobby that is open."""
    return page("lobby_meters", caller, meters=meter_rows(desk))


def _tiles(desk: Desk, caller: Caller, edges: Edges, wanted: LobbyFilter) -> list[TableTile]:
    plans = desk.hall.plans
    known = edges.of(plans.values())
    return [
        _tile(desk, caller, watched.table.id, known.get(watched.table.id), edges.why_not(plans[watched.table.id]))
        for watched in desk.hall.tables()
        if wanted.admits(watched.table.house.rulebook.source)
    ]


def _tile(desk: Desk, caller: Caller, name: str, edge: HouseEdge | None, no_edge: str) -> TableTile:
    table = desk.table(name).table
    seen = view(table)
    run = desk.house.state.tables.get(name)
    mine = tuple(seat for seat, patron in table.people.seats if patron == caller.id)
    taken = {box.seat for box in seen.seats if box.patron}
    return TableTile(
        id=name,
        source=table.house.rulebook.source,
        view=seen,
        status="paused" if run is not None and run.run == "paused" else seen.status,
        physical=not desk.hall.plans[name].virtual,
        stakes=_main_stakes(table.house),
        sides=tuple(wager.name for wager in table.house.wagers if wager.stakes and wager.paytables[0].group != BASE),
        open_seats=sum(not box.patron for box in seen.seats),
        seats=table.house.seats,
        mine=mine,
        edge=edge,
        no_edge=no_edge,
        felt=small_felt(table.house, taken, mine),
    )


def _main_stakes(house: HouseRules) -> Stakes | None:
    main = (wager.stakes for wager in house.wagers if wager.paytables[0].group == BASE)
    return next((stakes for stakes in main if stakes is not None), None)


def _choices(wanted: LobbyFilter, name: str, everything: str, values: Sequence[str]) -> list[FilterLink]:
    chosen = getattr(wanted, name)
    links = [FilterLink(everything, wanted.link(**{name: ""}), not chosen)]
    return links + [
        FilterLink(value, wanted.link(**{name: value}), value == chosen) for value in sorted(dict.fromkeys(values))
    ]


def meter_rows(desk: Desk) -> list[MeterRow]:
    """Every meter of the house, the largest first; tables on a link share theirs."""
    rows: dict[str, MeterRow] = {}
    for row in _every_meter(desk):
        known = rows.get(row.id)
        rows[row.id] = (
            row
            if known is None
            else MeterRow(
                id=row.id,
                name=row.name,
                title=row.title,
                tables=(*known.tables, *row.tables),
                state=row.state,
                amount=row.amount,
            )
        )
    return sorted(rows.values(), key=lambda row: -row.amount)


def _every_meter(desk: Desk) -> Iterator[MeterRow]:
    for watched in desk.hall.tables():
        table = watched.table
        link = next((wager.link for wager in table.house.wagers if wager.link), "")
        for name, amount in view(table).meters:
            yield MeterRow(
                id=f"link-{link}-{name}" if link else f"table-{table.id}-{name}",
                name=name,
                title=link or table.house.rulebook.source.title,
                tables=(table.id,),
                state=table.house.rulebook.source.jurisdiction,
                amount=amount,
            )


async def _evening(desk: Desk, caller: Caller) -> Any:  # noqa: ANN401 - whatever its own template shows
    """What the evening has brought a player so far, where this house keeps that."""
    if "player" not in caller.roles or find_spec("croupier.web.evening") is None:
        return None
    return await import_module("croupier.web.evening").evening_of(desk, caller)


NAV: Final = [NavItem("Lobby", "/", place=0)]
ROUTES: Final = [see_lobby, see_tables, see_lobby_meters]
