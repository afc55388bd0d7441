"""What all pictures have in common: colors, titles, formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from croupier.errors import Malformed
from croupier.extras import need
from croupier.files import write_whole

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "EVEN",
    "FORMATS",
    "GAIN",
    "INK",
    "LOSS",
    "NARROW",
    "Panel",
    "check_place",
    "data_of",
    "from_rows",
    "in_lines",
    "nice_step",
    "round_values",
    "styled",
    "title_of",
    "write_picture",
]

FORMATS: Final = (".svg", ".png")
GAIN, LOSS, EVEN, INK, FAINT = "#0072b2", "#e69f00", "#7f7f7f", "#222222", "#dddddd"
"""Distinct to the color-blind, and by their lightness in gray print."""
NARROW: Final = 300
"""The width of a narrow panel, in points: with its axis it is as wide as a phone, so its letters keep their size."""
LINE: Final = 46
"""The letters of a line above a narrow panel."""

Panel: TypeAlias = Any
"""Whatever Altair puts side by side."""


def check_place(path: Path) -> None:
    """Check that a picture can be drawn and written there, before anything is computed."""
    need("plot")
    if path.suffix.lower() not in FORMATS:
        raise Malformed(f"{path}: a picture ends in {' or '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise Malformed(f"{path}: there is no folder {path.parent}")


def write_picture(chart: alt.VConcatChart, path: Path) -> None:
    """Draw a picture into a file; the suffix names the format."""
    import vl_convert

    check_place(path)
    spec, as_png = chart.to_dict(), path.suffix.lower() == ".png"
    drawn = vl_convert.vegalite_to_png(spec, scale=2) if as_png else vl_convert.vegalite_to_svg(spec).encode()
    write_whole(path, drawn)


def data_of(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    """Rows that are part of the picture."""
    import altair as alt

    return alt.Chart(alt.InlineData(values=list(rows)))


def from_rows() -> alt.Color:
    """Each mark in the color that its row has."""
    import altair as alt

    return alt.Color("color", type="nominal", scale=None)


def nice_step(least: float) -> float:
    """The first of 1, 2, 2.5 and 5 times a power of ten that is not smaller; 1 for nothing.

    >>> nice_step(3), nice_step(0.4), nice_step(700), nice_step(21_000), nice_step(0)
    (5.0, 0.5, 1000.0, 25000.0, 1.0)
    """
    if least <= 0:
        return 1.0
    power: float = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= least)


def round_values(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step from low to high.

    >>> round_values(-7_000, 12_000, 5_000)
    [-5000, 0, 5000, 10000]
    """
    return [step * place for place in range(ceil(low / step), floor(high / step) + 1)]


def in_lines(words: Sequence[str], *, narrow: bool) -> list[str]:
    """Lines above a panel: as they are, or none longer than a narrow panel.

    >>> in_lines(["Exact edge 4.91%: within the interval, but too few rounds to tell"], narrow=True)
    ['Exact edge 4.91%: within the interval, but too', 'few rounds to tell']
    """
    lines = [line for text in words for line in text.splitlines()]
    return [part for line in lines for part in wrap(line, LINE)] if narrow else lines


def title_of(
    text: str, note: str | Sequence[str], *, size: int = 13, offset: int = 4, narrow: bool = False
) -> alt.TitleParams:
    """The title of a panel, with a note under it."""
    import altair as alt

    notes = note if isinstance(note, str) else list(note)
    if narrow:
        notes = in_lines([notes] if isinstance(notes, str) else notes, narrow=True)
    letters, frame = (12, "bounds") if narrow else (11, "group")
    return alt.TitleParams(
        text, subtitle=notes, anchor="start", frame=frame, fontSize=size, subtitleFontSize=letters, offset=offset
    )


def styled(rows: Sequence[Panel], title: str, notes: Sequence[str], *, narrow: bool = False) -> alt.VConcatChart:
    """A whole picture: panels from top to bottom under one title, in the style of all pictures."""
    import altair as alt

    lines, letters = in_lines(notes, narrow=narrow), 12 if narrow else 11
    text = alt.TitleParams(
        wrap(title, LINE - 10) if narrow else title,
        subtitle=lines,
        anchor="start",
        fontSize=15 if narrow else 18,
        subtitleFontSize=12 if narrow else 13,
        offset=20,
    )
    style = alt.Config(
        font="Arial, Helvetica, sans-serif",
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(color=INK, subtitleColor=INK, subtitlePadding=4),
        axis=alt.AxisConfig(
            gridColor=FAINT,
            labelColor=INK,
            titleColor=INK,
            titleFontWeight="normal",
            titleFontSize=letters,
            labelFontSize=letters,
            labelLimit=0,
        ),
        text=alt.MarkConfig(color=INK, fontSize=letters),
    )
    padding = 4 if narrow else 20
    return alt.vconcat(*rows, spacing=30, title=text, padding=padding, background="white", config=style)
