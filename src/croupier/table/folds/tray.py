"""The count of the tray and what was collected into it; the chips themselves are in the books."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from croupier.games import events as round_events
from croupier.table import events as table_events
from croupier.table.events import Entry
from croupier.table.postings import TO_TRAY
from croupier.table.state import Table, Tray

__all__ = ["TRAY"]


def _counted(tray: Tray, event: table_events.InventoryCounted, entry: Entry, _: Table) -> Tray:
    return replace(tray, counted=event.amount, counted_by=entry.by.id, verified=False)


def _verified(tray: Tray, event: table_events.InventoryVerified, *_: object) -> Tray:
    return replace(tray, counted=event.amount, verified=True)


def _uncounted(tray: Tray, *_: object) -> Tray:
    return replace(tray, counted=None, verified=False)


def _act_performed(tray: Tray, event: round_events.ActPerformed, *_: object) -> Tray:
    wager = TO_TRAY.get(event.act)
    return tray if wager is None else replace(tray, collected=(*tray.collected, wager))


def _round_closed(tray: Tray, *_: object) -> Tray:
    return replace(tray, collected=()) if tray.collected else tray


TRAY: Final[dict[type, Any]] = {
    table_events.InventoryCounted: _counted,
    table_events.InventoryVerified: _verified,
    table_events.TableOpened: _uncounted,
    table_events.TableClosed: _uncounted,
    round_events.ActPerformed: _act_performed,
    round_events.RoundClosed: _round_closed,
}
