"""Pictures of priced wagers, as SVG or PNG: one record in full, or the house edges of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, exp, floor, log1p, log10
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from croupier.analysis import MeterPrice, Price, PricedLine
from croupier.documents.edge_charts import book_edges, house_edges
from croupier.documents.pictures import (
    EVEN,
    GAIN,
    INK,
    LOSS,
    Panel,
    check_place,
    data_of,
    from_rows,
    styled,
    title_of,
    write_picture,
)
from croupier.documents.price_parts import (
    ROW,
    WIDTH,
    asked_words,
    bars_of,
    book_words,
    line_label,
    meters_words,
    name_words,
    percent_words,
    sign_color,
    true_minus,
)
from croupier.errors import Malformed
from croupier.money import print_dollars

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw", "prices_chart"]

GAP: Final = 45
"""Between panels, in points."""
CHANCES, SHARES = 90, 42
"""The room for the labels of an axis, the same in every picture so that panels line up."""
LINEAR: Final = 12
"""Net results up to this are drawn to scale, larger ones on a symmetric logarithm."""

Row: TypeAlias = dict[str, object]
Side: TypeAlias = Literal["left", "right"]


def draw(
    records: Sequence[Price], path: Path, *, house: str = "", long_run: Mapping[str, Fraction] | None = None
) -> None:
    """Write a picture of one record in full, or of the house edges of several; the suffix names the format.

    `house` is the title for the wagers of one house, `long_run` the edge of its progressive in the long run.
    """
    check_place(path)
    write_picture(prices_chart(records, house=house, long_run=long_run), path)


def prices_chart(
    records: Sequence[Price], *, house: str = "", long_run: Mapping[str, Fraction] | None = None
) -> alt.VConcatChart:
    """One record in full, or the house edges of several."""
    if not records:
        raise Malformed("there is nothing to draw: at least one priced wager is needed")
    if len(records) > 1:  # equally good plays have the same edge, so one bar is enough
        records = [record for record in records if record.tie_rule != "less"]
    if len(records) == 1:
        return _one(records[0], house)
    return house_edges(records, house, long_run or {}) if house else book_edges(records)


# --- one record


def _one(record: Price, house: str) -> alt.VConcatChart:
    import altair as alt

    lines = [line for line in record.lines if record.unit != "stake" or line.pays != "loses"]
    height = max(200, ROW * len(lines))
    rows = [alt.hconcat(_returns(record, lines, height), _distribution(record, height), spacing=GAP)]
    if record.meters:
        rows.append(alt.hconcat(*(_meter(record, meter) for meter in record.meters), spacing=GAP))
    edge = f"House edge {percent_words(record.edge)} of one {record.unit}, exactly {true_minus(str(record.edge))}"
    envy = [f"envy adds {percent_words(record.envy)} for each other player"] if record.envy else []
    asked = ", ".join([*asked_words(record), *meters_words(record), *envy])
    wager = f"{name_words(record.wager)}, paytable {record.paytable}"
    title = f"{house}, {wager[0].lower()}{wager[1:]}" if house else f"{book_words(record.rulebook)}: {wager}"
    return styled(rows, title, [edge, asked[:1].upper() + asked[1:]] if asked else [edge])


def _returns(record: Price, lines: Sequence[PricedLine], height: int) -> Panel:
    """What each line adds to the player's result; of a bonus only the lines that pay."""
    note = f"as a share of one {record.unit}"
    if len(lines) < len(record.lines):
        lost = sum((line.returned for line in record.lines if line not in lines), Fraction(0))
        note = f"above the stake, as a share of it; other hands {percent_words(lost)}"
    rows = [(line_label(line, folds=bool(record.folded)), line.returned) for line in lines]
    reach = [line.returned for line in lines]
    return bars_of(rows, title_of("What each line returns", note), height=height, reach=reach)


def _distribution(record: Price, height: int) -> Panel:
    """Each net result against its probability."""
    import altair as alt

    chances = [(float(net), count / record.outcomes.total) for net, count in record.outcomes.counts]
    bottom = min(-1, floor(log10(min(chance for _, chance in chances))))
    unit = f"{record.unit}s of {print_dollars(record.stake)}" if record.stake else f"{record.unit}s"
    base = data_of(
        [{"net": net, "chance": chance, "foot": 10.0**bottom, "color": sign_color(net)} for net, chance in chances]
    ).encode(
        x=_nets(chances[0][0], chances[-1][0], f"net result in {unit}"),
        y=_chances(bottom),
        color=from_rows(),
    )
    stems = base.mark_rule(strokeWidth=2).encode(y2=alt.Y2("foot"))
    dots = base.mark_point(filled=True, size=50, opacity=1)
    title = title_of("How often each result occurs", "probability, on a logarithmic scale")
    return alt.layer(stems, dots, title=title).properties(width=WIDTH, height=height)


