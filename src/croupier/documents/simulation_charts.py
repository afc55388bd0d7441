"""Pictures of what was simulated: edges with their intervals, what a table wins, how a player's money goes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from croupier.documents.export import Row
from croupier.documents.pictures import EVEN, GAIN, INK, LOSS, Panel, check_place, styled, title_of, write_picture
from croupier.money import Cents, print_dollars
from croupier.simulation.bankroll import Visits
from croupier.simulation.hold import Hold
from croupier.simulation.report import WagerReport

__all__ = ["draw_edges", "draw_hold", "draw_visits"]

WIDTH, HEIGHT, ROW = 620, 150, 28
"""Of a panel and of a row in it; in points."""
MOST_BARS: Final = 40
DOLLARS: Final = "$,.0f"


def _data(rows: Sequence[Row]) -> Any:  # noqa: ANN401 - Altair's own
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(rows)))


# --- edges


def draw_edges(reports: Sequence[WagerReport], path: Path, *, title: str, note: str) -> None:
    """Every wager with its 99 % interval, and the exact edge where there is one."""
    import altair as alt

    check_place(path)
    several = len({one.seat for one in reports}) > 1
    rows: list[Row] = []
    for one in reports:
        low, high = one.interval or (float(one.edge), float(one.edge))
        name = f"seat {one.seat}: {_words(one.wager)}" if several else _words(one.wager)
        exact = None if one.exact is None else float(one.exact.edge)
        outside = one.agrees is False
        rows.append(
            {
                "wager": name,
                "low": low,
                "high": high,
                "edge": float(one.edge),
                "exact": exact,
                "colour": LOSS if outside else GAIN,
            }
        )
    y = alt.Y("wager", type="nominal", sort=[row["wager"] for row in rows], title=None)  # type: ignore[arg-type]
    axis = alt.Axis(format="~%", tickCount=8, labelFlush=False, title="house edge of one ante, bet or stake")
    colour = alt.Color("colour", type="nominal", scale=None)
    base = _data(rows)
    bars = base.mark_rule(strokeWidth=3).encode(
        x=alt.X("low", type="quantitative", axis=axis, scale=alt.Scale(zero=False)), x2="high", y=y, color=colour
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("edge", type="quantitative"), y=y, color=colour
    )
    known = [row for row in rows if row["exact"] is not None]
    exact = _data(known).mark_tick(color=INK, thickness=2, size=20).encode(x=alt.X("exact", type="quantitative"), y=y)
    zero = _data([{"value": 0}]).mark_rule(color=EVEN).encode(x=alt.X("value", type="quantitative"))
    panel = alt.layer(zero, bars, points, exact).properties(
        width=WIDTH,
        height=max(ROW * len(rows), 60),
        title=title_of("Simulated edge with its 99% interval", "a black tick is the exact edge"),
    )
    write_picture(styled([panel], title, [note]), path)


def _words(wager: str) -> str:
    return "main game" if wager == "base" else wager.replace("_", " ")


# --- what a table wins


def draw_hold(holds: Sequence[Hold], path: Path, *, title: str) -> None:
    """How often the house wins how much, by shift, day and month."""
    check_place(path)
    write_picture(styled([_won(one) for one in holds], title, ["What the house wins, simulated"]), path)


def _won(one: Hold) -> Panel:
    import altair as alt

    dollars = one.won / 100
    bars = max(min(MOST_BARS, round(len(dollars) ** 0.5) * 2), 5)
    counts, edges = np.histogram(dollars, bins=bars)
    rows: list[Row] = []
    for count, low, high in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        # A bar across nothing is cut there, so that losses have their own colour.
        parts = [(low, 0.0), (0.0, high)] if low < 0 < high else [(low, high)]
        rows += [
            {"low": start, "high": end, "share": count / len(dollars), "foot": 0, "colour": LOSS if end <= 0 else GAIN}
            for start, end in parts
        ]
    mean = float(one.mean) / 100
    x = alt.X("low", type="quantitative", axis=alt.Axis(format=DOLLARS, title=None, tickCount=8))
    y = alt.Y("share", type="quantitative", axis=alt.Axis(format="%", title=None, tickCount=4))
    panel = (
        _data(rows)
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(x=x, x2="high", y=y, y2="foot", color=alt.Color("colour", type="nominal", scale=None))
    )
    rule = (
        _data([{"mean": mean}])
        .mark_rule(color=INK, strokeDash=[6, 3], strokeWidth=2)
        .encode(x=alt.X("mean", type="quantitative"))
    )
    note = f"on average {_dollars(one.mean)}, dashed; a loss in {float(one.losing):.1%} of {len(one.won):,}"
    return alt.layer(panel, rule).properties(width=WIDTH, height=HEIGHT, title=title_of(f"In a {one.period}", note))


# --- how a player's money goes


def draw_visits(found: Visits, path: Path, *, rounds_an_hour: int, title: str) -> None:
    """The money over time: bands of the quantiles, the middle, and a few visits as they were."""
    import altair as alt

    check_place(path)
    hours = [time / rounds_an_hour for time in found.times]
    bands: list[Row] = [
        {"hour": hour, "low": row[low] / 100, "high": row[high] / 100, "band": low}
        for low, high in ((5, 95), (25, 75))
        for hour, row in zip(hours, found.fan, strict=True)
    ]
    middle: list[Row] = [{"hour": hour, "money": row[50] / 100} for hour, row in zip(hours, found.fan, strict=True)]
    paths: list[Row] = [
        {"hour": hour, "money": cents / 100, "visit": visit}
        for visit, row in enumerate(found.paths.tolist())
        for hour, cents in zip(hours, row, strict=True)
    ]
    top = max(2 * found.bankroll, *(row[95] for row in found.fan)) / 100
    scale = alt.Scale(domain=[0, top])
    x = alt.X("hour", type="quantitative", axis=alt.Axis(title="hours", tickCount=8))
    y = alt.Y("money", type="quantitative", axis=alt.Axis(format=DOLLARS, title=None), scale=scale)
    fan = (
        _data(bands)
        .mark_area(color=GAIN, opacity=0.22)
        .encode(x=x, y=alt.Y("low", type="quantitative", scale=scale), y2="high", detail="band:N")
    )
    lines = _data(paths).mark_line(color=EVEN, strokeWidth=1, opacity=0.7, clip=True).encode(x=x, y=y, detail="visit:N")
    centre = _data(middle).mark_line(color=GAIN, strokeWidth=3).encode(x=x, y=y)
    start = _data([{"money": found.bankroll / 100}]).mark_rule(color=INK, strokeDash=[2, 3]).encode(y=y)
    low, high = found.ruin_interval
    ruined = f"ruined in {float(found.ruin):.1%} of {len(found.left):,} visits"
    notes = [f"{_dollars(found.bankroll)} for {hours[-1]:g} hours; {ruined} (99% interval {low:.1%} to {high:.1%})"]
    panel = alt.layer(fan, lines, centre, start).properties(
        width=WIDTH,
        height=320,
        title=title_of("The money of a player", "half of all visits dark, 90 of 100 light; grey: single visits"),
    )
    write_picture(styled([panel], title, notes), path)


def _dollars(cents: Any) -> str:  # noqa: ANN401 - any number
    return print_dollars(Cents(round(cents)))
