"""Drawings of papers in a page: charts in its colors, so that they follow light and dark, and QR codes."""

from __future__ import annotations

import re
from typing import Final

from markupsafe import Markup

from croupier.documents import qr_svg

__all__ = ["inline_qr", "themed"]

_INK: Final = {
    "#0072b2": "var(--push)",
    "#e69f00": "var(--warn)",
    "#7f7f7f": "var(--ink-3)",
    "#222222": "var(--ink)",
    "#dddddd": "var(--line)",
    "#888": "var(--line-2)",
    "#000": "var(--ink)",
    "black": "var(--ink)",
    "white": "var(--surface)",
}
"""The colors of charts on paper, and what they are on a page."""
_COLOR: Final = re.compile(r'(fill|stroke)="([^"]+)"')
_SIZE: Final = re.compile(r'(<svg[^>]*?) width="[^"]*" height="[^"]*" viewBox="0 0 (\S+) (\S+)"')
_ROOM: Final = 24
"""More room on the left: the letters of a page may be wider than those that were measured."""
_SQUARE: Final = re.compile(r'width="(\d+)" height="(\d+)"')
_FONT: Final = re.compile(r'font-family="[^"]*"')


def themed(svg: str, *, room: int = _ROOM) -> Markup:
    """A chart to put into a page, with this much more room on its left.

    >>> themed('<svg width="10" height="5" viewBox="0 0 10 5"><rect fill="#222222"/></svg>')
    Markup('<svg viewBox="-24 0 34 5"><rect fill="var(--ink)"/></svg>')
    """

    def larger(found: re.Match[str]) -> str:
        return f'{found[1]} viewBox="-{room} 0 {float(found[2]) + room:g} {found[3]}"'

    colored = _COLOR.sub(lambda found: f'{found[1]}="{_INK.get(found[2].lower(), found[2])}"', svg)
    return Markup(_FONT.sub('font-family="inherit"', _SIZE.sub(larger, colored, count=1)))  # noqa: S704 - drawn by ourselves


def inline_qr(address: str) -> Markup:
    """An address as a QR code that is as large as its place allows."""
    return Markup(_SQUARE.sub(r'viewBox="0 0 \1 \2"', qr_svg(address), count=1))  # noqa: S704 - drawn by ourselves