def _nets(low: float, high: float, title: str) -> alt.X:
    """An axis of net results: to scale while they are small, else compressed on both sides of zero."""
    import altair as alt

    far = max(-low, high) > LINEAR
    room = 5.5 * len(f"{high:,.0f}")  # for the label of the largest win, in points
    near = exp(room / WIDTH * (log1p(abs(low)) + log1p(abs(high))))
    powers = [10.0**power for power in range(9) if 10**power * near <= high]
    values = sorted({low, max(low, -1.0), 0.0, *powers, high})
    axis = alt.Axis(values=values, format=",.2~f", grid=False) if far else alt.Axis(tickMinStep=1, grid=False)
    scale = alt.Scale(type="symlog" if far else "linear", domain=[low, high], nice=False, padding=12)
    return alt.X("net", type="quantitative", title=title + " (symmetric log scale)" * far, axis=axis, scale=scale)


def _chances(bottom: int) -> alt.Y:
    """An axis of probabilities from certainty down to a power of ten."""
    import altair as alt

    decades = [10.0**power for power in range(0, bottom - 1, -1 if bottom > -8 else -2)]
    words = "datum.value == 1 ? 'always' : '1 in ' + format(1 / datum.value, ',.0f')"
    axis = alt.Axis(values=decades, labelExpr=words, minExtent=CHANCES, maxExtent=CHANCES)
    scale = alt.Scale(type="log", domain=[10.0**bottom, 2], nice=False)
    return alt.Y("chance", type="quantitative", title=None, axis=axis, scale=scale)


def _meter(record: Price, meter: MeterPrice) -> Panel:
    """The return to the player against one meter, with the others as shown."""
    import altair as alt

    shown, even, now, many = Fraction(meter.value, 100), meter.break_even, 1 - record.edge, len(record.meters)
    first, last = min(shown, even), max(shown, even) * 6 / 5
    start, end = (float(now + (at - shown) * meter.coefficient * 100 / (record.stake or 100)) for at in (first, last))
    top = max(1.15, end)
    x, y = _dollars(float(last), f"{meter.name} meter", ticks=6 - many), _shares(top)
    line = data_of([{"x": float(first), "y": start}, {"x": float(last), "y": end}]).mark_line(color=GAIN, strokeWidth=3)
    point = data_of([{"x": float(shown), "y": float(now)}]).mark_point(filled=True, size=70, color=GAIN, opacity=1)
    layers = [*_marks(record, even, last, top, x=x, y=y), line.encode(x=x, y=y), point.encode(x=x, y=y)]
    others = ", others as shown" if many > 1 else ""
    title = title_of(
        f"Return against the {meter.name} meter", f"{percent_words(now)} at {print_dollars(meter.value)}{others}"
    )
    whole = 2 * WIDTH + GAP + CHANCES  # as wide together as the two panels above
    width = (whole - (many - 1) * (GAP + SHARES)) / many
    return alt.layer(*layers, title=title).properties(width=width, height=200)


def _marks(record: Price, even: Fraction, last: Fraction, top: float, *, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """All of the stake, what the fixed pays return, and the meter that makes up the difference."""
    import altair as alt

    # The labels keep clear of the line: it runs below a break-even on the right and above one on the left.
    right = even > last / 2
    side: Side = "right" if right else "left"
    other: Side = "left" if right else "right"
    away = -6 if right else 6
    fixed = float(record.fixed_return or 0)
    here: Row = {"x": float(even), "y": top if right else 0, "text": f"break-even {print_dollars(ceil(even * 100))}"}
    base: Row = {"x": 0 if right else float(last), "y": fixed, "text": f"fixed pays {percent_words(fixed)}"}
    text = alt.Text("text", type="nominal")
    return [
        data_of([{"y": 1}]).mark_rule(color=EVEN).encode(y=y),
        data_of([{"y": fixed}]).mark_rule(color=INK, strokeDash=[2, 3]).encode(y=y),
        data_of([{"x": float(even)}]).mark_rule(color=LOSS, strokeWidth=2, strokeDash=[6, 3]).encode(x=x),
        data_of([here])
        .mark_text(align=side, dx=away, dy=8 if right else -9, fontWeight="bold")
        .encode(x=x, y=y, text=text),
        data_of([base]).mark_text(align=other, dx=-away, dy=11).encode(x=x, y=y, text=text),
    ]


def _dollars(last: float, title: str, *, ticks: int) -> alt.X:
    import altair as alt

    axis = alt.Axis(format="$,.0f", tickCount=ticks, grid=False)
    return alt.X("x", type="quantitative", title=title, axis=axis, scale=alt.Scale(domain=[0, last], nice=False))


def _shares(top: float) -> alt.Y:
    import altair as alt

    axis = alt.Axis(format=".0%", tickCount=6, grid=False, minExtent=SHARES, maxExtent=SHARES)
    return alt.Y("y", type="quantitative", title=None, axis=axis, scale=alt.Scale(domain=[0, top], nice=False))
