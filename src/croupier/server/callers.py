"""Who calls: somebody signed in, a device with its token, or anybody; and what is said to whoever may not."""

from __future__ import annotations

from typing import Final, get_args

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.house import a_role, may_read, table_role
from croupier.ledger import HouseRole
from croupier.present import any_of
from croupier.rulebook.names import Role
from croupier.table import Person, Table, cited_duty, say_givers
from croupier.wire import clip

__all__ = ["NOBODY", "AskedTooOften", "Caller", "NotFound", "NotTheirs", "SignInFirst"]

_TABLE_ROLES: frozenset[str] = frozenset(get_args(Role))


THROUGH_THE_HOUSE: Final = ("propose_rules", "confirm_rules")
"""What nobody does at a table: its rules change by what was approved and agreed on in the house's record."""


class SignInFirst(CroupierError):
    """The caller has to sign in first; `code` says why."""

    def __init__(self, message: str, *, code: str = "not_signed_in") -> None:
        super().__init__(message)
        self.code = code


class NotTheirs(CroupierError):
    """The caller may not do this; `code` says why, and the clause whose it is."""

    def __init__(
        self, message: str, *, code: str = "not_allowed", clause: str = "", reading: int | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.clause, self.reading = code, clause, reading


class NotFound(CroupierError):
    """There is no such thing, or none that the caller may know of."""


class AskedTooOften(CroupierError):
    """The caller asks too often; `wait` says for how many seconds it should not."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class Caller(Struct, frozen=True, kw_only=True):
    """Who sends a request."""

    id: str = ""
    name: str = ""
    roles: tuple[HouseRole, ...] = ()
    session: str = ""
    """The session's id, for somebody who signed in with a browser."""
    csrf: str = ""
    factor: bool = False
    """Whether they signed in with a second factor."""
    unproven: bool = False
    """Whether their roles ask for a second factor that they have not given: until then the roles are worth nothing."""
    scope: tuple[str, ...] | None = None
    """What a device may do; None for a person."""
    token: str = ""
    """The id of a device's token."""
    tables: tuple[str, ...] = ()
    """The tables of a device; none means all of them."""
    address: str = ""
    time_zone: str = "UTC"
    """Where the house is: its pages show the time there."""

    @property
    def is_somebody(self) -> bool:
        """Whether the caller is known."""
        return bool(self.id)

    def must_be_somebody(self) -> None:
        """Refuse whoever is not signed in."""
        if not self.id:
            raise SignInFirst("sign in first")

    def must_be_person(self) -> None:
        """Refuse whoever is not signed in, and devices: whatever a device is called, it is nobody of the house."""
        self.must_be_somebody()
        if self.scope is not None:
            raise NotTheirs("this is not for devices")

    def may_read(self, what: str, *, own: bool = False) -> bool:
        """Whether the caller may read something; a device only what its token names."""
        if self.scope is not None and f"read:{what}" not in self.scope:
            return False
        return not self.unproven and may_read(self.roles, what, own=own)

    def must_read(self, what: str) -> None:
        """Refuse whoever may not read this."""
        self.must_be_somebody()
        if self.unproven:
            raise self._unproven()
        if not self.may_read(what):
            raise NotTheirs(f"this is not yours to read: {what}")

    @staticmethod
    def _unproven() -> NotTheirs:
        return NotTheirs("sign in with your second factor first, or set one up", code="second_factor")

    @property
    def persons(self) -> tuple[Person, ...]:
        """The caller in each of their roles that a table knows."""
        roles = () if self.unproven else self.roles
        return tuple(Person(role, self.id) for role in roles if role in _TABLE_ROLES)  # type: ignore[arg-type]

    @property
    def at_table(self) -> Person | None:
        """The caller as a table shows itself to them; None for a passerby."""
        if self.persons:
            return self.persons[0]
        # An auditor sees what a regulator sees, and gives no command.
        return Person("regulator", self.id) if "auditor" in self.roles and not self.unproven else None

    def may_give(self, table: Table, command: str) -> bool:
        """Whether this can be given at a table at all, and a device's token is for it; a person needs none."""
        if command in THROUGH_THE_HOUSE:
            return False
        if self.scope is None:
            return True
        return command in self.scope and (not self.tables or table.id in self.tables)

    def giving(self, table: Table, command: str) -> Person:
        """The caller in the role that may give this command; refused if none of theirs may."""
        self.must_be_somebody()
        if self.unproven:
            raise self._unproven()
        if self.scope is not None and not self.may_give(table, command):
            raise NotTheirs(f"this token is not for {clip(command)} at table {table.id}")
        role = table_role(table.house, self.roles, command)
        if role is None:
            raise self._not_theirs(table, command)
        return Person(role, self.id)

    def _not_theirs(self, table: Table, command: str) -> NotTheirs:
        roles = any_of(a_role(role) for role in self.roles)
        words = f"{clip(command)} is not for {roles} at this table"
        duty = next((duty for duty in table.house.rulebook.procedure.duty if duty.do == command), None)
        if duty is None:
            return NotTheirs(words)
        cited = cited_duty(table.house, command)
        return NotTheirs(f"{words}: it is for {say_givers(duty)}", clause=cited.clause, reading=cited.reading)

    def __repr__(self) -> str:
        return f"<Caller {self.id or 'nobody'}>"  # a session's id is a secret


NOBODY = Caller()
