"""The people at a table: roles, the ranks of the staff, and who may give which command."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final, get_args

from msgspec import Struct

from croupier.errors import Malformed
from croupier.ids import LONGEST_ID, is_id
from croupier.rulebook import HouseRules
from croupier.rulebook.names import Role
from croupier.rulebook.schema import Duty, Ranks
from croupier.wire import clip

__all__ = [
    "LONGEST_PERSON_NAME",
    "ROLES",
    "VIRTUAL_SHUFFLER",
    "Person",
    "folded_name",
    "givers",
    "is_among",
    "is_device",
    "is_person",
    "is_reserved",
    "is_staff",
    "read_role",
    "say_givers",
]

LONGEST_PERSON_NAME: Final = LONGEST_ID
ROLES: Final[tuple[Role, ...]] = get_args(Role)
VIRTUAL_SHUFFLER: Final = "virtual shuffler"
_DEVICES: Final = re.compile(rf"seat \d+|progressive device|{VIRTUAL_SHUFFLER}")
"""Names of devices, and of seats whose player gave no name: no person may use them."""
_AUTOMATIC: Final = re.compile(r"automatic .*")
"""Names of the automatic staff."""


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """Who gives a command: a role, and the name of the person or device in the record."""

    role: Role
    id: str

    def __str__(self) -> str:
        return f"{self.role.replace('_', ' ')} {self.id}"


def is_person(name: str) -> bool:
    """Whether this can be a person's name at a table: an id, since accounts are named by it."""
    return is_id(name)


def read_role(house: HouseRules, text: str) -> Role:
    """A role by its name, or by the name that this house gives it (reading 165)."""
    labels: dict[str, str] = {label.casefold(): role for role, label in house.options.role_map}
    name = labels.get(text.casefold(), text)
    for role in ROLES:
        if role == name:
            return role
    raise Malformed(f"by.role: {clip(repr(text))} is not a role: {', '.join(ROLES)}")


def givers(ranks: Ranks, duty: Duty) -> tuple[Role, ...]:
    """Every role that may give a command: those named, and the lowest rank with every rank above it.

    >>> from croupier.rulebook import load_rulebook
    >>> procedure = load_rulebook("md-let-it-ride").procedure
    >>> duty = next(duty for duty in procedure.duty if duty.do == "order_recut")
    >>> givers(procedure.ranks, duty)
    ('floorperson', 'supervisor', 'pit_manager', 'shift_manager')
    """
    above = ranks.order[ranks.order.index(duty.least) :] if duty.least is not None else ()
    return (*duty.by, *(role for role in above if role not in duty.by))


def is_staff(role: Role) -> bool:
    """Whether a role belongs to the house or the officials, not to a player or a device."""
    return role not in {"player", "device"}


def is_among(name: str, names: Iterable[str]) -> bool:
    """Whether a person is one of these, ignoring how the name is written.

    >>> is_among("Ann", ["ANN", "Bo"])
    True
    """
    folded = folded_name(name)
    for other in names:
        if other.isascii() and len(other) < len(folded):
            continue  # asked at every command, and most names differ at a glance
        if other == name or folded_name(other) == folded:
            return True
    return False


def folded_name(name: str) -> str:
    """A name normalized: case, ligatures, full-width letters and surrounding spaces do not count."""
    if name.isascii():
        return name.strip().lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).strip()


def is_device(name: str) -> bool:
    """Whether a name belongs to a device or to a seat."""
    return _DEVICES.fullmatch(folded_name(name)) is not None


def is_reserved(name: str) -> bool:
    """Whether a name belongs to a device, to the automatic staff or to a seat.

    >>> is_reserved("virtual shuffler"), is_reserved("Seat 3"), is_reserved("Ann")
    (True, True, False)
    """
    return is_device(name) or _AUTOMATIC.fullmatch(folded_name(name)) is not None


def say_givers(duty: Duty) -> str:
    """Who may give a command, in words: `the dealer, or a floorperson or above`."""
    words = [f"{'an' if role[0] in 'aeiou' else 'a'} {role.replace('_', ' ')}" for role in duty.by]
    if duty.least is not None:
        words.append(f"a {duty.least.replace('_', ' ')} or above")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 2 else words)
