"""Accounts in words: roles as ticks of a form, and refusals of the house as a page says them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.house import HouseCommand, HouseRequest, decide, rights
from croupier.ledger import HouseRole
from croupier.present import capitalized, spoken
from croupier.server import Caller, Desk, problem_of
from croupier.web.posting import Fields
from croupier.web.words import Namer

__all__ = [
    "RoleTick",
    "person_words",
    "problem_with",
    "refused_about",
    "role_ticks",
    "role_words",
    "ticked_roles",
    "with_words",
]

_NOT_OFFERED: Final = {"not_theirs", "second_factor"}
"""Refusals of whoever may not do it at all: their page does not mention it."""


class RoleTick(Struct, frozen=True):
    """A role to be ticked in a form."""

    role: HouseRole
    label: str
    alone: bool
    """Whether nobody has another role beside it."""
    ticked: bool


def role_ticks(offered: Collection[HouseRole], ticked: Collection[HouseRole]) -> list[RoleTick]:
    """The roles that a form offers, those that stand alone last."""
    table = rights()
    roles = [role for role in table.roles if role in offered]
    ticks = [RoleTick(role, capitalized(spoken(role)), role in table.alone, role in ticked) for role in roles]
    return sorted(ticks, key=lambda tick: tick.alone)


def ticked_roles(fields: Fields) -> tuple[HouseRole, ...]:
    """The roles that were ticked in a form.

    >>> ticked_roles({"role.pit_manager": "yes", "role.dealer": "yes", "name": "Dee"})
    ('dealer', 'pit_manager')
    """
    return tuple(role for role in rights().roles if fields.get(f"role.{role}") == "yes")


def problem_with(desk: Desk, caller: Caller, command: HouseCommand) -> tuple[bool, str]:
    """Whether a command is the caller's to give, and why the house would refuse it now; no words if it would not."""
    request = HouseRequest(by=caller.id, at=desk.doors.now(), command=command, factor=caller.factor)
    try:
        decide(desk.house.state, request)
    except CroupierError as error:
        return getattr(error, "code", "") not in _NOT_OFFERED, str(error)
    return True, ""


def with_words(message: str, words: Mapping[str, str]) -> str:
    """A message of the house with its names as people say them.

    >>> with_words("one of these: deal, pit_manager", {"pit_manager": "pit manager", "deal": "deal cards"})
    'one of these: deal cards, pit manager'
    """
    if not words:
        return message
    names = "|".join(re.escape(name) for name in sorted(words, key=len, reverse=True))
    return re.sub(rf"(?<![\w:-])(?:{names})(?![\w-])", lambda match: words[match[0]], message)


def refused_about(
    error: CroupierError, fields: Mapping[str, str], words: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str], int]:
    """A refusal in words, the field that it is about by its code, and the status of the answer."""
    answer = problem_of(error)
    said: dict[str, Any] = answer.content | {"message": with_words(str(answer.content["message"]), words)}
    field = fields.get(said["code"])
    return said, {} if field is None else {field: said["message"]}, answer.status_code or 409


def role_words() -> dict[str, str]:
    """Every role by its name."""
    return {role: spoken(role) for role in rights().roles}


def person_words(person: str, name: Namer) -> dict[str, str]:
    """What a refusal about somebody calls them and their roles."""
    return role_words() | {person: name(person)}
