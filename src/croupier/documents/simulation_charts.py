"""Charts of simulations: edges with their intervals beside the exact ones, how a player's money rises and falls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier.documents.export import Row
from croupier.documents.pictures import (
    EVEN,
    GAIN,
    INK,
    LOSS,
    NARROW,
    Panel,
    check_place,
    data_of,
    from_rows,
    styled,
    title_of,
    write_picture,
)
from croupier.money import Cents, print_dollars
from croupier.present import listed, percent, simulations, titled
from croupier.simulation import Visits, WagerReport

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_edges", "draw_visits", "edges_chart", "visits_chart"]

WIDTH, ROW, FIGURES = 520, 26, 16
"""The width of a panel, the height of a row, and the space before its figures, in points."""
NARROW_ROW, ABOVE = 44, 18
"""The height of a row of a narrow panel, and how far above its line its figures stand."""
MONEY_WIDTH, MONEY_HEIGHT = 640, 320
DOLLARS: Final = "$,.0f"


# --- edges


def draw_edges(
    reports: Sequence[WagerReport],
    path: Path,
    *,
    title: str,
    note: str,
    long_run: Mapping[str, Fraction] | None = None,
    narrow: bool = False,
) -> None:
    """Write a picture of simulated edges, for a phone a narrow one; the suffix names the format."""
    check_place(path)
    write_picture(edges_chart(reports, title=title, note=note, long_run=long_run, narrow=narrow), path)


def edges_chart(
    reports: Sequence[WagerReport],
    *,
    title: str,
    note: str,
    long_run: Mapping[str, Fraction] | None = None,
    narrow: bool = False,
) -> alt.VConcatChart:
    """A panel for each wager: every seat with its 99% interval, and the exact edge, or that of the long run."""
    wagers = dict.fromkeys(report.wager for report in reports)
    panels = [
        _edges_of([report for report in reports if report.wager == wager], (long_run or {}).get(wager), narrow=narrow)
        for wager in wagers
    ]
    legend = "Dot and line: simulated house edge of one ante, bet or stake, with its 99% interval."
    legend += "\nUpright line: the exact edge, of a progressive that of the long run."
    return styled(panels, title, [note, legend], narrow=narrow)


def _edges_of(reports: Sequence[WagerReport], long_run: Fraction | None, *, narrow: bool) -> Panel:
    """Seats from top to bottom, on a scale of their own: wagers differ too much for one.

    A narrow panel has no room beside it: seats and figures stand above their lines, and the axis says what it counts.
    """
    import altair as alt

    rows: list[Row] = [_edge_row(report, long_run, named=narrow and len(reports) > 1) for report in reports]
    seats = alt.Axis(domain=False, ticks=False, labelPadding=8, minExtent=50, labels=len(rows) > 1)
    y = alt.Y("seat", type="nominal", sort=None, title=None, axis=None if narrow else seats)
    counts, words = (4, "house edge") if narrow else (6, None)
    axis = alt.Axis(format="~%", tickCount=counts, labelFlush=narrow, grid=not narrow, title=words)
    ends = [float(str(row[name])) for row in rows for name in ("low", "high", "exact") if row[name] is not None]
    room = (max(ends) - min(ends)) * 0.04 or 0.01
    scale = alt.Scale(domain=[min(ends) - room, max(ends) + room], nice=True)
    base = data_of(rows)
    x = alt.X("low", type="quantitative", axis=axis, scale=scale)
    lines = base.mark_rule(strokeWidth=3).encode(x=x, x2="high", y=y, color=from_rows())
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=alt.X("edge", type="quantitative"), y=y, color=from_rows()
    )
    known = [row for row in rows if row["exact"] is not None]
    exact = data_of(known).mark_tick(color=INK, thickness=2.5, size=20, opacity=1)
    figures = base.mark_text(align="left", baseline="middle", dy=-ABOVE if narrow else 0).encode(
        x=alt.value(0 if narrow else WIDTH + FIGURES), y=y, text=alt.Text("figures", type="nominal")
    )
    layers = [lines, dots, exact.encode(x=alt.X("exact", type="quantitative"), y=y), figures]
    title = title_of(_wager_words(reports[0].wager), _verdict(reports, long_run), offset=8, narrow=narrow)
    width, row = (NARROW, NARROW_ROW) if narrow else (WIDTH, ROW)
    return alt.layer(*layers, title=title).properties(width=width, height=row * len(rows))


def _edge_row(report: WagerReport, long_run: Fraction | None, *, named: bool) -> Row:
    low, high = report.interval or (float(report.edge), float(report.edge))
    exact = long_run if report.exact is None else report.exact.edge
    _, _, edge, spread, *_ = simulations.edge_cells(report)
    figures = f"{edge} ({spread})" if spread else edge
    return {
        "seat": f"seat {report.seat}",
        "low": low,
        "high": high,
        "edge": float(report.edge),
        "exact": None if exact is None else float(exact),
        "color": LOSS if report.agrees is False else GAIN,
        "figures": f"Seat {report.seat}: {figures}" if named else figures,
    }


def _verdict(reports: Sequence[WagerReport], long_run: Fraction | None) -> str:
    """What the picture shows of a wager, in a line."""
    exact = dict.fromkeys(percent(report.exact.edge, 2) for report in reports if report.exact is not None)
    if not exact and long_run is None:
        return "No exact edge to compare with"
    if long_run is not None and not exact:
        return f"Long-run edge {percent(long_run, 2)}; in a run it moves with the meter"
    words = {report.seat: simulations.verdict_words(report) for report in reports}
    outside = [str(seat) for seat, verdict in words.items() if verdict == "outside"]
    if outside:
        verdict = f"outside the interval of seat {listed(outside)}" if len(reports) > 1 else "outside the interval"
    elif "too few rounds" in words.values():
        verdict = "within the interval, but too few rounds to tell"
    else:
        verdict = "the simulation agrees"
    return f"Exact edge {' and '.join(exact)}: {verdict}"


def _wager_words(wager: str) -> str:
    return "Main game" if wager == "base" else titled(wager)


# --- how a player's money goes


def draw_visits(visits: Visits, path: Path, *, rounds_per_hour: int, title: str, note: str = "") -> None:
    """Write a picture of a player's money over time; the suffix names the format."""
    check_place(path)
    write_picture(visits_chart(visits, rounds_per_hour=rounds_per_hour, title=title, note=note), path)


