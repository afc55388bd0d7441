"""People in forms: who can be put on duty at a table, and players by the name that somebody typed."""

from __future__ import annotations

from typing import Any

from croupier.house import PersonState, table_role
from croupier.ledger import HouseRole
from croupier.server import Caller, Desk
from croupier.table import Table
from croupier.web.form_shapes import FormChoice
from croupier.web.words import namer, spoken_roles

__all__ = ["by_name", "staff_choices"]


def staff_choices(desk: Desk, caller: Caller, table: Table) -> tuple[FormChoice, ...]:
    """Who can be put on duty at a table, dealers first."""
    name, people = namer(desk, caller), desk.house.state.people.values()
    staff = [person for person in people if not (person.is_player or person.suspended)]
    places = {roles: _place(table, roles) for roles in {person.roles for person in staff}}
    found = sorted((person for person in staff if places[person.roles]), key=lambda person: places[person.roles])
    return tuple(FormChoice(person.id, _labelled(name(person.id), person)) for person in found)


def _place(table: Table, roles: tuple[HouseRole, ...]) -> int:
    """1 for whoever may deal, 2 for whoever may rule, 0 for everybody else."""
    if table_role(table.house, roles, "deal") is not None:
        return 1
    return 2 if table_role(table.house, roles, "rule") is not None else 0


def _labelled(name: str, person: PersonState) -> str:
    roles = spoken_roles(person.roles)
    return name if name == roles else f"{name}, {roles}"


def by_name(desk: Desk, caller: Caller, body: dict[str, Any]) -> dict[str, Any]:
    """A command with the id of the player whose name was typed, for whoever may know the names.

    A player without an account sits down under any other name.
    """
    typed = body.get("patron")
    known = desk.house.state.people
    if not isinstance(typed, str) or typed in known or not (desk.house.state.demo or caller.may_read("players")):
        return body
    wanted, names = typed.strip().casefold(), desk.doors.names
    found = [
        person.id
        for person in known.values()
        if person.is_player and wanted in (person.id.casefold(), names.get(person.id, "").casefold())
    ]
    return {**body, "patron": found[0]} if len(found) == 1 else body
