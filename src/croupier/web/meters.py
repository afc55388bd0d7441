"""The meters of the house for everybody: what they show, what a dollar returns, where they break even, what is owed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Final

from litestar import get
from msgspec import Struct

from croupier.documents import MeterOutlook, ProgressiveOutlook
from croupier.money import Cents
from croupier.present import counted, dollars
from croupier.server import Caller, Desk
from croupier.table import view
from croupier.web.lobby import MeterRow, meter_rows
from croupier.web.outlooks import Outlooks
from croupier.web.posting import AnyRequest
from croupier.web.rendering import Page, page
from croupier.web.shell import NavItem

__all__ = ["NAV", "ROUTES"]

_DAY: Final = 24
_WIDTH: Final = 1000
"""The width of a meter's scale, in units of its drawing."""
_MARGIN: Final = Fraction(112, 100)
"""How far the scale goes beyond the largest mark on it."""


class ScaleMark(Struct, frozen=True):
    """A mark on the scale of a meter."""

    kind: str
    words: str
    x: int


class MeterCard(Struct, frozen=True, kw_only=True):
    """One meter with everything that is known of it; amounts that are fractions are in cents."""

    row: MeterRow
    meter: MeterOutlook
    break_even: Fraction | None
    is_beyond: bool
    """Whether it favors the player now."""
    between: Fraction | None
    """Wagers between two full awards on average."""
    time: str
    marks: tuple[ScaleMark, ...]
    filled: int


class ProgressiveCard(Struct, frozen=True, kw_only=True):
    """The progressive of a table, or of the tables on a link."""

    id: str
    title: str
    state: str
    tables: tuple[str, ...]
    rows: tuple[MeterRow, ...]
    outlook: ProgressiveOutlook | None
    no_outlook: str
    """Why there is none."""
    today: Fraction | None
    """What each staked dollar returns at the meters that are shown now."""
    meters: tuple[MeterCard, ...]
    owed: Cents
    """What the meters show together: it belongs to the players who will win it."""


@get("/meters")
async def see_meters(request: AnyRequest, desk: Desk, caller: Caller) -> Page:
    """Every meter of the house."""
    return page("meters", caller, cards=progressive_cards(desk, _outlooks(request)))


@get("/meters/live")
async def see_live_meters(request: AnyRequest, desk: Desk, caller: Caller) -> Page:
    """The meters alone, for a page that is open."""
    return page("meters_live", caller, cards=progressive_cards(desk, _outlooks(request)))


def _outlooks(request: AnyRequest) -> Outlooks:
    """The outlooks that this application knows."""
    state = request.app.state
    if "outlooks" not in state:
        state["outlooks"] = Outlooks()
    known: Outlooks = state["outlooks"]
    return known


def progressive_cards(desk: Desk, outlooks: Outlooks) -> list[ProgressiveCard]:
    """Every progressive of the house; tables on a link have one together."""
    known = outlooks.of(desk.hall.plans.values())
    groups: dict[tuple[str, ...], list[MeterRow]] = {}
    for row in meter_rows(desk):
        groups.setdefault(row.tables, []).append(row)
    plans = desk.hall.plans
    cards = [
        _card(desk, tables, rows, known.get(tables[0]), outlooks.why_not(plans[tables[0]]))
        for tables, rows in groups.items()
    ]
    return sorted(cards, key=lambda card: card.tables)


def _card(
    desk: Desk, tables: tuple[str, ...], rows: list[MeterRow], outlook: ProgressiveOutlook | None, no_outlook: str
) -> ProgressiveCard:
    shown = dict(view(desk.table(tables[0]).table).meters)
    if outlook is not None and {meter.name for meter in outlook.meters} != shown.keys():
        outlook = None  # the table has taken other rules meanwhile
    return ProgressiveCard(
        id=f"progressive-{tables[0]}",
        title=rows[0].title,
        state=rows[0].state,
        tables=tables,
        rows=tuple(rows),
        outlook=outlook,
        no_outlook=no_outlook,
        today=None if outlook is None else outlook.returned(shown),
        meters=() if outlook is None else tuple(_meter(outlook, row, shown, len(tables)) for row in rows),
        owed=Cents(sum(shown.values())),
    )


def _meter(outlook: ProgressiveOutlook, row: MeterRow, shown: Mapping[str, Cents], tables: int) -> MeterCard:
    meter = next(meter for meter in outlook.meters if meter.name == row.name)
    even = outlook.break_even(row.name, shown)
    hours = outlook.hours_between(row.name)
    top = max([Fraction(row.amount), Fraction(meter.reset), *(each for each in (even, meter.mean) if each)]) * _MARGIN
    known = [("reset", "resets to", Fraction(meter.reset)), ("mean", "on average", meter.mean)]
    known.append(("even", "breaks even", even))
    return MeterCard(
        row=row,
        meter=meter,
        break_even=even,
        is_beyond=even is not None and row.amount > even,
        between=1 / meter.whole if meter.whole else None,
        time="" if hours is None else _time(hours / tables),
        marks=tuple(
            ScaleMark(kind, f"{words} {dollars(_whole(kind, at) * 100)}", round(at / top * _WIDTH))
            for kind, words, at in known
            if at is not None
        ),
        filled=round(row.amount / top * _WIDTH),
    )


def _whole(kind: str, at: Fraction) -> int:
    """Whole dollars: a meter has broken even only above the figure, so that one is rounded up."""
    return ceil(at / 100) if kind == "even" else round(at / 100)


def _time(hours: Fraction) -> str:
    """
    >>> _time(Fraction(30)), _time(Fraction(240)), _time(Fraction(24 * 800))
    ('30 hours', '10 days', '2.2 years')
    """
    if hours < 2 * _DAY:
        return counted(round(hours), "hour")
    days = hours / _DAY
    return counted(round(days), "day") if days < 2 * 365 else f"{float(days / 365):,.1f} years"


NAV: Final = [NavItem("Meters", "/meters", place=15)]
ROUTES: Final = [see_meters, see_live_meters]
