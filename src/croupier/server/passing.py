"""Commands for a table that another process runs, passed on to it.

The holder of a table is named in its lease, by its address. What is passed on, and the answer, are sealed with the
house's key, so that only processes of this house understand each other; an answer names the question.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Literal

import httpx
import msgspec

from croupier.errors import Conflict, CroupierError, Malformed, RuleViolation, StoreError, Unopened
from croupier.server.callers import NotTheirs
from croupier.server.follow import FollowedTable
from croupier.server.shown import shown_refusal
from croupier.server.watching import Watched, now
from croupier.store import Store
from croupier.table import Person

__all__ = ["PATH", "Passed", "Passing"]

PATH: Final = "/internal/commands"
_SECONDS: Final = 3.0
"""How long the holder may take; afterward the command is given again, with the same key."""
_LOOK: Final = 0.4
"""How often it is looked up whether the holder is still the holder."""
_OLD: Final = timedelta(seconds=30)


class Passed(msgspec.Struct, frozen=True, tag="passed/1"):
    """A command on its way to the holder of its table."""

    question: str
    at: datetime
    table: str
    by: Person
    body: dict[str, Any]
    key: str


class _Refused(msgspec.Struct, frozen=True):
    kind: Literal["violation", "malformed", "conflict"]
    message: str
    code: str = ""
    clause: str | None = None
    reading: int | None = None
    allowed: list[Any] = []


class _Answered(msgspec.Struct, frozen=True, tag="answered/1"):
    question: str
    answer: dict[str, Any] | None = None
    refused: _Refused | None = None


class Passing:
    """The way to the process that holds a table."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @cached_property
    def _http(self) -> httpx.AsyncClient:
        """Made when something is first passed on: most houses are one process, and pass nothing."""
        return httpx.AsyncClient(timeout=_SECONDS, trust_env=False)

    async def give(self, table: Watched, person: Person, body: dict[str, Any], key: str) -> dict[str, Any]:
        """The answer of the table's holder, as it gives it to this person; `Conflict` if there is none now."""
        if not isinstance(table, FollowedTable):
            raise Conflict("this table is changing hands: try again")
        where = await self._store.holder(table.stream)
        if not where:
            raise Conflict(f"{table.stream}: nobody holds it")
        question = secrets.token_hex(16)
        passed = Passed(question=question, at=now(), table=table.table.id, by=person, body=body, key=key)
        answer = await self._posted(table.stream, where, self._store.ring.wrap(msgspec.json.encode(passed)))
        if answer.status_code != 200:
            raise Conflict(f"{table.stream}: its holder does not answer")
        given = self._answer(answer.content, question)
        with suppress(StoreError):  # so that whoever asks next sees what they did
            await table.catch_up(given["version"])
        return given

    async def _posted(self, stream: str, where: str, content: bytes) -> httpx.Response:
        """What the holder sends back; nobody waits for one that does not hold the table any more."""
        post = asyncio.create_task(self._http.post(f"{where}{PATH}", content=content))
        post.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may want it by then
        try:
            while not (await asyncio.wait({post}, timeout=_LOOK))[0]:
                if await self._store.holder(stream) != where:
                    raise Conflict(f"{stream}: its holder is another one now")
            return await post
        except httpx.HTTPError:
            raise Conflict(f"{stream}: its holder cannot be reached") from None
        finally:
            post.cancel()

    def _answer(self, sealed: bytes, question: str) -> dict[str, Any]:
        try:
            answered = msgspec.json.decode(self._store.ring.unwrap(sealed), type=_Answered)
        except (Unopened, msgspec.MsgspecError):
            raise Conflict("the holder's answer cannot be read") from None
        if answered.question != question:
            raise Conflict("the holder has answered something else")
        refused = answered.refused
        if refused is None:
            return answered.answer or {}
        if refused.kind == "malformed":
            raise Malformed(refused.message)
        if refused.kind == "conflict":
            raise Conflict(refused.message)
        violation = RuleViolation(refused.code, refused.message, clause=refused.clause or "", reading=refused.reading)
        violation.allowed = tuple(refused.allowed)
        raise violation

    def opened(self, sealed: bytes) -> Passed:
        """A command that another process of this house passed on."""
        try:
            passed = msgspec.json.decode(self._store.ring.unwrap(sealed), type=Passed)
        except (Unopened, msgspec.MsgspecError):
            raise NotTheirs("this address is for the house itself") from None
        if abs(now() - passed.at) > _OLD:
            raise NotTheirs("this was sent too long ago")
        return passed

    def sealed(self, passed: Passed, answer: dict[str, Any] | CroupierError) -> bytes:
        """An answer for another process of this house."""
        if isinstance(answer, CroupierError):
            answered = _Answered(question=passed.question, refused=_refusal(answer))
        else:
            plain = json.loads(msgspec.json.encode(answer))
            answered = _Answered(question=passed.question, answer=plain)
        return self._store.ring.wrap(msgspec.json.encode(answered))

    async def close(self) -> None:
        """Close the connections."""
        if "_http" in vars(self):
            await self._http.aclose()


def _refusal(error: CroupierError) -> _Refused:
    match error:
        case RuleViolation():
            return _Refused(kind="violation", **json.loads(msgspec.json.encode(shown_refusal(error))))
        case Malformed():
            return _Refused(kind="malformed", message=str(error))
    return _Refused(kind="conflict", message=str(error))
