"""What a table shows, as JSON: whatever several people see alike is written once.

Everybody sees the same boxes but for their own, and the same entries but for their own; a view is put together from
what is written already. The last round stays as it was until another one is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.games import Round
from croupier.money import format_dollars
from croupier.server.shown import (
    shown_awaited,
    shown_box,
    shown_entry,
    shown_round,
    shown_staff,
    shown_view,
)
from croupier.table import Entry, Person, Table, is_alike, is_staff, view
from croupier.table.views import BoxView, LastRounds, RoundView, TableView

__all__ = ["TableWriter"]

_KEPT: Final = 100
"""Entries that are kept as they were written."""


class _Public:
    """What everybody sees of a table, as it was when it was last asked for, and each part of it as it is written."""

    def __init__(self, table: Table, seen: TableView, boxes: Sequence[msgspec.Raw], last_round: msgspec.Raw) -> None:
        self.table, self.view = table, seen
        self.boxes = {id(box): written for box, written in zip(seen.seats, boxes, strict=True)}
        rest = replace(seen, seats=(), last_round=None)
        self.parts = {name: _raw(part) for name, part in shown_view(rest).items()}
        self.parts["seats"] = _raw(boxes)
        self.parts["last_round"] = last_round
        self.views: Final[dict[Person | None, msgspec.Raw]] = {}
        """What each person sees of it, if only the record matters: an answer, and then the same again as a change."""


class TableWriter:
    """The views and entries of one table."""

    def __init__(self) -> None:
        self._public: _Public | None = None
        self._placed: Final[dict[int, tuple[BoxView, msgspec.Raw]]] = {}
        """Each seat as everybody last saw it, and as it was written: a command changes one of them."""
        self._last: tuple[Round | None, int] = (None, -1)
        self._seen_rounds: LastRounds = {}
        self._rounds: dict[str, msgspec.Raw] = {}
        """The last round, by the player whose hands it shows."""
        self._boxes: dict[int, msgspec.Raw] = {}
        """Its seats as everybody sees them."""
        self._entries: Final[dict[tuple[int, bool], tuple[Entry, msgspec.Raw | None]]] = {}
        """Each with the entry itself: one that could not be stored is followed by another of the same number."""

    def view(
        self, table: Table, audience: Person | None, *, paused: bool = False, closes: datetime | None = None
    ) -> msgspec.Raw:
        """The table as somebody sees it, and beside its record whether it is paused, and when bets close."""
        public = self._public
        if public is None or public.table is not table:
            public = self._public = self._everybodys(table)
        plain = not paused and closes is None
        if plain and audience in public.views:
            return public.views[audience]
        seen = view(table, audience, public=public.view, last_rounds=self._seen_rounds)
        written = dict[str, Any](public.parts)
        if seen.seats is not public.view.seats:
            written["seats"] = [public.boxes.get(id(box)) or shown_box(box) for box in seen.seats]
        if closes is not None:
            written["awaiting"] = shown_awaited(replace(seen.awaiting, deadline=closes))
        elif seen.awaiting is not public.view.awaiting:
            written["awaiting"] = shown_awaited(seen.awaiting)
        if paused:
            written["status"] = "paused"
        if audience is not None and seen.last_round is not public.view.last_round:
            written["last_round"] = self._round(seen.last_round, audience.id)
        if seen.chips is not None:
            written["chips"] = format_dollars(seen.chips)
        if seen.staff is not None:
            written["staff"] = shown_staff(seen.staff)
        text = _raw(written)
        if plain:
            public.views[audience] = text
        return text

    def _everybodys(self, table: Table) -> _Public:
        if self._last[0] is not table.last_round or self._last[1] != table.played:
            self._last = (table.last_round, table.played)
            self._seen_rounds, self._rounds, self._boxes = {}, {}, {}
        seen = view(table, last_rounds=self._seen_rounds)
        boxes = [self._place(box) for box in seen.seats]
        return _Public(table, seen, boxes, self._round(seen.last_round, ""))

    def _place(self, box: BoxView) -> msgspec.Raw:
        """A seat as everybody sees it now."""
        placed = self._placed.get(box.seat)
        if placed is None or placed[0] != box:
            placed = self._placed[box.seat] = (box, _raw(shown_box(box)))
        return placed[1]

    def _round(self, last: RoundView | None, patron: str) -> msgspec.Raw:
        """The last round with a player's own hands: the same until another one is over."""
        if patron not in self._rounds:
            seats = [self._box(box) for box in last.seats] if last is not None else []
            self._rounds[patron] = _raw(shown_round(last, seats))
        return self._rounds[patron]

    def _box(self, box: BoxView) -> msgspec.Raw:
        """A seat of the last round: everybody sees it alike but whoever sat there."""
        if box.own:
            return _raw(shown_box(box))
        if box.seat not in self._boxes:
            self._boxes[box.seat] = _raw(shown_box(box))
        return self._boxes[box.seat]

    def entries(self, entries: Iterable[Entry], audience: Person | None, table: Table) -> list[msgspec.Raw]:
        """Those of the entries that somebody may see, as they may see them."""
        staff = audience is not None and is_staff(audience.role)
        written = (self._entry(entry, audience, table, staff=staff) for entry in entries)
        return [entry for entry in written if entry is not None]

    def _entry(self, entry: Entry, audience: Person | None, table: Table, *, staff: bool) -> msgspec.Raw | None:
        if not is_alike(entry, audience):
            return _entry(entry, audience, table)
        key = (entry.seq, staff)
        kept = self._entries.get(key)
        if kept is None or kept[0] is not entry:
            kept = self._entries[key] = (entry, _entry(entry, audience, table))
            if len(self._entries) > _KEPT:
                del self._entries[next(iter(self._entries))]
        return kept[1]


def _entry(entry: Entry, audience: Person | None, table: Table) -> msgspec.Raw | None:
    shown = shown_entry(entry, audience, table)
    return _raw(shown) if shown is not None else None


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
