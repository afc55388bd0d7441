"""Pictures of what a table wins per shift, day and month: bars where there are many periods, a dot each for few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct

from croupier.documents.export import Row
from croupier.documents.pictures import (
    GAIN,
    INK,
    LOSS,
    NARROW,
    Panel,
    check_place,
    data_of,
    from_rows,
    nice_step,
    round_values,
    styled,
    title_of,
    write_picture,
)
from croupier.money import dollars_estimate, round_dollars
from croupier.simulation import NINETY_NINE, Hold, quantiles, supported_quantiles

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw_hold", "hold_chart"]

WIDTH, HEIGHT, DOTS_HEIGHT = 640, 150, 90
"""The size of a panel, in points."""
FEW: Final = 100
"""Fewer periods than this are a dot each: a histogram would draw chance as a shape."""
DOTS: Final = 45
"""Dots beside each other in a panel."""
REACH: Final = 0.75
"""How far the picture goes beyond the 5th and 95th percentiles, as a share of what lies between them."""
NAMES: Final = {5: "5th percentile", 50: "median", 95: "95th percentile"}
MEDIAN: Final = 50
LABEL: Final = 90
"""The room for the label of a percentile, in points."""
AXIS: Final = 40
"""The room for the axis beside a narrow panel, in points."""
Side: TypeAlias = Literal["left", "center", "right"]
SIDES: Final[dict[int, Side]] = {5: "right", 50: "center", 95: "left"}
"""How labels of percentiles are aligned where these are close to each other."""
AWAY: Final[dict[Side, int]] = {"right": 6, "center": 0, "left": -6}
LABELS: Final[tuple[tuple[str, int, Literal["normal", "bold"]], ...]] = (
    ("name", -20, "normal"),
    ("amount", -7, "bold"),
)
"""The lines of a label, how far above the panel they stand, and their weight."""
WHOLE_DOLLARS: Final = 1_000.0
"""An error of ten dollars, in cents: amounts are shown in whole dollars."""


def draw_hold(holds: Sequence[Hold], path: Path, *, title: str, note: str = "", narrow: bool = False) -> None:
    """Write a picture of the house win by shift, day and month, narrow for a phone; the suffix names the format."""
    check_place(path)
    write_picture(hold_chart(holds, title=title, note=note, narrow=narrow), path)


def hold_chart(holds: Sequence[Hold], *, title: str, note: str = "", narrow: bool = False) -> alt.VConcatChart:
    """The distribution of the house win by shift, day and month."""
    return styled([_panel(hold, narrow=narrow) for hold in holds], title, [note] if note else [], narrow=narrow)


class _Bins(Struct, frozen=True):
    """Places of one width, in dollars; zero lies between two of them, so that each is a win or a loss."""

    width: float
    first: int
    last: int

    @property
    def low(self) -> float:
        return self.first * self.width

    @property
    def high(self) -> float:
        return self.last * self.width

    def place(self, dollars: float) -> int:
        return floor(dollars / self.width)


def _bins(hold: Hold) -> _Bins:
    """From zero or the lowest usual value to the highest; a rare loss would squeeze all the others together."""
    at, many = quantiles(hold.won), len(hold.won) >= FEW
    reach = REACH * (at[95] - at[5])
    low, high = max(at[1], at[5] - reach) / 100, min(at[99], at[95] + reach) / 100
    with_zero = max(high, 0) - min(low, 0)
    width = nice_step((high - low) / min(4 * len(hold.won) ** (1 / 3), 40) if many else with_zero / DOTS)
    return _Bins(width, floor(min(low, 0) / width), max(ceil(max(high, 0) / width), floor(high / width) + 1))


def _panel(hold: Hold, *, narrow: bool) -> Panel:
    import altair as alt

    bins = _bins(hold)
    counts = Counter(map(bins.place, (hold.won / 100).tolist()))
    step = nice_step((bins.high - bins.low) / (4 if narrow else 8))
    bold = {"condition": {"test": "datum.value === 0", "value": "bold"}, "value": "normal"}
    axis = alt.Axis(
        format="$,.0f",
        title=f"house win per {hold.period}",
        values=round_values(bins.low, bins.high, step),
        labelFontWeight=bold,
        labelFlush=narrow,
        grid=False,
    )
    x = alt.X("x", type="quantitative", axis=axis, scale=alt.Scale(domain=[bins.low, bins.high], nice=False))
    shown = {place: counts[place] for place in sorted(counts) if bins.first <= place < bins.last}
    zero = data_of([{"x": 0}]).mark_rule(color=INK, strokeWidth=1.5).encode(x=x)
    many, width = len(hold.won) >= FEW, NARROW - AXIS if narrow else WIDTH
    marks = [zero, *_percentiles(hold, bins, x, narrow=narrow)]
    layers = [_bars(hold, bins, shown, x), *marks] if many else [*marks, _dots(bins, shown, x, width)]
    words = [*_words(hold, bins), *(_percentile_words(hold) if narrow else ())]
    title = title_of(f"House win per {hold.period}", words, offset=12, narrow=narrow)
    return alt.layer(*layers, title=title).properties(width=width, height=HEIGHT if many else DOTS_HEIGHT)


def _bars(hold: Hold, bins: _Bins, counts: dict[int, int], x: alt.X) -> Panel:
    import altair as alt

    rows: list[Row] = [
        {
            "x": place * bins.width,
            "to": (place + 1) * bins.width,
            "share": count / len(hold.won),
            "foot": 0,
            "color": _color(place),
        }
        for place, count in counts.items()
    ]
    share = alt.Axis(format="~%", title=f"share of {hold.period}s", tickCount=4, domain=False)
    top = max(counts.values(), default=1) / len(hold.won) * 1.08
    y = alt.Y("share", type="quantitative", axis=share, scale=alt.Scale(domain=[0, top], nice=False))
    bars = data_of(rows).mark_rect(stroke="white", strokeWidth=0.5)
    return bars.encode(x=x, x2="to", y=y, y2="foot", color=from_rows())


def _dots(bins: _Bins, counts: dict[int, int], x: alt.X, width: int) -> Panel:
    """A dot for each period, stacked where they would cover each other."""
    import altair as alt

    rows: list[Row] = [
        {"x": (place + 0.5) * bins.width, "y": level + 0.5, "color": _color(place)}
        for place, count in counts.items()
        for level in range(count)
    ]
    wide = width / (bins.last - bins.first)
    levels = max(DOTS_HEIGHT / wide, *counts.values(), 1)
    size = 0.7 * min(wide, DOTS_HEIGHT / levels) ** 2
    y = alt.Y("y", type="quantitative", axis=None, scale=alt.Scale(domain=[0, levels], nice=False))
    return (
        data_of(rows)
        .mark_circle(size=size, opacity=1, stroke="white", strokeWidth=1)
        .encode(x=x, y=y, color=from_rows())
    )


def _color(place: int) -> str:
    return GAIN if place >= 0 else LOSS


def _percentiles(hold: Hold, bins: _Bins, x: alt.X, *, narrow: bool) -> list[alt.Chart]:
    """Lines at the percentiles that this many periods support, with their names and amounts above a panel with room."""
    import altair as alt

    at = _supported(hold)
    scale = WIDTH / (bins.high - bins.low) / 100
    close = any((after - before) * scale < LABEL for before, after in pairwise(at.values()))
    marks = []
    for percent, cents in at.items():
        row = {"x": cents / 100, "name": NAMES[percent], "amount": round_dollars(cents, _error(hold))}
        data, side = data_of([row]), SIDES[percent] if close else "center"
        dashes = [1, 0] if percent == MEDIAN else [5, 3]
        marks.append(data.mark_rule(color=INK, strokeWidth=1.5, strokeDash=dashes, opacity=0.8).encode(x=x))
        for words, height, weight in () if narrow else LABELS:
            text = data.mark_text(align=side, dx=AWAY[side], baseline="middle", fontWeight=weight)
            marks.append(text.encode(x=x, y=alt.value(height), text=alt.Text(words, type="nominal")))
    return marks


def _percentile_words(hold: Hold) -> Iterator[str]:
    """What stands above a panel with room, in a line: a solid line is the median, a dashed one another percentile."""
    amounts = [f"{NAMES[percent]} {round_dollars(cents, _error(hold))}" for percent, cents in _supported(hold).items()]
    if amounts:
        yield f"Lines: {', '.join(amounts)}; the median is solid."


def _supported(hold: Hold) -> dict[int, int]:
    supported = supported_quantiles(hold.won, tuple(NAMES))
    return {percent: cents for percent, cents in supported.items() if cents is not None}


def _error(hold: Hold) -> float:
    return max(NINETY_NINE * hold.standard_error, WHOLE_DOLLARS)


def _words(hold: Hold, bins: _Bins) -> list[str]:
    """The average, how often the house loses, and what the picture leaves out."""
    period, many = f"{hold.period}s", len(hold.won)
    average = f"Average {dollars_estimate(hold.mean, _error(hold))}"
    if hold.losses:
        lost = f"the house loses {hold.losses / many:.1%} of {period} ({hold.losses:,} of {many:,})"
    else:
        lost = f"no losing {hold.period} in {many:,}"
    each = f"; each dot is one {hold.period}" if many < FEW else ""
    dollars = hold.won / 100
    below, above = dollars[dollars < bins.low], dollars[dollars >= bins.high]
    beyond = [
        f"{len(values):,} {side} {_whole(edge)} ({word} {_whole(float(most))})"
        for values, side, edge, word, most in (
            (below, "below", bins.low, "lowest", dollars.min()),
            (above, "above", bins.high, "highest", dollars.max()),
        )
        if len(values)
    ]
    return [f"{average}; {lost}{each}.", *([f"Beyond the picture: {' and '.join(beyond)}."] if beyond else [])]


def _whole(dollars: float) -> str:
    return round_dollars(dollars * 100, WHOLE_DOLLARS)
