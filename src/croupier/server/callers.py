"""Who calls: somebody signed in, a device with its token, or anybody; and what is said to whoever may not."""

from __future__ import annotations

from typing import get_args

from msgspec import Struct

from croupier.errors import CroupierError
from croupier.house import table_role
from croupier.ledger import HouseRole
from croupier.rulebook.names import Role
from croupier.table import Person, Table
from croupier.wire import clip

__all__ = ["NOBODY", "Caller", "NotFound", "NotSignedIn", "NotTheirs", "TooOften"]

_TABLE_ROLES: frozenset[str] = frozenset(get_args(Role))


class NotSignedIn(CroupierError):
    """The caller has to sign in first; `code` says why."""

    def __init__(self, message: str, *, code: str = "not_signed_in") -> None:
        super().__init__(message)
        self.code = code


class NotTheirs(CroupierError):
    """The caller may not do this."""


class NotFound(CroupierError):
    """There is no such thing, or none that the caller may know of."""


class TooOften(CroupierError):
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
    scope: tuple[str, ...] | None = None
    """What a device may do; None for a person."""
    tables: tuple[str, ...] = ()
    """The tables of a device; none means all of them."""
    address: str = ""

    @property
    def is_somebody(self) -> bool:
        """Whether the caller is known."""
        return bool(self.id)

    def must_be_somebody(self) -> None:
        """Refuse whoever is not signed in."""
        if not self.id:
            raise NotSignedIn("sign in first")

    @property
    def at_table(self) -> Person | None:
        """The caller as a table shows itself to them; None for a passerby."""
        for role in self.roles:
            if role in _TABLE_ROLES:
                return Person(role, self.id)  # type: ignore[arg-type] # one of them
        # An auditor sees what a regulator sees, and gives no command.
        return Person("regulator", self.id) if "auditor" in self.roles else None

    def giving(self, table: Table, command: str) -> Person:
        """The caller in the role that may give this command; refused if none of theirs may."""
        self.must_be_somebody()
        if self.scope is not None and (command not in self.scope or (self.tables and table.id not in self.tables)):
            raise NotTheirs(f"this token is not for {clip(command)} at table {table.id}")
        role = table_role(table.house, self.roles, command)
        if role is None:
            raise NotTheirs(f"{clip(command)} is not for {' or '.join(self.roles)} at a table")
        return Person(role, self.id)

    def __repr__(self) -> str:
        return f"<Caller {self.id or 'nobody'}>"  # a session's id is a secret


NOBODY = Caller()
