"""Commands for a table that another process runs, passed on to it.

The holder of a table is named in its lease, by its address. What is passed on, and the answer, are sealed with the
house's key, so that only processes of this house understand each other.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, Final

import httpx
import msgspec

from croupier.errors import Conflict, Malformed, RuleViolation, Unopened
from croupier.server.callers import NotTheirs
from croupier.server.follow import FollowedTable
from croupier.server.live import Watched, now
from croupier.store import Store
from croupier.table import Person

__all__ = ["PATH", "Passing"]

PATH: Final = "/internal/commands"
_SECONDS: Final = 5.0
_OLD: Final = timedelta(seconds=30)


class Passing:
    """The way to the process that holds a table."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._http = httpx.AsyncClient(timeout=_SECONDS)

    async def give(self, table: Watched, person: Person, body: dict[str, Any], key: str) -> dict[str, Any]:
        """The answer of the table's holder, as it gives it to this person."""
        if not isinstance(table, FollowedTable):
            raise Conflict("this table is changing hands: try again")
        where = await self._holder(table.stream)
        sent = {"table": table.table.id, "role": person.role, "id": person.id, "body": body, "key": key}
        sealed = self._store.ring.wrap(msgspec.json.encode({**sent, "at": now()}))
        try:
            answer = await self._http.post(f"{where}{PATH}", content=sealed)
        except httpx.HTTPError:
            raise Conflict(f"{table.stream}: its holder cannot be reached") from None
        if answer.status_code != 200:
            raise Conflict(f"{table.stream}: its holder does not answer")
        return _opened(json.loads(self._store.ring.unwrap(answer.content)))

    async def _holder(self, stream: str) -> str:
        where = await self._store.holder(stream)
        if not where:
            raise Conflict(f"{stream}: nobody holds it")
        return where

    def opened(self, sealed: bytes) -> dict[str, Any]:
        """A command that another process of this house passed on."""
        try:
            sent: dict[str, Any] = json.loads(self._store.ring.unwrap(sealed))
        except (Unopened, ValueError):
            raise NotTheirs("this address is for the house itself") from None
        if abs(now() - datetime.fromisoformat(sent["at"])) > _OLD:
            raise NotTheirs("this was sent too long ago")
        return sent

    def sealed(self, answer: dict[str, Any]) -> bytes:
        """An answer for another process of this house."""
        return self._store.ring.wrap(msgspec.json.encode(answer))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _opened(answer: dict[str, Any]) -> dict[str, Any]:
    refused = answer.get("refused")
    if refused is None:
        return answer
    if refused["kind"] == "malformed":
        raise Malformed(refused["message"])
    if refused["kind"] == "conflict":
        raise Conflict(refused["message"])
    violation = RuleViolation(
        refused["code"], refused["message"], clause=refused["clause"] or "", reading=refused["reading"]
    )
    violation.allowed = tuple(refused["allowed"])
    raise violation