def visits_chart(visits: Visits, *, rounds_per_hour: int, title: str, note: str = "") -> alt.VConcatChart:
    """A player's money over time: quantile bands, the median, and a few single visits."""
    import altair as alt

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
    scale = alt.Scale(domain=[0, top], nice=False)
    x = alt.X("hour", type="quantitative", axis=alt.Axis(title="hours of play", format="~g", tickCount=8, grid=False))
    axis = alt.Axis(format=DOLLARS, title="the player's money", tickCount=6)
    y = alt.Y("money", type="quantitative", axis=axis, scale=scale)
    fan = (
        data_of(bands)
        .mark_area(color=GAIN, opacity=0.22)
        .encode(x=x, y=alt.Y("low", type="quantitative", scale=scale, title=None), y2="high", detail="band:N")
    )
    lines = data_of(paths).mark_line(color=EVEN, strokeWidth=1, opacity=0.6, clip=True)
    center = data_of(middle).mark_line(color=GAIN, strokeWidth=3)
    start = data_of([{"money": visits.bankroll / 100}]).mark_rule(color=INK, strokeDash=[2, 3])
    label = data_of([{"hour": hours[-1], "money": visits.bankroll / 100, "text": "brought"}])
    brought = label.mark_text(align="left", dx=6, baseline="middle").encode(x=x, y=y, text=alt.Text("text:N"))
    low, high = visits.ruin_interval
    ruined = f"Ruined in {float(visits.ruin):.1%} of {len(visits.left):,} visits (99% interval {low:.1%} to {high:.1%})"
    legend = "Line: median. Dark: middle half of visits. Light: middle 90%. Gray: single visits."
    panel = alt.layer(
        fan,
        lines.encode(x=x, y=y, detail="visit:N"),
        center.encode(x=x, y=y),
        start.encode(y=y),
        brought,
        title=title_of(f"{_dollars(visits.bankroll)} for {hours[-1]:g} hours", [f"{ruined}.", legend], offset=12),
    ).properties(width=MONEY_WIDTH, height=MONEY_HEIGHT)
    return styled([panel], title, [note] if note else [])


def _dollars(cents: float) -> str:
    return print_dollars(Cents(round(cents / 100) * 100))
