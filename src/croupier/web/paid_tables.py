"""The paytables beside a table, as its posted sign has them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from croupier.documents import Panel, Particulars, sign_of
from croupier.rulebook import HouseRules
from croupier.table.views import TableView
from croupier.web.told import marked_lines

__all__ = ["PaidLine", "PaidTable", "paid_tables"]

_PANELS: Final[dict[str, tuple[Panel, ...]]] = {}
_MANY: Final = 4
"""Columns that a phone has room for, with everything that stands in them."""


class PaidLine(Struct, frozen=True):
    """A line of a paytable as a page prints it."""

    words: str
    pays: tuple[str, ...]
    marked: bool


class PaidTable(Struct, frozen=True, kw_only=True):
    """A paytable as a page prints it."""

    title: str
    stakes: str
    head: tuple[str, ...]
    lines: tuple[PaidLine, ...]
    notes: tuple[str, ...]

    @property
    def to_one(self) -> bool:
        """Whether everything that many columns say is odds to one."""
        return len(self.head) > _MANY and all(pays.endswith(" to 1") for line in self.lines for pays in line.pays)


def _panels(house: HouseRules) -> tuple[Panel, ...]:
    if house.hash not in _PANELS:
        _PANELS[house.hash] = sign_of(house, Particulars()).panels
    return _PANELS[house.hash]


def paid_tables(house: HouseRules, seen: TableView) -> list[PaidTable]:
    """The paytables as the posted sign has them, with the lines that paid the viewer's bets."""
    marked = marked_lines(seen)
    return [
        PaidTable(
            title=panel.title,
            stakes=panel.stakes,
            head=panel.head,
            lines=tuple(PaidLine(row[0], row[1:], row[0] in marked) for row in panel.rows),
            notes=panel.notes,
        )
        for panel in _panels(house)
    ]
