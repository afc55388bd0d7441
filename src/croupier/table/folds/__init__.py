"""How each event changes each part of a table: one fold per part.

A fold takes the part as it was, the event, its entry, and the whole table as it was before; it gives the part after.
"""

from collections.abc import Callable
from typing import Any, Final

from croupier.table.events import Entry
from croupier.table.folds.cards import CARDS
from croupier.table.folds.devices import DEVICES
from croupier.table.folds.fairness import FAIRNESS
from croupier.table.folds.people import PEOPLE
from croupier.table.folds.progressive import PROGRESSIVE
from croupier.table.folds.tray import TRAY
from croupier.table.state import Table

__all__ = ["PARTS", "Fold"]

Fold = Callable[[Any, Any, Entry, Table], Any]
PARTS: Final[dict[str, dict[type, Fold]]] = {
    "people": PEOPLE,
    "tray": TRAY,
    "cards": CARDS,
    "devices": DEVICES,
    "progressive": PROGRESSIVE,
    "fairness": FAIRNESS,
}
"""Each part of a table by its name, and what each event does to it."""
