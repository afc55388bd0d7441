"""Submissions that somebody works on: kept in the store beside the record, for them alone, until they are sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import msgspec
from msgspec import Struct

from croupier.journal import micros
from croupier.store import Store

__all__ = ["Drafts", "OpenDraft"]

_MOST: Final = 50
"""Drafts that are kept for one person: the oldest go first."""


class OpenDraft(Struct, frozen=True):
    """Somebody's unfinished work: what they last had in the form."""

    name: str
    rulebook: str
    fields: dict[str, str]


class Drafts:
    """The drafts of a house, whichever of its processes is asked."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    async def keep(self, person: str, draft: OpenDraft, at: datetime) -> None:
        """Remember what somebody has in the form; what they had under this name before is replaced."""
        if await self.find(person, draft.name) == draft:
            return
        await self._store.engine.execute(
            "insert into draft(person, name, rulebook, fields, kept) values($1, $2, $3, $4, $5)"
            " on conflict(person, name) do update"
            " set rulebook = excluded.rulebook, fields = excluded.fields, kept = excluded.kept",
            person,
            draft.name,
            draft.rulebook,
            msgspec.json.encode(draft.fields).decode(),
            micros(at),
        )
        for late in list(await self.of(person))[_MOST:]:
            await self.drop(person, late)

    async def find(self, person: str, name: str) -> OpenDraft | None:
        """What somebody had in the form."""
        rows = await self._store.read(
            "select name, rulebook, fields from draft where person = $1 and name = $2", person, name
        )
        return _draft(rows[0]) if rows else None

    async def of(self, person: str) -> Mapping[str, OpenDraft]:
        """Everything that somebody works on, by name, the newest first."""
        rows = await self._store.read(
            "select name, rulebook, fields from draft where person = $1 order by kept desc, name", person
        )
        return {str(row[0]): _draft(row) for row in rows}

    async def drop(self, person: str, name: str) -> None:
        """Forget it: it was sent, or thrown away."""
        await self._store.engine.execute("delete from draft where person = $1 and name = $2", person, name)


def _draft(row: Sequence[object]) -> OpenDraft:
    name, rulebook, fields = map(str, row)
    return OpenDraft(name, rulebook, msgspec.json.decode(fields, type=dict[str, str]))
