"""Pictures of the house edges of several wagers: of one house by edge, of a rulebook by paytable, of many at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from croupier.analysis import Price
from croupier.documents.pictures import EVEN, GAIN, Panel, data_of, styled, title_of
from croupier.documents.price_parts import (
    ROW,
    asked_words,
    bars_of,
    book_words,
    meters_words,
    name_words,
    percent_words,
)
from croupier.money import print_dollars

if TYPE_CHECKING:
    import altair as alt

__all__ = ["book_edges", "house_edges"]

GAP: Final = 45
"""Between columns, in points."""
MANY: Final = 45
"""With more bars than this a picture could not be read on a screen: each paytable becomes a dot."""
COLUMN: Final = 20
"""With more bars than this a rulebook has two columns."""
LETTER: Final = 5.7
"""The room for a letter of a label, in points: with the same room in all columns, bars line up."""
DOTS_WIDTH, DOTS_NAMES = 460, 140
SHARE: Final = "House edge as a share of one ante, bet or stake, under optimal play"
ORDER: Final = "Under optimal play, the highest edge first"
OPENING: Final = "progressives with the meters at their opening or given amounts"


# --- one house


def house_edges(records: Sequence[Price], house: str, long_run: Mapping[str, Fraction]) -> alt.VConcatChart:
    """One bar for each wager of a house, the highest edge first; a progressive also has that of the long run."""
    several = {record.wager for record in records if sum(other.wager == record.wager for other in records) > 1}
    rows = [(_house_label(record, with_stake=record.wager in several), record.edge) for record in records]
    rows += [
        (f"{name_words(wager)}, in the long run", edge)
        for wager, edge in long_run.items()
        if any(record.wager == wager for record in records)
    ]
    rows.sort(key=lambda row: row[1], reverse=True)
    panel = bars_of(rows, title_of("House edge", ""), height=ROW * len(rows), reach=[edge for _, edge in rows])
    return styled([panel], house, [f"{SHARE}."])


def _house_label(record: Price, *, with_stake: bool) -> str:
    words = [name_words(record.wager)]
    words += [f"paytable {record.paytable}"] if record.paytable != "standard" else []
    words += asked_words(record, ties=False)[:1] if with_stake else []
    return ", ".join([*words, *meters_words(record)])


# --- rulebooks


def book_edges(records: Sequence[Price]) -> alt.VConcatChart:
    """The edges of one or more rulebooks, a bar for each paytable, or a dot where there are too many for bars."""
    import altair as alt

    if len(records) > MANY:
        return _overview(records)
    books = {record.rulebook: [other for other in records if other.rulebook == record.rulebook] for record in records}
    groups = {book: _groups(mine) for book, mine in books.items()}
    every = [row for mine in groups.values() for _, _, rows in mine for row in rows]
    reach, names = [edge for _, edge in every], round(LETTER * max(len(label) for label, _ in every))
    columns = {
        book: [
            (len(rows), bars_of(rows, title_of(wager, note), height=ROW * len(rows), reach=reach, names=names))
            for wager, note, rows in mine
        ]
        for book, mine in groups.items()
    }
    if len(columns) == 1:
        book, panels = columns.popitem()
        return styled(_side_by_side(panels), f"{book_words(book)}: house edge by paytable", [ORDER])
    named = []
    for book, panels in columns.items():
        title = title_of(book_words(book), "", size=15, offset=14)
        named.append(alt.vconcat(*(panel for _, panel in panels), spacing=25, title=title))
    return styled(
        named if len(every) <= COLUMN else [alt.hconcat(*named, spacing=GAP)], "House edge by paytable", [ORDER]
    )


def _groups(records: Sequence[Price]) -> list[tuple[str, str, list[tuple[str, Fraction]]]]:
    """The wagers of one rulebook: what it is, what the edge is a share of, and its bars, the highest edge first."""
    groups = []
    for wager in dict.fromkeys(record.wager for record in records):
        group = sorted((record for record in records if record.wager == wager), key=lambda record: -record.edge)
        note = f"as a share of one {group[0].unit}"
        if any(record.meters for record in group):
            note += "; meters at their opening or given amounts"
        rows = list(zip(_labels(group), (record.edge for record in group), strict=True))
        groups.append((name_words(wager), note, rows))
    return groups


def _side_by_side(panels: Sequence[tuple[int, Panel]]) -> list[Panel]:
    """Panels below each other, or in two columns of about the same length where there are many bars."""
    import altair as alt

    total = sum(bars for bars, _ in panels)
    if total <= COLUMN or len(panels) == 1:
        return [panel for _, panel in panels]
    half = min(range(1, len(panels)), key=lambda at: abs(2 * sum(bars for bars, _ in panels[:at]) - total))
    columns = [alt.vconcat(*(panel for _, panel in part), spacing=25) for part in (panels[:half], panels[half:])]
    return [alt.hconcat(*columns, spacing=GAP)]


def _labels(records: Sequence[Price]) -> Iterator[str]:
    """A unique label for each record."""
    names = [_short(record) for record in records]
    full = [
        name if names.count(name) == 1 else ", ".join([name, *meters_words(record)])
        for name, record in zip(names, records, strict=True)
    ]
    for at, name in enumerate(full):
        before = full[:at].count(name)
        yield f"{name} ({before + 1})" if before else name


def _short(record: Price) -> str:
    return ", ".join([record.paytable, *asked_words(record, ties=False)])


def _brief(record: Price) -> str:
    if record.players:
        return f"{record.players} players" if record.players > 1 else "1 player"
    return f"{record.paytable}, {print_dollars(record.stake)}" if record.stake else record.paytable


# --- everything at once


def _overview(records: Sequence[Price]) -> alt.VConcatChart:
    """A row for each wager of each rulebook, with a dot for each of its paytables."""
    books = sorted({record.rulebook for record in records}, key=book_words)
    top = max(float(record.edge) for record in records)
    low = min(0.0, *(float(record.edge) for record in records))
    panels = [_dots([record for record in records if record.rulebook == book], low, top * 1.02) for book in books]
    each = "Each dot is one paytable, at one stake where that matters; on the right the lowest and the highest edge."
    return styled(panels, "House edge of every wager", [f"{SHARE};", f"{OPENING}.", each])


def _dots(records: Sequence[Price], low: float, top: float) -> Panel:
    import altair as alt

    dots, lines = [], []
    for wager in dict.fromkeys(record.wager for record in records):
        group = sorted((record for record in records if record.wager == wager), key=lambda record: record.edge)
        first, last = group[0], group[-1]
        name = f"{name_words(wager)} ({len(group)})" if len(group) > 1 else name_words(wager)
        dots += [{"row": name, "edge": float(record.edge), "record": _short(record)} for record in group]
        words = f"{percent_words(first.edge)} ({_brief(first)}) to {percent_words(last.edge)} ({_brief(last)})"
        words = words if len(group) > 1 else percent_words(first.edge)
        lines.append({"row": name, "edge": float(first.edge), "to": float(last.edge), "words": words})
    axis = alt.Axis(format="~%", tickCount=8, title=None, labelFlush=False)
    x = alt.X("edge", type="quantitative", axis=axis, scale=alt.Scale(domain=[low, top], nice=False))
    names = alt.Axis(domain=False, ticks=False, labelPadding=8, minExtent=DOTS_NAMES)
    y = alt.Y("row", type="nominal", sort=None, title=None, axis=names)
    span = data_of(lines).mark_rule(color=EVEN, strokeWidth=1.5).encode(x=x, x2="to", y=y)
    spots = data_of(dots).mark_circle(color=GAIN, size=55, opacity=0.7).encode(x=x, y=y)
    text = (
        data_of(lines)
        .mark_text(align="left", baseline="middle")
        .encode(x=alt.value(DOTS_WIDTH + 12), y=y, text=alt.Text("words", type="nominal"))
    )
    title = title_of(book_words(records[0].rulebook), "", size=14, offset=8)
    return alt.layer(span, spots, text, title=title).properties(width=DOTS_WIDTH, height=ROW * len(lines))
