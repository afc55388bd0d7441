"""What a table shows, as JSON: whatever several people see alike is written once.

Everybody sees the same boxes but for their own, and the same entries but for their own; a view is put together from
what is written already. The last round stays as it was until another one is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from croupier.games import Round
from croupier.server.shown import shown_box, shown_entry, shown_round, shown_view
from croupier.table import Entry, Person, Table, view
from croupier.table.audience import is_alike
from croupier.table.people import is_staff
from croupier.table.views import BoxView, RoundView, TableView

__all__ = ["TableWriter"]

_KEPT: Final = 800
"""Entries that are kept as they were written."""


class TableWriter:
    """The views and entries of one table."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._public: TableView | None = None
        self._boxes: dict[int, msgspec.Raw] = {}
        """Boxes of the public view, by identity."""
        self._last: tuple[Round | None, int] = (None, 0)
        self._rounds: dict[str, msgspec.Raw] = {}
        """The last round, by the player whose hands it shows."""
        self._entries: Final[dict[tuple[int, bool], msgspec.Raw | None]] = {}

    def view(self, table: Table, audience: Person | None) -> msgspec.Raw:
        """The table as somebody sees it."""
        if self._public is None or self._table is not table:
            self._table, self._public = table, view(table)
            self._boxes = {id(box): _raw(shown_box(box)) for box in self._public.seats}
        if self._last[0] is not table.last_round or self._last[1] != table.played:
            self._last, self._rounds = (table.last_round, table.played), {}
        seen = view(table, audience, public=self._public)
        return _raw(shown_view(seen, self._box, lambda last: self._round(last, audience)))

    def _box(self, box: BoxView) -> msgspec.Raw | dict[str, Any]:
        return self._boxes.get(id(box)) or shown_box(box)

    def _round(self, last: RoundView, audience: Person | None) -> msgspec.Raw:
        alike = self._public is not None and last is self._public.last_round
        whose = "" if alike or audience is None else audience.id
        if whose not in self._rounds:
            self._rounds[whose] = _raw(shown_round(last))
        return self._rounds[whose]

    def entries(self, entries: Iterable[Entry], audience: Person | None, table: Table) -> list[msgspec.Raw]:
        """Those of the entries that somebody may see, as they may see them."""
        staff = audience is not None and is_staff(audience.role)
        written = (self._entry(entry, audience, table, staff=staff) for entry in entries)
        return [entry for entry in written if entry is not None]

    def _entry(self, entry: Entry, audience: Person | None, table: Table, *, staff: bool) -> msgspec.Raw | None:
        if not is_alike(entry, audience):
            return _entry(entry, audience, table)
        key = (entry.seq, staff)
        if key not in self._entries:
            self._entries[key] = _entry(entry, audience, table)
            if len(self._entries) > _KEPT:
                del self._entries[next(iter(self._entries))]
        return self._entries[key]


def _entry(entry: Entry, audience: Person | None, table: Table) -> msgspec.Raw | None:
    shown = shown_entry(entry, audience, table)
    return _raw(shown) if shown is not None else None


def _raw(value: dict[str, Any]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
