"""Charts of simulations: edges with their intervals, what a table wins, how a player's money rises and falls."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from pathlib import Path
from typing import Any, Final

import numpy as np

from croupier.documents.export import Row
from croupier.documents.pictures import EVEN, GAIN, INK, LOSS, Panel, check_place, styled, title_of, write_picture
from croupier.money import Cents, print_dollars, round_dollars
from croupier.simulation import Hold, Visits, WagerReport, quantiles

__all__ = ["draw_edges", "draw_hold", "draw_visits"]

WIDTH, HEIGHT, ROW = 620, 150, 28
"""The width and height of a panel and the height of a row, in points."""
MOST_BARS: Final = 40
FEW: Final = 100
"""The minimum number of periods for meaningful percentiles."""
DOLLARS: Final = "$,.0f"


def _data(rows: Sequence[Row]) -> Any:  # noqa: ANN401 - Altair's own
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(rows)))


# --- edges


def draw_edges(reports: Sequence[WagerReport], path: Path, *, title: str, note: str) -> None:
    """Every wager with its 99 % interval, and the exact edge where there is one."""
    import altair as alt

    check_place(path)
    several = len({report.seat for report in reports}) > 1
    rows: list[Row] = []
    order = {report.wager: place for place, report in reversed(list(enumerate(reports)))}
    for report in sorted(reports, key=lambda report: (order[report.wager], report.seat)):
        low, high = report.interval or (float(report.edge), float(report.edge))
        name = f"{_words(report.wager)}, seat {report.seat}" if several else _words(report.wager)
        rows.append(
            {
                "wager": name if report.exact is not None else f"{name} (no exact edge)",
                "low": low,
                "high": high,
                "edge": float(report.edge),
                "exact": None if report.exact is None else float(report.exact.edge),
                "color": LOSS if report.agrees is False else GAIN,
            }
        )
    y = alt.Y("wager", type="nominal", sort=[row["wager"] for row in rows], title=None)  # type: ignore[arg-type]
    axis = alt.Axis(format="~%", tickCount=8, labelFlush=False, title="house edge of one ante, bet or stake")
    color = alt.Color("color", type="nominal", scale=None)
    base = _data(rows)
    bars = base.mark_rule(strokeWidth=3).encode(
        x=alt.X("low", type="quantitative", axis=axis, scale=alt.Scale(zero=False)), x2="high", y=y, color=color
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(
        x=alt.X("edge", type="quantitative"), y=y, color=color
    )
    known = [row for row in rows if row["exact"] is not None]
    exact = _data(known).mark_tick(color=INK, thickness=2, size=20).encode(x=alt.X("exact", type="quantitative"), y=y)
    zero = _data([{"value": 0}]).mark_rule(color=EVEN).encode(x=alt.X("value", type="quantitative"))
    panel = alt.layer(zero, bars, points, exact).properties(
        width=WIDTH,
        height=max(ROW * len(rows), 60),
        title=title_of("Simulated edge with its 99% interval", "an upright tick is the exact edge"),
    )
    write_picture(styled([panel], title, [note]), path)


def _words(wager: str) -> str:
    return "main game" if wager == "base" else wager.replace("_", " ")


# --- what a table wins


def draw_hold(holds: Sequence[Hold], path: Path, *, title: str) -> None:
    """The distribution of the house win by shift, day and month."""
    check_place(path)
    write_picture(styled([_won(hold) for hold in holds], title, ["House win, simulated"]), path)


def _won(hold: Hold) -> Panel:
    import altair as alt

    dollars, beyond = hold.won / 100, ""
    at = quantiles(hold.won)
    if len(dollars) >= FEW:  # a rare loss would squeeze all the others together
        inside = dollars[(dollars >= at[1] / 100) & (dollars <= at[99] / 100)]
        beyond, dollars = f"; {len(dollars) - len(inside)} beyond the edges", inside
    counts, edges = np.histogram(dollars, bins=_edges(dollars))
    rows: list[Row] = [
        {
            "low": low,
            "high": high,
            "share": count / len(hold.won),
            "foot": 0,
            "color": LOSS if high <= 0 else GAIN,
        }
        for count, low, high in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    axis = alt.Axis(format=DOLLARS, title=f"house win per {hold.period}", tickCount=6, labelFlush=False)
    x = alt.X("low", type="quantitative", axis=axis)
    y = alt.Y("share", type="quantitative", axis=alt.Axis(format="%", title=None, tickCount=4))
    panel = (
        _data(rows)
        .mark_rect(stroke="white", strokeWidth=0.5)
        .encode(x=x, x2="high", y=y, y2="foot", color=alt.Color("color", type="nominal", scale=None))
    )
    marks: list[Row] = [{"value": float(hold.mean) / 100, "width": 2}]
    if len(hold.won) >= FEW:
        marks += [{"value": at[percent] / 100, "width": 1} for percent in (5, 95)]
    rule = (
        _data(marks)
        .mark_rule(color=INK, strokeDash=[6, 3])
        .encode(x=alt.X("value", type="quantitative"), strokeWidth=alt.StrokeWidth("width:Q", scale=None))
    )
    lines = "; thin lines: 5th and 95th percentile" if len(hold.won) >= FEW else ""
    average = round_dollars(hold.mean, hold.standard_error)
    note = f"average {average}, dashed{lines}; a loss in {hold.losses:,} of {len(hold.won):,}{beyond}"
    return alt.layer(panel, rule).properties(width=WIDTH, height=HEIGHT, title=title_of(f"Per {hold.period}", note))


def _edges(dollars: Any) -> Any:  # noqa: ANN401 - arrays
    """Edges of bars of one width, one of them at zero, so that a bar is a win or a loss."""
    bars = max(min(MOST_BARS, round(len(dollars) ** 0.5) * 2), 5)
    width = max((float(dollars.max()) - float(dollars.min())) / bars, 1.0)
    first, last = floor(float(dollars.min()) / width), ceil(float(dollars.max()) / width)
    return np.arange(first, max(last, first + 1) + 1) * width


# --- how a player's money goes


def draw_visits(visits: Visits, path: Path, *, rounds_per_hour: int, title: str) -> None:
    """A player's money over time: quantile bands, the median, and a few single visits."""
    import altair as alt

    check_place(path)
    hours = [time / rounds_per_hour for time in visits.times]
    bands: list[Row] = [
        {"hour": hour, "low": row[low] / 100, "high": row[high] / 100, "band": low}
        for low, high in ((5, 95), (25, 75))
        for hour, row in zip(hours, visits.fan, strict=True)
    ]
    middle: list[Row] = [{"hour": hour, "money": row[50] / 100} for hour, row in zip(hours, visits.fan, strict=True)]
    paths: list[Row] = [
        {"hour": hour, "money": cents / 100, "visit": visit}
        for visit, row in enumerate(visits.paths.tolist())
        for hour, cents in zip(hours, row, strict=True)
    ]
    top = max(2 * visits.bankroll, *(row[95] for row in visits.fan)) / 100
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
    start = _data([{"money": visits.bankroll / 100}]).mark_rule(color=INK, strokeDash=[2, 3]).encode(y=y)
    low, high = visits.ruin_interval
    ruined = f"ruined in {float(visits.ruin):.1%} of {len(visits.left):,} visits"
    notes = [f"{_dollars(visits.bankroll)} for {hours[-1]:g} hours; {ruined} (99% interval {low:.1%} to {high:.1%})"]
    panel = alt.layer(fan, lines, centre, start).properties(
        width=WIDTH,
        height=320,
        title=title_of("A player's money", "dark: middle half of visits, light: middle 90%; gray: single visits"),
    )
    write_picture(styled([panel], title, notes), path)


def _dollars(cents: Any) -> str:  # noqa: ANN401 - any number
    return print_dollars(Cents(round(cents / 100) * 100))
