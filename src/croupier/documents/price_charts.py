"""Pictures of priced wagers, as SVG or PNG: one record in full, or the house edges of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, exp, floor, log1p, log10
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from croupier.analysis import MeterPrice, Price, PricedLine
from croupier.documents.pictures import EVEN, GAIN, INK, LOSS, check_place, styled, title_of, write_picture
from croupier.errors import Malformed
from croupier.money import print_dollars
from croupier.rulebook import load_rulebook

if TYPE_CHECKING:
    import altair as alt

__all__ = ["draw"]

WIDTH, ROW, GAP = 340, 25, 45
"""Sizes in points: a panel, a bar with the space around it, and the gap between panels."""
CHANCES, SHARES = 90, 42
"""The room for the labels of an axis, the same in every picture so that panels line up."""
LINEAR: Final = 12
"""Net results up to this are drawn to scale, larger ones on a symmetric logarithm."""

Row: TypeAlias = dict[str, object]
Side: TypeAlias = Literal["left", "right"]
Panel: TypeAlias = "alt.LayerChart | alt.FacetChart"

WORDS: Final = {
    "ace_king_queen_spades": "Ace, king, queen of spades",
    "ace_king_queen_other": "Ace, king, queen of another suit",
    "super_royal_diamonds": "Super royal in diamonds",
    "super_royal_other": "Super royal in another suit",
    "nothing": "Any other hand",
    "base": "Main game",
    "more": "equally good plays: bet more",
    "less": "equally good plays: bet less",
    "all_hands": "all hands",
    "forfeit_on_fold": "folded hands forfeit",
}


def draw(records: Sequence[Price], path: Path) -> None:
    """Write a picture of one record in full, or of the house edges of several; the suffix names the format."""
    if not records:
        raise Malformed("there is nothing to draw: at least one priced wager is needed")
    check_place(path)
    write_picture(_one(records[0]) if len(records) == 1 else _several(records), path)


# --- one record


def _one(record: Price) -> alt.VConcatChart:
    import altair as alt

    lines = [line for line in record.lines if record.unit != "stake" or line.pays != "loses"]
    height = max(200, ROW * len(lines))
    rows = [alt.hconcat(_returns(record, lines, height), _distribution(record, height), spacing=GAP)]
    if record.meters:
        rows.append(alt.hconcat(*(_meter(record, meter) for meter in record.meters), spacing=GAP))
    edge = f"House edge {_percent(record.edge)} of one {record.unit}, exactly {_minus(str(record.edge))}"
    envy = [f"envy adds {_percent(record.envy)} for each other player"] if record.envy else []
    asked = ", ".join([*_asked(record), *_meters(record), *envy])
    title = f"{_book(record.rulebook)}: {_words(record.wager)}, paytable {record.paytable}"
    return styled(rows, title, [edge, asked[:1].upper() + asked[1:]] if asked else [edge])


def _returns(record: Price, lines: Sequence[PricedLine], height: int) -> Panel:
    """What each line adds to the player's result; of a bonus only the lines that pay."""
    note = f"as a share of one {record.unit}"
    if len(lines) < len(record.lines):
        lost = sum((line.returned for line in record.lines if line not in lines), Fraction(0))
        note = f"above the stake, as a share of it; other hands {_percent(lost)}"
    rows = [(_line(line, folds=bool(record.folded)), line.returned) for line in lines]
    reach = [line.returned for line in lines]
    return _bars(rows, title_of("What each line returns", note), height=height, reach=reach)


def _bars(
    rows: Sequence[tuple[str, Fraction]], title: alt.TitleParams, *, height: int, reach: Sequence[Fraction]
) -> Panel:
    """Labeled bars from top to bottom; `reach` are the values that the scale must hold."""
    import altair as alt

    ends = [0.0, *map(float, reach)]
    low, high = min(ends), max(ends)
    # The figures at the ends of the bars have their room within the panel.
    scale = alt.Scale(domain=[low, high if high > low else 1], nice=False, range=[60 if low < 0 else 0, WIDTH - 60])
    x = alt.X("value", type="quantitative", axis=None, scale=scale)
    y = alt.Y("row", type="nominal", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=8))
    base = _chart(
        *({"row": row, "value": float(value), "shown": _percent(value), "color": _color(value)} for row, value in rows)
    ).encode(x=x, y=y)
    bars = base.mark_bar(height=15).encode(color=_colors())
    align, away = alt.ExprRef("datum.value < 0 ? 'right' : 'left'"), alt.ExprRef("datum.value < 0 ? -5 : 5")
    text = base.mark_text(align=align, dx=away, baseline="middle").encode(text=alt.Text("shown", type="nominal"))
    zero = _chart({"value": 0}).mark_rule(color=EVEN).encode(x=x)
    return alt.layer(bars, zero, text, title=title).properties(width=WIDTH, height=height)


