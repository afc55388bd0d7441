"""The lobby: every table, with what somebody wants to know before sitting down."""

from __future__ import annotations

from typing import Final

from litestar import get
from msgspec import Struct

from croupier.analysis import BASE
from croupier.rulebook import HouseRules, Stakes
from croupier.rulebook.schema import DocumentSource
from croupier.server import Caller, Desk
from croupier.table import view
from croupier.table.views import TableView
from croupier.web.edges import Edges, HouseEdge
from croupier.web.rendering import Page, page

__all__ = ["ROUTES"]


class TableTile(Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    id: str
    source: DocumentSource
    view: TableView
    status: str
    physical: bool
    stakes: Stakes | None
    """Of the main bet."""
    sides: tuple[tuple[str, Stakes], ...]
    open_seats: int
    seats: int
    mine: tuple[int, ...]
    edge: HouseEdge | None


@get("/", summary="The lobby")
async def see_lobby(desk: Desk, caller: Caller, edges: Edges) -> Page:
    """Every table of the house."""
    plans = desk.hall.plans
    known = edges.of(plans.values())
    tiles = []
    for watched in desk.hall.tables():
        table = watched.table
        seen = view(table)
        run = desk.house.state.tables.get(table.id)
        tiles.append(
            TableTile(
                id=table.id,
                source=table.house.rulebook.source,
                view=seen,
                status="paused" if run is not None and run.run == "paused" else seen.status,
                physical=not plans[table.id].virtual,
                stakes=_main_stakes(table.house),
                sides=tuple(
                    (wager.name, wager.stakes)
                    for wager in table.house.wagers
                    if wager.stakes is not None and wager.paytables[0].group != BASE
                ),
                open_seats=sum(not box.patron for box in seen.seats),
                seats=table.house.seats,
                mine=tuple(seat for seat, patron in table.people.seats if patron == caller.id),
                edge=known.get(table.id),
            )
        )
    return page("lobby", caller, tiles=tiles, demo=desk.house.state.demo)


def _main_stakes(house: HouseRules) -> Stakes | None:
    main = (wager.stakes for wager in house.wagers if wager.paytables[0].group == BASE)
    return next((stakes for stakes in main if stakes is not None), None)


ROUTES: Final = [see_lobby]
