"""The staff and the players."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.state import Table, TablePeople

__all__ = ["PEOPLE"]


def _assigned(people: TablePeople, event: table_events.PersonAssigned, *_: object) -> TablePeople:
    if event.post == "dealer":
        return replace(people, dealer=event.person)
    staying = tuple(person for person in people.floor if person != event.relieved)
    return replace(people, floor=(*staying, event.person))


def _opened(people: TablePeople, _: object, entry: Entry, __: Table) -> TablePeople:
    return replace(people, empty_since=entry.at)


def _closed(people: TablePeople, *_: object) -> TablePeople:
    return replace(people, dealer="", floor=())


def _sat(people: TablePeople, event: table_events.PlayerSat, *_: object) -> TablePeople:
    return replace(
        people,
        seats=tuple(sorted((*people.seats, (event.seat, event.patron)))),
        arrived=people.arrived if event.patron in people.arrived else (*people.arrived, event.patron),
        empty_since=None,
    )


def _stood_up(people: TablePeople, event: table_events.PlayerStoodUp, entry: Entry, _: Table) -> TablePeople:
    seats = tuple((seat, patron) for seat, patron in people.seats if patron != event.patron)
    arrived = tuple(patron for patron in people.arrived if patron != event.patron)
    return replace(people, seats=seats, arrived=arrived, empty_since=people.empty_since if seats else entry.at)


PEOPLE: Final[dict[type, Any]] = {
    table_events.PersonAssigned: _assigned,
    table_events.TableOpened: _opened,
    table_events.TableClosed: _closed,
    table_events.PlayerSat: _sat,
    table_events.PlayerStoodUp: _stood_up,
}