def _distribution(record: Price, height: int) -> Panel:
    """Each net result against its probability."""
    import altair as alt

    chances = [(float(net), count / record.outcomes.total) for net, count in record.outcomes.counts]
    bottom = min(-1, floor(log10(min(chance for _, chance in chances))))
    unit = f"{record.unit}s of {print_dollars(record.stake)}" if record.stake else f"{record.unit}s"
    base = _chart(
        *({"net": net, "chance": chance, "foot": 10.0**bottom, "color": _color(net)} for net, chance in chances)
    ).encode(
        x=_nets(chances[0][0], chances[-1][0], f"net result in {unit}"),
        y=_chances(bottom),
        color=_colors(),
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
    x, y = _dollars(float(last), ticks=6 - many), _shares(top)
    line = _chart({"x": float(first), "y": start}, {"x": float(last), "y": end}).mark_line(color=GAIN, strokeWidth=3)
    point = _chart({"x": float(shown), "y": float(now)}).mark_point(filled=True, size=70, color=GAIN, opacity=1)
    layers = [*_marks(record, even, last, top, x=x, y=y), line.encode(x=x, y=y), point.encode(x=x, y=y)]
    others = ", others as shown" if many > 1 else ""
    title = title_of(
        f"Return against the {meter.name} meter", f"{_percent(now)} at {print_dollars(meter.value)}{others}"
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
    base: Row = {"x": 0 if right else float(last), "y": fixed, "text": f"fixed pays {_percent(fixed)}"}
    text = alt.Text("text", type="nominal")
    return [
        _chart({"y": 1}).mark_rule(color=EVEN).encode(y=y),
        _chart({"y": fixed}).mark_rule(color=INK, strokeDash=[2, 3]).encode(y=y),
        _chart({"x": float(even)}).mark_rule(color=LOSS, strokeWidth=2, strokeDash=[6, 3]).encode(x=x),
        _chart(here)
        .mark_text(align=side, dx=away, dy=8 if right else -9, fontWeight="bold")
        .encode(x=x, y=y, text=text),
        _chart(base).mark_text(align=other, dx=-away, dy=11).encode(x=x, y=y, text=text),
    ]


def _dollars(last: float, *, ticks: int) -> alt.X:
    import altair as alt

    axis = alt.Axis(format="$,.0f", tickCount=ticks, grid=False)
    return alt.X("x", type="quantitative", title=None, axis=axis, scale=alt.Scale(domain=[0, last], nice=False))


def _shares(top: float) -> alt.Y:
    import altair as alt

    axis = alt.Axis(format=".0%", tickCount=6, grid=False, minExtent=SHARES, maxExtent=SHARES)
    return alt.Y("y", type="quantitative", title=None, axis=axis, scale=alt.Scale(domain=[0, top], nice=False))


# --- several records


def _several(records: Sequence[Price]) -> alt.VConcatChart:
    import altair as alt

    records = [record for record in records if record.tie_rule != "less"]  # the edge is the same as with "more"
    reach = [record.edge for record in records]
    books = dict.fromkeys(record.rulebook for record in records)
    columns = {book: _panels([record for record in records if record.rulebook == book], reach) for book in books}
    if len(columns) == 1:
        book, panels = columns.popitem()
        return styled(panels, f"{_book(book)}: house edge by paytable", [])
    named = [
        alt.vconcat(*panels, spacing=25, title=title_of(_book(book), "", size=15, offset=14))
        for book, panels in columns.items()
    ]
    return styled([alt.hconcat(*named, spacing=GAP)], "House edge by paytable", [])


def _panels(records: Sequence[Price], reach: Sequence[Fraction]) -> list[Panel]:
    """The records of one rulebook, a panel for each wager."""
    panels = []
    for wager in dict.fromkeys(record.wager for record in records):
        group = [record for record in records if record.wager == wager]
        note = f"as a share of one {group[0].unit}"
        if any(record.meters for record in group):
            note += "; with the meters at their opening or given amounts"
        rows = list(zip(_labels(group), (record.edge for record in group), strict=True))
        panels.append(_bars(rows, title_of(_words(wager), note), height=ROW * len(rows), reach=reach))
    return panels


def _labels(records: Sequence[Price]) -> Iterator[str]:
    """A unique label for each record."""
    names = [", ".join([record.paytable, *_asked(record, ties=False)]) for record in records]
    full = [
        name if names.count(name) == 1 else ", ".join([name, *_meters(record)])
        for name, record in zip(names, records, strict=True)
    ]
    for at, name in enumerate(full):
        before = full[:at].count(name)
        yield f"{name} ({before + 1})" if before else name


# --- words


def _asked(record: Price, *, ties: bool = True) -> list[str]:
    """What distinguishes records of one paytable."""
    asked = [WORDS[name] for name in (record.tie_rule if ties else None, record.variant) if name]
    if record.stake:
        asked.insert(0, f"{print_dollars(record.stake)} stake")
    if record.players:
        asked.insert(0, "1 player" if record.players == 1 else f"{record.players} players")
    return asked


def _meters(record: Price) -> list[str]:
    return [f"{meter.name} meter at {print_dollars(meter.value)}" for meter in record.meters]


def _book(rulebook: str) -> str:
    source = load_rulebook(rulebook).source
    return f"{source.title}, {source.jurisdiction}"


def _words(name: str) -> str:
    return WORDS.get(name) or name.replace("pair_", "pair of ").replace("_", " ").capitalize()


def _line(line: PricedLine, *, folds: bool) -> str:
    hand = _words(line.hand) + ", or folded" * (folds and line.hand == "nothing")  # folds are lost on the last line
    return hand if line.pays == "loses" else f"{hand}, {line.pays.replace('Push', 'push')}"


def _percent(share: Fraction | float) -> str:
    """Two decimals, or two digits where those would be zeros."""
    shown = f"{100 * float(share):.2f}"
    return _minus(shown if float(shown) else f"{100 * float(share):.2g}") + "%"


def _minus(number: str) -> str:
    return number.replace("-", "−")


# --- style


def _chart(*rows: Row) -> alt.Chart:
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(rows)))


def _color(value: Fraction | float) -> str:
    return GAIN if value > 0 else LOSS if value < 0 else EVEN


def _colors() -> alt.Color:
    import altair as alt

    return alt.Color("color", type="nominal", scale=None)
