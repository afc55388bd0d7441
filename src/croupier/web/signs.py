"""The sign of a table on a monitor above it: paytables and meters, from the same source as the printed sign."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from math import ceil
from typing import Any, Final

from litestar import get
from msgspec import Struct

from croupier.documents import Panel, Particulars, Sign, felt_layout, sign_of
from croupier.money import Cents
from croupier.server import Caller, Desk, TablePlan
from croupier.table import Table, view
from croupier.web.plots import inline_qr
from croupier.web.rendering import Page, page

__all__ = ["ROUTES"]

_COLUMNS: Final = (1, 2, 3, 4)
_TITLE, _ROW, _NOTE, _GAP = 1.7, 1.18, 0.82, 1.5
"""Heights of the parts of a panel, in lines."""
_NOTICE: Final = 0.85
_LETTERS: Final = 0.58
"""The width of a letter, in heights of its line, on average."""
_STEPS: Final = 20
"""Sizes of type that the style sheet knows: each a tenth of a hundredth of the screen's height more."""


class Fit(Struct, frozen=True):
    """How the panels fit on a screen of one shape: in so many columns, in type of this size."""

    columns: int
    size: int


@get("/tables/{table_id:str}/sign")
async def see_sign(desk: Desk, caller: Caller, table_id: str) -> Page:
    """The sign of a table; it says nothing that does not hang above the table for anybody to read."""
    return page("sign", caller, **_context(desk, table_id))


@get("/tables/{table_id:str}/sign/meters")
async def see_sign_meters(desk: Desk, caller: Caller, table_id: str) -> Page:
    """Its meters alone, for a sign that hangs."""
    return page("sign_meters", caller, table=table_id, meters=_meters(desk.table(table_id).table))


def _context(desk: Desk, table_id: str) -> dict[str, Any]:
    table = desk.table(table_id).table
    shown = sign_of(table.house, _particulars(desk.hall.plans[table_id]))
    return {
        "table": table_id,
        "sign": shown,
        "felt": felt_layout(table.house, None, tall=False).cloth,
        "meters": _meters(table),
        "qr": inline_qr(shown.address) if shown.address else "",
        "wide": fit(shown, wide=True),
        "tall": fit(shown, wide=False),
        "demo": desk.house.state.demo,
    }


def _meters(table: Table) -> list[tuple[str, Cents]]:
    labels: dict[str, str] = dict(table.house.options.meter_labels)
    shown = sorted(view(table).meters, key=lambda meter: -meter[1])
    return [(labels.get(name, name), amount) for name, amount in shown]


def _particulars(plan: TablePlan) -> Particulars:
    papers = plan.submission.papers
    if papers is None:
        return Particulars()
    day = date.fromisoformat(papers.date) if papers.date else None
    return Particulars(version=papers.version, date=day, help_line=papers.help_line, address=papers.address)


# --- how large the type can be


def fit(shown: Sign, *, wide: bool) -> Fit:
    """The columns that allow the largest type, and that type, on a screen of 16 by 9 or of 9 by 16."""
    across, down = (100 * 16 / 9, 74.0) if wide else (100 * 9 / 16, 76.0)
    best = Fit(1, 1)
    for columns in _COLUMNS if wide else _COLUMNS[:2]:
        width = across / columns * 0.94
        for size in range(_STEPS, best.size, -1):
            line = 1 + size / 10
            heights = [_height(panel, width / line) for panel in shown.panels]
            rules = sum(_NOTICE * _lines(rule.title + rule.text, width / line / _NOTICE) for rule in shown.notices)
            heights.append(rules + _GAP)
            if _widest(shown) * _LETTERS <= width / line and _packed(heights, columns) * line * 1.28 <= down:
                best = Fit(columns, size)
                break
    return best


def _height(panel: Panel, letters: float) -> float:
    notes = sum(_NOTE * _lines(note, letters / _NOTE) for note in panel.notes)
    head = _ROW if any(panel.head) else 0.0
    return _TITLE * _lines(panel.title + panel.stakes, letters * 0.9) + head + _ROW * len(panel.rows) + notes + _GAP


def _lines(words: str, letters: float) -> int:
    return max(1, ceil(len(words) * _LETTERS / max(letters, 1)))


def _widest(shown: Sign) -> int:
    return max(sum(max(len(cell), 3) + 2 for cell in row) for panel in shown.panels for row in panel.rows)


def _packed(heights: Sequence[float], columns: int) -> float:
    """The height of the fullest column when the panels follow each other through so many columns, as even as can be."""
    low, high = max(heights), sum(heights)
    while high - low > 0.05:
        middle = (low + high) / 2
        used, left = 1, middle
        for height in heights:
            if height > left:
                used, left = used + 1, middle
            left -= height
        low, high = (low, middle) if used <= columns else (middle, high)
    return high


ROUTES: Final = [see_sign, see_sign_meters]
