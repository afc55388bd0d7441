"""What all pictures have in common: colors, titles, formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from croupier.errors import Malformed
from croupier.extras import need
from croupier.files import write_whole

if TYPE_CHECKING:
    import altair as alt

__all__ = ["EVEN", "FORMATS", "GAIN", "INK", "LOSS", "Panel", "check_place", "styled", "title_of", "write_picture"]

FORMATS: Final = (".svg", ".png")
GAIN, LOSS, EVEN, INK, FAINT = "#0072b2", "#e69f00", "#7f7f7f", "#222222", "#dddddd"
"""Distinct to the color-blind, and by their lightness in gray print."""

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


def title_of(text: str, note: str, *, size: int = 13, offset: int = 4) -> alt.TitleParams:
    """The title of a panel, with a note under it."""
    import altair as alt

    return alt.TitleParams(
        text, subtitle=note, anchor="start", frame="group", fontSize=size, subtitleFontSize=11, offset=offset
    )


def styled(rows: Sequence[Panel], title: str, notes: Sequence[str]) -> alt.VConcatChart:
    """A whole picture: panels from top to bottom under one title, in the style of all pictures."""
    import altair as alt

    text = alt.TitleParams(title, subtitle=list(notes), anchor="start", fontSize=18, subtitleFontSize=13, offset=20)
    style = alt.Config(
        font="Arial, Helvetica, sans-serif",
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(color=INK, subtitleColor=INK, subtitlePadding=4),
        axis=alt.AxisConfig(
            gridColor=FAINT, labelColor=INK, titleColor=INK, titleFontWeight="normal", labelFontSize=11, labelLimit=0
        ),
        text=alt.MarkConfig(color=INK, fontSize=11),
    )
    return alt.vconcat(*rows, spacing=30, title=text, padding=20, background="white", config=style)
