"""Who may do what: one table of roles and commands of the house, and what each role may read.

What may be done at a table is in the procedure of its rulebook; `table_role` asks that.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import Struct

from croupier.errors import RuleViolation
from croupier.house.state import HouseState, PersonState
from croupier.ledger import HouseRole
from croupier.rulebook import HouseRules, load_rulebook, rulebook_ids
from croupier.rulebook.names import Role
from croupier.table import givers

__all__ = [
    "STAFF",
    "TABLE_ROLES",
    "ReadRow",
    "Rights",
    "RightsRow",
    "a_role",
    "acting_role",
    "device_scope",
    "may_read",
    "needs_second_factor",
    "rights",
    "table_role",
]

TABLE_ROLES: Final[frozenset[str]] = frozenset(get_args(Role))
STAFF: Final[tuple[HouseRole, ...]] = tuple(role for role in get_args(HouseRole) if role not in {"player", "device"})
Roles: TypeAlias = tuple[HouseRole, ...]


class RightsRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may give a command: for anybody, for themselves alone, for players alone, in a demo alone."""

    do: str
    by: Roles = ()
    own: Roles = ()
    players: Roles = ()
    demo: Roles = ()
    house: bool = False


class ReadRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may read something: all of it, or what is their own."""

    what: str
    by: Roles = ()
    own: Roles = ()


class Rights(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`rights.toml`."""

    roles: Roles
    second_factor: Roles
    without: tuple[str, ...]
    alone: Roles
    command: tuple[RightsRow, ...]
    read: tuple[ReadRow, ...]


@cache
def rights() -> Rights:
    """The whole table."""
    return msgspec.toml.decode((files("croupier.house") / "rights.toml").read_bytes(), type=Rights)


@cache
def _row(do: str) -> RightsRow | None:
    return next((row for row in rights().command if row.do == do), None)


@cache
def _read_row(what: str) -> ReadRow | None:
    return next((row for row in rights().read if row.what == what), None)


def acting_role(
    state: HouseState, person: PersonState, do: str, about: str = "", *, about_player: bool | None = None
) -> HouseRole:
    """The role in which a person gives a command of the house, about somebody or nobody; refused if they have none.

    `about_player` says whether somebody who is not here yet will be a player.
    """
    row = _row(do)
    if row is not None and not person.suspended:
        if about_player is None:
            about_player = about in state.people and state.people[about].is_player
        for role in person.roles:
            if (
                role in row.by
                or (role in row.own and about == person.id)
                or (role in row.players and about_player and about != person.id)
                or (role in row.demo and state.demo)
            ):
                return role
    raise RuleViolation("not_theirs", _refusal(row, do), clause="")


def _refusal(row: RightsRow | None, do: str) -> str:
    if row is None:
        return f"{do} is not a command of the house"
    words = [
        (row.by, ""),
        (row.own, " (their own account)"),
        (row.players, " (a player's account)"),
        (row.demo, " (in a demo)"),
    ]
    allowed = [f"{_any_of([a_role(role) for role in roles])}{of}" for roles, of in words if roles]
    who = "; or for ".join(allowed) or "the house itself"
    return f"this is not yours to do: {do} is for {who}"


def a_role(role: str) -> str:
    """Somebody with this role.

    >>> a_role("operator"), a_role("pit_manager")
    ('an operator', 'a pit manager')
    """
    return f"{'an' if role[0] in 'aeiou' else 'a'} {role.replace('_', ' ')}"


def _any_of(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def needs_second_factor(state: HouseState, person: PersonState, do: str = "", about: str = "") -> bool:
    """Whether a person must have signed in with a second factor before this; nobody has to in a demo."""
    if state.demo or (do in rights().without and about == person.id):
        return False
    return any(role in rights().second_factor for role in person.roles)


def may_read(roles: Iterable[HouseRole], what: str, *, own: bool = False) -> bool:
    """Whether somebody with these roles may read something; `own` if it is about themselves.

    >>> may_read(["player"], "rounds"), may_read(["auditor"], "cage"), may_read(["player"], "own_rounds", own=True)
    (False, True, True)
    """
    row = _read_row(what)
    return row is not None and any(role in row.by or (own and role in row.own) for role in roles)


# --- tables


def table_role(house: HouseRules, roles: Iterable[HouseRole], do: str) -> Role | None:
    """The role in which somebody gives a command at a table: the lowest one that its procedure admits; None if none.

    >>> from croupier.rulebook import check, read_submission
    >>> house = check(read_submission({"rulebook": "md-let-it-ride", "wagers": {"base": {"paytable": "A"}}})).rules()
    >>> table_role(house, ["shift_manager", "floorperson"], "order_recut")
    'floorperson'
    >>> table_role(house, ["cashier"], "order_recut") is None
    True
    """
    mine = set(roles)
    procedure = house.rulebook.procedure
    duty = next((duty for duty in procedure.duty if duty.do == do), None)
    if duty is None:
        return None
    return next((role for role in givers(procedure.ranks, duty) if role in mine), None)


@cache
def device_scope() -> frozenset[str]:
    """Everything that a token can allow: what a device may do at some table, and what it may read."""
    procedures = [load_rulebook(book).procedure for book in rulebook_ids()]
    commands = {
        duty.do for procedure in procedures for duty in procedure.duty if "device" in givers(procedure.ranks, duty)
    }
    return frozenset(commands | {f"read:{row.what}" for row in rights().read if "device" in row.by})
